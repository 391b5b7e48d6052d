"""Counting and picking, as agents are served that answer with a position, against the legal list itself."""

import numpy as np
import pytest
from hypothesis import given, settings

from overdrive_sim.game import OVERDRIVE
from overdrive_sim.kernels.battle import attack_legal
from overdrive_sim.kernels.counting import UNKNOWN, attack_count, picked, turn_count
from overdrive_sim.kernels.dice import NUMBER, SIZE
from overdrive_sim.kernels.layout import MOST_DICE, TNSHE
from overdrive_sim.kernels.mixtures import virtual_faces
from overdrive_sim.kernels.options import turn_legal
from overdrive_sim.testing import action_lists, line_ups, rule_sets
from tests.overdrive.positions import fresh, numbers
from tests.overdrive.tables import scattered
from tests.overdrive.test_turn_legal import RULE_SETS

pytestmark = pytest.mark.quick

ENGINE = OVERDRIVE.engine


def agree(state, rules, legal, count, pick):
    """Whether the legal list was counted; where it was, count and every pick are the list's."""
    listed, counted = (np.zeros(1, ENGINE.options)[0] for _ in range(2))
    before = state.tobytes()
    n = count(state, rules, counted)
    if n == UNKNOWN:
        return False
    assert n == legal(state, rules, listed)
    # The last first: picking leaves the notes as they are.
    for k in reversed(range(n)):
        assert pick(state, rules, counted, k) == listed.action[k], k
    assert state.tobytes() == before
    return True


@pytest.mark.parametrize("overrides", RULE_SETS)
@pytest.mark.parametrize("players", [2, 4])
def test_scattered_positions(overrides, players):
    """Levels, dice, Hits, cards, copies and borrowed dice at random, in turns and in battles."""
    rules = OVERDRIVE.rules(overrides)
    counted = 0
    for seed in range(40):
        state = scattered(seed * 5 + players, rules, players)
        counted += agree(state, rules.packed[0], turn_legal, turn_count, picked)
        state = scattered(seed * 5 + players, rules, players, in_battle=True)
        counted += agree(state, rules.packed[0], attack_legal, attack_count, picked)
    assert counted > 10 or "options.track_cap" in overrides


@pytest.mark.parametrize("overrides", [{}, {"options.void_allocation": "legal"}, {"options.jam_die": "stays"}])
def test_a_borrowed_die_is_counted(overrides):
    """One borrowed die beside up to five own ones, Skulls as they are."""
    rules = OVERDRIVE.rules(overrides)
    counted = 0
    for seed in range(300):
        state = scattered(seed, rules)
        me = state.seat[state.turn]
        if not me.n_locked or me.skulls_wild or SIZE[NUMBER[me.pool]] == MOST_DICE:
            continue
        me.n_locked = 1
        if not virtual_faces(state, rules.packed[0], state.turn):
            assert agree(state, rules.packed[0], turn_legal, turn_count, picked)
            counted += 1
    assert counted > 50


def test_single_use_faces_that_cannot_be_used_yet_are_no_reason_to_list():
    rules = OVERDRIVE.rules()
    counted = 0
    for seed in range(100):
        state = scattered(seed, rules)
        me = state.seat[state.turn]
        me.band, me.single_faces, me.overdrive, me.n_locked = TNSHE, 2, 0, 0
        counted += agree(state, rules.packed[0], turn_legal, turn_count, picked)
    assert counted == 100


@pytest.mark.parametrize("overrides", [{}, {"options.void_allocation": "legal"}])
@pytest.mark.parametrize("faces", [1, 2, 3])
def test_single_use_faces_are_counted(faces, overrides):
    """A-ABL-12: up to three beside own dice, six in all, Skulls as they are."""
    rules = OVERDRIVE.rules(overrides)
    counted = 0
    for seed in range(200):
        state = scattered(seed, rules)
        me = state.seat[state.turn]
        me.band, me.single_faces, me.overdrive, me.n_locked, me.skulls_wild = TNSHE, faces, 9, 0, 0
        if SIZE[NUMBER[me.pool]] + faces <= MOST_DICE:
            assert virtual_faces(state, rules.packed[0], state.turn) == faces
            assert agree(state, rules.packed[0], turn_legal, turn_count, picked)
            counted += 1
    assert counted > 50


def test_attackers_with_shielded_dice_are_counted():
    """A-BND-1: shielded dice are told from the others, in re-rolls, faces set, abilities and cards."""
    rules = OVERDRIVE.rules()
    counted = shielded = 0
    for seed in range(400):
        state = scattered(seed, rules, in_battle=True)
        if state.seat[state.turn].shielded:
            shielded += 1
            counted += agree(state, rules.packed[0], attack_legal, attack_count, picked)
    assert shielded > 100
    assert counted > 0.6 * shielded  # the others hold cards that choose faces


def played(position, choices):
    """How many of the decisions of a game of these choices were counted, and how many there were."""
    kernels, rules = ENGINE.kernels, position.rules.packed[0]
    counted, asked = 0, 0
    for number in choices:
        if position.over:
            break
        n = position.chance_count()
        if n:
            position.chance(number % n)
            continue
        asked += 1
        counted += agree(position.state[0], rules, kernels.legal, kernels.count, kernels.pick)
        legal = position.legal()
        kernels.step(position.state[0], rules, int(legal[number % len(legal)]))
    return counted, asked


@given(line_ups(), action_lists(400))
def test_positions_of_games(variant, choices):
    """Every mode, number of players and band."""
    played(fresh(variant), choices)


@given(line_ups(), rule_sets(), action_lists(400))
@settings(max_examples=25)
def test_positions_of_games_by_other_rules(variant, overrides, choices):
    """The same under up to four other readings at once."""
    played(fresh(variant, overrides), choices)


def test_most_decisions_are_counted():
    """The list is the exception: shields, pending choices."""
    counted, asked = played(fresh({"players": 4}), numbers(1, 3000))
    assert asked > 100
    assert counted > 0.93 * asked
