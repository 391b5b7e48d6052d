"""Overdrive's actions in words: a whole action is spelled in up to seven of them.

A packed id has too many fields for one bounded index, so an action is said word by word, each from a range of
its own: what is done, how (a track, a pair, a target, ...), and with which dice.  A level at which every action
that is still possible has the same word is passed over, so that most actions take one or two words.
Seats are counted from the seat that acts: 0 itself, 1 the next one.
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.actions import (
    ARGUMENT_BITS,
    argument_of,
    borrowed_of,
    card_of,
    detail_of,
    dice_of,
    target_of,
    virtual_of,
)  # fmt: skip
from overdrive_sim.kernels.gains import ability_band
from overdrive_sim.kernels.layout import (
    ABILITY,
    ALLOCATE,
    ATTACK,
    BUY_DISTORTION,
    BUY_HIT,
    BUY_LEVEL,
    CLAIM,
    COPY,
    DETAIL_BITS,
    FACES,
    HIT,
    JAM_SESSION,
    METALLUM_CANCEL,
    METALLUM_HIT,
    MOST_CARDS,
    MOST_HITS,
    MULTISETS,
    PLAY,
    RAISE,
    REROLL,
    SET_FACE,
    SHIELD,
    TARGET_BITS,
    TARGET_SHIFT,
    TARGETS,
    VERB_SHIFT,
    VERBS,
    VICTIM,
    VIKING_STAGE,
)  # fmt: skip
from overdrive_sim.kernels.rules import CHOOSE_FACES, CLEAR_SPACE, TAKE
from simcore.kernel import kernel

LEVELS = 7

#: Words of the first level that a verb has.
WHAT = {
    **dict.fromkeys(range(len(VERBS)), 1),
    ALLOCATE: TARGETS, SET_FACE: 32, BUY_LEVEL: 4, BUY_HIT: MOST_HITS, BUY_DISTORTION: MOST_CARDS, PLAY: MOST_CARDS,
    ABILITY: 2, COPY: 36, RAISE: 5, CLAIM: 4, SHIELD: 5, ATTACK: 20, VICTIM: 20, METALLUM_HIT: MOST_HITS,
    METALLUM_CANCEL: 5,
}  # fmt: skip

#: First word of each verb, then the end of the first level.
WHAT_START = np.cumsum([0, *(WHAT[verb] for verb in range(len(VERBS)))]).astype(np.int64)

#: Where the first word of most verbs stands in an action's id: ``_BASE + (id >> _SHIFT & _MASK)``; a table instead of
#: twenty comparisons, for this is asked of every legal action.
_BASE, _SHIFT, _MASK = WHAT_START[:-1].copy(), np.zeros(len(VERBS), np.int64), np.zeros(len(VERBS), np.int64)
for _verb in (SET_FACE, BUY_LEVEL, BUY_DISTORTION, RAISE, CLAIM, SHIELD, METALLUM_CANCEL):
    _MASK[_verb] = (1 << DETAIL_BITS) - 1
for _verb in (BUY_HIT, METALLUM_HIT, ABILITY):
    _SHIFT[_verb], _MASK[_verb] = TARGET_SHIFT, (1 << TARGET_BITS) - 1
for _verb in (BUY_HIT, METALLUM_HIT):
    _BASE[_verb] -= HIT
_SHIFT[PLAY], _MASK[PLAY] = ARGUMENT_BITS, (1 << (DETAIL_BITS - ARGUMENT_BITS)) - 1

#: First word of each level, and the number of words.
SIZES = (int(WHAT_START[-1]), 256, 33, 33, MULTISETS, 4, 256)
START = np.cumsum([0, *SIZES]).astype(np.int64)
WORDS = int(START[-1])

_NONE = np.int64(-1)
_PAIR_BASE = 33


@kernel
def word(state, rules, action, seat, level):
    """The word of a legal action of ``seat`` at ``level`` (0 to LEVELS - 1), -1 where it has none there."""
    if level == 0:
        return _what(state, action, seat)
    if level <= 3:
        part = _how(state, rules, action, seat, level)
        return part if part < 0 else START[level] + part
    verb = action >> VERB_SHIFT
    if verb not in (ALLOCATE, REROLL, ABILITY):
        return _NONE
    if level == 4:
        return START[4] + dice_of(action)
    if level == 5:
        return START[5] + virtual_of(action)
    return START[6] + borrowed_of(action)


@kernel
def _from(state, other, seat):
    """How many chairs ``other`` sits after ``seat``."""
    distance = np.int64(other) - seat
    return distance if distance >= 0 else distance + np.int64(state.seats)


@kernel
def _target(state, target, seat):
    """A target, Viking stages counted from ``seat``."""
    if VIKING_STAGE <= target < HIT:
        return VIKING_STAGE + _from(state, target - VIKING_STAGE, seat)
    return target


@kernel
def _what(state, action, seat):
    verb = action >> VERB_SHIFT
    if verb == ALLOCATE:
        return WHAT_START[verb] + _target(state, target_of(action), seat)
    if verb in (ATTACK, VICTIM):
        detail = detail_of(action)
        return WHAT_START[verb] + _from(state, detail // FACES, seat) * FACES + detail % FACES
    if verb == COPY:
        return WHAT_START[verb] + target_of(action) * 12 + detail_of(action)
    return _BASE[verb] + ((action >> _SHIFT[verb]) & _MASK[verb])


@kernel
def _how(state, rules, action, seat, level):
    """What an action needs besides, as a number at level 1 and, where one is not enough, at 2 and 3."""
    verb = action >> VERB_SHIFT
    if verb == PLAY:
        return _how_to_play(state, rules, action, seat, level)
    detail = detail_of(action)
    if verb == ABILITY:
        band = ability_band(state, rules, seat, target_of(action))
        if rules.ability_kind[band, target_of(action)] == TAKE:
            return _taken(state, detail + 1, seat, level)
    elif verb == ALLOCATE:
        if target_of(action) == JAM_SESSION:
            return _taken(state, detail, seat, level)
    elif verb not in (REROLL, BUY_HIT):
        return _NONE
    return detail if level == 1 else _NONE


@kernel
def _taken(state, detail, seat, level):
    """The die that is taken: 1 + its target (0: none) at level 1, its owner and face at level 2."""
    if level == 1:
        return np.int64(0) if detail == 0 else _target(state, (detail - 1) // 32, seat) + 1
    if level == 2 and detail > 0:
        which = (detail - 1) % 32
        return _from(state, which // FACES, seat) * FACES + which % FACES
    return _NONE


@kernel
def _how_to_play(state, rules, action, seat, level):
    """The argument of a card: a target, a number, or up to three pairs + 1, a level each."""
    argument = argument_of(action)
    kind = rules.effect_kind[rules.card_number[card_of(action)]]
    if kind == CHOOSE_FACES:
        if level == 1:
            return argument % _PAIR_BASE
        if level == 2:
            return argument // _PAIR_BASE % _PAIR_BASE
        return argument // (_PAIR_BASE * _PAIR_BASE)
    if level > 1:
        return _NONE
    return _target(state, argument, seat) if kind == CLEAR_SPACE else argument
