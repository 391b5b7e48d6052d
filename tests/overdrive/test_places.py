"""Dice on the board: what follows from the seats' lists is always in step with them."""

import random

import numpy as np
import pytest

from overdrive_sim.game import OVERDRIVE
from overdrive_sim.kernels import places
from overdrive_sim.kernels.layout import (
    APPEARANCE,
    CHORD,
    FACES,
    HIT,
    HORNS,
    IMPROVISATION,
    INFLUENCE,
    JAM_SESSION,
    MOST_PLACES,
    RESOURCES,
    SEATS,
    SKULL,
    TARGETS,
    UNIT,
    VIKING_STAGE,
)  # fmt: skip
from tests.overdrive.tables import code, fresh, scattered

pytestmark = pytest.mark.quick

RULES = OVERDRIVE.rules()
TABLE = RULES.packed[0]
FOUR = {"players": 4, "bands": ["rebeldogs", "shirtless_vikings", "powergirls", "tnshe"]}


def lists(state):
    """(owner, target, place, placer, face) of every die on the board."""
    found = []
    for owner in range(SEATS):
        for entry in state.seat[owner].board[: state.seat[owner].on_board]:
            spot, rest = divmod(int(entry), 32)
            found.append((owner, spot // MOST_PLACES, spot % MOST_PLACES, rest // FACES, rest % FACES))
    return found


def check_in_step(state, table):
    dice_at, lying, busy = np.zeros(TARGETS * MOST_PLACES, int), np.zeros(TARGETS, int), np.zeros(TARGETS, int)
    for owner, target, place, _, face in lists(state):
        dice_at[target * MOST_PLACES + place] += 1
        lying[target] |= 1 << (owner * FACES + face)
        busy[target] |= 1 << place
    full = 0
    for target in range(TARGETS):
        room = int(table.space_places[target]) if target < VIKING_STAGE else 1
        full |= int(room > 0 and busy[target] == (1 << room) - 1) << target
    assert state.dice_at.tolist() == dice_at.tolist()
    assert state.lying.tolist() == lying.tolist()
    assert state.busy[:TARGETS].tolist() == busy.tolist()
    assert int(state.occupied) == sum(1 << target for target in range(TARGETS) if busy[target])
    assert int(state.full) == full


@pytest.mark.parametrize("seed", range(40))
def test_whatever_happens_the_board_is_in_step(seed):
    """R-ALL-03, R-ALL-07, R-SPC-06, R-SPC-09: a random series of everything that moves dice."""
    rnd = random.Random(seed)
    rules = OVERDRIVE.rules({"options.jam_die": "stays"}) if seed % 5 == 0 else RULES
    table = rules.packed[0]
    state = scattered(seed, rules)
    for seat in range(4):
        state.seat[seat].n_locked = 0
    check_in_step(state, table)
    for _ in range(40):
        seat, what = rnd.randrange(4), rnd.randrange(5)
        me = state.seat[seat]
        if what == 0:
            places.collect(state, seat)
            assert me.on_board == 0
        elif what == 1 and state.occupied:
            target = rnd.choice([d[1] for d in lists(state)])
            places.clear_target(state, table, seat, target)
            assert not any(d[1] == target for d in lists(state))
            me.spent = 0
        elif what == 2:
            others = [d for d in lists(state) if d[0] != seat]
            if others and me.n_locked < 3:
                owner, target, _, _, face = rnd.choice(others)
                before = len(lists(state))
                places.borrow(state, table, seat, target, owner, face)
                assert len(lists(state)) == before - (seed % 5 != 0)
                assert owner * FACES + face in me.locked[: me.n_locked]
                assert me.locked[: me.n_locked].tolist() == sorted(me.locked[: me.n_locked])
        else:
            target = rnd.choice([APPEARANCE, IMPROVISATION, RESOURCES, JAM_SESSION, HIT + int(state.hit_row[0])])
            place = places.free_place(state, table, seat, target)
            room = 6 - max(int(state.seat[k].on_board) for k in range(4))
            if place >= 0 and room > 3:
                own = [rnd.randrange(FACES) for _ in range(rnd.randrange(1, 3))]
                places.put(state, table, seat, target, place, code(own), rnd.randrange(1 << int(me.n_locked)))
        check_in_step(state, table)
    places.clear_board(state)
    check_in_step(state, table)
    assert lists(state) == []


def test_a_space_with_dice_left_stays_occupied_and_a_place_without_is_free():
    """A-SPC-6."""
    state = fresh(FOUR, RULES)
    places.lay(state, TABLE, 1, APPEARANCE, 0, 1, CHORD)
    places.lay(state, TABLE, 1, APPEARANCE, 0, 1, SKULL)
    places.borrow(state, TABLE, 0, APPEARANCE, 1, CHORD)
    assert places.free_place(state, TABLE, 0, APPEARANCE) == -1
    places.borrow(state, TABLE, 0, APPEARANCE, 1, SKULL)
    assert places.free_place(state, TABLE, 0, APPEARANCE) == 0
    assert state.seat[0].locked[:2].tolist() == [1 * FACES + SKULL, 1 * FACES + CHORD]
    places.give_back_borrowed(state, 0)
    assert state.seat[0].n_locked == 0


def test_the_owners_own_placement_is_taken_first():
    state = fresh(FOUR, RULES)
    places.lay(state, TABLE, 1, IMPROVISATION, 0, 2, SKULL)
    places.lay(state, TABLE, 1, IMPROVISATION, 1, 1, SKULL)
    places.borrow(state, TABLE, 0, IMPROVISATION, 1, SKULL)
    assert lists(state) == [(1, IMPROVISATION, 0, 2, SKULL)]
    assert places.free_place(state, TABLE, 0, IMPROVISATION) == 1


def test_cleared_dice_of_the_acting_seat_are_spent_and_others_go_home():
    """A-SPC-8, with returned_dice = reusable as the other reading."""
    for returned, pool, spent in (("spent", 0, UNIT[CHORD]), ("reusable", UNIT[CHORD], 0)):
        rules = OVERDRIVE.rules({"options.returned_dice": returned})
        state = fresh(FOUR, rules)
        state.seat[0].pool = 0
        places.lay(state, rules.packed[0], 0, IMPROVISATION, 0, 0, CHORD)
        places.lay(state, rules.packed[0], 2, IMPROVISATION, 1, 0, HORNS)
        places.clear_target(state, rules.packed[0], 0, IMPROVISATION)
        assert (int(state.seat[0].pool), int(state.seat[0].spent)) == (pool, spent)
        assert (int(state.seat[2].spent), int(state.seat[2].on_board)) == (0, 0)


def test_which_targets_are_open():
    """R-BRD-04, R-SET-09, R-HIT-01, R-HIT-09, A-ABL-10."""
    state = fresh({"players": 2, "bands": ["rebeldogs", "shirtless_vikings"]}, RULES)
    assert places.free_place(state, TABLE, 0, 0) == -1  # Acoustic is closed
    assert places.free_place(state, TABLE, 1, VIKING_STAGE + 1) == 0
    assert places.free_place(state, TABLE, 0, VIKING_STAGE + 1) == -1
    for k in range(5):
        assert places.free_place(state, TABLE, 0, RESOURCES) == 0
        places.lay(state, TABLE, k % 2, RESOURCES, 0, k % 2, INFLUENCE)
    on_table = int(state.hit_row[1])
    unseen = next(hit for hit in range(int(TABLE.hits)) if hit not in state.hit_row)
    assert places.free_place(state, TABLE, 0, HIT + on_table) == 0
    assert places.free_place(state, TABLE, 0, HIT + unseen) == -1
    state.seat[1].hits |= 1 << unseen
    assert places.free_place(state, TABLE, 0, HIT + unseen) == 0
