"""Step 2: the event roll, its paid shift and the effects of the Event board (MM-R043 to MM-R059)."""

from __future__ import annotations

from metalmania_sim.kernels import actions, audition, band, beers, bonuses, dice, fame
from metalmania_sim.kernels.layout import (
    ACTIVE,
    BAND,
    CHOOSE_DRINK,
    CHOOSE_HEAL,
    CHOOSE_HIRE,
    CHOOSE_SHIFT,
    CHOOSE_TROUBLE,
    CHOOSE_VICTIM,
    FIRST_EVENT,
    FROM_EVENTS,
    HEAL,
    INACTIVE,
    KEEP,
    LAST_EVENT,
    NOBODY,
    OPEN_DICE_WINDOW,
    SHIFT,
    START_ACTION,
    TROUBLE,
    TROUBLESOME,
    VICTIM,
)  # fmt: skip
from metalmania_sim.kernels.rules import (
    ALL_DRINK,
    PICK_DRINKER,
    PICK_HEAL,
    PICK_HIRE,
    PICK_TROUBLE,
    PICK_VICTIM,
)  # fmt: skip
from simcore.bits import index, lowest
from simcore.kernel import kernel

_EVENTS = LAST_EVENT - FIRST_EVENT + 1
_OPPONENT_ACTIVE, _OPPONENT_ANY, _ANY_PLAYER, _WORSEN = range(4)  # option event6


@kernel
def number(state, rules):
    """Number of the event that the pending roll and its shift name, 2 to 12 (MM-R046, A22)."""
    points = dice.of_two(state) + int(state.offset)
    if rules.option.event_shift == 1:
        return (points - FIRST_EVENT) % _EVENTS + FIRST_EVENT
    return min(max(points, FIRST_EVENT), LAST_EVENT)


# ------------------------------------------------------------------ the paid shift
@kernel
def shifts(state, rules):
    """(steps down, steps up) that can be paid, 0 or 1 each."""
    pays = int(state.seat[index(state.turn)].money >= rules.shift_price)
    wraps = int(rules.option.event_shift == 1)
    now = number(state, rules)
    return pays * (int(now > FIRST_EVENT) | wraps), pays * (int(now < LAST_EVENT) | wraps)


@kernel
def legal_shift(state, rules, out):
    """``shift`` in both directions as far as money and the board allow (MM-R044), ``keep``; returns how many."""
    down, up = shifts(state, rules)
    out.action[0] = actions.pack(SHIFT, 0)
    out.action[down] = actions.pack(SHIFT, 1)
    out.action[down + up] = actions.pack(KEEP, 0)
    return down + up + 1


@kernel
def shift(state, rules, up):
    """Pay for one step (MM-R044, MM-R045); the offset stays within a board's length, so that it may wrap."""
    state.seat[index(state.turn)].money -= rules.shift_price
    now = number(state, rules) + (1 if up else -1)
    state.offset = (now - FIRST_EVENT) % _EVENTS + FIRST_EVENT - dice.of_two(state)
    state.stage = OPEN_DICE_WINDOW if rules.option.event_order == 1 else CHOOSE_SHIFT


# ------------------------------------------------------------------ the effect
@kernel
def gain_money(state, rules, seat, amount):
    """Money won or lost; never below 0 (A52) nor above ``money_cap`` (D06)."""
    me = state.seat[index(seat)]
    me.money = min(max(int(me.money) + amount, 0), int(rules.most_money))


@kernel
def apply(state, rules):
    """The event happens: gains, then its choice; without a candidate the game goes on to Step 3."""
    active, players = int(state.turn), int(state.players)
    event = number(state, rules)
    if rules.event_others[index(event)] != 0:
        seat = bonuses.next_seat(state, active)
        while seat != active:
            gain_money(state, rules, seat, int(rules.event_others[index(event)]))  # MM-R047
            seat = bonuses.next_seat(state, seat)
    gain_money(state, rules, active, int(rules.event_money[index(event)]))
    state.asked = active
    state.stage = START_ACTION
    kind = rules.event_kind[index(event)]
    if rules.event_fame[index(event)] != 0:
        fame.change_fame(state, rules, active, FROM_EVENTS, int(rules.event_fame[index(event)]))  # MM-R051
    elif kind == PICK_VICTIM:
        state.stage = CHOOSE_VICTIM
    elif kind == PICK_TROUBLE and has_candidate(state, rules, kind):
        state.stage = CHOOSE_TROUBLE
    elif kind == PICK_HIRE and audition.may_be_asked(state, rules):
        state.stage = CHOOSE_HIRE
    elif kind == PICK_HEAL and has_candidate(state, rules, kind):
        state.stage = CHOOSE_HEAL
    elif kind == PICK_DRINKER:
        state.stage = CHOOSE_DRINK
    elif kind == ALL_DRINK:
        seat = active
        for k in range(players):
            state.drinker[k] = seat  # A30
            seat = bonuses.next_seat(state, seat)
        beers.start(state, players)


@kernel
def legal_seats(state, rules, verb, out):
    """Other seats (or any, option ``event_target``) as victims (A25), other seats as drinkers; how many."""
    n = 0
    for seat in range(int(state.players)):
        if seat != state.turn or (verb == VICTIM and rules.option.event_target == 1):
            out.action[n] = actions.pack(verb, seat)
            n += 1
    return n


@kernel
def victim(state, rules, seat):
    """The chosen seat loses money (MM-R055) or fame (MM-R050)."""
    event = number(state, rules)
    gain_money(state, rules, seat, int(rules.event_victim_money[index(event)]))
    fame.change_fame(state, rules, seat, FROM_EVENTS, int(rules.event_victim_fame[index(event)]))


@kernel
def troubled(state, rules, seat):
    """Bits of the positions of ``seat`` that event 6 may hit, by the option ``event6`` (A26)."""
    reading = rules.option.event6
    if seat == state.turn and reading != _ANY_PLAYER:
        return 0
    me = state.seat[index(seat)]
    bits = 0
    for position in range(BAND):
        condition = me.condition[position]
        if reading == _OPPONENT_ACTIVE:
            allowed = condition == ACTIVE
        else:
            allowed = reading != _WORSEN or condition != INACTIVE
        bits |= int(allowed and me.artist[position] != NOBODY) << position
    return bits


@kernel
def legal_trouble(state, rules, out):
    """Artists that event 6 may hit; returns how many."""
    n = 0
    for seat in range(int(state.players)):
        bits = troubled(state, rules, seat)
        for position in range(BAND):
            if (bits >> position) & 1:
                out.action[n] = actions.pack(TROUBLE, seat * 8 + position)
                n += 1
    return n


@kernel
def trouble(state, rules, seat, position):
    """The chosen artist turns troublesome (MM-R052), or one step worse (option ``event6 = worsen``)."""
    me = state.seat[index(seat)]
    if rules.option.event6 == _WORSEN:
        me.condition[index(position)] += 1
    else:
        me.condition[index(position)] = TROUBLESOME
    state.stage = START_ACTION


@kernel
def healed(state):
    """Bits of the own artists that are not active."""
    me = state.seat[index(state.turn)]
    bits = 0
    for position in range(BAND):
        bits |= int(me.artist[position] != NOBODY and me.condition[position] != ACTIVE) << position
    return bits


@kernel
def legal_heal(state, out):
    """Own artists that are not active (MM-R054); returns how many."""
    bits, n = healed(state), 0
    while bits != 0:
        out.action[n] = actions.pack(HEAL, lowest(bits))
        bits &= bits - 1
        n += 1
    return n


@kernel
def drink(state, seat):
    """The active seat drinks first, then the chosen one (MM-R057, A29)."""
    state.drinker[0] = state.turn
    state.drinker[1] = seat
    beers.start(state, 2)


@kernel
def has_candidate(state, rules, kind):
    """Whether event 6 or 8 finds an artist at all: a choice without a candidate is not asked."""
    if kind == PICK_HEAL:
        return band.unhappy(state.seat[index(state.turn)]) > 0
    found = 0
    for seat in range(int(state.players)):
        found |= troubled(state, rules, seat)
    return found != 0
