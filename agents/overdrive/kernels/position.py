"""What a position of Overdrive says about who will win: the features of the leaf model."""

from __future__ import annotations

import numpy as np

from agents.overdrive.kernels.worth import levels_asked, special_points
from overdrive_sim.kernels.dice import NUMBER, SIZE
from overdrive_sim.kernels.layout import (
    ALLOCATION,
    FAME,
    FANS,
    GRANA,
    METALLUM,
    NO_AWARD,
    OVERDRIVE,
    STANDARD,
)  # fmt: skip
from overdrive_sim.kernels.scoring import total_points
from simcore.bits import lowest, popcount
from simcore.kernel import kernel

#: Names of the features, a column each.
NAMES = (
    "points", "turn_to_come", "grana", "extra_dice", "ability_a", "ability_b", "ability_c_to_come", "next_step",
    "award_to_come", "shield", "cards", "hits", "dice_in_hand", "marker", "members_on_board", "fame",
)  # fmt: skip

_LAST_STAGE = 15


@kernel
def table_of(state):
    """The line-up's kind: 2 to 4 players are 0 to 2, solo and co-op with Metallum and 1 to 4 humans 3 to 6."""
    seats = np.int64(state.seats)
    return seats - 2 if state.mode == STANDARD else seats + 1


@kernel
def half_round(state):
    """Half rounds before this one: allocation and battle are a half each, whether or not there is a battle."""
    return 2 * (np.int64(state.game_round) - 1) + (state.phase != ALLOCATION)


@kernel
def features(state, rules, out):
    """Write what counts in ``state`` to ``out`` (FEATURES, in place).

    Weights differ by number of seats (solo and co-op of their own), by round and by allocation or battle.
    """
    seats = np.int64(state.seats)
    out.seats = seats
    out.table = table_of(state)
    out.stage = min(_LAST_STAGE, half_round(state))
    for seat in range(seats):
        if state.mode == STANDARD:
            out.side[seat] = seat
        else:
            out.side[seat] = min(seat, 1)
        out.number[seat, 1] = 0.0
    if state.phase == ALLOCATION:
        for place in range(state.position, seats):
            out.number[state.order[place], 1] = 1.0
    for seat in range(seats):
        describe(state, rules, seat, out.number[seat])


@kernel
def clock(state):
    """The half round, from 1, where one human plays against Metallum, whose turns nobody decides; 0 elsewhere."""
    if state.mode == STANDARD or state.seats > 2:
        return np.int64(0)
    return np.int64(1 + half_round(state))


@kernel
def describe(state, rules, seat, number):
    """The features of one seat."""
    me = state.seat[seat]
    number[0] = 0.1 * total_points(state, rules, seat)
    number[2] = 0.2 * me.grana
    number[3] = me.extra_dice
    number[4] = me.overdrive >= rules.unlock_level[0]
    number[5] = me.overdrive >= rules.unlock_level[1]
    number[6] = special_to_come(rules, me)
    number[7] = step_to_come(rules, me)
    number[8] = award_to_come(state, rules, me)
    number[9] = me.fame >= rules.shield_level
    number[10] = popcount(np.int64(me.hand))
    number[11] = popcount(np.int64(me.hits))
    number[12] = SIZE[NUMBER[np.int64(me.pool)]] if me.band != METALLUM else 0.0
    number[13] = state.marker == seat
    number[14] = me.on_board
    number[15] = 0.1 * me.fame


@kernel
def special_to_come(rules, me):
    """Points that ability C would give at the present levels, while it is locked."""
    if me.overdrive >= rules.unlock_level[2]:
        return 0.0
    near = me.overdrive / max(1.0, 1.0 * rules.unlock_level[2])
    return 0.1 * near * special_points(rules, me)


@kernel
def step_to_come(rules, me):
    """Part of the points of the next step of Overdrive, in proportion to the way."""
    below, points = 0, 0
    for step in range(rules.points_steps):
        above = rules.points_level[step]
        if me.overdrive < above:
            return 0.1 * (rules.points_value[step] - points) * (me.overdrive - below) / max(1, above - below)
        below, points = above, rules.points_value[step]
    return 0.0


@kernel
def award_to_come(state, rules, me):
    """Points of the best award still to be had, times the square of the part of its levels that are there."""
    held = 0.0
    if me.award != NO_AWARD:
        held = 1.0 * rules.award_points[me.award]
    best = 0.0
    left = np.int64(state.awards)
    while left != 0:
        award = lowest(left)
        left &= left - 1
        target = rules.award_target[award]
        missing = max(0, target[FANS] - me.fans) + max(0, target[FAME] - me.fame)
        missing += max(0, target[GRANA] - me.grana) + max(0, target[OVERDRIVE] - me.overdrive)
        near = 1.0 - missing / max(1.0, 1.0 * levels_asked(target))
        best = max(best, near * near * (rules.award_points[award] - held))
    return 0.1 * best
