"""Chances of throws, as tables: what a re-roll may show, and how likely it shows what is missing."""

from __future__ import annotations

import math

import numpy as np

from overdrive_sim.kernels.dice import CODE, COUNT, SIZE
from overdrive_sim.kernels.layout import FACES, MOST_DICE, SIDES

_PER_FACE = np.array([SIDES.count(face) for face in range(FACES)])


def _chance(counts: np.ndarray) -> float:
    """Chance that as many dice as ``counts`` names show exactly these counts of faces (R-DIE-01)."""
    ways = math.factorial(int(counts.sum())) // math.prod(math.factorial(int(n)) for n in counts)
    return ways * math.prod(int(p) ** int(n) for p, n in zip(_PER_FACE, counts, strict=True)) / 6 ** int(counts.sum())


#: Results of a throw of k dice: ``RESULT[RESULT_START[k] : RESULT_START[k + 1]]`` are their dice codes,
#: ``RESULT_CHANCE`` their chances.
_ORDER = np.argsort(SIZE, kind="stable")
RESULT = CODE[_ORDER].astype(np.int64)
RESULT_CHANCE = np.array([_chance(COUNT[number]) for number in _ORDER])
RESULT_START = np.searchsorted(SIZE[_ORDER], np.arange(MOST_DICE + 2)).astype(np.int64)

#: ``SHOWS[m, k]``: chance that a throw of k dice shows at least the dice of multiset number m.
_HOLDS = (COUNT[:, None, :] <= COUNT[_ORDER][None, :, :]).all(axis=2) * RESULT_CHANCE
SHOWS = np.stack([_HOLDS[:, RESULT_START[k] : RESULT_START[k + 1]].sum(axis=1) for k in range(MOST_DICE + 1)], axis=1)
