"""A scenario's ``then``: every word checked, every value written as ``view`` writes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from overdrive_sim.given import known, list_of, table_of
from overdrive_sim.given_cards import read_owned
from overdrive_sim.given_dice import read_locked, read_lot
from overdrive_sim.kernels.layout import AWARDS, BANDS, FACE_LETTERS, PHASES, RESOURCES, SPACES
from overdrive_sim.view import PILE_KEYS, SCORE_KEYS, SEAT_KEYS, STATE_KEYS, TABLE_KEYS, lot_text, view
from overdrive_sim.words import ALIASES, ANY_LETTERS, NONE_WORD, Desk, dice_text, read_counts, read_name
from simcore.errors import UsageError

#: Lists of Distortion cards: a number without an icon expects any copy.
CARD_LISTS = ("distortions", "discard", "hand", "used")


def expectation(state: Any, rules: Any, then: Mapping[str, Any], place: str) -> dict[str, Any]:
    """``then`` in the words of ``view``.  Raises UsageError, naming ``place``, for an unknown word."""
    desk = Desk(state, rules)
    known(then, STATE_KEYS, place)
    return {key: _STATE.get(key, _same)(desk, value, f"{place}.{key}") for key, value in then.items()}


def same(key: str, expected: Any, found: Any) -> bool:
    """Whether one value is what is expected; ``7`` expects any copy of card 7, ``7:C`` that one."""
    if key.rpartition(".")[2] in CARD_LISTS:
        return str(found) == str(expected) or str(found).partition(":")[0] == str(expected)
    return bool(expected == found) and isinstance(expected, bool) == isinstance(found, bool)


def _same(desk: Desk, value: Any, place: str) -> Any:
    return value


def _phase(desk: Desk, value: Any, place: str) -> Any:
    return read_name(value, PHASES, "phase", place)


def _names(allowed: Callable[[Desk], Any], what: str) -> Callable[[Desk, Any, str], Any]:
    def read(desk: Desk, value: Any, place: str) -> Any:
        names = [ALIASES.get(str(n), str(n)).removeprefix("hit:") for n in list_of(value, place)]
        return [read_name(name, allowed(desk), what, place) for name in names]

    return read


def _cards(desk: Desk, value: Any, place: str) -> Any:
    for text in list_of(value, place):
        desk.read_card(str(text), place)
    return [str(text) for text in value]


def _part(keys: tuple[str, ...], readers: Mapping[str, Callable[[Desk, Any, str], Any]]) -> Any:
    def read(desk: Desk, value: Any, place: str) -> Any:
        known(table_of(value, place), keys, place)
        return {key: readers.get(key, _same)(desk, inner, f"{place}.{key}") for key, inner in value.items()}

    return read


def _spaces(desk: Desk, value: Any, place: str) -> Any:
    """Dice of each place; an empty space that does not exist here (closed, an unseen Hit) is empty indeed."""
    shown = view(desk.row, desk.rules)["spaces"]
    found: dict[str, list[str]] = {}
    for name, lots in table_of(value, place).items():
        target = desk.read_target(str(name), f"{place}.{name}")
        texts = [_lot(desk, target, text, f"{place}.{name}") for text in list_of(lots, f"{place}.{name}")]
        key = desk.target_key(target)
        if texts or key in shown:
            found[key] = texts
    return found


def _lot(desk: Desk, target: int, text: Any, place: str) -> str:
    placer, lot = read_lot(text, int(desk.row.seats), place)
    if target == RESOURCES and len(lot) != 1:
        raise UsageError(f"{place}: {text!r}: each die on Resources is an allocation of its own")
    return lot_text(placer, [(owner, face) for face, owner in lot])


def _dice(desk: Desk, value: Any, place: str) -> Any:
    if not isinstance(value, str):
        raise UsageError(f"{place}: {value!r}: dice are a run of letters, as in 'CCSI'")
    return dice_text(read_counts(value, place))


def _locked(desk: Desk, value: Any, place: str) -> Any:
    entries = read_locked(value, int(desk.row.seats), -1, place)
    return [f"{FACE_LETTERS[entry % 4]}@{entry // 4}" for entry in entries]


def _owned(desk: Desk, value: Any, place: str) -> Any:
    shown = []
    for text in list_of(value, place):
        hit, face = read_owned(text, desk.hit_names, desk.table, place)
        shown.append(desk.hit_names[hit] + (f" cancel {ANY_LETTERS[face]}" if face >= 0 else ""))
    return shown


def _award(desk: Desk, value: Any, place: str) -> Any:
    return read_name(value or NONE_WORD, (*AWARDS, NONE_WORD), "award", place)


def _letters(desk: Desk, value: Any, place: str) -> Any:
    return [read_name(str(letter), "abc", "ability", place) for letter in list_of(value, place)]


def _copies(desk: Desk, value: Any, place: str) -> Any:
    known(table_of(value, place), ("a", "b", "c"), place)
    return {slot: read_name(name, BANDS, "band", f"{place}.{slot}") for slot, name in value.items()}


_SEAT: dict[str, Callable[[Desk, Any, str], Any]] = {
    "band": lambda desk, value, place: read_name(value, BANDS, "band", place),
    "pool": _dice,
    "spent": _dice,
    "shielded": _dice,
    "locked": _locked,
    "hand": _cards,
    "used": _cards,
    "hits": _owned,
    "award": _award,
    "used_abilities": _letters,
    "copies": _copies,
}


def _seats(desk: Desk, value: Any, place: str) -> Any:
    return [_part(SEAT_KEYS, _SEAT)(desk, seat, f"{place}[{k}]") for k, seat in enumerate(list_of(value, place))]


def _scores(desk: Desk, value: Any, place: str) -> Any:
    return [_part(SCORE_KEYS, {})(desk, score, f"{place}[{k}]") for k, score in enumerate(list_of(value, place))]


_HITS = _names(lambda desk: desk.hit_names, "Hit")

_STATE: dict[str, Callable[[Desk, Any, str], Any]] = {
    "phase": _phase,
    "table": _part(TABLE_KEYS, {"hits": _HITS, "distortions": _cards, "awards": _names(lambda desk: AWARDS, "award")}),
    "piles": _part(PILE_KEYS, {"hits": _HITS, "distortions": _cards, "discard": _cards}),
    "spaces": _spaces,
    "closed": _names(lambda desk: SPACES, "space"),
    "seats": _seats,
    "scores": _scores,
}
