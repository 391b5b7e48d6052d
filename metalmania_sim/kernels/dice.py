"""Dice: throws, their order beside the board, and the distinct ways to place them.

Outcome o of a throw of n dice shows ``o // 6**k % 6 + 1`` on die k: the first die is the lowest digit.

``WAYS[WAY_START[code] : WAY_START[code + 1]]`` are the ``place`` details of every distinct arrangement of
four or five dice, ascending; ``code`` numbers their ascending values in base 6 after a leading 1 (so that
four and five dice differ).  Dice outside 1 to 6, or marked, take the slower way over ``ORDERS``.
"""

from __future__ import annotations

import itertools

import numpy as np

from metalmania_sim.kernels.actions import insert
from metalmania_sim.kernels.layout import (
    BAND,
    BASIC,
    DIE_BITS,
    DIE_OFFSET,
    FIFTH,
    MOST_DICE,
    MOST_LEVEL,
    PLACE,
    VERB_SHIFT,
)
from simcore.kernel import kernel

SIDES = 6
#: Throws of n dice have 6**n outcomes.
POWER = np.array([SIDES**n for n in range(9)], np.int64)
_CODES = 2 * SIDES**BAND
_PLACE = PLACE << VERB_SHIFT


def _code(values: tuple[int, ...]) -> int:
    code = 1
    for value in values:
        code = code * SIDES + value - 1
    return code


def _detail(dice: tuple[int, ...]) -> int:
    return sum((die + DIE_OFFSET) << (DIE_BITS * (FIFTH - p)) for p, die in enumerate(dice))


def _ways() -> tuple[np.ndarray, np.ndarray]:
    rows: dict[int, list[int]] = {}
    for n in (BASIC, BAND):
        for values in itertools.combinations_with_replacement(range(1, SIDES + 1), n):
            rows[_code(values)] = sorted(map(_detail, set(itertools.permutations(values))))
    counts = [len(rows.get(code, ())) for code in range(_CODES)]
    details = [detail for code in sorted(rows) for detail in rows[code]]
    return np.array(details, np.int64), np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)


WAYS, WAY_START = _ways()


def _orders() -> tuple[np.ndarray, np.ndarray]:
    """Orders of n dice whose neighbours i - 1 and i are equal where bit i is set, by ``bits + 32 * (n == 5)``.

    An order lists the die of each position; equal dice stand in ascending order.
    """
    rows, starts = [], [0]
    for n in (BASIC, BAND):
        for same in range(32):
            if same & 1 == 0 and same < 1 << n:
                for order in itertools.permutations(range(n)):
                    if all(order.index(i - 1) < order.index(i) for i in range(1, n) if same >> i & 1):
                        rows.append((*order, *[0] * (BAND - n)))
            starts.append(len(rows))
    return np.array(rows, np.int8), np.array(starts, np.int32)


ORDERS, ORDER_START = _orders()


def _sets() -> tuple[np.ndarray, np.ndarray]:
    """Sets of 1 to ``most`` of n dice (bits), ascending, by ``(most - 1) * 7 * 64 + n * 64 + same``.

    ``same`` as in ``same_as_before``: of equal dice the first ones are taken, so that a set is listed once.
    """
    rows, starts = [], [0]
    for most in range(1, MOST_LEVEL + 1):
        for n in range(MOST_DICE + 1):
            for same in range(1 << MOST_DICE):
                if same & 1 == 0 and same < 1 << n:
                    sets = range(1, 1 << n)
                    rows += [c for c in sets if c.bit_count() <= most and c & same & ~(c << 1) == 0]
                starts.append(len(rows))
    return np.array(rows, np.int8), np.array(starts, np.int32)


SETS, SET_START = _sets()


@kernel
def set_row(state, most):
    """Row of ``SET_START`` for the pending dice: sets of up to ``most`` (1 to 3) of them."""
    return (most - 1) * 7 * 64 + int(state.dice_count) * 64 + same_as_before(state)


@kernel
def show(state, outcome, n):
    """Put a throw of ``n`` dice before the seats: the dice of ``outcome``, in the order rolled."""
    state.dice_count = n
    state.placed = 0
    for k in range(n):
        state.dice[k] = outcome % SIDES + 1
        outcome //= SIDES


@kernel
def sort(state):
    """Order the dice beside the board by value (in place)."""
    for i in range(1, int(state.dice_count)):
        die = state.dice[i]
        k = i
        while k > 0 and state.dice[k - 1] > die:
            state.dice[k] = state.dice[k - 1]
            k -= 1
        state.dice[k] = die


@kernel
def total(state):
    """Sum of the pending dice."""
    points = 0
    for k in range(int(state.dice_count)):
        points += int(state.dice[k])
    return points


@kernel
def same_as_before(state):
    """Bits of the dice that equal the one before them and lie beside the board (0 once they are placed)."""
    bits = 0
    if not state.placed:
        for k in range(1, int(state.dice_count)):
            if state.dice[k] == state.dice[k - 1]:
                bits |= 1 << k
    return bits


@kernel
def placements(state, out):
    """Write every distinct placement of the pending four or five dice to ``out``; returns how many (MM-R065)."""
    n = int(state.dice_count)
    code = 1
    for k in range(n):
        die = int(state.dice[k])
        if die < 1 or die > SIDES:
            return _placements_of_any(state, out)
        code = code * SIDES + die - 1
    start = WAY_START[code]
    count = WAY_START[code + 1] - start
    for i in range(count):
        out.action[i] = _PLACE | WAYS[start + i]
    return count


@kernel
def _placements_of_any(state, out):
    """As ``placements`` for dice of any value; the ids are then put in ascending order."""
    n = int(state.dice_count)
    row = same_as_before(state) + 32 * (n - BASIC)
    count = 0
    for i in range(ORDER_START[row], ORDER_START[row + 1]):
        detail = 0
        for p in range(n):
            detail |= (int(state.dice[ORDERS[i, p]]) + DIE_OFFSET) << (DIE_BITS * (FIFTH - p))
        count = insert(out, 0, count, _PLACE | detail)
    return count
