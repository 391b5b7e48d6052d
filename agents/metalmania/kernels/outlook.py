"""What a band, its money and the turns to come are worth, in fame expected until the end of the game.

Places in ``params.options[1].action``: KINDS + 8 * equalizer + position: kinds of the band that was read,
STATES + position: its conditions; the front is room for look-ups.  Places in ``params.value``: LEFT: turns
each seat still has, estimated; URGENT: 1 when only the fame of this turn counts.
"""

from __future__ import annotations

import numpy as np

from agents.metalmania.kernels.matching import FAME_ONLY, kind_of, table_worth, throw_worth
from agents.metalmania.kernels.weights import (
    V_ADVERTISING,
    V_CHOICE,
    V_FINAL,
    V_HIRE,
    V_INACTIVE,
    V_MONEY,
    V_PERFORMANCE,
    V_RATE,
    V_RECORDING,
    V_RESERVE,
    V_TROUBLE,
)  # fmt: skip
from metalmania_sim.kernels.band import beers_dice
from metalmania_sim.kernels.layout import (
    ACTIVE,
    ADVERTISING,
    BAND,
    FIFTH,
    INACTIVE,
    MOST_LEVEL,
    NOBODY,
    RECORDING,
    TROUBLESOME,
)  # fmt: skip
from metalmania_sim.kernels.rules import DEGREE
from simcore.kernel import kernel

LEFT, URGENT = 240, 241
KINDS, STATES, KEPT = 64, 96, 104

#: Chances that n Beers dice show no 6, and exactly one.
NO_SIX = np.array([(5 / 6) ** n for n in range(9)])
ONE_SIX = np.array([n / 6 * (5 / 6) ** (n - 1) if n else 0.0 for n in range(9)])


@kernel
def prepare(state, rules, params, seat):
    """Estimate the turns left from the fame of the leader, and whether ``seat`` is about to win."""
    most = 0
    for other in range(state.players):
        most = max(most, int(state.seat[other].fame))
    missing = int(rules.win_fame) - int(state.seat[seat].fame)
    params.value[LEFT] = max(1.0, (int(rules.win_fame) - most) / params.number[V_RATE])
    params.value[URGENT] = 1.0 if missing <= params.number[V_FINAL] else 0.0


@kernel
def tested(rules, artist, instrument, company, equalizer):
    """Characteristic that ``artist`` tests on ``instrument`` with a company (MM-R066, MM-R014)."""
    column = int(rules.action_tests[equalizer])
    if column == DEGREE:
        column = instrument
    return int(rules.tested[company + 1, artist, column])


@kernel
def read_band(me, rules, params, company):
    """Write the kinds of a band with ``company``, by equalizer and position (NOBODY on an empty fifth)."""
    note = params.options[1].action
    for equalizer in range(3):
        for place in range(BAND):
            who, plays = int(me.artist[place]), int(me.fifth) if place == FIFTH else place
            kind = NOBODY
            if who != NOBODY:
                kind = kind_of(tested(rules, who, plays, company, equalizer), int(me.condition[place]))
            note[KINDS + 8 * equalizer + place] = kind
    for place in range(BAND):
        note[STATES + place] = int(me.condition[place])


@kernel
def take_kinds(params, equalizer, all_active):
    """Copy the kinds for one equalizer to the front for a look-up; returns how many."""
    note = params.options[1].action
    n = 0
    for place in range(BAND):
        kind = note[KINDS + 8 * equalizer + place]
        if kind != NOBODY:
            note[n] = kind % 6 if all_active else kind
            n += 1
    return n


@kernel
def level_worth(params, me, equalizer):
    """Worth of one more level of an equalizer through the turns to come (0 at the highest)."""
    if me.level[equalizer] >= MOST_LEVEL:
        return 0.0
    number = params.number
    each = number[V_PERFORMANCE]
    if equalizer == RECORDING:
        each = number[V_RECORDING]
    elif equalizer == ADVERTISING:
        each = number[V_ADVERTISING]
    return each * params.value[LEFT]


@kernel
def action_worth(me, rules, params, equalizer):
    """Expected worth of performing, recording or advertising with the band that was read (MM-R062)."""
    n = take_kinds(params, equalizer, 0)
    if params.value[URGENT] > 0.0:
        return table_worth(params, params.options[1].action, n, FAME_ONLY)
    return throw_worth(params, params.options[1].action, n, level_worth(params, me, equalizer))


@kernel
def band_worth(me, params):
    """Worth of the band that was read, for the next throw and, all active, for those after it.

    An inactive artist costs the next throw.
    """
    note, value = params.options[1].action, params.value
    inactive = 0
    for place in range(BAND):
        inactive += note[STATES + place] == INACTIVE
    soon, later = -1e9, -1e9
    for equalizer in range(3):
        if inactive == 0:
            n = take_kinds(params, equalizer, 0)
            soon = max(soon, throw_worth(params, note, n, level_worth(params, me, equalizer)))
        n = take_kinds(params, equalizer, 1)
        later = max(later, table_worth(params, note, n, 0))
    if inactive > 0:
        soon = params.number[V_CHOICE] - inactive
    return soon + params.number[V_HIRE] * max(0.0, value[LEFT] - 1.0) * later


@kernel
def changed_worth(me, rules, params, place, artist, instrument, condition):
    """Worth of the band that was read when ``artist`` on ``instrument`` stands at ``place`` in ``condition``."""
    note = params.options[1].action
    for equalizer in range(3):
        cell = KINDS + 8 * equalizer + place
        note[KEPT + equalizer] = note[cell]
        note[cell] = kind_of(tested(rules, artist, instrument, int(me.company), equalizer), condition)
    note[KEPT + 3] = note[STATES + place]
    note[STATES + place] = condition
    worth = band_worth(me, params)
    note[STATES + place] = note[KEPT + 3]
    for equalizer in range(3):
        note[KINDS + 8 * equalizer + place] = note[KEPT + equalizer]
    return worth


@kernel
def money_worth(params, me, members, money):
    """Worth of an amount of money: wages to come in full, then what hires need, the rest at a third."""
    left = params.value[LEFT]
    needed = members * left + params.number[V_RESERVE] * left
    each = params.number[V_MONEY]
    worth = each * min(money, needed) + each / 3.0 * max(0.0, money - needed)
    if money < members:
        worth -= params.number[V_TROUBLE] * (members - money)
    return worth


@kernel
def condition_cost(params, condition):
    """What a condition costs against active, by the plain weights."""
    if condition == TROUBLESOME:
        return params.number[V_TROUBLE]
    return params.number[V_INACTIVE] if condition == INACTIVE else 0.0


@kernel
def beers_worth(me, rules, params):
    """Expected worth of the Beers action: each artist's change, and miracles (MM-R106 to MM-R111)."""
    heal = 0.0
    for position in range(BAND):
        if me.artist[position] != NOBODY:
            heal += full_cost(params, me, position)
    worth, no_miracle = 0.0, 1.0
    for position in range(BAND):
        dice = beers_dice(me, rules, position)
        if me.artist[position] == NOBODY:
            continue
        none, one = NO_SIX[dice], ONE_SIX[dice]
        miracle = 1.0 - none - one
        now, condition = full_cost(params, me, position), int(me.condition[position])
        better = now - step_cost(params, max(ACTIVE, condition - 1))
        worse = step_cost(params, min(INACTIVE, condition + 1)) - now
        worth += no_miracle * (none * better - one * worse + miracle * (rules.miracle_two + heal))
        no_miracle *= 1.0 - miracle
    return worth


@kernel
def step_cost(params, condition):
    """What a condition costs in all: the fame it misses in a throw, and the risk."""
    if condition == TROUBLESOME:
        return params.number[V_TROUBLE] + 1.0
    return params.number[V_INACTIVE] + 2.0 if condition == INACTIVE else 0.0


@kernel
def full_cost(params, me, position):
    """``step_cost`` of the artist on a position."""
    return step_cost(params, int(me.condition[position]))
