"""Random playouts for OpenSpiel's searches, played by our compiled loop instead of node by node in Python.

    from open_spiel.python.algorithms import mcts
    bot = mcts.MCTSBot(game, 1.4, 100, CompiledRollouts(random), random_state=random)

Its own ``RandomRolloutEvaluator`` takes hundreds of times as long
(``docs/explanation/strength.md``).
"""

from __future__ import annotations

import functools
import threading
from typing import Any

import numpy as np
from numba import types
from open_spiel.python.algorithms import mcts

from bridges.games import table_door
from bridges.kernels.rollout import make_roll_out
from bridges.kernels.table import DOOR
from bridges.language import language
from simcore import registry
from simcore.errors import EngineError
from simcore.kernel import compiled, record_type
from simcore.loop import JOB, slot_dtype
from simcore.play import Table
from simcore.protocol import SHARES, Game


class _Room(threading.local):
    """One running game for each thread: kernels run side by side."""

    def __init__(self, game: Game) -> None:
        self.jobs, self.slots = np.zeros(1, JOB), np.zeros(1, slot_dtype(game.engine))
        self.shares = np.zeros(1, SHARES)


class _Player:
    """What one game needs to be played out by random players: kernel, addresses, room for one game."""

    def __init__(self, game: Game) -> None:
        engine, number = game.engine, types.int64
        table = Table(game, [registry.agent("random", game)])
        self.table, self.door, self.minds = table, table_door(table), table.minds
        self.room = _Room(game)
        dtypes = (DOOR, engine.mind, JOB, slot_dtype(engine), engine.setup, engine.rules, engine.state)
        arrays = [types.Array(record_type(one), 1, "C") for one in dtypes]
        signature = number(*arrays, number, number, types.Array(record_type(SHARES), 1, "C"))
        self.roll_out = compiled(make_roll_out(engine, language(game.name).label), signature)


@functools.cache
def _player(game: Game) -> _Player:
    return _Player(game)


class CompiledRollouts(mcts.Evaluator):
    """An evaluator of OpenSpiel (``evaluate``, ``prior``) for states of ``bridges.openspiel``.

    ``random``: numpy.random.RandomState, the only source of chance.  A throw or an action that is half said is
    finished in Python first; from there every seat takes any legal action, each with the same chance.  In Metal Mania
    an action is a word, so that this is OpenSpiel's playout; in Overdrive, where an action can be several
    words, it chooses among actions and not among words.
    """

    def __init__(self, random: np.random.RandomState) -> None:
        self.random = random

    def evaluate(self, state: Any) -> np.ndarray:
        """Win shares (float64, one a player) at the end of one random game from ``state``, which stays as it is."""
        left = state.clone()
        while left.at.digits or left.at.said:
            if left.is_chance_node():
                left.apply_action(int(self.random.choice([outcome for outcome, _ in left.chance_outcomes()])))
            else:
                left.apply_action(int(self.random.choice(left.legal_actions())))
        if left.is_terminal():
            return np.array(left.returns())
        return self._play_out(left)

    def _play_out(self, state: Any) -> np.ndarray:
        """The same from a position at which a whole action or throw is due."""
        one = state.world
        player = _player(one.game)
        room = player.room
        went_well = player.roll_out(
            player.door, player.minds, room.jobs, room.slots, one.setup, one.packed, state.at.row,
            int(self.random.randint(2**31)), one.game.most_steps, room.shares,
        )  # fmt: skip
        if not went_well:
            raise EngineError(f"the game cannot go on\nstate: {one.game.describe(state.at.row[0], one.rules)}")
        return room.shares["share"][0, one.first : one.seats].copy()

    def prior(self, state: Any) -> list[tuple[int, float]]:
        """Every word alike; chance as it is."""
        if state.is_chance_node():
            return list(state.chance_outcomes())
        legal = state.legal_actions(state.current_player())
        return [(word, 1.0 / len(legal)) for word in legal]
