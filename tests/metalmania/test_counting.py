"""Counting and picking, as agents are served that answer with a position, against the legal list itself."""

import itertools

import numpy as np
import pytest
from hypothesis import example, given, settings

from metalmania_sim.game import METALMANIA
from metalmania_sim.kernels import dice
from metalmania_sim.kernels.counting import UNKNOWN
from metalmania_sim.testing import action_lists, line_ups, rule_sets
from simcore.position import Position

pytestmark = pytest.mark.quick

ENGINE = METALMANIA.engine


def agree(state, rules):
    """Whether the legal list was counted; where it was, count and every pick are the list's."""
    kernels = ENGINE.kernels
    listed, notes = (np.zeros(1, ENGINE.options)[0] for _ in range(2))
    before = state.tobytes()
    n = kernels.count(state, rules, notes)
    if n == UNKNOWN:
        return False
    assert n == kernels.legal(state, rules, listed)
    # The last first: picking leaves the notes as they are.
    for k in reversed(range(n)):
        assert kernels.pick(state, rules, notes, k) == listed.action[k], k
    assert state.tobytes() == before
    return True


def played(position, choices):
    """How many of the decisions of a game of these choices were counted, how many there were, and their stages."""
    kernels, rules = ENGINE.kernels, position.rules.packed[0]
    counted, stages = 0, []
    for number in choices:
        if position.over:
            break
        n = position.chance_count()
        if n:
            position.chance(number % n)
            continue
        stages.append(int(position.state[0].stage))
        counted += agree(position.state[0], rules)
        legal = position.legal()
        kernels.step(position.state[0], rules, int(legal[number % len(legal)]))
    return counted, stages


@given(line_ups(), action_lists(400))
def test_positions_of_games(variant, choices):
    """Every number of players, any boards: by the shipped rules nothing is left to the list."""
    counted, stages = played(Position.new(METALMANIA, variant), choices)
    assert counted == len(stages)


@given(line_ups(), rule_sets(), action_lists(400))
@example({"players": 3}, {"options.bonus_amount": "split"}, [7919 * k % 46656 for k in range(400)])
@example({"players": 3}, {"options.event7": "forced", "options.event7_price": "free"}, [k * k for k in range(400)])
@settings(max_examples=40)
def test_positions_of_games_by_other_rules(variant, overrides, choices):
    """The same under up to four other readings at once."""
    played(Position.new(METALMANIA, variant, METALMANIA.rules(overrides)), choices)


def test_every_kind_of_decision_is_counted():
    """Long games meet all stages at which the shipped rules ask."""
    seen = set()
    for seed in range(3):
        numbers = np.random.default_rng(seed).integers(0, 6**6, 3000).tolist()
        counted, stages = played(Position.new(METALMANIA, {"players": 4}), numbers)
        assert counted == len(stages) > 100
        seen |= set(stages)
    assert len(seen) == 13


@pytest.mark.parametrize("n", [4, 5])
def test_arrangements_are_the_same_in_a_quarter_of_the_space(n):
    """Every throw of four or five dice has rows of its own, and both tables hold the same ``place`` actions there."""
    state = ENGINE.new_state()[0]
    state.dice_count = n
    seen = set()
    for values in itertools.combinations_with_replacement(range(1, 7), n):
        for k in range(n):
            state.dice[k] = values[k]
        code, is_usual = dice.code_of(state)
        assert is_usual
        rows = range(dice.WAY_START[code], dice.WAY_START[code + 1])
        assert len(rows) == len(set(itertools.permutations(values)))
        assert not seen & set(rows)
        seen |= set(rows)
        for row in rows:
            assert (
                dice.any_place(state) + dice.arranged(row) == dice.any_place(state) & ~((1 << 35) - 1) | dice.WAYS[row]
            )


def test_dice_of_a_throw_come_without_a_division():
    for outcome in range(6**6):
        assert dice.lowest_of(outcome) == (outcome % 6 + 1, outcome // 6)
