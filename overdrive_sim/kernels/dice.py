"""Multisets of dice: their codes, their numbers 0..209, their sub-multisets, and throws.

A dice code is ``H + 7 S + 49 C + 343 I`` (counts 0 to 6).  ``NUMBER[code]`` numbers the 210 multisets of
up to six dice in ascending order of their codes (-1 for larger ones); ``CODE[number]`` goes back.
``SUBSETS[SUBSET_START[n] : SUBSET_START[n + 1]]`` are the codes of all sub-multisets of multiset n,
ascending, the empty one first; the fit tables of the rules have a bit for each of them (36 at most).
"""

from __future__ import annotations

import itertools

import numpy as np

from overdrive_sim.kernels.actions import PAIR_BASE
from overdrive_sim.kernels.layout import CODES, FACES, MOST_DICE, MULTISETS, SIDES, UNIT
from simcore.bits import index
from simcore.blocks import BLOCK
from simcore.kernel import kernel


def _counts(code: int) -> tuple[int, ...]:
    return tuple(code // UNIT[face] % 7 for face in range(FACES))


_CODES = [code for code in range(CODES) if sum(_counts(code)) <= MOST_DICE]

CODE = np.array(_CODES, np.int32)
NUMBER = np.full(CODES, -1, np.int16)
NUMBER[CODE] = np.arange(MULTISETS, dtype=np.int16)

#: Dice of each face, and in all, of multiset n.
COUNT = np.array([_counts(code) for code in _CODES], np.int32)
SIZE = COUNT.sum(axis=1).astype(np.int32)


def _subsets(code: int) -> list[int]:
    ranges = [range(count + 1) for count in _counts(code)]
    return sorted(sum(n * unit for n, unit in zip(counts, UNIT, strict=True)) for counts in itertools.product(*ranges))


_LISTS = [_subsets(code) for code in _CODES]
SUBSETS = np.array([code for codes in _LISTS for code in codes], np.int32)
SUBSET_START = np.concatenate([[0], np.cumsum([len(codes) for codes in _LISTS])]).astype(np.int32)

#: The numbers of the same sub-multisets, with room for blocks beyond the end.
SUBSET_NUMBER = np.concatenate([NUMBER[SUBSETS], np.zeros(2 * BLOCK)]).astype(np.uint8)

#: Faces that multiset n shows, as bits.
PRESENT = ((COUNT > 0) << np.arange(FACES)).sum(axis=1).astype(np.int32)

#: Pairs (``from * 4 + to``) of all changes of a die that shows one of the faces ``f`` (bits): PAIR_COUNT[f] from
#: ``PAIRS[f * 2 * BLOCK]`` on.
_PAIRS = [[a * 4 + b for a in range(FACES) for b in range(FACES) if f >> a & 1 and a != b] for f in range(1 << FACES)]
PAIR_COUNT = np.array([len(pairs) for pairs in _PAIRS], np.uint8)
PAIRS = np.array([(pairs + [0] * 2 * BLOCK)[: 2 * BLOCK] for pairs in _PAIRS], np.uint8).ravel()

#: The same for changes to face ``to`` alone, from ``PAIRS_TO[(to << FACES | f) * BLOCK]`` on (at most three).
_PAIRS_TO = [[pair for pair in _PAIRS[f] if pair % 4 == to] for to in range(FACES) for f in range(1 << FACES)]
PAIRS_TO = np.array([(pairs + [0] * BLOCK)[:BLOCK] for pairs in _PAIRS_TO], np.uint8).ravel()

#: The faces of multiset n one by one, ascending, from ``FACE_LIST[n * BLOCK]`` on (SIZE[n] of them).
FACE_LIST = np.array(
    [([face for face in range(FACES) for _ in range(_counts(code)[face])] + [0] * BLOCK)[:BLOCK] for code in _CODES],
    np.uint8,
).ravel()

#: Counts of multiset n four bits apart, for comparing all faces at once: no count reaches the GUARD bit above it.
NIBBLES = (COUNT << (4 * np.arange(FACES))).sum(axis=1).astype(np.int64)
GUARD, ONE_EACH = 0x8888, 0x1111


def _choices(number: int) -> list[list[int]]:
    """Arguments of a card that chooses faces, for the dice of multiset ``number``: of one, two, three pairs.

    One argument a result: no face is both left and entered, and both are matched in ascending order.
    """
    counts, found = _counts(_CODES[number]), []
    for pairs in range(1, MOST_CHOSEN + 1):
        arguments = []
        for left in itertools.combinations_with_replacement(range(FACES), pairs):
            if any(left.count(face) > counts[face] for face in left):
                continue
            others = [face for face in range(FACES) if face not in left]
            for entered in itertools.combinations_with_replacement(others, pairs):
                steps = zip(left, entered, strict=True)
                arguments.append(sum((a * 4 + b + 1) * PAIR_BASE**i for i, (a, b) in enumerate(steps)))
        found.append(sorted(arguments))
    return found


MOST_CHOSEN = 3  # dice whose faces one card chooses
_CHOICES = [_choices(number) for number in range(MULTISETS)]

#: Arguments of a card that chooses up to k faces of multiset n: ``CHOICES[CHOICE_START[n] : CHOICE_END[n, k]]``.
CHOICES = np.array([one for lists in _CHOICES for part in lists for one in part] + [0] * BLOCK, np.uint16)
_SIZES = np.array([[len(part) for part in lists] for lists in _CHOICES])
CHOICE_START = np.concatenate([[0], np.cumsum(_SIZES.sum(axis=1))[:-1]]).astype(np.int32)
CHOICE_END = np.concatenate([CHOICE_START[:, None], CHOICE_START[:, None] + np.cumsum(_SIZES, axis=1)], axis=1).astype(
    np.int32
)

#: Dice code of a throw of three dice, by outcome in [0, 216): the first die is the outcome's lowest digit
#: in base 6, and side d of a die shows SIDES[d].
_THREE = np.array([sum(UNIT[SIDES[o // 6**k % 6]] for k in range(3)) for o in range(216)], np.int32)
_THREE_DICE = np.uint64(216)


@kernel
def number_of(code):
    """Number (0..209) of the multiset of a dice code of at most six dice."""
    return np.int64(NUMBER[index(code)])


@kernel
def throw(outcome, n):
    """Dice code of ``n`` (0 to 6) dice thrown, from an outcome in [0, 6**n)."""
    # Dice that are not thrown read as the first side, a Horns Up: it counts 1 in a code.
    if n > 3:
        high = index(outcome) // _THREE_DICE
        return np.int64(_THREE[high]) + _THREE[index(outcome) - high * _THREE_DICE] - (6 - n)
    return np.int64(_THREE[index(outcome)]) - (3 - n)


@kernel
def count(code, face):
    """How many dice of ``face`` a dice code holds."""
    return np.int64(COUNT[index(number_of(code)), index(face)])


@kernel
def size(code):
    """How many dice a dice code holds (at most six)."""
    return np.int64(SIZE[index(number_of(code))])


@kernel
def is_within(few, many):
    """Whether the multiset of code ``few`` is part of the one of code ``many``."""
    spare = (NIBBLES[index(number_of(many))] | GUARD) - NIBBLES[index(number_of(few))]
    return spare & GUARD == GUARD


@kernel
def parts_of(code):
    """How many sub-multisets a dice code has, the empty one and itself among them."""
    hand = index(number_of(code))
    return np.int64(SUBSET_START[hand + np.uint64(1)]) - np.int64(SUBSET_START[hand])


@kernel
def nth_part(code, k):
    """Number of the ``k``-th sub-multiset of a dice code, counted from 0 and without the empty one."""
    return np.int64(SUBSET_NUMBER[index(SUBSET_START[index(number_of(code))] + 1 + k)])
