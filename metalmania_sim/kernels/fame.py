"""Fame: its pending change, the responses to it, the booking, the record company, the win.

A change is announced (``change_fame``), may be altered by Performance tokens, and is then booked.
"""

from __future__ import annotations

from metalmania_sim.kernels import bonuses, dice
from metalmania_sim.kernels.layout import (
    AFTER_FAME,
    CHOOSE_COMPANY,
    COMPANIES,
    COMPANY_STREAM,
    DRAW_COMPANY,
    FINISHED,
    FROM_BONUSES,
    FROM_HITS,
    FROM_MIRACLES,
    NO_COMPANY,
    OPEN_FAME_WINDOW,
    OVER,
)  # fmt: skip
from metalmania_sim.kernels.rules import TRUE
from simcore.bits import index, lowest, popcount
from simcore.kernel import kernel

_ALL_COMPANIES = (1 << COMPANIES) - 1


@kernel
def change_fame(state, rules, seat, source, amount):
    """Announce a profit or loss of fame; a seat at 0 has nothing to lose (A79), no change asks nobody."""
    if amount < 0 and state.seat[index(seat)].fame == 0:
        amount = 0
    state.fame_seat = seat
    state.source = source
    state.printed_change = amount
    state.change = amount
    if amount != 0 and bonuses.may_change_fame(state) != 0 and in_scope(rules, source):
        state.stage = OPEN_FAME_WINDOW
    else:
        book_fame(state, rules)


@kernel
def in_scope(rules, source):
    """Whether Performance may touch a change of this source (option ``fame_bonus_scope``, A19).

    Throws are those of Step 3 and of Beers.
    """
    scope = rules.option.fame_bonus_scope
    if scope == 0 or source == FROM_HITS:
        return True
    return scope == 1 and source == FROM_MIRACLES


@kernel
def book_fame(state, rules):
    """Book the pending change (MM-R076, floor at 0: A52), then company (MM-R117) and win (MM-R119)."""
    state.stage = AFTER_FAME
    me = state.seat[index(state.fame_seat)]
    before = int(me.fame)
    after = max(before + int(state.change), 0)
    by_itself = max(int(state.printed_change), -before)
    me.fame = after
    me.fame_by[index(state.source)] += by_itself
    me.fame_by[FROM_BONUSES] += after - before - by_itself
    if after == before:
        return
    if rules.option.win_check == 0 and after >= rules.win_fame:
        state.winner = state.fame_seat
        state.stage = OVER
        state.phase = FINISHED
    elif after > before and after >= rules.company_fame and me.company == NO_COMPANY and state.companies != 0:
        _offer_company(state, rules)
    elif after < rules.company_fame and me.company != NO_COMPANY and rules.option.company_keep != TRUE:
        state.companies |= 1 << int(me.company)
        me.company = NO_COMPANY


@kernel(inline=False)
def _offer_company(state, rules):
    """The booked seat gets a company by the option ``company_choice`` (A53)."""
    state.asked = state.fame_seat
    if rules.option.company_choice == 0:
        state.stage = CHOOSE_COMPANY
    elif rules.option.company_choice == 1:
        dice.wait(state, DRAW_COMPANY, companies_left(state), COMPANY_STREAM)
    else:
        take_company(state, lowest(int(state.companies)))


@kernel
def take_company(state, company):
    """The booked seat takes ``company`` from the table (MM-R118)."""
    state.companies &= _ALL_COMPANIES ^ (1 << company)
    state.seat[index(state.fame_seat)].company = company
    state.stage = AFTER_FAME


@kernel
def companies_left(state):
    """Number of companies on the table."""
    return popcount(int(state.companies))


@kernel(inline=False)
def best_seat(state, rules, first):
    """Seat with the highest fame of at least ``win_fame``, the first from ``first`` among equals; -1 none (A76)."""
    best = -1
    players = int(state.players)
    for k in range(players):
        seat = (first + k) % players
        fame = state.seat[index(seat)].fame
        if fame >= rules.win_fame and (best < 0 or fame > state.seat[best].fame):
            best = seat
    return best
