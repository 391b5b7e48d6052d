"""Writing runs of action ids into the legal list: dice to re-roll, changes of a face, dice to take, targets.

Every writer takes the number of actions already in ``out`` and returns the new one, or FULL when the
list would overflow; FULL stays FULL through every further writer.  Short runs are written in blocks: what
stands beyond the last action is overwritten by the next writer.
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.dice import (
    NUMBER,
    PAIR_COUNT,
    PAIRS,
    PAIRS_TO,
    PRESENT,
    SUBSET_NUMBER,
    SUBSET_START,
    SUBSETS,
    is_within,
)  # fmt: skip
from overdrive_sim.kernels.layout import DICE_SHIFT, FACES, LEGAL_CAPACITY, MOST_LOCKED, SEATS
from overdrive_sim.kernels.places import can_borrow
from simcore.bits import index, lowest, nth, popcount
from simcore.blocks import BLOCK, write_block, write_run
from simcore.kernel import kernel

FULL = LEGAL_CAPACITY + 1

#: Most sub-multisets of one hand, dice on the board, targets, pairs: room that a writer asks for.
MOST_SUBSETS, MOST_TAKES, MOST_TARGETS, MOST_PAIRS = 36, 24, 39, 32

_ANY_FACE = (1 << FACES) - 1


@kernel
def list_rolls(out, n, base, me):
    """Every way to throw some of a seat's own dice again; ``detail`` numbers the shielded ones among them."""
    hand = NUMBER[me.pool]
    first, last = np.int64(SUBSET_START[hand]) + 1, np.int64(SUBSET_START[hand + 1])
    if n + MOST_SUBSETS + BLOCK > LEGAL_CAPACITY:
        return FULL
    if me.shielded == 0:
        # Two blocks at once, the length of a hand of four different dice: no end to foresee.
        write_block(out.action, n, SUBSET_NUMBER, first, DICE_SHIFT, 0, base)
        write_run(out.action, n + BLOCK, SUBSET_NUMBER, first + BLOCK, last - first - BLOCK, DICE_SHIFT, 0, base)
        return n + last - first
    bare = me.pool - me.shielded
    shielded = NUMBER[me.shielded]
    for k in range(first, last):
        if n + MOST_SUBSETS > LEGAL_CAPACITY:
            return FULL
        for s in range(SUBSET_START[shielded], SUBSET_START[shielded + 1]):
            if is_within(SUBSETS[s], SUBSETS[k]) and is_within(SUBSETS[k] - SUBSETS[s], bare):
                out.action[n] = base | (np.int64(SUBSET_NUMBER[k]) << DICE_SHIFT) | NUMBER[SUBSETS[s]]
                n += 1
    return n


@kernel
def list_pairs(out, n, base, bare, shielded, origins, goals):
    """Changes of one die from a face in ``origins`` to another in ``goals`` (bits of faces).

    ``bare``, ``shielded``: dice codes of the dice that may change.  Writes ``base`` plus the pair.
    """
    if n + MOST_PAIRS > LEGAL_CAPACITY:
        return FULL
    left = np.int64(PRESENT[NUMBER[bare]]) & origins
    if shielded:
        left |= (np.int64(PRESENT[NUMBER[shielded]]) & origins) << FACES
    elif goals == _ANY_FACE:
        return write_run(out.action, n, PAIRS, left * 2 * BLOCK, np.int64(PAIR_COUNT[left]), 0, 0, base)
    while left:
        origin = lowest(left)
        left &= left - 1
        to = goals & ~(1 << (origin % FACES))
        while to:
            out.action[n] = base + origin * 4 + lowest(to)
            to &= to - 1
            n += 1
    return n


@kernel
def list_changes(out, n, base, me, origins, goal):
    """Changes of one own die, shielded or not, from a face in ``origins`` (bits) to the face ``goal``."""
    if me.shielded:
        return list_pairs(out, n, base, me.pool - me.shielded, np.int64(me.shielded), origins, np.int64(1) << goal)
    if n + 2 * BLOCK > LEGAL_CAPACITY:
        return FULL
    faces = np.int64(PRESENT[NUMBER[me.pool]]) & origins & ~(np.int64(1) << goal)
    return write_run(out.action, n, PAIRS_TO, (goal << FACES | faces) * BLOCK, popcount(faces), 0, 0, base)


@kernel
def list_takes(state, rules, seat, out, n, base):
    """Dice of opponents on the board that ``seat`` may borrow (R-SPC-06); writes ``base`` plus the take."""
    if n + MOST_TAKES + BLOCK > LEGAL_CAPACITY:
        return FULL
    if rules.option.jam_die or state.seat[seat].n_locked >= MOST_LOCKED:
        return _list_some_takes(state, rules, seat, out, n, base)
    targets = np.int64(state.occupied)
    others = ~(((np.int64(1) << FACES) - 1) << (seat * FACES))
    while targets:
        target = lowest(targets)
        targets &= targets - 1
        n = list_targets(out, n, base + target * 32, np.int64(state.lying[target]) & others)
    return n


@kernel
def takes(state, rules, seat):
    """How many dice of opponents on the board ``seat`` may borrow."""
    if state.seat[seat].n_locked and (rules.option.jam_die or state.seat[seat].n_locked >= MOST_LOCKED):
        return _some_takes(state, rules, seat)
    others = ~(((np.int64(1) << FACES) - 1) << (seat * FACES))
    targets, n = np.int64(state.occupied), np.int64(0)
    while targets:
        n += popcount(np.int64(state.lying[index(lowest(targets))]) & others)
        targets &= targets - 1
    return n


@kernel
def _some_takes(state, rules, seat):
    """The same where a die is only counted, or no more dice may be borrowed."""
    targets, n = np.int64(state.occupied), np.int64(0)
    while targets:
        target = lowest(targets)
        targets &= targets - 1
        for which in range(SEATS * FACES):
            if state.lying[target] >> which & 1 and which // FACES != seat:
                n += can_borrow(state, rules, seat, target, which // FACES, which % FACES)
    return n


@kernel
def nth_take(state, seat, k):
    """The ``k``-th take of those that ``takes`` counts while ``seat`` has borrowed none."""
    others = ~(((np.int64(1) << FACES) - 1) << (seat * FACES))
    targets = np.int64(state.occupied)
    while True:
        target = lowest(targets)
        dice = np.int64(state.lying[target]) & others
        if k < popcount(dice):
            return target * 32 + nth(dice, k)
        k -= popcount(dice)
        targets &= targets - 1


@kernel
def _list_some_takes(state, rules, seat, out, n, base):
    """The same where a die is only counted, or no more dice may be borrowed."""
    targets = np.int64(state.occupied)
    others = ~(((np.int64(1) << FACES) - 1) << (seat * FACES))
    while targets:
        target = lowest(targets)
        targets &= targets - 1
        left = np.int64(state.lying[target]) & others
        while left:
            which = lowest(left)
            left &= left - 1
            if can_borrow(state, rules, seat, target, which // FACES, which % FACES):
                out.action[n] = base + target * 32 + which
                n += 1
    return n


@kernel
def list_targets(out, n, base, bits):
    """Writes ``base`` plus the number of each set bit, four at a time (the last ones beyond the run)."""
    if n + MOST_TARGETS + BLOCK > LEGAL_CAPACITY:
        return FULL
    end = n + popcount(bits)
    k = n
    while True:
        for j in range(4):
            out.action[k + j] = base + lowest(bits)
            bits &= bits - 1
        k += 4
        if k >= end:
            return end


@kernel
def list_some(out, n, base, bits):
    """The same where there rarely is any: one at a time."""
    while bits:
        n = list_one(out, n, base + lowest(bits))
        bits &= bits - 1
    return n


@kernel
def list_one(out, n, action):
    """Writes one action id."""
    if n >= LEGAL_CAPACITY:
        return FULL
    out.action[n] = action
    return n + 1


@kernel
def merge_runs(out, first, middle, last):
    """Merge the ascending runs ``out.action[first:middle]`` and ``[middle:last]`` in place.

    The second run waits behind the list while the merged one is written from its end on; where there is no
    room for that, or it is short, it is sorted in.
    """
    n = last - middle
    if n < 4 or last + n > LEGAL_CAPACITY:
        sort_run(out, first, last)
        return
    for k in range(n):
        out.action[last + k] = out.action[middle + k]
    one, other = middle - 1, last + n - 1
    for k in range(last - 1, first - 1, -1):
        if other < last:
            return
        if one >= first and out.action[one] > out.action[other]:
            out.action[k] = out.action[one]
            one -= 1
        else:
            out.action[k] = out.action[other]
            other -= 1


@kernel
def sort_run(out, first, last):
    """Sort ``out.action[first:last]`` ascending, in place (short and nearly sorted runs)."""
    if last > LEGAL_CAPACITY:
        return
    for i in range(first + 1, last):
        action = out.action[i]
        k = i
        while k > first and out.action[k - 1] > action:
            out.action[k] = out.action[k - 1]
            k -= 1
        out.action[k] = action
