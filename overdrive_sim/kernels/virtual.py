"""Allocations where TNSHE's single-use faces may join (A-ABL-12): how many on each target and which one.

A single-use face is a Horns Up beside own dice.  Own dice and so many Horns Up are looked up as one hand, of whose
choices tables know how many hold them all and another die (``row_horns``, ``space_horns``).
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.allocation import own_on
from overdrive_sim.kernels.dice import MOST_DICE, SIZE, number_of
from overdrive_sim.kernels.layout import HIT, HORNS, UNIT
from overdrive_sim.kernels.mixtures import virtual_on
from overdrive_sim.kernels.rules import WITH_BITS
from overdrive_sim.kernels.spaces import ON_BOARD, effects_on_board, hit_row, open_spaces, usable_hits
from simcore.bits import index, lowest
from simcore.kernel import kernel

_WITH = (1 << WITH_BITS) - 1


@kernel
def faces_are_counted(me, virtual):
    """Whether tables know the allocations: no borrowed dice, at most six dice in all, Skulls as they are."""
    return me.n_locked == 0 and not me.skulls_wild and SIZE[index(number_of(me.pool))] + virtual <= MOST_DICE


@kernel
def count_virtual(state, rules, seat, virtual, out, at):
    """Writes how many allocations there are on a target to ``out.action[at + target]``; returns the targets (bits).

    ``virtual``: single-use faces that may join, 1 to 3.  For seats of which ``faces_are_counted`` holds; no track
    has a cap.
    """
    me = state.seat[index(seat)]
    notes = out.action
    known = rules.hand[0, index(number_of(me.pool))]
    fits, hits = np.int64(known.fits), usable_hits(state, known)
    for faces in range(1, virtual + 1):
        more = rules.hand[0, index(_with_faces(me, faces))]
        fits |= np.int64(more.fits)
        hits |= usable_hits(state, more)
    targets = open_spaces(state, rules, seat) & fits
    spaces = targets
    while spaces:
        space = lowest(spaces)
        spaces &= spaces - 1
        if ON_BOARD >> space & 1:
            n = _count_row(rules, me, virtual, index(rules.space_row[index(space)]))
            n *= effects_on_board(state, rules, seat, space)
        else:
            n = _count_space(rules, me, virtual, space)
        notes[index(at + space)] = n
    hits &= ~(np.int64(state.full) >> HIT)
    targets |= hits << HIT
    while hits:
        hit = lowest(hits)
        hits &= hits - 1
        n = _count_row(rules, me, virtual, index(state.hit_need[index(hit)]))
        if rules.hit_ways[index(hit)] > 1:
            n += _count_row(rules, me, virtual, index(hit_row(state, rules, hit, 1)))
        notes[index(at + HIT + hit)] = n
    return targets


@kernel
def _with_faces(me, faces):
    """Number of the hand of own dice and ``faces`` Horns Up."""
    return number_of(me.pool + UNIT[HORNS] * faces)


@kernel
def _count_row(rules, me, virtual, row):
    """Parts of the own dice that meet a requirement alone or with single-use faces."""
    n = np.int64(rules.hand[0, index(number_of(me.pool))].row_count[row])
    for faces in range(1, virtual + 1):
        n += rules.row_horns[index(_with_faces(me, faces)), row] >> WITH_BITS * (faces - 1) & _WITH
    return n


@kernel
def _count_space(rules, me, virtual, space):
    """The same of the choices on a board space whose effect depends on the hand alone."""
    known = rules.hand[0, index(number_of(me.pool))]
    n = np.int64(known.start[index(space + 1)]) - np.int64(known.start[index(space)])
    for faces in range(1, virtual + 1):
        n += rules.space_horns[index(_with_faces(me, faces)), index(space)] >> WITH_BITS * (faces - 1) & _WITH
    return n


@kernel
def pick_virtual(state, rules, seat, target, virtual, out, at, k):
    """The ``k``-th allocation on a target of those that ``count_virtual`` has counted: listed there, from ``at`` on."""
    n = own_on(state, rules, seat, target, out, at)
    virtual_on(state, rules, seat, target, virtual, out, at, n)
    return out.action[at + k]
