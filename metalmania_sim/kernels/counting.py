"""Legal actions without a list: how many there are, and the one at a given place among them (decision 5).

``count`` leaves notes for ``pick`` where the legal list would stand.  KIND says how the action is found, so that
``pick`` need not ask for the stage once more: nearly every second time it is worked out without a branch.

| kind | actions | notes |
|---|---|---|
| LINE | BASE + STRIDE a place, one place left out at GAP; at LAST the action OTHER | all of these |
| HIRES | BASE + artist and instrument; then the verbs from OTHER on | BASE, OTHER, ARTISTS that can be paid (bits) |
| DICE | MOST sets from ROW of ``dice.SETS``; faces; ``skip`` | MOST, ROW, TURN (strength), SAME (dice) |
| WAYS | BASE + ROW of ``dice.ARRANGED`` | BASE, ROW |
| SETS | BASE + entry in ROW of ``wages.SETS`` | BASE, ROW |
| BITS | BASE + number of a bit of ARTISTS | BASE, ARTISTS |
"""

from __future__ import annotations

import numpy as np

from metalmania_sim.kernels import actions, audition, bonuses, dice, events, wages
from metalmania_sim.kernels.layout import (
    ADVERTISE,
    ADVERTISING,
    AUDITION,
    CHOOSE_ACTION,
    CHOOSE_COMPANY,
    CHOOSE_DRINK,
    CHOOSE_HEAL,
    CHOOSE_HIRE,
    CHOOSE_SHIFT,
    CHOOSE_STEP4,
    CHOOSE_TROUBLE,
    CHOOSE_UNPAID,
    CHOOSE_VICTIM,
    COMPANY,
    DECLINE,
    DRINK,
    FUNDS,
    HEAL,
    HIRE,
    INSTRUMENTS,
    KEEP,
    NOBODY,
    PERFORM,
    PERFORMANCE,
    PLACE_DICE,
    RECORDING,
    RESPOND_DICE,
    RESPOND_FAME,
    SHIFT,
    SKIP,
    TROUBLE,
    UNPAID,
    USE_PERFORMANCE,
    USE_RECORDING,
    VERB_SHIFT,
    VICTIM,
)  # fmt: skip
from metalmania_sim.kernels.rules import TRUE
from simcore.bits import index, lowest, nth, popcount
from simcore.kernel import kernel

LINE, HIRES, DICE, WAYS, SETS, BITS = range(6)

#: Where the notes stand.
KIND, BASE, STRIDE, GAP, LAST, OTHER, MOST, ROW, ARTISTS, TURN, SAME = range(11)

UNKNOWN = np.int64(-1)

_NEVER = 0  # option reassign: otherwise the moves of the own band may be in the list
_EXACT = 1  # option bonus_amount
_NOWHERE = 1 << 30  # a gap behind every list
_NEXT_VERB = 1 << VERB_SHIFT


# ------------------------------------------------------------------ how many
@kernel
def count(state, rules, out):
    """How many actions ``legal`` would list, with notes for ``pick`` to ``out``; UNKNOWN where only the list tells."""
    stage = state.stage
    if stage == RESPOND_DICE:
        return _count_dice(state, rules, out)
    if stage == RESPOND_FAME:
        return _count_fame(state, rules, out)
    if stage == PLACE_DICE:
        return _count_placements(state, out)
    if stage == CHOOSE_UNPAID:
        return _count_unpaid(state, rules, out)
    if stage == CHOOSE_STEP4:
        return _count_step4(state, rules, out)
    if stage == CHOOSE_SHIFT:
        return _count_shifts(state, rules, out)
    if stage == CHOOSE_ACTION:
        return _count_actions(rules, out)
    if stage == CHOOSE_HIRE:
        return _count_free_hires(state, rules, out)
    return _count_rarely(state, rules, out, stage)


@kernel
def _count_step4(state, rules, out):
    """Auditions, ``funds``, ``beers``; with the moves of the own band where they are free."""
    if rules.option.reassign != _NEVER:
        return UNKNOWN
    return _count_hires(state, rules, out, AUDITION, FUNDS) + 2


@kernel
def _count_shifts(state, rules, out):
    """Shifts, ``keep``; with the moves of the own band where they are free."""
    if rules.option.reassign != _NEVER:
        return UNKNOWN
    down, up = events.shifts(state, rules)
    _line(out, actions.pack(SHIFT, 1 - down), 1, _NOWHERE)
    return _and_last(out, down + up, actions.pack(KEEP, 0))


@kernel
def _count_actions(rules, out):
    """The three actions; with the moves of the own band where they are free."""
    if rules.option.reassign != _NEVER:
        return UNKNOWN
    _line(out, actions.pack(PERFORM, 0), _NEXT_VERB, _NOWHERE)
    return np.int64(ADVERTISE - PERFORM + 1)


@kernel
def _count_free_hires(state, rules, out):
    """Hires of event 7, ``decline``; with the moves of the own band where they are free."""
    if rules.option.reassign != _NEVER:
        return UNKNOWN
    n = _count_hires(state, rules, out, HIRE, DECLINE)
    return n + int(rules.option.event7 == 0 or n == 0)


@kernel
def _line(out, base, stride, gap):
    """Note actions from ``base`` on, one every ``stride``, without the one at ``gap``."""
    notes = out.action
    notes[KIND] = LINE
    notes[BASE] = base
    notes[STRIDE] = stride
    notes[GAP] = gap
    notes[LAST] = _NOWHERE


@kernel
def _and_last(out, n, other):
    """Note another action behind ``n`` in a line; returns how many these are."""
    out.action[LAST] = n
    out.action[OTHER] = other
    return n + 1


@kernel
def _count_rarely(state, rules, out, stage):
    if stage == CHOOSE_VICTIM:
        is_spared = rules.option.event_target == 0
        _line(out, actions.pack(VICTIM, 0), 1, int(state.turn) if is_spared else _NOWHERE)
        return int(state.players) - int(is_spared)
    if stage == CHOOSE_DRINK:
        _line(out, actions.pack(DRINK, 0), 1, int(state.turn))
        return int(state.players) - 1
    if stage == CHOOSE_TROUBLE:
        return _bits(out, actions.pack(TROUBLE, 0), _all_troubled(state, rules))
    if stage == CHOOSE_HEAL:
        return _bits(out, actions.pack(HEAL, 0), events.healed(state))
    if stage == CHOOSE_COMPANY:
        return _bits(out, actions.pack(COMPANY, 0), int(state.companies))
    return UNKNOWN


@kernel
def _bits(out, base, bits):
    """Note one action a bit; returns how many."""
    out.action[KIND] = BITS
    out.action[BASE] = base
    out.action[ARTISTS] = bits
    return popcount(bits)


@kernel
def _count_dice(state, rules, out):
    """Sets of dice to roll again, faces to turn dice to, ``skip``."""
    option = rules.option
    if option.bonus_amount == _EXACT or option.die_bounds != 0 or option.judge != 0:
        return UNKNOWN
    seat, n = int(state.asked), 1
    most_again = min(bonuses.strength(state, rules, seat, RECORDING), int(state.dice_count))
    most_changed = bonuses.strength(state, rules, seat, ADVERTISING)
    same = dice.same_as_before(state)
    out.action[KIND] = DICE
    out.action[MOST] = 0
    out.action[TURN] = most_changed
    out.action[SAME] = same
    if most_again > 0:
        row = dice.set_row(state, same, most_again)
        start = int(dice.SET_START[index(row)])
        sets = int(dice.SET_START[index(row + 1)]) - start
        out.action[ROW] = start
        out.action[MOST] = sets
        n += sets
    if most_changed > 0:
        for i in range(int(state.dice_count)):
            n += _faces(state, same, most_changed, i)
    return n


@kernel
def _faces(state, same, most, i):
    """Number of faces that die ``i`` can be turned to."""
    row = dice.SIDES * (most - 1) - 1 + int(state.dice[i])
    return int(dice.FACE_COUNT[index(row)]) * (1 - ((same >> i) & 1))


@kernel
def _count_fame(state, rules, out):
    """Effects on a fame, ``skip``."""
    if rules.option.bonus_amount == _EXACT:
        return UNKNOWN
    most = bonuses.strength(state, rules, int(state.asked), PERFORMANCE)
    _line(out, actions.pack(USE_PERFORMANCE, actions.SIGN_OFFSET - most), 1, most)
    return _and_last(out, 2 * most, actions.pack(SKIP, 0))


@kernel
def _count_placements(state, out):
    """Ways to place dice that show 1 to 6."""
    code, is_usual = dice.code_of(state)
    if not is_usual:
        return UNKNOWN
    start = int(dice.WAY_START[index(code)])
    out.action[KIND] = WAYS
    out.action[BASE] = dice.any_place(state)
    out.action[ROW] = start
    return int(dice.WAY_START[index(code + 1)]) - start


@kernel
def _count_unpaid(state, rules, out):
    """Sets of as few unpaid artists as possible."""
    if rules.option.voluntary_nonpayment == TRUE:
        return UNKNOWN
    row = wages.set_row(state, rules)
    out.action[KIND] = SETS
    out.action[BASE] = actions.pack(UNPAID, 0)
    out.action[ROW] = row
    return int(wages.SET_COUNT[index(row)])


@kernel
def _count_hires(state, rules, out, verb, other):
    """Hires of the artists of the display that can be paid; behind them stand the verbs from ``other`` on."""
    artists = audition.within_reach(state, rules, verb)
    notes = out.action
    notes[KIND] = HIRES
    notes[BASE] = actions.pack(verb, 0)
    notes[OTHER] = actions.pack(other, 0)
    notes[ARTISTS] = artists
    n = 0
    for instrument in range(len(INSTRUMENTS)):
        n += popcount(artists & int(rules.players[instrument]))
    unwanted = audition.part_closed(state.seat[index(state.turn)], rules)
    if unwanted != NOBODY:
        n -= popcount(artists & int(rules.players[index(unwanted)]))
    return n


@kernel
def _all_troubled(state, rules):
    """Artists that event 6 may hit, as bits 8 * seat + position."""
    bits = 0
    for seat in range(int(state.players)):
        bits |= events.troubled(state, rules, seat) << (8 * seat)
    return bits


# ------------------------------------------------------------------ which one
@kernel
def pick(state, rules, out, k):
    """The ``k``-th action of the list that ``count`` has just counted with ``out``."""
    notes = out.action
    kind = notes[KIND]
    if kind == LINE:
        usual = notes[BASE] + (k + int(k >= notes[GAP])) * notes[STRIDE]
        return usual + int(k == notes[LAST]) * (notes[OTHER] - usual)
    if kind == HIRES:
        return _pick_hire(state, rules, out, k)
    if kind == DICE:
        return _pick_dice(state, out, k)
    if kind == WAYS:
        return notes[BASE] + dice.arranged(notes[ROW] + k)
    if kind == SETS:
        return notes[BASE] + int(wages.SETS[index(notes[ROW]), index(k)])
    return notes[BASE] + nth(notes[ARTISTS], k)


@kernel
def _pick_hire(state, rules, out, k):
    """A hire, or what stands behind the hires."""
    artists = out.action[ARTISTS]
    parts = audition.parts_wanted(state.seat[index(state.turn)], rules)
    while artists != 0:
        artist = lowest(artists)
        plays = int(rules.plays[index(artist)]) & parts
        n = popcount(plays)
        if k < n:
            return out.action[BASE] + artist * 8 + nth(plays, k)
        k -= n
        artists &= artists - 1
    return out.action[OTHER] + k * _NEXT_VERB


@kernel
def _pick_dice(state, out, k):
    """A set of dice to roll again, a die to turn, or ``skip``."""
    if k < out.action[MOST]:
        return actions.pack(USE_RECORDING, int(dice.SETS[index(out.action[ROW] + k)]))
    k -= out.action[MOST]
    most = out.action[TURN]
    if most > 0:
        same = out.action[SAME]
        for i in range(int(state.dice_count)):
            n = _faces(state, same, most, i)
            if k < n:
                row = dice.SIDES * (most - 1) - 1 + int(state.dice[i])
                return bonuses.turn_to(i, int(dice.FACES[index(row), index(k)]))
            k -= n
    return actions.pack(SKIP, 0)
