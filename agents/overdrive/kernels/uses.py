"""What dice may be used for now, and what each use brings.

A *use* is a target that is open now, with the dice it needs and its *bonus*: what its reward is worth more
than the same dice on Resources.  ``prepare_uses`` lists those with a bonus once a decision.

Places in ``params.value``: BONUS + use; BY_TARGET + 2 * target + way: worth of a target's reward; EACH: worth
of one die on Resources; HIGHEST: the greatest bonus.  Places in ``params.options[1].action``: USES: how many;
SMALLEST: dice of the smallest use; RIFFS, IMPROVISATIONS: free places; WILD: Skulls count as any face;
NEED + SLOT * use: the dice it needs (as a code, then as NIBBLES, then how many); RANKED + k: the use with the
k-th greatest bonus.
"""

from __future__ import annotations

import numpy as np

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
from overdrive_sim.kernels.gains import SLOT_A, SLOT_B, ability
from overdrive_sim.kernels.layout import (
    ACOUSTIC,
    APPEARANCE,
    FACES,
    FAME,
    FANS,
    GRANA,
    HIT,
    IMPROVISATION,
    INTERVIEW,
    MULTISETS,
    NEW_MEMBER,
    NEW_RIFF,
    OVERDRIVE,
    REHEARSAL,
    RESOURCES,
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

BONUS = 320
BY_TARGET = 400
EACH, HIGHEST = 500, 501
MEMO = 0
EMPTY = -1e9
KIND_A, KIND_B, USES, RIFFS, IMPROVISATIONS, SMALLEST, WILD = range(7)
NEED, SLOT, RANKED = 16, 4, 256
NIBBLES_AT, SIZE_AT = 1, 2
MOST_USES = 60

#: Board spaces whose reward is levels, in order.
_PLAIN = (APPEARANCE, INTERVIEW, REHEARSAL)


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
    note[NEED + SLOT * use + NIBBLES_AT] = nibbles
    note[NEED + SLOT * use + SIZE_AT] = size
    params.value[BONUS + use] = bonus
    params.value[HIGHEST] = max(params.value[HIGHEST], bonus)
    note[SMALLEST] = min(note[SMALLEST], size)
    note[USES] = use + 1
    _rank(params, use, bonus)


@kernel
def _rank(params, use, bonus):
    """Put a use, the last one listed, in its place among the RANKED ones."""
    note, value, k = params.options[1].action, params.value, use
    while k > 0 and value[BONUS + note[RANKED + k - 1]] < bonus:
        note[RANKED + k] = note[RANKED + k - 1]
        k -= 1
    note[RANKED + k] = use


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
        value[MEMO + number] = EMPTY
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
