"""Metallum: its turn and its attacks in solo and co-op games; it is never asked (R-SOL-07 to R-SOL-16).

Metallum is seat 0.  What a human decides for it (``victim``, and by option the Hit of a tie and the space
that it cancels) is asked of the first human in ``order``.  While a cancel is pending, ``detail[0]`` holds
the Hit.
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.actions import detail_of, pack, target_of
from overdrive_sim.kernels.battle import bonuses, can_strike, strike, unshielded
from overdrive_sim.kernels.dice import throw
from overdrive_sim.kernels.gains import has_shield, push_choice
from overdrive_sim.kernels.layout import (
    ANY,
    CHOOSE_METALLUM_CANCEL,
    CHOOSE_METALLUM_HIT,
    CHOOSE_VICTIM,
    CHORD,
    FACES,
    HIT,
    HORNS,
    INFLUENCE,
    METALLUM,
    METALLUM_CANCEL,
    METALLUM_HIT,
    MOST_AWARDS,
    MOST_HITS,
    NO_AWARD,
    SKULL,
    UNIT,
    VICTIM,
)  # fmt: skip
from overdrive_sim.kernels.piles import ask_draw, ask_hits, refill, take_from_row
from overdrive_sim.kernels.places import clear_target, note_hits
from overdrive_sim.kernels.rules import OPTIONS
from simcore.bits import popcount
from simcore.kernel import kernel

TOP_ONLY = OPTIONS["metallum_buys"].index("top_only")
ASK_TIE = OPTIONS["metallum_tie"].index("human")
NO_CANCEL = OPTIONS["metallum_cancel"].index("none")
ASK_CANCEL = OPTIONS["metallum_cancel"].index("human")
RARE_ONLY = OPTIONS["metallum_attack"].index("rare_only")
UNCONDITIONAL = OPTIONS["metallum_attack"].index("unconditional")
SHIELD_ON = OPTIONS["metallum_shield"].index("on")
RETURN_DICE = OPTIONS["buy_occupied"].index("return")
FORBID = OPTIONS["buy_occupied"].index("forbid")

#: From the rarest face to the commonest (A-SOL-3).
RAREST = (HORNS, INFLUENCE, SKULL, CHORD, ANY)
NO_FACE = -1


@kernel
def spokesman(state):
    """The first human in the order of the round or battle: who decides for Metallum (A-COP-4)."""
    position = 0
    while state.seat[state.order[position]].band == METALLUM:
        position += 1
    return state.order[position]


# ------------------------------------------------------------------ its turn
@kernel
def roll_bonuses(state, rules, outcome):
    """Metallum's roll gives the bonuses of the battle table (R-SOL-08, A-SOL-5)."""
    bonuses(state, rules, state.chance_seat, throw(outcome, state.chance_left))


@kernel
def wanted_hits(state, rules):
    """Hits (bits) that Metallum would buy: the dearest of those that it may choose from (R-SOL-09, A-SOL-1)."""
    grana = state.seat[0].grana
    best, wanted = -1, 0
    for hit in state.hit_row:
        if hit < 0 or (rules.option.buy_occupied == FORBID and state.busy[HIT + hit] != 0):
            continue
        price = rules.hit_price[hit]
        if rules.option.metallum_buys != TOP_ONLY and price > grana:
            continue
        if price > best:
            best, wanted = price, 0
        if price == best:
            wanted |= 1 << np.int64(hit)
    return wanted if best <= grana else 0


@kernel
def choose_hit(state, rules):
    """Metallum buys its Hit, or asks a human which of equally dear ones (A-SOL-2)."""
    wanted = wanted_hits(state, rules)
    if wanted == 0:
        return
    if rules.option.metallum_tie == ASK_TIE and popcount(wanted) > 1:
        push_choice(state, CHOOSE_METALLUM_HIT, spokesman(state))
        return
    for hit in state.hit_row:
        if hit >= 0 and (wanted >> np.int64(hit)) & 1:
            buy(state, rules, np.int64(hit))
            return


@kernel
def hit_legal(state, rules, out):
    """``metallum hit NAME`` for each of the equally dear Hits."""
    wanted = wanted_hits(state, rules)
    n = 0
    for hit in range(MOST_HITS):
        if (wanted >> hit) & 1:
            out.action[n] = pack(METALLUM_HIT, HIT + hit, 0, 0, 0, 0)
            n += 1
    return n


@kernel
def hit_step(state, rules, action):
    """A human has chosen Metallum's Hit."""
    buy(state, rules, target_of(action) - HIT)


@kernel
def buy(state, rules, hit):
    """Metallum pays for ``hit`` and cancels a space of it; then a new Hit is due (R-HIT-05, R-HIT-13)."""
    me = state.seat[0]
    me.grana -= rules.hit_price[hit]
    me.hits |= 1 << hit
    me.bought_hit = 1
    state.hit_owner[hit] = 0
    take_from_row(state, hit)
    if rules.option.buy_occupied == RETURN_DICE and state.busy[HIT + hit] != 0:
        clear_target(state, rules, 0, HIT + hit)
    if rules.option.metallum_cancel == ASK_CANCEL:
        state.detail[0] = hit
        push_choice(state, CHOOSE_METALLUM_CANCEL, spokesman(state))
    else:
        cancel(state, rules, hit, rarest_space(rules, hit))


@kernel
def rarest_space(rules, hit):
    """The rarest face that ``hit`` requires, ANY for "?", or none by option (A-SOL-3)."""
    if rules.option.metallum_cancel != NO_CANCEL:
        for face in RAREST:
            if rules.hit_cancels[hit, face]:
                return face
    return NO_FACE


@kernel
def cancel(state, rules, hit, face):
    """Metallum cancels the space of ``face`` on its ``hit``, and a new Hit is revealed."""
    state.cancelled[hit] = face
    note_hits(state, rules)
    ask_hits(state, 0, 1)


@kernel
def cancel_legal(state, rules, out):
    """``metallum cancel FACE`` for each different space of the Hit just bought."""
    hit = state.detail[0]
    n = 0
    for face in range(FACES + 1):
        if rules.hit_cancels[hit, face]:
            out.action[n] = pack(METALLUM_CANCEL, 0, 0, 0, 0, face)
            n += 1
    return n


@kernel
def cancel_step(state, rules, action):
    """A human has chosen the space that Metallum cancels."""
    cancel(state, rules, state.detail[0], detail_of(action))


@kernel
def buy_card(state):
    """Metallum buys the top of the Distortion pile, face down, at the row's price (R-SOL-10, A-SOL-11)."""
    price = popcount(state.row)
    me = state.seat[0]
    if price > 0 and me.grana >= price and refill(state):
        me.grana -= price
        me.bought_distortion = 1
        ask_draw(state, 0)


@kernel
def reaches(me, rules, award):
    """Whether the levels of a seat hold every target of ``award`` (R-AWD-01)."""
    target = rules.award_target[award]
    return me.fans >= target[0] and me.fame >= target[1] and me.grana >= target[2] and me.overdrive >= target[3]


@kernel
def take_award(state, rules):
    """Metallum takes the award with most points that it reaches, swapping upwards only (R-SOL-13, A-SOL-7)."""
    me = state.seat[0]
    best, points = NO_AWARD, -1
    if me.award != NO_AWARD:
        points = rules.award_points[me.award]
    for award in range(MOST_AWARDS):
        if (np.int64(state.awards) >> award) & 1 and rules.award_points[award] > points and reaches(me, rules, award):
            best, points = award, rules.award_points[award]
    if best != NO_AWARD:
        if me.award != NO_AWARD:
            state.awards |= 1 << np.int64(me.award)
        state.awards ^= 1 << best
        me.award = best
        me.claimed = 1


# ------------------------------------------------------------------ its battle
@kernel
def shield_itself(state, rules, seat):
    """By option Metallum protects its rarest die once it has the shield (A-SOL-9)."""
    me = state.seat[seat]
    if rules.option.metallum_shield == SHIELD_ON and has_shield(state, rules, seat):
        for face in RAREST[:FACES]:
            if unshielded(me, face) > 0:
                me.shielded += UNIT[face]
                return


@kernel
def may_be_victim(state, rules, target, face, rare):
    """Whether Metallum may take a die of ``face`` from ``target`` among the faces as ``rare`` (A-SOL-4)."""
    if (face in (HORNS, INFLUENCE)) != rare or state.seat[target].band == METALLUM:
        return False
    return can_strike(state, 0, target, face, rules.option.metallum_attack != UNCONDITIONAL)


@kernel
def has_victims(state, rules, rare):
    """Whether Metallum may attack with one of the rare faces, or of the common ones."""
    for target in range(state.seats):
        for face in range(FACES):
            if may_be_victim(state, rules, target, face, rare):
                return True
    return False


@kernel
def ask_victim(state, rules):
    """Metallum attacks if it can: a human names the die among equally rare ones (R-SOL-15, R-SOL-16)."""
    if has_victims(state, rules, True) or (
        rules.option.metallum_attack != RARE_ONLY and has_victims(state, rules, False)
    ):
        push_choice(state, CHOOSE_VICTIM, spokesman(state))


@kernel
def victim_legal(state, rules, out):
    """``victim SEAT FACE`` for each die of the rarest kind that Metallum may remove."""
    rare = has_victims(state, rules, True)
    n = 0
    for target in range(state.seats):
        for face in range(FACES):
            if may_be_victim(state, rules, target, face, rare):
                out.action[n] = pack(VICTIM, 0, 0, 0, 0, target * 4 + face)
                n += 1
    return n


@kernel
def victim_step(state, rules, action):
    """The named die is attacked."""
    strike(state, rules, 0, detail_of(action))
