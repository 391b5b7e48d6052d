"""Board spaces, the Vikings' own space and Hits as targets: what is open, what they need, what they do for whom."""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.gains import SLOT_B, ability, room_above
from overdrive_sim.kernels.layout import (
    ACOUSTIC,
    BOARD_SPACES,
    CHORD,
    FACES,
    GRANA,
    HORNS,
    IMPROVISATION,
    INFLUENCE,
    JAM_SESSION,
    NEW_MEMBER,
    NEW_RIFF,
    OPPORTUNITY,
    RESOURCES,
    VIKING_STAGE,
)  # fmt: skip
from overdrive_sim.kernels.listing import list_one, list_pairs, list_takes, list_targets, takes
from overdrive_sim.kernels.places import cancelled_face, has_placed
from overdrive_sim.kernels.rules import STAGE
from simcore.bits import index, lowest, popcount
from simcore.kernel import kernel

_SPACE_BITS = (1 << BOARD_SPACES) - 1
_ANY_FACE = (1 << FACES) - 1
_TO_IMPROVISE = (1 << HORNS) | (1 << INFLUENCE)
_TO_RIFF = 1 << CHORD

#: Spaces (bits) with an effect that needs a choice or may be impossible; the others give their reward and no more.
SPECIAL = (
    (1 << ACOUSTIC)
    | (1 << IMPROVISATION)
    | (1 << JAM_SESSION)
    | (1 << NEW_RIFF)
    | (1 << NEW_MEMBER)
    | (1 << OPPORTUNITY)
)

#: Spaces (bits) whose effect depends on what lies on the board.
ON_BOARD = 1 << JAM_SESSION | 1 << OPPORTUNITY

#: The byte of ``HAND.choices`` that belongs to each space: its own number, but Resources have that of Jam Session.
CHOICE_BYTES = {
    space: JAM_SESSION if space == RESOURCES else space for space in range(BOARD_SPACES) if not ON_BOARD >> space & 1
}
_LOW_BYTE = 0xFF & ~ON_BOARD
_EVEN_BYTES = 0x00FF00FF00FF00FF
#: All bits of the bytes whose numbers are the bits of the index.
_BYTES = (((np.arange(256)[:, None] >> np.arange(8)) & 1) * 255).astype(np.uint8).view("<i8").ravel()


@kernel(inline=True)
def open_spaces(state, rules, seat):
    """Board spaces (bits) with a free place that ``seat`` may take and pay, and that are not idle for it."""
    me = state.seat[index(seat)]
    spaces = ~(np.int64(state.closed) | state.full) & _SPACE_BITS
    has_all = me.extra_dice >= rules.extra_dice and not rules.option.void_allocation
    spaces &= ~(np.int64(has_all) << NEW_MEMBER)
    costly = np.int64(rules.costly_spaces)
    while costly:
        space = lowest(costly)
        costly &= costly - 1
        # No branch: what a seat can pay is hard to foresee.
        spaces &= ~(np.int64(me.grana < rules.space_cost[index(space)]) << space)
    if rules.option.double_place:
        for space in range(BOARD_SPACES):
            if rules.space_places[space] > 1 and state.busy[space] and has_placed(state, seat, space):
                spaces &= ~(1 << space)
    return spaces


@kernel(inline=True)
def choices_on(known, spaces):
    """How many choices on some board spaces (bits) depend on a hand alone (``known``: its HAND record)."""
    lengths = known.choices & _BYTES[index(spaces & _LOW_BYTE | (spaces >> RESOURCES & 1) << JAM_SESSION)]
    # Neighbours, pairs and halves are added at once; no sum reaches 16 bits.
    sums = (lengths & _EVEN_BYTES) + (lengths >> 8 & _EVEN_BYTES)
    sums += sums >> 32
    return sums + (sums >> 16) & 0xFFFF


@kernel(inline=True)
def effects_on_board(state, rules, seat, space):
    """Ways to carry out the effect of a space that depends on the board; one without effect where that is allowed."""
    ways = takes(state, rules, seat) if space == JAM_SESSION else popcount(np.int64(state.occupied))
    return max(ways, np.int64(rules.option.void_allocation))


@kernel(inline=True)
def has_stage(state, rules, seat):
    """Whether ``seat`` has the Vikings' own space, and no dice on it (R-ABL-17, A-ABL-10)."""
    return (
        rules.stage_bands >> np.int64(state.seat[index(seat)].band) & 1
        and not state.full >> (VIKING_STAGE + seat) & 1
        and ability(state, rules, seat, SLOT_B) == STAGE
    )


@kernel
def space_matters(state, rules, seat, space):
    """Whether a space's reward can raise anything; at a cap it may not (A-SPC-5, A-TRK-1)."""
    if not rules.option.track_cap or rules.option.void_allocation:
        return True
    rising = 0
    for track in range(4):
        rising += rules.space_reward[space, track] > 0 and room_above(state, rules, seat, track) > 0
    return rising > 0


@kernel
def stage_matters(state, rules, seat):
    """The same of the Vikings' own space."""
    if not rules.option.track_cap or rules.option.void_allocation:
        return True
    rising = 0
    for track in range(4):
        rising += rules.stage_reward[track] > 0 and room_above(state, rules, seat, track) > 0
    return rising > 0


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


@kernel(inline=True)
def hit_row(state, rules, hit, way):
    """Requirement row of a Hit's way, with its cancelled space taken into account (R-HIT-07)."""
    return rules.hit_row[index(hit), index(way), index(cancelled_face(state, hit))]


@kernel(inline=True)
def usable_hits(state, known):
    """Hits in play (bits) whose requirement some part of a hand meets (``known``: its HAND record)."""
    hits = np.int64(0)
    for column in range(FACES + 2):
        hits |= np.int64(state.in_play[column]) & known.hits[column]
    return hits


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
