"""What the dice in hand are still worth this turn: the best use of them on what is open.

A hand is worth its dice on Resources, plus the bonus of its best use (see ``uses``), allowing for New Riff and
Improvisation on the way, plus that of a second use if one fits.  Worths of hands are remembered by their
multiset until ``prepare_uses`` runs again.

Places in ``params.value``: MEMO + multiset: worth of a hand; REACH + k: see ``prepare_reach``.
"""

from __future__ import annotations

import numpy as np

from agents.overdrive.kernels.chances import RESULT, RESULT_CHANCE, RESULT_START, SHOWS
from agents.overdrive.kernels.uses import (
    BONUS,
    EACH,
    HIGHEST,
    IMPROVISATIONS,
    MEMO,
    NEED,
    NIBBLES_AT,
    RANKED,
    RIFFS,
    SIZE_AT,
    SLOT,
    SMALLEST,
    USES,
    WILD,
)
from overdrive_sim.kernels.dice import CODE, COUNT, GUARD, NIBBLES, NUMBER, SIZE
from overdrive_sim.kernels.layout import (
    CHORD,
    CODES,
    FACES,
    HORNS,
    INFLUENCE,
    SKULL,
    UNIT,
)  # fmt: skip
from simcore.kernel import kernel

REACH = 520
_UNKNOWN = -1e8

#: The chance of one use alone understates a re-roll, which may show another: by this much at most.
HOPE = 1.6

#: Order in which a die that may show any face is taken from what is left over.
_SPARE_ORDER = (2, 1, 3, 0)


@kernel
def hand_worth(params, number):
    """Worth this turn of the dice of multiset ``number`` (-1: more than six, worth their Resources)."""
    value = params.value
    if number < 0:
        return 6.0 * value[EACH]
    known = value[MEMO + number]
    if known > _UNKNOWN:
        return known
    worth = SIZE[number] * value[EACH]
    if SIZE[number] >= params.options[1].action[SMALLEST]:
        worth += _best_use(params, number)
    value[MEMO + number] = worth
    return worth


@kernel
def _best_use(params, number):
    """Greatest bonus of a hand: its best use, changed dice allowed, and a second one."""
    note, value = params.options[1].action, params.value
    n, skulls = np.int64(SIZE[number]), np.int64(COUNT[number, SKULL])
    hand = NIBBLES[number] | GUARD
    changes = note[RIFFS] + note[IMPROVISATIONS]
    best = 0.0
    for k in range(note[USES]):
        use = note[RANKED + k]
        bonus = value[BONUS + use]
        if bonus + value[HIGHEST] <= best:
            break  # no later one can win, whatever its second use
        place = NEED + SLOT * use
        spare = n - note[place + SIZE_AT]
        if spare < 0 or (bonus <= best and spare < note[SMALLEST]):
            continue
        if (hand - note[place + NIBBLES_AT]) & GUARD == GUARD:
            if spare >= note[SMALLEST]:
                bonus += _second_use(params, _left_over(params, number, use), use)
            best = max(best, bonus)
        elif skulls > 0 and (note[WILD] or (spare > 0 and changes > 0)):
            best = max(best, _changed_use(params, number, use, spare))
    return best


@kernel
def _changed_use(params, number, use, spare):
    """Bonus of a use that needs changed dice, each for a Skull on New Riff or Improvisation; 0 if impossible."""
    note = params.options[1].action
    code = note[NEED + SLOT * use]
    horns = max(0, code % 7 - COUNT[number, HORNS])
    chords = max(0, code // 49 % 7 - COUNT[number, CHORD])
    influences = max(0, code // 343 % 7 - COUNT[number, INFLUENCE])
    changed = horns + chords + influences
    skulls = COUNT[number, SKULL] - code // 7 % 7
    if skulls < changed or changed == 0:
        return 0.0
    if note[WILD]:
        return params.value[BONUS + use]
    if changed > spare or chords > note[RIFFS] or horns + influences > note[IMPROVISATIONS]:
        return 0.0
    return params.value[BONUS + use] - changed * params.value[EACH]


@kernel
def _left_over(params, number, use):
    """Number of what a hand keeps after a use that it meets, plain spare dice filling the places for any face."""
    note = params.options[1].action
    place = NEED + SLOT * use
    code = np.int64(CODE[number]) - note[place]
    any_face = note[place + SIZE_AT] - SIZE[NUMBER[note[place]]]
    for face in _SPARE_ORDER:
        if any_face > 0:
            used = min(any_face, code // UNIT[face] % 7)
            code -= used * UNIT[face]
            any_face -= used
    return NUMBER[code]


@kernel
def _second_use(params, number, first):
    """Greatest bonus of a hand by one use other than ``first``, without changed dice."""
    note, value = params.options[1].action, params.value
    hand, n = NIBBLES[number] | GUARD, SIZE[number]
    for k in range(note[USES]):
        use = note[RANKED + k]
        place = NEED + SLOT * use
        if use != first and note[place + SIZE_AT] <= n and (hand - note[place + NIBBLES_AT]) & GUARD == GUARD:
            return value[BONUS + use]
    return 0.0


@kernel
def number_of(code):
    """Number of the multiset of a dice code, -1 for more than six dice."""
    if code < 0 or code >= CODES:
        return np.int64(-1)
    return np.int64(NUMBER[code])


@kernel
def expected_worth(params, kept, n):
    """Expected worth of a hand that keeps the dice of code ``kept`` and throws ``n`` more."""
    worth = 0.0
    for k in range(RESULT_START[n], RESULT_START[n + 1]):
        worth += RESULT_CHANCE[k] * hand_worth(params, number_of(kept + RESULT[k]))
    return worth


@kernel
def dice_to_throw(params, own, base, price):
    """Dice code of the own dice (code ``own``, part of the hand ``base``) that a re-roll should throw again.

    For each use: keep what it needs, throw the rest; the use with the best chance times bonus decides.
    0 when none comes near what the hand has and ``price``.
    """
    note, value = params.options[1].action, params.value
    number, hand = NUMBER[own], NUMBER[base]
    has = hand_worth(params, hand) - SIZE[hand] * value[EACH]
    best, chosen = (has + price) / HOPE, np.int64(0)
    for use in range(note[USES]):
        place = NEED + SLOT * use
        if note[place + SIZE_AT] > SIZE[hand] or value[BONUS + use] <= best:
            continue
        missing, kept = np.int64(0), np.int64(0)
        for face in range(FACES):
            held, need = base // UNIT[face] % 7, note[place] // UNIT[face] % 7
            mine = COUNT[number, face]
            missing += max(0, need - held) * UNIT[face]
            kept += min(mine, max(0, need - (held - mine))) * UNIT[face]
        thrown = own - kept
        if missing == 0 or thrown == 0:
            continue
        gain = SHOWS[NUMBER[missing], SIZE[NUMBER[thrown]]] * value[BONUS + use]
        if gain > best:
            best, chosen = gain, thrown
    return chosen


@kernel
def prepare_reach(params, number):
    """Write the greatest worth of a hand with k of its dice changed to any face: REACH + k, k = 1 to 3.

    A bound: a hand with room for two uses counts both as met.
    """
    note, value = params.options[1].action, params.value
    n = SIZE[number]
    uses = 2.0 if n >= 2 * note[SMALLEST] else 1.0
    for k in range(1, 4):
        value[REACH + k] = value[MEMO + number]
    for use in range(note[USES]):
        place = NEED + SLOT * use
        if note[place + SIZE_AT] > n:
            continue
        code = note[place]
        short = max(0, code % 7 - COUNT[number, HORNS]) + max(0, code // 7 % 7 - COUNT[number, SKULL])
        short += max(0, code // 49 % 7 - COUNT[number, CHORD]) + max(0, code // 343 % 7 - COUNT[number, INFLUENCE])
        # New Riff and Improvisation may change more on the way.
        short -= min(note[RIFFS] + note[IMPROVISATIONS], n - note[place + SIZE_AT], COUNT[number, SKULL])
        for k in range(max(1, short), 4):
            value[REACH + k] = max(value[REACH + k], n * value[EACH] + uses * value[BONUS + use])


@kernel
def wild_worth(params, number):
    """Worth of a hand whose Skulls count as any face (R-DCD-06)."""
    note = params.options[1].action
    best = hand_worth(params, number)
    for use in range(note[USES]):
        place = NEED + SLOT * use
        code = note[place]
        short = max(0, code % 7 - COUNT[number, HORNS]) + max(0, code // 49 % 7 - COUNT[number, CHORD])
        short += max(0, code // 343 % 7 - COUNT[number, INFLUENCE])
        if note[place + SIZE_AT] <= SIZE[number] and COUNT[number, SKULL] - code // 7 % 7 >= short:
            best = max(best, SIZE[number] * params.value[EACH] + params.value[BONUS + use])
    return best
