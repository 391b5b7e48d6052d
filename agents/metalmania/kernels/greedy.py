"""The greedy player of Metal Mania: every choice by what it adds to the fame expected until the end.

Step 3 is chosen by the exact expectation of its throw under the best placement, Step 4 by worth, event
money and bonuses are used where they gain.  Of equal choices one is drawn from the agent's own stream.
"""

from __future__ import annotations

from agents.metalmania.kernels.matching import GAIN, judge, match, trace_back
from agents.metalmania.kernels.outlook import (
    NO_CHANGE,
    URGENT,
    action_worth,
    band_worth,
    beers_worth,
    level_worth,
    money_worth,
    prepare,
    present_worth,
    step_cost,
)  # fmt: skip
from agents.metalmania.kernels.weights import (
    V_ATTACK,
    V_DISCARD,
    V_INACTIVE,
    V_MONEY,
    V_RIVAL,
    V_TROUBLE,
)  # fmt: skip
from metalmania_sim.kernels.actions import (
    artist_of,
    detail_of,
    die_changed,
    fame_effect,
    instrument_of,
    new_die,
    pack,
    position_of,
    seat_of,
    value_of,
    verb_of,
)  # fmt: skip
from metalmania_sim.kernels.band import characteristic, position_for
from metalmania_sim.kernels.events import number as event_number
from metalmania_sim.kernels.layout import (
    ACTION_THROW,
    ACTIVE,
    AUDITION,
    BAND,
    BEERS,
    BEERS_THROW,
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
    DIE_BITS,
    DIE_OFFSET,
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
    USE_ADVERTISING,
    USE_RECORDING,
)  # fmt: skip
from metalmania_sim.kernels.rules import ALL_DRINK, PICK_DRINKER, PICK_HEAL, PICK_HIRE, PICK_TROUBLE, PICK_VICTIM
from simcore.kernel import kernel
from simcore.streams import draw

SAME = 1e-9
EVENT_WORTH = 250  # in params.value, by event number
DICE_AT = 16  # in params.options[1].action: dice by artist after trace_back


@kernel
def greedy(state, rules, legal, n, params, rng):
    """The legal action of greatest worth; of equal ones, one at random."""
    seat = int(state.asked)
    prepare(state, rules, params, seat)
    stage = state.stage
    if stage == PLACE_DICE:
        return placement(state, rules, legal, n, params)
    if stage == CHOOSE_SHIFT:
        prepare_events(state, rules, params, seat)
    best, ties, chosen = -1e12, 0, legal.action[0]
    now = 0.0
    if stage in (CHOOSE_STEP4, CHOOSE_HIRE, CHOOSE_HEAL):
        now = present_worth(state.seat[seat], rules, params)
    elif stage == RESPOND_DICE:
        now = dice_worth(state, rules, params, seat)
    for k in range(n):
        action = legal.action[k]
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
    if stage == RESPOND_DICE:
        return response_worth(state, rules, params, seat, action, now)
    if stage == RESPOND_FAME:
        return fame_response_worth(state, rules, params, seat, action)
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
        return band_worth(me, rules, params, detail_of(action), NO_CHANGE, 0, 0, 0)
    if stage == CHOOSE_VICTIM:
        return 1.0 * state.seat[detail_of(action)].fame if detail_of(action) != seat else -1.0
    if stage == CHOOSE_DRINK:
        return -1.0 * state.seat[detail_of(action)].fame
    if stage == CHOOSE_HEAL:
        place = position_of(action)
        artist, plays = int(me.artist[place]), int(me.fifth) if place == FIFTH else place
        return band_worth(me, rules, params, int(me.company), place, artist, plays, ACTIVE) - now
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
    after = band_worth(me, rules, params, int(me.company), place, artist, instrument, condition)
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
                now = present_worth(me, rules, params)
            plays = int(me.fifth) if position == FIFTH else position
            artist = int(me.artist[position])
            best = max(best, band_worth(me, rules, params, int(me.company), position, artist, plays, ACTIVE) - now)
    return best


@kernel
def best_hire(state, rules, params, me):
    """Worth of the best hire on the display, 0 if none gains (MM-R053)."""
    now, best = present_worth(me, rules, params), 0.0
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


# ------------------------------------------------------------------ dice
@kernel
def read_dice(state, rules, params, seat):
    """Judge every die against every artist of the seat whose throw it is; returns how many."""
    me = state.seat[seat]
    trouble, inactive = params.number[V_TROUBLE] + 0.0, params.number[V_INACTIVE] + 0.0
    if params.value[URGENT] > 0.0:
        trouble, inactive = 0.0, 0.0
    artist = 0
    for position in range(BAND):
        if me.artist[position] == NOBODY:
            continue
        c = characteristic(me, rules, position, int(state.equalizer))
        for k in range(state.dice_count):
            die = int(state.dice[k])
            shown = value_of(die)
            if shown != die:
                shown = 6
            judge(params, artist, k, shown, c, int(me.condition[position]), trouble, inactive)
        artist += 1
    return artist


@kernel
def dice_worth(state, rules, params, seat):
    """Worth of the pending dice for whom they belong to, under the best placement."""
    if state.throw_kind == BEERS_THROW:
        return beers_dice_worth(state, rules, params)
    if state.throw_kind != ACTION_THROW:
        return 0.0
    owner = int(state.turn)
    n = read_dice(state, rules, params, owner)
    if state.placed:
        return placed_worth(params, n)
    level = level_worth(params, state.seat[owner], int(state.equalizer))
    return match(params, n, level, min(2, int(rules.hits_needed)))


@kernel
def placed_worth(params, n):
    """Worth of dice that lie on their artists already."""
    worth = 0.0
    for artist in range(n):
        worth += params.value[GAIN + 8 * artist + artist]
    return worth


@kernel
def beers_dice_worth(state, rules, params):
    """Worth of the pending Beers dice of one artist for the band that drinks."""
    sixes = 0
    for k in range(state.dice_count):
        sixes += value_of(int(state.dice[k])) == 6
    me, position = state.seat[int(state.drinker[state.drink_index])], int(state.position)
    condition = int(me.condition[position])
    now = step_cost(params, condition)
    if sixes == 0:
        return now - step_cost(params, max(ACTIVE, condition - 1))
    if sixes == 1:
        return now - step_cost(params, min(INACTIVE, condition + 1))
    worth = 1.0 * rules.miracle_two
    for place in range(BAND):
        worth += step_cost(params, int(me.condition[place]))
    return worth + (rules.miracle_three - rules.miracle_two if sixes > 2 else 0.0)


@kernel
def whose_dice(state):
    """Seat that the pending dice belong to."""
    if state.throw_kind == BEERS_THROW:
        return int(state.drinker[state.drink_index])
    return int(state.turn)


@kernel
def response_worth(state, rules, params, seat, action, now):
    """Gain of changing the pending dice: own ones for the better, the leader's for the worse."""
    verb = verb_of(action)
    if verb not in (USE_ADVERTISING, USE_RECORDING) or state.throw_kind not in (ACTION_THROW, BEERS_THROW):
        return 0.0
    owner = whose_dice(state)
    sign, least = 1.0, 0.05
    if owner != seat:
        if not is_leader(state, seat, owner):
            return -1.0
        sign, least = -1.0, params.number[V_ATTACK]
        if least > 90.0:
            return -1.0
    if verb == USE_ADVERTISING:
        k = die_changed(action)
        old = state.dice[k]
        state.dice[k] = new_die(action)
        gain = dice_worth(state, rules, params, owner) - now
        state.dice[k] = old
    else:
        gain = again_worth(state, rules, params, detail_of(action), now)
    return sign * gain - least


@kernel
def is_leader(state, seat, owner):
    """Whether no rival of ``seat`` has more fame than ``owner``."""
    for other in range(state.players):
        if other != seat and state.seat[other].fame > state.seat[owner].fame:
            return False
    return True


@kernel
def again_worth(state, rules, params, chosen, now):
    """Expected gain of rolling the dice in ``chosen`` again, each for itself: the six results of one die."""
    gain = 0.0
    for k in range(state.dice_count):
        if chosen >> k & 1:
            old = state.dice[k]
            for die in range(1, 7):
                state.dice[k] = die
                gain += (dice_worth(state, rules, params, int(state.turn)) - now) / 6.0
            state.dice[k] = old
    return gain


@kernel
def placement(state, rules, legal, n, params):
    """The ``place`` action of a best matching; the first legal one if dice lie outside what it reads."""
    me = state.seat[state.turn]
    count = read_dice(state, rules, params, int(state.turn))
    level, needed = level_worth(params, me, int(state.equalizer)), min(2, int(rules.hits_needed))
    match(params, count, level, needed)
    note = params.options[1].action
    for artist in range(count):
        note[artist] = artist
    trace_back(params, count, level, needed, note)
    detail, artist = 0, 0
    for position in range(BAND):
        detail <<= DIE_BITS
        if me.artist[position] != NOBODY:
            detail |= int(state.dice[note[artist]]) + DIE_OFFSET
            artist += 1
    return pack(PLACE, detail)


@kernel
def fame_response_worth(state, rules, params, seat, action):
    """Worth of Performance points on a change of fame: all for an own one, against the leader's else (MM-R088)."""
    if detail_of(action) == 0:
        return 0.0
    effect = fame_effect(action)
    if state.fame_seat == seat:
        return 1.0 * effect
    if not is_leader(state, seat, int(state.fame_seat)) or params.number[V_ATTACK] > 90.0:
        return -1.0
    return -1.0 * max(effect, -int(state.change)) - params.number[V_ATTACK]
