"""Allocations: which dice may go where (R-ALL-04, R-ALL-08), and what they do there (R-SPC, R-HCD).

What own dice alone may do is copied from tables by the hand (``overdrive_sim.hands``); mixtures with other
dice take the longer way (``mixtures``).
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.actions import borrowed_of, detail_of, dice_of, target_of, virtual_of
from overdrive_sim.kernels.dice import CODE, NUMBER
from overdrive_sim.kernels.gains import gain, gain_all
from overdrive_sim.kernels.layout import (
    ACOUSTIC,
    BOARD_SPACES,
    DICE_SHIFT,
    FACE_BITS,
    FACES,
    HIT,
    IMPROVISATION,
    JAM_SESSION,
    LEGAL_CAPACITY,
    NEW_MEMBER,
    NEW_RIFF,
    OPPORTUNITY,
    ROLL_EXTRA,
    TARGET_SHIFT,
    UNIT,
    VIKING_STAGE,
)  # fmt: skip
from overdrive_sim.kernels.listing import FULL, MOST_SUBSETS, sort_run
from overdrive_sim.kernels.mixtures import mixed_legal, virtual_faces
from overdrive_sim.kernels.places import borrow, clear_target, first_place, put
from overdrive_sim.kernels.rules import ROW_COUNT_BITS
from overdrive_sim.kernels.spaces import has_stage, hit_row, list_effects, open_spaces, usable_hits
from simcore.bits import index, lowest
from simcore.blocks import BLOCK, write_run
from simcore.kernel import kernel

_ROW_COUNT = (1 << ROW_COUNT_BITS) - 1


# ------------------------------------------------------------------ what is possible
@kernel
def allocate_legal(state, rules, seat, out, n):
    """Every allocation that ``seat`` may make now."""
    me = state.seat[seat]
    before = n
    has_cap = rules.option.track_cap
    if me.pool > 0 and not has_cap:
        n = _own_legal(state, rules, seat, out, n)
    virtual = virtual_faces(state, rules, seat)
    if me.n_locked > 0 or virtual > 0 or has_cap:
        n = mixed_legal(state, rules, seat, virtual, has_cap, out, before, n)
    return n


@kernel
def _own_legal(state, rules, seat, out, n):
    """Allocations of own dice alone, where no track has a cap."""
    me = state.seat[seat]
    hand, wild = NUMBER[me.pool], np.int64(me.skulls_wild)
    known = rules.hand[wild, hand]
    if n + np.int64(known.start[BOARD_SPACES]) - np.int64(known.start[0]) > LEGAL_CAPACITY - BLOCK:
        return FULL
    spaces = open_spaces(state, rules, seat) & np.int64(known.fits)
    while spaces:
        n = own_on(state, rules, seat, lowest(spaces), out, n)
        spaces &= spaces - 1
    if has_stage(state, rules, seat):
        n = own_on(state, rules, seat, VIKING_STAGE + seat, out, n)
    hits = usable_hits(state, known) & ~(np.int64(state.full) >> HIT)
    while hits:
        n = own_on(state, rules, seat, HIT + lowest(hits), out, n)
        hits &= hits - 1
    return n


@kernel
def own_on(state, rules, seat, target, out, n):
    """Allocations of own dice alone on one open target."""
    me = state.seat[seat]
    hand, wild = NUMBER[me.pool], np.int64(me.skulls_wild)
    if target >= HIT:
        return _list_hit(state, rules, wild, hand, target - HIT, out, n)
    if target >= BOARD_SPACES:
        return _list_row(rules, wild, hand, rules.stage_row, target << TARGET_SHIFT, out, n)
    if target in (JAM_SESSION, OPPORTUNITY):
        return _list_on_board(state, rules, seat, target, out, n)
    return _list_space(rules, rules.hand[wild, hand], target, out, n)


@kernel
def _list_hit(state, rules, wild, hand, hit, out, n):
    """Parts of the hand that meet what one Hit requires."""
    base = (HIT + hit) << TARGET_SHIFT
    before = n
    n = _list_row(rules, wild, hand, hit_row(state, rules, hit, 0), base, out, n)
    if rules.hit_ways[hit] > 1:
        n = _list_row(rules, wild, hand, hit_row(state, rules, hit, 1), base + 1, out, n)
        sort_run(out, before, n)
    return n


@kernel
def _list_space(rules, known, space, out, n):
    """Choices on a space as they stand in the tables."""
    start = np.int64(known.start[space])
    count = np.int64(known.start[space + 1]) - start
    return write_run(out.action, n, rules.space_choice, start, count, DICE_SHIFT, 8, np.int64(space) << TARGET_SHIFT)


@kernel
def _list_row(rules, wild, hand, row, base, out, n):
    """``base`` with every part of the hand that meets a requirement."""
    if n + MOST_SUBSETS + BLOCK > LEGAL_CAPACITY:
        return FULL
    run = np.int64(rules.row_start[wild, hand, row])
    start, count = run >> ROW_COUNT_BITS, run & _ROW_COUNT
    return write_run(out.action, n, rules.row_dice, start, count, DICE_SHIFT, 0, base)


@kernel
def _list_on_board(state, rules, seat, space, out, n):
    """Allocations of own dice on a space whose effect depends on the board: Jam Session, Opportunity."""
    me = state.seat[seat]
    run = np.int64(rules.row_start[np.int64(me.skulls_wild), NUMBER[me.pool], rules.space_row[space]])
    start = run >> ROW_COUNT_BITS
    for k in range(start, start + (run & _ROW_COUNT)):
        dice = np.int64(rules.row_dice[k])
        base = (np.int64(space) << TARGET_SHIFT) | (dice << DICE_SHIFT)
        n = list_effects(state, rules, seat, space, base, me.pool - CODE[dice], out, n)
    return n


# ------------------------------------------------------------------ what happens
@kernel(inline=True)
def allocate_step(state, rules, seat, action):
    """The dice of an ``allocate`` action go to their target and its effect is carried out (R-ALL-05)."""
    me = state.seat[index(seat)]
    target, own, detail = target_of(action), CODE[index(dice_of(action))], detail_of(action)
    place = first_place(state, rules, target)
    if target == OPPORTUNITY and detail > 0:
        # Cleared first, so that the Skull that has just been placed stays (A-SPC-8).
        clear_target(state, rules, seat, detail - 1)
    me.pool -= own
    me.single_faces -= virtual_of(action)
    put(state, rules, seat, target, place, own, borrowed_of(action))
    if target < BOARD_SPACES:
        _space_effect(state, rules, seat, target, detail)
    elif target < HIT:
        gain_all(state, rules, seat, rules.stage_reward)
    else:
        _hit_effect(state, rules, seat, target - HIT, detail)


@kernel(inline=True)
def _space_effect(state, rules, seat, space, detail):
    me = state.seat[index(seat)]
    me.grana -= rules.space_cost[index(space)]
    if space == ACOUSTIC:
        gain(state, rules, seat, detail, rules.space_reward[index(space), index(detail)])
        return
    if (space in (IMPROVISATION, NEW_RIFF)) and detail > 0:
        me.pool += UNIT[index(detail - 1 & FACE_BITS)] - UNIT[index(detail - 1 >> 2)]
    elif space == JAM_SESSION and detail > 0:
        which = (detail - 1) % 32
        borrow(state, rules, seat, (detail - 1) // 32, which // FACES, which % FACES)
    elif space == NEW_MEMBER and me.extra_dice < rules.extra_dice:
        add_die(state, seat)
    gain_all(state, rules, seat, rules.space_reward[index(space)])


@kernel
def add_die(state, seat):
    """``seat`` gets an extra die and rolls it at once (R-SPC-08b, A-FREE-3)."""
    state.seat[index(seat)].extra_dice += 1
    state.chance = ROLL_EXTRA
    state.chance_seat = seat
    state.chance_left = 1


@kernel(inline=True)
def _hit_effect(state, rules, seat, hit, way):
    """The card's reward for the user, then the owner's share of each resource (R-HIT-10, R-HIT-11, A-HIT-3)."""
    gain_all(state, rules, seat, rules.hit_reward[index(hit), index(way)])
    owner = np.int64(state.hit_owner[index(hit)])
    if owner >= 0 and owner != seat:
        for track in range(4):
            amount = rules.hit_reward[index(hit), index(way), track]
            if amount > 0:
                gain(state, rules, owner, track, max(amount - 1, rules.least_share))
