"""What a band, its money and the turns to come are worth, in fame expected until the end of the game.

Places in ``params.options[1].action``: KINDS_AT: kinds of a band, one an artist; places in ``params.value``
from WORK on: LEFT (turns each seat still has, estimated), URGENT (1: only the fame of this turn counts).
"""

from __future__ import annotations

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
NO_CHANGE = -1


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
def tested(me, rules, artist, instrument, company, equalizer):
    """Characteristic that ``artist`` tests on ``instrument`` with a company (MM-R066, MM-R014)."""
    column = int(rules.action_tests[equalizer])
    if column == DEGREE:
        column = instrument
    return int(rules.tested[company + 1, artist, column])


@kernel
def write_kinds(me, rules, kinds, equalizer, company, position, artist, instrument, condition, all_active):
    """Write the kinds of a band to ``kinds``; returns how many.

    ``artist`` on ``instrument`` in ``condition`` takes ``position`` (NO_CHANGE: nobody does);
    ``all_active``: 1 to take every artist as active.
    """
    n = 0
    for place in range(BAND):
        who, plays, state_of = int(me.artist[place]), place, int(me.condition[place])
        if place == FIFTH:
            plays = int(me.fifth)
        if place == position:
            who, plays, state_of = artist, instrument, condition
        if who != NOBODY:
            if all_active:
                state_of = ACTIVE
            kinds[n] = kind_of(tested(me, rules, who, plays, company, equalizer), state_of)
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
    """Expected worth of performing, recording or advertising with the band as it is (MM-R062)."""
    kinds = params.options[1].action
    n = write_kinds(me, rules, kinds, equalizer, int(me.company), NO_CHANGE, 0, 0, 0, 0)
    if params.value[URGENT] > 0.0:
        return table_worth(params, kinds, n, FAME_ONLY)
    return throw_worth(params, kinds, n, level_worth(params, me, equalizer))


@kernel
def band_worth(me, rules, params, company, position, artist, instrument, condition):
    """Worth of a band for the next throw and, all active, for those after it.

    One member may be exchanged as in ``write_kinds``.  An inactive artist costs the next throw.
    """
    kinds, value = params.options[1].action, params.value
    inactive = 0
    for place in range(BAND):
        state_of = condition if place == position else int(me.condition[place])
        inactive += state_of == INACTIVE
    soon, later = -1e9, -1e9
    for equalizer in range(3):
        n = write_kinds(me, rules, kinds, equalizer, company, position, artist, instrument, condition, 0)
        soon = max(soon, throw_worth(params, kinds, n, level_worth(params, me, equalizer)))
        n = write_kinds(me, rules, kinds, equalizer, company, position, artist, instrument, condition, 1)
        later = max(later, table_worth(params, kinds, n, 0))
    if inactive > 0:
        soon = params.number[V_CHOICE] - inactive
    return soon + params.number[V_HIRE] * max(0.0, value[LEFT] - 1.0) * later


@kernel
def present_worth(me, rules, params):
    """Worth of the band as it stands."""
    return band_worth(me, rules, params, int(me.company), NO_CHANGE, 0, 0, 0)


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
        none = (5.0 / 6.0) ** dice
        one = dice / 6.0 * (5.0 / 6.0) ** (dice - 1) if dice > 0 else 0.0
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
