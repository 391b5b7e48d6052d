"""Hit pile and Distortion pile: asking for cards to be revealed or drawn, and taking the one that came.

Piles are sets of unseen cards; their order is chance.  A reveal is asked card by card, also when a single
card is left; when nothing is left it is not asked (A-HIT-7, A-DST-2).
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.layout import DRAW_METALLUM, NO_CHANCE, REVEAL_DISTORTION, REVEAL_HIT
from overdrive_sim.kernels.places import note_hits
from simcore.bits import index, lowest, nth
from simcore.kernel import kernel


@kernel
def ask_hits(state, seat, n):
    """Ask for ``n`` Hits to be revealed on account of ``seat``; fewer when the pile is short (R-HIT-13)."""
    state.chance = NO_CHANCE
    if n > 0 and state.hit_pile != 0:
        state.chance = REVEAL_HIT
        state.chance_seat = seat
        state.chance_left = n


@kernel
def refill(state):
    """Whether the Distortion pile has a card; an empty one first takes the row's discards (A-DST-2)."""
    if state.pile == 0:
        state.pile = state.discard
        state.discard = 0
    return state.pile != 0


@kernel
def ask_cards(state, seat, n):
    """Ask for ``n`` Distortion cards to be revealed on account of ``seat`` (R-DST-09, R-DST-10)."""
    state.chance = NO_CHANCE
    if n > 0 and refill(state):
        state.chance = REVEAL_DISTORTION
        state.chance_seat = seat
        state.chance_left = n


@kernel
def ask_draw(state, seat):
    """Ask for one Distortion card to be drawn face down by ``seat`` (R-SOL-10); the pile is not empty."""
    state.chance = DRAW_METALLUM
    state.chance_seat = seat
    state.chance_left = 1


@kernel
def reveal_hit(state, rules, outcome):
    """The ``outcome``-th unseen Hit joins the row at the right; asks for the next one that is due."""
    hit = nth(np.int64(state.hit_pile), outcome)
    state.hit_pile ^= 1 << hit
    column = 0
    while state.hit_row[column] >= 0:
        column += 1
    state.hit_row[column] = hit
    note_hits(state, rules)
    ask_hits(state, state.chance_seat, state.chance_left - 1)


@kernel
def reveal_card(state, rules, outcome):
    """The ``outcome``-th card of the Distortion pile joins the row; asks for the next one that is due."""
    card = np.int64(1) << nth(state.pile, outcome)
    state.pile ^= card
    set_row(state, rules, state.row | card)
    ask_cards(state, state.chance_seat, state.chance_left - 1)


@kernel
def set_row(state, rules, row):
    """The cards (bits) of the row are ``row`` now."""
    state.row = row
    state.for_sale = row
    left = row
    while left:
        card = lowest(left)
        left &= left - 1
        if row & rules.card_twins[index(card)]:
            state.for_sale ^= np.int64(1) << card


@kernel
def draw_card(state, outcome):
    """The ``outcome``-th card of the Distortion pile goes unseen to the hand of ``chance_seat``."""
    card = np.int64(1) << nth(state.pile, outcome)
    state.pile ^= card
    state.seat[state.chance_seat].hand |= card
    state.chance = NO_CHANCE


@kernel
def take_from_row(state, hit):
    """``hit`` leaves the row; those to its right move up (a new Hit joins at the right)."""
    column = 0
    while state.hit_row[column] != hit:
        column += 1
    last = len(state.hit_row) - 1
    while column < last:
        state.hit_row[column] = state.hit_row[column + 1]
        column += 1
    state.hit_row[last] = -1
