"""Distortion cards that a seat plays: what each may do now, and its effect (R-DCD-01 to R-DCD-14).

Cards change own unallocated dice, in a battle own dice still in play, shielded ones too (A-DST-10); the
die is protected, not its face (A-BND-1).  A card without any possible effect is not offered.
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.actions import PAIR_BASE, argument_of, card_of, pair, play
from overdrive_sim.kernels.dice import (
    CHOICE_END,
    CHOICE_START,
    CHOICES,
    CODE,
    COUNT,
    MOST_CHOSEN,
    NUMBER,
    PRESENT,
    SIZE,
    count,
    number_of,
)  # fmt: skip
from overdrive_sim.kernels.gains import gain, room_above
from overdrive_sim.kernels.layout import (
    FACES,
    FAME,
    FANS,
    LEGAL_CAPACITY,
    MULTISETS,
    OVERDRIVE,
    SEATS,
    SKULL,
    UNIT,
    VIKING_STAGE,
)  # fmt: skip
from overdrive_sim.kernels.listing import FULL, list_one, list_targets
from overdrive_sim.kernels.places import clear_target
from overdrive_sim.kernels.rules import (
    ALL_TO,
    CHOOSE_FACES,
    CLEAR_SPACE,
    EITHER_WAY,
    FACE_TO,
    GAIN_FAME,
    GAIN_FANS,
    GAIN_OVERDRIVE,
    PROTECT,
    SKULLS_TO_ONE,
    SKULLS_WILD,
)  # fmt: skip
from simcore.bits import index, lowest, popcount
from simcore.blocks import BLOCK, write_run
from simcore.kernel import kernel

_STAGES = ((1 << SEATS) - 1) << VIKING_STAGE
_PAIRS = 32
#: More than any list holds.
NOT_COUNTED = LEGAL_CAPACITY
_NONE = np.int64(-1)  # no literal, so that one version is compiled


@kernel
def play_legal(state, rules, seat, in_battle, out, n):
    """Every way to play a card of the hand; of equal cards (number and icon) the first is played."""
    hand = state.seat[seat].hand
    left = hand
    while left:
        card = lowest(left)
        left &= left - 1
        if hand & rules.card_twins[card] == 0:
            number = rules.card_number[card]
            kind = rules.effect_kind[number]
            if not in_battle:
                n = _list_card(state, rules, seat, number, play(card, 0), out, n)
            elif kind == PROTECT or not rules.option.cards_in_battle:
                n = _list_card_in_battle(state, rules, seat, number, play(card, 0), out, n)
    return n


@kernel
def play_count(state, rules, seat, in_battle):
    """How many actions ``play_legal`` lists, where no track has a cap; NOT_COUNTED where it would take the list."""
    me = state.seat[index(seat)]
    n, left = np.int64(0), me.hand
    while left:
        card = lowest(left)
        left &= left - 1
        if me.hand & rules.card_twins[index(card)] == 0:
            number = rules.card_number[index(card)]
            kind = rules.effect_kind[index(number)]
            if kind == PROTECT:
                faces = np.int64(PRESENT[index(number_of(me.pool - me.shielded))])
                n += popcount(faces) if in_battle and not rules.option.protect_card else 0
            elif not in_battle or not (rules.option.cards_in_battle or kind in (CLEAR_SPACE, SKULLS_WILD)):
                n += _count_card(state, rules, me, number)
    return n


@kernel(inline=True)
def _count_card(state, rules, me, number):
    """Ways to play a card that does not protect."""
    kind = rules.effect_kind[index(number)]
    origin, goal = np.int64(rules.effect_from[index(number)]), np.int64(rules.effect_to[index(number)])
    hand = index(number_of(me.pool))
    faces = np.int64(PRESENT[hand])
    if kind in (GAIN_FANS, GAIN_FAME, GAIN_OVERDRIVE):
        return np.int64(1)
    if kind == CLEAR_SPACE:
        return popcount(np.int64(state.occupied) & ~_STAGES)
    if kind == SKULLS_WILD:
        return np.int64((me.pool > 0) & (me.skulls_wild == 0))
    if kind == ALL_TO:
        return np.int64(me.pool != SIZE[hand] * UNIT[goal])
    if kind == FACE_TO:
        return faces >> origin & 1
    if kind == EITHER_WAY:
        return (faces >> origin & 1) + (faces >> goal & 1)
    if kind == SKULLS_TO_ONE:
        return _count_skulls(rules, np.int64(COUNT[hand, SKULL]))
    if kind == CHOOSE_FACES:
        if me.shielded:
            return np.int64(NOT_COUNTED)
        most = min(np.int64(rules.effect_amount[number]), MOST_CHOSEN)
        return np.int64(CHOICE_END[hand, index(most)]) - np.int64(CHOICE_START[hand])
    return np.int64(0)


@kernel
def _count_skulls(rules, skulls):
    """Ways to turn so many own Skulls (#5)."""
    if skulls == 0:
        return np.int64(0)
    if not rules.option.card5:
        return np.int64(FACES - 1)
    n = np.int64(0)
    for number in range(MULTISETS):
        n += (SIZE[number] == skulls) & (COUNT[number, SKULL] == 0)
    return n


@kernel
def _list_card(state, rules, seat, number, base, out, n):
    """A card in the own allocation turn."""
    kind = rules.effect_kind[number]
    if kind == CLEAR_SPACE:
        # On the board or a Hit card: no Viking stage (A-ABL-10).
        return list_targets(out, n, base, np.int64(state.occupied) & ~_STAGES)
    if kind == SKULLS_WILD:
        me = state.seat[seat]
        if me.pool > 0 and not me.skulls_wild:
            return list_one(out, n, base)
        return n
    return _list_common(state, rules, seat, number, base, out, n)


@kernel
def _list_card_in_battle(state, rules, seat, number, base, out, n):
    """A card in the own attacker turn (A-DST-3); #13 and #14 unless they are kept for reactions (A-DST-4)."""
    kind = rules.effect_kind[number]
    if kind == PROTECT:
        me = state.seat[seat]
        if not rules.option.protect_card:
            return list_targets(out, n, base, np.int64(PRESENT[NUMBER[me.pool - me.shielded]]))
        return n
    if kind in (CLEAR_SPACE, SKULLS_WILD):
        return n
    return _list_common(state, rules, seat, number, base, out, n)


@kernel
def _list_common(state, rules, seat, number, base, out, n):
    """Effects on tracks and on own dice."""
    me = state.seat[seat]
    kind = rules.effect_kind[number]
    origin, goal = np.int64(rules.effect_from[number]), np.int64(rules.effect_to[number])
    is_possible = False
    if kind in (GAIN_FANS, GAIN_FAME, GAIN_OVERDRIVE):
        is_possible = room_above(state, rules, seat, track_of(kind)) > 0
    elif kind == ALL_TO:
        is_possible = me.pool != SIZE[NUMBER[me.pool]] * UNIT[goal]
    elif kind == FACE_TO:
        is_possible = count(me.pool, origin) > 0
    elif kind == EITHER_WAY:
        low, high = min(origin, goal), max(origin, goal)
        if count(me.pool, low) > 0:
            n = list_one(out, n, base + pair(low, 0, high))
        if count(me.pool, high) > 0:
            n = list_one(out, n, base + pair(high, 0, low))
    elif kind == SKULLS_TO_ONE:
        n = _list_skulls(me, rules, base, out, n)
    elif kind == CHOOSE_FACES:
        n = _list_choices(me, min(np.int64(rules.effect_amount[number]), MOST_CHOSEN), base, out, n)
    if is_possible:
        n = list_one(out, n, base)
    return n


@kernel
def track_of(kind):
    """Track that a GAIN effect raises."""
    if kind == GAIN_FANS:
        return np.int64(FANS)
    if kind == GAIN_FAME:
        return np.int64(FAME)
    return np.int64(OVERDRIVE)


@kernel
def _list_skulls(me, rules, base, out, n):
    """#5: all own Skulls to one other face, or with card5 = each_free each to any other (A-DST-6)."""
    skulls = count(me.pool, SKULL)
    if skulls == 0:
        return n
    if not rules.option.card5:
        return list_targets(out, n, base, np.int64(((1 << FACES) - 1) & ~(1 << SKULL)))
    for number in range(MULTISETS):
        if SIZE[number] == skulls and COUNT[number, SKULL] == 0:
            n = list_one(out, n, base + number)
    return n


@kernel
def _list_choices(me, most, base, out, n):
    """#7, #9: up to ``most`` dice to any faces, each result once (A-DST-8)."""
    if me.shielded == 0:
        hand = NUMBER[me.pool]
        first, last = np.int64(CHOICE_START[hand]), np.int64(CHOICE_END[hand, most])
        if n + last - first + BLOCK > LEGAL_CAPACITY:
            return FULL
        return write_run(out.action, n, CHOICES, first, last - first, 0, 0, base)
    return _list_shielded_choices(me, most, base, out, n)


@kernel
def _list_shielded_choices(me, most, base, out, n):
    """The same where some dice are shielded and are told from the others.

    Only pairs that are possible by themselves (``able``, bits) can be part of a choice.
    """
    able = np.int64(0)
    for pair_code in range(_PAIRS):
        able |= np.int64(_is_there(me, pair_code, pair_code, _NONE, _NONE)) << pair_code
    firsts = able
    while firsts:
        a = lowest(firsts)
        firsts &= firsts - 1
        n = list_one(out, n, base + a + 1)
    if most < 2:
        return n
    seconds = able
    while seconds:
        b = lowest(seconds)
        seconds &= seconds - 1
        firsts = able & ((2 << b) - 1)
        while firsts:
            a = lowest(firsts)
            firsts &= firsts - 1
            if _is_choice(me, a, b, _NONE):
                n = list_one(out, n, base + a + 1 + (b + 1) * PAIR_BASE)
    if most < 3:
        return n
    thirds = able
    while thirds:
        c = lowest(thirds)
        thirds &= thirds - 1
        seconds = able & ((2 << c) - 1)
        while seconds:
            b = lowest(seconds)
            seconds &= seconds - 1
            firsts = able & ((2 << b) - 1)
            while firsts:
                a = lowest(firsts)
                firsts &= firsts - 1
                if _is_choice(me, a, b, c):
                    n = list_one(out, n, base + a + 1 + (b + 1) * PAIR_BASE + (c + 1) * PAIR_BASE * PAIR_BASE)
    return n


@kernel
def _is_choice(me, a, b, c):
    """Whether the ascending pairs a, b, c (-1: none) are a choice of faces in its canonical form."""
    return (
        _is_there(me, a, a, b, c)
        and (b < 0 or (_agree(a, b) and _is_there(me, b, a, b, c)))
        and (c < 0 or (_agree(a, c) and _agree(b, c) and _is_there(me, c, a, b, c)))
    )


@kernel
def _is_there(me, one, a, b, c):
    """Whether pair ``one`` changes a face, and the seat has enough dice for all pairs that leave its face."""
    origin = one // 4
    needed = (a // 4 == origin) + (b >= 0 and b // 4 == origin) + (c >= 0 and c // 4 == origin)
    if origin >= FACES:
        there = count(me.shielded, origin - FACES)
    else:
        there = count(me.pool - me.shielded, origin)
    return origin % FACES != one % 4 and there >= needed


@kernel
def _agree(low, high):
    """Whether two ascending pairs match in order and leave no face that the other enters, among equal dice."""
    if low // 16 != high // 16:
        return True
    return low % 4 <= high % 4 and low // 4 % 4 != high % 4 and low % 4 != high // 4 % 4


# ------------------------------------------------------------------ what happens
@kernel
def recolour(me, origin, goal):
    """All own dice of one face turn to another, shielded ones too."""
    step = UNIT[goal] - UNIT[origin]
    me.pool += count(me.pool, origin) * step
    me.shielded += count(me.shielded, origin) * step


@kernel
def change_die(me, change):
    """One own die changes its face by a pair code (the shielded one where the pair says so)."""
    step = UNIT[change % 4] - UNIT[change // 4 % FACES]
    me.pool += step
    if change // 4 >= FACES:
        me.shielded += step


@kernel
def play_step(state, rules, seat, action):
    """The card of a ``play`` action goes from hand to used, and takes effect (R-DST-01, R-DST-05)."""
    me = state.seat[seat]
    card, argument = card_of(action), argument_of(action)
    me.hand ^= np.int64(1) << card
    me.used |= np.int64(1) << card
    number = rules.card_number[card]
    kind = rules.effect_kind[number]
    goal = np.int64(rules.effect_to[number])
    if kind in (GAIN_FANS, GAIN_FAME, GAIN_OVERDRIVE):
        gain(state, rules, seat, track_of(kind), rules.effect_amount[number])
    elif kind == CLEAR_SPACE:
        clear_target(state, rules, seat, argument)
    elif kind == SKULLS_TO_ONE:
        if rules.option.card5:
            _spread_skulls(me, argument)
        else:
            recolour(me, SKULL, argument)
    elif kind == SKULLS_WILD:
        me.skulls_wild = 1
    elif kind == CHOOSE_FACES:
        while argument:
            change_die(me, argument % PAIR_BASE - 1)
            argument //= PAIR_BASE
    elif kind == ALL_TO:
        me.pool = SIZE[NUMBER[me.pool]] * UNIT[goal]
        me.shielded = SIZE[NUMBER[me.shielded]] * UNIT[goal]
    elif kind == FACE_TO:
        recolour(me, np.int64(rules.effect_from[number]), goal)
    elif kind == EITHER_WAY:
        recolour(me, argument // 4, argument % 4)
    elif kind == PROTECT:
        me.shielded += UNIT[argument]


@kernel
def _spread_skulls(me, number):
    """All own Skulls become the dice of multiset ``number``; shielded ones take its lowest faces first."""
    skulls, shielded = count(me.pool, SKULL), count(me.shielded, SKULL)
    me.pool += CODE[number] - skulls * UNIT[SKULL]
    me.shielded -= shielded * UNIT[SKULL]
    for face in range(FACES):
        taken = min(shielded, COUNT[number, face])
        me.shielded += taken * UNIT[face]
        shielded -= taken
