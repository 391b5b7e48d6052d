"""Audition: who may be hired, the booking of a hire, the display and its deck (MM-R095 to MM-R104)."""

from __future__ import annotations

from metalmania_sim.kernels import actions, band, dice
from metalmania_sim.kernels.layout import (
    ACTIVE,
    AFTER_REFILL,
    ASSIGN,
    BAND,
    DECK_STREAM,
    DECLINE,
    DRAW_CARD,
    FIFTH,
    HIRE,
    INSTRUMENTS,
    MOST_PRICE,
    NOBODY,
    SKIP,
)  # fmt: skip
from simcore.bits import index, lowest, nth, popcount
from simcore.kernel import kernel

_INSTRUMENTS = len(INSTRUMENTS)


@kernel
def price(state, rules, artist, verb):
    """What ``artist`` costs now: the printed Reputation (MM-R096, A77), nothing in a free event 7 (A27)."""
    if verb == HIRE and rules.option.event7_price == 1:
        return 0
    return int(rules.price[index(artist)])


@kernel
def within_reach(state, rules, verb):
    """Bits of the artists on the display that the active seat can pay."""
    if verb == HIRE and rules.option.event7_price == 1:
        return int(state.display)
    money = min(int(state.seat[index(state.turn)].money), MOST_PRICE)
    return int(state.display) & int(rules.within[index(money)])


@kernel
def parts(me, rules, artist):
    """Bits of the instruments that ``artist`` may be hired for by this seat (MM-R097, MM-R101, A41)."""
    return int(rules.plays[index(artist)]) & parts_wanted(me, rules)


@kernel
def parts_wanted(me, rules):
    """Bits of the instruments that this seat may hire for, without the other one of a taken fifth (A41)."""
    every = (1 << _INSTRUMENTS) - 1
    closed = part_closed(me, rules)
    return every if closed == NOBODY else every & ~(1 << closed)


@kernel
def part_closed(me, rules):
    """The other instrument of a taken fifth where the option ``fifth_slot`` closes it (A41), else NOBODY."""
    if rules.option.fifth_slot == 1 and me.fifth >= 0:
        return 2 * FIFTH + 1 - int(me.fifth)
    return NOBODY


@kernel
def legal_hires(state, rules, out, verb):
    """Every artist on the display that can be paid, on each instrument (A39); returns how many."""
    me = state.seat[index(state.turn)]
    left = within_reach(state, rules, verb)
    n = 0
    while left != 0:
        artist = lowest(left)
        left &= left - 1
        plays = parts(me, rules, artist)
        while plays != 0:
            out.action[n] = actions.pack(verb, artist * 8 + lowest(plays))
            plays &= plays - 1
            n += 1
    return n


@kernel
def may_be_asked(state, rules):
    """Whether event 7 asks at all: a forced hire that nobody can pay is not asked (option ``event7``, A27)."""
    if rules.option.event7 == 0:
        return True
    me = state.seat[index(state.turn)]
    left = within_reach(state, rules, HIRE)
    while left != 0:
        if parts(me, rules, lowest(left)) != 0:
            return True
        left &= left - 1
    return False


@kernel
def legal_hire(state, rules, out):
    """Event 7: the hires, and ``decline`` unless it is forced (MM-R053, A27); returns how many."""
    n = legal_hires(state, rules, out, HIRE)
    if rules.option.event7 == 0 or n == 0:
        out.action[n] = actions.pack(DECLINE, 0)
        n += 1
    return n


@kernel
def hire(state, rules, action):
    """Pay, place, discard; the refill comes next, then the fame of the discard (MM-R096 to MM-R099)."""
    me = state.seat[index(state.turn)]
    artist, instrument = actions.artist_of(action), actions.instrument_of(action)
    me.money -= price(state, rules, artist, actions.verb_of(action))
    position = band.position_for(instrument)
    leaving = int(me.artist[index(position)])
    me.artist[index(position)] = artist
    if position == FIFTH:
        me.fifth = instrument
    if leaving == NOBODY:
        me.members += 1
    else:
        state.discard |= 1 << leaving
    if leaving == NOBODY or rules.option.hire_condition == 0:
        me.condition[index(position)] = ACTIVE  # A44
    state.display &= ~(1 << artist)
    state.hiring = artist
    state.leaving = leaving
    me.auditions += 1
    if rules.option.refill == 0:
        missing(state, rules)
    refill(state, rules)


# ------------------------------------------------------------------ the deck
@kernel
def missing(state, rules):
    """The display wants all its cards again."""
    state.draws = max(int(rules.display_size) - popcount(int(state.display)), 0)


@kernel
def refill(state, rules):
    """Ask for the next card of the display; an empty deck takes the discards first (MM-R104, A46)."""
    if state.draws > 0 and state.deck == 0 and rules.option.deck_exhaustion == 0:
        state.deck = state.discard
        state.discard = 0
    if state.draws > 0 and state.deck != 0:
        dice.wait(state, DRAW_CARD, popcount(int(state.deck)), DECK_STREAM)
    else:
        state.draws = 0
        state.stage = AFTER_REFILL


@kernel
def draw(state, rules, outcome):
    """The ``outcome``-th unseen artist joins the display."""
    artist = nth(int(state.deck), outcome)
    state.deck &= ~(1 << artist)
    state.display |= 1 << artist
    state.draws -= 1
    refill(state, rules)


# ------------------------------------------------------------------ option reassign
@kernel(inline=False)
def legal_moves(state, rules, out, n):
    """Write ``assign`` for every artist of the band that may change instrument, behind ``n`` ids (A43).

    Two who change places are one choice: it names the one on the lower position.
    """
    me = state.seat[index(state.turn)]
    first = n
    for position in range(BAND):
        for instrument in range(_INSTRUMENTS):
            if band.position_for(instrument) >= position and band.may_move(me, rules, position, instrument):
                action = actions.pack(ASSIGN, int(me.artist[position]) * 8 + instrument)
                n = actions.insert(out, first, n, action)
    return n


@kernel(inline=False)
def legal_assign(state, rules, out):
    """``skip`` and the moves after an own audition (option ``reassign = on_audition``); returns how many."""
    out.action[0] = actions.pack(SKIP, 0)
    return legal_moves(state, rules, out, 1)


@kernel(inline=False)
def can_move(state, rules):
    """Whether any artist of the band may change instrument."""
    me = state.seat[index(state.turn)]
    for position in range(BAND):
        for instrument in range(_INSTRUMENTS):
            if band.may_move(me, rules, position, instrument):
                return True
    return False


@kernel(inline=False)
def assign(state, rules, action):
    """An own artist changes instrument."""
    me = state.seat[index(state.turn)]
    for position in range(BAND):
        if me.artist[position] == actions.artist_of(action):
            band.move(me, position, actions.instrument_of(action))
            return
