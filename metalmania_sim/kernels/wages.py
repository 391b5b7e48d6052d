"""Step 5: wages, and who is not paid (MM-R113 to MM-R116)."""

from __future__ import annotations

import numpy as np

from metalmania_sim.kernels import actions, band
from metalmania_sim.kernels.layout import BAND, CHOOSE_UNPAID, END_TURN, UNPAID, WAGES
from metalmania_sim.kernels.rules import TRUE
from simcore.bits import index, popcount
from simcore.kernel import kernel

_MOST_SETS = 10  # two or three of five


@kernel
def pay(state, rules):
    """Pay everybody, or ask who is not paid where the money is short (A50, A51)."""
    me = state.seat[index(state.turn)]
    state.phase = WAGES
    state.stage = END_TURN
    if me.free_wages or (state.miracle and rules.option.miracle_turn == 1):
        me.free_wages = 0  # MM-R112, A32, A35
    elif rules.option.voluntary_nonpayment == TRUE or shortfall(me, rules) > 0:
        state.asked = state.turn
        state.stage = CHOOSE_UNPAID
    else:
        me.money -= rules.wage * me.members


@kernel
def shortfall(me, rules):
    """Artists that cannot be paid."""
    members, wage = int(me.members), int(rules.wage)
    if me.money >= wage * members:
        return 0
    return members - int(me.money) // wage


def _sets() -> tuple[np.ndarray, np.ndarray]:
    """Sets of some of ``members`` artists (bits), ascending, and how many, by ``members * (BAND + 1) + unpaid``."""
    rows = [
        [chosen for chosen in range(1 << members) if chosen.bit_count() == unpaid]
        for members in range(BAND + 1)
        for unpaid in range(BAND + 1)
    ]
    full = [row + [0] * (_MOST_SETS - len(row)) for row in rows]
    return np.array(full, np.int8), np.array([len(row) for row in rows], np.int8)


SETS, SET_COUNT = _sets()


@kernel
def set_row(state, rules):
    """Row of SETS: as few unpaid artists as the active seat's money allows."""
    me = state.seat[index(state.turn)]
    return int(me.members) * (BAND + 1) + shortfall(me, rules)


@kernel
def legal_unpaid(state, rules, out):
    """Every set of artists that may go unpaid: as few as possible, or more of them by choice; how many sets."""
    if rules.option.voluntary_nonpayment == TRUE:
        me = state.seat[index(state.turn)]
        return _sets_by_choice(out, shortfall(me, rules), int(me.members))
    row = set_row(state, rules)
    for i in range(_MOST_SETS):
        out.action[i] = actions.pack(UNPAID, int(SETS[row, i]))
    return int(SET_COUNT[row])


@kernel(inline=False)
def _sets_by_choice(out, least, most):
    """Sets of ``least`` to all of the ``most`` artists of a band; how many sets."""
    n = 0
    for chosen in range(1 << most):  # the fifth position is the last
        if least <= popcount(chosen) <= most:
            out.action[n] = actions.pack(UNPAID, chosen)
            n += 1
    return n


@kernel
def leave_unpaid(state, rules, chosen):
    """The positions in ``chosen`` (bits) are not paid and get one step worse (MM-R114); the others are paid."""
    me = state.seat[index(state.turn)]
    me.money -= rules.wage * (int(me.members) - popcount(chosen))
    for position in range(BAND):
        if (chosen >> position) & 1:
            band.worsen(me, position)
    state.stage = END_TURN
