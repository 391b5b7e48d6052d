"""How a game is spoken and seen from outside: its words, its observations, and where each number stands.

A *word* is an index of the discrete action space, with one meaning; a whole action is one word (Metal Mania) or
up to seven (Overdrive), see ``docs/reference/peers.md``.  An observation is a row of small whole numbers whose named
parts are documented with their ranges; the vector is the same row brought to [0, 1].
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bridges import names
from bridges.kernels import metalmania_seen, metalmania_words, overdrive_seen, overdrive_words, scores
from bridges.kernels.table import make_play_on
from bridges.parts import Field
from metalmania_sim import text as metalmania_text
from overdrive_sim import text as overdrive_text
from simcore.errors import unknown
from simcore.protocol import Engine


@dataclass(frozen=True)
class Language:
    """One game's words and observations.

    ``word``, ``see``, ``score``: kernels (see ``kernels.table``), ``label``: the module they come from;
    ``seats_field``: field of a line-up and of a state that holds the number of seats.
    """

    game: str
    words: int
    levels: int
    word: Any
    see: Any
    score: Any
    seat_fields: tuple[Any, ...]
    table_fields: tuple[Any, ...]
    word_names: Callable[[Any], tuple[str, ...]]
    describe: Callable[..., str]
    label: str
    seats_field: str

    @functools.cache  # noqa: B019 (languages live as long as the process)
    def fields(self, seats: int) -> tuple[Field, ...]:
        """The parts of an observation with ``seats`` at the table, in order."""
        found, at = [], 0
        stride = sum(_size(shape, seats) for _, shape, *_ in self.seat_fields)
        for name, shape, low, high, doc in self.seat_fields:
            inner = _shape(shape, seats)
            inner = () if inner == (1,) else inner
            found.append(Field(name, (seats, *inner), low, high, doc, at, stride))
            at += _size(shape, seats)
        at = stride * seats
        said = ("said", self.levels, 0, self.words, "1 + the words of this decision that were said, 0 none")
        for name, shape, low, high, doc in (*self.table_fields, said):
            found.append(Field(name, _shape(shape, seats), low, high, doc, at))
            at += _size(shape, seats)
        return tuple(found)

    @functools.cache  # noqa: B019
    def ranges(self, seats: int) -> tuple[np.ndarray, np.ndarray]:
        """(low, high): least and greatest number of every column, int16, shape (width,)."""
        parts = self.fields(seats)
        last = parts[-1]
        width = last.start + int(np.prod(last.shape))
        low, high = np.zeros(width, np.int16), np.zeros(width, np.int16)
        for one in parts:
            one.of(low)[...] = one.low
            one.of(high)[...] = one.high
        return low, high

    @functools.cache  # noqa: B019
    def kernels(self, engine: Engine) -> tuple[Any, Any]:
        """(play_on, view) made for ``engine``."""
        return make_play_on(engine, self.word, self.see, self.score, self.levels, self.label)


def _shape(shape: Any, seats: int) -> tuple[int, ...]:
    parts = shape if isinstance(shape, tuple) else (shape,)
    return tuple(seats if part == "seats" else part for part in parts)


def _size(shape: Any, seats: int) -> int:
    return int(np.prod(_shape(shape, seats)))


LANGUAGES = {
    "overdrive": Language(
        "overdrive", overdrive_words.WORDS, overdrive_words.LEVELS, overdrive_words.word, overdrive_seen.see,
        scores.overdrive_score, overdrive_seen.SEAT_FIELDS, overdrive_seen.TABLE_FIELDS, names.overdrive_names,
        overdrive_text.describe, "bridges.kernels.overdrive_words", "seats",
    ),
    "metalmania": Language(
        "metalmania", metalmania_words.WORDS, metalmania_words.LEVELS, metalmania_words.word, metalmania_seen.see,
        scores.metalmania_score, metalmania_seen.SEAT_FIELDS, metalmania_seen.TABLE_FIELDS, names.metalmania_names,
        metalmania_text.describe, "bridges.kernels.metalmania_words", "players",
    ),
}  # fmt: skip


def language(game: str) -> Language:
    """The language of ``game``.  Raises UsageError for a game that has none."""
    if game not in LANGUAGES:
        raise unknown("game", "game", game, LANGUAGES)
    return LANGUAGES[game]
