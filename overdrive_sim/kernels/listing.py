"""Writing runs of action ids into the legal list: dice to re-roll, changes of a face, dice to take, targets.

Every writer takes the number of actions already in ``out`` and returns the new one, or FULL when the
list would overflow; FULL stays FULL through every further writer.
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.dice import NUMBER, PRESENT, SUBSET_FIELD, SUBSET_START, SUBSETS, is_within
from overdrive_sim.kernels.layout import FACES, LEGAL_CAPACITY
from overdrive_sim.kernels.places import can_borrow
from simcore.bits import lowest
from simcore.kernel import kernel

FULL = LEGAL_CAPACITY + 1

#: Most sub-multisets of one hand, most dice on the board, most targets: room that a writer asks for.
MOST_SUBSETS, MOST_TAKES, MOST_TARGETS, MOST_PAIRS = 36, 24, 39, 32


@kernel
def list_rolls(out, n, base, me):
    """Every way to throw some of a seat's own dice again; ``detail`` numbers the shielded ones among them."""
    hand = NUMBER[me.pool]
    first, last = SUBSET_START[hand] + 1, SUBSET_START[hand + 1]
    if me.shielded == 0:
        if n + MOST_SUBSETS > LEGAL_CAPACITY:
            return FULL
        for k in range(first, last):
            out.action[n] = base | SUBSET_FIELD[k]
            n += 1
        return n
    bare = me.pool - me.shielded
    shielded = NUMBER[me.shielded]
    for k in range(first, last):
        if n + MOST_SUBSETS > LEGAL_CAPACITY:
            return FULL
        for s in range(SUBSET_START[shielded], SUBSET_START[shielded + 1]):
            if is_within(SUBSETS[s], SUBSETS[k]) and is_within(SUBSETS[k] - SUBSETS[s], bare):
                out.action[n] = base | SUBSET_FIELD[k] | NUMBER[SUBSETS[s]]
                n += 1
    return n


@kernel
def list_pairs(out, n, base, bare, shielded, origins, goals):
    """Changes of one die from a face in ``origins`` to another in ``goals`` (bits of faces).

    ``bare``, ``shielded``: dice codes of the dice that may change.  Writes ``base`` plus the pair.
    """
    if n + MOST_PAIRS > LEGAL_CAPACITY:
        return FULL
    left = PRESENT[NUMBER[bare]] & origins
    if shielded:
        left |= (PRESENT[NUMBER[shielded]] & origins) << FACES
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
def list_takes(state, rules, seat, out, n, base):
    """Dice of opponents on the board that ``seat`` may borrow (R-SPC-06); writes ``base`` plus the take."""
    if n + MOST_TAKES > LEGAL_CAPACITY:
        return FULL
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
def list_targets(out, n, base, targets):
    """Writes ``base`` plus the number of each target in ``targets`` (bits)."""
    if n + MOST_TARGETS > LEGAL_CAPACITY:
        return FULL
    while targets:
        out.action[n] = base + lowest(targets)
        targets &= targets - 1
        n += 1
    return n


@kernel
def list_one(out, n, action):
    """Writes one action id."""
    if n >= LEGAL_CAPACITY:
        return FULL
    out.action[n] = action
    return n + 1
