"""Metal Mania's actions as texts, both ways.

Printing yields the one canonical text of an action; reading accepts dice and names in any order, and an
audition without its instrument where only one is possible.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from metalmania_sim.kernels import actions
from metalmania_sim.kernels.layout import (
    ADVERTISE,
    ASSIGN,
    AUDITION,
    BAND,
    BEERS,
    CHOOSE_ASSIGN,
    COMPANY,
    DECLINE,
    DRINK,
    EQUALIZERS,
    FIFTH,
    FUNDS,
    HEAL,
    HIRE,
    INSTRUMENTS,
    KEEP,
    NATURAL_SIX,
    NOBODY,
    PERFORM,
    PERFORMANCE,
    PLACE,
    RECORD,
    RECORDING,
    RESPOND_DICE,
    RESPOND_FAME,
    SHIFT,
    SKIP,
    TROUBLE,
    UNPAID,
    USE_ADVERTISING,
    USE_PERFORMANCE,
    USE_RECORDING,
    VICTIM,
)
from metalmania_sim.kernels.layout import (
    VERBS as VERB_NAMES,
)
from metalmania_sim.luck import format_chance, may_wait, parse_chance, single_chances
from metalmania_sim.words import (
    NONE_WORD,
    artist_at,
    artist_names,
    bits,
    company_names,
    dice_text,
    die_text,
    place_of,
    read_artist,
    read_company,
    read_dice,
    read_instrument,
    read_number,
    row_of,
)
from simcore.errors import Ambiguous, UsageError, unknown

__all__ = [
    "VERBS", "declines", "format_action", "format_chance", "may_wait", "parse_action", "parse_chance", "single_chances",
]  # fmt: skip

#: First words of the actions' texts.
VERBS = (
    "shift", "keep", "victim", "trouble", "heal", "drink", "hire", "decline", "perform", "record", "advertise",
    "place", "use", "skip", "audition", "funds", "beers", "unpaid", "company", "assign",
)  # fmt: skip

#: Verbs that say everything by themselves.
_BARE = {VERB_NAMES[v]: v for v in (KEEP, DECLINE, PERFORM, RECORD, ADVERTISE, SKIP, FUNDS, BEERS)}
_ARTIST_VERBS = {"hire": HIRE, "audition": AUDITION}
_SIGNED = re.compile(r"^[+-]?\d+$")
_CHANGE = re.compile(r"^([^>]+)>([^>]+)$")


# ------------------------------------------------------------------ writing
def format_action(state: Any, rules: Any, action: int) -> str:
    """The one canonical text of a legal action in this state."""
    row, action = row_of(state), int(action)
    verb, detail = int(actions.verb_of(action)), int(actions.detail_of(action))
    name = VERB_NAMES[verb]
    if name in _BARE:
        return name
    if verb == SHIFT:
        return "shift +1" if detail else "shift -1"
    if verb in (VICTIM, DRINK):
        return f"{name} {detail}"
    if verb == TROUBLE:
        return f"trouble {artist_at(row, rules, int(actions.seat_of(action)), int(actions.position_of(action)))}"
    if verb == HEAL:
        return f"heal {artist_at(row, rules, int(row.asked), int(actions.position_of(action)))}"
    if verb in (HIRE, AUDITION, ASSIGN):
        artist, instrument = int(actions.artist_of(action)), int(actions.instrument_of(action))
        return f"{name} {artist_names(rules)[artist]} {INSTRUMENTS[instrument]}"
    if verb == UNPAID:
        return " ".join(["unpaid", *(_band_names(row, rules, bits(detail)) or [NONE_WORD])])
    if verb == COMPANY:
        return f"company {company_names(rules)[detail]}"
    if verb == PLACE:
        return f"place {dice_text(actions.die_placed(action, p) for p in range(int(row.dice_count)))}"
    return f"use {EQUALIZERS[verb - USE_PERFORMANCE]} {_bonus_text(row, rules, action, verb, detail)}"


def _bonus_text(row: Any, rules: Any, action: int, verb: int, detail: int) -> str:
    if verb == USE_PERFORMANCE:
        return f"{int(actions.fame_effect(action)):+d}"
    if verb == USE_RECORDING:
        chosen = bits(detail)
        return _with_names(row, rules, dice_text(row.dice[i] for i in chosen), chosen)
    i = int(actions.die_changed(action))
    change = f"{die_text(row.dice[i])}>{die_text(actions.value_of(int(actions.new_die(action))))}"
    return _with_names(row, rules, change, [i])


def _with_names(row: Any, rules: Any, text: str, chosen: list[int]) -> str:
    """``text``, with the artists on whom the ``chosen`` dice lie where another die shows the same."""
    if row.placed:
        values = {int(row.dice[i]) for i in chosen}
        if any(int(row.dice[i]) in values for i in range(int(row.dice_count)) if i not in chosen):
            return " ".join([text, *_band_names(row, rules, chosen, int(row.turn))])
    return text


def _band_names(row: Any, rules: Any, positions: Iterable[int], seat: int | None = None) -> list[str]:
    return [artist_at(row, rules, int(row.asked) if seat is None else seat, position) for position in positions]


# ------------------------------------------------------------------ reading
def parse_action(state: Any, rules: Any, text: str, legal: np.ndarray) -> int | None:
    """The id among ``legal`` (ascending int64) that ``text`` means here; None if it means no legal one.

    Raises UsageError when the text is not well formed, Ambiguous when it leaves a choice open.
    """
    words = str(text).split()
    place = f"action {text!r}"
    verb = words[0].lower() if words else ""
    if verb not in VERBS:
        raise unknown(place, "verb", verb, VERBS)
    row, rest = row_of(state), words[1:]
    if verb in _BARE:
        _need(rest, 0, 0, verb, place)
        return _listed(actions.pack(_BARE[verb], 0), legal)
    if verb in _ARTIST_VERBS:
        return _read_part(rules, _ARTIST_VERBS[verb], rest, legal, place)
    return _READERS[verb](row, rules, rest, legal, place)


def _listed(action: Any, legal: np.ndarray) -> int | None:
    return int(action) if np.any(legal == int(action)) else None


def _need(rest: list[str], least: int, most: int, form: str, place: str) -> None:
    if not least <= len(rest) <= most:
        raise UsageError(f"{place}: expected the form {form!r}")


def _of(verb: int, legal: np.ndarray) -> list[int]:
    """The legal actions of one verb."""
    return [int(action) for action in legal if actions.verb_of(int(action)) == verb]


def _shift(row: Any, rules: Any, rest: list[str], legal: np.ndarray, place: str) -> int | None:
    _need(rest, 1, 1, "shift +1", place)
    if rest[0] not in ("+1", "1", "-1"):
        raise UsageError(f"{place}: the event moves by +1 or -1, found {rest[0]!r}")
    return _listed(actions.pack(SHIFT, int(rest[0] != "-1")), legal)


def _seat_reader(verb: int) -> Callable[..., int | None]:
    def read(row: Any, rules: Any, rest: list[str], legal: np.ndarray, place: str) -> int | None:
        _need(rest, 1, 1, f"{VERB_NAMES[verb]} SEAT", place)
        if not rest[0].isdecimal():
            raise UsageError(f"{place}: a seat is a number from 0 to {int(row.players) - 1}, found {rest[0]!r}")
        return _listed(actions.pack(verb, int(rest[0])), legal)

    return read


def _trouble(row: Any, rules: Any, rest: list[str], legal: np.ndarray, place: str) -> int | None:
    _need(rest, 1, 1, "trouble ARTIST", place)
    found = place_of(row, read_artist(rules, rest[0], place))
    return None if found is None else _listed(actions.pack(TROUBLE, found[0] * 8 + found[1]), legal)


def _heal(row: Any, rules: Any, rest: list[str], legal: np.ndarray, place: str) -> int | None:
    _need(rest, 1, 1, "heal ARTIST", place)
    found = place_of(row, read_artist(rules, rest[0], place))
    return None if found is None or found[0] != row.asked else _listed(actions.pack(HEAL, found[1]), legal)


def _read_part(rules: Any, verb: int, rest: list[str], legal: np.ndarray, place: str) -> int | None:
    """``hire`` or ``audition``: an artist and an instrument."""
    _need(rest, 1, 2, f"{VERB_NAMES[verb]} ARTIST INSTRUMENT", place)
    artist = read_artist(rules, rest[0], place)
    if len(rest) == 2:
        return _listed(actions.pack(verb, artist * 8 + read_instrument(rest[1], place)), legal)
    parts = [action for action in _of(verb, legal) if actions.artist_of(action) == artist]
    if len(parts) > 1:
        played = ", ".join(INSTRUMENTS[int(actions.instrument_of(action))] for action in parts)
        raise Ambiguous(f"{place}: name the instrument too ({played})")
    return parts[0] if parts else None


def _assign(row: Any, rules: Any, rest: list[str], legal: np.ndarray, place: str) -> int | None:
    """An artist and its new instrument; either of two who change places may be named."""
    _need(rest, 2, 2, "assign ARTIST INSTRUMENT", place)
    artist, instrument = read_artist(rules, rest[0], place), read_instrument(rest[1], place)
    seat, position = place_of(row, artist) or (NOBODY, 0)
    listed = _listed(actions.pack(ASSIGN, artist * 8 + instrument), legal)
    if listed is not None or seat != row.asked:
        return listed
    other = int(row.seat[seat].artist[min(instrument, FIFTH)])
    swaps = [
        action
        for action in _of(ASSIGN, legal)
        if actions.artist_of(action) == other and min(int(actions.instrument_of(action)), FIFTH) == position
    ]
    kept = [action for action in swaps if actions.instrument_of(action) == row.seat[seat].fifth]
    return next(iter(kept + swaps), None)


def _unpaid(row: Any, rules: Any, rest: list[str], legal: np.ndarray, place: str) -> int | None:
    if not rest:
        raise UsageError(f"{place}: name who is not paid, or {NONE_WORD!r}")
    if [word.lower() for word in rest] == [NONE_WORD]:
        return _listed(actions.pack(UNPAID, 0), legal)
    chosen = _positions(row, rules, rest, int(row.asked), place)
    return None if chosen is None else _listed(actions.pack(UNPAID, sum(1 << p for p in chosen)), legal)


def _positions(row: Any, rules: Any, words: list[str], seat: int, place: str) -> list[int] | None:
    """Positions of the named artists in a seat's band, None if one is not in it.  Raises UsageError for doubles."""
    artists = [read_artist(rules, word, place) for word in words]
    if len(set(artists)) < len(artists):
        raise UsageError(f"{place}: an artist is named twice")
    here = [int(row.seat[seat].artist[p]) for p in range(BAND)]
    return [here.index(artist) for artist in artists] if set(artists) <= set(here) - {NOBODY} else None


def _company(row: Any, rules: Any, rest: list[str], legal: np.ndarray, place: str) -> int | None:
    _need(rest, 1, 1, "company NAME", place)
    return _listed(actions.pack(COMPANY, read_company(rules, rest[0], place)), legal)


# ------------------------------------------------------------------ reading dice
def _shows(die: Any, wanted: int) -> bool:
    """Whether a die is the one that a text names: by its value and mark, or by its value alone."""
    return int(die) == wanted or (wanted < NATURAL_SIX // 2 and int(actions.value_of(int(die))) == wanted)


def _place(row: Any, rules: Any, rest: list[str], legal: np.ndarray, place: str) -> int | None:
    _need(rest, 1, 1, "place DICE", place)
    wanted = read_dice(rest[0], place)
    if len(wanted) != row.dice_count:
        return None
    if all(1 <= die <= 6 for die in wanted):
        detail = 0
        for position in range(BAND):
            die = wanted[position] + actions.DIE_OFFSET if position < len(wanted) else 0
            detail = detail << actions.DIE_BITS | die
        exact = _listed(actions.pack(PLACE, detail), legal)
        if exact is not None:
            return exact
    return next(
        (a for a in _of(PLACE, legal) if all(_shows(actions.die_placed(a, p), d) for p, d in enumerate(wanted))), None
    )


def _use(row: Any, rules: Any, rest: list[str], legal: np.ndarray, place: str) -> int | None:
    if len(rest) < 2:
        raise UsageError(f"{place}: expected a form such as 'use performance +2', 'use recording 66'")
    equalizer = read_number(rest[0], EQUALIZERS, "equalizer", place)
    if equalizer == PERFORMANCE:
        _need(rest, 2, 2, "use performance +2", place)
        if not _SIGNED.match(rest[1]) or int(rest[1]) == 0:
            raise UsageError(f"{place}: expected the effect on the fame, such as +2, found {rest[1]!r}")
        return next((a for a in _of(USE_PERFORMANCE, legal) if int(actions.fame_effect(a)) == int(rest[1])), None)
    on: list[int] | None = None
    if len(rest) > 2:
        on = _positions(row, rules, rest[2:], int(row.turn), place)
        if on is None or not row.placed:
            return None
    return (_recording if equalizer == RECORDING else _advertising)(row, rest[1], on, legal, place)


def _recording(row: Any, word: str, on: list[int] | None, legal: np.ndarray, place: str) -> int | None:
    """The dice to roll again, by what they show; of several that fit, the first in position order."""
    wanted = sorted(read_dice(word, place))
    for action in _of(USE_RECORDING, legal):
        chosen = bits(actions.detail_of(action))
        if on is not None and sorted(on) != chosen:
            continue
        shown = [int(row.dice[i]) for i in chosen]
        if sorted(shown) == wanted or sorted(int(actions.value_of(die)) for die in shown) == wanted:
            return action
    return None


def _advertising(row: Any, word: str, on: list[int] | None, legal: np.ndarray, place: str) -> int | None:
    """One die changed, by what it shows; of several that fit, the first in position order."""
    pair = _CHANGE.match(word)
    dice = [read_dice(part, place) for part in pair.groups()] if pair else []
    if [len(part) for part in dice] != [1, 1]:
        raise UsageError(f"{place}: expected one die and what it becomes, such as 4>3, found {word!r}")
    (old,), (new,) = dice
    for action in _of(USE_ADVERTISING, legal):
        i = int(actions.die_changed(action))
        if on in (None, [i]) and _shows(row.dice[i], old) and _shows(actions.new_die(action), new):
            return action
    return None


_READERS: dict[str, Callable[..., int | None]] = {
    "shift": _shift,
    "victim": _seat_reader(VICTIM),
    "drink": _seat_reader(DRINK),
    "trouble": _trouble,
    "heal": _heal,
    "place": _place,
    "use": _use,
    "unpaid": _unpaid,
    "company": _company,
    "assign": _assign,
}


# ------------------------------------------------------------------ what a scenario leaves out
def declines(state: Any, rules: Any, legal: np.ndarray) -> int | None:
    """``skip``, where a seat is asked for a response (or a reassignment) that a scenario may leave out."""
    if row_of(state).stage not in (RESPOND_DICE, RESPOND_FAME, CHOOSE_ASSIGN):
        return None
    return _listed(actions.pack(SKIP, 0), legal)
