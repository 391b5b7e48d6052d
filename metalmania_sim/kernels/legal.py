"""What the seat asked may do: the legal action ids of every kind of decision, ascending."""

from __future__ import annotations

from metalmania_sim.kernels import actions, audition, bonuses, dice, events, wages
from metalmania_sim.kernels.layout import (
    ADVERTISE,
    AUDITION,
    BEERS,
    CHOOSE_ACTION,
    CHOOSE_ASSIGN,
    CHOOSE_COMPANY,
    CHOOSE_DRINK,
    CHOOSE_HEAL,
    CHOOSE_HIRE,
    CHOOSE_SHIFT,
    CHOOSE_STEP4,
    CHOOSE_TROUBLE,
    CHOOSE_UNPAID,
    CHOOSE_VICTIM,
    COMPANIES,
    COMPANY,
    DRINK,
    FUNDS,
    PERFORM,
    PLACE_DICE,
    RESPOND_DICE,
    RESPOND_FAME,
    VICTIM,
)  # fmt: skip
from simcore.kernel import kernel

_OWN_TURN = 2  # option reassign


@kernel
def legal(state, rules, out):
    """Write the legal actions of the seat asked to ``out.action``; returns how many (0 when nobody is asked)."""
    stage = state.stage
    if stage == RESPOND_DICE:
        return bonuses.legal_dice(state, rules, out)
    if stage == RESPOND_FAME:
        return bonuses.legal_fame(state, rules, out)
    if stage == CHOOSE_SHIFT:
        return _with_moves(state, rules, out, events.legal_shift(state, rules, out))
    if stage == CHOOSE_ACTION:
        return _legal_action(state, rules, out)
    if stage == PLACE_DICE:
        return dice.placements(state, out)
    if stage == CHOOSE_STEP4:
        return _legal_step4(state, rules, out)
    if stage == CHOOSE_UNPAID:
        return wages.legal_unpaid(state, rules, out)
    return _legal_rarely(state, rules, out, stage)


@kernel(inline=False)
def _legal_rarely(state, rules, out, stage):
    if stage == CHOOSE_VICTIM:
        return events.legal_seats(state, rules, VICTIM, out)
    if stage == CHOOSE_TROUBLE:
        return events.legal_trouble(state, rules, out)
    if stage == CHOOSE_HEAL:
        return events.legal_heal(state, out)
    if stage == CHOOSE_DRINK:
        return events.legal_seats(state, rules, DRINK, out)
    if stage == CHOOSE_HIRE:
        return _with_moves(state, rules, out, audition.legal_hire(state, rules, out))
    if stage == CHOOSE_COMPANY:
        return _legal_company(state, out)
    if stage == CHOOSE_ASSIGN:
        return audition.legal_assign(state, rules, out)
    return 0


@kernel
def _with_moves(state, rules, out, n):
    """Add the moves of the own band where they are free at any time of the own turn (A43)."""
    if rules.option.reassign == _OWN_TURN:
        return audition.legal_moves(state, rules, out, n)
    return n


@kernel
def _legal_action(state, rules, out):
    """``perform``, ``record``, ``advertise`` (MM-R062, A68)."""
    for verb in range(PERFORM, ADVERTISE + 1):
        out.action[verb - PERFORM] = actions.pack(verb, 0)
    return _with_moves(state, rules, out, 3)


@kernel
def _legal_step4(state, rules, out):
    """Auditions that can be paid, ``funds``, ``beers`` (MM-R094, A47)."""
    n = audition.legal_hires(state, rules, out, AUDITION)
    out.action[n] = actions.pack(FUNDS, 0)
    out.action[n + 1] = actions.pack(BEERS, 0)
    return _with_moves(state, rules, out, n + 2)


@kernel
def _legal_company(state, out):
    """The companies on the table (MM-R117, A53)."""
    n = 0
    for company in range(COMPANIES):
        if (int(state.companies) >> company) & 1:
            out.action[n] = actions.pack(COMPANY, company)
            n += 1
    return n
