"""Mixtures of own dice, borrowed dice (A-SPC-7) and TNSHE's single-use faces (A-ABL-12) in one allocation.

The long way round, taken only where such dice are in play or a track may be at its cap.
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.dice import CODE, NUMBER, SIZE, SUBSET_NUMBER, SUBSET_START, SUBSETS, count, is_within
from overdrive_sim.kernels.gains import SLOT_B, ability
from overdrive_sim.kernels.layout import (
    BOARD_SPACES,
    BORROWED_SHIFT,
    DICE_SHIFT,
    FACES,
    HIT,
    HORNS,
    MOST_DICE,
    SKULL,
    TARGET_SHIFT,
    UNIT,
    VIKING_STAGE,
    VIRTUAL_SHIFT,
)  # fmt: skip
from overdrive_sim.kernels.listing import list_one, merge_runs, sort_run
from overdrive_sim.kernels.places import hits_in_play
from overdrive_sim.kernels.rules import MOST_SINGLE_FACES, ROW_COUNT_BITS, SINGLE_FACES
from overdrive_sim.kernels.spaces import (
    SPECIAL,
    has_stage,
    hit_matters,
    hit_row,
    list_effects,
    open_spaces,
    space_matters,
    stage_matters,
    usable_hits,
)  # fmt: skip
from simcore.bits import lowest, popcount
from simcore.kernel import kernel

_ROW_COUNT = (1 << ROW_COUNT_BITS) - 1


@kernel
def virtual_faces(state, rules, seat):
    """Single-use faces that may join an allocation: TNSHE's B while it has some (A-ABL-12)."""
    faces = np.int64(state.seat[seat].single_faces)
    if faces > 0 and not rules.option.tnshe_faces and ability(state, rules, seat, SLOT_B) == SINGLE_FACES:
        return min(faces, MOST_SINGLE_FACES)
    return np.int64(0)


@kernel
def mixed_legal(state, rules, seat, virtual, own_too, out, first, n):
    """Every allocation with borrowed dice or single-use faces, and those of own dice alone if ``own_too``.

    Ascending, with the ``n`` from ``first`` on that are there already.
    """
    me = state.seat[seat]
    for faces in range(virtual + 1):
        for bits in range(1 << me.n_locked):
            if (faces or bits or own_too) and is_canonical(me, bits):
                middle = n
                n = _list_with(state, rules, seat, faces, bits, out, n)
                merge_runs(out, first, middle, n)
    return n


@kernel
def _list_with(state, rules, seat, faces, bits, out, n):
    """Every allocation that takes just these extra dice: ``faces`` single-use ones and the borrowed ``bits``."""
    spaces, hits = open_spaces(state, rules, seat), hits_in_play(state) & ~(np.int64(state.full) >> HIT)
    together = _together(state.seat[seat], faces, bits)
    if together >= 0:
        known = rules.hand[np.int64(state.seat[seat].skulls_wild), together]
        spaces &= np.int64(known.needs)
        hits &= usable_hits(state, known)
    while spaces:
        space = lowest(spaces)
        spaces &= spaces - 1
        if SPECIAL >> space & 1 or space_matters(state, rules, seat, space):
            n = _list_parts(state, rules, seat, space, 0, rules.space_row[space], faces, bits, out, n)
    if has_stage(state, rules, seat) and stage_matters(state, rules, seat):
        n = _list_parts(state, rules, seat, VIKING_STAGE + seat, 0, rules.stage_row, faces, bits, out, n)
    while hits:
        n = _list_hit_parts(state, rules, seat, lowest(hits), faces, bits, out, n)
        hits &= hits - 1
    return n


@kernel
def _list_hit_parts(state, rules, seat, hit, faces, bits, out, n):
    """The same on one Hit."""
    before = n
    for way in range(rules.hit_ways[hit]):
        if hit_matters(state, rules, seat, hit, way):
            n = _list_parts(state, rules, seat, HIT + hit, way, hit_row(state, rules, hit, way), faces, bits, out, n)
    if rules.hit_ways[hit] > 1:
        sort_run(out, before, n)
    return n


@kernel
def virtual_on(state, rules, seat, target, virtual, out, first, n):
    """Every allocation with single-use faces on one open target, where nothing is borrowed; as ``mixed_legal``."""
    for faces in range(1, virtual + 1):
        middle = n
        n = _list_on(state, rules, seat, target, faces, np.int64(0), out, n)
        merge_runs(out, first, middle, n)
    return n


@kernel
def borrowed_on(state, rules, seat, target, out, first, n):
    """Every allocation with borrowed dice on one open target, where no track has a cap; as ``mixed_legal``."""
    me = state.seat[seat]
    for bits in range(1, 1 << me.n_locked):
        if is_canonical(me, bits):
            middle = n
            n = _list_on(state, rules, seat, target, np.int64(0), bits, out, n)
            merge_runs(out, first, middle, n)
    return n


@kernel
def _list_on(state, rules, seat, target, faces, bits, out, n):
    """Every allocation on one target that takes just these extra dice, where no track has a cap."""
    if target >= HIT:
        return _list_hit_parts(state, rules, seat, target - HIT, faces, bits, out, n)
    row = rules.space_row[target] if target < BOARD_SPACES else rules.stage_row
    return _list_parts(state, rules, seat, target, np.int64(0), row, faces, bits, out, n)


@kernel
def _list_parts(state, rules, seat, target, way, row, faces, bits, out, n):
    """The own dice that meet requirement ``row`` together with the extra ones, in every way to carry out the effect.

    Own and extra dice together are looked up as one hand, of which those parts count that hold all extra dice.
    """
    me = state.seat[seat]
    base = (np.int64(target) << TARGET_SHIFT) | (np.int64(faces) << VIRTUAL_SHIFT)
    base |= (np.int64(bits) << BORROWED_SHIFT) | way
    extra, together = _extra_dice(me, faces, bits), _together(me, faces, bits)
    if together < 0:
        return _search_parts(state, rules, seat, target, row, faces, bits, base, out, n)
    run = np.int64(rules.row_start[np.int64(me.skulls_wild), together, row])
    start = run >> ROW_COUNT_BITS
    for k in range(start, start + (run & _ROW_COUNT)):
        all_dice = CODE[np.int64(rules.row_dice[k])]
        if is_within(extra, all_dice) and (all_dice != extra or bits):
            n = _list_part(state, rules, seat, target, base, all_dice - extra, out, n)
    return n


@kernel
def _extra_dice(me, faces, bits):
    """Dice code of ``faces`` single-use Horns Up and the borrowed dice of ``bits``."""
    extra = UNIT[HORNS] * faces
    for k in range(me.n_locked):
        extra += (bits >> k & 1) * UNIT[me.locked[k] % FACES]
    return extra


@kernel
def _together(me, faces, bits):
    """Number of the hand that own and extra dice make, -1 where no table helps: see ``_search_parts``."""
    dice = faces + popcount(bits)
    if dice > 0 and (me.skulls_wild or SIZE[NUMBER[me.pool]] + dice > MOST_DICE):
        return np.int64(-1)
    return np.int64(NUMBER[me.pool + _extra_dice(me, faces, bits)])


@kernel
def _search_parts(state, rules, seat, target, row, faces, bits, base, out, n):
    """The same where no table helps: more than six dice, or borrowed dice beside own Skulls as any face."""
    me = state.seat[seat]
    hand = NUMBER[me.pool]
    own = needed_dice(rules, row) - faces - popcount(bits)
    for k in range(SUBSET_START[hand] + (bits == 0), SUBSET_START[hand + 1]):
        if SIZE[np.int64(SUBSET_NUMBER[k])] == own and meets(rules, me, row, SUBSETS[k], faces, bits):
            n = _list_part(state, rules, seat, target, base, SUBSETS[k], out, n)
    return n


@kernel
def _list_part(state, rules, seat, target, base, own, out, n):
    """One mixture with ``own`` dice, in every way to carry out the effect of ``target``."""
    action = base | (np.int64(NUMBER[own]) << DICE_SHIFT)
    if target < BOARD_SPACES and SPECIAL >> target & 1:
        return list_effects(state, rules, seat, target, action, state.seat[seat].pool - own, out, n)
    return list_one(out, n, action)


@kernel
def is_canonical(me, bits):
    """Whether ``bits`` takes the first of equal entries of ``locked``."""
    for k in range(1, me.n_locked):
        if bits >> k & 1 and not bits >> (k - 1) & 1 and me.locked[k] == me.locked[k - 1]:
            return False
    return True


@kernel
def needed_dice(rules, row):
    """How many dice a requirement takes."""
    needed = np.int64(0)
    for face in range(FACES + 1):
        needed += rules.need[row, face]
    return needed


@kernel
def meets(rules, me, row, own, faces, bits):
    """Whether own dice, ``faces`` virtual Horns Up and the borrowed dice of ``bits`` meet a requirement exactly.

    With #6 in force own Skulls stand for what is lacking; borrowed Skulls never do (A-SPC-7, A-DST-7).
    """
    needed = needed_dice(rules, row)
    dice = SIZE[NUMBER[own]] + faces
    for k in range(me.n_locked):
        dice += bits >> k & 1
    if dice != needed:
        return False
    jokers = count(own, SKULL) if me.skulls_wild else 0
    lacking = np.int64(0)
    for face in range(FACES):
        there = count(own, face)
        if face == SKULL and me.skulls_wild:
            there = 0
        if face == HORNS:
            there += faces
        for k in range(me.n_locked):
            there += (bits >> k & 1) * (me.locked[k] % FACES == face)
        lacking += max(rules.need[row, face] - there, 0)
    return lacking <= jokers
