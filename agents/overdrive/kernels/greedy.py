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
    dice_to_fight_again,
    expected_fight,
    fight_worth,
    lost_die,
    prepare_fight,
    shield_worth,
)  # fmt: skip
from agents.overdrive.kernels.hand import (
    BY_TARGET,
    EACH,
    HIGHEST,
    REACH,
    SMALLEST,
    dice_to_throw,
    die_worth,
    expected_worth,
    hand_worth,
    number_of,
    prepare_reach,
    prepare_uses,
    wild_worth,
)  # fmt: skip
from agents.overdrive.kernels.shop import card_worth, claim_worth, copy_worth, hit_worth, holding_worth
from agents.overdrive.kernels.weights import (
    NO_ABILITIES,
    NO_ATTACKS,
    NO_AWARDS,
    NO_DISTORTIONS,
    NO_HITS,
    NO_LEVELS,
    NO_MANIPULATION,
    NO_MEMBERS,
    NO_REROLLS,
    W_END,
    W_POOL,
    W_SINGLE_FACE,
)  # fmt: skip
from agents.overdrive.kernels.worth import (
    levels_worth,
    prepare_rivalry,
    prepare_symbols,
    prepare_worth,
    price_worth,
)  # fmt: skip
from overdrive_sim.kernels.actions import (
    NO_RAISE,
    NO_SHIELD,
    PAIR_BASE,
    argument_of,
    borrowed_of,
    card_of,
    detail_of,
    dice_of,
    pack,
    target_of,
    verb_of,
    virtual_of,
)  # fmt: skip
from overdrive_sim.kernels.dice import CODE, COUNT, NUMBER, SIZE
from overdrive_sim.kernels.engine import to_act
from overdrive_sim.kernels.gains import ability
from overdrive_sim.kernels.layout import (
    ABILITY,
    ACOUSTIC,
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
    FAME,
    FANS,
    HIT,
    IMPROVISATION,
    JAM_SESSION,
    NEW_MEMBER,
    NEW_RIFF,
    OPPORTUNITY,
    PLAY,
    RAISE,
    REROLL,
    SET_FACE,
    SHIELD,
    SKULL,
    UNIT,
    VERB_SHIFT,
    VICTIM,
)  # fmt: skip
from overdrive_sim.kernels.rules import (
    ALL_TO,
    CHANGE,
    CHOOSE_FACES,
    CLEAR,
    CLEAR_SPACE,
    EITHER_WAY,
    FACE_TO,
    FANS_TO_FAME,
    GAIN_FAME,
    GAIN_FANS,
    GAIN_OVERDRIVE,
    PROTECT,
    RE_ROLL,
    SKULLS_TO_ONE,
    SKULLS_WILD,
    TAKE,
)  # fmt: skip
from simcore.kernel import kernel
from simcore.streams import draw

# Places in params.value and params.options[1].action that belong to this module.
NOW, SYMBOLS_READY, REROLL_GAIN, HELD = 510, 511, 512, 513
BASE, OWN, MODE, REACHED = 8, 9, 10, 11
IN_BATTLE = 1
_SECOND_VERB, _THIRD_VERB = REROLL << VERB_SHIFT, (REROLL + 1) << VERB_SHIFT
SAME = 1e-9
NEVER = -1e6


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
def is_special(action):
    """Whether an allocation does more than the worth of the hand foresees."""
    return target_of(action) in (JAM_SESSION, OPPORTUNITY) or virtual_of(action) > 0


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
def hold(rules, params, code):
    """Worth of the dice of ``code`` in this phase."""
    if params.options[1].action[MODE] == IN_BATTLE:
        return fight_worth(rules, params, code)
    return params.number[W_POOL] * hand_worth(params, number_of(code))


@kernel
def ready_symbols(state, rules, params, seat):
    """Count symbols and their worth, once a decision."""
    if params.value[SYMBOLS_READY] == 0.0:
        prepare_symbols(state, rules, params, seat)
        params.value[SYMBOLS_READY] = 1.0


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


# ------------------------------------------------------------------ dice
@kernel
def allocation_worth(state, rules, params, seat, action):
    """Worth of an allocation: its reward, and what the dice left in hand are worth less than before."""
    me, value, off = state.seat[seat], params.value, params.switch[0]
    target, detail = target_of(action), detail_of(action)
    left = params.options[1].action[BASE] - CODE[dice_of(action)]
    borrowed = borrowed_of(action)
    for k in range(me.n_locked):
        if borrowed >> k & 1:
            left -= UNIT[me.locked[k] % FACES]
    gain = -params.number[W_SINGLE_FACE] * virtual_of(action)
    if target in (IMPROVISATION, NEW_RIFF):
        if off & NO_MANIPULATION:
            return NEVER
        if detail > 0:
            left += UNIT[(detail - 1) % 4] - UNIT[(detail - 1) // 4 % 4]
    elif target == JAM_SESSION:
        if off & NO_MANIPULATION:
            return NEVER
        if detail > 0:
            left += UNIT[(detail - 1) % 4]
    elif target == OPPORTUNITY:
        if detail > 0:
            gain += cleared_worth(state, rules, params, seat, detail - 1, left)
    elif target == ACOUSTIC:
        gain += levels_worth(params, detail, 1)
    elif target == NEW_MEMBER:
        if off & NO_MEMBERS:
            return NEVER
        gain += die_worth(params) + value[EACH] - price_worth(params, me, rules.space_cost[NEW_MEMBER])
    elif target >= HIT:
        if off & NO_HITS:
            return NEVER
        gain += value[BY_TARGET + 2 * target + detail]
    else:
        gain += value[BY_TARGET + 2 * target]
    return gain + params.number[W_POOL] * (hand_worth(params, number_of(left)) - value[NOW])


@kernel
def cleared_worth(state, rules, params, seat, target, code):
    """What the hand ``code`` gains when ``target`` becomes free: the use of it that was closed (R-SPC-09)."""
    number = number_of(code)
    if number < 0 or not state.full >> target & 1:
        return 0.0
    way = 0
    if target >= HIT:
        hit = target - HIT
        cancelled = state.cancelled[hit] if state.hit_owner[hit] >= 0 and state.cancelled[hit] >= 0 else 5
        need = rules.need[rules.hit_row[hit, way, cancelled]]
    elif target < len(rules.space_row):
        need = rules.need[rules.space_row[target]]
    else:
        return 0.0
    size = need[FACES]
    for face in range(FACES):
        size += need[face]
        if COUNT[number, face] < need[face]:
            return 0.0
    if size > SIZE[number] or target in (IMPROVISATION, NEW_RIFF, JAM_SESSION, OPPORTUNITY, NEW_MEMBER):
        return 0.0
    worth = params.value[BY_TARGET + 2 * target + way]
    if target == ACOUSTIC:
        worth = max(levels_worth(params, FANS, 1), levels_worth(params, FAME, 1))
    use = worth + (SIZE[number] - size) * params.value[EACH]
    return max(0.0, use - hand_worth(params, number))


@kernel
def may_gain(params, price):
    """Whether other faces could bring more than ``price``: a bound, so that hopeless changes cost no time."""
    value, note = params.value, params.options[1].action
    number = number_of(note[BASE])
    if number < 0:
        return False
    uses = 2.0 if SIZE[number] >= 2 * note[SMALLEST] else 1.0
    return value[NOW] + price < SIZE[number] * value[EACH] + uses * value[HIGHEST]


@kernel
def within_reach(params, changes, price):
    """Whether so many changed dice could bring more than ``price`` (a bound, as above)."""
    value, note = params.value, params.options[1].action
    number = number_of(note[BASE])
    if number < 0:
        return False
    if note[REACHED] == 0:
        note[REACHED] = 1
        prepare_reach(params, number)
    return value[REACH + min(3, changes)] > value[NOW] + price


@kernel
def dice_to_try(state, rules, params, seat, price):
    """Dice code of the own dice that a re-roll at ``price`` should throw again, 0 for none."""
    note = params.options[1].action
    if note[MODE] == IN_BATTLE:
        return dice_to_fight_again(rules, params, note[OWN], np.int64(state.seat[seat].shielded))
    if may_gain(params, price):
        return dice_to_throw(params, note[OWN], note[BASE], price)
    return np.int64(0)


@kernel
def wanted_reroll(state, rules, params, seat):
    """The one paid re-roll that is looked at, as an action id (0: none)."""
    if params.switch[0] & NO_REROLLS:
        return np.int64(0)
    thrown = dice_to_try(state, rules, params, seat, price_worth(params, state.seat[seat], rules.price_reroll))
    return pack(REROLL, 0, NUMBER[thrown], 0, 0, 0) if thrown > 0 else np.int64(0)


@kernel
def throw_worth(rules, params, action, price):
    """Worth of a re-roll, its price paid, by exact expectation."""
    note, dice = params.options[1].action, dice_of(action)
    kept, n = note[BASE] - CODE[dice], SIZE[dice]
    if note[MODE] == IN_BATTLE:
        return expected_fight(rules, params, kept, n) - params.value[NOW] - price
    return params.number[W_POOL] * (expected_worth(params, kept, n) - params.value[NOW]) - price


@kernel
def face_worth(rules, params, change, price):
    """Worth of changing one die as ``change`` says (a pair), its price paid."""
    note, value = params.options[1].action, params.value
    if note[MODE] != IN_BATTLE and not within_reach(params, 1, price):
        return NEVER
    code = note[BASE] + UNIT[change % 4] - UNIT[change // 4 % 4]
    return hold(rules, params, code) - params.number[W_POOL] * value[NOW] - price


# ------------------------------------------------------------------ cards and abilities
@kernel
def play_worth(state, rules, params, seat, action):
    """Worth of playing a Distortion card now, less what it is worth in hand."""
    value, note = params.value, params.options[1].action
    card, argument = card_of(action), argument_of(action)
    effect = rules.card_number[card]
    kind = rules.effect_kind[effect]
    held = holding_worth(rules, params, card)
    if kind in (GAIN_FANS, GAIN_FAME, GAIN_OVERDRIVE):
        return 0.01
    if kind == PROTECT:
        return shield_worth(state, rules, params, seat, argument) - held
    if kind == CLEAR_SPACE:
        return cleared_worth(state, rules, params, seat, argument, note[BASE]) - held
    if note[MODE] != IN_BATTLE:
        if kind == CHOOSE_FACES and not within_reach(params, rules.effect_amount[effect], held):
            return NEVER
        if not may_gain(params, held):
            return NEVER
    code = card_result(rules, note[OWN], kind, effect, argument) + note[BASE] - note[OWN]
    if kind == SKULLS_WILD:
        if note[MODE] == IN_BATTLE or number_of(code) < 0:
            return NEVER
        return params.number[W_POOL] * (wild_worth(params, number_of(code)) - value[NOW]) - held
    return hold(rules, params, code) - params.number[W_POOL] * value[NOW] - held


@kernel
def card_result(rules, own, kind, effect, argument):
    """Dice code of the own dice after a card of this kind has changed them."""
    skulls = own // UNIT[SKULL] % 7
    if kind == SKULLS_TO_ONE:
        if rules.option.card5:
            return own - skulls * UNIT[SKULL] + CODE[argument]
        return own + skulls * (UNIT[argument] - UNIT[SKULL])
    if kind == CHOOSE_FACES:
        while argument > 0:
            change = argument % PAIR_BASE - 1
            own += UNIT[change % 4] - UNIT[change // 4 % 4]
            argument //= PAIR_BASE
        return own
    if kind == ALL_TO:
        dice = own % 7 + own // 7 % 7 + own // 49 % 7 + own // 343 % 7
        return dice * UNIT[rules.effect_to[effect]]
    origin, result = rules.effect_from[effect], rules.effect_to[effect]
    if kind == EITHER_WAY:
        origin, result = argument // 4 % 4, argument % 4
    if kind in (FACE_TO, EITHER_WAY):
        return own + own // UNIT[origin] % 7 * (UNIT[result] - UNIT[origin])
    return own


@kernel
def ability_worth(state, rules, params, seat, action):
    """Worth of an active ability: it costs nothing and comes back next round (R-TRK-10)."""
    note, value, me = params.options[1].action, params.value, state.seat[seat]
    slot, detail = target_of(action), detail_of(action)
    kind = ability(state, rules, seat, slot)
    if kind == CHANGE:
        return face_worth(rules, params, detail, 0.02)
    if kind == RE_ROLL:
        thrown = dice_to_try(state, rules, params, seat, 0.02)
        if thrown == 0 or CODE[dice_of(action)] != thrown or detail > 0:
            return NEVER
        return throw_worth(rules, params, action, 0.02)
    if kind == FANS_TO_FAME:
        return levels_worth(params, FAME, rules.trade_gain) - rules.trade_cost * levels_worth(params, FANS, 1)
    if kind == TAKE:
        if SIZE[NUMBER[note[OWN]]] + me.n_locked >= 6:
            return 0.0
        return hold(rules, params, note[BASE] + UNIT[detail % 4]) - params.number[W_POOL] * value[NOW]
    if kind == CLEAR:
        return cleared_worth(state, rules, params, seat, detail, note[BASE]) - 0.02
    return face_worth(rules, params, detail, params.number[W_SINGLE_FACE])
