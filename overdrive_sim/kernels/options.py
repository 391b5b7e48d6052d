"""The legal actions of a seat's own turn, ascending by id: allocation turn, attacker turn, pending choices."""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.abilities import ability_legal, own_choice_legal
from overdrive_sim.kernels.allocation import allocate_legal
from overdrive_sim.kernels.cards import play_legal
from overdrive_sim.kernels.free_actions import (
    buy_card_legal,
    buy_hit_legal,
    buy_level_legal,
    claim_legal,
    dice_action_legal,
)  # fmt: skip
from overdrive_sim.kernels.layout import END, LEGAL_CAPACITY, VERB_SHIFT
from overdrive_sim.kernels.listing import MOST_TARGETS, list_one
from simcore.blocks import BLOCK
from simcore.kernel import kernel

#: Room for what the battle itself adds to an attacker's own actions: attacks, as ``list_targets`` asks it, and pass.
BATTLE_ROOM = MOST_TARGETS + BLOCK + 1


@kernel
def turn_legal(state, rules, out):
    """Legal actions of the seat in turn in the allocation phase; returns how many, -1 if they do not fit."""
    seat = np.int64(state.turn)
    n = allocate_legal(state, rules, seat, out, 0)
    n = dice_action_legal(state, rules, seat, out, n)
    n = buy_level_legal(state, rules, seat, out, n)
    n = buy_hit_legal(state, rules, seat, out, n)
    n = buy_card_legal(state, rules, seat, out, n)
    if state.seat[seat].hand:
        n = play_legal(state, rules, seat, False, out, n)
    n = ability_legal(state, rules, seat, False, out, n)
    n = claim_legal(state, rules, seat, out, n)
    n = list_one(out, n, np.int64(END) << VERB_SHIFT)
    if n > LEGAL_CAPACITY:
        return -1
    return n


@kernel
def attacker_legal(state, rules, out, n):
    """What the attacker in turn may do beside attack and pass: re-roll, set, cards, abilities (R-BAT-22, A-BAT-7).

    Appends to the ``n`` actions in ``out`` and leaves room for BATTLE_ROOM more; -1 if they do not fit.
    """
    seat = np.int64(state.turn)
    n = dice_action_legal(state, rules, seat, out, n)
    if state.seat[seat].hand:
        n = play_legal(state, rules, seat, True, out, n)
    n = ability_legal(state, rules, seat, True, out, n)
    if n > LEGAL_CAPACITY - BATTLE_ROOM:
        return -1
    return n


@kernel
def choice_legal(state, rules, out):
    """Legal answers to a pending ``copy`` or ``raise`` choice; returns how many."""
    return own_choice_legal(state, rules, out)
