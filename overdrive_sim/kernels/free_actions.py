"""Free actions: what Grana buys without dice (R-GRA), and claiming an award (R-AWD).

Re-roll and set exist in the own attacker turn too (R-BAT-11, R-BAT-12); the rest does not (A-FREE-4).
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.abilities import throw_again
from overdrive_sim.kernels.actions import detail_of, dice_of, plain, target_of
from overdrive_sim.kernels.allocation import add_die
from overdrive_sim.kernels.cards import change_die
from overdrive_sim.kernels.gains import gain, room_above
from overdrive_sim.kernels.layout import (
    BUY_DIE,
    BUY_DISTORTION,
    BUY_HIT,
    BUY_LEVEL,
    CLAIM,
    FACES,
    FAME,
    FANS,
    GRANA,
    HIT,
    LEGAL_CAPACITY,
    MOST_AWARDS,
    MOST_CARDS,
    OVERDRIVE,
    REROLL,
    SET_FACE,
    TARGET_SHIFT,
    VERB_SHIFT,
)  # fmt: skip
from overdrive_sim.kernels.listing import FULL, list_one, list_pairs, list_rolls, list_some, list_targets
from overdrive_sim.kernels.piles import ask_cards, ask_hits, set_row, take_from_row
from overdrive_sim.kernels.places import clear_target, note_hits
from overdrive_sim.kernels.rules import OFFER_BITS, OPTIONS
from simcore.bits import index, popcount
from simcore.blocks import BLOCK, write_run
from simcore.kernel import kernel

_ANY_FACE = (1 << FACES) - 1
#: Cards face up when the row is full (R-DST-10); more are listed in further goes.
_CARDS_AT_ONCE = 3

_RETURN = OPTIONS["buy_occupied"].index("return")
_FORBID = OPTIONS["buy_occupied"].index("forbid")


@kernel
def dice_action_legal(state, rules, seat, out, n):
    """Re-rolls of own dice, and faces that may be set (R-GRA-02, R-GRA-04)."""
    me = state.seat[seat]
    if me.grana >= rules.price_reroll and me.pool > 0:
        n = list_rolls(out, n, np.int64(REROLL) << VERB_SHIFT, me)
    if me.grana >= rules.price_set and me.pool > 0:
        base = np.int64(SET_FACE) << VERB_SHIFT
        n = list_pairs(out, n, base, me.pool - me.shielded, me.shielded, _ANY_FACE, _ANY_FACE)
    return n


@kernel
def buy_level_legal(state, rules, seat, out, n):
    """A level of Fans, Fame or Overdrive (R-GRA-05), and an extra die (R-GRA-06)."""
    me = state.seat[seat]
    if me.grana >= rules.price_level:
        for track in range(4):
            if track != GRANA and room_above(state, rules, seat, track) > 0:
                n = list_one(out, n, plain(np.int64(BUY_LEVEL), track))
    if me.grana >= rules.price_die and me.extra_dice < rules.extra_dice:
        n = list_one(out, n, plain(np.int64(BUY_DIE), np.int64(0)))
    return n


@kernel
def buy_hit_legal(state, rules, seat, out, n):
    """Hits on the table that can be paid, with every space that may be cancelled (R-GRA-07, R-HIT-06)."""
    me = state.seat[seat]
    if me.bought_hit or me.grana < rules.least_price:
        return n
    low, middle, high = hits_for_sale(state)
    n = _list_hit(state, rules, me, low, out, n)
    n = _list_hit(state, rules, me, middle, out, n)
    return _list_hit(state, rules, me, high, out, n)


@kernel(inline=True)
def hits_for_sale(state):
    """The three Hits of the row, ascending (-1: none)."""
    one, two, three = np.int64(state.hit_row[0]), np.int64(state.hit_row[1]), np.int64(state.hit_row[2])
    low, high = min(one, two), max(one, two)
    return min(low, three), max(low, min(high, three)), max(high, three)


@kernel(inline=True)
def cancel_count(state, rules, me, hit):
    """How many spaces may be cancelled on a Hit of the row (-1: none), if it can be bought."""
    offer = rules.offer[index(hit + 1)]
    n = (offer & ((1 << OFFER_BITS) - 1)) * (offer >> OFFER_BITS <= me.grana)
    if rules.option.buy_occupied == _FORBID and n:
        n *= state.busy[index(HIT + hit)] == 0
    return n


@kernel
def _list_hit(state, rules, me, hit, out, n):
    """The spaces that may be cancelled on one Hit of the row (-1: none), if it can be bought."""
    if n + FACES + 1 + BLOCK > LEGAL_CAPACITY:
        return FULL
    known = max(hit, 0)
    base = (np.int64(BUY_HIT) << VERB_SHIFT) | ((HIT + known) << TARGET_SHIFT)
    return write_run(out.action, n, rules.cancel_list[known], 0, cancel_count(state, rules, me, hit), 0, 0, base)


@kernel
def buy_card_legal(state, rules, seat, out, n):
    """Face-up Distortion cards, at the price of their number (R-GRA-11, R-GRA-12); equal cards once."""
    cards = cards_for_sale(state, state.seat[seat])
    if not cards:
        return n
    if n + 2 * _CARDS_AT_ONCE + MOST_CARDS > LEGAL_CAPACITY:
        return FULL
    return list_targets(out, n, plain(np.int64(BUY_DISTORTION), 0), cards)


@kernel(inline=True)
def cards_for_sale(state, me):
    """The cards (bits) that a seat may buy: of the row, if it can pay; equal ones once."""
    return state.for_sale * ((me.bought_distortion == 0) & (popcount(state.row) <= me.grana))


@kernel
def claim_legal(state, rules, seat, out, n):
    """Awards in the centre whose target is reached, one a turn (R-AWD-01, R-AWD-02, R-AWD-07)."""
    awards = awards_within_reach(state, rules, state.seat[seat])
    return list_some(out, n, plain(np.int64(CLAIM), 0), awards)


@kernel(inline=True)
def awards_within_reach(state, rules, me):
    """The awards (bits) that a seat may claim."""
    if me.claimed or not stands_at(me, rules.award_least):
        return np.int64(0)
    # All four at once: rarely is one within reach, which takes no branch to find out.
    reached = np.int64(0)
    for award in range(MOST_AWARDS):
        reached |= np.int64(reaches(rules, me, award)) << award
    return reached & state.awards


@kernel(inline=True)
def reaches(rules, me, award):
    """Whether a seat's levels reach the target of an award."""
    return stands_at(me, rules.award_target[index(award)])


@kernel(inline=True)
def stands_at(me, target):
    """Whether no level of a seat is below ``target``, levels by track."""
    return (
        (me.fans >= target[FANS])
        & (me.fame >= target[FAME])
        & (me.grana >= target[GRANA])
        & (me.overdrive >= target[OVERDRIVE])
    )


# ------------------------------------------------------------------ what happens
@kernel
def reroll_step(state, rules, seat, action):
    """Own dice are thrown again for Grana (R-GRA-02)."""
    state.seat[index(seat)].grana -= rules.price_reroll
    throw_again(state, seat, dice_of(action), detail_of(action))


@kernel
def set_step(state, rules, seat, action):
    """One own die shows a chosen face (R-GRA-04)."""
    state.seat[index(seat)].grana -= rules.price_set
    change_die(state.seat[index(seat)], detail_of(action))


@kernel
def buy_level_step(state, rules, seat, action):
    """A level of a track is bought (R-GRA-05)."""
    state.seat[index(seat)].grana -= rules.price_level
    gain(state, rules, seat, detail_of(action), 1)


@kernel
def buy_die_step(state, rules, seat):
    """An extra die is bought and rolled at once (A-FREE-3)."""
    state.seat[index(seat)].grana -= rules.price_die
    add_die(state, seat)


@kernel
def buy_hit_step(state, rules, seat, action):
    """A Hit goes to the buyer's play area with a space cancelled; the next one is revealed (R-HIT-05, R-HIT-13)."""
    me = state.seat[index(seat)]
    hit = target_of(action) - HIT
    me.grana -= rules.hit_price[hit]
    me.bought_hit = 1
    me.hits |= 1 << hit
    state.hit_owner[hit] = seat
    state.cancelled[hit] = detail_of(action)
    if rules.option.buy_occupied == _RETURN:
        clear_target(state, rules, seat, HIT + hit)
    take_from_row(state, hit)
    note_hits(state, rules)
    ask_hits(state, seat, 1)


@kernel
def buy_card_step(state, rules, seat, action):
    """A Distortion card goes to the hand; with the last one of the row a new row is revealed (R-DST-09)."""
    me = state.seat[index(seat)]
    card = np.int64(1) << detail_of(action)
    me.grana -= popcount(state.row)
    me.bought_distortion = 1
    me.hand |= card
    set_row(state, rules, state.row ^ card)
    if state.row == 0:
        ask_cards(state, seat, rules.row_size)


@kernel
def claim_step(state, seat, action):
    """An award is claimed; one that the seat held goes back to the centre (R-AWD-09, R-AWD-10)."""
    me = state.seat[index(seat)]
    award = detail_of(action)
    state.awards ^= 1 << award
    if me.award >= 0:
        state.awards |= 1 << np.int64(me.award)
    me.award = award
    me.claimed = 1
