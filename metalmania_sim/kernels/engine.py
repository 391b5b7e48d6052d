"""ENGINE: Metal Mania behind the game protocol (see ``simcore.protocol``).

Chance, with its number of outcomes: the event roll 36, the dice of an action 6**n, dice rolled again 6**m,
Funds 6, each artist's Beers 6**Revelry, a card of the display one an unseen artist, a random company one a
company on the table.  Outcome digits: ``dice``; cards and companies count upwards from the lowest number.
"""

from __future__ import annotations

import numpy as np

from metalmania_sim.kernels import actions, audition, beers, bonuses, dice, events, fame, throw, turn, wages
from metalmania_sim.kernels.counting import count, pick
from metalmania_sim.kernels.layout import (
    ADVERTISE,
    ARTISTS,
    ASSIGN,
    AUDITION,
    BAND,
    BASIC,
    BEERS,
    BOARDS,
    CHOOSE_ASSIGN,
    COMPANIES,
    COMPANY,
    DECLINE,
    DRAW_CARD,
    DRAW_COMPANY,
    DRINK,
    FUNDS,
    HEAL,
    HIRE,
    KEEP,
    LEGAL_CAPACITY,
    NO_COMPANY,
    NOBODY,
    OVER,
    PERFORM,
    PLACE,
    RECORD,
    REFILL,
    RESPOND_DICE,
    ROLL_ACTION,
    ROLL_AGAIN,
    ROLL_BEERS,
    ROLL_EVENT,
    ROLL_FUNDS,
    SEATS,
    SET_UP,
    SETUP,
    SHIFT,
    SKIP,
    START_ACTION,
    STATE,
    STREAMS,
    TROUBLE,
    UNPAID,
    USE_ADVERTISING,
    USE_PERFORMANCE,
    USE_RECORDING,
    VICTIM,
)  # fmt: skip
from metalmania_sim.kernels.legal import legal
from metalmania_sim.kernels.outcome import RESULT, TALLY, observe, outcome, returns
from metalmania_sim.kernels.rules import RULES
from simcore.bits import index, nth
from simcore.kernel import kernel
from simcore.protocol import Engine


# ------------------------------------------------------------------ set-up
@kernel
def reset(state, rules, setup):
    """A fresh game (MM-R025 to MM-R036): it waits for the cards of the display."""
    state.players = setup.players
    state.first_player = setup.first_player
    state.turn = setup.first_player
    state.asked = setup.first_player
    state.turns = 0
    state.winner = -1
    state.companies = (1 << COMPANIES) - 1
    state.dice_seats = 0
    state.fame_seats = 0
    state.display = 0
    state.discard = 0
    state.deck = _deck(rules, setup)
    clear(state)
    for seat in range(SEATS):
        _seat_down(state.seat[seat], rules, setup, seat)
    state.phase = SET_UP
    state.draws = rules.display_size
    state.stage = REFILL
    turn.settle(state, rules)


@kernel(inline=False)
def clear(state):
    """Nothing is pending."""
    state.outcomes = 0
    state.luck = 0
    state.choices_left = 0
    state.equalizer = 0
    state.throw_kind = 0
    state.dice_count = 0
    state.placed = 0
    for k in range(6):
        state.dice[k] = 0
    state.offset = 0
    state.again = 0
    state.window_seat = 0
    state.passes = 0
    state.touched = 0
    state.gift = 0
    state.fame_seat = 0
    state.source = 0
    state.printed_change = 0
    state.change = 0
    state.rises = 0
    for seat in range(SEATS):
        state.drinker[seat] = 0
    state.drinkers = 0
    state.drink_index = 0
    state.position = 0
    state.miracle = 0
    state.miracle_fame = beers.NO_MIRACLE
    state.draws = 0
    state.hiring = NOBODY
    state.leaving = NOBODY


@kernel(inline=False)
def _deck(rules, setup):
    """Bits of the artists that stand on no board in play; unused boards' artists join them or not (A63)."""
    deck = (1 << ARTISTS) - 1
    for board in range(BOARDS):
        used = rules.option.unused_board_artists == 1
        for seat in range(setup.players):
            used = used or setup.board[seat] == board
        if used:
            for position in range(BASIC):
                deck &= ~(1 << int(rules.board[board, position]))
    return deck


@kernel(inline=False)
def _seat_down(me, rules, setup, seat):
    """One seat with its board: band, money, equalizers at 0 (MM-R026 to MM-R030); an empty chair past the last."""
    plays = seat < setup.players
    me.money = rules.start_money if plays else 0
    me.fame = 0
    for k in range(5):
        me.fame_by[k] = 0
    me.turns = 0
    me.auditions = 0
    me.skipped = 0
    for position in range(BAND):
        me.artist[position] = NOBODY
        me.condition[position] = 0
    if plays:
        for position in range(BASIC):
            me.artist[position] = rules.board[setup.board[seat], position]
    me.members = BASIC if plays else 0
    me.fifth = NOBODY
    for equalizer in range(3):
        me.level[equalizer] = 0
        me.token[equalizer] = 1
        me.points[equalizer] = 0
    me.company = NO_COMPANY
    me.board = setup.board[seat] if plays else NOBODY
    me.free_wages = 0


# ------------------------------------------------------------------ chance
@kernel
def chance_count(state, rules):
    """Number of equally likely outcomes of what is drawn next; 0 where a seat decides."""
    return np.int64(state.outcomes)


@kernel
def chance_stream(state, rules):
    """The stream of the seat that throws (who asked for it, where dice are rolled again), the deck, the companies."""
    return np.int64(state.luck)


@kernel
def apply_chance(state, rules, outcome):
    """The outcome happens, and the game goes on to the next decision or chance."""
    stage = state.stage
    state.outcomes = 0
    if stage == ROLL_BEERS:
        turn.land_beers(state, rules, outcome)
    elif stage == DRAW_CARD:
        audition.draw(state, rules, outcome)
    elif stage == DRAW_COMPANY:
        fame.take_company(state, nth(int(state.companies), outcome))
    elif stage == ROLL_AGAIN:
        bonuses.roll_again(state, rules, outcome)
    elif stage == ROLL_ACTION:
        throw.land(state, rules, outcome)
    elif stage == ROLL_EVENT:
        turn.land_event(state, rules, outcome)
    else:
        turn.land_funds(state, rules, outcome)
    if state.stage > OVER:
        turn.settle(state, rules)


# ------------------------------------------------------------------ decisions
@kernel
def to_act(state):
    """The seat that decides."""
    return int(state.asked)


@kernel
def step(state, rules, action):
    """A legal action happens, and the game goes on to the next decision or chance.

    The verbs are asked for one by one: the compiler then makes one jump of it.
    """
    verb = actions.verb_of(action)
    detail = actions.detail_of(action)
    if verb == PLACE:
        throw.place(state, rules, action)
    elif verb == KEEP:
        events.apply(state, rules)
    elif verb in (PERFORM, RECORD, ADVERTISE):
        throw.choose(state, verb - PERFORM)
    elif verb == FUNDS:
        dice.wait_for_throw(state, ROLL_FUNDS, 1, int(state.turn))
    elif verb == BEERS:
        state.drinker[0] = state.turn
        beers.start(state, 1)
    elif verb in (AUDITION, HIRE):
        audition.hire(state, rules, action)
    elif verb == SHIFT:
        events.shift(state, rules, detail)
    elif verb == UNPAID:
        wages.leave_unpaid(state, rules, detail)
    elif verb == SKIP:
        _skip(state, rules)
    elif verb == USE_PERFORMANCE:
        bonuses.use_performance(state, rules, actions.fame_effect(action))
    elif verb == USE_RECORDING:
        bonuses.use_recording(state, rules, detail)
    elif verb == USE_ADVERTISING:
        bonuses.use_advertising(state, rules, actions.die_changed(action), actions.new_die(action))
    else:
        _step_rarely(state, rules, action, verb, detail)
    if state.stage > OVER:
        turn.settle(state, rules)


@kernel
def _skip(state, rules):
    """The seat asked does nothing in this window."""
    if state.stage == CHOOSE_ASSIGN:
        turn.end_audition(state, rules)
        return
    bonuses.pass_on(state)
    if state.stage == RESPOND_DICE:
        bonuses.seek_dice(state, rules)
    else:
        bonuses.seek_fame(state, rules)


@kernel
def _step_rarely(state, rules, action, verb, detail):
    if verb == VICTIM:
        events.victim(state, rules, detail)
    elif verb == DRINK:
        events.drink(state, detail)
    elif verb == TROUBLE:
        events.trouble(state, rules, actions.seat_of(action), actions.position_of(action))
    elif verb == HEAL:
        state.seat[index(state.turn)].condition[index(detail)] = 0
        state.stage = START_ACTION
    elif verb == DECLINE:
        state.stage = START_ACTION
    elif verb == COMPANY:
        fame.take_company(state, detail)
    elif verb == ASSIGN:
        audition.assign(state, rules, action)
        if state.stage == CHOOSE_ASSIGN:
            turn.after_audition(state, rules)


@kernel
def is_over(state):
    """1 once the game has a winner (MM-R119, MM-R128)."""
    return int(state.stage == OVER)


@kernel
def hide(state, rules, viewer, rng):
    """Nothing is hidden: the order of the deck is drawn only when it is looked at (MM-R033, MM-R035)."""


ENGINE = Engine(
    state=STATE,
    rules=RULES,
    setup=SETUP,
    result=RESULT,
    tally=TALLY,
    legal_capacity=LEGAL_CAPACITY,
    streams=STREAMS,
    reset=reset,
    chance_count=chance_count,
    chance_stream=chance_stream,
    apply_chance=apply_chance,
    to_act=to_act,
    legal=legal,
    step=step,
    is_over=is_over,
    returns=returns,
    outcome=outcome,
    hide=hide,
    observe=observe,
    count=count,
    pick=pick,
)
