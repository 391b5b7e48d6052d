"""A state as plain data with the scenario format's keys, and what a scenario expects of it.

Nothing in this game is hidden: the order of the deck is drawn only when it is looked at, so every seat sees
the same (MM-R033, MM-R035).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from metalmania_sim.kernels.layout import (
    BAND,
    BASIC,
    CONDITION_LETTERS,
    EQUALIZERS,
    FIFTH,
    INSTRUMENTS,
    NO_COMPANY,
    NOBODY,
    PHASES,
    POSITIONS,
    TOKEN_LETTERS,
)
from metalmania_sim.words import (
    NONE_WORD,
    artist_names,
    bits,
    company_names,
    read_artist,
    read_company,
    read_instrument,
    row_of,
)
from simcore.errors import UsageError, unknown

#: Steps by name, in the order of a turn; SET_UP is the deal of a fresh game.
STEPS = PHASES
STATE_KEYS = ("turn", "step", "display", "deck", "discards", "companies", "winner", "seats")
SEAT_KEYS = ("money", "fame", "band", "conditions", "levels", "tokens", "company")
ARTIST_LISTS = ("display", "deck", "discards")


# ------------------------------------------------------------------ showing
def view(state: Any, rules: Any, viewer: int | None = None) -> dict[str, Any]:
    """The state as plain data; ``winner`` is absent before the end, ``company`` where a seat has none."""
    row = row_of(state)
    artists = artist_names(rules)
    shown: dict[str, Any] = {
        "turn": int(row.turn),
        "step": PHASES[int(row.phase)],
        "display": [artists[a] for a in bits(row.display)],
        "deck": [artists[a] for a in bits(row.deck)],
        "discards": [artists[a] for a in bits(row.discard)],
        "companies": [company_names(rules)[c] for c in bits(row.companies)],
        "seats": [_seat(row.seat[seat], rules) for seat in range(int(row.players))],
    }
    if row.winner >= 0:
        shown["winner"] = int(row.winner)
    return shown


def _seat(me: Any, rules: Any) -> dict[str, Any]:
    artists = artist_names(rules)
    band = {POSITIONS[p]: artists[int(me.artist[p])] for p in range(BASIC) if me.artist[p] != NOBODY}
    if me.artist[FIFTH] != NOBODY:
        band[POSITIONS[FIFTH]] = f"{artists[int(me.artist[FIFTH])]}:{INSTRUMENTS[int(me.fifth)]}"
    shown: dict[str, Any] = {
        "money": int(me.money),
        "fame": int(me.fame),
        "band": band,
        "conditions": "".join(CONDITION_LETTERS[int(me.condition[p])] for p in range(BAND) if me.artist[p] != NOBODY),
        "levels": {name: int(me.level[k]) for k, name in enumerate(EQUALIZERS)},
        "tokens": "".join(letter for k, letter in enumerate(TOKEN_LETTERS) if me.token[k]),
    }
    if me.company != NO_COMPANY:
        shown["company"] = company_names(rules)[int(me.company)]
    return shown


# ------------------------------------------------------------------ reading the words of a state
def expectation(state: Any, rules: Any, then: Mapping[str, Any], place: str) -> dict[str, Any]:
    """A scenario's ``then`` with every word checked and written as ``view`` writes it.

    ``company = "none"`` and ``winner = "none"`` say that there is none.  Raises UsageError naming ``place``.
    """
    row = row_of(state)
    expected: dict[str, Any] = {}
    for key, value in then.items():
        where = f"{place}: {key}"
        if key not in STATE_KEYS:
            raise unknown(place, "key", key, STATE_KEYS)
        if key in ARTIST_LISTS:
            expected[key] = [artist_names(rules)[read_artist(rules, a, where)] for a in read_list(value, where)]
        elif key == "companies":
            expected[key] = [company_names(rules)[read_company(rules, c, where)] for c in read_list(value, where)]
        elif key == "step":
            expected[key] = read_word(value, STEPS, "step", where)
        elif key == "seats":
            seats = read_list(value, where)
            if len(seats) > row.players:
                raise UsageError(f"{where}: {len(seats)} seats, but {int(row.players)} play")
            expected[key] = [_expected_seat(row, rules, k, seat, f"{where}[{k}]") for k, seat in enumerate(seats)]
        elif key != "winner" or value != NONE_WORD or row.winner >= 0:
            expected[key] = value if value == NONE_WORD else read_count(value, where)
    return expected


def _expected_seat(row: Any, rules: Any, number: int, seat: Any, place: str) -> dict[str, Any]:
    read = read_table(seat, SEAT_KEYS, place)
    for key, value in read.items():
        where = f"{place}.{key}"
        if key == "band":
            table = read_table(value, POSITIONS, where)
            read[key] = {p: _band_text(row, rules, number, p, name, f"{where}.{p}") for p, name in table.items()}
        elif key == "conditions":
            read[key] = read_conditions(value, where)
        elif key == "tokens":
            read[key] = read_tokens(value, where)
        elif key == "levels":
            table = read_table(value, EQUALIZERS, where)
            read[key] = {name: read_count(level, f"{where}.{name}") for name, level in table.items()}
        elif key == "company":
            read[key] = value if value == NONE_WORD else company_names(rules)[read_company(rules, value, where)]
        else:
            read[key] = read_count(value, where)
    if read.get("company") == NONE_WORD and row.seat[number].company == NO_COMPANY:
        del read["company"]
    return {key: value for key, value in read.items() if key != "band" or value}


def _band_text(row: Any, rules: Any, seat: int, position: str, value: Any, place: str) -> str:
    """An artist of a band as ``view`` writes it; a fifth named without its instrument gets the played one."""
    name, colon, instrument = str(value).partition(":")
    artist = artist_names(rules)[read_artist(rules, name, place)]
    if position != POSITIONS[FIFTH]:
        if colon and read_instrument(instrument, place) != POSITIONS.index(position):
            raise UsageError(f"{place}: nobody plays the {instrument} there, found {value!r}")
        return artist
    if not colon:
        instrument = INSTRUMENTS[max(int(row.seat[seat].fifth), BASIC)]
    return f"{artist}:{INSTRUMENTS[read_instrument(instrument, place)]}"


def read_list(value: Any, place: str) -> list[Any]:
    """A list of a scenario.  Raises UsageError."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise UsageError(f"{place}: expected a list, found {value!r}")
    return list(value)


def read_table(value: Any, allowed: Sequence[str], place: str) -> dict[str, Any]:
    """A table of a scenario with ``allowed`` keys.  Raises UsageError."""
    if not isinstance(value, Mapping):
        raise UsageError(f"{place}: expected a table, found {value!r}")
    for key in value:
        if key not in allowed:
            raise unknown(place, "key", key, allowed)
    return dict(value)


def read_word(value: Any, allowed: Sequence[str], what: str, place: str) -> str:
    """One of ``allowed``.  Raises UsageError."""
    if value not in allowed:
        raise unknown(place, what, value, allowed)
    return str(value)


def read_count(value: Any, place: str) -> int:
    """A whole number of at least 0.  Raises UsageError."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise UsageError(f"{place}: expected a whole number of at least 0, found {value!r}")
    return value


def read_conditions(value: Any, place: str) -> str:
    """Letters of conditions in position order.  Raises UsageError."""
    text = value.upper() if isinstance(value, str) else ""
    if not BASIC <= len(text) <= BAND or set(text) - set(CONDITION_LETTERS):
        raise UsageError(f"{place}: expected a letter an artist (A active, T troublesome, I inactive), found {value!r}")
    return text


def read_tokens(value: Any, place: str) -> str:
    """Letters of the tokens that show their active face, in the order P R A.  Raises UsageError."""
    letters = list(value.upper()) if isinstance(value, str) else ["?"]
    if set(letters) - set(TOKEN_LETTERS) or len(set(letters)) < len(letters):
        raise UsageError(
            f"{place}: expected letters of active tokens (P performance, R recording, A advertising), found {value!r}"
        )
    return "".join(letter for letter in TOKEN_LETTERS if letter in letters)
