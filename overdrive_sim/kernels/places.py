"""Dice on the board: where they lie, whose they are, and how they come home.

Every die on the board is an entry of its owner's list (``place * 32 + placer * 4 + face``).  The fields
``dice_at``, ``busy``, ``occupied``, ``full`` and ``lying`` of the state follow from those lists and are
kept in step here and nowhere else.  A target with 0 places in the rules (Resources, R-BRD-04) is never
full; all its dice lie on its place 0.
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.dice import FACE_LIST, PRESENT, SIZE, number_of
from overdrive_sim.kernels.layout import (
    BOARD_SPACES,
    FACE_BITS,
    FACES,
    HIT,
    MOST_LOCKED,
    MOST_PLACES,
    SEATS,
    UNIT,
    VIKING_STAGE,
)  # fmt: skip
from overdrive_sim.kernels.rules import NOTHING_CANCELLED
from simcore.bits import index, lowest
from simcore.blocks import BLOCK
from simcore.kernel import kernel

# Bits of an entry: face, placer, place; those of a place within its target.  Shifts, because a division of numbers
# with a sign takes ten times as long.
_FACE_SHIFT, _PLACE_SHIFT, _TARGET_SHIFT = 2, 5, 2
PLACE_UNIT = 1 << _PLACE_SHIFT
_NIBBLE = 15


@kernel
def spot_of(entry):
    """Place (``target * MOST_PLACES + k``) of an entry of ``board``."""
    return entry >> _PLACE_SHIFT


@kernel
def placer_of(entry):
    """Seat that placed the die of an entry of ``board``."""
    return entry >> _FACE_SHIFT & (1 << _PLACE_SHIFT - _FACE_SHIFT) - 1


@kernel
def target_at(spot):
    """Target of a place."""
    return spot >> _TARGET_SHIFT


@kernel(inline=True)
def places_of(rules, target):
    """Places of a target; 0 for any number."""
    if target < BOARD_SPACES:
        return np.int64(rules.space_places[index(target)])
    return np.int64(1)


@kernel
def lay(state, rules, owner, target, place, placer, face):
    """One die of ``owner`` is placed by ``placer`` on a place of a target (which must have room)."""
    me = state.seat[index(owner)]
    spot = target * MOST_PLACES + place
    me.board[index(me.on_board)] = spot * PLACE_UNIT + placer * FACES + face
    me.on_board += 1
    state.dice_at[index(spot)] += 1
    state.lying[index(target)] |= 1 << (owner * FACES + face)
    _occupy(state, rules, target, place)


@kernel(inline=True)
def _occupy(state, rules, target, place):
    """A place of a target has dice on it now."""
    busy = np.int64(state.busy[index(target)]) | (1 << place)
    state.busy[index(target)] = busy
    state.occupied |= np.int64(1) << target
    if busy == (1 << places_of(rules, target)) - 1:
        state.full |= np.int64(1) << target


@kernel(inline=True)
def put(state, rules, seat, target, place, own, borrowed):
    """``seat`` allocates: the dice of code ``own``, and the entries of ``locked`` whose bits are in ``borrowed``.

    The dice go to the board; ``locked`` loses its entries, the pool is the caller's.  With jam_die =
    stays a borrowed die lies elsewhere already and only its entry goes (A-SPC-6).
    """
    me = state.seat[index(seat)]
    spot = target * MOST_PLACES + place
    entry = spot * PLACE_UNIT + seat * FACES
    number = number_of(own)
    at = np.int64(me.on_board)
    if own:
        dice = np.int64(SIZE[index(number)])
        for k in range(dice):
            me.board[index(at + k)] = entry + np.int64(FACE_LIST[index(number * BLOCK + k)])
        me.on_board = at + dice
        state.dice_at[index(spot)] += dice
        state.lying[index(target)] |= np.int64(PRESENT[index(number)]) << (seat * FACES)
        _occupy(state, rules, target, place)
    if borrowed:
        kept = 0
        for k in range(me.n_locked):
            entry = np.int64(me.locked[k])
            if borrowed >> k & 1:
                if not rules.option.jam_die:
                    lay(state, rules, entry >> _FACE_SHIFT, target, place, seat, entry & FACE_BITS)
            else:
                me.locked[kept] = entry
                kept += 1
        me.n_locked = kept


@kernel(inline=True)
def vacate(state, spot):
    """One die leaves a place; a place whose only die left is free (A-SPC-6)."""
    target = target_at(spot)
    state.dice_at[index(spot)] -= 1
    # No branch: how many dice lie together is hard to foresee.
    is_free = np.int64(state.dice_at[index(spot)] == 0)
    busy = np.int64(state.busy[index(target)]) & ~(is_free << (spot & MOST_PLACES - 1))
    state.busy[index(target)] = busy
    state.full &= ~(is_free << target)
    state.occupied &= ~(np.int64(busy == 0) << target)


@kernel(inline=True)
def collect(state, seat):
    """``seat`` takes all its dice off the board, wherever they lie and whoever placed them (R-ALL-03)."""
    me = state.seat[index(seat)]
    for k in range(me.on_board):
        spot = spot_of(np.int64(me.board[index(k)]))
        vacate(state, spot)
        state.lying[index(target_at(spot))] &= ~(_NIBBLE << (seat * FACES))
    me.on_board = 0


@kernel(inline=True)
def give_back_borrowed(state, seat):
    """Borrowed dice that ``seat`` has not used go home to their owners at the end of its turn (A-SPC-6)."""
    state.seat[index(seat)].n_locked = 0


@kernel
def clear_target(state, rules, acting, target):
    """All dice leave a target, every place of it (A-SPC-8).

    Dice of others go home; those of ``acting`` are spent for this turn, or back in its pool with
    returned_dice = reusable.
    """
    lying = np.int64(state.lying[index(target)])
    for owner in range(SEATS):
        if lying >> (owner * FACES) & _NIBBLE:
            returned = _strip(state.seat[owner], target)
            if owner == acting:
                if rules.option.returned_dice:
                    state.seat[owner].pool += returned
                else:
                    state.seat[owner].spent += returned
    state.lying[index(target)] = 0
    state.busy[index(target)] = 0
    for place in range(MOST_PLACES):
        state.dice_at[index(target * MOST_PLACES + place)] = 0
    state.occupied &= ~(np.int64(1) << target)
    state.full &= ~(np.int64(1) << target)


@kernel
def _strip(me, target):
    """Take the entries on ``target`` off a seat's list; returns the dice code of what was there."""
    kept, code = 0, 0
    for k in range(me.on_board):
        entry = np.int64(me.board[index(k)])
        if target_at(spot_of(entry)) == target:
            code += UNIT[index(entry & FACE_BITS)]
        else:
            me.board[index(kept)] = entry
            kept += 1
    me.on_board = kept
    return code


@kernel
def clear_board(state):
    """All dice of all seats leave the board (R-ALL-07)."""
    for seat in range(SEATS):
        state.seat[seat].on_board = 0
    left = np.int64(state.occupied)
    while left:
        target = lowest(left)
        left &= left - 1
        state.busy[index(target)] = 0
        state.lying[index(target)] = 0
        for place in range(MOST_PLACES):
            state.dice_at[index(target * MOST_PLACES + place)] = 0
    state.occupied = 0
    state.full = 0


@kernel
def borrow(state, rules, seat, target, owner, face):
    """A die of ``owner`` on ``target`` joins the pool of ``seat`` as a borrowed one (R-SPC-06, A-SPC-6).

    Of several such dice the one that its owner placed itself goes first.  With jam_die = stays the die
    keeps its place and is only counted.
    """
    if not rules.option.jam_die:
        _lift(state, owner, target, face)
    me = state.seat[seat]
    entry = owner * FACES + face
    k = np.int64(me.n_locked)
    while k > 0 and me.locked[k - 1] > entry:
        me.locked[k] = me.locked[k - 1]
        k -= 1
    me.locked[k] = entry
    me.n_locked += 1


@kernel
def _lift(state, owner, target, face):
    """Take one die showing ``face`` off ``target`` and off its owner's list, the owner's own placement first."""
    them = state.seat[index(owner)]
    found, own, matches = -1, 0, 0
    for k in range(them.on_board):
        entry = np.int64(them.board[index(k)])
        if target_at(spot_of(entry)) == target and entry & FACE_BITS == face:
            matches += 1
            is_own = placer_of(entry) == owner
            if found < 0 or (is_own and not own):
                found, own = k, is_own
    vacate(state, spot_of(np.int64(them.board[index(found)])))
    them.on_board -= 1
    for k in range(found, them.on_board):
        them.board[index(k)] = them.board[index(k + 1)]
    if matches == 1:
        state.lying[index(target)] &= ~(1 << (owner * FACES + face))


@kernel
def can_borrow(state, rules, seat, target, owner, face):
    """Whether a die that lies on ``target`` may be borrowed: with jam_die = stays each die once at a time."""
    me = state.seat[seat]
    if me.n_locked >= MOST_LOCKED:
        return False
    if not rules.option.jam_die:
        return True
    there, counted = 0, 0
    them = state.seat[owner]
    for k in range(them.on_board):
        there += them.board[k] % FACES == face
    for k in range(me.n_locked):
        counted += me.locked[k] == owner * FACES + face
    return there > counted


@kernel
def is_open(state, rules, seat, target):
    """Whether a target exists for ``seat``: not closed, its own stage, a Hit on the table or owned by somebody."""
    if target < BOARD_SPACES:
        return not state.closed >> target & 1
    if target < HIT:
        return target == VIKING_STAGE + seat
    return np.int64(hits_in_play(state)) >> (target - HIT) & 1 != 0


@kernel
def hits_in_play(state):
    """Bits of the Hits that dice may be allocated to: on the table, or in somebody's play area (R-HIT-09)."""
    bits = np.int64(0)
    for k in range(3):
        if state.hit_row[k] >= 0:
            bits |= np.int64(1) << np.int64(state.hit_row[k])
    for seat in range(SEATS):
        bits |= np.int64(state.seat[seat].hits)
    return bits


@kernel
def note_hits(state, rules):
    """Bring ``in_play`` and ``hit_need`` up to date, after a Hit was revealed, bought or had a space cancelled."""
    for column in range(len(state.in_play)):
        state.in_play[column] = 0
    hits = hits_in_play(state)
    while hits:
        hit = lowest(hits)
        hits &= hits - 1
        face = cancelled_face(state, hit)
        state.in_play[index(face)] |= 1 << hit
        state.hit_need[index(hit)] = rules.hit_row[index(hit), 0, index(face)]


@kernel
def cancelled_face(state, hit):
    """Face whose space is cancelled on a Hit (R-HIT-07), NOTHING_CANCELLED if none."""
    face = np.int64(state.cancelled[index(hit)])
    return face if face >= 0 else np.int64(NOTHING_CANCELLED)


@kernel
def has_placed(state, seat, target):
    """Whether ``seat`` has placed dice that still lie on ``target``, borrowed ones among them."""
    for owner in range(SEATS):
        them = state.seat[owner]
        for k in range(them.on_board):
            entry = np.int64(them.board[k])
            if target_at(spot_of(entry)) == target and placer_of(entry) == seat:
                return True
    return False


@kernel
def free_place(state, rules, seat, target):
    """The first free place of an open target for ``seat``, -1 if there is none (R-ALL-04, A-SPC-4)."""
    if state.full >> target & 1 or not is_open(state, rules, seat, target):
        return -1
    if rules.option.double_place and state.busy[target] and has_placed(state, seat, target):
        return -1
    return first_place(state, rules, target)


@kernel(inline=True)
def first_place(state, rules, target):
    """The first free place of a target that is not full."""
    places = places_of(rules, target)
    if places == 0:
        return 0
    return lowest(~np.int64(state.busy[index(target)]) & ((1 << places) - 1))
