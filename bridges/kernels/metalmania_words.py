"""Metal Mania's actions in words: every action is one word, an index with one meaning.

Seats are counted from the seat that acts: 0 itself, 1 the next one.  A placement is named by the order of the
dice, not by their values: 144 words say what 9,072 would, and a word means the same at every throw (such as "the
lowest die to the guitar, ...").
"""

from __future__ import annotations

import numpy as np

from metalmania_sim.kernels.actions import (
    artist_of,
    detail_of,
    die_changed,
    die_placed,
    fame_effect,
    instrument_of,
    new_die,
    position_of,
    seat_of,
    value_of,
)  # fmt: skip
from metalmania_sim.kernels.layout import (
    ARTISTS,
    ASSIGN,
    AUDITION,
    BASIC,
    COMPANIES,
    COMPANY,
    DRINK,
    HEAL,
    HIRE,
    INSTRUMENTS,
    MOST_DICE,
    MOST_LEVEL,
    PLACE,
    SEATS,
    SHIFT,
    TROUBLE,
    UNPAID,
    USE_ADVERTISING,
    USE_PERFORMANCE,
    USE_RECORDING,
    VERB_SHIFT,
    VERBS,
    VICTIM,
)  # fmt: skip
from simcore.kernel import kernel

LEVELS = 1
CHANGES = 2 * MOST_LEVEL + 1
ORDERS_OF_FIVE = 120
_HIRES = ARTISTS * len(INSTRUMENTS)
_KINDS = len(INSTRUMENTS)

#: Words that a verb has.
WHAT = {
    **dict.fromkeys(range(len(VERBS)), 1),
    SHIFT: 2, VICTIM: SEATS, TROUBLE: SEATS * 8, HEAL: 5, DRINK: SEATS, HIRE: _HIRES, PLACE: ORDERS_OF_FIVE + 24,
    USE_PERFORMANCE: CHANGES, USE_RECORDING: 1 << MOST_DICE, USE_ADVERTISING: MOST_DICE * CHANGES,
    AUDITION: _HIRES, UNPAID: 32, COMPANY: COMPANIES, ASSIGN: _HIRES,
}  # fmt: skip

#: First word of each verb, then the number of words.
WHAT_START = np.cumsum([0, *(WHAT[verb] for verb in range(len(VERBS)))]).astype(np.int64)
SIZES = (int(WHAT_START[-1]),)
WORDS = int(WHAT_START[-1])


@kernel
def word(state, rules, action, seat, level):
    """The word of a legal action of ``seat``; ``level`` is 0."""
    verb = action >> VERB_SHIFT
    first = WHAT_START[verb]
    detail = detail_of(action)
    if verb == PLACE:
        return first + _order(state, action)
    if verb in (AUDITION, HIRE, ASSIGN):
        return first + artist_of(action) * _KINDS + instrument_of(action)
    if verb == USE_ADVERTISING:
        which = die_changed(action)
        change = value_of(new_die(action)) - value_of(np.int64(state.dice[which]))
        return first + which * CHANGES + change + MOST_LEVEL
    if verb == USE_PERFORMANCE:
        return first + fame_effect(action) + MOST_LEVEL
    if verb in (VICTIM, DRINK):
        return first + _from(state, detail, seat)
    if verb == TROUBLE:
        return first + _from(state, seat_of(action), seat) * 8 + position_of(action)
    if verb in (SHIFT, HEAL, USE_RECORDING, UNPAID, COMPANY):
        return first + detail
    return first


@kernel
def _from(state, other, seat):
    """How many chairs ``other`` sits after ``seat``."""
    distance = other - seat
    return distance if distance >= 0 else distance + np.int64(state.players)


@kernel
def _order(state, action):
    """Lehmer code of the dice by position (which of those left, ascending, lies there), four dice behind five."""
    count = np.int64(state.dice_count)
    left = (np.int64(1) << count) - 1
    code = np.int64(0)
    for position in range(count):
        die = die_placed(action, position)
        rank = np.int64(0)
        for k in range(count):
            if left >> k & 1:
                if np.int64(state.dice[k]) == die:
                    left &= ~(np.int64(1) << k)
                    break
                rank += 1
        code = code * (count - position) + rank
    return code if count > BASIC else code + ORDERS_OF_FIVE
