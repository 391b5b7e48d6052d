"""Active abilities A and B (R-ABL), Cover Bots' copies and Epic Gods' extra level.

Slot 0 is A, slot 1 is B.  Passives live in ``gains``, the Vikings' space and TNSHE's virtual faces in
``allocation``.  Abilities about the board are idle in a battle (A-ABL-14).
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.actions import NO_RAISE, detail_of, dice_of, plain, target_of
from overdrive_sim.kernels.cards import change_die
from overdrive_sim.kernels.dice import CODE, PRESENT, SIZE, nth_part, number_of, parts_of
from overdrive_sim.kernels.gains import (
    SLOT_B,
    ability_band,
    bands_to_copy,
    gain,
    pop_choice,
    room_above,
)  # fmt: skip
from overdrive_sim.kernels.layout import (
    ABILITY,
    ANY,
    CHOOSE_COPY_A,
    CHOOSE_COPY_C,
    COPY,
    DICE_SHIFT,
    FACES,
    FAME,
    GRANA,
    HORNS,
    NO_BAND,
    OVERDRIVE,
    RAISE,
    ROLL_AGAIN,
    TARGET_SHIFT,
    VERB_SHIFT,
)  # fmt: skip
from overdrive_sim.kernels.listing import list_changes, list_one, list_rolls, list_takes, list_targets, takes
from overdrive_sim.kernels.places import borrow, clear_target
from overdrive_sim.kernels.rules import CHANGE, CLEAR, FANS_TO_FAME, RE_ROLL, SINGLE_FACES, TAKE
from simcore.bits import index, lowest, popcount
from simcore.kernel import kernel

_ANY_FACE = (1 << FACES) - 1


@kernel
def ability_legal(state, rules, seat, in_battle, out, n):
    """Every way to use an unlocked active ability that is not used up (R-TRK-09, R-TRK-10)."""
    if state.seat[seat].overdrive < min(rules.unlock_level[0], rules.unlock_level[1]):
        return n
    for slot in range(2):
        band = ability_band(state, rules, seat, slot)
        if band >= 0 and rules.ability_acts[np.int64(in_battle), band] >> slot & 1:
            kind = rules.ability_kind[band, slot]
            base = (np.int64(ABILITY) << VERB_SHIFT) | (np.int64(slot) << TARGET_SHIFT)
            if kind == SINGLE_FACES:
                n = _list_single_faces(state, rules, seat, base, out, n)
            elif not state.seat[seat].abilities_used >> slot & 1:
                n = _list_ability(state, rules, seat, band, slot, base, out, n)
    return n


@kernel(inline=True)
def ability_count(state, rules, seat, in_battle):
    """How many actions ``ability_legal`` lists, where no track has a cap."""
    if state.seat[index(seat)].overdrive < min(rules.unlock_level[0], rules.unlock_level[1]):
        return np.int64(0)
    n = np.int64(0)
    for slot in range(2):
        n += _count_slot(state, rules, seat, in_battle, slot)
    return n


@kernel(inline=True)
def _count_slot(state, rules, seat, in_battle, slot):
    """Those of ability A or B (slot 0, 1) alone."""
    band = ability_band(state, rules, seat, slot)
    if band >= 0 and rules.ability_acts[index(in_battle), index(band)] >> slot & 1:
        return _count_ability(state, rules, seat, band, slot)
    return np.int64(0)


@kernel(inline=True)
def _count_ability(state, rules, seat, band, slot):
    me = state.seat[index(seat)]
    kind = rules.ability_kind[index(band), index(slot)]
    if kind == SINGLE_FACES:
        return _count_changes(me, ~np.int64(1 << HORNS)) * (me.single_faces > 0)
    if me.abilities_used >> slot & 1:
        return np.int64(0)
    if kind == CHANGE:
        origin = np.int64(rules.ability_from[index(band), index(slot)])
        origins = np.int64(_ANY_FACE) if origin == ANY else np.int64(1) << origin
        return _count_changes(me, origins & ~(np.int64(1) << rules.ability_to[index(band), index(slot)]))
    if kind == RE_ROLL:
        if me.shielded:
            return parts_of(me.pool - me.shielded) * parts_of(me.shielded) - 1
        return parts_of(me.pool) - 1
    if kind == FANS_TO_FAME:
        return np.int64(me.fans >= rules.trade_cost)
    if kind == TAKE:
        return takes(state, rules, seat)
    if kind == CLEAR:
        return popcount(np.int64(state.occupied))
    return np.int64(0)


@kernel(inline=True)
def _count_changes(me, origins):
    """How many changes of one own die from a face of ``origins`` (bits): shielded dice are told from the others."""
    if me.shielded:
        bare = np.int64(PRESENT[index(number_of(me.pool - me.shielded))])
        return popcount(bare & origins) + popcount(np.int64(PRESENT[index(number_of(me.shielded))]) & origins)
    return popcount(np.int64(PRESENT[index(number_of(me.pool))]) & origins)


@kernel
def ability_pick(state, rules, seat, in_battle, out, at, k):
    """The ``k``-th action of those that ``ability_count`` counts; ``out.action[at:]`` may be written."""
    first = _count_slot(state, rules, seat, in_battle, 0)
    slot = np.int64(k >= first)
    k -= first * slot
    band = ability_band(state, rules, seat, slot)
    base = (np.int64(ABILITY) << VERB_SHIFT) | (slot << TARGET_SHIFT)
    if rules.ability_kind[band, slot] == RE_ROLL and not state.seat[index(seat)].shielded:
        return base | nth_part(state.seat[index(seat)].pool, k) << DICE_SHIFT
    if rules.ability_kind[band, slot] == SINGLE_FACES:
        _list_single_faces(state, rules, seat, base, out, at)
    else:
        _list_ability(state, rules, seat, band, slot, base, out, at)
    return out.action[at + k]


@kernel
def _list_ability(state, rules, seat, band, slot, base, out, n):
    me = state.seat[seat]
    kind = rules.ability_kind[band, slot]
    if kind == CHANGE:
        origins = np.int64(rules.ability_from[band, slot])
        origins = np.int64(_ANY_FACE) if origins == ANY else np.int64(1) << origins
        n = list_changes(out, n, base, me, origins, np.int64(rules.ability_to[band, slot]))
    elif kind == RE_ROLL:
        n = list_rolls(out, n, base, me)
    elif kind == FANS_TO_FAME:
        if me.fans >= rules.trade_cost and room_above(state, rules, seat, FAME) > 0:
            n = list_one(out, n, base)
    elif kind == TAKE:
        n = list_takes(state, rules, seat, out, n, base)
    elif kind == CLEAR:
        n = list_targets(out, n, base, np.int64(state.occupied))
    return n


@kernel
def _list_single_faces(state, rules, seat, base, out, n):
    """With tnshe_faces = set_face each single-use face turns a die to Horns Up (A-ABL-12)."""
    me = state.seat[seat]
    if me.single_faces > 0:
        n = list_changes(out, n, base, me, np.int64(_ANY_FACE), np.int64(HORNS))
    return n


@kernel
def ability_step(state, rules, seat, action):
    """An ``ability`` action takes effect and is used up for the round."""
    me = state.seat[seat]
    slot, detail = target_of(action), detail_of(action)
    kind = rules.ability_kind[ability_band(state, rules, seat, slot), slot]
    if kind == SINGLE_FACES:
        me.single_faces -= 1
        change_die(me, detail)
        return
    me.abilities_used |= 1 << slot
    if kind == CHANGE:
        change_die(me, detail)
    elif kind == RE_ROLL:
        throw_again(state, seat, dice_of(action), detail)
    elif kind == FANS_TO_FAME:
        me.fans -= rules.trade_cost
        gain(state, rules, seat, FAME, rules.trade_gain)
    elif kind == TAKE:
        which = detail % 32
        borrow(state, rules, seat, detail // 32, which // FACES, which % FACES)
    elif kind == CLEAR:
        clear_target(state, rules, seat, detail)


@kernel
def throw_again(state, seat, dice, shielded):
    """Ask for own dice (multiset ``dice``, with ``shielded`` of them protected) to be thrown again.

    They leave the pool until they are thrown; ``detail[2]`` and ``detail[3]`` keep their codes.
    """
    me = state.seat[index(seat)]
    me.pool -= CODE[index(dice)]
    me.shielded -= CODE[index(shielded)]
    state.detail[2] = CODE[index(dice)]
    state.detail[3] = CODE[index(shielded)]
    state.chance = ROLL_AGAIN
    state.chance_seat = seat
    state.chance_left = SIZE[index(dice)]


# ------------------------------------------------------------------ pending choices
@kernel
def own_choice_legal(state, rules, out):
    """Legal answers to a pending ``copy`` or ``raise`` choice; returns how many."""
    kind, seat = np.int64(state.choice_kind[0]), np.int64(state.choice_seat[0])
    n = 0
    if CHOOSE_COPY_A <= kind <= CHOOSE_COPY_C:
        bands = bands_to_copy(state, seat)
        while bands:
            n = list_one(out, n, plain(np.int64(COPY), ((kind - CHOOSE_COPY_A) << TARGET_SHIFT) + lowest(bands)))
            bands &= bands - 1
        return n
    for track in (FAME, GRANA, OVERDRIVE):
        if room_above(state, rules, seat, track) > 0:
            n = list_one(out, n, plain(np.int64(RAISE), np.int64(track)))
    return list_one(out, n, plain(np.int64(RAISE), np.int64(NO_RAISE)))


@kernel
def own_choice_step(state, rules, action):
    """The first pending choice is answered: Cover Bots copy (A-ABL-11), or Epic Gods raise a track (A-ABL-7)."""
    kind, seat = np.int64(state.choice_kind[0]), np.int64(state.choice_seat[0])
    pop_choice(state)
    answer = detail_of(action)
    if CHOOSE_COPY_A <= kind <= CHOOSE_COPY_C:
        slot = kind - CHOOSE_COPY_A
        me = state.seat[seat]
        # Own two faces, once in the game: at the first choice of a B ability, whenever TNSHE's comes.
        is_first = slot == SLOT_B and me.copies[slot] == NO_BAND
        if is_first and (rules.option.cover_choice != 0 or rules.ability_kind[answer, slot] == SINGLE_FACES):
            me.single_faces = rules.single_faces
        me.copies[slot] = answer
    elif answer != NO_RAISE:
        gain(state, rules, seat, answer, 1)
