"""The own turn: one action of the seat in turn is carried out, and the dice it throws come down.

Holds for the allocation turn and for what an attacker does beside attacking.  A step may leave a pending
chance event or pending choices; the game goes on when these are settled.
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.abilities import ability_step, own_choice_step
from overdrive_sim.kernels.actions import verb_of
from overdrive_sim.kernels.allocation import allocate_step
from overdrive_sim.kernels.cards import play_step
from overdrive_sim.kernels.dice import COUNT, NUMBER, throw
from overdrive_sim.kernels.free_actions import (
    buy_card_step,
    buy_die_step,
    buy_hit_step,
    buy_level_step,
    claim_step,
    reroll_step,
    set_step,
)  # fmt: skip
from overdrive_sim.kernels.layout import (
    ALLOCATE,
    BUY_DIE,
    BUY_DISTORTION,
    BUY_HIT,
    BUY_LEVEL,
    CLAIM,
    FACES,
    NO_CHANCE,
    PLAY,
    REROLL,
    ROLL_AGAIN,
    SET_FACE,
    SIDES,
    UNIT,
)  # fmt: skip
from simcore.bits import index
from simcore.kernel import kernel


@kernel(inline=True)
def turn_step(state, rules, action):
    """A legal action of the seat in turn happens: anything from ``allocate`` to ``claim``."""
    seat = np.int64(state.turn)
    verb = verb_of(action)
    if verb == ALLOCATE:
        allocate_step(state, rules, seat, action)
    elif verb == REROLL:
        reroll_step(state, rules, seat, action)
    elif verb == SET_FACE:
        set_step(state, rules, seat, action)
    elif verb == BUY_LEVEL:
        buy_level_step(state, rules, seat, action)
    elif verb == BUY_DIE:
        buy_die_step(state, rules, seat)
    elif verb == BUY_HIT:
        buy_hit_step(state, rules, seat, action)
    elif verb == BUY_DISTORTION:
        buy_card_step(state, rules, seat, action)
    elif verb == PLAY:
        play_step(state, rules, seat, action)
    elif verb == CLAIM:
        claim_step(state, seat, action)
    else:
        ability_step(state, rules, seat, action)


@kernel
def choice_step(state, rules, action):
    """A pending ``copy`` or ``raise`` choice is answered."""
    own_choice_step(state, rules, action)


@kernel(inline=True)
def apply_turn_chance(state, rules, outcome):
    """Dice thrown in the own turn come down: an extra die (ROLL_EXTRA), or dice thrown again (ROLL_AGAIN)."""
    me = state.seat[index(state.chance_seat)]
    if state.chance == ROLL_AGAIN and state.detail[3] != 0:
        _throw_shielded(state, me, outcome)
    else:
        me.pool += throw(outcome, state.chance_left)
    state.chance = NO_CHANCE


@kernel
def _throw_shielded(state, me, outcome):
    """Dice come down with shielded ones among them, which stay shielded (A-BND-1).

    Thrown in the order H S C I of the faces they showed, of one face the unshielded first.
    """
    dice, shielded = NUMBER[state.detail[2]], NUMBER[state.detail[3]]
    for face in range(FACES):
        bare = COUNT[dice, face] - COUNT[shielded, face]
        for k in range(COUNT[dice, face]):
            unit = UNIT[SIDES[outcome % 6]]
            outcome //= 6
            me.pool += unit
            if k >= bare:
                me.shielded += unit
