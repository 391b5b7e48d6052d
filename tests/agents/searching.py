"""Runs one search on one position, for the tests of agents."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.mcts.work import NODE
from simcore import registry
from simcore.agent import CompiledAgent
from simcore.protocol import Game
from simcore.streams import RNG


class Search:
    """A seated search agent whose tree can be looked at."""

    def __init__(self, text: str, game: Game) -> None:
        agent = registry.agent(text, game)
        assert isinstance(agent, CompiledAgent)
        self.game = game
        self.minds = np.zeros(1, game.engine.mind)
        self.memory = agent.prepare(self.minds[0])
        self.choose = game.engine.compile_agent(agent.choose)

    def decide(self, state: np.ndarray, rules: Any, key: int = 1) -> int:
        """What it chooses in the position ``state`` (1,)."""
        legal, rng = np.zeros(1, self.game.engine.options), np.zeros(1, RNG)
        rng["key"] = key
        n = self.game.engine.kernels.legal(state[0], rules.packed[0], legal[0])
        return int(self.choose(state[0], rules.packed[0], legal[0], n, self.minds[0], rng[0]))

    @property
    def nodes(self) -> np.ndarray:
        """The tree of the last decision."""
        address, used = int(self.memory.work["nodes"][0]), int(self.memory.work["used"][0])
        pools = [one for one in self.memory.keep if isinstance(one, np.ndarray) and one.dtype == NODE]
        return next(one for one in pools if one.ctypes.data == address)[:used]

    def children(self) -> dict[int, tuple[int, np.ndarray]]:
        """Visits and mean shares of the root's children, by action."""
        nodes, found = self.nodes, {}
        child = int(nodes[0]["first"])
        while child >= 0:
            one = nodes[child]
            found[int(one["action"])] = (int(one["visits"]), one["value"] / max(1, int(one["visits"])))
            child = int(one["next"])
        return found
