"""Games under any rules keep the invariants of the rulings (MM-R121 to MM-R129)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metalmania_sim.game import METALMANIA
from metalmania_sim.invariants import BrokenRuleError, check_change, check_invariants, walk
from metalmania_sim.kernels.layout import KEYBOARD
from metalmania_sim.testing import action_lists, line_ups, rule_sets
from simcore.position import Position

pytestmark = pytest.mark.quick


@given(line_ups(), rule_sets(), action_lists())
def test_invariants_hold_under_any_rules(variant, overrides, numbers):
    """MM-R121, MM-R122, MM-R123, MM-R124, MM-R125, MM-R126, MM-R129."""
    walk(Position.new(METALMANIA, variant, METALMANIA.rules(overrides)), numbers)


@settings(max_examples=10)
@given(st.integers(2, 5), st.integers(0, 2**32 - 1))
def test_whole_games_end_with_a_winner(players, seed):
    """MM-R119, MM-R128, MM-D09."""
    position = Position.new(METALMANIA, {"players": players})
    numbers = np.random.default_rng(seed).integers(0, 6**6, 20_000).tolist()
    walk(position, numbers, check=False)
    assert position.over
    check_invariants(position.state[0], position.rules.packed[0])
    assert position.shares().sum() == 1
    assert position.legal().size == 0


@given(line_ups(), rule_sets(), action_lists(150))
def test_same_numbers_same_game(variant, overrides, numbers):
    """MM-R127: chance and decisions alone make the game."""
    rules = METALMANIA.rules(overrides)
    one, other = Position.new(METALMANIA, variant, rules), Position.new(METALMANIA, variant, rules)
    before = rules.packed.tobytes()
    walk(one, numbers, check=False)
    walk(other, numbers, check=False)
    assert one.state.tobytes() == other.state.tobytes()
    assert rules.packed.tobytes() == before


BROKEN = {
    "artist 0 is in two places": lambda s: s.__setitem__("display", int(s.display) | 1),
    "are nowhere": lambda s: s.__setitem__("deck", 0),
    "-1 \\$": lambda s: s.seat[0].__setitem__("money", -1),
    "1 fame from": lambda s: s.seat[0].__setitem__("fame", 1),
    "fifth artist -1": lambda s: s.seat[1].__setitem__("fifth", KEYBOARD),
    "does not play": lambda s: s.seat[0].artist.__setitem__([0, 1], s.seat[0].artist[[1, 0]]),
    "condition 3": lambda s: s.seat[0].condition.__setitem__(0, 3),
    "level 4": lambda s: s.seat[0].level.__setitem__(0, 4),
    "points of level": lambda s: s.seat[0].points.__setitem__(0, 1),
    "lie on the table": lambda s: s.seat[0].__setitem__("company", 2),
    "asks seat 3": lambda s: s.__setitem__("asked", 3),
    "winner 0": lambda s: s.__setitem__("winner", 0),
    "noted otherwise": lambda s: s.__setitem__("dice_seats", 1),
    "waits for one of 0 outcomes": lambda s: s.__setitem__("outcomes", 0),
}


@pytest.mark.parametrize("says", BROKEN)
def test_a_broken_state_is_named(says):
    position = Position.new(METALMANIA, {"players": 2})
    check_invariants(position.state[0], position.rules.packed[0])
    BROKEN[says](position.state[0])
    with pytest.raises(BrokenRuleError, match=says):
        check_invariants(position.state[0], position.rules.packed[0])


def test_a_falling_level_is_named():
    position = Position.new(METALMANIA, {"players": 2})
    before = position.state.copy()
    before[0].seat[0].level[1] = 2
    with pytest.raises(BrokenRuleError, match="levels changed"):
        check_change(before[0], position.rules.packed[0], position.state[0])
