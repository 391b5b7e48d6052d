"""The greedy player with weights that were found by experiment, for every number of players its own.

The weights are data (``agents/GAME/data/tuned.json``: beside them the command, the seed, the date, and what fresh
games said), made by ``python -m agents.tune``.  Where no weights were tuned for a number of players those of the
nearest number play; solo and co-op, for which nothing was tuned, have greedy's.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.kernels.memory import address_of
from agents.kernels.tables import WHOM, by_table
from agents.mcts.leaf import TABLES
from agents.weights import stored
from simcore.agent import Agent, AgentKind, CompiledAgent, Parameter
from simcore.protocol import Game

#: Fewest players that weights are tuned for: the first table.
FEWEST = 2


def untuned(game: str) -> dict[str, float]:
    """Greedy's weights by name, where tuning begins."""
    features = importlib.import_module(f"agents.{game}.features").FEATURES
    return {name: feature.weight for name, feature in features.items()}


def weighted(text: str, game: str, weights: Mapping[str, float]) -> CompiledAgent:
    """The greedy player called ``text`` with these weights, greedy's where one is not given."""
    made: CompiledAgent = importlib.import_module(f"agents.{game}.greedy").build(
        text, {**untuned(game), **weights, "without": ""}
    )
    return made


def weights_for(game: str, players: int) -> dict[str, float]:
    """Tuned weights for a number of players, or for the nearest number for which there are any."""
    tables = {int(one["players"]): one["weights"] for one in stored(game, "tuned").get("tables", [])}
    if not tables:
        return {}
    found: dict[str, float] = tables[min(tables, key=lambda number: (abs(number - players), number))]
    return found


class Tuned(AgentKind):
    """Greedy, as strong as its weights can make it."""

    name = "tuned"
    doc = "Greedy with weights found by experiment, of their own for each number of players."
    games = ("overdrive", "metalmania")
    parameters: Mapping[str, Parameter] = {
        "players": Parameter(0, "whose weights: those for so many players; 0: for as many as there are", low=0, high=5)
    }

    def build(self, text: str, game: Game, values: Mapping[str, Any]) -> Agent:
        """The agent with a mind for every kind of line-up.  Raises UsageError."""
        engine, most = game.engine, game.player_counts[-1]
        counts = [values["players"] or players for players in range(FEWEST, most + 1)]
        players = [weighted(text, game.name, weights_for(game.name, count)) for count in counts]
        others = weighted(text, game.name, weights_for(game.name, counts[0]) if values["players"] else {})
        seated = players + [others] * (TABLES - len(players))
        table_of = importlib.import_module(f"agents.{game.name}.kernels.position").table_of

        def prepare(mind: Any) -> Any:
            choose = engine.compile_agent(seated[0].choose)
            minds = np.zeros(TABLES, engine.mind)
            kept = [one.prepare(minds[table]) for table, one in enumerate(seated)]
            mind["switch"][WHOM] = address_of(choose, engine.signatures["choose"])
            mind["pool"] = minds.ctypes.data
            return choose, minds, kept

        return CompiledAgent(text, by_table(engine, table_of), prepare)


TUNED = Tuned()
