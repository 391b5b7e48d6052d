"""What moves of dice are worth: allocations, re-rolls, changed faces, cards, abilities.

Each is valued by what it changes: its reward, and the worth of the hand after it against that before (NOW).
In a battle a hand is worth what survives of it (``fight``), otherwise its best use (``hand``).

Places in ``params.value``: NOW: worth of the hand; SYMBOLS_READY.  Places in ``params.options[1].action``: BASE:
dice code of the hand, borrowed dice among them; OWN: without them; MODE; REACHED: whether REACH is ready.
"""

from __future__ import annotations

import numpy as np

from agents.overdrive.kernels.fight import (
    dice_to_fight_again,
    expected_fight,
    fight_worth,
    shield_worth,
)  # fmt: skip
from agents.overdrive.kernels.hand import (  # fmt: skip
    REACH,
    dice_to_throw,
    expected_worth,
    hand_worth,
    number_of,
    prepare_reach,
    wild_worth,
)
from agents.overdrive.kernels.shop import holding_worth
from agents.overdrive.kernels.uses import BY_TARGET, EACH, HIGHEST, SMALLEST, die_worth  # fmt: skip
from agents.overdrive.kernels.weights import (
    NO_HITS,
    NO_MANIPULATION,
    NO_MEMBERS,
    NO_REROLLS,
    W_POOL,
    W_SINGLE_FACE,
)  # fmt: skip
from agents.overdrive.kernels.worth import (
    levels_worth,
    prepare_symbols,
    price_worth,
)  # fmt: skip
from overdrive_sim.kernels.actions import (
    PAIR_BASE,
    argument_of,
    borrowed_of,
    card_of,
    detail_of,
    dice_of,
    pack,
    target_of,
    virtual_of,
)  # fmt: skip
from overdrive_sim.kernels.dice import CODE, COUNT, NUMBER, SIZE
from overdrive_sim.kernels.gains import ability
from overdrive_sim.kernels.layout import (
    ACOUSTIC,
    FACES,
    FAME,
    FANS,
    HIT,
    IMPROVISATION,
    JAM_SESSION,
    NEW_MEMBER,
    NEW_RIFF,
    OPPORTUNITY,
    REROLL,
    SKULL,
    UNIT,
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

NOW, SYMBOLS_READY = 510, 511
BASE, OWN, MODE, REACHED = 8, 9, 10, 11
IN_BATTLE = 1
SAME = 1e-9
NEVER = -1e6


@kernel
def is_special(action):
    """Whether an allocation does more than the worth of the hand foresees."""
    return target_of(action) in (JAM_SESSION, OPPORTUNITY) or virtual_of(action) > 0


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
