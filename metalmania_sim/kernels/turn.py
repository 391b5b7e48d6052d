"""The turn: its five steps in order, and what the engine does by itself between decisions (MM-R038 to MM-R042)."""

from __future__ import annotations

from metalmania_sim.kernels import audition, band, beers, bonuses, dice, events, fame, throw, wages
from metalmania_sim.kernels.layout import (
    ACTION_THROW,
    AFTER_AUDITION,
    AFTER_BEERS,
    AFTER_DICE_WINDOW,
    AFTER_FAME,
    AFTER_REFILL,
    BEERS_THROW,
    BOOK_FAME,
    CHOOSE_ASSIGN,
    CHOOSE_SHIFT,
    CHOOSE_STEP4,
    END_TURN,
    EVENT,
    EVENT_THROW,
    FINISHED,
    FROM_AUDITIONS,
    FROM_EVENTS,
    FROM_HITS,
    FROM_MIRACLES,
    FUNDS_THROW,
    JUDGE,
    NEXT_BEERS,
    NEXT_DICE_RESPONSE,
    NEXT_FAME_RESPONSE,
    NOBODY,
    OPEN_DICE_WINDOW,
    OPEN_FAME_WINDOW,
    OVER,
    PASS_TURN,
    PAY_WAGES,
    REFILL,
    ROLL_EVENT,
    SET_UP,
    START_ACTION,
    START_TURN,
)  # fmt: skip
from simcore.bits import index
from simcore.kernel import kernel


@kernel
def settle(state, rules):
    """Go on until a seat is to decide, chance is to be drawn, or the game is over (``state`` in place)."""
    while state.stage > OVER:
        stage = state.stage
        if stage <= NEXT_FAME_RESPONSE:
            _settle_window(state, rules, stage)
        elif stage <= AFTER_BEERS:
            _settle_result(state, rules, stage)
        else:
            _settle_step(state, rules, stage)


@kernel
def _settle_window(state, rules, stage):
    if stage == OPEN_DICE_WINDOW:
        open_dice_window(state, rules)
    elif stage == NEXT_DICE_RESPONSE:
        bonuses.seek_dice(state, rules)
    elif stage == AFTER_DICE_WINDOW:
        after_dice_window(state, rules)
    elif stage == OPEN_FAME_WINDOW:
        bonuses.open_window(state, rules, NEXT_FAME_RESPONSE)
    else:
        bonuses.seek_fame(state, rules)


@kernel
def _settle_result(state, rules, stage):
    if stage == BOOK_FAME:
        fame.book_fame(state, rules)
    elif stage == AFTER_FAME:
        after_fame(state, rules)
    elif stage == JUDGE:
        throw.judge(state, rules)
    elif stage == NEXT_BEERS:
        beers.proceed(state, rules)
    else:
        after_beers(state, rules)


@kernel
def _settle_step(state, rules, stage):
    if stage == REFILL:
        audition.refill(state, rules)
    elif stage == AFTER_REFILL:
        after_refill(state, rules)
    elif stage == AFTER_AUDITION:
        after_audition(state, rules)
    elif stage == START_ACTION:
        throw.start(state)
    elif stage == PAY_WAGES:
        wages.pay(state, rules)
    elif stage == END_TURN:
        end_turn(state, rules)
    elif stage == PASS_TURN:
        pass_turn(state, rules)
    else:
        start_turn(state, rules)


# ------------------------------------------------------------------ after a throw
@kernel
def has_dice_window(state, rules):
    """Whether responses to the pending throw are possible, where the option ``bonus_throws`` allows them (A18)."""
    return bonuses.may_change_dice(state) != 0 and (int(rules.bonus_throws) >> int(state.throw_kind)) & 1 != 0


@kernel
def open_dice_window(state, rules):
    """Responses to the pending throw, where there can be any."""
    if has_dice_window(state, rules):
        bonuses.open_window(state, rules, NEXT_DICE_RESPONSE)
        bonuses.seek_dice(state, rules)
    else:
        after_dice_window(state, rules)


@kernel
def after_dice_window(state, rules):
    """The pending dice are final."""
    kind = state.throw_kind
    state.asked = state.turn
    if kind == EVENT_THROW:
        state.stage = CHOOSE_SHIFT
    elif kind == ACTION_THROW:
        throw.after_window(state)
    elif kind == FUNDS_THROW:
        events.gain_money(state, rules, int(state.turn), int(state.dice[0]) + int(rules.funds_bonus))  # MM-R105
        end_choice(state, rules)
    else:
        beers.judge(state, rules, beers.sixes_shown(state))


@kernel
def after_fame(state, rules):
    """What follows a booked change of fame, by its source."""
    if state.source == FROM_HITS:
        throw.finish(state, rules)
    elif state.source == FROM_MIRACLES:
        state.stage = NEXT_BEERS
    elif state.source == FROM_EVENTS:
        state.stage = START_ACTION
    else:
        state.stage = AFTER_AUDITION


@kernel
def after_beers(state, rules):
    """Everybody has drunk; a miracle of the active seat ends its turn (MM-R112, A32, A34)."""
    if state.miracle and rules.option.miracle_turn == 0:
        state.stage = END_TURN
    elif state.phase == EVENT:
        state.stage = START_ACTION
    else:
        end_choice(state, rules)


# ------------------------------------------------------------------ auditions
@kernel
def after_refill(state, rules):
    """The display is full again: a fresh game begins, a turn ends, or the discard's fame is announced."""
    if state.phase == SET_UP:
        state.stage = START_TURN
    elif state.hiring == NOBODY:
        state.stage = PASS_TURN
    elif state.leaving == NOBODY:
        state.hiring = NOBODY
        state.stage = AFTER_AUDITION  # MM-R103
    else:
        who = state.leaving if rules.option.audition_fame == 0 else state.hiring
        state.hiring = NOBODY
        fame.change_fame(state, rules, int(state.turn), FROM_AUDITIONS, int(rules.price[index(who)]))  # MM-R099


@kernel
def after_audition(state, rules):
    """The hire is complete; with reassign = on_audition its band may change places (A43)."""
    state.asked = state.turn
    if rules.option.reassign == 1 and audition.can_move(state, rules):
        state.stage = CHOOSE_ASSIGN
    else:
        end_audition(state, rules)


@kernel
def end_audition(state, rules):
    """On to Step 3 after event 7, or to the end of this Step 4."""
    if state.phase == EVENT:
        state.stage = START_ACTION
    else:
        end_choice(state, rules)


# ------------------------------------------------------------------ the steps
@kernel
def end_choice(state, rules):
    """One Step 4 is done: another one (MM-R061), or Step 5."""
    state.choices_left -= 1
    state.asked = state.turn
    if state.choices_left > 0:
        state.stage = CHOOSE_STEP4
        return
    wages.pay(state, rules)
    if state.stage == END_TURN:
        end_turn(state, rules)


@kernel
def end_turn(state, rules):
    """Refill what was left open (option ``refill``, A45); then the turn passes."""
    if rules.option.refill == 1:
        audition.missing(state, rules)
    state.hiring = NOBODY
    if state.draws > 0:
        state.stage = REFILL
    else:
        pass_turn(state, rules)


@kernel
def pass_turn(state, rules):
    """Look for a winner where the option ``win_check`` says so (A59, A76), else the next seat (MM-R039)."""
    seat = bonuses.next_seat(state, int(state.turn))
    best = -1
    if rules.option.win_check == 1:
        best = fame.best_seat(state, rules, int(state.turn))
    elif rules.option.win_check == 2 and seat == state.first_player:
        best = fame.best_seat(state, rules, int(state.first_player))
    if best >= 0:
        state.winner = best
        state.phase = FINISHED
        state.stage = OVER
    else:
        state.turn = seat
        start_turn(state, rules)


@kernel
def start_turn(state, rules):
    """Step 1: the own tokens show their active face (MM-R041, MM-R042); the event roll is next."""
    seat = int(state.turn)
    me = state.seat[index(seat)]
    for equalizer in range(3):
        me.token[equalizer] = 1
        me.points[equalizer] = 0
    me.turns += 1
    bonuses.note(state, rules, seat)
    state.turns += 1
    state.asked = seat
    state.phase = EVENT
    state.miracle = 0
    state.offset = 0
    state.choices_left = 0
    dice.wait_for_throw(state, ROLL_EVENT, 2, seat)


@kernel
def land_event(state, rules, outcome):
    """The event roll lies there: responses next."""
    state.throw_kind = EVENT_THROW
    dice.show_few(state, outcome, 2)
    dice.sort(state)
    if has_dice_window(state, rules):
        bonuses.open_window(state, rules, NEXT_DICE_RESPONSE)
        bonuses.seek_dice(state, rules)
    else:
        state.asked = state.turn
        state.stage = CHOOSE_SHIFT


@kernel
def land_funds(state, rules, outcome):
    """The Funds die lies there: responses next."""
    state.throw_kind = FUNDS_THROW
    dice.show_few(state, outcome, 1)
    open_dice_window(state, rules)


@kernel
def land_beers(state, rules, outcome):
    """The Beers dice of an artist lie there: responses next.

    Most of these throws nobody can change: they are judged as they are drawn.
    """
    state.throw_kind = BEERS_THROW
    if has_dice_window(state, rules):
        dice.show(state, outcome, band.beers_dice(state.seat[index(beers.drinker(state))], rules, int(state.position)))
        dice.sort(state)
        bonuses.open_window(state, rules, NEXT_DICE_RESPONSE)
        bonuses.seek_dice(state, rules)
    else:
        state.asked = state.turn
        beers.judge(state, rules, int(dice.SIXES[index(outcome)]))
