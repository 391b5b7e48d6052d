"""The greedy player of Metal Mania: every choice by what it adds to the fame expected until the end.

Step 3 is chosen by the exact expectation of its throw under the best placement, Step 4 by worth, event
money and bonuses are used where they gain.  Of equal choices one is drawn from the agent's own stream.
"""

from __future__ import annotations

from agents.metalmania.kernels.outlook import (
    action_worth,
    band_worth,
    beers_worth,
    changed_worth,
    money_worth,
    prepare,
    read_band,
    step_cost,
)  # fmt: skip
from agents.metalmania.kernels.replies import IDLE, fame_response_worth, placement, read_throw, response_worth
from agents.metalmania.kernels.weights import V_DISCARD, V_MONEY, V_RIVAL, V_TROUBLE
from metalmania_sim.kernels.actions import artist_of, detail_of, instrument_of, pack, position_of, seat_of, verb_of
from metalmania_sim.kernels.band import characteristic, position_for
from metalmania_sim.kernels.events import number as event_number
from metalmania_sim.kernels.layout import (
    ACTIVE,
    AUDITION,
    BAND,
    BEERS,
    CHOOSE_ACTION,
    CHOOSE_COMPANY,
    CHOOSE_DRINK,
    CHOOSE_HEAL,
    CHOOSE_HIRE,
    CHOOSE_SHIFT,
    CHOOSE_STEP4,
    CHOOSE_TROUBLE,
    CHOOSE_UNPAID,
    CHOOSE_VICTIM,
    FIFTH,
    FIRST_EVENT,
    FUNDS,
    HIRE,
    INACTIVE,
    LAST_EVENT,
    NOBODY,
    PERFORM,
    PLACE,
    PLACE_DICE,
    RESPOND_DICE,
    RESPOND_FAME,
    SHIFT,
)  # fmt: skip
from metalmania_sim.kernels.rules import ALL_DRINK, PICK_DRINKER, PICK_HEAL, PICK_HIRE, PICK_TROUBLE, PICK_VICTIM
from simcore.kernel import kernel
from simcore.streams import draw

SAME = 1e-9
EVENT_WORTH = 250  # in params.value, by event number


@kernel
def greedy(state, rules, legal, n, params, rng):
    """The legal action of greatest worth; of equal ones, one at random."""
    seat = int(state.asked)
    prepare(state, rules, params, seat)
    stage = state.stage
    if stage == PLACE_DICE:
        return placement(state, rules, params)
    if stage not in (RESPOND_DICE, RESPOND_FAME):
        read_band(state.seat[seat], rules, params, int(state.seat[seat].company))
    if stage == CHOOSE_SHIFT:
        prepare_events(state, rules, params, seat)
    best, ties, chosen = -1e12, 0, legal.action[0]
    now = 0.0
    if stage in (CHOOSE_STEP4, CHOOSE_HIRE, CHOOSE_HEAL):
        now = band_worth(state.seat[seat], params)
    elif stage == RESPOND_DICE:
        now = read_throw(state, rules, params, seat)
        if now == IDLE:
            return legal.action[n - 1]
    for k in range(n):
        action = legal.action[k]
        if stage == RESPOND_DICE:
            worth = response_worth(state, rules, params, seat, action, now, max(best, 0.0))
        else:
            worth = choice_worth(state, rules, params, seat, stage, action, now)
        if worth > best + SAME:
            best, ties, chosen = worth, 1, action
        elif worth > best - SAME:
            ties += 1
            if draw(rng, ties) == 0:
                chosen = action
    return chosen


@kernel
def choice_worth(state, rules, params, seat, stage, action, now):
    """What ``action`` adds to the worth of the position of ``seat``."""
    me = state.seat[seat]
    if stage in (CHOOSE_STEP4, CHOOSE_HIRE):
        return step4_worth(state, rules, params, me, action, now)
    if stage == CHOOSE_ACTION:
        verb = verb_of(action)
        return action_worth(me, rules, params, verb - PERFORM) if verb < PLACE else -1.0
    if stage == RESPOND_FAME:
        return fame_response_worth(state, params, seat, action)
    if stage == CHOOSE_SHIFT:
        return shift_worth(state, rules, params, action)
    if stage == CHOOSE_UNPAID:
        return unpaid_worth(params, me, detail_of(action))
    return rare_worth(state, rules, params, seat, stage, action, now)


@kernel
def rare_worth(state, rules, params, seat, stage, action, now):
    """Worth of what events and companies ask."""
    me = state.seat[seat]
    if stage == CHOOSE_COMPANY:
        read_band(me, rules, params, detail_of(action))
        return band_worth(me, params)
    if stage == CHOOSE_VICTIM:
        return 1.0 * state.seat[detail_of(action)].fame if detail_of(action) != seat else -1.0
    if stage == CHOOSE_DRINK:
        return -1.0 * state.seat[detail_of(action)].fame
    if stage == CHOOSE_HEAL:
        place = position_of(action)
        artist, plays = int(me.artist[place]), int(me.fifth) if place == FIFTH else place
        return changed_worth(me, rules, params, place, artist, plays, ACTIVE) - now
    if stage == CHOOSE_TROUBLE:
        them, place = state.seat[seat_of(action)], position_of(action)
        if seat_of(action) == seat:
            return -100.0
        quality = 0
        for equalizer in range(3):
            quality += characteristic(them, rules, place, equalizer)
        return 10.0 * them.fame + quality + (100.0 if them.condition[place] == ACTIVE else 0.0)
    return 0.0


# ------------------------------------------------------------------ Step 4 and wages
@kernel
def step4_worth(state, rules, params, me, action, now):
    """Worth of a hire, Funds, Beers, or declining event 7 (MM-R094, MM-R053)."""
    verb, members = verb_of(action), int(me.members)
    money = int(me.money)
    before = money_worth(params, me, members, money)
    if verb == FUNDS:
        worth = 0.0
        for die in range(1, 7):
            worth += (money_worth(params, me, members, money + die + int(rules.funds_bonus)) - before) / 6.0
        return worth
    if verb == BEERS:
        return beers_worth(me, rules, params)
    if verb not in (AUDITION, HIRE):
        return 0.0
    artist, instrument = artist_of(action), instrument_of(action)
    price = int(rules.price[artist])
    if verb == HIRE and rules.option.event7_price == 1:
        price = 0
    place = position_for(instrument)
    leaving = int(me.artist[place])
    fame = 0.0
    if leaving == NOBODY:
        members += 1
    else:
        fame = params.number[V_DISCARD] * rules.price[leaving if rules.option.audition_fame == 0 else artist]
        if fame > 0.0:
            fame += 1.0 * me.level[0] * me.token[0]
    condition = ACTIVE if rules.option.hire_condition == 0 or leaving == NOBODY else int(me.condition[place])
    if me.fame + fame >= rules.win_fame:
        return 1000.0
    after = changed_worth(me, rules, params, place, artist, instrument, condition)
    return after - now + fame + money_worth(params, me, members, money - price) - before


@kernel
def unpaid_worth(params, me, chosen):
    """Worth of leaving the positions in ``chosen`` (bits) unpaid: what their conditions then cost (MM-R114)."""
    worth = 0.0
    for position in range(BAND):
        if chosen >> position & 1:
            condition = int(me.condition[position])
            worth -= step_cost(params, min(INACTIVE, condition + 1)) - step_cost(params, condition)
            worth += params.number[V_MONEY]
    return worth


# ------------------------------------------------------------------ events
@kernel
def prepare_events(state, rules, params, seat):
    """Write what each event is worth to the active seat (MM-R047 to MM-R058)."""
    me, number, value = state.seat[seat], params.number, params.value
    members, money = int(me.members), int(me.money)
    before = money_worth(params, me, members, money)
    for event in range(FIRST_EVENT, LAST_EVENT + 1):
        worth = money_worth(params, me, members, money + int(rules.event_money[event])) - before
        worth += rules.event_fame[event] - number[V_RIVAL] * number[V_MONEY] * rules.event_others[event]
        kind = rules.event_kind[event]
        if kind == PICK_VICTIM:
            loss = -rules.event_victim_fame[event] - number[V_MONEY] * rules.event_victim_money[event]
            worth += number[V_RIVAL] * loss
        elif kind == PICK_TROUBLE:
            worth += number[V_RIVAL] * number[V_TROUBLE]
        elif kind == PICK_HEAL:
            worth += heal_worth(me, rules, params)
        elif kind == PICK_HIRE:
            worth += best_hire(state, rules, params, me)
        elif kind in (PICK_DRINKER, ALL_DRINK):
            worth += beers_worth(me, rules, params)
        value[EVENT_WORTH + event] = worth


@kernel
def heal_worth(me, rules, params):
    """Worth of turning the artist active for whom it matters most (MM-R054)."""
    now, best = -1.0, 0.0
    for position in range(BAND):
        if me.artist[position] != NOBODY and me.condition[position] != ACTIVE:
            if now < 0.0:
                now = band_worth(me, params)
            plays = int(me.fifth) if position == FIFTH else position
            artist = int(me.artist[position])
            best = max(best, changed_worth(me, rules, params, position, artist, plays, ACTIVE) - now)
    return best


@kernel
def best_hire(state, rules, params, me):
    """Worth of the best hire on the display, 0 if none gains (MM-R053)."""
    now, best = band_worth(me, params), 0.0
    left = int(state.display)
    artist = 0
    while left != 0:
        if left & 1 and rules.price[artist] <= me.money:
            for instrument in range(BAND + 1):
                if rules.plays[artist] >> instrument & 1:
                    action = pack(HIRE, artist * 8 + instrument)
                    best = max(best, step4_worth(state, rules, params, me, action, now))
        left >>= 1
        artist += 1
    return best


@kernel
def shift_worth(state, rules, params, action):
    """Worth of paying for a step of the event roll, or of keeping it: the best event in that direction."""
    event, value = event_number(state, rules), params.value
    money, price = int(state.seat[state.turn].money), int(rules.shift_price)
    if verb_of(action) != SHIFT:
        return value[EVENT_WORTH + event] + SAME
    step = 1 if detail_of(action) else -1
    best, paid = -1e9, 0
    while FIRST_EVENT <= event + step <= LAST_EVENT and paid + price <= money:
        event += step
        paid += price
        best = max(
            best, value[EVENT_WORTH + event] - paid * params.number[V_MONEY] - (2.0 if money - paid < 4 else 0.0)
        )
    return best
