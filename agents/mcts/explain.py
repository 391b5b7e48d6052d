"""What a search thought of one decision: its options with visits and values, and the leaf model's terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.mcts.kinds import Memory
from agents.mcts.leaf import FEATURES, Leaf, features_signature
from agents.mcts.work import NODE
from simcore import registry
from simcore.agent import CompiledAgent
from simcore.errors import UsageError
from simcore.kernel import compiled
from simcore.protocol import Game
from simcore.streams import RNG


@dataclass(frozen=True)
class Option:
    """One action at the root: ``visits`` and mean win ``shares`` by seat (none where it was never opened).

    ``order``: 1 for the child that the prior opened first, 0 where it was never opened.
    """

    action: int
    visits: int
    shares: tuple[float, ...]
    order: int


@dataclass(frozen=True)
class Term:
    """One feature of the position as the leaf model sees it: by seat its number, and its weight there."""

    name: str
    weight: float
    numbers: tuple[float, ...]


@dataclass(frozen=True)
class Explained:
    """The action chosen, every legal option (most visits first), the terms of the leaf model."""

    chosen: int
    options: list[Option]
    terms: list[Term]


def explain(text: str, game: Game, rules: Any, state: np.ndarray, legal: np.ndarray, key: int) -> Explained:
    """Ask the search ``text`` about ``state`` (shape (1,)), its stream keyed by ``key``.  Raises UsageError."""
    agent = registry.agent(text, game)
    minds, rng = np.zeros(1, game.engine.mind), np.zeros(1, RNG)
    memory = agent.prepare(minds[0]) if isinstance(agent, CompiledAgent) else None
    if not isinstance(agent, CompiledAgent) or not isinstance(memory, Memory) or not int(memory.work["nodes"][0]):
        raise UsageError(f"agent {text!r}: only a tree search can be explained, such as mcts:iterations=1024")
    rng["key"] = key
    listed = np.zeros(1, game.engine.options)
    listed["action"][0, : len(legal)] = legal
    choose = game.engine.compile_agent(agent.choose)
    chosen = int(choose(state[0], rules.packed[0], listed[0], len(legal), minds[0], rng[0]))
    return Explained(chosen, _options(memory, legal), _terms(game, rules, state))


def tree_of(memory: Memory) -> np.ndarray:
    """The nodes of the last decision, dtype NODE; the first is the root."""
    address = int(memory.work["nodes"][0])
    pools = [one for one in memory.keep if isinstance(one, np.ndarray) and one.dtype == NODE]
    return next(one for one in pools if one.ctypes.data == address)[: int(memory.work["used"][0])]


def _options(memory: Memory, legal: np.ndarray) -> list[Option]:
    nodes = tree_of(memory)
    found = {int(action): Option(int(action), 0, (), 0) for action in legal}
    child = int(nodes[0]["first"])
    while child >= 0:
        one = nodes[child]
        action, visits = int(one["action"]), int(one["visits"])
        if action in found and visits:
            shares = tuple(float(share) / visits for share in one["value"])
            found[action] = Option(action, visits, shares, int(one["order"]) + 1)
        child = int(one["next"])
    return sorted(found.values(), key=lambda one: (-one.visits, one.order or len(nodes), one.action))


def _terms(game: Game, rules: Any, state: np.ndarray) -> list[Term]:
    leaf: Leaf | None = registry.leaf(game)
    if leaf is None:
        return []
    seen = np.zeros(1, FEATURES)
    compiled(leaf.features, features_signature(game.engine))(state[0], rules.packed[0], seen[0])
    weights = leaf.weights[int(seen["table"][0]), int(seen["stage"][0])]
    seats = int(seen["seats"][0])
    return [
        Term(name, float(weights[k]), tuple(float(n) for n in seen["number"][0, :seats, k]))
        for k, name in enumerate(leaf.names)
    ]
