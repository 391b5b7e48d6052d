"""What dice are worth in a battle: as bonuses in rounds 3 and 6, as symbols in the Final Battle.

``prepare_fight`` writes the worth of a bonus by face to ``params.value[FACE_WORTH + face]`` and counts the
own symbols; FINAL is 1 in the Final Battle.
"""

from __future__ import annotations

import numpy as np

from agents.overdrive.kernels.chances import RESULT, RESULT_CHANCE, RESULT_START
from agents.overdrive.kernels.weights import W_FAME, W_FANS, W_GRANA, W_OVERDRIVE
from agents.overdrive.kernels.worth import RIVALRY, collection, count_symbols, levels_worth
from overdrive_sim.kernels.layout import CHORD, FACES, FAME, FANS, GRANA, HORNS, INFLUENCE, SIDES, SKULL, UNIT
from simcore.kernel import kernel

FACE_WORTH = 290
FINAL = 294
SAME = 1e-9


@kernel
def prepare_fight(state, rules, params, seat):
    """Write what the surviving faces are worth to ``seat``."""
    value = params.value
    value[FINAL] = 1.0 if state.game_round >= rules.last_round else 0.0
    for face in range(FACES):
        value[FACE_WORTH + face] = levels_worth(params, rules.battle_track[face], rules.battle_levels[face])
    if value[FINAL] > 0.0:
        count_symbols(state, rules, params, seat)


@kernel
def fight_worth(rules, params, code):
    """Worth of the dice of ``code`` if they survive the battle."""
    h, s, c, i = code % 7, code // 7 % 7, code // 49 % 7, code // 343 % 7
    value = params.value
    if value[FINAL] > 0.0:
        return 1.0 * collection(rules, params, h, s, c, i)
    return (
        h * value[FACE_WORTH + HORNS]
        + s * value[FACE_WORTH + SKULL]
        + c * value[FACE_WORTH + CHORD]
        + i * value[FACE_WORTH + INFLUENCE]
    )


@kernel
def expected_fight(rules, params, kept, n):
    """Expected worth of keeping the dice of code ``kept`` and throwing ``n`` again."""
    worth = 0.0
    for k in range(RESULT_START[n], RESULT_START[n + 1]):
        worth += RESULT_CHANCE[k] * fight_worth(rules, params, kept + RESULT[k])
    return worth


@kernel
def dice_to_fight_again(rules, params, pool, shielded):
    """Dice code of the unshielded dice worth throwing again: those below the mean, or that complete nothing."""
    value, thrown = params.value, np.int64(0)
    if value[FINAL] > 0.0:
        points = fight_worth(rules, params, pool)
        for face in range(FACES):
            free = pool // UNIT[face] % 7 - shielded // UNIT[face] % 7
            while free > 0 and fight_worth(rules, params, pool - thrown - UNIT[face]) >= points - SAME:
                thrown += UNIT[face]
                free -= 1
        return thrown
    mean = 0.0
    for side in SIDES:
        mean += value[FACE_WORTH + side] / len(SIDES)
    for face in range(FACES):
        if value[FACE_WORTH + face] < mean:
            thrown += (pool // UNIT[face] % 7 - shielded // UNIT[face] % 7) * UNIT[face]
    return thrown


@kernel
def lost_die(state, rules, params, seat, face):
    """What one die of ``face`` is worth to its owner ``seat`` in this battle, by the plain weights."""
    number = params.number
    if params.value[FINAL] > 0.0:
        count_symbols(state, rules, params, seat)
        code = np.int64(state.seat[seat].pool)
        h, s, c, i = code % 7, code // 7 % 7, code // 49 % 7, code // 343 % 7
        full = collection(rules, params, h, s, c, i)
        return (
            0.05
            + full
            - collection(
                rules, params, h - (face == HORNS), s - (face == SKULL), c - (face == CHORD), i - (face == INFLUENCE)
            )
        )
    track, each = rules.battle_track[face], 0.5 * number[W_OVERDRIVE]
    if track == FANS:
        each = number[W_FANS]
    elif track == FAME:
        each = number[W_FAME]
    elif track == GRANA:
        each = number[W_GRANA]
    return each * rules.battle_levels[face]


@kernel
def attack_worth(state, rules, params, seat, target, face):
    """Worth for ``seat`` of removing a die of ``face`` from ``target`` (R-BAT-04): what it loses, by RIVALRY."""
    worth = lost_die(state, rules, params, target, face) * params.value[RIVALRY + target]
    if params.value[FINAL] > 0.0:
        count_symbols(state, rules, params, seat)
    return worth


@kernel
def shield_worth(state, rules, params, seat, face):
    """Worth of protecting a die of ``face``: its own worth, if somebody may attack it (R-BAT-13).

    A rival can attack a face of which it shows more; a re-roll may change that, hence the small rest.
    """
    code = np.int64(state.seat[seat].pool)
    mine = code // UNIT[face] % 7
    danger = 0.15
    for other in range(state.seats):
        if other != seat and np.int64(state.seat[other].pool) // UNIT[face] % 7 > mine:
            danger = 1.0
    return danger * (fight_worth(rules, params, code) - fight_worth(rules, params, code - UNIT[face]) + 0.05)
