"""The words of Metal Mania's texts: artists, companies, instruments, and dice.

Everything that reads or writes a text takes its names from here.  ``rules.names`` holds the artists and
companies of the card file by number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from metalmania_sim.kernels.actions import value_of
from metalmania_sim.kernels.layout import BAND, COMPANIES, INSTRUMENTS, NATURAL_SIX, NOBODY
from simcore.errors import UsageError, nearest, unknown
from simcore.ruledata import snake

NONE_WORD = "none"

#: A die: a digit, a number in brackets where it is none (option die_bounds = free), ``*`` for a die whose
#: face hides how it fell (option judge = natural_six_fails).
_DIE = re.compile(r"(\d|\[-?\d+\])(\*?)")


def row_of(state: Any) -> Any:
    """The state record of ``state``: itself, or the only entry of an array of shape (1,)."""
    return state[0] if getattr(state, "shape", ()) == (1,) else state


def bits(mask: Any) -> list[int]:
    """The set bits of an int64 mask, ascending."""
    mask = int(mask)
    return [k for k in range(mask.bit_length()) if mask >> k & 1]


# ------------------------------------------------------------------ names
def artist_names(rules: Any) -> tuple[str, ...]:
    """Names of the artists by number."""
    names: tuple[str, ...] = rules.names.artists
    return names


def company_names(rules: Any) -> tuple[str, ...]:
    """Names of the companies by number."""
    names: tuple[str, ...] = rules.names.companies
    return names[:COMPANIES]


def read_number(word: Any, names: Iterable[str], what: str, place: str) -> int:
    """Number of the one of ``names`` that ``word`` means.  Raises UsageError with the nearest name."""
    listed = list(names)
    name = snake(str(word))
    if name in listed:
        return listed.index(name)
    if len(listed) <= COMPANIES + BAND:
        raise unknown(place, what, word, listed)
    guess = nearest(name, listed)
    hint = f"; did you mean {guess!r}?" if guess else ""
    raise UsageError(f"{place}: unknown {what} {str(word)!r}{hint} ({len(listed)} are in the card file)")


def read_artist(rules: Any, word: Any, place: str) -> int:
    """Number of the artist that ``word`` names, or is another spelling of (MM-D10).  Raises UsageError."""
    alias: int | None = rules.names.aliases.get(snake(str(word)))
    if alias is not None:
        return alias
    return read_number(word, artist_names(rules), "artist", place)


def read_company(rules: Any, word: Any, place: str) -> int:
    """Number of the company that ``word`` names.  Raises UsageError."""
    return read_number(word, company_names(rules), "company", place)


def read_instrument(word: Any, place: str) -> int:
    """Number of the instrument that ``word`` names.  Raises UsageError."""
    return read_number(word, INSTRUMENTS, "instrument", place)


def artist_at(state: Any, rules: Any, seat: int, position: int) -> str:
    """Name of the artist on a position of a seat's band."""
    return artist_names(rules)[int(row_of(state).seat[seat].artist[position])]


def place_of(state: Any, artist: int) -> tuple[int, int] | None:
    """(seat, position) where ``artist`` plays; None if it plays in no band."""
    row = row_of(state)
    for seat in range(int(row.players)):
        for position in range(BAND):
            if row.seat[seat].artist[position] == artist != NOBODY:
                return seat, position
    return None


# ------------------------------------------------------------------ dice
def die_text(die: Any) -> str:
    """One die: its digit, with ``*`` where its face hides how it fell."""
    value = int(value_of(int(die)))
    shown = str(value) if 0 <= value <= 9 else f"[{value}]"
    return shown + ("*" if value != int(die) else "")


def dice_text(dice: Iterable[Any]) -> str:
    """Dice as a run of digits, in the order given."""
    return "".join(map(die_text, dice))


def read_dice(word: str, place: str) -> list[int]:
    """The dice of a run of digits, marked ones with NATURAL_SIX.  Raises UsageError."""
    if not word or _DIE.sub("", word):
        raise UsageError(f"{place}: {word!r} is no run of dice such as 3251")
    return [int(value.strip("[]")) + (NATURAL_SIX if mark else 0) for value, mark in _DIE.findall(word)]
