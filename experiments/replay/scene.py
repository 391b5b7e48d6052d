"""What a table is made of on the page: groups of panels, each a heading with rows of a few kinds.

A game's own module says what stands where (``presenter``); the page knows nothing but these kinds.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np


@dataclass(frozen=True)
class Die:
    """One die: ``sign`` as it is printed (a letter, a number), ``name`` in words, ``seat`` whose it is (-1 nobody's).

    ``mark``: what sets it apart, in words ("" nothing).
    """

    sign: str
    name: str
    seat: int = -1
    mark: str = ""


@dataclass(frozen=True)
class Card:
    """One card: ``title``, what it does, and a short ``badge`` (a price, a condition)."""

    title: str
    text: str = ""
    badge: str = ""


@dataclass(frozen=True)
class Fact:
    """A label and what is so."""

    label: str
    text: str


@dataclass(frozen=True)
class Level:
    """A level on a track that reaches to ``most``, of ``seat`` (-1: whose sheet it stands on)."""

    label: str
    value: int
    most: int
    seat: int = -1
    note: str = ""


@dataclass(frozen=True)
class Dice:
    """A run of dice; ``empty`` is said where there are none."""

    label: str
    dice: Sequence[Die]
    empty: str = ""


@dataclass(frozen=True)
class Cards:
    """Cards that lie together; ``empty`` is said where there are none."""

    label: str
    cards: Sequence[Card]
    empty: str = ""


@dataclass(frozen=True)
class Places:
    """Places for dice: the dice of each that is taken with who put them there (seat, dice), and how many are free.

    ``free``: -1 where there is room for any number.
    """

    label: str
    lots: Sequence[tuple[int, Sequence[Die]]]
    free: int


Row = Fact | Level | Dice | Cards | Places


@dataclass(frozen=True)
class Panel:
    """One thing on the table.  ``key`` tells it from others over time; ``seat``: whose it is (-1 nobody's)."""

    key: str
    title: str
    rows: Sequence[Row]
    note: str = ""
    seat: int = -1


@dataclass(frozen=True)
class Group:
    """Panels under one heading.  ``size``: how wide a panel is, "small", "medium", "large" or "full"."""

    title: str
    size: str
    panels: Sequence[Panel] = field(default_factory=tuple)


@dataclass(frozen=True)
class Turn:
    """Whose turn a position belongs to: equal ``key``, same turn.  ``section``: the round it is in ("" none)."""

    key: Hashable
    title: str
    section: str = ""


class Presenter(Protocol):
    """What a game says of itself for the page.  States are arrays of shape (1,)."""

    def seat_name(self, state: np.ndarray, rules: Any, seat: int) -> str:
        """How a seat is called."""

    def turn(self, state: np.ndarray, rules: Any) -> Turn:
        """Whose turn it is."""

    def table(self, state: np.ndarray, rules: Any, viewer: int | None, names: Sequence[str]) -> list[Group]:
        """The table as ``viewer`` sees it (None: everything); ``names`` of the seats."""

    def legend(self, rules: Any) -> list[tuple[str, str]]:
        """(sign, meaning) of what stands on the table."""


# ------------------------------------------------------------------ as plain data
def row_data(row: Row) -> list[Any]:
    """A row as the page reads it: its kind, then its fields."""
    match row:
        case Fact(label, text):
            return ["fact", label, text]
        case Level(label, value, most, seat, note):
            return ["level", label, value, most, seat, note]
        case Dice(label, dice, empty):
            return ["dice", label, [_die(die) for die in dice], empty]
        case Cards(label, cards, empty):
            return ["cards", label, [[card.title, card.text, card.badge] for card in cards], empty]
        case Places(label, lots, free):
            return ["places", label, [[seat, [_die(die) for die in dice]] for seat, dice in lots], free]


def _die(die: Die) -> list[Any]:
    return [die.sign, die.name, die.seat, die.mark]


class Book:
    """Positions written once: equal rows, panels and groups are stored one time and named by number."""

    def __init__(self) -> None:
        self.rows: list[list[Any]] = []
        self.panels: list[list[Any]] = []
        self.groups: list[list[Any]] = []
        self._known: dict[tuple[str, str], int] = {}

    def position(self, table: Sequence[Group]) -> list[int]:
        """Numbers of the groups of one position."""
        return [self._number("group", self.groups, self._group(group)) for group in table]

    def data(self) -> dict[str, Any]:
        """Everything written, for the page."""
        return {"rows": self.rows, "panels": self.panels, "groups": self.groups}

    def _group(self, group: Group) -> list[Any]:
        return [group.title, group.size, [self._number("panel", self.panels, self._panel(p)) for p in group.panels]]

    def _panel(self, panel: Panel) -> list[Any]:
        rows = [self._number("row", self.rows, row_data(row)) for row in panel.rows]
        return [panel.key, panel.title, panel.note, panel.seat, rows]

    def _number(self, kind: str, into: list[list[Any]], data: list[Any]) -> int:
        key = (kind, repr(data))
        if key not in self._known:
            self._known[key] = len(into)
            into.append(data)
        return self._known[key]
