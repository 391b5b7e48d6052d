"""Tiny variants: one round (or its end) with few dice and cards, small enough to be enumerated to the last leaf."""

from __future__ import annotations

from typing import Any

import numpy as np

from overdrive_sim.kernels.layout import DRAW_METALLUM
from simcore.errors import UsageError
from simcore.protocol import Game

#: A whole round of two bands with one die each: one Hit, one Distortion card, a Final Battle of one die.
OVERDRIVE: dict[str, Any] = {
    "variant": {"players": 2, "bands": ["rebeldogs", "dead_and_death"]},
    "data": {
        "start.dice": 1,
        "battle.dice": 1,
        "rounds.last": 1,
    },
    "given": {"round": 1, "turn": 0, "seats": [{"band": "rebeldogs", "pool": "S"}, {"band": "dead_and_death"}]},
}

#: The end of a round: the last seat's Step 4, both seats with a bonus; then the greater fame wins.
METALMANIA: dict[str, Any] = {
    "variant": {"players": 2},
    "data": {"options.win_check": "end_of_round", "options.win_fame": 1},
    "given": {
        "turn": 1,
        "step": "choice",
        "seats": [{"fame": 5, "levels": {"performance": 1}}, {"fame": 4, "levels": {"performance": 1}}],
    },
}

POSITIONS = {"overdrive": OVERDRIVE, "metalmania": METALMANIA}


def position(game: Game) -> tuple[dict[str, Any], np.ndarray, Any]:
    """(variant, state of shape (1,), rules) of the tiny variant of ``game``.  Raises UsageError if it has none."""
    if game.name not in POSITIONS:
        raise UsageError(f"{game.name}: there is no tiny variant")
    scenario = POSITIONS[game.name]
    state, rules, _ = game.given(scenario)
    return dict(scenario["variant"]), state, rules


def draws_face_down(state: Any) -> bool:
    """Whether the chance that is due is a card that Metallum takes without showing it (A-DST-12)."""
    return bool(state.chance == DRAW_METALLUM)
