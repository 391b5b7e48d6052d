"""Beers: who drinks, each artist's throw, miracles (MM-R106 to MM-R112)."""

from __future__ import annotations

from metalmania_sim.kernels import band, dice, fame
from metalmania_sim.kernels.layout import ACTIVE, AFTER_BEERS, FROM_MIRACLES, INACTIVE, NEXT_BEERS, ROLL_BEERS
from simcore.bits import index
from simcore.kernel import kernel

_SIX = 6
_STOP = 0  # option miracle_rolls
NO_MIRACLE = -1  # of this drinker so far


@kernel
def start(state, drinkers):
    """The first ``drinkers`` seats of ``state.drinker`` drink, one after another."""
    state.drinkers = drinkers
    state.drink_index = 0
    state.position = 0
    state.miracle_fame = NO_MIRACLE
    state.stage = NEXT_BEERS


@kernel
def proceed(state, rules):
    """Go to the next throw, past artists without dice (A37), or to the next drinker, or to the end."""
    while state.drink_index < state.drinkers:
        seat = drinker(state)
        me = state.seat[index(seat)]
        while state.position < me.members:
            n = band.beers_dice(me, rules, int(state.position))
            if n > 0:
                dice.wait_for_throw(state, ROLL_BEERS, n, seat)
                return
            band.improve(me, int(state.position))  # no dice, hence no 6
            state.position += 1
        if state.miracle_fame != NO_MIRACLE:
            _celebrate(state, rules)
            return
        next_drinker(state)
    state.stage = AFTER_BEERS


@kernel
def drinker(state):
    """Seat that drinks now."""
    return int(state.drinker[index(state.drink_index)])


@kernel
def next_drinker(state):
    """The next seat drinks, from its first artist on."""
    state.drink_index += 1
    state.position = 0
    state.miracle_fame = NO_MIRACLE


@kernel
def sixes_shown(state):
    """Sixes among the pending dice."""
    sixes = 0
    for k in range(int(state.dice_count)):
        sixes += state.dice[k] == _SIX
    return sixes


@kernel
def judge(state, rules, sixes):
    """So many sixes change the artist's condition, or are a miracle; on to what is next (MM-R107 to MM-R110).

    A condition gets better or worse without a branch: nobody can foresee which.
    """
    me = state.seat[index(drinker(state))]
    position = index(state.position)
    state.position += 1
    if sixes > 1:
        state.miracle_fame = max(int(state.miracle_fame), 0) + miracle_fame(rules, sixes)
        if rules.option.miracle_rolls == _STOP:
            _celebrate(state, rules)
            return
    else:
        me.condition[position] = min(max(int(me.condition[position]) + 2 * sixes - 1, ACTIVE), INACTIVE)
    proceed(state, rules)


@kernel
def miracle_fame(rules, sixes):
    """Fame of a miracle with two, three, or more sixes (A36)."""
    if sixes == 2:
        return int(rules.miracle_two)
    if sixes == 3:
        return int(rules.miracle_three)
    return int(rules.miracle_4plus)


@kernel(inline=False)
def _celebrate(state, rules):
    """The band turns active, its owner wins the fame; no further artist of it rolls (MM-R111, A33, A35)."""
    seat = drinker(state)
    band.cheer_up(state.seat[index(seat)])
    if seat == state.turn:
        state.miracle = 1
    elif rules.option.miracle_offturn == 1:
        state.seat[index(seat)].free_wages = 1
    won = int(state.miracle_fame)
    next_drinker(state)
    fame.change_fame(state, rules, seat, FROM_MIRACLES, won)
