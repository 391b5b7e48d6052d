"""What the greedy player thinks of every option of a decision, for people who want to see it."""

from __future__ import annotations

from agents.metalmania.kernels.greedy import choice_worth, prepare_events
from agents.metalmania.kernels.outlook import band_worth, prepare, read_band
from agents.metalmania.kernels.replies import (
    COUNT,
    IDLE,
    ON,
    read_action,
    read_throw,
    response_worth,
    settle,
)  # fmt: skip
from metalmania_sim.kernels.actions import die_placed
from metalmania_sim.kernels.layout import (
    BAND,
    CHOOSE_HEAL,
    CHOOSE_HIRE,
    CHOOSE_SHIFT,
    CHOOSE_STEP4,
    NOBODY,
    PLACE_DICE,
    RESPOND_DICE,
    RESPOND_FAME,
)  # fmt: skip
from simcore.kernel import kernel


@kernel
def worths(state, rules, legal, n, params, out):
    """Write the worth of each of the ``n`` legal actions to ``out`` (in place), in fame."""
    seat, stage = int(state.asked), state.stage
    prepare(state, rules, params, seat)
    now = 0.0
    if stage == PLACE_DICE:
        read_action(state, rules, params, int(state.turn))
    elif stage == RESPOND_DICE:
        now = read_throw(state, rules, params, seat)
    elif stage != RESPOND_FAME:
        read_band(state.seat[seat], rules, params, int(state.seat[seat].company))
    if stage == CHOOSE_SHIFT:
        prepare_events(state, rules, params, seat)
    if stage in (CHOOSE_STEP4, CHOOSE_HIRE, CHOOSE_HEAL):
        now = band_worth(state.seat[seat], params)
    for k in range(n):
        action = legal.action[k]
        if stage == PLACE_DICE:
            out[k] = placed_worth(state, params, action)
        elif stage == RESPOND_DICE:
            out[k] = 0.0 if now == IDLE else response_worth(state, rules, params, seat, action, now, 0.0)
        else:
            out[k] = choice_worth(state, rules, params, seat, stage, action, now)


@kernel
def placed_worth(state, params, action):
    """Worth of the throw if its dice are placed as ``action`` says, after ``read_action``."""
    me, note = state.seat[state.turn], params.options[1].action
    artist, used = 0, 0
    for position in range(BAND):
        if me.artist[position] == NOBODY:
            continue
        die = die_placed(action, position)
        for k in range(note[COUNT]):
            if not used >> k & 1 and state.dice[k] == die:
                note[ON + artist] = k
                used |= 1 << k
                break
        artist += 1
    return settle(params, artist)
