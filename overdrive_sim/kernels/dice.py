"""Multisets of dice: their codes, their numbers 0..209, their sub-multisets, and throws.

A dice code is ``H + 7 S + 49 C + 343 I`` (counts 0 to 6).  ``NUMBER[code]`` numbers the 210 multisets of
up to six dice in ascending order of their codes (-1 for larger ones); ``CODE[number]`` goes back.
``SUBSETS[SUBSET_START[n] : SUBSET_START[n + 1]]`` are the codes of all sub-multisets of multiset n,
ascending, the empty one first; the fit tables of the rules have a bit for each of them (36 at most).
"""

from __future__ import annotations

import itertools

import numpy as np

from overdrive_sim.kernels.layout import CODES, FACES, MOST_DICE, MULTISETS, SIDES, UNIT
from simcore.kernel import kernel


def _counts(code: int) -> tuple[int, ...]:
    return tuple(code // UNIT[face] % 7 for face in range(FACES))


_CODES = [code for code in range(CODES) if sum(_counts(code)) <= MOST_DICE]

CODE = np.array(_CODES, np.int32)
NUMBER = np.full(CODES, -1, np.int32)
NUMBER[CODE] = np.arange(MULTISETS, dtype=np.int32)

#: Dice of each face, and in all, of multiset n.
COUNT = np.array([_counts(code) for code in _CODES], np.int32)
SIZE = COUNT.sum(axis=1).astype(np.int32)


def _subsets(code: int) -> list[int]:
    ranges = [range(count + 1) for count in _counts(code)]
    return sorted(sum(n * unit for n, unit in zip(counts, UNIT, strict=True)) for counts in itertools.product(*ranges))


_LISTS = [_subsets(code) for code in _CODES]
SUBSETS = np.array([code for codes in _LISTS for code in codes], np.int32)
SUBSET_START = np.concatenate([[0], np.cumsum([len(codes) for codes in _LISTS])]).astype(np.int32)

#: Dice code of a throw of three dice, by outcome in [0, 216): the first die is the outcome's lowest digit
#: in base 6, and side d of a die shows SIDES[d].
_THREE = np.array([sum(UNIT[SIDES[o // 6**k % 6]] for k in range(3)) for o in range(216)], np.int32)


@kernel
def throw(outcome, n):
    """Dice code of ``n`` (0 to 6) dice thrown, from an outcome in [0, 6**n)."""
    if n > 3:
        return _THREE[outcome % 216] + throw_few(outcome // 216, n - 3)
    return throw_few(outcome, n)


@kernel
def throw_few(outcome, n):
    """Dice code of at most three dice, from an outcome in [0, 6**n)."""
    code = 0
    for _ in range(n):
        code += UNIT[SIDES[outcome % 6]]
        outcome //= 6
    return code


@kernel
def count(code, face):
    """How many dice of ``face`` a dice code holds."""
    return code // UNIT[face] % 7


@kernel
def size(code):
    """How many dice a dice code holds (at most six)."""
    return SIZE[NUMBER[code]]
