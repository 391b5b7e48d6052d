"""Dice of a ``given``: on the board with those who placed them, borrowed ones, and how many there can be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from overdrive_sim.kernels.layout import FACE_LETTERS, FACES, HIT, MOST_DICE, MOST_PLACES, RESOURCES, VIKING_STAGE
from overdrive_sim.kernels.places import hits_in_play, lay, places_of
from overdrive_sim.words import Desk, counts_of, read_dice
from simcore.errors import UsageError

_LOCKED = re.compile(r"^([HSCI])@(\d+)$")
_LOT = re.compile(r"^(\d+):(.+)$")

#: Dice of one place: the face of each with its owner.
Lot = list[tuple[int, int]]


def read_locked(texts: Any, seats: int, holder: int, place: str) -> list[int]:
    """Borrowed dice (``C@1``) as entries ``owner * 4 + face``, ascending.  Raises UsageError."""
    if not isinstance(texts, list | tuple):
        raise UsageError(f"{place}: locked: expected a list as in ['C@1'], found {texts!r}")
    entries = []
    for text in texts:
        found = _LOCKED.match(str(text))
        if not found or int(found[2]) >= seats or int(found[2]) == holder:
            raise UsageError(f"{place}: locked: {text!r} is not a die of another seat (as in 'C@1')")
        entries.append(int(found[2]) * FACES + FACE_LETTERS.index(found[1]))
    return sorted(entries)


def read_lot(text: Any, seats: int, place: str) -> tuple[int, Lot]:
    """Who placed the dice of ``0:CCSI@1``, and each die's face and owner.  Raises UsageError."""
    found = _LOT.match(str(text))
    if not found or int(found[1]) >= seats:
        raise UsageError(f"{place}: {text!r} is not 'SEAT:DICE' (as in '0:CCSI@1')")
    placer = int(found[1])
    lot: Lot = []
    for face, mark in read_dice(found[2], place):
        if mark in ("!", "+"):
            raise UsageError(f"{place}: {text!r}: only dice lie on the board")
        owner = int(mark[1:]) if mark else placer
        if owner >= seats:
            raise UsageError(f"{place}: {text!r}: there is no seat {owner}")
        lot.append((face, owner))
    return placer, lot


def lay_dice(row: Any, desk: Desk, spaces: Mapping[str, Any]) -> None:
    """Put the named dice on the board (in place).  Raises UsageError for spaces that cannot hold them."""
    for name, lots in spaces.items():
        place = f"given.spaces.{name}"
        target = desk.read_target(str(name), place)
        if not isinstance(lots, list | tuple):
            raise UsageError(f"{place}: expected a list as in ['1:ISC'], found {lots!r}")
        _check_target(row, desk, target, place)
        room = int(places_of(desk.table, target)) or len(lots) * MOST_PLACES
        if len(lots) > room:
            raise UsageError(f"{place}: {len(lots)} allocations (allowed: {room})")
        for k, text in enumerate(lots):
            placer, lot = read_lot(text, int(row.seats), place)
            if target == RESOURCES and len(lot) != 1:
                raise UsageError(f"{place}: {text!r}: each die on Resources is an allocation of its own")
            for face, owner in lot:
                _check_room(row, owner, place)
                lay(row, desk.table, owner, target, 0 if target == RESOURCES else k, placer, face)


def _check_target(row: Any, desk: Desk, target: int, place: str) -> None:
    if target >= HIT and not int(hits_in_play(row)) >> (target - HIT) & 1:
        raise UsageError(f"{place}: this Hit lies neither on the table nor with a seat")
    if VIKING_STAGE <= target < HIT and target - VIKING_STAGE not in desk.stages():
        raise UsageError(f"{place}: seat {target - VIKING_STAGE} has no Viking stage")


def _check_room(row: Any, owner: int, place: str) -> None:
    if row.seat[owner].on_board >= len(row.seat[owner].board):
        raise UsageError(f"{place}: seat {owner} has more than {len(row.seat[owner].board)} dice on the board")


def count_dice(row: Any, table: Any, has_difficulty: bool) -> None:
    """Raise UsageError where a seat has more dice than it owns, or shields dice that it has not.

    Metallum owns the dice of its difficulty, any six where none is named (``has_difficulty`` false).
    """
    lent = [0] * len(row.seat)
    for seat in range(int(row.seats)):
        for entry in row.seat[seat].locked[: int(row.seat[seat].n_locked)]:
            lent[int(entry) // FACES] += not table.option.jam_die
    for seat in range(int(row.seats)):
        me = row.seat[seat]
        pool, shielded = counts_of(me.pool), counts_of(me.shielded)
        if any(s > p for s, p in zip(shielded, pool, strict=True)):
            raise UsageError(f"given.seats[{seat}]: shielded dice are part of the pool")
        owned = int(table.start_dice) + int(me.extra_dice)
        if row.mode and seat == 0:
            owned = int(row.difficulty) if has_difficulty else MOST_DICE
        named = sum(pool) + sum(counts_of(me.spent)) + int(me.on_board) + lent[seat]
        if named > owned:
            raise UsageError(f"given.seats[{seat}]: {named} dice are named, but the seat owns {owned}")
