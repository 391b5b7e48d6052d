"""What the dice in hand are still worth this turn: the best use of them on what is open.

A *use* is a target that is open now, with the dice it needs and the worth of its reward.  The worth of a
hand is that of its best use, allowing for New Riff and Improvisation on the way, plus what the other dice
bring: on a second use if one fits, as Resources otherwise.  ``prepare_uses`` lists the uses once a
decision; worths of hands are then remembered by the number of the multiset.

Places in ``params.value``: MEMO + multiset: worth of a hand (below ``UNKNOWN`` if not yet computed); REWARD + use: worth of
its reward; BY_TARGET + 2 * target + way: the same by target; EACH: worth of one die on Resources.
Places in ``params.options[1].action``: USES: how many; NEED + 8 * use: dice of each face, all dice, target;
RIFFS, IMPROVISATIONS: free places; SMALLEST: dice of the smallest use.
"""

from __future__ import annotations

import numpy as np

from agents.overdrive.kernels.chances import RESULT, RESULT_CHANCE, RESULT_START, SHOWS
from agents.overdrive.kernels.weights import (
    NO_HITS, NO_MANIPULATION, NO_MEMBERS, W_DIE, W_FAME, W_FANS, W_GRANA, W_HIT_SHARE, W_OVERDRIVE,
)  # fmt: skip
from agents.overdrive.kernels.worth import LEFT, levels_worth, price_worth, rivalry
from overdrive_sim.kernels.dice import CODE, COUNT, NUMBER, SIZE
from overdrive_sim.kernels.gains import SLOT_A, SLOT_B, ability
from overdrive_sim.kernels.layout import (
    ACOUSTIC, APPEARANCE, CODES, FACES, FAME, FANS, GRANA, HIT, HORNS, IMPROVISATION, INTERVIEW, MULTISETS,
    NEW_MEMBER, NEW_RIFF, OVERDRIVE, REHEARSAL, RESOURCES, SKULL, UNIT, VIKING_STAGE,
)  # fmt: skip
from overdrive_sim.kernels.rules import (
    EXTRA_FANS, EXTRA_GRANA, EXTRA_OVERDRIVE, FANS_GIVE_ANY, FANS_GIVE_FAME, NOTHING_CANCELLED,
    OVERDRIVE_GIVES_GRANA, STAGE,
)  # fmt: skip
from simcore.bits import lowest, popcount
from simcore.kernel import kernel

MEMO = 0
REWARD = 320
BY_TARGET = 400
EACH, HIGHEST = 500, 501
KIND_A, KIND_B, USES, RIFFS, IMPROVISATIONS, SMALLEST, WILD = range(7)
NEED, SLOT = 16, 8
_SIZE, _TARGET = 4, 5
MOST_USES = 60
UNKNOWN = -1e8
_EMPTY = -1e9

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
    owner = state.hit_owner[hit]
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
    return lost * rivalry(state, rules, params, seat, owner)


@kernel
def _add_use(rules, params, target, way, row, worth):
    """List a use: ``row`` names the dice it needs."""
    note = params.options[1].action
    use = note[USES]
    if use >= MOST_USES:
        return
    base = NEED + SLOT * use
    size = 0
    for face in range(FACES):
        note[base + face] = rules.need[row, face]
        size += rules.need[row, face]
    size += rules.need[row, FACES]
    note[base + _SIZE] = size
    note[base + _TARGET] = target
    params.value[REWARD + use] = worth
    params.value[BY_TARGET + 2 * target + way] = worth
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
                _add_use(rules, params, HIT + hit, way, rules.hit_row[hit, way, cancelled], worth)


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
    note[SMALLEST] = 9
    note[WILD] = me.skulls_wild
    value[EACH] = reward_worth(params, me, 0, 0, 1, 0)
    value[BY_TARGET + 2 * RESOURCES] = value[EACH]
    for space in _PLAIN:
        reward = rules.space_reward[space]
        worth = reward_worth(params, me, reward[FANS], reward[FAME], reward[GRANA], reward[OVERDRIVE])
        value[BY_TARGET + 2 * space] = worth
        if is_free(state, space) and rules.space_cost[space] <= me.grana:
            _add_use(rules, params, space, 0, rules.space_row[space], worth)
    if is_free(state, ACOUSTIC):
        best = reward_worth(params, me, 1, 0, 0, 0)
        best = max(best, reward_worth(params, me, 0, 1, 0, 0), reward_worth(params, me, 0, 0, 0, 1))
        _add_use(rules, params, ACOUSTIC, 0, rules.space_row[ACOUSTIC], best)
    if me.extra_dice < rules.extra_dice and me.grana >= rules.space_cost[NEW_MEMBER] and is_free(state, NEW_MEMBER):
        worth = die_worth(params) - price_worth(params, me, rules.space_cost[NEW_MEMBER])
        if not params.switch[0] & NO_MEMBERS:
            _add_use(rules, params, NEW_MEMBER, 0, rules.space_row[NEW_MEMBER], worth)
    if note[KIND_B] == STAGE and not state.full >> (VIKING_STAGE + seat) & 1:
        reward = rules.stage_reward
        worth = reward_worth(params, me, reward[FANS], reward[FAME], reward[GRANA], reward[OVERDRIVE])
        _add_use(rules, params, VIKING_STAGE + seat, 0, rules.stage_row, worth)
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
    best = 0.0
    for use in range(note[USES]):
        best = max(best, value[REWARD + use] - value[EACH] * note[NEED + SLOT * use + _SIZE])
    value[HIGHEST] = best


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
    if number < 0:
        return 6.0 * params.value[EACH]
    known = params.value[MEMO + number]
    if known > UNKNOWN:
        return known
    worth = _best_use(params, number)
    params.value[MEMO + number] = worth
    return worth


@kernel
def _best_use(params, number):
    """The best first use of a hand, changed dice allowed, plus what the others bring."""
    note, value = params.options[1].action, params.value
    h, s, c, i = COUNT[number, 0], COUNT[number, 1], COUNT[number, 2], COUNT[number, 3]
    n, each = SIZE[number], value[EACH]
    best = n * each
    for use in range(note[USES]):
        base = NEED + SLOT * use
        spare = n - note[base + _SIZE]
        if spare < 0:
            continue
        less_h, less_c, less_i = max(0, note[base] - h), max(0, note[base + 2] - c), max(0, note[base + 3] - i)
        less_s = max(0, note[base + 1] - s)
        changed = less_h + less_c + less_i
        if less_s == 0 and note[WILD] and s - note[base + 1] >= changed:
            changed = 0
            best = max(best, value[REWARD + use] + spare * each)
        elif less_s == 0 and changed == 0:
            if spare >= note[SMALLEST]:
                rest = _left_over(params, number, use)
                best = max(best, value[REWARD + use] + _second_use(params, rest, use))
            else:
                best = max(best, value[REWARD + use] + spare * each)
        elif less_s == 0 and changed <= spare and s - note[base + 1] >= changed:
            if less_c <= note[RIFFS] and less_h + less_i <= note[IMPROVISATIONS]:
                best = max(best, value[REWARD + use] + (spare - changed) * each)
    return best


@kernel
def _left_over(params, number, use):
    """Dice code of a hand after a use that it meets, the plainest spare dice filling the places for any face."""
    note = params.options[1].action
    base = NEED + SLOT * use
    code, any_face = np.int64(CODE[number]), note[base + _SIZE]
    for face in range(FACES):
        code -= note[base + face] * UNIT[face]
        any_face -= note[base + face]
    for face in _SPARE_ORDER:
        used = min(any_face, code // UNIT[face] % 7)
        code -= used * UNIT[face]
        any_face -= used
    return code


@kernel
def _second_use(params, code, first):
    """Worth of a hand by one use other than ``first`` without changed dice, the others as Resources."""
    note, value = params.options[1].action, params.value
    number = NUMBER[code]
    h, s, c, i = COUNT[number, 0], COUNT[number, 1], COUNT[number, 2], COUNT[number, 3]
    n, each = SIZE[number], value[EACH]
    best = n * each
    for use in range(note[USES]):
        base = NEED + SLOT * use
        if use != first and note[base + _SIZE] <= n and note[base] <= h and note[base + 1] <= s:
            if note[base + 2] <= c and note[base + 3] <= i:
                best = max(best, value[REWARD + use] + (n - note[base + _SIZE]) * each)
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
def dice_to_throw(params, own, base):
    """Dice code of the own dice (code ``own``, part of the hand ``base``) that a re-roll should throw again.

    For each use: keep what it needs, throw the rest; the use with the best chance times reward decides.
    0 when no use asks for one.
    """
    note, value = params.options[1].action, params.value
    number = NUMBER[own]
    n = SIZE[NUMBER[base]] if number_of(base) >= 0 else 6
    best, chosen = 0.0, np.int64(0)
    for use in range(note[USES]):
        place = NEED + SLOT * use
        if note[place + _SIZE] > n:
            continue
        missing, kept = 0, 0
        for face in range(FACES):
            held, need = base // UNIT[face] % 7, note[place + face]
            mine = COUNT[number, face]
            missing += max(0, need - held) * UNIT[face]
            kept += min(mine, max(0, need - (held - mine))) * UNIT[face]
        thrown = own - kept
        if missing == 0 or thrown == 0:
            continue
        chance = SHOWS[NUMBER[missing], SIZE[NUMBER[thrown]]]
        gain = chance * (value[REWARD + use] - value[EACH] * note[place + _SIZE])
        if gain > best:
            best, chosen = gain, thrown
    return chosen


@kernel
def fit_worth(params, code, row_need, size, worth):
    """Worth of using a hand on something that needs these dice: its reward and Resources, or 0 if it does not fit."""
    number = number_of(code)
    if number < 0 or size > SIZE[number]:
        return 0.0
    for face in range(FACES):
        if COUNT[number, face] < row_need[face]:
            return 0.0
    return worth + (SIZE[number] - size) * params.value[EACH]
