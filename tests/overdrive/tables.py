"""States for tests: positions laid out at random, and the kernels that lay dice."""

import random

import numpy as np

from overdrive_sim.game import OVERDRIVE
from overdrive_sim.kernels import piles, places
from overdrive_sim.kernels.layout import (
    ALLOCATION,
    ATTACKS,
    COVER_BOTS,
    FACES,
    HIT,
    HORNS,
    MOST_PLACES,
    NO_CHANCE,
    SKULL,
    TNSHE,
    UNIT,
    VIKING_STAGE,
    WAIT,
)  # fmt: skip


def fresh(variant, rules):
    """A state of a new game at the first decision of its first turn, dice thrown all alike."""
    kernels = OVERDRIVE.engine.kernels
    state = OVERDRIVE.engine.new_state()[0]
    kernels.reset(state, rules.packed[0], OVERDRIVE.setup(variant, rules)[0])
    while kernels.chance_count(state, rules.packed[0]):
        kernels.apply_chance(state, rules.packed[0], 0)
    return state


def code(faces):
    return sum(UNIT[face] for face in faces)


def laid(state, rules, owner, target, place, placer, faces):
    for face in faces:
        places.lay(state, rules, owner, target, place, placer, face)


def scattered(seed, rules, players=4, in_battle=False):
    """A random state of the own turn: levels, dice in hand and on the board, Hits, cards, copies, borrowed dice."""
    rnd = random.Random(seed)
    table = rules.packed[0]
    state = fresh({"players": players, "bands": _bands(rnd, players)}, rules)
    places.clear_board(state)
    hits = list(range(int(table.hits)))
    rnd.shuffle(hits)
    state.hit_row[:] = hits[:3]
    for hit in hits[3 : 3 + rnd.randrange(6)]:
        owner = rnd.randrange(players)
        state.hit_owner[hit] = owner
        state.seat[owner].hits |= 1 << hit
        state.cancelled[hit] = rnd.choice([face for face in range(5) if table.hit_cancels[hit, face]])
    places.note_hits(state, table)
    cards = list(range(int(table.cards)))
    rnd.shuffle(cards)
    piles.set_row(state, table, sum(1 << card for card in cards[: rnd.randrange(4)]))
    state.turn = rnd.randrange(players)
    state.awards = rnd.randrange(16)
    state.phase, state.stage, state.chance = (ATTACKS if in_battle else ALLOCATION), WAIT, NO_CHANCE
    for seat in range(players):
        _seat(rnd, state, table, seat, players, hits)
    me = state.seat[state.turn]
    me.hand = sum(1 << card for card in cards[3 : 3 + rnd.choice([0, 0, 1, 2, 4])])
    size = rnd.randrange(1, 5) if in_battle else rnd.randrange(0, 7 - int(me.on_board))
    pool = [rnd.choice([HORNS, SKULL, SKULL, 2, 2, 3]) for _ in range(size)]
    me.pool = code(pool)
    me.shielded = code(pool[: rnd.choice([0, 0, 1, 2])]) if in_battle else 0
    if not in_battle:
        me.skulls_wild = rnd.random() < 0.2
        others = [seat for seat in range(players) if seat != state.turn]
        entries = sorted(
            rnd.choice(others) * FACES + rnd.randrange(FACES) for _ in range(rnd.choice([0, 0, 0, 1, 2, 3]))
        )
        me.locked[: len(entries)] = entries
        me.n_locked = len(entries)
    return state


def _bands(rnd, players):
    bands = [str(name) for name in np.array(OVERDRIVE_BANDS)]
    rnd.shuffle(bands)
    return bands[:players]


OVERDRIVE_BANDS = (
    "starssacration", "dead_and_death", "rebeldogs", "allienogenn", "illuminatti_you_2", "shirtless_vikings",
    "arcane_possession", "cover_bots", "tnshe", "powergirls", "epic_gods",
)  # fmt: skip


def _seat(rnd, state, table, seat, players, hits):
    me = state.seat[seat]
    me.fans, me.fame, me.overdrive = (rnd.choice([0, 1, 3, 5, 9, 19, 20]) for _ in range(3))
    me.grana = rnd.choice([0, 0, 1, 2, 5, 11])
    me.extra_dice = rnd.randrange(3)
    me.abilities_used = rnd.choice([0, 0, 1, 2])
    me.bought_hit, me.bought_distortion, me.claimed = (rnd.random() < 0.3 for _ in range(3))
    me.single_faces = rnd.randrange(3)
    if me.band == COVER_BOTS:
        others = [int(state.seat[k].band) for k in range(players) if k != seat]
        me.copies[:] = [rnd.choice([*others, TNSHE]), rnd.choice([*others, TNSHE]), rnd.choice(others)]
    if state.phase == ATTACKS:
        me.pool = code(rnd.choices(range(FACES), k=rnd.randrange(1, 5)))
        return
    for _ in range(rnd.randrange(4)):
        target = rnd.choice([*range(10), VIKING_STAGE + rnd.randrange(players), HIT + rnd.choice(hits[:6])])
        room = int(table.space_places[target]) if target < HIT - 5 else 1
        place = 0 if room == 0 else rnd.randrange(room)
        if room and state.dice_at[target * MOST_PLACES + place]:
            continue
        for face in rnd.choices(range(FACES), k=min(rnd.choice([1, 1, 2, 3]), 6 - int(me.on_board))):
            places.lay(state, table, seat, target, place, rnd.randrange(players), face)
