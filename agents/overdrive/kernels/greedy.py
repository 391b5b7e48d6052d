"""The greedy player: it takes the action after which its position is worth most, looking one step ahead.

The worth of a position is a sum of features (``agents.overdrive.features``); an action is valued by what
it changes, so no state is copied and nothing is stepped.  Chance is valued by exact expectation over the
throw (re-rolls) or by a mean (the cards to come); the game's streams are never touched.  Among actions
whose worth is equal one is drawn from the agent's own stream.
"""

from __future__ import annotations

import numpy as np

from agents.overdrive.kernels.fight import (
    attack_worth,
    fight_worth,
    lost_die,
    prepare_fight,
    shield_worth,
)  # fmt: skip
from agents.overdrive.kernels.hand import (  # fmt: skip
    hand_worth,
    number_of,
)
from agents.overdrive.kernels.moves import (
    BASE,
    IN_BATTLE,
    MODE,
    NEVER,
    NOW,
    OWN,
    REACHED,
    SAME,
    SYMBOLS_READY,
    ability_worth,
    allocation_worth,
    face_worth,
    is_special,
    play_worth,
    ready_symbols,
    throw_worth,
    wanted_reroll,
)  # fmt: skip
from agents.overdrive.kernels.shop import card_worth, claim_worth, copy_worth, hit_worth
from agents.overdrive.kernels.uses import EACH, die_worth, prepare_uses  # fmt: skip
from agents.overdrive.kernels.weights import (
    NO_ABILITIES,
    NO_ATTACKS,
    NO_AWARDS,
    NO_DISTORTIONS,
    NO_HITS,
    NO_LEVELS,
    NO_MEMBERS,
    W_END,
    W_POOL,
)  # fmt: skip
from agents.overdrive.kernels.worth import (
    levels_worth,
    prepare_rivalry,
    prepare_worth,
    price_worth,
)  # fmt: skip
from overdrive_sim.kernels.actions import (
    NO_RAISE,
    NO_SHIELD,
    detail_of,
    target_of,
    verb_of,
)  # fmt: skip
from overdrive_sim.kernels.dice import NUMBER, SIZE
from overdrive_sim.kernels.engine import to_act
from overdrive_sim.kernels.layout import (
    ABILITY,
    ALLOCATION,
    ATTACK,
    BUY_DIE,
    BUY_DISTORTION,
    BUY_HIT,
    BUY_LEVEL,
    CLAIM,
    COPY,
    END,
    FACES,
    HIT,
    PLAY,
    RAISE,
    REROLL,
    SET_FACE,
    SHIELD,
    UNIT,
    VERB_SHIFT,
    VICTIM,
)  # fmt: skip
from simcore.kernel import kernel
from simcore.streams import draw

_SECOND_VERB, _THIRD_VERB = REROLL << VERB_SHIFT, (REROLL + 1) << VERB_SHIFT


@kernel
def greedy(state, rules, legal, n, params, rng):
    """The legal action of greatest worth; of equal ones the first from a random place in the list on.

    The worth of the hand is that of its best use, so that no further allocation of own dice can beat one
    that loses nothing: those are skipped.
    """
    seat = to_act(state)
    prepare(state, rules, params, seat)
    start = draw(rng, n)
    best, chosen, found_use, reroll = -1e9, legal.action[start], False, np.int64(-1)
    for k in range(n):
        action = legal.action[start + k - n if start + k >= n else start + k]
        if action < _SECOND_VERB:
            if found_use and not is_special(action):
                continue
            worth = allocation_worth(state, rules, params, seat, action)
            found_use = found_use or worth >= -SAME
        elif action < _THIRD_VERB:
            if reroll == -1:
                reroll = wanted_reroll(state, rules, params, seat)
            if action != reroll:
                continue
            worth = throw_worth(rules, params, action, price_worth(params, state.seat[seat], rules.price_reroll))
        else:
            worth = action_worth(state, rules, params, seat, action)
        if worth > best + SAME:
            best, chosen = worth, action
    return chosen


@kernel
def prepare(state, rules, params, seat):
    """What all actions of one decision share: worth of levels, uses of dice, worth of the hand."""
    me, value, note = state.seat[seat], params.value, params.options[1].action
    prepare_worth(state, rules, params, seat)
    prepare_rivalry(state, rules, params, seat)
    own = np.int64(me.pool)
    note[OWN] = own
    note[BASE] = own
    note[REACHED] = 0
    value[SYMBOLS_READY] = 0.0
    if state.phase == ALLOCATION:
        note[MODE] = 0
        prepare_uses(state, rules, params, seat)
        if SIZE[NUMBER[own]] + me.n_locked <= 6:
            for k in range(me.n_locked):
                note[BASE] += UNIT[me.locked[k] % FACES]
        value[NOW] = hand_worth(params, number_of(note[BASE])) if state.turn == seat else 0.0
    else:
        note[MODE] = IN_BATTLE
        prepare_fight(state, rules, params, seat)
        value[NOW] = fight_worth(rules, params, own)


@kernel
def action_worth(state, rules, params, seat, action):
    """What ``action`` adds to the worth of the position of ``seat``, in victory points."""
    verb, off = verb_of(action), params.switch[0]
    me, value = state.seat[seat], params.value
    detail = detail_of(action)
    if verb == SET_FACE:
        return face_worth(rules, params, detail, price_worth(params, me, rules.price_set))
    if verb == BUY_LEVEL:
        if off & NO_LEVELS:
            return NEVER
        return levels_worth(params, detail, 1) - price_worth(params, me, rules.price_level)
    if verb == BUY_DIE:
        if off & NO_MEMBERS:
            return NEVER
        return die_worth(params) + value[EACH] - price_worth(params, me, rules.price_die)
    if verb == BUY_HIT:
        if off & NO_HITS:
            return NEVER
        ready_symbols(state, rules, params, seat)
        hit = target_of(action) - HIT
        code = params.options[1].action[BASE]
        return hit_worth(state, rules, params, seat, hit, detail, code) - price_worth(params, me, rules.hit_price[hit])
    if verb == BUY_DISTORTION:
        if off & NO_DISTORTIONS:
            return NEVER
        ready_symbols(state, rules, params, seat)
        return card_worth(rules, params, detail) - price_worth(params, me, row_price(state))
    if verb == PLAY:
        return NEVER if off & NO_DISTORTIONS else play_worth(state, rules, params, seat, action)
    if verb == ABILITY:
        return NEVER if off & NO_ABILITIES else ability_worth(state, rules, params, seat, action)
    return other_worth(state, rules, params, seat, verb, action)


@kernel
def row_price(state):
    """Price of a Distortion card: how many lie face up (R-GRA-12)."""
    row, price = state.row, 0
    while row != 0:
        row &= row - 1
        price += 1
    return price


@kernel
def other_worth(state, rules, params, seat, verb, action):
    """Worth of what ends something, answers a question, or belongs to battles."""
    me, value, off = state.seat[seat], params.value, params.switch[0]
    detail = detail_of(action)
    if verb == END:
        return params.number[W_END] - params.number[W_POOL] * value[NOW]
    if verb == CLAIM:
        return NEVER if off & NO_AWARDS else claim_worth(rules, params, me, detail)
    if verb == ATTACK:
        if off & NO_ATTACKS:
            return NEVER
        # First of all: whatever else the turn brings can still be done after the attack.
        return 100.0 + attack_worth(state, rules, params, seat, detail // 4, detail % 4)
    if verb == SHIELD:
        return 0.0 if detail == NO_SHIELD else shield_worth(state, rules, params, seat, detail)
    if verb == RAISE:
        return 0.0 if detail == NO_RAISE else levels_worth(params, detail, 1)
    if verb == COPY:
        return copy_worth(rules, params, me, detail, target_of(action))
    if verb == VICTIM:
        lost = lost_die(state, rules, params, detail // 4, detail % 4)
        return -lost if detail // 4 == seat else -0.9 * lost
    return 0.0
