"""Cards of a ``given``: Hits and Distortion cards where they are named, the rest in their piles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from overdrive_sim.kernels.piles import set_row
from overdrive_sim.kernels.places import note_hits
from overdrive_sim.words import ANY_LETTERS, bits, read_face, read_name
from simcore.errors import UsageError, unknown

_TABLE_KEYS = ("hits", "distortions", "awards")
_PILE_KEYS = ("hits", "distortions", "discard")


def _listed(table: Mapping[str, Any], key: str, place: str) -> list[Any]:
    value = table.get(key, [])
    if not isinstance(value, list | tuple):
        raise UsageError(f"{place}.{key}: expected a list, found {value!r}")
    return list(value)


def _part(given: Mapping[str, Any], key: str, keys: Sequence[str]) -> Mapping[str, Any]:
    part = given.get(key, {})
    if not isinstance(part, Mapping):
        raise UsageError(f"given.{key}: expected a table, found {part!r}")
    for name in part:
        if name not in keys:
            raise unknown(f"given.{key}", "key", name, keys)
    return part


# ------------------------------------------------------------------ Hits


def read_owned(text: Any, names: Sequence[str], table: Any, place: str) -> tuple[int, int]:
    """Number of the Hit and cancelled face (-1 none) of ``NAME`` or ``NAME cancel FACE``."""
    words = str(text).split()
    if len(words) not in (1, 3) or (len(words) == 3 and words[1] != "cancel"):
        raise UsageError(f"{place}: {text!r} is not 'NAME' or 'NAME cancel FACE'")
    hit = list(names).index(read_name(words[0].removeprefix("hit:"), names, "Hit", place))
    if len(words) == 1:
        return hit, -1
    face = read_face(words[2], place, wild=True)
    if not table.hit_cancels[hit, face]:
        able = [ANY_LETTERS[k] for k in range(len(ANY_LETTERS)) if table.hit_cancels[hit, k]]
        raise UsageError(f"{place}: {names[hit]} has no space {words[2]} to cancel (it has: {', '.join(able)})")
    return hit, face


def deal_hits(row: Any, rules: Any, given: Mapping[str, Any], seats: Sequence[Mapping[str, Any]]) -> None:
    """Lay the Hits on the table, with their owners and in the pile (in place).  Raises UsageError."""
    names, table = rules.names.hits, rules.packed[0]
    places: dict[int, str] = {}

    def claim(hit: int, place: str) -> int:
        if hit in places:
            raise UsageError(f"{place}: {names[hit]} lies already in {places[hit]}")
        places[hit] = place
        return hit

    offer = _listed(_part(given, "table", _TABLE_KEYS), "hits", "given.table")
    if len(offer) > len(row.hit_row):
        raise UsageError(f"given.table.hits: {len(offer)} Hits (allowed: up to {len(row.hit_row)})")
    row.hit_row[:] = -1
    for k, name in enumerate(offer):
        hit = names.index(read_name(str(name).removeprefix("hit:"), names, "Hit", "given.table.hits"))
        row.hit_row[k] = claim(hit, "given.table.hits")
    for seat, named in enumerate(seats):
        place = f"given.seats[{seat}].hits"
        for text in _listed(named, "hits", f"given.seats[{seat}]"):
            hit, face = read_owned(text, names, table, place)
            row.seat[seat].hits |= 1 << claim(hit, place)
            row.hit_owner[hit] = seat
            row.cancelled[hit] = face
    note_hits(row, table)
    pile = _part(given, "piles", _PILE_KEYS)
    if "hits" in pile:
        listed = [
            names.index(read_name(n, names, "Hit", "given.piles.hits")) for n in _listed(pile, "hits", "given.piles")
        ]
        row.hit_pile = sum(1 << claim(hit, "given.piles.hits") for hit in listed)
    else:
        row.hit_pile = sum(1 << hit for hit in range(len(names)) if hit not in places)


# ------------------------------------------------------------------ Distortion cards


class Deck:
    """The physical Distortion cards, and which of them are taken.

    ``N:ICON`` takes a copy with that icon, ``N`` the first copy in deck order that is named nowhere: so
    all texts with an icon are served before those without.
    """

    def __init__(self, rules: Any) -> None:
        self.cards: Sequence[tuple[int, str]] = rules.names.cards
        self.free = list(range(len(self.cards)))

    def take(self, text: Any, place: str) -> int:
        """A free card for ``text``.  Raises UsageError when it names none, or none is left."""
        number, colon, icon = str(text).partition(":")
        numbers = sorted({n for n, _ in self.cards})
        if not number.isdigit() or int(number) not in numbers:
            raise UsageError(f"{place}: {text!r} is not a Distortion card (allowed: {numbers[0]} to {numbers[-1]})")
        face = ANY_LETTERS[read_face(icon, place)] if colon else None
        found = [c for c in self.free if self.cards[c][0] == int(number) and face in (None, self.cards[c][1])]
        if not found:
            icons = ", ".join(f"{number}:{shown}" for n, shown in self.cards if n == int(number))
            raise UsageError(f"{place}: no copy of {text} is left (in the deck: {icons})")
        self.free.remove(found[0])
        return found[0]


def deal_cards(row: Any, rules: Any, given: Mapping[str, Any], seats: Sequence[Mapping[str, Any]]) -> None:
    """Lay the Distortion cards in the row, in hands, played, discarded and in the pile (in place)."""
    deck, table = Deck(rules), rules.packed[0]
    piles = _part(given, "piles", _PILE_KEYS)
    lists: dict[str, list[Any]] = {
        "given.table.distortions": _listed(_part(given, "table", _TABLE_KEYS), "distortions", "given.table"),
        "given.piles.distortions": _listed(piles, "distortions", "given.piles"),
        "given.piles.discard": _listed(piles, "discard", "given.piles"),
    }
    for seat, named in enumerate(seats):
        for key in ("hand", "used"):
            lists[f"given.seats[{seat}].{key}"] = _listed(named, key, f"given.seats[{seat}]")
    masks = dict.fromkeys(lists, 0)
    for with_icon in (True, False):
        for place, texts in lists.items():
            for text in texts:
                if (":" in str(text)) == with_icon:
                    masks[place] |= 1 << deck.take(text, place)
    set_row(row, table, masks["given.table.distortions"])
    row.discard = masks["given.piles.discard"]
    row.pile = masks["given.piles.distortions"] if "distortions" in piles else sum(1 << card for card in deck.free)
    for seat in range(len(seats)):
        row.seat[seat].hand = masks[f"given.seats[{seat}].hand"]
        row.seat[seat].used = masks[f"given.seats[{seat}].used"]
    most = int(table.row_size)
    if len(bits(row.row)) > most:
        raise UsageError(f"given.table.distortions: {len(bits(row.row))} cards (allowed: up to {most})")
