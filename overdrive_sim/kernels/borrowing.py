"""Allocations while dice are borrowed: how many there are on each target, without a list (see ``counting``)."""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.dice import CODE, NUMBER, PRESENT, SIZE, is_within
from overdrive_sim.kernels.layout import (
    ACOUSTIC,
    BOARD_SPACES,
    CHORD,
    FACES,
    GRANA,
    HIT,
    HORNS,
    IMPROVISATION,
    INFLUENCE,
    JAM_SESSION,
    MOST_DICE,
    NEW_RIFF,
    OPPORTUNITY,
    UNIT,
    VIKING_STAGE,
)  # fmt: skip
from overdrive_sim.kernels.listing import takes
from overdrive_sim.kernels.mixtures import is_canonical
from overdrive_sim.kernels.rules import ROW_COUNT_BITS
from overdrive_sim.kernels.spaces import SPECIAL, has_stage, hit_row, open_spaces, usable_hits
from simcore.bits import index, lowest, popcount
from simcore.kernel import kernel

_ROW_COUNT = (1 << ROW_COUNT_BITS) - 1
_TO_IMPROVISE = (1 << HORNS) | (1 << INFLUENCE)


@kernel
def count_borrowed(state, rules, seat, out, at):
    """Adds the allocations with borrowed dice to the counts by target from ``out.action[at]`` on.

    Returns the targets (bits) with any, or -1 where tables do not help: more than six dice, Skulls as any face.
    No track has a cap, and no single-use face may join.
    """
    me = state.seat[index(seat)]
    if me.skulls_wild or SIZE[NUMBER[me.pool]] + me.n_locked > MOST_DICE:
        return np.int64(-1)
    targets = np.int64(0)
    free = open_spaces(state, rules, seat)
    stage = has_stage(state, rules, seat)
    for bits in range(1, 1 << me.n_locked):
        if not is_canonical(me, bits):
            continue
        extra = np.int64(0)
        for k in range(me.n_locked):
            extra += (bits >> k & 1) * UNIT[me.locked[k] % FACES]
        hand = np.int64(NUMBER[me.pool + extra])
        known = rules.hand[0, index(hand)]
        spaces = free & np.int64(known.needs)
        while spaces:
            space = lowest(spaces)
            spaces &= spaces - 1
            targets |= _add(state, rules, seat, hand, extra, space, rules.space_row[space], out, at)
        if stage:
            targets |= _add(state, rules, seat, hand, extra, VIKING_STAGE + seat, rules.stage_row, out, at)
        hits = usable_hits(state, known) & ~(np.int64(state.full) >> HIT)
        while hits:
            hit = lowest(hits)
            hits &= hits - 1
            for way in range(rules.hit_ways[hit]):
                row = hit_row(state, rules, hit, way)
                targets |= _add(state, rules, seat, hand, extra, HIT + hit, row, out, at)
    return targets


@kernel
def _add(state, rules, seat, hand, extra, target, row, out, at):
    """Counts the parts of ``hand`` that hold the dice ``extra`` and meet a requirement; the target's bit, if any."""
    run = np.int64(rules.row_start[0, index(hand), index(row)])
    start = run >> ROW_COUNT_BITS
    n = np.int64(0)
    for k in range(start, start + (run & _ROW_COUNT)):
        dice = CODE[index(rules.row_dice[index(k)])]
        if is_within(extra, dice):
            if target < BOARD_SPACES and SPECIAL >> target & 1:
                n += effects(state, rules, seat, target, CODE[hand] - dice)
            else:
                n += 1
    out.action[at + target] += n
    return np.int64(n > 0) << target


@kernel
def effects(state, rules, seat, space, rest):
    """How many ways ``list_effects`` finds to carry out the effect of a special space, where no track has a cap."""
    present = np.int64(PRESENT[NUMBER[rest]])
    ways = np.int64(0)
    if space == IMPROVISATION:
        ways = 2 * popcount(present) - popcount(present & _TO_IMPROVISE)
    elif space == NEW_RIFF:
        ways = popcount(present & ~(np.int64(1) << CHORD))
    elif space == JAM_SESSION:
        ways = takes(state, rules, seat)
    elif space == OPPORTUNITY:
        ways = popcount(np.int64(state.occupied))
    elif space == ACOUSTIC:
        for track in range(4):
            ways += track != GRANA and rules.space_reward[space, track] > 0
    else:
        ways = np.int64(state.seat[seat].extra_dice < rules.extra_dice)
    return max(ways, np.int64(rules.option.void_allocation))
