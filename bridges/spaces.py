"""Gymnasium spaces and observations of a setting, the same in every environment here."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from bridges.games import Games, Setting
from simcore.errors import unknown

#: How an observation is given: numbers in [0, 1] as one vector, or whole numbers as named arrays.
FORMS = ("vector", "named")


def check_form(form: str) -> str:
    """``form`` itself.  Raises UsageError for any but FORMS."""
    if form not in FORMS:
        raise unknown("observation", "form", form, FORMS)
    return form


def action_space(setting: Setting) -> spaces.Discrete:
    """All words of the game."""
    return spaces.Discrete(setting.language.words)


def seen_space(setting: Setting, form: str) -> spaces.Space:
    """What is seen: a Box in [0, 1], or a Dict of named int16 Boxes with their ranges."""
    parts = setting.language.fields(setting.seats)
    if form == "vector":
        width = len(setting.language.ranges(setting.seats)[0])
        return spaces.Box(0.0, 1.0, (width,), np.float32)
    return spaces.Dict({one.name: spaces.Box(one.low, one.high, one.shape, np.int16) for one in parts})


def mask_space(setting: Setting) -> spaces.Box:
    """The mask of words that may be said."""
    return spaces.Box(0, 1, (setting.language.words,), np.int8)


def seen(games: Games, form: str, seat: int) -> Any:
    """What ``seat`` sees of game 0, in that form; arrays that nothing else writes to."""
    if seat == games.seat[0]:
        return games.vectors[0].copy() if form == "vector" else games.named(games.rows[0].copy())
    row, vector = games.seen_by(seat)
    return vector if form == "vector" else games.named(row)


def lead(scores: np.ndarray, setting: Setting) -> np.ndarray:
    """Score of each seat less the mean of the others' (float64, shape (..., seats)); 0 where a seat is alone."""
    mine = scores[..., : setting.seats]
    if setting.seats == 1:
        return np.zeros_like(mine)
    return mine - (mine.sum(axis=-1, keepdims=True) - mine) / (setting.seats - 1)
