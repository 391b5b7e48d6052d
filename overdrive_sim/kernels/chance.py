"""Chance: rolls and cards, each uniform over its outcomes.

| kind | outcomes | stream |
|---|---|---|
| a roll of m dice | 6**m | the seat whose turn, attack or roll caused it |
| a Hit revealed | unseen Hits, ascending | HIT_PILE |
| a Distortion card revealed, or drawn by Metallum | unseen cards, ascending in deck order | DISTORTION_PILE |
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.dice import throw
from overdrive_sim.kernels.flow import settle
from overdrive_sim.kernels.layout import (
    DISTORTION_PILE,
    DRAW_METALLUM,
    HIT_PILE,
    MOST_DICE,
    NO_CHANCE,
    REVEAL_DISTORTION,
    REVEAL_HIT,
    ROLL_BATTLE,
    ROLL_METALLUM,
    ROLL_TURN,
)  # fmt: skip
from overdrive_sim.kernels.metallum import roll_bonuses
from overdrive_sim.kernels.piles import draw_card, reveal_card, reveal_hit
from overdrive_sim.kernels.turn import apply_turn_chance
from simcore.bits import index, popcount
from simcore.kernel import kernel

POWER = np.array([6**n for n in range(MOST_DICE + 1)], np.int64)


@kernel(inline=True)
def chance_count(state, rules):
    """Number of equally likely outcomes of the chance event that is due, 0 when a seat decides."""
    kind = state.chance
    if kind == NO_CHANCE or state.choices > 0:
        return 0
    if kind == REVEAL_HIT:
        return popcount(np.int64(state.hit_pile))
    if kind in (REVEAL_DISTORTION, DRAW_METALLUM):
        return popcount(state.pile)
    return POWER[index(state.chance_left)]


@kernel(inline=True)
def chance_stream(state, rules):
    """Whose luck it is: a seat (its chair) for dice, or a pile."""
    kind = state.chance
    if kind == REVEAL_HIT:
        return HIT_PILE
    if kind in (REVEAL_DISTORTION, DRAW_METALLUM):
        return DISTORTION_PILE
    return np.int64(state.chance_seat)


@kernel(inline=True)
def apply_chance(state, rules, outcome):
    """The outcome in [0, chance_count) happens; the game runs on to the next decision or chance event."""
    kind = state.chance
    if kind in (ROLL_TURN, ROLL_BATTLE):
        state.chance = NO_CHANCE
        state.seat[index(state.chance_seat)].pool = throw(outcome, state.chance_left)
    elif kind == REVEAL_HIT:
        reveal_hit(state, rules, outcome)
    elif kind == REVEAL_DISTORTION:
        reveal_card(state, rules, outcome)
    elif kind == ROLL_METALLUM:
        state.chance = NO_CHANCE
        roll_bonuses(state, rules, outcome)
    elif kind == DRAW_METALLUM:
        draw_card(state, outcome)
    else:
        apply_turn_chance(state, rules, outcome)
    settle(state, rules)
