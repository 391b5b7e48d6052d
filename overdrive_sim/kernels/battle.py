"""Battle of Bands: order, shields, attacks and bonuses (R-BAT-01 to R-BAT-22, R-FIN-01 to R-FIN-03).

The seat in turn is ``order[position]``.  ``detail[0]`` is 1 once it has used its Fame shield; a pending
reaction keeps the attacked die in ``detail[1]`` as ``seat * 4 + face``.
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.actions import NO_SHIELD, argument_of, card_of, detail_of, pack, play, verb_of
from overdrive_sim.kernels.dice import GUARD, NIBBLES, NUMBER, ONE_EACH, SIZE, count, size
from overdrive_sim.kernels.gains import gain, has_shield, push_choice
from overdrive_sim.kernels.layout import (
    ATTACK,
    CHOOSE_REACTION,
    COOP,
    FACES,
    FAME,
    FANS,
    GRANA,
    METALLUM,
    NEXT_ATTACKER,
    OVERDRIVE,
    PASS,
    PLAY,
    SEATS,
    SHIELD,
    SHIELD_STAGE,
    SKIP,
    UNIT,
)  # fmt: skip
from overdrive_sim.kernels.listing import list_targets
from overdrive_sim.kernels.options import attacker_legal
from overdrive_sim.kernels.rules import OPTIONS, PROTECT
from simcore.bits import lowest
from simcore.kernel import kernel

REACTION = OPTIONS["protect_card"].index("reaction")
PER_DIE = OPTIONS["battle_gain"].index("per_die")
_LEVEL_BITS = 15
METALLUM_ONLY = OPTIONS["coop_attacks"].index("metallum_only")


# ------------------------------------------------------------------ order
@kernel
def is_ahead(state, a, b):
    """Whether seat ``a`` is strictly before ``b`` by Fame, Fans, Grana, Overdrive (R-TRK-13)."""
    one, other = state.seat[a], state.seat[b]
    if one.fame != other.fame:
        return one.fame > other.fame
    if one.fans != other.fans:
        return one.fans > other.fans
    if one.grana != other.grana:
        return one.grana > other.grana
    return one.overdrive > other.overdrive


@kernel
def leader(state):
    """Seat of the highest Fame; a full tie goes clockwise from the marker, its holder first (A-TURN-5)."""
    best = np.int64(state.marker)
    for step in range(1, state.seats):
        seat = (state.marker + step) % state.seats
        if is_ahead(state, seat, best):
            best = seat
    return best


@kernel
def order_clockwise(state, first):
    """Write the seats to ``order``, clockwise from ``first`` (R-ALL-02, R-BAT-07)."""
    for i in range(state.seats):
        state.order[i] = (first + i) % state.seats


@kernel
def order_by_fame(state):
    """Sort ``order`` by Fame and its tie-breaks; full ties keep their places (R-HOF-01, A-VAR-1)."""
    for i in range(1, state.seats):
        seat = state.order[i]
        k = i
        while k > 0 and is_ahead(state, seat, state.order[k - 1]):
            state.order[k] = state.order[k - 1]
            k -= 1
        state.order[k] = seat


# ------------------------------------------------------------------ shields
@kernel
def unshielded(me, face):
    """Dice of ``face`` still in play that no shield protects."""
    return count(me.pool, face) - count(me.shielded, face)


@kernel
def protects(state, rules, seat):
    """Whether ``seat`` holds a card that protects a die (#13, #14)."""
    hand = state.seat[seat].hand
    while hand != 0:
        card = lowest(hand)
        if rules.effect_kind[rules.card_number[card]] == PROTECT:
            return True
        hand &= hand - 1
    return False


@kernel
def may_shield(state, rules, seat):
    """Whether the shield step has a choice for ``seat``: a shield or card left, and a die to protect."""
    me = state.seat[seat]
    if me.pool == me.shielded:
        return False
    if state.detail[0] == 0 and has_shield(state, rules, seat):
        return True
    return rules.option.protect_card != REACTION and protects(state, rules, seat)


@kernel
def protect_plays(state, rules, seat, faces, out):
    """Write ``play`` of each different protecting card on each of ``faces`` (bits); returns how many."""
    n = 0
    hand = state.seat[seat].hand
    left = hand
    while left != 0:
        card = lowest(left)
        left &= left - 1
        if rules.effect_kind[rules.card_number[card]] != PROTECT or (hand & rules.card_twins[card]) != 0:
            continue
        for face in range(FACES):
            if (faces >> face) & 1:
                out.action[n] = play(card, face)
                n += 1
    return n


@kernel
def open_faces(me):
    """Faces (bits) of which a seat has a die in play that no shield protects."""
    faces = 0
    for face in range(FACES):
        if unshielded(me, face) > 0:
            faces |= 1 << face
    return faces


@kernel
def shield_legal(state, rules, out):
    """Legal actions of the shield step: cards, the Fame shield, ``shield none`` (R-BAT-13, A-DST-4)."""
    faces = open_faces(state.seat[state.turn])
    n = 0
    if rules.option.protect_card != REACTION:
        n = protect_plays(state, rules, state.turn, faces, out)
    if state.detail[0] == 0 and has_shield(state, rules, state.turn):
        for face in range(FACES):
            if (faces >> face) & 1:
                out.action[n] = pack(SHIELD, 0, 0, 0, 0, face)
                n += 1
    out.action[n] = pack(SHIELD, 0, 0, 0, 0, NO_SHIELD)
    return n + 1


@kernel
def play_protection(state, seat, action):
    """The ``play`` action of a card of ``seat`` that protects a die (R-DCD-13, R-DCD-14)."""
    me = state.seat[seat]
    card = np.int64(1) << card_of(action)
    me.hand ^= card
    me.used |= card
    me.shielded += UNIT[argument_of(action)]


@kernel
def shield_step(state, action):
    """``shield FACE`` or a card protects a die; ``shield none`` ends the seat's step."""
    state.stage = SHIELD_STAGE
    face = detail_of(action)
    if verb_of(action) == PLAY:
        play_protection(state, state.turn, action)
    elif face == NO_SHIELD:
        next_shield(state)
    else:
        state.seat[state.turn].shielded += UNIT[face]
        state.detail[0] = 1


@kernel
def next_shield(state):
    """The shield step goes on to the next seat of the battle order (A-BAT-8)."""
    state.position += 1
    state.detail[0] = 0


# ------------------------------------------------------------------ attacks
@kernel
def can_strike(state, attacker, target, face, needs_majority):
    """Whether ``attacker`` may remove a die of ``face`` from ``target`` (R-BAT-05, R-BAT-14, R-BAT-15)."""
    them = state.seat[target]
    if unshielded(them, face) <= 0 or size(them.pool) <= 1:
        return False
    return not needs_majority or count(state.seat[attacker].pool, face) > count(them.pool, face)


@kernel
def attack_legal(state, rules, out):
    """Legal actions of the attacker in turn: Grana, cards, abilities, one attack, ``pass`` (R-BAT-04, R-BAT-22)."""
    n = attacker_legal(state, rules, out, 0)
    if n < 0:
        return n
    attacker = np.int64(state.turn)
    if state.seat[attacker].attacked == 0:
        n = list_targets(out, n, pack(ATTACK, 0, 0, 0, 0, 0), targets_of(state, rules, attacker))
    out.action[n] = pack(PASS, 0, 0, 0, 0, 0)
    return n + 1


@kernel
def targets_of(state, rules, attacker):
    """Dice (bit seat * 4 + face) that ``attacker`` may remove: ``can_strike`` of all seats and faces at once.

    Counts of faces are compared four bits apart with a guard bit above each; seats that do not play have no dice.
    """
    mine = NIBBLES[NUMBER[state.seat[attacker].pool]] | GUARD
    only_metallum = state.mode == COOP and rules.option.coop_attacks == METALLUM_ONLY
    bits = np.int64(0)
    for target in range(SEATS):
        them = state.seat[target]
        pool = NUMBER[them.pool]
        outnumbered = mine - NIBBLES[pool] - ONE_EACH
        bare = (NIBBLES[pool] - NIBBLES[NUMBER[them.shielded]] | GUARD) - ONE_EACH
        is_target = (SIZE[pool] > 1) & (target != attacker) & (not only_metallum or them.band == METALLUM)
        guards = outnumbered & bare & GUARD
        # Guard bits stand four apart, from bit 3 on: gather them as bits 0 to 3.
        faces = (guards >> 3 | guards >> 6 | guards >> 9 | guards >> 12) & 15
        bits |= faces * is_target << (target * FACES)
    return bits


@kernel
def strike(state, rules, attacker, which):
    """``attacker`` attacks the die ``which`` (seat * 4 + face); its owner may first react (A-DST-4)."""
    state.seat[attacker].attacked = 1
    target = which // 4
    if rules.option.protect_card == REACTION and protects(state, rules, target):
        state.detail[1] = which
        push_choice(state, CHOOSE_REACTION, target)
    else:
        state.seat[target].pool -= UNIT[which % 4]


@kernel
def reaction_legal(state, rules, out):
    """Legal reactions to an attack: a card that protects the attacked die, or ``skip``."""
    which = np.int64(state.detail[1])
    n = protect_plays(state, rules, which // 4, 1 << (which % 4), out)
    out.action[n] = pack(SKIP, 0, 0, 0, 0, 0)
    return n + 1


@kernel
def reaction_step(state, action):
    """The attacked die is protected and stays, or it is lost."""
    which = np.int64(state.detail[1])
    if verb_of(action) == PLAY:
        play_protection(state, which // 4, action)
    else:
        state.seat[which // 4].pool -= UNIT[which % 4]


@kernel
def pass_step(state):
    """The attacker's turn is over (R-BAT-08)."""
    state.stage = NEXT_ATTACKER


# ------------------------------------------------------------------ bonuses
@kernel
def bonuses(state, rules, seat, dice):
    """``seat`` gains the bonuses of a dice code: one gain a track, in printed order (R-BAT-17 to R-BAT-20).

    With ``battle_gain = per_die`` each die is a gain of its own (A-ABL-3).  Metallum's roll in the
    allocation phase gives the same (A-SOL-5).
    """
    totals = np.int64(0)  # _LEVEL_BITS for each track
    for face in range(FACES):
        n, track, levels = count(dice, face), np.int64(rules.battle_track[face]), rules.battle_levels[face]
        totals += n * max(levels, 0) << (_LEVEL_BITS * track)
    for track in (GRANA, FANS, OVERDRIVE, FAME):
        levels = totals >> (_LEVEL_BITS * track) & ((1 << _LEVEL_BITS) - 1)
        if rules.option.battle_gain == PER_DIE:
            for face in range(FACES):
                if rules.battle_track[face] == track:
                    for _ in range(count(dice, face)):
                        gain(state, rules, seat, track, rules.battle_levels[face])
        elif levels > 0:
            gain(state, rules, seat, track, levels)
