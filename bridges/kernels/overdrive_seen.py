"""What a seat sees of Overdrive, as one row of small numbers.

Seats come in the order of the chairs from the viewer on: 0 the viewer itself.  Metallum's face-down cards are no
part of a row before the end (A-DST-12): they lie among the unseen ones, as a card that is in the pile does.
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.layout import (
    BANDS,
    BOARD_SPACES,
    CHOOSE_METALLUM_CANCEL,
    CHOOSE_REACTION,
    FACES,
    FINISHED,
    HIT,
    METALLUM,
    MOST_CARDS,
    MOST_HITS,
    MOST_PLACES,
    NO_BAND,
    SHIELDS,
    STANDARD,
    TARGETS,
    VIKING_STAGE,
)  # fmt: skip
from simcore.bits import popcount
from simcore.kernel import kernel

_BANDS = len(BANDS)
_LEVELS = 7  # of words

#: (name, numbers a seat, least, most, meaning) of what is seen of each seat, in order.
SEAT_FIELDS = (
    ("band", _BANDS, 0, 1, "1 for the band that is played, in printed order, Metallum last"),
    ("tracks", 4, 0, 99, "levels of Fans, Fame, Grana, Overdrive"),
    ("most", 4, 0, 99, "highest level ever reached on each track (only with unlock = reached)"),
    ("pool", FACES, 0, 8, "own dice in hand that show H, S, C, I"),
    ("spent", FACES, 0, 8, "dice that are spent until the next roll, by face"),
    ("shielded", FACES, 0, 8, "dice of the pool that are shielded, by face"),
    ("flags", 6, 0, 1, "bought a Hit, bought a card, claimed an award, Skulls are wild, attacked; plays in this game"),
    ("abilities_used", 3, 0, 1, "abilities A, B and the limited passive one that are used up"),
    ("copies", 3, 0, _BANDS, "1 + band whose A, B, C Cover Bots copy, 0 none"),
    ("counts", 3, 0, 62, "extra dice, single-use faces left, cards in hand"),
    ("award", 1, 0, 4, "1 + the award owned, 0 none"),
    ("hand", MOST_CARDS, 0, 1, "Distortion cards in hand, in deck order; Metallum's are not shown"),
    ("used", MOST_CARDS, 0, 1, "Distortion cards that were played"),
    ("hits", MOST_HITS, 0, 1, "Hits owned"),
    ("rank", 1, 0, 4, "place in the order of the round or battle"),
)

#: The same of the table; ``seats`` stands for the number of seats.
TABLE_FIELDS = (
    ("table_hits", MOST_HITS, 0, 3, "1 + place of a Hit on the table, 0 elsewhere"),
    ("hit_pile", MOST_HITS, 0, 1, "Hits that nobody has seen"),
    ("offered", MOST_CARDS, 0, 1, "Distortion cards face up"),
    ("discarded", MOST_CARDS, 0, 1, "Distortion cards on the discard pile"),
    ("unseen", MOST_CARDS, 0, 1, "Distortion cards that the viewer has not seen"),
    ("awards", 4, 0, 1, "awards on the table"),
    ("closed", BOARD_SPACES, 0, 1, "spaces that are closed in this game"),
    ("occupied", TARGETS, 0, 1, "targets with dice on them; Viking stages from the viewer's on"),
    ("full", TARGETS, 0, 1, "targets without a free place"),
    ("cancelled", MOST_HITS, 0, 5, "1 + face cancelled on an owned Hit (5: ?), 0 none"),
    ("moment", 8, 0, 15, "round, phase, kind of choice, attacked die + 1, shield used, Hit that is cancelled + 1 (high "
                         "and low by 8), place in the order"),
    ("turn", "seats", 0, 1, "whose turn it is"),
    ("asked", "seats", 0, 1, "who decides"),
    ("marker", "seats", 0, 1, "who holds the first player marker"),
    ("mode", 6, 0, 6, "mode, difficulty (number of Metallum's dice), Speed Metal, Hall of Fame, Free Falling, seats"),
    ("placed", ("seats", TARGETS, FACES), 0, 6, "dice on each target by the seat that placed them and face"),
    ("owned", ("seats", TARGETS), 0, 6, "dice on each target by owner"),
    ("borrowed", ("seats", "seats", FACES), 0, 8, "dice in a pool that belong to others, by holder, owner and face"),
)  # fmt: skip


@kernel
def see(state, rules, viewer, rows, i):
    """Write what ``viewer`` sees to ``rows[i]`` (zeroed, int16) by the fields above; returns how many numbers."""
    seats = np.int64(state.seats)
    k = np.int64(0)
    for other in range(seats):
        seat = (viewer + other) % seats
        k = _see_seat(state, seat, viewer, rows, i, k)
    k = _see_cards(state, rows, i, k)
    k = _see_moment(state, viewer, rows, i, k)
    return _see_board(state, viewer, rows, i, k)


@kernel
def _bits(rows, i, k, mask, size):
    """One number a bit of ``mask``."""
    while mask:
        low = popcount((mask & -mask) - 1)
        mask &= mask - 1
        if low < size:
            rows[i, k + low] = 1
    return k + size


@kernel
def _dice(rows, i, k, code):
    for face in range(FACES):
        rows[i, k + face] = code % 7
        code //= 7
    return k + FACES


@kernel
def _see_seat(state, seat, viewer, rows, i, k):
    me = state.seat[seat]
    rows[i, k + np.int64(me.band)] = 1
    k += _BANDS
    rows[i, k] = me.fans
    rows[i, k + 1] = me.fame
    rows[i, k + 2] = me.grana
    rows[i, k + 3] = me.overdrive
    for track in range(4):
        rows[i, k + 4 + track] = me.most[track]
    k = _dice(rows, i, k + 8, np.int64(me.pool))
    k = _dice(rows, i, k, np.int64(me.spent))
    k = _dice(rows, i, k, np.int64(me.shielded))
    rows[i, k] = me.bought_hit != 0
    rows[i, k + 1] = me.bought_distortion != 0
    rows[i, k + 2] = me.claimed != 0
    rows[i, k + 3] = me.skulls_wild != 0
    rows[i, k + 4] = me.attacked != 0
    rows[i, k + 5] = 1
    k = _bits(rows, i, k + 6, np.int64(me.abilities_used), 3)
    for slot in range(3):
        rows[i, k + slot] = np.int64(me.copies[slot]) - NO_BAND
    rows[i, k + 3] = me.extra_dice
    rows[i, k + 4] = me.single_faces
    rows[i, k + 5] = popcount(np.int64(me.hand))
    rows[i, k + 6] = np.int64(me.award) + 1
    k = _bits(rows, i, k + 7, _seen_hand(state, seat), MOST_CARDS)
    k = _bits(rows, i, k, np.int64(me.used), MOST_CARDS)
    k = _bits(rows, i, k, np.int64(me.hits), MOST_HITS)
    for place in range(np.int64(state.seats)):
        if np.int64(state.order[place]) == seat:
            rows[i, k] = place
    return k + 1


@kernel
def _is_hidden(state, seat):
    """Whether the hand of ``seat`` lies face down."""
    return state.mode != STANDARD and state.phase != FINISHED and state.seat[seat].band == METALLUM


@kernel
def _seen_hand(state, seat):
    return np.int64(0) if _is_hidden(state, seat) else np.int64(state.seat[seat].hand)


@kernel
def _see_cards(state, rows, i, k):
    for place in range(3):
        hit = np.int64(state.hit_row[place])
        if hit >= 0:
            rows[i, k + hit] = place + 1
    k = _bits(rows, i, k + MOST_HITS, np.int64(state.hit_pile), MOST_HITS)
    k = _bits(rows, i, k, np.int64(state.row), MOST_CARDS)
    k = _bits(rows, i, k, np.int64(state.discard), MOST_CARDS)
    unseen = np.int64(state.pile)
    for seat in range(np.int64(state.seats)):
        if _is_hidden(state, seat):
            unseen |= np.int64(state.seat[seat].hand)
    k = _bits(rows, i, k, unseen, MOST_CARDS)
    return _bits(rows, i, k, np.int64(state.awards), 4)


@kernel
def _turned(state, mask, viewer):
    """Bits of targets with the Viking stages from the viewer's on."""
    seats = np.int64(state.seats)
    stages = (mask >> VIKING_STAGE) & ((np.int64(1) << (HIT - VIKING_STAGE)) - 1)
    turned = ((stages >> viewer) | (stages << (seats - viewer))) & ((np.int64(1) << seats) - 1)
    return (mask & ~(((np.int64(1) << (HIT - VIKING_STAGE)) - 1) << VIKING_STAGE)) | (turned << VIKING_STAGE)


@kernel
def _asked(state):
    return np.int64(state.choice_seat[0]) if state.choices > 0 else np.int64(state.turn)


@kernel
def _see_moment(state, viewer, rows, i, k):
    seats = np.int64(state.seats)
    k = _bits(rows, i, k, np.int64(state.closed), BOARD_SPACES)
    k = _bits(rows, i, k, _turned(state, np.int64(state.occupied), viewer), TARGETS)
    k = _bits(rows, i, k, _turned(state, np.int64(state.full), viewer), TARGETS)
    for hit in range(MOST_HITS):
        rows[i, k + hit] = np.int64(state.cancelled[hit]) + 1
    k += MOST_HITS
    kind = np.int64(state.choice_kind[0]) if state.choices > 0 else np.int64(0)
    rows[i, k] = state.game_round
    rows[i, k + 1] = state.phase
    rows[i, k + 2] = kind
    if kind == CHOOSE_REACTION:
        rows[i, k + 3] = np.int64(state.detail[1]) % FACES + 1
    if SHIELDS <= state.phase < FINISHED:
        rows[i, k + 4] = np.int64(state.detail[0]) & 1
    if kind == CHOOSE_METALLUM_CANCEL:
        hit = np.int64(state.detail[0]) + 1
        rows[i, k + 5] = hit // 8
        rows[i, k + 6] = hit % 8
    rows[i, k + 7] = state.position
    k += 8
    rows[i, k + (np.int64(state.turn) - viewer) % seats] = 1
    rows[i, k + seats + (_asked(state) - viewer) % seats] = 1
    rows[i, k + 2 * seats + (np.int64(state.marker) - viewer) % seats] = 1
    k += 3 * seats
    rows[i, k] = state.mode
    rows[i, k + 1] = state.difficulty
    rows[i, k + 2] = state.speed_metal
    rows[i, k + 3] = state.hall_of_fame
    rows[i, k + 4] = state.free_falling
    rows[i, k + 5] = seats
    return k + 6


@kernel
def _see_board(state, viewer, rows, i, k):
    """Every die on the board and every borrowed one."""
    seats = np.int64(state.seats)
    owned = k + seats * TARGETS * FACES
    lent = owned + seats * TARGETS
    for seat in range(seats):
        me = state.seat[seat]
        owner = (seat - viewer) % seats
        for n in range(np.int64(me.on_board)):
            entry = np.int64(me.board[n])
            target = entry // 32 // MOST_PLACES
            if VIKING_STAGE <= target < HIT:
                target = VIKING_STAGE + (target - VIKING_STAGE - viewer) % seats
            placer = (entry // 4 % 8 - viewer) % seats
            rows[i, k + (placer * TARGETS + target) * FACES + entry % 4] += 1
            rows[i, owned + owner * TARGETS + target] += 1
        for n in range(np.int64(me.n_locked)):
            entry = np.int64(me.locked[n])
            lender = (entry // FACES - viewer) % seats
            rows[i, lent + (owner * seats + lender) * FACES + entry % FACES] += 1
    return lent + seats * seats * FACES
