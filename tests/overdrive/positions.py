"""Positions for tests: from a scenario's ``given``, or a fresh game whose set-up chance is drawn by a seed."""

import warnings

import numpy as np

from overdrive_sim.game import OVERDRIVE
from simcore.position import Position


def at(given, *, options=None, data=None, **variant):
    """The position that a scenario's ``given`` describes."""
    scenario = {"game": "overdrive", "given": given, "variant": variant, "options": options or {}, "data": data or {}}
    state, rules, _ = OVERDRIVE.given(scenario)
    return Position(OVERDRIVE, state, rules)


def setup_of(variant, rules):
    """The line-up record of a variant, also of one that the rules advise against."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return OVERDRIVE.setup(variant, rules)


def fresh(variant, overrides=None):
    """A new game at its first chance event."""
    rules = OVERDRIVE.rules(overrides or {})
    state = OVERDRIVE.engine.new_state()
    OVERDRIVE.engine.kernels.reset(state[0], rules.packed[0], setup_of(variant, rules)[0])
    return Position(OVERDRIVE, state, rules)


def numbers(seed, n):
    """``n`` numbers below 6**6 that ``walk`` reads as choices and chance outcomes."""
    return [int(k) for k in np.random.default_rng(seed).integers(0, 6**6, n)]
