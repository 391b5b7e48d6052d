"""What a game's decisions were: counts of every verb, space, Hit, card and ability, a record a seat.

``observe`` is called before each decision is stepped and only where somebody wants the counts.
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.actions import card_of, detail_of, target_of, verb_of, virtual_of
from overdrive_sim.kernels.gains import level_of
from overdrive_sim.kernels.layout import (
    ABILITY,
    ALLOCATE,
    ATTACK,
    BOARD_SPACES,
    BUY_DISTORTION,
    BUY_HIT,
    BUY_LEVEL,
    CHOOSE_REACTION,
    CLAIM,
    COPY,
    COVER_BOTS,
    EFFECTS,
    FACES,
    FANS,
    GRANA,
    HIT,
    METALLUM_HIT,
    MOST_AWARDS,
    MOST_HITS,
    OVERDRIVE,
    PLAY,
    RAISE,
    SEATS,
    SHIELD,
    SHIELDS,
    VERBS,
    VICTIM,
    VIKING_STAGE,
)  # fmt: skip
from overdrive_sim.kernels.rules import (
    EXTRA_FANS,
    EXTRA_GRANA,
    EXTRA_OVERDRIVE,
    FANS_GIVE_ANY,
    FANS_GIVE_FAME,
    OVERDRIVE_GIVES_GRANA,
)  # fmt: skip
from simcore.kernel import kernel, record

#: Uses by one seat.  ``verb``: by verb; ``space``: allocations by board space, its own stage last; ``hit``:
#: allocations by Hit, ``hit_bought`` purchases; ``card``: Distortion cards played by number,
#: ``card_bought`` bought; ``ability``: A, B used (the passives are no decisions); ``copied``: A, B, C by
#: band; ``level``: Grana levels by track; ``raised``: Epic Gods' choice by track, none last; ``claim``: by
#: award; ``attack``: by face; ``lost``: attacks suffered by face; ``shield``: by face, none last;
#: ``protected``: cards played in a shield step; ``reaction``: skipped, played; ``single_faces``: TNSHE's faces
#: used; ``passive``: by ability A, B, decisions between which the track rose that sets off the passive then
#: unlocked.  ``*_round``: the round of the first use, 0 for never.  ``seen``: levels at the decision before.
SEAT_TALLY = record(
    [
        ("verb", "i2", (len(VERBS),)), ("space", "i2", (BOARD_SPACES + 1,)), ("hit", "i2", (MOST_HITS,)),
        ("hit_bought", "i2", (MOST_HITS,)), ("card", "i2", (EFFECTS + 1,)), ("card_bought", "i2", (EFFECTS + 1,)),
        ("ability", "i2", (2,)), ("copied", "i2", (3, 12)), ("level", "i2", (4,)), ("raised", "i2", (5,)),
        ("claim", "i2", (MOST_AWARDS,)), ("attack", "i2", (FACES,)), ("lost", "i2", (FACES,)),
        ("shield", "i2", (FACES + 1,)), ("protected", "i2"), ("reaction", "i2", (2,)), ("single_faces", "i2"),
        ("passive", "i2", (2,)), ("seen", "i2", (4,)),
        ("verb_round", "i2", (len(VERBS),)), ("space_round", "i2", (BOARD_SPACES + 1,)),
        ("ability_round", "i2", (2,)), ("claim_round", "i2", (MOST_AWARDS,)),
    ]
)  # fmt: skip

#: One game's counts.
TALLY = record([("seat", SEAT_TALLY, (SEATS,))])


@kernel
def observe(state, rules, action, tally):
    """Count ``action``, which the seat that is asked is about to take.

    What a human decides for Metallum counts for Metallum (seat 0).
    """
    verb = verb_of(action)
    detail = detail_of(action)
    seat = state.choice_seat[0] if state.choices > 0 else state.turn
    if verb == VICTIM or verb >= METALLUM_HIT:
        seat = 0
    mine = tally.seat[seat]
    observe_passives(state, rules, tally)
    observe_battle(state, action, verb, mine)
    mine.verb[verb] += 1
    if mine.verb_round[verb] == 0:
        mine.verb_round[verb] = state.game_round
    if verb == ALLOCATE:
        mine.single_faces += virtual_of(action)
        observe_allocation(state, mine, target_of(action))
    elif verb == ABILITY:
        which = target_of(action)
        mine.ability[which] += 1
        if mine.ability_round[which] == 0:
            mine.ability_round[which] = state.game_round
    elif verb == PLAY:
        mine.card[rules.card_number[card_of(action)]] += 1
    elif verb == BUY_DISTORTION:
        mine.card_bought[rules.card_number[detail]] += 1
    elif verb in (BUY_HIT, METALLUM_HIT):
        mine.hit_bought[target_of(action) - HIT] += 1
    elif verb == BUY_LEVEL:
        mine.level[detail] += 1
    elif verb == RAISE:
        mine.raised[detail] += 1
    elif verb == COPY:
        mine.copied[target_of(action), detail] += 1
    elif verb == CLAIM:
        mine.claim[detail] += 1
        if mine.claim_round[detail] == 0:
            mine.claim_round[detail] = state.game_round
    elif verb in (ATTACK, VICTIM):
        mine.attack[detail % 4] += 1
        tally.seat[detail // 4].lost[detail % 4] += 1


@kernel
def observe_battle(state, action, verb, mine):
    """Count a shield, a card that protects, and the answer to an attack (option protect_card)."""
    if verb == SHIELD:
        mine.shield[detail_of(action)] += 1
    elif state.choices > 0 and state.choice_kind[0] == CHOOSE_REACTION:
        mine.reaction[1 if verb == PLAY else 0] += 1
    elif verb == PLAY and state.phase == SHIELDS:
        mine.protected += 1


@kernel
def trigger(kind):
    """Track that sets off a passive of ``kind`` (rules.ability_kind), -1 where it is no passive."""
    if kind in (EXTRA_FANS, FANS_GIVE_FAME, FANS_GIVE_ANY):
        return FANS
    if kind in (EXTRA_OVERDRIVE, OVERDRIVE_GIVES_GRANA):
        return OVERDRIVE
    return GRANA if kind == EXTRA_GRANA else -1


@kernel
def observe_passives(state, rules, tally):
    """Count the passives that were set off since the decision before, and keep the levels for the next one."""
    for seat in range(state.seats):
        me = state.seat[seat]
        mine = tally.seat[seat]
        for slot in range(2):
            band = np.int64(me.copies[slot] if me.band == COVER_BOTS else me.band)
            if band >= 0 and mine.seen[OVERDRIVE] >= rules.unlock_level[slot]:
                track = trigger(rules.ability_kind[band, slot])
                if track >= 0 and level_of(me, track) > mine.seen[track]:
                    mine.passive[slot] += 1
        for track in range(4):
            mine.seen[track] = level_of(me, track)


@kernel
def observe_allocation(state, mine, target):
    """Count an allocation by board space, own stage or Hit."""
    if target >= HIT:
        mine.hit[target - HIT] += 1
        return
    space = min(target, VIKING_STAGE)
    mine.space[space] += 1
    if mine.space_round[space] == 0:
        mine.space_round[space] = state.game_round
