"""Step 3: the throw of an action, its placement and its judgement (MM-R060 to MM-R084).

Order: throw, responses, placement, judgement (conditions, then fame with its responses, then the level).
"""

from __future__ import annotations

from metalmania_sim.kernels import actions, band, bonuses, dice, fame
from metalmania_sim.kernels.layout import (
    ACTION,
    ACTION_THROW,
    ACTIVE,
    AFTER_DICE_WINDOW,
    BAND,
    CHOICE,
    CHOOSE_ACTION,
    CHOOSE_STEP4,
    FROM_HITS,
    INACTIVE,
    JUDGE,
    MOST_LEVEL,
    OPEN_DICE_WINDOW,
    PERFORMANCE,
    PLACE_DICE,
    ROLL_ACTION,
)  # fmt: skip
from simcore.bits import index
from simcore.kernel import kernel

_SIX = 6
_CHOICE, _IN_ORDER = range(2)  # option placement
_BEFORE, _AFTER = range(2)  # option bonus_window; otherwise both
FAIL, ROUTINE, HIT = range(3)


@kernel
def start(state):
    """Step 3 is asked for, or skipped for two Steps 4 while an artist is inactive (MM-R060, MM-R061)."""
    me = state.seat[index(state.turn)]
    state.asked = state.turn
    if band.inactive(me) > 0:
        me.skipped += 1
        state.phase = CHOICE
        state.choices_left = 2
        state.stage = CHOOSE_STEP4
    else:
        state.phase = ACTION
        state.stage = CHOOSE_ACTION


@kernel
def choose(state, equalizer):
    """The seat performs, records or advertises (MM-R062, MM-R063); its dice are thrown next (MM-R064)."""
    state.equalizer = equalizer
    dice.wait_for_throw(state, ROLL_ACTION, int(state.seat[index(state.turn)].members), int(state.turn))


@kernel
def land(state, rules, outcome):
    """The dice have been thrown: sort them beside the board, or leave them in order on the artists (A04)."""
    dice.show(state, outcome, int(state.seat[index(state.turn)].members))
    state.throw_kind = ACTION_THROW
    state.rises = 0
    if rules.option.placement == _IN_ORDER:
        state.placed = 1
        state.stage = OPEN_DICE_WINDOW
        return
    dice.sort(state)
    state.stage = AFTER_DICE_WINDOW if rules.option.bonus_window == _AFTER else OPEN_DICE_WINDOW


@kernel
def after_window(state):
    """After the responses: place the dice, or judge those that lie on the artists (A17)."""
    state.asked = state.turn
    state.stage = JUDGE if state.placed else PLACE_DICE


@kernel
def place(state, rules, action):
    """One die on each artist (MM-R065)."""
    for position in range(BAND):  # behind four dice: anything
        state.dice[position] = actions.die_placed(action, position)
    state.placed = 1
    if rules.option.bonus_window == _BEFORE:
        judge(state, rules)
    else:
        state.stage = OPEN_DICE_WINDOW


@kernel
def result(die, c):
    """FAIL, ROUTINE or HIT of a die (marked or not) against a characteristic (MM-R067 to MM-R075)."""
    value = actions.value_of(die)
    natural_six = (die != value) != (value == _SIX)
    passes = int(value != _SIX) * int(not natural_six)
    return passes * (int(value <= c) + int(value < c))


@kernel
def hits(state, rules):
    """Hits of the placed dice that count towards the level (MM-R080, MM-R081, A08)."""
    me = state.seat[index(state.turn)]
    counts_all = int(rules.option.troublesome_hits_count)
    count = 0
    for position in range(BAND):
        found = result(int(state.dice[position]), band.characteristic(me, rules, position, int(state.equalizer)))
        is_hit = int(found == HIT) * int(position < state.dice_count)
        count += is_hit * (int(me.condition[position] == ACTIVE) | counts_all)
    return count


@kernel
def judge(state, rules):
    """Fails, fame and the level of the placed dice (MM-R067 to MM-R084).

    The results of the dice are added up without branches: nothing in a game is harder to foresee.
    """
    if rules.option.levelup_bonus != 0 and state.rises >= 0 and _rise_with_gift(state, rules, hits(state, rules)):
        return
    me = state.seat[index(state.turn)]
    counts_all = int(rules.option.troublesome_hits_count)
    column = int(rules.action_tests[index(state.equalizer)])
    count, won = 0, 0
    for position in range(BAND):
        plays = int(position < state.dice_count)
        die = int(state.dice[position])
        found = result(die, band.characteristic_in(me, rules, position, column))
        is_active = int(me.condition[position] == ACTIVE)
        is_hit = int(found == HIT) * plays
        count += is_hit * (is_active | counts_all)
        won += is_hit * is_active * max(actions.value_of(die), 0)  # MM-R076, MM-R077
        me.condition[position] = min(int(me.condition[position]) + int(found == FAIL) * plays, INACTIVE)  # MM-R069
    if rules.option.hit_fame == 1 and count < rules.hits_needed:
        won = 0  # A09
    if rules.option.levelup_bonus == 0:
        state.rises = levels_won(rules, count)
    if rules.option.levelup_timing == 1:
        level_up(state, rules)
    fame.change_fame(state, rules, int(state.turn), FROM_HITS, won)


@kernel
def levels_won(rules, count):
    """Levels that so many hits give (MM-R080; option ``levels_per_action``, A14)."""
    if count < rules.hits_needed:
        return 0
    if rules.option.levels_per_action == 1 and rules.hits_needed > 0:
        return count // int(rules.hits_needed)
    return 1


@kernel
def level_up(state, rules):
    """The action's equalizer goes up (MM-R082), its token keeps its face (A13); only once a throw."""
    me = state.seat[index(state.turn)]
    equalizer = int(state.equalizer)
    before = int(me.level[index(equalizer)])
    after = min(before + max(int(state.rises), 0), MOST_LEVEL)
    state.rises = 0
    if after > before:
        me.level[index(equalizer)] = after
        if rules.option.levelup_face == 1:
            me.token[index(equalizer)] = 1
            me.points[index(equalizer)] = 0
        bonuses.note(state, rules, int(state.turn))


@kernel(inline=False)
def _rise_with_gift(state, rules, count):
    """Option ``levelup_bonus`` (A12): the level rises first and its bonus may be used on this very throw.

    Returns whether a window on the dice opens, after which the throw is judged (without a further rise).
    """
    state.rises = levels_won(rules, count)
    equalizer = int(state.equalizer)
    before = state.seat[index(state.turn)].level[equalizer]
    level_up(state, rules)
    risen = state.seat[index(state.turn)].level[equalizer] > before
    state.rises = -1
    if risen:
        state.gift = equalizer + 1
        if equalizer != PERFORMANCE:
            bonuses.open_gift(state)
            return True
    return False


@kernel
def finish(state, rules):
    """After the fame of the throw: the level (MM-R080, A11), then one Step 4."""
    level_up(state, rules)
    state.gift = 0
    state.phase = CHOICE
    state.choices_left = 1
    state.asked = state.turn
    state.stage = CHOOSE_STEP4
