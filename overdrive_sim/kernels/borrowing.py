"""Allocations while one die is borrowed: how many there are on each target and which one, without a list.

Own dice and the borrowed one are looked up as one hand, of whose choices tables know how many hold the borrowed face
(``row_with``, ``space_with``).  More than one borrowed die is left to the list: rarely does anybody hold two.
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.allocation import own_on
from overdrive_sim.kernels.dice import CODE, COUNT, MOST_DICE, SIZE, number_of
from overdrive_sim.kernels.layout import (
    BOARD_SPACES,
    BORROWED_SHIFT,
    DICE_SHIFT,
    FACE_BITS,
    HIT,
    TARGET_SHIFT,
    UNIT,
    VIKING_STAGE,
)  # fmt: skip
from overdrive_sim.kernels.mixtures import borrowed_on
from overdrive_sim.kernels.rules import ROW_COUNT_BITS, WITH_BITS
from overdrive_sim.kernels.spaces import ON_BOARD, effects_on_board, has_stage, hit_row, open_spaces, usable_hits
from simcore.bits import index, lowest
from simcore.kernel import kernel

_ROW_COUNT = (1 << ROW_COUNT_BITS) - 1
_WITH = (1 << WITH_BITS) - 1
_NO_NUMBER = 1 << 8


@kernel
def is_counted(me):
    """Whether tables know the allocations of a seat with borrowed dice: one, six dice in all, Skulls as they are."""
    return me.n_locked == 1 and not me.skulls_wild and SIZE[index(number_of(me.pool))] < MOST_DICE


@kernel
def count_borrowed(state, rules, seat, out, at):
    """Writes how many allocations there are on a target to ``out.action[at + target]``; returns the targets (bits).

    For seats of which ``is_counted`` holds; no track has a cap, and no single-use face may join.
    """
    me = state.seat[index(seat)]
    notes = out.action
    face = np.int64(me.locked[0]) & FACE_BITS
    hand, both, shift = index(number_of(me.pool)), index(number_of(me.pool + UNIT[index(face)])), WITH_BITS * face
    known, more = rules.hand[0, hand], rules.hand[0, both]
    targets = open_spaces(state, rules, seat) & np.int64(known.fits | more.fits)
    spaces = targets
    while spaces:
        space = index(lowest(spaces))
        spaces &= spaces - 1
        if ON_BOARD >> space & 1:
            row = index(rules.space_row[space])
            n = _count_row(rules, hand, both, row, shift) * effects_on_board(state, rules, seat, space)
        else:
            n = np.int64(known.start[space + 1]) - np.int64(known.start[space])
            n += rules.space_with[both, space] >> shift & _WITH
        notes[at + space] = n
    if has_stage(state, rules, seat):
        notes[at + VIKING_STAGE + seat] = _count_row(rules, hand, both, index(rules.stage_row), shift)
        targets |= np.int64(1) << (VIKING_STAGE + seat)
    hits = (usable_hits(state, known) | usable_hits(state, more)) & ~(np.int64(state.full) >> HIT)
    targets |= hits << HIT
    while hits:
        hit = lowest(hits)
        hits &= hits - 1
        n = _count_row(rules, hand, both, index(state.hit_need[index(hit)]), shift)
        if rules.hit_ways[index(hit)] > 1:
            n += _count_row(rules, hand, both, index(hit_row(state, rules, hit, 1)), shift)
        notes[at + HIT + hit] = n
    return targets


@kernel(inline=True)
def _count_row(rules, hand, both, row, shift):
    """Parts of a hand that meet a requirement, and those of own and borrowed dice together that hold the latter."""
    return np.int64(rules.hand[0, hand].row_count[row]) + (rules.row_with[both, row] >> shift & _WITH)


@kernel
def pick_borrowed(state, rules, seat, target, out, at, k):
    """The ``k``-th allocation on a target of those that ``count_borrowed`` has counted.

    Where a choice is no more than its dice and a number beside them, own ones and those with the borrowed die are
    walked through side by side; else all of the target are listed from ``out.action[at]`` on.
    """
    me = state.seat[seat]
    if target < BOARD_SPACES:
        is_walked = not ON_BOARD >> target & 1
    else:
        is_walked = target < HIT or rules.hit_ways[index(target - HIT)] == 1
    if is_walked:
        return _walk(state, rules, seat, target, np.int64(me.locked[0]) & FACE_BITS, k)
    n = own_on(state, rules, seat, target, out, at)
    borrowed_on(state, rules, seat, target, out, at, n)
    return out.action[at + k]


@kernel
def _walk(state, rules, seat, target, face, k):
    """The ``k``-th of the choices of own dice and of those with a borrowed die, by own dice, without it first."""
    pool = state.seat[index(seat)].pool
    own, own_end = _choices(state, rules, number_of(pool), target)
    more, more_end = _choices(state, rules, number_of(pool + UNIT[index(face)]), target)
    while True:
        while more < more_end and COUNT[index(_choice(rules, target, more) >> 8), index(face)] == 0:
            more += 1
        one = _choice(rules, target, own) if own < own_end else np.int64(_NO_NUMBER << 8)
        other = np.int64(_NO_NUMBER << 8)
        if more < more_end:
            other = _choice(rules, target, more)
            other = number_of(CODE[index(other >> 8)] - UNIT[index(face)]) << 8 | other & 255
        is_own = one >> 8 <= other >> 8
        if k == 0:
            base = np.int64(target) << TARGET_SHIFT | np.int64(not is_own) << BORROWED_SHIFT
            chosen = one if is_own else other
            return base | (chosen >> 8) << DICE_SHIFT | chosen & 255
        k -= 1
        own += is_own
        more += not is_own


@kernel
def _choices(state, rules, hand, target):
    """Where the choices of a hand on a target stand in their table: start and end."""
    if target < BOARD_SPACES:
        known = rules.hand[0, index(hand)]
        return np.int64(known.start[index(target)]), np.int64(known.start[index(target + 1)])
    row = rules.stage_row if target < HIT else np.int64(state.hit_need[index(target - HIT)])
    run = np.int64(rules.row_start[0, index(hand), index(row)])
    return run >> ROW_COUNT_BITS, (run >> ROW_COUNT_BITS) + (run & _ROW_COUNT)


@kernel
def _choice(rules, target, at):
    """One choice of a table: the number of its dice << 8, and what it says beside them."""
    if target < BOARD_SPACES:
        return np.int64(rules.space_choice[index(at)])
    return np.int64(rules.row_dice[index(at)]) << 8
