"""The own turn's legal actions without a list: how many there are, and the one at a given place among them.

What is counted is looked up in tables; what is picked is looked up too, or is one of a short list of its section.  The
notes for ``picked`` lie where the legal list would: at ``k`` the number of actions in the sections up to k, behind them
what else it needs, from LISTED on the short list.
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.abilities import ability_count, ability_pick
from overdrive_sim.kernels.actions import plain
from overdrive_sim.kernels.allocation import own_on
from overdrive_sim.kernels.battle import targets_of
from overdrive_sim.kernels.borrowing import count_borrowed, is_counted, pick_borrowed
from overdrive_sim.kernels.cards import play_count, play_legal
from overdrive_sim.kernels.dice import PAIRS, PRESENT, nth_part, number_of
from overdrive_sim.kernels.free_actions import awards_within_reach, cancel_count, cards_for_sale, hits_for_sale
from overdrive_sim.kernels.layout import (
    ALLOCATION,
    ATTACK,
    BUY_DIE,
    BUY_DISTORTION,
    BUY_HIT,
    BUY_LEVEL,
    CLAIM,
    DICE_SHIFT,
    END,
    FACES,
    FAME,
    FANS,
    HIT,
    JAM_SESSION,
    LEGAL_CAPACITY,
    OPPORTUNITY,
    OVERDRIVE,
    PASS,
    REROLL,
    SET_FACE,
    TARGET_SHIFT,
    TARGETS,
    VERB_SHIFT,
    VIKING_STAGE,
)  # fmt: skip
from overdrive_sim.kernels.listing import list_pairs, list_rolls, nth_take, takes
from overdrive_sim.kernels.mixtures import virtual_faces
from overdrive_sim.kernels.rules import ROW_COUNT_BITS
from overdrive_sim.kernels.spaces import (
    ON_BOARD,
    choices_on,
    effects_on_board,
    has_stage,
    hit_row,
    open_spaces,
    usable_hits,
)
from overdrive_sim.kernels.virtual import count_virtual, faces_are_counted, pick_virtual
from simcore.bits import index, lowest, nth, popcount
from simcore.blocks import BLOCK
from simcore.kernel import kernel

#: Sections of the legal list, ascending; the last one is ``end`` or ``pass``, a single action.
ALLOCATIONS, ROLLS, SETS, LEVELS, HITS, CARDS, PLAYS, ABILITIES, TARGETED, LAST = range(10)

#: Where other notes stand: allocations on board spaces, and on the stage too; the spaces (bits).  With borrowed dice
#: or single-use faces: the targets (bits, 0 without), how many such faces, allocations on each target.  Where short
#: lists are written.
ON_SPACES, ON_STAGE, SPACES, MIXED, VIRTUAL = range(16, 21)
ON_TARGETS = 24
LISTED = ON_TARGETS + TARGETS

#: Longer lists are left to ``legal``, which knows how much room every part of them needs.
MOST_COUNTED = LEGAL_CAPACITY // 4

_BOUGHT = (FANS, FAME, OVERDRIVE)
_ANY_FACE = (1 << FACES) - 1
UNKNOWN = np.int64(-1)


# ------------------------------------------------------------------ how many
@kernel(inline=True)
def turn_count(state, rules, out):
    """How many actions ``turn_legal`` would list, with notes to ``out``; UNKNOWN where only the list tells."""
    seat = np.int64(state.turn)
    me = state.seat[index(seat)]
    if rules.option.track_cap or me.shielded:
        return UNKNOWN
    notes = out.action
    notes[MIXED] = 0
    notes[VIRTUAL] = virtual_faces(state, rules, seat) if me.single_faces else np.int64(0)
    # Read once: what is noted could change them, as far as the compiler knows.
    hand, grana = number_of(me.pool), np.int64(me.grana)
    if notes[VIRTUAL] or me.n_locked:
        n = _count_mixed(state, rules, seat, out)
        if n < 0:
            return UNKNOWN
    else:
        n = _count_allocations(state, rules, seat, hand, out)
    notes[ALLOCATIONS] = n
    n = _count_rolls(rules, hand, grana, out, n)
    n += len(_BOUGHT) * np.int64(grana >= rules.price_level)
    n += (grana >= rules.price_die) & (me.extra_dice < rules.extra_dice)
    notes[LEVELS] = n
    hits = np.int64(0)
    for column in range(len(state.hit_row)):
        hits += cancel_count(state, rules, me, np.int64(state.hit_row[column]))
    n += hits * (me.bought_hit == 0)
    notes[HITS] = n
    n += popcount(cards_for_sale(state, me))
    notes[CARDS] = n
    n = _count_others(state, rules, seat, False, out, n)
    n += popcount(awards_within_reach(state, rules, me))
    notes[TARGETED] = n
    return n + 1 if n < MOST_COUNTED else UNKNOWN


@kernel(inline=True)
def attack_count(state, rules, out):
    """The same of ``attack_legal``."""
    seat = np.int64(state.turn)
    me = state.seat[index(seat)]
    if rules.option.track_cap:
        return UNKNOWN
    notes = out.action
    notes[ALLOCATIONS] = 0
    if me.shielded:
        n = _count_shielded_rolls(rules, me, out)
    else:
        n = _count_rolls(rules, number_of(me.pool), np.int64(me.grana), out, np.int64(0))
    notes[LEVELS] = n
    notes[HITS] = n
    notes[CARDS] = n
    n = _count_others(state, rules, seat, True, out, n)
    if me.attacked == 0:
        n += popcount(targets_of(state, rules, seat))
    notes[TARGETED] = n
    return n + 1 if n < MOST_COUNTED else UNKNOWN


@kernel(inline=True)
def _count_rolls(rules, hand, grana, out, n):
    """Re-rolls and faces to set, where no die is shielded; an empty hand has none of either."""
    notes = out.action
    known = rules.hand[0, index(hand)]
    n += np.int64(known.parts) * (grana >= rules.price_reroll)
    notes[ROLLS] = n
    n += np.int64(known.changes) * (grana >= rules.price_set)
    notes[SETS] = n
    return n


@kernel
def _count_shielded_rolls(rules, me, out):
    """The same in a battle where some dice are shielded and are told from the others."""
    notes = out.action
    bare, shielded = (
        rules.hand[0, index(number_of(me.pool - me.shielded))],
        rules.hand[0, index(number_of(me.shielded))],
    )
    # Any part of the ones with any part of the others, but for nothing at all.
    rolls = (np.int64(bare.parts) + 1) * (np.int64(shielded.parts) + 1) - 1
    n = rolls * (me.grana >= rules.price_reroll)
    notes[ROLLS] = n
    n += (np.int64(bare.changes) + np.int64(shielded.changes)) * (me.grana >= rules.price_set)
    notes[SETS] = n
    return n


@kernel(inline=True)
def _count_others(state, rules, seat, in_battle, out, n):
    """Cards to play and abilities."""
    notes = out.action
    if state.seat[index(seat)].hand:
        n += play_count(state, rules, seat, in_battle)
    notes[PLAYS] = n
    n += ability_count(state, rules, seat, in_battle)
    notes[ABILITIES] = n
    return n


@kernel(inline=True)
def _count_allocations(state, rules, seat, hand, out):
    """Allocations of own dice alone, where no track has a cap."""
    notes = out.action
    me = state.seat[index(seat)]
    wild = np.int64(me.skulls_wild)
    known = rules.hand[index(wild), index(hand)]
    spaces = open_spaces(state, rules, seat)
    # Spaces that do not fit have no choices: their number need not wait until that is looked up.
    n = choices_on(known, spaces)
    spaces &= np.int64(known.fits)
    if spaces & ON_BOARD:
        n += _count_on_board(state, rules, seat, wild, hand, JAM_SESSION, spaces)
        n += _count_on_board(state, rules, seat, wild, hand, OPPORTUNITY, spaces)
    notes[SPACES] = spaces
    notes[ON_SPACES] = n
    if has_stage(state, rules, seat):
        n += _count_row(rules, wild, hand, rules.stage_row)
    notes[ON_STAGE] = n
    hits = usable_hits(state, known) & ~(np.int64(state.full) >> HIT)
    while hits:
        n += _count_hit(state, rules, wild, hand, lowest(hits))
        hits &= hits - 1
    return n


@kernel
def _count_mixed(state, rules, seat, out):
    """Allocations where a borrowed die or single-use faces may join."""
    notes = out.action
    me, virtual = state.seat[index(seat)], notes[VIRTUAL]
    if virtual and faces_are_counted(me, virtual):
        targets = count_virtual(state, rules, seat, virtual, out, ON_TARGETS)
    elif not virtual and is_counted(me):
        targets = count_borrowed(state, rules, seat, out, ON_TARGETS)
    else:
        return UNKNOWN
    notes[MIXED] = targets
    n = np.int64(0)
    while targets:
        n += notes[ON_TARGETS + lowest(targets)]
        targets &= targets - 1
    return n


@kernel(inline=True)
def _count_on_board(state, rules, seat, wild, hand, space, spaces):
    """Allocations of own dice on Jam Session or Opportunity."""
    if not spaces >> space & 1:
        return np.int64(0)
    return _count_row(rules, wild, hand, rules.space_row[index(space)]) * effects_on_board(state, rules, seat, space)


@kernel(inline=True)
def _count_row(rules, wild, hand, row):
    """Parts of a hand that meet a requirement."""
    return np.int64(rules.hand[index(wild), index(hand)].row_count[index(row)])


@kernel(inline=True)
def _count_hit(state, rules, wild, hand, hit):
    """Allocations of own dice on a Hit."""
    n = _count_row(rules, wild, hand, np.int64(state.hit_need[index(hit)]))
    if rules.hit_ways[index(hit)] > 1:
        n += _count_row(rules, wild, hand, hit_row(state, rules, hit, 1))
    return n


# ------------------------------------------------------------------ which one
@kernel(inline=True)
def picked(state, rules, out, k):
    """The ``k``-th action of the list that ``turn_count`` or ``attack_count`` has just counted with ``out``."""
    notes = out.action
    section = np.int64(0)
    for one in range(LAST):
        section += notes[one] <= k
    seat = np.int64(state.turn)
    me = state.seat[index(seat)]
    if section == LAST:
        return np.int64(END if state.phase == ALLOCATION else PASS) << VERB_SHIFT
    if section == ALLOCATIONS:
        if notes[MIXED]:
            return _pick_mixed(state, rules, seat, out, k)
        return _pick_allocation(state, rules, seat, out, k)
    k -= notes[index(section - 1)]
    if section <= SETS and me.shielded:
        return _pick_shielded_roll(me, section, out, k)
    if section == ROLLS:
        return (np.int64(REROLL) << VERB_SHIFT) | (nth_part(me.pool, k) << DICE_SHIFT)
    if section == SETS:
        return plain(np.int64(SET_FACE), PAIRS[index(PRESENT[index(number_of(me.pool))] * 2 * BLOCK + k)])
    if section == PLAYS:
        play_legal(state, rules, seat, state.phase != ALLOCATION, out, np.int64(LISTED))
        return notes[LISTED + k]
    if section == ABILITIES:
        return ability_pick(state, rules, seat, state.phase != ALLOCATION, out, np.int64(LISTED), k)
    return _pick_other(state, rules, me, section, k)


@kernel
def _pick_shielded_roll(me, section, out, k):
    """The ``k``-th re-roll, or face to set, where some dice are shielded."""
    if section == ROLLS:
        list_rolls(out, np.int64(LISTED), np.int64(REROLL) << VERB_SHIFT, me)
    else:
        base, shielded = plain(np.int64(SET_FACE), np.int64(0)), np.int64(me.shielded)
        list_pairs(out, np.int64(LISTED), base, me.pool - me.shielded, shielded, _ANY_FACE, _ANY_FACE)
    return out.action[LISTED + k]


@kernel
def _pick_other(state, rules, me, section, k):
    """The ``k``-th action of a section that is rarely chosen."""
    if section == LEVELS:
        if k < len(_BOUGHT) and me.grana >= rules.price_level:
            return plain(np.int64(BUY_LEVEL), np.int64(_BOUGHT[k]))
        return plain(np.int64(BUY_DIE), np.int64(0))
    if section == HITS:
        hit, high = np.int64(-1), np.int64(0)
        for one in hits_for_sale(state):
            n = cancel_count(state, rules, me, one)
            if 0 <= k < n:
                hit, high = one, k
            k -= n
        base = (np.int64(BUY_HIT) << VERB_SHIFT) | ((HIT + hit) << TARGET_SHIFT)
        return base | np.int64(rules.cancel_list[hit, high])
    if section == CARDS:
        return plain(np.int64(BUY_DISTORTION), nth(cards_for_sale(state, me), k))
    if state.phase != ALLOCATION:
        return plain(np.int64(ATTACK), nth(targets_of(state, rules, np.int64(state.turn)), k))
    return plain(np.int64(CLAIM), nth(awards_within_reach(state, rules, me), k))


@kernel(inline=True)
def _pick_allocation(state, rules, seat, out, k):
    """The ``k``-th allocation of own dice."""
    notes = out.action
    me = state.seat[index(seat)]
    hand, wild = number_of(me.pool), np.int64(me.skulls_wild)
    if k < notes[ON_SPACES]:
        return _pick_on_spaces(state, rules, seat, wild, hand, notes[SPACES], k)
    if k < notes[ON_STAGE]:
        base = np.int64(VIKING_STAGE + seat) << TARGET_SHIFT
        return _pick_of_row(rules, wild, hand, rules.stage_row, base, k - notes[ON_SPACES])
    k -= notes[ON_STAGE]
    hits = usable_hits(state, rules.hand[index(wild), index(hand)]) & ~(np.int64(state.full) >> HIT)
    hit = lowest(hits)
    n = _count_hit(state, rules, wild, hand, hit)
    while k >= n:
        k -= n
        hits &= hits - 1
        hit = lowest(hits)
        n = _count_hit(state, rules, wild, hand, hit)
    if rules.hit_ways[index(hit)] > 1:
        own_on(state, rules, seat, HIT + hit, out, np.int64(LISTED))
        return notes[LISTED + k]
    return _pick_of_row(rules, wild, hand, np.int64(state.hit_need[index(hit)]), (HIT + hit) << TARGET_SHIFT, k)


@kernel
def _pick_mixed(state, rules, seat, out, k):
    """The ``k``-th allocation where a borrowed die or single-use faces may join."""
    notes = out.action
    targets = notes[MIXED]
    while k >= notes[ON_TARGETS + lowest(targets)]:
        k -= notes[ON_TARGETS + lowest(targets)]
        targets &= targets - 1
    if notes[VIRTUAL]:
        return pick_virtual(state, rules, seat, lowest(targets), notes[VIRTUAL], out, np.int64(LISTED), k)
    return pick_borrowed(state, rules, seat, lowest(targets), out, np.int64(LISTED), k)


@kernel(inline=True)
def _pick_on_spaces(state, rules, seat, wild, hand, spaces, k):
    """The ``k``-th allocation of own dice on the board spaces ``spaces`` (bits)."""
    known = rules.hand[index(wild), index(hand)]
    while True:
        space = lowest(spaces)
        spaces &= spaces - 1
        start = np.int64(known.start[index(space)])
        n = np.int64(known.start[index(space + 1)]) - start
        if 1 << space & ON_BOARD:
            n = _count_on_board(state, rules, seat, wild, hand, space, 1 << space)
        if k < n:
            break
        k -= n
    base = np.int64(space) << TARGET_SHIFT
    if 1 << space & ON_BOARD:
        return _pick_on_board(state, rules, seat, space, wild, hand, base, k)
    choice = np.int64(rules.space_choice[index(start + k)])
    return base | choice >> 8 << DICE_SHIFT | choice & 255


@kernel
def _pick_on_board(state, rules, seat, space, wild, hand, base, k):
    """The ``k``-th allocation of own dice on Jam Session or Opportunity."""
    ways = effects_on_board(state, rules, seat, space)
    action = _pick_of_row(rules, wild, hand, rules.space_row[space], base, k // ways)
    if not state.occupied or (space == JAM_SESSION and not takes(state, rules, seat)):
        return action
    if space == JAM_SESSION:
        return action + 1 + nth_take(state, seat, k % ways)
    return action + 1 + nth(np.int64(state.occupied), k % ways)


@kernel(inline=True)
def _pick_of_row(rules, wild, hand, row, base, k):
    """``base`` with the ``k``-th part of the hand that meets a requirement."""
    start = np.int64(rules.row_start[index(wild), index(hand), index(row)]) >> ROW_COUNT_BITS
    return base | np.int64(rules.row_dice[index(start + k)]) << DICE_SHIFT
