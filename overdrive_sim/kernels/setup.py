"""A fresh game: sheets, start levels, closed spaces, piles (R-SET-01 to R-SET-15, R-SOL-02 to R-SOL-05)."""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.battle import order_clockwise
from overdrive_sim.kernels.flow import settle
from overdrive_sim.kernels.layout import (
    ACOUSTIC,
    ALLOCATION,
    BOARD_SPACES,
    COOP,
    JAM_SESSION,
    METALLUM,
    MOST_CHOICES,
    MOST_HITS,
    NO_AWARD,
    NO_BAND,
    NO_CHANCE,
    OPPORTUNITY,
    PLACES,
    SEATS,
    SET_UP_CARDS,
    STANDARD,
    TARGETS,
)  # fmt: skip
from overdrive_sim.kernels.piles import ask_hits
from overdrive_sim.kernels.rules import OPTIONS, SINGLE_FACES
from simcore.kernel import kernel

HUMANS_ONLY = OPTIONS["human_grana_from"].index("humans_only")


@kernel
def reset(state, rules, setup):
    """A new game in place, at its first chance event: the first Hit of the row (R-SET-11)."""
    clear_table(state)
    state.seats = setup.seats
    state.mode = setup.mode
    state.difficulty = setup.dice
    state.speed_metal = setup.speed_metal
    state.hall_of_fame = setup.hall_of_fame
    state.free_falling = setup.free_falling
    state.marker = setup.first_player if setup.mode == STANDARD else 0
    state.closed = closed_spaces(rules, setup.mode, setup.seats, setup.free_falling)
    for seat in range(SEATS):
        clear_seat(state.seat[seat])
        if seat < setup.seats:
            deal_band(state, rules, seat, setup.band[seat])
    state.hit_pile = (np.int64(1) << rules.hits) - 1
    state.pile = (np.int64(1) << rules.cards) - 1
    order_clockwise(state, state.marker)
    state.turn = state.marker
    state.game_round = 1
    state.phase = ALLOCATION
    state.stage = SET_UP_CARDS
    ask_hits(state, state.marker, rules.offer_size)
    settle(state, rules)


@kernel
def closed_spaces(rules, mode, seats, free_falling):
    """Board spaces (bits) closed for the whole game (R-SET-09, R-SOL-05, R-COP-02, A-COP-3, R-FRF-03).

    ``seats`` counts Metallum.  A standard game closes the spaces that need more players; solo and co-op
    close Acoustic and Opportunity whatever the number of humans.
    """
    closed = 0
    if mode == STANDARD:
        for space in range(BOARD_SPACES):
            if seats < rules.space_from_players[space]:
                closed |= 1 << space
    else:
        closed = (1 << ACOUSTIC) | (1 << OPPORTUNITY)
    if free_falling or (mode not in (STANDARD, COOP)):
        closed |= 1 << JAM_SESSION
    return closed


@kernel
def clear_table(state):
    """Nothing lies on the board or the table, nothing is asked; all awards are in the centre."""
    state.row = 0
    state.for_sale = 0
    state.discard = 0
    state.occupied = 0
    state.full = 0
    state.position = 0
    state.chance = NO_CHANCE
    state.chance_seat = 0
    state.chance_left = 0
    state.choices = 0
    state.awards = 0b1111
    for i in range(MOST_CHOICES):
        state.choice_kind[i] = 0
        state.choice_seat[i] = 0
    for i in range(len(state.detail)):
        state.detail[i] = 0
    for i in range(SEATS):
        state.order[i] = 0
    for i in range(len(state.hit_row)):
        state.hit_row[i] = -1
    for column in range(len(state.in_play)):
        state.in_play[column] = 0
    for hit in range(MOST_HITS):
        state.cancelled[hit] = -1
        state.hit_owner[hit] = -1
        state.hit_need[hit] = 0
    for place in range(PLACES):
        state.dice_at[place] = 0
    for target in range(TARGETS):
        state.busy[target] = 0
        state.lying[target] = 0


@kernel
def clear_seat(me):
    """A seat without a band: every level and limit 0."""
    me.band = NO_BAND
    me.award = NO_AWARD
    me.hand = 0
    me.used = 0
    me.hits = 0
    me.fans = 0
    me.fame = 0
    me.grana = 0
    me.overdrive = 0
    me.pool = 0
    me.spent = 0
    me.shielded = 0
    me.extra_dice = 0
    me.on_board = 0
    me.n_locked = 0
    me.single_faces = 0
    me.abilities_used = 0
    me.bought_hit = 0
    me.bought_distortion = 0
    me.claimed = 0
    me.skulls_wild = 0
    me.attacked = 0
    for slot in range(len(me.copies)):
        me.copies[slot] = NO_BAND
    for i in range(len(me.board)):
        me.board[i] = 0
    for i in range(len(me.locked)):
        me.locked[i] = 0


@kernel
def deal_band(state, rules, seat, band):
    """The sheet of ``band`` and its start levels (R-SET-03 to R-SET-08, G-12, G-13)."""
    me = state.seat[seat]
    me.band = band
    if band == METALLUM:
        me.fans = rules.metallum_levels[0]
        me.fame = rules.metallum_levels[1]
        me.grana = rules.metallum_levels[2]
        me.overdrive = rules.metallum_levels[3]
    else:
        place = (seat - state.marker + state.seats) % state.seats
        if state.mode != STANDARD and rules.option.human_grana_from == HUMANS_ONLY:
            place -= 1
        me.grana = rules.start_grana[place]
        if rules.ability_kind[band, 1] == SINGLE_FACES:
            me.single_faces = rules.single_faces
    me.most[0] = me.fans
    me.most[1] = me.fame
    me.most[2] = me.grana
    me.most[3] = me.overdrive
