"""Symbol collections: the exact best score of a set of symbols (rulings, section 3).

A collection is worth its size, so the score is the greatest number of symbols that disjoint collections
cover.  ``RULES.covered`` holds that number for up to ``COVER_MOST`` symbols of each face; a further symbol
of a face that has so many always joins an identical collection and adds one.  A wildcard takes whichever
face is best, and several are tried in every way.
"""

from __future__ import annotations

import functools
import itertools

import numpy as np

from overdrive_sim.kernels.layout import COVER_MOST, FACES
from simcore.errors import UsageError
from simcore.kernel import kernel

_BASE = COVER_MOST + 1
_STEP = tuple(_BASE**face for face in range(FACES))


@functools.cache
def coverage_table(same_least: int = 3, different_least: int = 3) -> np.ndarray:
    """Symbols that the best collections cover, by ``H + 11 S + 121 C + 1331 I`` (int8, COVER_MOST of each).

    ``same_least``: least size of an identical collection (R-SYM-05), 1 to 4; ``different_least``: least
    size of a collection of different faces (R-SYM-07), 1 to 5, where 5 means none.  Exact.  Outside these
    ranges UsageError: a larger collection would need a larger table.
    """
    if not (1 <= same_least <= 4 and 1 <= different_least <= FACES + 1):
        raise UsageError(
            f"symbol collections: sizes {same_least} and {different_least}; identical ones may start at 1 to 4, "
            "different ones at 1 to 5 (5: none)"
        )
    best: dict[tuple[int, ...], int] = {(0,) * FACES: 0}
    for counts in itertools.combinations_with_replacement(range(_BASE), FACES):
        if counts not in best:
            best[counts] = _best_of(counts, best, same_least, different_least)
    digits = np.sort(np.indices((_BASE,) * FACES).reshape(FACES, -1), axis=0)
    lookup = np.zeros(_BASE**FACES, np.int8)
    for counts, points in best.items():
        lookup[sum(n * step for n, step in zip(counts, _STEP, strict=True))] = points
    table = lookup[sum(digits[face] * _STEP[face] for face in range(FACES))]
    table.flags.writeable = False
    return table


def _best_of(counts: tuple[int, ...], best: dict[tuple[int, ...], int], same: int, different: int) -> int:
    """Best cover of ascending ``counts`` from the answers for smaller ones.

    One symbol of the most frequent face is left over, or joins an identical collection, or a collection
    with other faces; all faces are alike, so ``best`` knows ascending counts only.
    """
    *others, most = counts

    def rest(taken: int, partners: tuple[int, ...] = ()) -> int:
        left = [n - (i in partners) for i, n in enumerate(others)]
        return best[tuple(sorted([*left, most - taken]))]

    found = max([rest(1), *(rest(size) + size for size in range(same, most + 1))])
    for size in range(different - 1, FACES):
        for partners in itertools.combinations(range(FACES - 1), size):
            if all(others[i] for i in partners):
                found = max(found, rest(1, partners) + size + 1)
    return found


@kernel
def covered(rules, horns, skulls, chords, influences):
    """Points of the best collections of these symbols, without wildcards (R-SYM-05 to R-SYM-10)."""
    index, extra = 0, 0
    step = 1
    for face in range(FACES):
        n = horns
        if face == 1:
            n = skulls
        elif face == 2:
            n = chords
        elif face == 3:
            n = influences
        if n > COVER_MOST:
            extra += n - COVER_MOST
            n = COVER_MOST
        index += n * step
        step *= _BASE
    return np.int64(rules.covered[index]) + extra


@kernel
def best_collections(rules, horns, skulls, chords, influences, wildcards):
    """Points of the best collections when each of ``wildcards`` symbols may be any face (R-AWD-08, A-SYM-3)."""
    if wildcards == 0:
        return covered(rules, horns, skulls, chords, influences)
    best = 0
    for a in range(wildcards + 1):
        for b in range(wildcards + 1 - a):
            for c in range(wildcards + 1 - a - b):
                d = wildcards - a - b - c
                points = covered(rules, horns + a, skulls + b, chords + c, influences + d)
                best = max(best, points)
    return best
