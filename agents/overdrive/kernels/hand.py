"""What the dice in hand are still worth this turn: the best use of them on what is open.

A *use* is a target that is open now, with the dice it needs and its *bonus*: what its reward is worth more
than the same dice on Resources.  A hand is worth its dice on Resources, plus the bonus of its best use,
allowing for New Riff and Improvisation on the way, plus that of a second use if one fits.
``prepare_uses`` lists the uses once a decision; worths of hands are remembered by their multiset.

Places in ``params.value``: MEMO + multiset: worth of a hand; BONUS + use; BY_TARGET + 2 * target + way:
worth of a target's reward; EACH: worth of one die on Resources; HIGHEST: the greatest bonus.
Places in ``params.options[1].action``: USES: how many; SMALLEST: dice of the smallest use; RIFFS,
IMPROVISATIONS: free places; WILD: Skulls count as any face; NEED + 4 * use: the dice it needs (as a code,
as NIBBLES, how many).
"""

from __future__ import annotations

import numpy as np

from agents.overdrive.kernels.chances import GUARD, NIBBLES, RESULT, RESULT_CHANCE, RESULT_START, SHOWS
from agents.overdrive.kernels.weights import (
    NO_HITS,
    NO_MANIPULATION,
    NO_MEMBERS,
    W_DIE,
    W_FAME,
    W_FANS,
    W_GRANA,
    W_OVERDRIVE,
)  # fmt: skip
from agents.overdrive.kernels.worth import LEFT, RIVALRY, levels_worth, price_worth
from overdrive_sim.kernels.dice import CODE, COUNT, NUMBER, SIZE
from overdrive_sim.kernels.gains import SLOT_A, SLOT_B, ability
from overdrive_sim.kernels.layout import (
    ACOUSTIC,
    APPEARANCE,
    CHORD,
    CODES,
    FACES,
    FAME,
    FANS,
    GRANA,
    HIT,
    HORNS,
    IMPROVISATION,
    INFLUENCE,
    INTERVIEW,
    MULTISETS,
    NEW_MEMBER,
    NEW_RIFF,
    OVERDRIVE,
    REHEARSAL,
    RESOURCES,
    SKULL,
    UNIT,
    VIKING_STAGE,
)  # fmt: skip
from overdrive_sim.kernels.rules import (
    EXTRA_FANS,
    EXTRA_GRANA,
    EXTRA_OVERDRIVE,
    FANS_GIVE_ANY,
    FANS_GIVE_FAME,
    NOTHING_CANCELLED,
    OVERDRIVE_GIVES_GRANA,
    STAGE,
)  # fmt: skip
from simcore.bits import lowest, popcount
from simcore.kernel import kernel

MEMO = 0
BONUS = 320
BY_TARGET = 400
EACH, HIGHEST = 500, 501
REACH = 520
KIND_A, KIND_B, USES, RIFFS, IMPROVISATIONS, SMALLEST, WILD = range(7)
NEED, SLOT = 16, 4
_NIBBLES, _SIZE = 1, 2
MOST_USES = 60

#: The chance of one use alone understates a re-roll, which may show another: by this much at most.
HOPE = 1.6
_UNKNOWN, _EMPTY = -1e8, -1e9

#: Board spaces whose reward is levels, in order.
_PLAIN = (APPEARANCE, INTERVIEW, REHEARSAL)

#: Order in which a die that may show any face is taken from what is left over.
_SPARE_ORDER = (2, 1, 3, 0)


@kernel
def reward_worth(params, me, fans, fame, grana, overdrive):
    """Worth of gaining these levels in one allocation, the band's passives included."""
    note, worth = params.options[1].action, 0.0
    if fans > 0:
        extra = 1 if note[KIND_B] == EXTRA_FANS else 0
        worth += levels_worth(params, FANS, fans + extra)
        if note[KIND_B] == FANS_GIVE_FAME and not me.abilities_used >> SLOT_B & 1:
            worth += levels_worth(params, FAME, 1)
        elif note[KIND_B] == FANS_GIVE_ANY:
            worth += max(
                levels_worth(params, FAME, 1), levels_worth(params, OVERDRIVE, 1), levels_worth(params, GRANA, 1)
            )
    if fame > 0:
        worth += levels_worth(params, FAME, fame)
    if overdrive > 0:
        extra = 1 if note[KIND_B] == EXTRA_OVERDRIVE else 0
        worth += levels_worth(params, OVERDRIVE, overdrive + extra)
        if note[KIND_B] == OVERDRIVE_GIVES_GRANA:
            grana += overdrive
    if grana > 0:
        extra = 1 if note[KIND_A] == EXTRA_GRANA else 0
        worth += levels_worth(params, GRANA, grana + extra)
    return worth


@kernel
def die_worth(params):
    """Worth of one more die from the next turn on, with this turn's roll counted as half a turn."""
    return params.number[W_DIE] * (params.value[LEFT] + 0.5)


@kernel
def share_cost(state, rules, params, seat, hit, way):
    """What it costs ``seat`` that the owner of a Hit gains its share (R-HIT-10, R-HIT-11)."""
    owner = np.int64(state.hit_owner[hit])
    if owner < 0 or owner == seat:
        return 0.0
    number, lost = params.number, 0.0
    for track in range(4):
        printed = rules.hit_reward[hit, way, track]
        if printed > 0:
            each = number[W_GRANA]
            if track == FANS:
                each = number[W_FANS]
            elif track == FAME:
                each = number[W_FAME]
            elif track == OVERDRIVE:
                each = 0.5 * number[W_OVERDRIVE]
            lost += each * max(rules.least_share, printed - 1)
    return lost * params.value[RIVALRY + owner]


@kernel
def _add_use(rules, params, row, worth):
    """List a use that beats Resources; ``row`` names the dice it needs."""
    note = params.options[1].action
    use = note[USES]
    size, code, nibbles = np.int64(rules.need[row, FACES]), np.int64(0), np.int64(0)
    for face in range(FACES):
        need = np.int64(rules.need[row, face])
        size += need
        code += need * UNIT[face]
        nibbles |= need << (4 * face)
    bonus = worth - size * params.value[EACH]
    if bonus <= 0.0 or use >= MOST_USES:
        return
    note[NEED + SLOT * use] = code
    note[NEED + SLOT * use + _NIBBLES] = nibbles
    note[NEED + SLOT * use + _SIZE] = size
    params.value[BONUS + use] = bonus
    params.value[HIGHEST] = max(params.value[HIGHEST], bonus)
    note[SMALLEST] = min(note[SMALLEST], size)
    note[USES] = use + 1


@kernel
def _add_hits(state, rules, params, seat, hits):
    """List the Hits of ``hits`` (bits) that dice may lie on."""
    me = state.seat[seat]
    while hits != 0:
        hit = lowest(hits)
        hits &= hits - 1
        cancelled = (
            state.cancelled[hit] if state.hit_owner[hit] >= 0 and state.cancelled[hit] >= 0 else NOTHING_CANCELLED
        )
        for way in range(rules.hit_ways[hit]):
            reward = rules.hit_reward[hit, way]
            worth = reward_worth(params, me, reward[FANS], reward[FAME], reward[GRANA], reward[OVERDRIVE])
            worth -= share_cost(state, rules, params, seat, hit, way)
            params.value[BY_TARGET + 2 * (HIT + hit) + way] = worth
            if not state.full >> (HIT + hit) & 1:
                _add_use(rules, params, rules.hit_row[hit, way, cancelled], worth)


@kernel
def is_free(state, target):
    """Whether a board space is open and has a free place."""
    return not (state.closed >> target & 1 or state.full >> target & 1)


@kernel
def prepare_uses(state, rules, params, seat):
    """List what the dice of ``seat`` may be used for now, and forget remembered hands."""
    me, value, note = state.seat[seat], params.value, params.options[1].action
    for number in range(MULTISETS):
        value[MEMO + number] = _EMPTY
    note[KIND_A] = ability(state, rules, seat, SLOT_A)
    note[KIND_B] = ability(state, rules, seat, SLOT_B)
    note[USES] = 0
    value[HIGHEST] = 0.0
    note[SMALLEST] = 9
    note[WILD] = me.skulls_wild
    value[EACH] = reward_worth(params, me, 0, 0, 1, 0)
    value[BY_TARGET + 2 * RESOURCES] = value[EACH]
    for space in _PLAIN:
        reward = rules.space_reward[space]
        worth = reward_worth(params, me, reward[FANS], reward[FAME], reward[GRANA], reward[OVERDRIVE])
        value[BY_TARGET + 2 * space] = worth
        if is_free(state, space) and rules.space_cost[space] <= me.grana:
            _add_use(rules, params, rules.space_row[space], worth)
    if is_free(state, ACOUSTIC):
        best = reward_worth(params, me, 1, 0, 0, 0)
        best = max(best, reward_worth(params, me, 0, 1, 0, 0), reward_worth(params, me, 0, 0, 0, 1))
        _add_use(rules, params, rules.space_row[ACOUSTIC], best)
    if me.extra_dice < rules.extra_dice and me.grana >= rules.space_cost[NEW_MEMBER] and is_free(state, NEW_MEMBER):
        worth = die_worth(params) - price_worth(params, me, rules.space_cost[NEW_MEMBER])
        if not params.switch[0] & NO_MEMBERS:
            _add_use(rules, params, rules.space_row[NEW_MEMBER], worth)
    if note[KIND_B] == STAGE and not state.full >> (VIKING_STAGE + seat) & 1:
        reward = rules.stage_reward
        worth = reward_worth(params, me, reward[FANS], reward[FAME], reward[GRANA], reward[OVERDRIVE])
        params.value[BY_TARGET + 2 * (VIKING_STAGE + seat)] = worth
        _add_use(rules, params, rules.stage_row, worth)
    hits = np.int64(0)
    for k in range(3):
        if state.hit_row[k] >= 0:
            hits |= np.int64(1) << np.int64(state.hit_row[k])
    for other in range(state.seats):
        hits |= np.int64(state.seat[other].hits)
    if not params.switch[0] & NO_HITS:
        _add_hits(state, rules, params, seat, hits)
    note[RIFFS] = _free_places(state, rules, params, NEW_RIFF)
    note[IMPROVISATIONS] = _free_places(state, rules, params, IMPROVISATION)


@kernel
def _free_places(state, rules, params, space):
    """Places of a space that are free for a Skull that changes a die."""
    if params.switch[0] & NO_MANIPULATION or state.closed >> space & 1:
        return np.int64(0)
    return rules.space_places[space] - popcount(np.int64(state.busy[space]))


# ------------------------------------------------------------------ hands
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
    for use in range(note[USES]):
        bonus = value[BONUS + use]
        place = NEED + SLOT * use
        spare = n - note[place + _SIZE]
        if spare < 0 or (bonus <= best and spare < note[SMALLEST]):
            continue
        if (hand - note[place + _NIBBLES]) & GUARD == GUARD:
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
    any_face = note[place + _SIZE] - SIZE[NUMBER[note[place]]]
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
    hand, n, best = NIBBLES[number] | GUARD, SIZE[number], 0.0
    for use in range(note[USES]):
        place = NEED + SLOT * use
        if value[BONUS + use] > best and use != first and note[place + _SIZE] <= n:
            if (hand - note[place + _NIBBLES]) & GUARD == GUARD:
                best = value[BONUS + use]
    return best


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
        if note[place + _SIZE] > SIZE[hand] or value[BONUS + use] <= best:
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
        if note[place + _SIZE] > n:
            continue
        code = note[place]
        short = max(0, code % 7 - COUNT[number, HORNS]) + max(0, code // 7 % 7 - COUNT[number, SKULL])
        short += max(0, code // 49 % 7 - COUNT[number, CHORD]) + max(0, code // 343 % 7 - COUNT[number, INFLUENCE])
        # New Riff and Improvisation may change more on the way.
        short -= min(note[RIFFS] + note[IMPROVISATIONS], n - note[place + _SIZE], COUNT[number, SKULL])
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
        if note[place + _SIZE] <= SIZE[number] and COUNT[number, SKULL] - code // 7 % 7 >= short:
            best = max(best, SIZE[number] * params.value[EACH] + params.value[BONUS + use])
    return best
