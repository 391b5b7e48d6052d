"""What levels, Grana, symbols and awards are worth to a seat, in victory points at the end of the game.

Every kernel takes ``params`` (the agent's record, whose ``number`` holds the weights).  ``prepare_worth``
writes to ``params.value``, from which the others read: WORTH + 4 * track + k is what k more levels (0 to 3)
of a track are worth.
"""

from __future__ import annotations

import numpy as np

from agents.overdrive.kernels.weights import (
    W_ABILITY_A,
    W_ABILITY_B,
    W_AWARD,
    W_AWARD_SHAPE,
    W_FAME,
    W_FANS,
    W_GRANA,
    W_GRANA_LAST,
    W_GRANA_ROOM,
    W_LEADER,
    W_MARKER,
    W_OVERDRIVE,
    W_RIVAL,
    W_SHIELD,
    W_SPECIAL,
    W_STEP,
    W_SYMBOL,
    W_SYMBOL_NOW,
)  # fmt: skip
from overdrive_sim.kernels.layout import (
    ALLOCATION,
    COVER_BOTS,
    FACES,
    FAME,
    FANS,
    GRANA,
    METALLUM,
    NO_AWARD,
    NO_BAND,
    OVERDRIVE,
    STANDARD,
)  # fmt: skip
from overdrive_sim.kernels.symbols import covered
from simcore.bits import lowest, popcount
from simcore.kernel import kernel

# Places in params.value; the first 210 belong to ``hand``.
WORTH = 256
LEFT, BATTLES, ROOM = 272, 273, 274
SYMBOLS = 276  # own symbols by face, then wildcards
SYMBOL_WORTH = 282  # by face
RIVALRY = 304  # by seat, after prepare_rivalry
AWARD = 310  # 7 of them, see prepare_awards
MOST_STEP = 3

# Symbols that a Final Battle may leave, as (H, S, C, I): a throw near the average.
_FINAL = (0, 2, 1, 1)


@kernel
def turns_left(state, rules):
    """Allocation turns that each seat still has after this round."""
    left = 0
    for later in range(state.game_round + 1, rules.last_round + 1):
        if not (state.speed_metal and rules.speed_skips[later]):
            left += 1
    return left


@kernel
def battles_left(state, rules):
    """Battles still to come, the one of this round included."""
    left = 0
    for later in range(state.game_round, rules.last_round + 1):
        if rules.battle_round[later] and not (state.speed_metal and rules.speed_skips[later]):
            left += 1
    return left


@kernel
def ability_band(me, letter):
    """Band whose ability A, B or C (0, 1, 2) a seat has: its own, or the one it copies (A-ABL-11)."""
    if me.band == COVER_BOTS:
        return np.int64(me.copies[letter])
    return np.int64(me.band)


@kernel
def grana_worth(params, grana):
    """Worth of ``grana`` on the track: each piece less than the one before, because purchases are limited."""
    room = params.value[ROOM]
    return params.number[W_GRANA] * grana * room / (room + grana)


@kernel
def prepare_awards(state, rules, params, me):
    """Write the worth of the best award within reach: AWARD now, + k with k more Fans, + 3 + k with k more Fame.

    A reached one counts its points and its wildcard; one on the way counts in proportion, rising.
    """
    number, value = params.number, params.value
    credit, shape = number[W_AWARD], number[W_AWARD_SHAPE]
    if value[LEFT] == 0.0:
        credit = 0.0
    held = 0.0
    if me.award != NO_AWARD:
        held = rules.award_points[me.award] + number[W_SYMBOL]
    for k in range(2 * MOST_STEP + 1):
        value[AWARD + k] = held
    left = np.int64(state.awards)
    while left != 0:
        award = lowest(left)
        left &= left - 1
        full = rules.award_points[award] + number[W_SYMBOL]
        if full <= held:
            continue
        target = rules.award_target[award]
        each = 1.0 / max(1, levels_asked(target))
        fans, fame = max(0, target[FANS] - me.fans), max(0, target[FAME] - me.fame)
        others = max(0, target[GRANA] - me.grana) + max(0, target[OVERDRIVE] - me.overdrive)
        for k in range(2 * MOST_STEP + 1):
            missing = others + fans + fame
            if k > MOST_STEP:
                missing -= min(fame, k - MOST_STEP)
            else:
                missing -= min(fans, k)
            near = 1.0 - missing * each
            worth = full if missing == 0 else full * credit * near * (1.0 - shape + shape * near)
            value[AWARD + k] = max(value[AWARD + k], worth)


@kernel
def counted_levels(times, me):
    """Levels of a seat on the four tracks, each counted ``times`` so often."""
    return times[FANS] * me.fans + times[FAME] * me.fame + times[GRANA] * me.grana + times[OVERDRIVE] * me.overdrive


@kernel
def levels_asked(target):
    """Levels that an award asks for, all tracks together."""
    return target[FANS] + target[FAME] + target[GRANA] + target[OVERDRIVE]


@kernel
def special_share(rules, params, me, track):
    """Points that one more level of ``track`` adds to ability C, by the pooled reading (A-ABL-8)."""
    band = ability_band(me, 2)
    if band == NO_BAND or rules.special_tracks[band, track] == 0:
        return 0.0
    if counted_levels(rules.special_tracks[band], me) >= rules.special_per[band] * rules.special_most[band]:
        return 0.0
    share = 1.0 / rules.special_per[band]
    return share if me.overdrive >= rules.unlock_level[2] else share * params.number[W_SPECIAL]


@kernel
def special_points(rules, me):
    """Points of ability C at the present levels if it is unlocked, not rounded down."""
    band = ability_band(me, 2)
    if band == NO_BAND:
        return 0.0
    levels = counted_levels(rules.special_tracks[band], me)
    return min(1.0 * rules.special_most[band], levels / max(1, rules.special_per[band]))


@kernel
def part_of(params, level, below, above):
    """Credit for standing at ``level`` on the way from step ``below`` to step ``above``: 1 when there."""
    if level >= above:
        return 1.0
    if level <= below or params.value[LEFT] == 0:
        return 0.0
    return params.number[W_STEP] * (level - below) / (above - below)


@kernel
def add_step(params, me, below, above, worth):
    """Add to the worth of more Overdrive what standing nearer to, or on, the step ``above`` brings."""
    level = me.overdrive
    if above <= level or below >= level + MOST_STEP:
        return
    now = part_of(params, level, below, above)
    for k in range(1, MOST_STEP + 1):
        params.value[WORTH + 4 * OVERDRIVE + k] += worth * (part_of(params, level + k, below, above) - now)


@kernel
def prepare_overdrive(rules, params, me):
    """Write the worth of 0 to 3 more levels of Overdrive: points, abilities A and B for the turns left, C's points."""
    number, value = params.number, params.value
    each = special_share(rules, params, me, OVERDRIVE)
    for k in range(MOST_STEP + 1):
        value[WORTH + 4 * OVERDRIVE + k] = each * k
    below, points = 0, 0
    for step in range(rules.points_steps):
        above = rules.points_level[step]
        add_step(params, me, below, above, number[W_OVERDRIVE] * (rules.points_value[step] - points))
        below, points = above, rules.points_value[step]
    first, second, third = rules.unlock_level[0], rules.unlock_level[1], rules.unlock_level[2]
    add_step(params, me, 0, first, number[W_ABILITY_A] * value[LEFT])
    add_step(params, me, first, second, number[W_ABILITY_B] * value[LEFT])
    if me.overdrive < third:
        add_step(params, me, second, third, special_points(rules, me))


@kernel
def prepare_worth(state, rules, params, seat):
    """Write the worth of 0 to 3 more levels of each track for ``seat``, and the turns and battles left."""
    me, value, number = state.seat[seat], params.value, params.number
    left = turns_left(state, rules)
    value[LEFT] = left
    value[BATTLES] = battles_left(state, rules)
    value[ROOM] = number[W_GRANA_ROOM] * left + number[W_GRANA_LAST]
    if state.phase != ALLOCATION and left == 0:
        value[ROOM] = 0.01
    prepare_awards(state, rules, params, me)
    prepare_overdrive(rules, params, me)
    grana = grana_worth(params, me.grana)
    fans_each = number[W_FANS] + special_share(rules, params, me, FANS)
    fame_each = number[W_FAME] + special_share(rules, params, me, FAME)
    grana_each = special_share(rules, params, me, GRANA)
    highest = 0
    for other in range(state.seats):
        if other != seat:
            highest = max(highest, state.seat[other].fame)
    for track in range(3):
        value[WORTH + 4 * track] = 0.0
    for k in range(1, MOST_STEP + 1):
        fans = fans_each * k + value[AWARD + k] - value[AWARD]
        if me.fans < rules.symbol_level <= me.fans + k:
            fans += number[W_SYMBOL]
        fame = fame_each * k + value[AWARD + MOST_STEP + k] - value[AWARD]
        if me.fame < rules.shield_level <= me.fame + k:
            fame += number[W_SHIELD] * value[BATTLES]
        if me.fame <= highest < me.fame + k and value[BATTLES] > 0:
            fame += number[W_MARKER]
        value[WORTH + 4 * FANS + k] = fans
        value[WORTH + 4 * FAME + k] = fame
        value[WORTH + 4 * GRANA + k] = grana_each * k + grana_worth(params, me.grana + k) - grana


@kernel
def levels_worth(params, track, levels):
    """Worth of ``levels`` more levels of ``track``; beyond three in proportion."""
    if levels <= MOST_STEP:
        return params.value[WORTH + 4 * track + levels]
    return params.value[WORTH + 4 * track + MOST_STEP] * levels / MOST_STEP


@kernel
def price_worth(params, me, price):
    """What paying ``price`` Grana costs in worth."""
    return grana_worth(params, me.grana) - grana_worth(params, me.grana - price)


# ------------------------------------------------------------------ symbols
@kernel
def count_symbols(state, rules, params, seat):
    """Write the symbols of ``seat``'s collection by face, wildcards last, without dice (R-SYM-03)."""
    me, value = state.seat[seat], params.value
    for face in range(FACES + 1):
        value[SYMBOLS + face] = 0.0
    if rules.band_symbol[me.band, 0] >= 0:
        value[SYMBOLS + rules.band_symbol[me.band, 0]] += 1.0
    if me.fans >= rules.symbol_level and rules.band_symbol[me.band, 1] >= 0:
        value[SYMBOLS + rules.band_symbol[me.band, 1]] += 1.0
    hits = np.int64(me.hits)
    while hits != 0:
        value[SYMBOLS + rules.hit_symbol[lowest(hits)]] += 1.0
        hits &= hits - 1
    cards = me.hand | me.used
    while cards != 0:
        value[SYMBOLS + rules.card_icon[lowest(cards)]] += 1.0
        cards &= cards - 1
    if me.award >= 0:
        value[SYMBOLS + FACES] = 1.0


@kernel
def collection(rules, params, horns, skulls, chords, influences):
    """Points of the counted symbols and these besides; a wildcard takes the best face."""
    value = params.value
    h = horns + np.int64(value[SYMBOLS])
    s = skulls + np.int64(value[SYMBOLS + 1])
    c = chords + np.int64(value[SYMBOLS + 2])
    i = influences + np.int64(value[SYMBOLS + 3])
    if value[SYMBOLS + FACES] == 0.0:
        return covered(rules, h, s, c, i)
    best = max(covered(rules, h + 1, s, c, i), covered(rules, h, s + 1, c, i))
    return max(best, covered(rules, h, s, c + 1, i), covered(rules, h, s, c, i + 1))


@kernel
def prepare_symbols(state, rules, params, seat):
    """Write what one more symbol of each face is worth: with a likely Final Battle now, plainly by and by."""
    count_symbols(state, rules, params, seat)
    value, number = params.value, params.number
    now = number[W_SYMBOL_NOW] / (1.0 + value[LEFT])
    h, s, c, i = _FINAL
    before = collection(rules, params, h, s, c, i)
    for face in range(FACES):
        more = collection(rules, params, h + (face == 0), s + (face == 1), c + (face == 2), i + (face == 3)) - before
        value[SYMBOL_WORTH + face] = (1.0 - now) * number[W_SYMBOL] + now * more


# ------------------------------------------------------------------ the others
@kernel
def standing(rules, me):
    """A seat's points as the table sees them, roughly: who leads."""
    points = me.fans + me.fame + 0.5 * me.overdrive
    points += (rules.hit_points + 1) * popcount(np.int64(me.hits)) + popcount(me.hand | me.used)
    return points + (rules.award_points[me.award] if me.award != NO_AWARD else 0)


@kernel
def prepare_rivalry(state, rules, params, seat):
    """Write what a point of each other seat costs ``seat``.

    Metallum's count in full, those of fellow humans are gains; among rivals the leader's count most.
    """
    value = params.value
    mean = 0.0
    for other in range(state.seats):
        points = standing(rules, state.seat[other])
        value[RIVALRY + other] = points
        mean += points / state.seats
    for other in range(state.seats):
        lead = value[RIVALRY + other] - mean
        value[RIVALRY + other] = max(0.01, params.number[W_RIVAL] + params.number[W_LEADER] * lead)
        if state.mode != STANDARD:
            value[RIVALRY + other] = 1.0 if state.seat[other].band == METALLUM else -1.0
