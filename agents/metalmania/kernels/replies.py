"""Dice that lie on the table: their placement, and what an equalizer bonus would do to them or to a fame.

``read_throw`` looks at the pending dice once a decision.  Places in ``params.value``: FACE + 8 * artist + d:
what an artist makes of a d; HITS + 8 * artist + d: whether it hits; AGAIN + k: expected gain of rolling die
k again; SIXES + s: worth of s sixes of a Beers throw; LEVEL: worth of a level in the pending throw.  Places
in ``params.options[1].action``: ON + artist: its die in the best placement; OF + die: its artist; SAME_DICE,
NEEDED, HELD (hits of the best placement), COUNT.
"""

from __future__ import annotations

from agents.metalmania.kernels.matching import COUNTS, GAIN, judge, match, trace_back
from agents.metalmania.kernels.outlook import URGENT, level_worth, step_cost
from agents.metalmania.kernels.weights import V_ATTACK, V_INACTIVE, V_MONEY, V_TROUBLE
from metalmania_sim.kernels.actions import (
    detail_of,
    die_changed,
    fame_effect,
    new_die,
    pack,
    value_of,
    verb_of,
)  # fmt: skip
from metalmania_sim.kernels.band import characteristic
from metalmania_sim.kernels.layout import (
    ACTION_THROW,
    ACTIVE,
    BAND,
    BEERS_THROW,
    DIE_BITS,
    DIE_OFFSET,
    FUNDS_THROW,
    INACTIVE,
    NOBODY,
    PLACE,
    USE_ADVERTISING,
    USE_RECORDING,
)  # fmt: skip
from simcore.bits import popcount
from simcore.kernel import kernel

FACE, HITS, AGAIN, SIXES, LEVEL = 300, 348, 400, 408, 412
ON, OF, SAME_DICE, NEEDED, HELD, COUNT = 16, 24, 32, 33, 34, 35

#: Nothing of this throw is worth a bonus.
IDLE = -1e11
_LEAST = 0.05
_SPARE = 7


@kernel
def owner_of(state):
    """Seat that the pending dice belong to."""
    if state.throw_kind == BEERS_THROW:
        return int(state.drinker[state.drink_index])
    return int(state.turn)


@kernel
def is_leader(state, seat, owner):
    """Whether no rival of ``seat`` has more fame than ``owner``."""
    for other in range(state.players):
        if other != seat and state.seat[other].fame > state.seat[owner].fame:
            return False
    return True


@kernel
def read_throw(state, rules, params, seat):
    """Worth of the pending dice for their owner; IDLE when ``seat`` has no reason to change them."""
    owner = owner_of(state)
    if owner != seat and (params.number[V_ATTACK] > 90.0 or not is_leader(state, seat, owner)):
        return IDLE
    if state.throw_kind == ACTION_THROW:
        now = read_action(state, rules, params, owner)
        expect_again(params)
        return now
    if state.throw_kind == BEERS_THROW:
        return read_beers(state, rules, params)
    if state.throw_kind == FUNDS_THROW and owner == seat:
        return params.number[V_MONEY] * value_of(int(state.dice[0]))
    return IDLE


@kernel
def response_worth(state, rules, params, seat, action, now, best):
    """Gain of changing the pending dice, own ones for the better, the leader's for the worse.

    A change that cannot exceed ``best`` is not looked at closely.
    """
    verb = verb_of(action)
    if verb not in (USE_ADVERTISING, USE_RECORDING):
        return 0.0
    sign, least = 1.0, _LEAST
    if owner_of(state) != seat:
        sign, least = -1.0, params.number[V_ATTACK]
    if state.throw_kind == ACTION_THROW:
        if verb == USE_RECORDING:
            gain = 0.0
            for k in range(state.dice_count):
                if detail_of(action) >> k & 1:
                    gain += params.value[AGAIN + k]
            return sign * gain - least
        return (
            changed_die(state, params, die_changed(action), value_of(new_die(action)), now, sign, best + least) - least
        )
    if state.throw_kind == BEERS_THROW:
        return sign * beers_gain(state, params, action) - least
    if verb == USE_ADVERTISING:
        return params.number[V_MONEY] * value_of(new_die(action)) - now - least
    return params.number[V_MONEY] * 3.5 - now - least


# ------------------------------------------------------------------ action throws
@kernel
def read_action(state, rules, params, owner):
    """Judge the pending dice on the band of ``owner`` and place them best; returns their worth."""
    me, value, note = state.seat[owner], params.value, params.options[1].action
    trouble, inactive = params.number[V_TROUBLE], params.number[V_INACTIVE]
    if value[URGENT] > 0.0:
        trouble, inactive = 0.0, 0.0
    n, artist = int(state.dice_count), 0
    for position in range(BAND):
        if me.artist[position] == NOBODY or artist >= n:
            continue
        c, condition = characteristic(me, rules, position, int(state.equalizer)), int(me.condition[position])
        for face in range(1, 7):
            judge(params, artist, _SPARE, face, c, condition, trouble, inactive)
            value[FACE + 8 * artist + face] = value[GAIN + 8 * artist + _SPARE]
            value[HITS + 8 * artist + face] = value[COUNTS + 8 * artist + _SPARE]
        artist += 1
    note[SAME_DICE] = 0
    for k in range(n):
        show(params, n, k, shown(state, k))
        if k > 0 and state.dice[k] == state.dice[k - 1]:
            note[SAME_DICE] |= 1 << k
    note[COUNT] = n
    note[NEEDED] = min(2, int(rules.hits_needed))
    value[LEVEL] = level_worth(params, me, int(state.equalizer))
    if state.placed:
        for k in range(n):
            note[ON + k] = k
    else:
        match(params, n, note[SAME_DICE], value[LEVEL], note[NEEDED])
        trace_back(params, n, value[LEVEL], note[NEEDED], ON)
    return settle(params, n)


@kernel
def shown(state, k):
    """What die ``k`` counts as: 1 to 6; a marked one (judge = natural_six_fails) as the 6 that it was."""
    die = int(state.dice[k])
    return 6 if value_of(die) != die else min(max(die, 1), 6)


@kernel
def show(params, n, k, face):
    """Die ``k`` shows ``face``: its worth on each artist."""
    value = params.value
    for artist in range(n):
        value[GAIN + 8 * artist + k] = value[FACE + 8 * artist + face]
        value[COUNTS + 8 * artist + k] = value[HITS + 8 * artist + face]


@kernel
def settle(params, n):
    """Worth of the placement in ON, whose hits are counted and turned into OF."""
    value, note = params.value, params.options[1].action
    worth, hits = 0.0, 0
    for artist in range(n):
        k = note[ON + artist]
        note[OF + k] = artist
        worth += value[GAIN + 8 * artist + k]
        hits += int(value[COUNTS + 8 * artist + k])
    note[HELD] = hits
    return worth + (value[LEVEL] if hits >= note[NEEDED] else 0.0)


@kernel
def expect_again(params):
    """Write the expected gain of rolling each die again, if it stays on its artist."""
    value, note = params.value, params.options[1].action
    for k in range(note[COUNT]):
        artist, mean = note[OF + k], 0.0
        for face in range(1, 7):
            mean += value[FACE + 8 * artist + face] / 6.0
        value[AGAIN + k] = mean - value[GAIN + 8 * artist + k]


@kernel
def changed_die(state, params, k, face, now, sign, least):
    """Gain (times ``sign``) of die ``k`` showing ``face``; one that a bound keeps below ``least`` counts as none."""
    value, note = params.value, params.options[1].action
    n, bound = note[COUNT], -1e9
    if sign > 0.0 and not state.placed:
        for artist in range(n):
            bound = max(bound, value[FACE + 8 * artist + face] - value[GAIN + 8 * artist + k])
        if note[HELD] < note[NEEDED]:
            bound += value[LEVEL]
    else:
        artist = note[OF + k]
        bound = sign * (value[FACE + 8 * artist + face] - value[GAIN + 8 * artist + k])
        if state.placed:
            return bound
        bound += value[LEVEL]
    if bound <= least:
        return -1.0
    old = shown(state, k)
    show(params, n, k, face)
    after = match(params, n, 0, value[LEVEL], note[NEEDED])
    show(params, n, k, old)
    return sign * (after - now)


@kernel
def placement(state, rules, params):
    """The ``place`` action of a best matching of the pending dice (MM-R065)."""
    me, note = state.seat[state.turn], params.options[1].action
    read_action(state, rules, params, int(state.turn))
    detail, artist = 0, 0
    for position in range(BAND):
        detail <<= DIE_BITS
        if me.artist[position] != NOBODY:
            detail |= int(state.dice[note[ON + artist]]) + DIE_OFFSET
            artist += 1
    return pack(PLACE, detail)


# ------------------------------------------------------------------ Beers
@kernel
def read_beers(state, rules, params):
    """Write what 0 to 3 sixes of the pending Beers throw are worth; returns the worth of those that lie there."""
    value = params.value
    me, position = state.seat[owner_of(state)], int(state.position)
    condition, heal = int(me.condition[position]), 0.0
    for place in range(BAND):
        heal += step_cost(params, int(me.condition[place]))
    now = step_cost(params, condition)
    value[SIXES] = now - step_cost(params, max(ACTIVE, condition - 1))
    value[SIXES + 1] = now - step_cost(params, min(INACTIVE, condition + 1))
    value[SIXES + 2] = heal + rules.miracle_two
    value[SIXES + 3] = heal + rules.miracle_three
    return value[SIXES + sixes(state, 0)]


@kernel
def sixes(state, without):
    """Sixes among the pending dice (at most 3), those in ``without`` (bits) left out."""
    found = 0
    for k in range(state.dice_count):
        if not without >> k & 1 and value_of(int(state.dice[k])) == 6:
            found += 1
    return min(found, 3)


@kernel
def beers_gain(state, params, action):
    """Gain for the band that drinks of changing one die, or expected of rolling some again."""
    value = params.value
    now = value[SIXES + sixes(state, 0)]
    if verb_of(action) == USE_ADVERTISING:
        more = sixes(state, 1 << die_changed(action)) + (value_of(new_die(action)) == 6)
        return value[SIXES + min(3, more)] - now
    chosen = detail_of(action)
    kept, worth, ways = sixes(state, chosen), 0.0, 1.0
    n = popcount(chosen)
    for again in range(n + 1):
        chance = ways * (1.0 / 6.0) ** again * (5.0 / 6.0) ** (n - again)
        worth += chance * value[SIXES + min(3, kept + again)]
        ways = ways * (n - again) / (again + 1)
    return worth - now


# ------------------------------------------------------------------ fame
@kernel
def fame_response_worth(state, params, seat, action):
    """Worth of Performance points on a change of fame: all for an own one, against the leader's else (MM-R088)."""
    if detail_of(action) == 0:
        return 0.0
    effect = fame_effect(action)
    if state.fame_seat == seat:
        return 1.0 * effect
    if not is_leader(state, seat, int(state.fame_seat)) or params.number[V_ATTACK] > 90.0:
        return -1.0
    return -1.0 * max(effect, -int(state.change)) - params.number[V_ATTACK]
