"""Dice: throws, their order beside the board, and the distinct ways to place them.

Outcome o of a throw of n dice shows ``o // 6**k % 6 + 1`` on die k: the first die is the lowest digit.

``WAYS[WAY_START[code] : WAY_START[code + 1]]`` are the ``place`` details of every distinct arrangement of
four or five dice, ascending; ``code`` numbers their ascending values, first those of four dice, then those of five.
``ARRANGED`` holds the same arrangements in a quarter of the space: who picks one of them at random finds none of the
others in the processor's cache.  Dice outside 1 to 6, or marked, take the slower way over ``ORDERS``.
"""

from __future__ import annotations

import itertools
import math

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
from simcore.bits import index
from simcore.kernel import kernel

SIDES = 6
#: Throws of n dice have 6**n outcomes.
POWER = np.array([SIDES**n for n in range(9)], np.int64)
#: Sixes of a throw by its outcome, however many dice (six at most) are thrown.
SIXES = np.array(
    [sum(o // SIDES**k % SIDES == SIDES - 1 for k in range(MOST_DICE)) for o in range(SIDES**MOST_DICE)], np.int8
)
#: Entries that are copied at once, wanted or not, where rows of tables are short.
BLOCK = 8
#: ``outcome // 6 == outcome * _SIXTH >> _SIXTH_SHIFT`` for every throw of up to six dice.
_SIXTH, _SIXTH_SHIFT = (1 << 18) // SIDES + 1, 18
_BEHIND = 127  # sorts behind every die
_PLACE = PLACE << VERB_SHIFT


_DIE_COLUMNS = 8  # of CODE: a die's lowest three bits
_SHORT_BITS = 3  # of a die in ARRANGED
_SHORT_DIE = (1 << _SHORT_BITS) - 1


def _codes() -> np.ndarray:
    """What the k-th of ascending dice adds to their code, by k and value.

    With their places added they are all different, and numbered as combinations are.
    """
    codes = np.zeros((BAND, _DIE_COLUMNS), np.int16)
    for k, value in itertools.product(range(BAND), range(1, SIDES + 1)):
        codes[k, value] = math.comb(value - 1 + k, k + 1)
    codes[FIFTH] += math.comb(SIDES + BASIC - 1, BASIC)
    return codes


CODE = _codes()


def _code(values: tuple[int, ...]) -> int:
    return sum(int(CODE[k, value]) for k, value in enumerate(values))


def _short(detail: int) -> int:
    dice = [detail >> DIE_BITS * p & _SHORT_DIE for p in range(BAND)]
    return sum(die << _SHORT_BITS * p for p, die in enumerate(dice))


def _detail(dice: tuple[int, ...]) -> int:
    return sum((die + DIE_OFFSET) << (DIE_BITS * (FIFTH - p)) for p, die in enumerate(dice))


def _ways() -> tuple[np.ndarray, np.ndarray]:
    rows: dict[int, list[int]] = {}
    for n in (BASIC, BAND):
        for values in itertools.combinations_with_replacement(range(1, SIDES + 1), n):
            rows[_code(values)] = sorted(map(_detail, set(itertools.permutations(values))))
    counts = [len(rows[code]) for code in range(len(rows))]
    details = [detail for code in range(len(rows)) for detail in rows[code]]
    return np.array(details, np.int64), np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)


WAYS, WAY_START = _ways()
ARRANGED = np.array([_short(detail) for detail in WAYS.tolist()], np.int16)
#: What is missing in ARRANGED, for four dice and for five.
_OF_FOUR, _OF_FIVE = (_detail((0,) * n) for n in (BASIC, BAND))


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
    Behind the last row stands a BLOCK more, so that any row can be read by whole blocks.
    """
    rows, starts = [], [0]
    for most in range(1, MOST_LEVEL + 1):
        for n in range(MOST_DICE + 1):
            for same in range(1 << MOST_DICE):
                if same & 1 == 0 and same < 1 << n:
                    sets = range(1, 1 << n)
                    rows += [c for c in sets if c.bit_count() <= most and c & same & ~(c << 1) == 0]
                starts.append(len(rows))
    return np.array(rows + [0] * BLOCK, np.int8), np.array(starts, np.int32)


SETS, SET_START = _sets()


def _faces() -> tuple[np.ndarray, np.ndarray]:
    """Faces that a die can be turned to, ascending, and how many, by ``exact * FACES_ROWS + (most - 1) * 6 + die - 1``.

    They are at most ``most`` away, with ``exact`` just so far.  A row that is not full ends with zeros.
    """
    faces = range(1, SIDES + 1)
    rows = [
        [face for face in faces if least <= abs(face - die) <= most]
        for exact in (False, True)
        for most in range(1, MOST_LEVEL + 1)
        for least in [most if exact else 1]
        for die in faces
    ]
    full = [row + [0] * (SIDES - len(row)) for row in rows]
    return np.array(full, np.int8), np.array([len(row) for row in rows], np.int8)


FACES, FACE_COUNT = _faces()
FACES_ROWS = MOST_LEVEL * SIDES


@kernel
def set_row(state, same, most):
    """Row of ``SET_START`` for the pending dice: sets of up to ``most`` (1 to 3) of them."""
    return (most - 1) * 7 * 64 + int(state.dice_count) * 64 + same


@kernel
def wait(state, stage, outcomes, stream):
    """Wait for chance: ``stage`` takes it, one of ``outcomes`` equally likely ones, from ``stream``."""
    state.stage = stage
    state.outcomes = outcomes
    state.luck = stream


@kernel
def wait_for_throw(state, stage, n, seat):
    """Wait for a throw of ``n`` dice by ``seat``."""
    wait(state, stage, POWER[index(n)], seat)


@kernel
def lowest_of(outcome):
    """(the first die of a throw's ``outcome``, the outcome of the others): a shift in place of a division."""
    others = outcome * _SIXTH >> _SIXTH_SHIFT
    return outcome - others * SIDES + 1, others


@kernel
def show(state, outcome, n):
    """Put a throw of ``n`` dice before the seats: the dice of ``outcome``, in the order rolled.

    All six are written (those behind the throw show 1): a number of turns that varies costs more than they do.
    """
    state.dice_count = n
    state.placed = 0
    for k in range(MOST_DICE):
        state.dice[k], outcome = lowest_of(outcome)


@kernel
def show_few(state, outcome, n):
    """``show`` for a throw of one or two dice, as most are: the others need not be worked out."""
    state.dice_count = n
    state.placed = 0
    state.dice[0], outcome = lowest_of(outcome)
    state.dice[1] = outcome + 1
    for k in range(2, MOST_DICE):
        state.dice[k] = 1


@kernel
def sort(state):
    """Order the dice beside the board by value (in place).

    Two dice are exchanged by comparison; more go through Batcher's network for six with the places behind
    the throw as the highest: no branch depends on what was rolled.
    """
    n = int(state.dice_count)
    if n <= 2:
        a, b = int(state.dice[0]), int(state.dice[1])
        if n == 2:
            state.dice[0], state.dice[1] = min(a, b), max(a, b)
        return
    a, b, c = int(state.dice[0]), int(state.dice[1]), int(state.dice[2])
    d = int(state.dice[3]) if n > 3 else _BEHIND
    e = int(state.dice[4]) if n > 4 else _BEHIND
    f = int(state.dice[5]) if n > 5 else _BEHIND
    a, b, c = _sorted(a, b, c)
    d, e, f = _sorted(d, e, f)
    a, d = min(a, d), max(a, d)
    c, f = min(c, f), max(c, f)
    b, e = min(b, e), max(b, e)
    b, d = min(b, d), max(b, d)
    c, e = min(c, e), max(c, e)
    c, d = min(c, d), max(c, d)
    state.dice[0], state.dice[1], state.dice[2] = a, b, c
    state.dice[3], state.dice[4], state.dice[5] = d, e, f


@kernel
def _sorted(a, b, c):
    """Three numbers in ascending order."""
    a, b = min(a, b), max(a, b)
    b, c = min(b, c), max(b, c)
    a, b = min(a, b), max(a, b)
    return a, b, c


@kernel
def total(state):
    """Sum of the pending dice."""
    points = 0
    for k in range(MOST_DICE):  # a number of turns that varies costs more
        points += int(state.dice[k]) * int(k < state.dice_count)
    return points


@kernel
def of_two(state):
    """Sum of the dice of an event roll."""
    return int(state.dice[0]) + int(state.dice[1])


@kernel
def same_as_before(state):
    """Bits of the dice that equal the one before them and lie beside the board (0 once they are placed)."""
    bits = 0
    for k in range(1, MOST_DICE):
        bits |= int(state.dice[k] == state.dice[k - 1]) << k
    return bits & ((1 << int(state.dice_count)) - 1) * int(state.placed == 0)


@kernel
def code_of(state):
    """(code of the pending four or five dice in WAY_START, whether they have one: all show 1 to 6)."""
    code, is_usual = 0, True
    for k in range(BASIC):
        die = int(state.dice[k])
        is_usual &= 1 <= die <= SIDES
        code += int(CODE[k, index(die & (_DIE_COLUMNS - 1))])
    if state.dice_count == BAND:
        die = int(state.dice[FIFTH])
        is_usual &= 1 <= die <= SIDES
        code += int(CODE[FIFTH, index(die & (_DIE_COLUMNS - 1))])
    return code, is_usual


@kernel
def any_place(state):
    """``place`` of the pending four or five dice, without the dice."""
    return _PLACE | (_OF_FIVE if state.dice_count == BAND else _OF_FOUR)


@kernel
def arranged(way):
    """Dice of the ``way``-th arrangement, as they stand in a ``place`` action: their bits are moved apart."""
    short = int(ARRANGED[index(way)])
    detail = 0
    for p in range(BAND):
        detail |= (short & _SHORT_DIE << _SHORT_BITS * p) << (DIE_BITS - _SHORT_BITS) * p
    return detail


@kernel
def placements(state, out):
    """Write every distinct placement of the pending four or five dice to ``out``; returns how many (MM-R065)."""
    code, is_usual = code_of(state)
    if not is_usual:
        return _placements_of_any(state, out)
    start = WAY_START[index(code)]
    count = WAY_START[index(code + 1)] - start
    for i in range(count):
        out.action[i] = _PLACE | WAYS[start + i]
    return count


@kernel(inline=False)
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
