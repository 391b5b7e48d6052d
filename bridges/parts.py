"""Named parts of an observation, where each stands in a row of numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

_EVERY = slice(None)


@dataclass(frozen=True)
class Field:
    """A named part of an observation: numbers of ``shape`` in [low, high], from column ``start`` on.

    Where ``stride`` is not 0 the part belongs to a seat: the first axis of ``shape`` counts seats from the
    viewer on, whose numbers stand ``stride`` columns apart.
    """

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    doc: str
    start: int
    stride: int = 0

    def of(self, row: np.ndarray) -> np.ndarray:
        """The part of a row (or of rows, last axis), a view of shape ``shape``."""
        if not self.stride:
            return row[..., self.start : self.start + math.prod(self.shape)].reshape(*row.shape[:-1], *self.shape)
        seats = self.shape[0]
        table = row[..., : seats * self.stride].reshape(*row.shape[:-1], seats, self.stride)
        part = table[..., self.start : self.start + math.prod(self.shape[1:])]
        return part.reshape(*row.shape[:-1], *self.shape) if part.ndim != row.ndim - 1 + len(self.shape) else part


class Parts:
    """All parts of a row at once: a dictionary of views made by two calls that pick many slices each.

    Thirty parts one after another would take longer than a step of the game.
    """

    def __init__(self, fields: Sequence[Field]) -> None:
        self.fields = tuple(fields)
        seats, table = [one for one in fields if one.stride], [one for one in fields if not one.stride]
        self._names = [one.name for one in (*seats, *table)]
        self._shape = (seats[0].shape[0], seats[0].stride)
        self._end = math.prod(self._shape)
        self._of_seats = itemgetter(*(_columns(one) for one in seats))
        self._of_table = itemgetter(*(slice(one.start, one.start + math.prod(one.shape)) for one in table))
        self._deep = [(one.name, one.shape) for one in seats if len(one.shape) > 2]
        self._deep += [(one.name, one.shape) for one in table if len(one.shape) > 1]

    def of(self, row: np.ndarray) -> dict[str, np.ndarray]:
        """The parts of one row, views of it."""
        seats = row[: self._end].reshape(self._shape)
        found = dict(zip(self._names, self._of_seats(seats) + self._of_table(row), strict=True))
        for name, shape in self._deep:
            found[name] = found[name].reshape(shape)
        return found

    def of_many(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """The parts of many rows, views of them with the rows as first axis."""
        return {one.name: one.of(rows) for one in self.fields}


def _columns(one: Field) -> tuple[slice, int | slice]:
    """Where a seat's part stands in the table of seats."""
    if len(one.shape) == 1:
        return _EVERY, one.start
    return _EVERY, slice(one.start, one.start + math.prod(one.shape[1:]))
