"""Allocations: which dice may go where (R-ALL-04, R-ALL-08), and what they do there (R-SPC, R-HCD).

Own dice alone are looked up: the hand's number and the requirement's row give a mask of sub-multisets.
Borrowed dice (A-SPC-7) and TNSHE's single-use faces (A-ABL-12) take the longer way through every mixture.
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.actions import borrowed_of, detail_of, dice_of, target_of, virtual_of
from overdrive_sim.kernels.dice import CODE, NUMBER, SIZE, SUBSET_FIELD, SUBSET_START, SUBSETS, count
from overdrive_sim.kernels.gains import SLOT_B, ability, gain, room_above
from overdrive_sim.kernels.layout import (
    ACOUSTIC,
    BOARD_SPACES,
    BORROWED_SHIFT,
    CHORD,
    FACES,
    GRANA,
    HIT,
    HORNS,
    IMPROVISATION,
    INFLUENCE,
    JAM_SESSION,
    LEGAL_CAPACITY,
    NEW_MEMBER,
    NEW_RIFF,
    OPPORTUNITY,
    ROLL_EXTRA,
    SKULL,
    TARGET_SHIFT,
    UNIT,
    VIKING_STAGE,
    VIRTUAL_SHIFT,
)  # fmt: skip
from overdrive_sim.kernels.listing import FULL, MOST_SUBSETS, list_one, list_pairs, list_takes, list_targets
from overdrive_sim.kernels.places import (
    borrow,
    clear_target,
    free_place,
    has_placed,
    hits_in_play,
    put,
)  # fmt: skip
from overdrive_sim.kernels.rules import NOTHING_CANCELLED, SINGLE_FACES, STAGE
from simcore.bits import lowest
from simcore.kernel import kernel

_SPACE_BITS = (1 << BOARD_SPACES) - 1
_ANY_FACE = (1 << FACES) - 1
_TO_IMPROVISE = (1 << HORNS) | (1 << INFLUENCE)
_TO_RIFF = 1 << CHORD

#: Spaces with an effect that needs a choice or may be impossible; the others give their reward and no more.
_SPECIAL = (
    (1 << ACOUSTIC) | (1 << IMPROVISATION) | (1 << JAM_SESSION) | (1 << NEW_RIFF) | (1 << NEW_MEMBER) | (1 << OPPORTUNITY)
)  # fmt: skip


# ------------------------------------------------------------------ what is possible
@kernel
def allocate_legal(state, rules, seat, out, n):
    """Every allocation that ``seat`` may make now."""
    me = state.seat[seat]
    virtual = virtual_faces(state, rules, seat)
    if me.n_locked > 0 or virtual > 0:
        return _mixed(state, rules, seat, virtual, out, n)
    if me.pool == 0:
        return n
    hand = NUMBER[me.pool]
    if me.skulls_wild:
        spaces = np.int64(rules.space_fit_wild[hand])
    else:
        spaces = np.int64(rules.space_fit[hand])
    spaces &= ~(np.int64(state.closed) | state.full) & _SPACE_BITS
    while spaces:
        space = lowest(spaces)
        spaces &= spaces - 1
        if is_usable(state, rules, seat, space):
            n = _own_on_space(state, rules, seat, space, hand, out, n)
    if ability(state, rules, seat, SLOT_B) == STAGE and not state.full >> (VIKING_STAGE + seat) & 1:
        if stage_matters(state, rules, seat):
            mask = fit_mask(rules, me, hand, rules.stage_row)
            n = _list_subsets(out, n, np.int64(VIKING_STAGE + seat) << TARGET_SHIFT, SUBSET_START[hand], mask)
    hits = hits_in_play(state) & ~(np.int64(state.full) >> HIT)
    while hits:
        hit = lowest(hits)
        hits &= hits - 1
        n = _own_on_hit(state, rules, seat, hit, hand, out, n)
    return n


@kernel
def virtual_faces(state, rules, seat):
    """Single-use faces that may join an allocation: TNSHE's B while it has some (A-ABL-12)."""
    faces = np.int64(state.seat[seat].single_faces)
    if faces > 0 and not rules.option.tnshe_faces and ability(state, rules, seat, SLOT_B) == SINGLE_FACES:
        return min(faces, 3)
    return np.int64(0)


@kernel
def fit_mask(rules, me, hand, row):
    """Sub-multisets of a hand (bits) that meet a requirement row, with #6 in force or not."""
    if me.skulls_wild:
        return rules.fits_wild[hand, row]
    return rules.fits[hand, row]


@kernel
def is_usable(state, rules, seat, space):
    """Whether a free and open board space can be paid, and is not one that its own band must leave to others."""
    if state.seat[seat].grana < rules.space_cost[space]:
        return False
    if rules.option.double_place and state.busy[space] and rules.space_places[space] > 1:
        return not has_placed(state, seat, space)
    return True


@kernel
def space_matters(state, rules, seat, space):
    """Whether a space's reward can raise anything; at a cap it may not (A-SPC-5, A-TRK-1)."""
    if not rules.option.track_cap or rules.option.void_allocation:
        return True
    for track in range(4):
        if rules.space_reward[space, track] > 0 and room_above(state, rules, seat, track) > 0:
            return True
    return False


@kernel
def stage_matters(state, rules, seat):
    """The same of the Vikings' own space."""
    if not rules.option.track_cap or rules.option.void_allocation:
        return True
    for track in range(4):
        if rules.stage_reward[track] > 0 and room_above(state, rules, seat, track) > 0:
            return True
    return False


@kernel
def hit_matters(state, rules, seat, hit, way):
    """The same of a Hit, whose owner's share counts as an effect too."""
    if not rules.option.track_cap or rules.option.void_allocation:
        return True
    owner = np.int64(state.hit_owner[hit])
    for track in range(4):
        if rules.hit_reward[hit, way, track] > 0:
            if room_above(state, rules, seat, track) > 0:
                return True
            if owner >= 0 and owner != seat and room_above(state, rules, owner, track) > 0:
                return True
    return False


@kernel
def hit_row(state, rules, hit, way):
    """Requirement row of a Hit's way, with its cancelled space taken into account (R-HIT-07)."""
    cancelled = np.int64(state.cancelled[hit])
    if cancelled < 0:
        cancelled = NOTHING_CANCELLED
    return rules.hit_row[hit, way, cancelled]


@kernel
def _list_subsets(out, n, base, start, mask):
    """Writes ``base`` with each sub-multiset of ``mask``, whose first one is number ``start`` of the table."""
    if n + MOST_SUBSETS > LEGAL_CAPACITY:
        return FULL
    while mask:
        out.action[n] = base | SUBSET_FIELD[start + lowest(mask)]
        mask &= mask - 1
        n += 1
    return n


@kernel
def _own_on_space(state, rules, seat, space, hand, out, n):
    me = state.seat[seat]
    start = SUBSET_START[hand]
    mask = fit_mask(rules, me, hand, rules.space_row[space])
    base = space << TARGET_SHIFT
    if not _SPECIAL >> space & 1:
        if space_matters(state, rules, seat, space):
            n = _list_subsets(out, n, base, start, mask)
        return n
    while mask:
        k = start + lowest(mask)
        mask &= mask - 1
        n = list_effects(state, rules, seat, space, base | SUBSET_FIELD[k], me.pool - SUBSETS[k], out, n)
    return n


@kernel
def _own_on_hit(state, rules, seat, hit, hand, out, n):
    me = state.seat[seat]
    start = SUBSET_START[hand]
    base = (HIT + hit) << TARGET_SHIFT
    first = fit_mask(rules, me, hand, hit_row(state, rules, hit, 0))
    if not hit_matters(state, rules, seat, hit, 0):
        first = np.int64(0)
    if rules.hit_ways[hit] == 1:
        if first:
            n = _list_subsets(out, n, base, start, first)
        return n
    second = fit_mask(rules, me, hand, hit_row(state, rules, hit, 1))
    if not hit_matters(state, rules, seat, hit, 1):
        second = np.int64(0)
    if n + 2 * MOST_SUBSETS > LEGAL_CAPACITY:
        return FULL
    left = first | second
    while left:
        k = lowest(left)
        left &= left - 1
        for way in range(2):
            if (first, second)[way] >> k & 1:
                out.action[n] = base | SUBSET_FIELD[start + k] | way
                n += 1
    return n


@kernel
def list_effects(state, rules, seat, space, base, rest, out, n):
    """Writes the allocation ``base`` on a special space once for every way to carry out its effect.

    ``rest``: dice code of the own dice that stay unallocated.  Without any possible effect it is illegal,
    or written with detail 0 where void_allocation = legal (A-SPC-5).
    """
    before = n
    if space == IMPROVISATION:
        n = list_pairs(out, n, base + 1, rest, 0, _ANY_FACE, _TO_IMPROVISE)
    elif space == NEW_RIFF:
        n = list_pairs(out, n, base + 1, rest, 0, _ANY_FACE, _TO_RIFF)
    elif space == JAM_SESSION:
        n = list_takes(state, rules, seat, out, n, base + 1)
    elif space == OPPORTUNITY:
        n = list_targets(out, n, base + 1, np.int64(state.occupied))
    elif space == NEW_MEMBER:
        if state.seat[seat].extra_dice < rules.extra_dice:
            n = list_one(out, n, base)
    else:
        for track in range(4):
            if track != GRANA and rules.space_reward[space, track] > 0 and room_above(state, rules, seat, track) > 0:
                n = list_one(out, n, base + track)
    if n == before and rules.option.void_allocation:
        n = list_one(out, n, base)
    return n


# ------------------------------------------------------------------ mixtures of own, borrowed and virtual dice
@kernel
def _mixed(state, rules, seat, virtual, out, n):
    for space in range(BOARD_SPACES):
        if (np.int64(state.closed) | state.full) >> space & 1 or not is_usable(state, rules, seat, space):
            continue
        if _SPECIAL >> space & 1 or space_matters(state, rules, seat, space):
            n = _mixed_on(state, rules, seat, space, virtual, np.int64(rules.space_row[space]), -1, out, n)
    if ability(state, rules, seat, SLOT_B) == STAGE and not state.full >> (VIKING_STAGE + seat) & 1:
        if stage_matters(state, rules, seat):
            n = _mixed_on(state, rules, seat, VIKING_STAGE + seat, virtual, np.int64(rules.stage_row), -1, out, n)
    hits = hits_in_play(state) & ~(np.int64(state.full) >> HIT)
    while hits:
        hit = lowest(hits)
        hits &= hits - 1
        first, second = np.int64(-1), np.int64(-1)
        if hit_matters(state, rules, seat, hit, 0):
            first = np.int64(hit_row(state, rules, hit, 0))
        if rules.hit_ways[hit] > 1 and hit_matters(state, rules, seat, hit, 1):
            second = np.int64(hit_row(state, rules, hit, 1))
        n = _mixed_on(state, rules, seat, HIT + hit, virtual, first, second, out, n)
    return n


@kernel
def _mixed_on(state, rules, seat, target, virtual, first, second, out, n):
    """Every mixture that meets requirement row ``first`` or ``second`` (-1: none) of a target."""
    me = state.seat[seat]
    hand = NUMBER[me.pool]
    for k in range(SUBSET_START[hand], SUBSET_START[hand + 1]):
        own = SUBSETS[k]
        for faces in range(virtual + 1):
            for bits in range(1 << me.n_locked):
                # A die of flesh must take part, and of equal borrowed dice the first ones go.
                if (own == 0 and bits == 0) or not _is_canonical(me, bits):
                    continue
                base = (np.int64(target) << TARGET_SHIFT) | SUBSET_FIELD[k]
                base |= (np.int64(faces) << VIRTUAL_SHIFT) | (np.int64(bits) << BORROWED_SHIFT)
                is_first = first >= 0 and meets(rules, me, first, own, faces, bits)
                if target < BOARD_SPACES and is_first and _SPECIAL >> target & 1:
                    n = list_effects(state, rules, seat, target, base, me.pool - own, out, n)
                elif is_first:
                    n = list_one(out, n, base)
                if second >= 0 and meets(rules, me, second, own, faces, bits):
                    n = list_one(out, n, base + 1)
    return n


@kernel
def _is_canonical(me, bits):
    """Whether ``bits`` takes the first of equal entries of ``locked``."""
    for k in range(1, me.n_locked):
        if bits >> k & 1 and not bits >> (k - 1) & 1 and me.locked[k] == me.locked[k - 1]:
            return False
    return True


@kernel
def meets(rules, me, row, own, faces, bits):
    """Whether own dice, ``faces`` virtual Horns Up and the borrowed dice of ``bits`` meet a requirement exactly.

    With #6 in force own Skulls stand for what is lacking; borrowed Skulls never do (A-SPC-7, A-DST-7).
    """
    needed = np.int64(0)
    for face in range(FACES + 1):
        needed += rules.need[row, face]
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


# ------------------------------------------------------------------ what happens
@kernel
def allocate_step(state, rules, seat, action):
    """The dice of an ``allocate`` action go to their target and its effect is carried out (R-ALL-05)."""
    me = state.seat[seat]
    target, own, detail = target_of(action), CODE[dice_of(action)], detail_of(action)
    place = free_place(state, rules, seat, target)
    if target == OPPORTUNITY and detail > 0:
        # Cleared first, so that the Skull that has just been placed stays (A-SPC-8).
        clear_target(state, rules, seat, detail - 1)
    me.pool -= own
    me.single_faces -= virtual_of(action)
    put(state, rules, seat, target, place, own, borrowed_of(action))
    if target < BOARD_SPACES:
        _space_effect(state, rules, seat, target, detail)
    elif target < HIT:
        for track in range(4):
            gain(state, rules, seat, track, rules.stage_reward[track])
    else:
        _hit_effect(state, rules, seat, target - HIT, detail)


@kernel
def _space_effect(state, rules, seat, space, detail):
    me = state.seat[seat]
    me.grana -= rules.space_cost[space]
    if space == ACOUSTIC:
        gain(state, rules, seat, detail, rules.space_reward[space, detail])
        return
    if (space in (IMPROVISATION, NEW_RIFF)) and detail > 0:
        me.pool += UNIT[(detail - 1) % 4] - UNIT[(detail - 1) // 4]
    elif space == JAM_SESSION and detail > 0:
        which = (detail - 1) % 32
        borrow(state, rules, seat, (detail - 1) // 32, which // FACES, which % FACES)
    elif space == NEW_MEMBER and me.extra_dice < rules.extra_dice:
        add_die(state, seat)
    for track in range(4):
        gain(state, rules, seat, track, rules.space_reward[space, track])


@kernel
def add_die(state, seat):
    """``seat`` gets an extra die and rolls it at once (R-SPC-08b, A-FREE-3)."""
    state.seat[seat].extra_dice += 1
    state.chance = ROLL_EXTRA
    state.chance_seat = seat
    state.chance_left = 1


@kernel
def _hit_effect(state, rules, seat, hit, way):
    """The card's reward for the user, then the owner's share of each resource (R-HIT-10, R-HIT-11, A-HIT-3)."""
    for track in range(4):
        gain(state, rules, seat, track, rules.hit_reward[hit, way, track])
    owner = np.int64(state.hit_owner[hit])
    if owner >= 0 and owner != seat:
        for track in range(4):
            amount = rules.hit_reward[hit, way, track]
            if amount > 0:
                gain(state, rules, owner, track, max(amount - 1, rules.least_share))
