"""What a decision of a played game is asked with, so that every explanation of it says the same."""

from __future__ import annotations

import numpy as np

from experiments.plan import Prepared
from simcore.streams import RNG
from simcore.trace import Event


def decision_key(seed: int, number: int, decision: int) -> int:
    """Key of the search's own luck for decision ``decision`` (forced ones not counted, from 0) of game ``number``."""
    return ((seed << 32) ^ (number << 16) ^ decision) & ((1 << 63) - 1)


def seen_by_decider(prepared: Prepared, event: Event) -> np.ndarray:
    """The position of a decision as the deciding seat may know it, shape (1,)."""
    state = event.state.copy()
    prepared.game.engine.kernels.hide(state[0], prepared.rules.packed[0], event.seat, np.zeros(1, RNG)[0])
    return state
