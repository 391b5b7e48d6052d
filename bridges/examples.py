"""One player of each kind, by text name: ``py:bridges.examples:FirstWord`` and so on."""

from __future__ import annotations

from typing import Any

import numpy as np

from bridges.seats import OpenSpielSeat, PolicySeat, PredictSeat


class FirstWord(PolicySeat):
    """A PettingZoo policy that says the first word it may say."""

    def __init__(self) -> None:
        super().__init__(lambda seen, name: int(np.argmax(seen["action_mask"])))


class _LastWord:
    """A stand-in for a trained model."""

    def predict(self, observation: np.ndarray, *, action_masks: np.ndarray, deterministic: bool) -> tuple[int, None]:
        """The last word that may be said."""
        return int(np.flatnonzero(action_masks)[-1]), None


class LastWord(PredictSeat):
    """An object with ``predict`` that says the last word it may say."""

    def __init__(self) -> None:
        super().__init__(_LastWord())


class OpenSpielRandom(OpenSpielSeat):
    """OpenSpiel's own random bot (a C++ one)."""

    def __init__(self) -> None:
        super().__init__(self._bot)

    @staticmethod
    def _bot(game: Any, player: int, random: np.random.RandomState) -> Any:
        import pyspiel  # noqa: PLC0415 (OpenSpiel is an extra)

        return pyspiel.make_uniform_random_bot(player, int(random.randint(2**31)))


class OpenSpielMCTS(OpenSpielSeat):
    """OpenSpiel's own MCTS (UCT with 1.4, one random playout a leaf) with ``simulations`` simulations a word.

    ``compiled``: its playouts run in our compiled loop (``bridges.rollouts``), else node by node in Python, as
    OpenSpiel's evaluator does.
    """

    def __init__(self, simulations: int = 30, *, compiled: bool = False) -> None:
        super().__init__(self._bot)
        self.simulations, self.compiled = simulations, compiled

    def _bot(self, game: Any, player: int, random: np.random.RandomState) -> Any:
        from open_spiel.python.algorithms import mcts  # noqa: PLC0415 (OpenSpiel is an extra)

        from bridges.rollouts import CompiledRollouts  # noqa: PLC0415

        evaluator = CompiledRollouts(random) if self.compiled else mcts.RandomRolloutEvaluator(1, random)
        return mcts.MCTSBot(game, 1.4, self.simulations, evaluator, random_state=random)
