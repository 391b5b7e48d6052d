"""Equalizer bonuses: tokens, response windows, what a token may do (MM-R085 to MM-R092).

A window asks the seats in turn, from the active one (or from the next, option ``response_order``), and
round again until every seat in a row has done nothing (A20).  Seats without a usable token are not asked.
"""

from __future__ import annotations

from metalmania_sim.kernels import actions, dice
from metalmania_sim.kernels.layout import (
    ACTION_THROW,
    ADVERTISING,
    AFTER_DICE_WINDOW,
    BOOK_FAME,
    DIE_OFFSET,
    EVENT_THROW,
    FIRST_EVENT,
    LAST_EVENT,
    MOST_LEVEL,
    NATURAL_SIX,
    NEXT_DICE_RESPONSE,
    PERFORMANCE,
    RECORDING,
    RESPOND_DICE,
    RESPOND_FAME,
    ROLL_AGAIN,
    SKIP,
    USE_ADVERTISING,
    USE_PERFORMANCE,
    USE_RECORDING,
)  # fmt: skip
from simcore.bits import index, lowest, popcount
from simcore.kernel import kernel

_UP_TO, _EXACT, _SPLIT = range(3)  # option bonus_amount
_IMMEDIATE = 1  # option levelup_bonus
_LEGAL_ONLY, _CLAMP, _FREE = range(3)  # option die_bounds
_SIX = 6


@kernel
def strength(state, rules, seat, equalizer):
    """X of the bonus that ``seat`` could use now, 0 if it cannot (MM-R085, MM-R125, A21).

    A level just gained may be used at once without its token (option ``levelup_bonus``, A12).
    """
    me = state.seat[index(seat)]
    if state.gift == equalizer + 1 and seat == state.turn:
        return int(me.level[equalizer])
    return token_strength(me, rules, equalizer)


@kernel
def token_strength(me, rules, equalizer):
    """X of the bonus of a seat's token: its level less the points spent; not more than 0 where it may not be used."""
    usable = int(me.token[equalizer]) & int(rules.option.levelup_bonus != _IMMEDIATE)
    return (int(me.level[equalizer]) - int(me.points[equalizer])) & -usable


@kernel
def note(state, rules, seat):
    """Keep whether ``seat`` could respond to dice, or to a change of fame: called whenever its equalizers change."""
    me = state.seat[index(seat)]
    may_be = int(rules.option.levelup_bonus != _IMMEDIATE) << seat
    again = int(me.token[RECORDING]) & int(me.level[RECORDING] > me.points[RECORDING])
    turned = int(me.token[ADVERTISING]) & int(me.level[ADVERTISING] > me.points[ADVERTISING])
    fame = int(me.token[PERFORMANCE]) & int(me.level[PERFORMANCE] > me.points[PERFORMANCE])
    others = ~(1 << seat)
    state.dice_seats = (int(state.dice_seats) & others) | ((again | turned) << seat & may_be)
    state.fame_seats = (int(state.fame_seats) & others) | (fame << seat & may_be)


@kernel
def may_change_dice(state):
    """Not 0 where any seat has a bonus for dice."""
    return int(state.dice_seats) | int(state.gift)


@kernel
def may_change_fame(state):
    """Not 0 where any seat has a bonus for a change of fame."""
    return int(state.fame_seats) | int(state.gift)


@kernel
def open_window(state, rules, next_stage):
    """Start a window that goes on at ``next_stage``; the first seat by the option ``response_order`` (A20)."""
    state.window_seat = state.turn
    if rules.option.response_order == 1:
        state.window_seat = next_seat(state, int(state.turn))
    state.passes = 0
    state.touched = 0
    state.stage = next_stage


@kernel(inline=False)
def open_gift(state):
    """A window for the active seat alone, which may use the level it has just gained (A12)."""
    state.window_seat = state.turn
    state.passes = int(state.players) - 1
    state.stage = NEXT_DICE_RESPONSE


@kernel
def seek_dice(state, rules):
    """Ask the next seat that can change the dice, or close the window."""
    if state.gift != 0:
        _seek_dice_with_gift(state, rules)
        return
    go_to(state, int(state.dice_seats))
    state.asked = state.window_seat
    state.stage = RESPOND_DICE if state.passes < state.players else AFTER_DICE_WINDOW


@kernel
def go_to(state, seats):
    """Go on to the next of ``seats`` (bits) at the window; all have passed where there is none."""
    players, first = int(state.players), int(state.window_seat)
    places = lowest(((seats | seats << players) >> first) | 1 << players)
    seat = first + places
    state.window_seat = seat - players * int(seat >= players)
    state.passes += places


@kernel(inline=False)
def _seek_dice_with_gift(state, rules):
    while state.passes < state.players:
        seat = int(state.window_seat)
        if strength(state, rules, seat, RECORDING) > 0 or strength(state, rules, seat, ADVERTISING) > 0:
            state.asked = seat
            state.stage = RESPOND_DICE
            return
        pass_on(state)
    state.gift = 0
    state.stage = AFTER_DICE_WINDOW


@kernel
def seek_fame(state, rules):
    """Ask the next seat that can change the pending profit or loss, or go on to its booking."""
    if state.gift != 0:
        _seek_fame_with_gift(state, rules)
        return
    go_to(state, int(state.fame_seats) & ~int(state.touched))
    state.asked = state.window_seat
    state.stage = RESPOND_FAME if state.passes < state.players and state.change != 0 else BOOK_FAME


@kernel(inline=False)
def _seek_fame_with_gift(state, rules):
    while state.passes < state.players and state.change != 0:
        seat = int(state.window_seat)
        if (int(state.touched) >> seat) & 1 == 0 and strength(state, rules, seat, PERFORMANCE) > 0:
            state.asked = seat
            state.stage = RESPOND_FAME
            return
        pass_on(state)
    state.gift = 0
    state.stage = BOOK_FAME


@kernel
def next_seat(state, seat):
    """The seat after ``seat`` in turn order (MM-R039)."""
    return seat + 1 if seat + 1 < state.players else 0


@kernel
def pass_on(state):
    """The seat at the window does nothing; the next one is looked at."""
    state.passes += 1
    state.window_seat = next_seat(state, int(state.window_seat))


@kernel
def spend(state, rules, equalizer, amount):
    """Turn the token (MM-R085), and start the round of responses again behind its seat.

    With bonus_amount = split the token turns when all its points are spent (A15).
    """
    me = state.seat[index(state.asked)]
    if state.gift == equalizer + 1 and state.asked == state.turn:
        state.gift = 0
        if equalizer != PERFORMANCE:
            state.passes = state.players  # that window was the active seat's alone
            return
    elif rules.option.bonus_amount == _SPLIT and int(me.points[equalizer]) + amount < me.level[equalizer]:
        me.points[equalizer] += amount
    else:
        me.points[equalizer] = 0
        me.token[equalizer] = 0
    note(state, rules, int(state.asked))
    pass_on(state)
    state.passes = 0


# ------------------------------------------------------------------ what may be done
@kernel
def legal_dice(state, rules, out):
    """Legal responses of the seat ``asked`` to the pending dice; returns how many."""
    seat = int(state.asked)
    most_again, most_changed = strength(state, rules, seat, RECORDING), strength(state, rules, seat, ADVERTISING)
    most_again = min(most_again, int(state.dice_count))
    same = dice.same_as_before(state)
    n = 0
    if most_again > 0:
        if rules.option.bonus_amount == _EXACT:
            n = _exact_sets(state, out, same, most_again)
        else:
            n = _sets(state, out, same, most_again)
    if most_changed > 0:
        if rules.option.die_bounds == _LEGAL_ONLY and rules.option.judge == 0:
            row = dice.SIDES * (most_changed - 1) - 1
            if rules.option.bonus_amount == _EXACT:
                row += dice.FACES_ROWS
            for i in range(int(state.dice_count)):
                n += _turn(out, n, i, row + int(state.dice[i])) * (1 - ((same >> i) & 1))
        else:
            n = _changes(state, rules, out, n, same, most_changed)
    out.action[n] = actions.pack(SKIP, 0)
    return n + 1


@kernel
def _sets(state, out, same, most):
    """Sets of up to ``most`` dice to roll again (MM-R089, A70), equal dice beside the board counted once; how many."""
    row = dice.set_row(state, same, most)
    start, end = int(dice.SET_START[index(row)]), int(dice.SET_START[index(row + 1)])
    for block in range(0, end - start, dice.BLOCK):
        for i in range(block, block + dice.BLOCK):
            out.action[i] = actions.pack(USE_RECORDING, int(dice.SETS[start + i]))
    return end - start


@kernel(inline=False)
def _exact_sets(state, out, same, most):
    """As ``_sets`` for sets of ``most`` dice, no fewer."""
    row = dice.set_row(state, same, most)
    n = 0
    for i in range(dice.SET_START[index(row)], dice.SET_START[index(row + 1)]):
        out.action[n] = actions.pack(USE_RECORDING, int(dice.SETS[i]))
        n += int(popcount(int(dice.SETS[i])) == most)
    return n


@kernel
def _turn(out, n, i, row):
    """Write the faces that die ``i`` can be turned to behind ``n`` ids; how many (``row``: of ``dice.FACES``)."""
    for k in range(dice.SIDES):
        out.action[n + k] = turn_to(i, int(dice.FACES[row, k]))
    return int(dice.FACE_COUNT[row])


@kernel(inline=False)
def _changes(state, rules, out, n, same, most):
    """Each die changed by up to ``most`` (MM-R090) by any options; a face that it already shows is never offered."""
    least = most if rules.option.bonus_amount == _EXACT else 1
    first = n
    for i in range(int(state.dice_count)):
        if (same >> i) & 1:
            continue
        for change in range(-most, most + 1):
            die = changed(state, rules, i, change)
            if (change <= -least or change >= least) and die != int(state.dice[i]):
                n = actions.insert(out, first, n, turn_to(i, die))
    return n


@kernel
def turn_to(i, die):
    """The action that turns die ``i`` into ``die``."""
    return actions.pack(USE_ADVERTISING, (i << actions.DIE_SHIFT) + die + DIE_OFFSET)


@kernel
def changed(state, rules, i, change):
    """Die ``i`` moved by ``change``, or itself where the option ``die_bounds`` (A16) forbids it."""
    die = int(state.dice[i])
    before = actions.value_of(die)
    after = before + change
    if rules.option.die_bounds == _CLAMP:
        after = min(max(after, 1), _SIX)
    elif rules.option.die_bounds == _LEGAL_ONLY and (after < 1 or after > _SIX):
        return die
    elif rules.option.die_bounds == _FREE and state.throw_kind == EVENT_THROW:
        points = dice.total(state) + change
        if points < FIRST_EVENT or points > LAST_EVENT:
            return die
    if after == before:
        return die
    hidden = die != before
    if rules.option.judge == 1 and state.throw_kind == ACTION_THROW and (before == _SIX) != (after == _SIX):
        hidden = not hidden
    return after + NATURAL_SIX if hidden else after


@kernel
def legal_fame(state, rules, out):
    """Legal responses of the seat ``asked`` to the pending change of fame (MM-R088, A78); returns how many."""
    most = strength(state, rules, int(state.asked), PERFORMANCE)
    least = most if rules.option.bonus_amount == _EXACT else 1
    span = most - least + 1
    for k in range(2 * MOST_LEVEL):
        effect = k - most if k < span else k - span + least
        out.action[k] = actions.pack(USE_PERFORMANCE, effect + actions.SIGN_OFFSET)
    out.action[2 * span] = actions.pack(SKIP, 0)
    return 2 * span + 1


# ------------------------------------------------------------------ doing it
@kernel
def use_performance(state, rules, effect):
    """Move the pending profit or loss by ``effect``; its sign never turns (A19, A74)."""
    if state.change > 0:
        state.change = max(int(state.change) + effect, 0)
    else:
        state.change = min(int(state.change) + effect, 0)
    state.touched |= 1 << int(state.asked)
    spend(state, rules, PERFORMANCE, abs(effect))
    seek_fame(state, rules)


@kernel
def use_recording(state, rules, chosen):
    """Dice ``chosen`` (bits) are rolled again from the stream of the seat that asked for it."""
    state.again = chosen
    n = popcount(chosen)
    spend(state, rules, RECORDING, n)
    dice.wait_for_throw(state, ROLL_AGAIN, n, int(state.asked))


@kernel
def roll_again(state, rules, outcome):
    """The dice that were rolled again show ``outcome``, the first named in its lowest digit."""
    left = int(state.again)
    while left != 0:
        state.dice[index(lowest(left))], outcome = dice.lowest_of(outcome)
        left &= left - 1
    state.again = 0
    _settle_dice(state, rules)


@kernel
def use_advertising(state, rules, i, die):
    """Die ``i`` becomes ``die``."""
    amount = abs(actions.value_of(die) - actions.value_of(int(state.dice[index(i)])))
    state.dice[index(i)] = die
    spend(state, rules, ADVERTISING, amount)
    _settle_dice(state, rules)


@kernel
def _settle_dice(state, rules):
    if not state.placed:
        dice.sort(state)
    seek_dice(state, rules)
