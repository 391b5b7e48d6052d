"""Overdrive's engine: who is asked, what is legal, what a decision does.

A pending choice comes before everything else, then chance, then the seat in turn in its phase.
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.actions import detail_of, verb_of
from overdrive_sim.kernels.battle import (
    attack_legal,
    pass_step,
    reaction_legal,
    reaction_step,
    shield_legal,
    shield_step,
    strike,
)  # fmt: skip
from overdrive_sim.kernels.chance import apply_chance, chance_count, chance_stream
from overdrive_sim.kernels.counting import UNKNOWN, attack_count, picked, turn_count
from overdrive_sim.kernels.flow import settle
from overdrive_sim.kernels.gains import pop_choice
from overdrive_sim.kernels.hidden import hide
from overdrive_sim.kernels.layout import (
    ALLOCATION,
    ATTACK,
    CHOOSE_METALLUM_HIT,
    CHOOSE_RAISE,
    CHOOSE_REACTION,
    CHOOSE_VICTIM,
    CLOSE_TURN,
    END,
    FINISHED,
    LEGAL_CAPACITY,
    PASS,
    SETUP,
    SHIELDS,
    STATE,
    STREAMS,
)  # fmt: skip
from overdrive_sim.kernels.metallum import cancel_legal, cancel_step, hit_legal, hit_step, victim_legal, victim_step
from overdrive_sim.kernels.options import choice_legal, turn_legal
from overdrive_sim.kernels.rules import RULES
from overdrive_sim.kernels.scoring import RESULT, outcome, returns
from overdrive_sim.kernels.setup import reset
from overdrive_sim.kernels.tally import TALLY, observe
from overdrive_sim.kernels.turn import choice_step, turn_step
from simcore.kernel import kernel
from simcore.protocol import Engine


@kernel(inline=True)
def to_act(state):
    """The seat that decides: who owes the first pending choice, else the seat in turn."""
    if state.choices > 0:
        return np.int64(state.choice_seat[0])
    return np.int64(state.turn)


@kernel(inline=True)
def is_over(state):
    """1 once the Final Battle is over (R-END-02)."""
    return 1 if state.phase == FINISHED else 0


@kernel
def legal(state, rules, out):
    """Write the legal actions of the seat that decides; returns their number."""
    if state.choices > 0:
        kind = state.choice_kind[0]
        if kind <= CHOOSE_RAISE:
            return choice_legal(state, rules, out)
        return frame_choice_legal(state, rules, out, kind)
    if state.phase == ALLOCATION:
        return turn_legal(state, rules, out)
    if state.phase == SHIELDS:
        return shield_legal(state, rules, out)
    return attack_legal(state, rules, out)


@kernel(inline=True)
def count(state, rules, out):
    """How many actions ``legal`` would list, with notes for ``pick`` to ``out``; UNKNOWN where only the list tells."""
    if state.choices == 0:
        if state.phase == ALLOCATION:
            return turn_count(state, rules, out)
        if state.phase != SHIELDS:
            return attack_count(state, rules, out)
    return UNKNOWN


@kernel
def frame_choice_legal(state, rules, out, kind):
    """Legal answers to the choices of a battle and of Metallum."""
    if kind == CHOOSE_VICTIM:
        return victim_legal(state, rules, out)
    if kind == CHOOSE_REACTION:
        return reaction_legal(state, rules, out)
    if kind == CHOOSE_METALLUM_HIT:
        return hit_legal(state, rules, out)
    return cancel_legal(state, rules, out)


@kernel(inline=True)
def step(state, rules, action):
    """A legal action happens; the game runs on to the next decision or chance event."""
    if state.choices > 0:
        kind = state.choice_kind[0]
        if kind <= CHOOSE_RAISE:
            choice_step(state, rules, action)
        else:
            pop_choice(state)
            frame_choice_step(state, rules, action, kind)
    elif state.phase == SHIELDS:
        shield_step(state, action)
    else:
        verb = verb_of(action)
        if verb == END:
            state.stage = CLOSE_TURN
        elif verb == PASS:
            pass_step(state)
        elif verb == ATTACK:
            strike(state, rules, state.turn, detail_of(action))
        else:
            turn_step(state, rules, action)
    settle(state, rules)


@kernel
def frame_choice_step(state, rules, action, kind):
    """An answer to a choice of a battle or of Metallum, already taken off the list of choices."""
    if kind == CHOOSE_VICTIM:
        victim_step(state, rules, action)
    elif kind == CHOOSE_REACTION:
        reaction_step(state, action)
    elif kind == CHOOSE_METALLUM_HIT:
        hit_step(state, rules, action)
    else:
        cancel_step(state, rules, action)


ENGINE = Engine(
    state=STATE,
    rules=RULES,
    setup=SETUP,
    result=RESULT,
    tally=TALLY,
    legal_capacity=LEGAL_CAPACITY,
    streams=STREAMS,
    reset=reset,
    chance_count=chance_count,
    chance_stream=chance_stream,
    apply_chance=apply_chance,
    to_act=to_act,
    legal=legal,
    step=step,
    is_over=is_over,
    returns=returns,
    outcome=outcome,
    hide=hide,
    observe=observe,
    count=count,
    pick=picked,
)
