"""The best way to put dice on artists, exactly, and its expected worth before the throw.

``match`` fills in dice one artist at a time over the sets of dice already used: n * 2**n steps instead of
n! placements.  ``throw_worth`` is its expectation over all throws, kept in the agent's own table by the
band's *kinds*: what an artist tests (1 to 6) and whether it is active, sorted.

Places in ``params.value``: GAIN + 8 * artist + die: worth of that die there; COUNTS: the same, whether it is
a hit; BEST + 4 * set + hits (2: two or more).
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from agents.kernels.memory import peek, poke
from agents.metalmania.kernels.weights import V_INACTIVE, V_TROUBLE
from metalmania_sim.kernels.layout import ACTIVE, BAND, BASIC
from simcore.bits import lowest, popcount
from simcore.kernel import kernel

GAIN, COUNTS, BEST, SHOWN = 0, 48, 96, 232
_NONE = -1e9
#: What the table holds where nothing has been computed.
EMPTY = -1e9

#: Throws of four and of five dice as sorted values, with their chances; those of n dice are
#: THROWS[THROW_START[n - 4] : THROW_START[n - 3]].
_SORTED = [list(itertools.combinations_with_replacement(range(1, 7), n)) for n in (BASIC, BAND)]


def _chance(values: tuple[int, ...]) -> float:
    ways = math.factorial(len(values)) // math.prod(math.factorial(values.count(v)) for v in set(values))
    return ways / 6 ** len(values)


THROWS = np.array([(*values, *[0] * (BAND - len(values))) for part in _SORTED for values in part], np.int64)
THROW_CHANCE = np.array([_chance(values) for part in _SORTED for values in part])
THROW_START = np.array([0, len(_SORTED[0]), len(_SORTED[0]) + len(_SORTED[1])], np.int64)

#: Kinds of artists: what is tested, 1 to 6 (less counts as 1, more as 6), and 6 more when troublesome.
KINDS = 12
_BANDS = [math.comb(KINDS + n - 1, n) for n in (BASIC, BAND)]
_RANK = np.array([[math.comb(kind + k, k + 1) for kind in range(KINDS)] for k in range(BAND)], np.int64)

#: Worths of a level for which expectations are kept, ascending; between them they are interpolated.
LEVEL_WORTHS = (0.0, 2.0, 4.0, 8.0)
#: Tables: one for each of these, and one for a turn after which nothing matters but fame.
TABLES = len(LEVEL_WORTHS) + 1
FAME_ONLY = TABLES - 1
TABLE_SIZE = sum(_BANDS)
_FIVE = _BANDS[0]


@kernel
def judge(params, artist, k, die, tested, condition, trouble, inactive):
    """Write what ``die`` (as its value) is worth on an artist, and whether it hits (MM-R067 to MM-R077)."""
    value = params.value
    gain, hit = 0.0, 0.0
    if die == 6 or die > tested:
        gain = -trouble if condition == ACTIVE else -inactive
    elif die < tested:
        hit = 1.0
        if condition == ACTIVE:
            gain = 1.0 * die
    value[GAIN + 8 * artist + k] = gain
    value[COUNTS + 8 * artist + k] = hit


@kernel
def match(params, n, same, level, hits_needed):
    """Greatest worth of placing ``n`` dice on ``n`` artists.

    ``same``: bit k where die k shows what die k - 1 does, so that the two are tried in one order only;
    ``level`` is added for ``hits_needed`` hits (at most 2).
    """
    value = params.value
    for cell in range(4 << n):
        value[BEST + cell] = _NONE
    value[BEST] = 0.0
    for used in range((1 << n) - 1):
        artist = popcount(used)
        free = ~used & ((1 << n) - 1) & ~(same & ~(used << 1))
        for hits in range(min(artist, 2) + 1):
            so_far = value[BEST + 4 * used + hits]
            if so_far == _NONE:
                continue
            left = free
            while left != 0:
                k = lowest(left)
                left &= left - 1
                more = min(2, hits + int(value[COUNTS + 8 * artist + k]))
                cell = BEST + 4 * (used | 1 << k) + more
                value[cell] = max(value[cell], so_far + value[GAIN + 8 * artist + k])
    end = BEST + 4 * ((1 << n) - 1)
    best = _NONE
    for hits in range(3):
        best = max(best, value[end + hits] + (level if hits >= hits_needed else 0.0))
    return best


@kernel
def trace_back(params, n, level, hits_needed, at):
    """After ``match``: write the die of each artist of a best placement to ``options[1].action[at + artist]``."""
    value, note = params.value, params.options[1].action
    used = (1 << n) - 1
    hits, best = 0, _NONE
    for h in range(3):
        worth = value[BEST + 4 * used + h] + (level if h >= hits_needed else 0.0)
        if worth > best:
            hits, best = h, worth
    for artist in range(n - 1, -1, -1):
        now, found = value[BEST + 4 * used + hits], False
        for k in range(n):
            if found or not used >> k & 1:
                continue
            for before in range(3):
                if found or min(2, before + int(value[COUNTS + 8 * artist + k])) != hits:
                    continue
                earlier = value[BEST + 4 * (used ^ 1 << k) + before]
                if earlier != _NONE and earlier + value[GAIN + 8 * artist + k] == now:
                    note[at + artist] = k
                    used ^= 1 << k
                    hits = before
                    found = True


# ------------------------------------------------------------------ before the throw
@kernel
def kind_of(tested, condition):
    """Kind of an artist for ``throw_worth``; an inactive one counts as troublesome."""
    kind = min(max(tested, 1), 6) - 1
    return kind if condition == ACTIVE else kind + 6


@kernel
def place_of(kinds, n):
    """Place of a band in a table: ``kinds[:n]`` (sorted here) as a number."""
    for k in range(1, n):
        kind, j = kinds[k], k
        while j > 0 and kinds[j - 1] > kind:
            kinds[j] = kinds[j - 1]
            j -= 1
        kinds[j] = kind
    place = 0 if n == BASIC else _FIVE
    for k in range(n):
        place += _RANK[k, kinds[k]]
    return place


@kernel
def _expect(params, kinds, n, table):
    """Expectation of ``match`` over all throws of ``n`` dice for a band of these kinds."""
    trouble, inactive, level = params.number[V_TROUBLE], params.number[V_INACTIVE], 0.0
    if table == FAME_ONLY:
        trouble, inactive = 0.0, 0.0
    else:
        level = LEVEL_WORTHS[table]
    worth = 0.0
    for row in range(THROW_START[n - BASIC], THROW_START[n - BASIC + 1]):
        same = 0
        for k in range(1, n):
            same |= (THROWS[row, k] == THROWS[row, k - 1]) << k
        for artist in range(n):
            kind = kinds[artist]
            for k in range(n):
                judge(params, artist, k, THROWS[row, k], kind % 6 + 1, kind // 6, trouble, inactive)
        worth += THROW_CHANCE[row] * match(params, n, same, level, 2)
    return worth


@kernel
def table_worth(params, kinds, n, table):
    """Expected worth of a throw by a band from one table, computed when it is asked for the first time."""
    cell = table * TABLE_SIZE + place_of(kinds, n)
    worth = peek(params.pool, cell)
    if worth == EMPTY:
        worth = _expect(params, kinds, n, table)
        poke(params.pool, cell, worth)
    return worth


@kernel
def throw_worth(params, kinds, n, level):
    """Expected worth of a throw whose two hits bring ``level``; ``kinds[:n]`` is sorted in place."""
    last = len(LEVEL_WORTHS) - 1
    if level >= LEVEL_WORTHS[last]:
        return table_worth(params, kinds, n, last)
    for k in range(last):
        low, high = LEVEL_WORTHS[k], LEVEL_WORTHS[k + 1]
        if level < high:
            part = (level - low) / (high - low)
            worth = (1.0 - part) * table_worth(params, kinds, n, k)
            if part > 0.0:
                worth += part * table_worth(params, kinds, n, k + 1)
            return worth
    return 0.0
