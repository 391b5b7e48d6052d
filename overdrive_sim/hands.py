"""What every hand may do with its dice, listed in advance: the tables from which allocations are offered.

A hand is one of the 210 multisets of own unallocated dice.  ``row_lists`` names the parts of it that meet a
requirement, ``space_lists`` the finished choices on a board space whose effect depends on the hand alone
(which dice, and which die changes its face).  Both come twice: as the dice lie, and with Skulls as any
face (#6).
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from overdrive_sim.kernels.actions import pair
from overdrive_sim.kernels.dice import COUNT, NUMBER, PAIR_COUNT, PRESENT, SIZE, SUBSET_START, SUBSETS
from overdrive_sim.kernels.layout import (
    ACOUSTIC,
    BOARD_SPACES,
    CHORD,
    FACES,
    GRANA,
    HORNS,
    IMPROVISATION,
    INFLUENCE,
    JAM_SESSION,
    MULTISETS,
    NEW_RIFF,
    OPPORTUNITY,
    SKULL,
)
from overdrive_sim.kernels.rules import (
    BLOCK_ROOM,
    MOST_ROW_DICE,
    MOST_SINGLE_FACES,
    MOST_SPACE_CHOICES,
    ROW_COUNT_BITS,
    WITH_BITS,
)
from overdrive_sim.kernels.spaces import CHOICE_BYTES
from simcore.errors import UsageError

#: Faces that the effect of a space gives a die.
GOALS = {IMPROVISATION: (HORNS, INFLUENCE), NEW_RIFF: (CHORD,)}

_HAND = np.repeat(np.arange(MULTISETS), np.diff(SUBSET_START))
_PART = NUMBER[SUBSETS].astype(np.int64)
#: Whether multiset n holds a die of each face; at least one, two, three Horns Up and another die: WITH_BITS a 0 or 1.
_HOLDS = ((COUNT > 0).astype(np.int64) << (WITH_BITS * np.arange(FACES))).sum(axis=1)
_FACES = np.arange(1, MOST_SINGLE_FACES + 1)
_HORNS = (
    ((COUNT[:, [HORNS]] >= _FACES) & (SIZE[:, None] > _FACES)).astype(np.int64) << (WITH_BITS * (_FACES - 1))
).sum(axis=1)
#: Number of the dice that stay in the hand beside each of its parts.
_REST = NUMBER[np.repeat(SUBSETS[SUBSET_START[1:] - 1], np.diff(SUBSET_START)) - SUBSETS]


def meets(need: np.ndarray, wild: bool) -> np.ndarray:
    """Whether multiset n meets requirement r: bool (rows, 210).

    ``need``: dice of each face and ``?`` by row, shape (rows, 5).  Exactly as many dice as spaces
    (R-ALL-08); ``wild``: Skulls may stand for any face (R-DCD-06).
    """
    exact = need.sum(axis=1)[:, None] == SIZE[None, :]
    short = np.maximum(need[:, None, :FACES] - COUNT[None, :, :], 0)
    if not wild:
        return exact & (short.sum(axis=2) == 0)
    others = short.sum(axis=2) - short[:, :, SKULL]
    return exact & (COUNT[None, :, SKULL] >= need[:, None, SKULL] + others)


def row_lists(need: np.ndarray, wild: bool) -> tuple[np.ndarray, np.ndarray]:
    """(counts (210, rows), numbers of the parts by hand, row and part, ascending) for requirements ``need``."""
    rows = len(need)
    row, part = np.nonzero(meets(need, wild)[:, _PART])
    order = np.lexsort((part, row, _HAND[part]))
    counts = np.bincount(_HAND[part] * rows + row, minlength=MULTISETS * rows).reshape(MULTISETS, rows)
    return counts, _PART[part[order]]


@functools.cache
def _changes(goals: tuple[int, ...], void: bool) -> tuple[np.ndarray, np.ndarray]:
    """Details of a space that changes a die, by the number of the dice left: (start (211,), details)."""
    lists = []
    for present in PRESENT:
        pairs = [1 + int(pair(face, 0, goal)) for face in range(FACES) for goal in goals if face != goal]
        found = [one for one in pairs if int(present) >> ((one - 1) // 4) & 1]
        lists.append(found or ([0] if void else []))
    start = np.concatenate([[0], np.cumsum([len(found) for found in lists])])
    return start, np.array([one for found in lists for one in found], np.int64)


def space_lists(space: int, need: np.ndarray, tracks: tuple[int, ...], void: bool, wild: bool) -> Any:
    """(hand, dice number, detail) of every choice on a board space, ascending; None where the board decides too.

    ``need``: the requirement, shape (5,); ``tracks``: those among which Acoustic lets choose; ``void``:
    allocations without an effect are allowed (A-SPC-5).
    """
    if space in (JAM_SESSION, OPPORTUNITY):
        return None
    part = np.flatnonzero(meets(need[None, :], wild)[0, _PART])
    if space in GOALS:
        start, details = _changes(GOALS[space], void)
        first, count = start[_REST[part]], np.diff(start)[_REST[part]]
    else:
        details = np.array((tracks or (0,) * void) if space == ACOUSTIC else (0,), np.int64)
        first, count = np.zeros(len(part), np.int64), np.full(len(part), len(details))
    step = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    part, detail = np.repeat(part, count), details[np.repeat(first, count) + step]
    return _HAND[part], _PART[part], detail


def fill_hands(rules: np.void, need: np.ndarray, void: bool) -> None:
    """Fill the hand tables of a RULES record from its spaces and its requirements ``need`` (rows, 5), in place.

    Raises UsageError where they do not fit.
    """
    _fill_rows(rules, need)
    _fill_spaces(rules, need, void)
    _fill_fits(rules)
    rules["costly_spaces"] = sum(1 << space for space in range(BOARD_SPACES) if rules["space_cost"][space] > 0)


def _fill_rows(rules: np.void, need: np.ndarray) -> None:
    start = 0
    for wild in (False, True):
        counts, numbers = row_lists(need, wild)
        end = start + len(numbers)
        if end > MOST_ROW_DICE - BLOCK_ROOM:
            raise UsageError("rules: the requirements of spaces and Hits leave more choices of dice than fit")
        first = start + np.cumsum(counts).reshape(counts.shape) - counts
        rules["row_start"][int(wild), :, : len(need)] = (first << ROW_COUNT_BITS) | counts
        rules["row_dice"][start:end] = numbers
        if not wild:
            keys = np.repeat(np.arange(counts.size), counts.ravel())
            rules["row_with"][:, : len(need)] = _sums(keys, _HOLDS[numbers], counts.size).reshape(counts.shape)
            rules["row_horns"][:, : len(need)] = _sums(keys, _HORNS[numbers], counts.size).reshape(counts.shape)
        start = end


def _sums(keys: np.ndarray, packed: np.ndarray, size: int) -> np.ndarray:
    """Sums of packed counts by key: int64 (size,)."""
    sums = np.zeros(size, np.int64)
    np.add.at(sums, keys, packed)
    return sums


def _fill_fits(rules: np.void) -> None:
    """What each hand can use at all, from the two tables above: a turn looks at nothing else."""
    hand = rules["hand"]
    hand["row_count"] = rules["row_start"] & ((1 << ROW_COUNT_BITS) - 1)
    listed = np.diff(hand["start"].astype(np.int64), axis=2) > 0
    meets_row = hand["row_count"] > 0
    meets_space = meets_row[:, :, rules["space_row"]]
    for space in (JAM_SESSION, OPPORTUNITY):
        listed[:, :, space] = meets_space[:, :, space]
    hand["fits"] = listed @ (1 << np.arange(BOARD_SPACES))
    hand["needs"] = meets_space @ (1 << np.arange(BOARD_SPACES))
    hand["parts"] = np.diff(SUBSET_START) - 1
    hand["changes"] = PAIR_COUNT[PRESENT]
    hand["choices"] = 0
    for space, byte in CHOICE_BYTES.items():
        lengths = hand["start"][:, :, space + 1].astype(np.int64) - hand["start"][:, :, space]
        hand["choices"] |= lengths << 8 * byte
    for hit in range(rules["hits"]):
        for column in range(FACES + 2):
            for row in rules["hit_row"][hit, :, column]:
                if row >= 0:
                    hand["hits"][:, :, column] |= meets_row[:, :, row].astype(np.int32) << hit


def _fill_spaces(rules: np.void, need: np.ndarray, void: bool) -> None:
    start = 0
    for wild in (False, True):
        listed = []
        for number in range(BOARD_SPACES):
            tracks = tuple(t for t in range(4) if t != GRANA and rules["space_reward"][number][t] > 0)
            found = space_lists(number, need[rules["space_row"][number]], tracks, void, wild)
            if found is not None:
                listed.append((found[0], np.full(len(found[0]), number), (found[1] << 8) | found[2]))
        hand, space, entry = (np.concatenate(part) for part in zip(*listed, strict=True))
        order = np.lexsort((entry, space, hand))
        counts = np.bincount(hand * BOARD_SPACES + space, minlength=MULTISETS * BOARD_SPACES)
        end = start + len(entry)
        if end > MOST_SPACE_CHOICES - BLOCK_ROOM:
            raise UsageError("rules: the requirements of the board spaces leave more choices than fit")
        edges = start + np.concatenate([[0], np.cumsum(counts)])
        block = edges[:-1].reshape(MULTISETS, BOARD_SPACES)
        rules["hand"]["start"][int(wild), :, :BOARD_SPACES] = block
        rules["hand"]["start"][int(wild), :, BOARD_SPACES] = edges[BOARD_SPACES::BOARD_SPACES]
        rules["space_choice"][start:end] = entry[order]
        if not wild:
            keys = hand * BOARD_SPACES + space
            shape = (MULTISETS, BOARD_SPACES)
            rules["space_with"][:] = _sums(keys, _HOLDS[entry >> 8], len(counts)).reshape(shape)
            rules["space_horns"][:] = _sums(keys, _HORNS[entry >> 8], len(counts)).reshape(shape)
        start = end
