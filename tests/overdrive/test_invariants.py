"""Whatever is played, the rules hold: every mode, number of players, band and rule option (rulings, section 4)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overdrive_sim.kernels.engine import ENGINE
from overdrive_sim.kernels.layout import STANDARD
from overdrive_sim.testing import (
    BrokenRuleError,
    action_lists,
    check_invariants,
    check_legal,
    check_step,
    line_ups,
    rule_sets,
    walk,
)
from simcore.protocol import SHARES
from simcore.streams import RNG
from tests.overdrive.positions import at, fresh, numbers, setup_of

pytestmark = pytest.mark.quick

KERNELS = ENGINE.kernels
#: More steps than any game of random play takes.
WHOLE_GAME = 6000


def play_out(position, seed, check=True):
    walk(position, numbers(seed, WHOLE_GAME), check)
    assert position.over
    return position


@given(line_ups(), action_lists(400))
def test_every_step_keeps_the_rules(variant, choices):
    """R-AWD-11, R-HIT-13, R-DST-09, R-SPC-08a, R-ALL-08, R-BAT-15, R-GRA-15 and the rest of section 4."""
    position = fresh(variant)
    check_invariants(position.state[0], position.rules.packed[0])
    walk(position, choices)


@given(line_ups(), rule_sets(), action_lists(400))
def test_every_rule_option_keeps_the_rules(variant, overrides, choices):
    """The same under up to four other readings at once."""
    walk(fresh(variant, overrides), choices)


@given(line_ups(), rule_sets(2), st.integers(0, 2**32 - 1))
@settings(max_examples=25)
def test_every_game_ends_and_is_won(variant, overrides, seed):
    """R-GAM-02, R-END-02, R-END-03: eight rounds, then win shares of 1 in all that agree with the result."""
    position = play_out(fresh(variant, overrides), seed)
    rules = position.rules.packed[0]
    result, shares = np.zeros(1, ENGINE.result)[0], np.zeros(1, SHARES)[0]
    KERNELS.outcome(position.state[0], rules, result)
    KERNELS.returns(position.state[0], rules, shares)
    seats = result["seats"]
    assert result["rounds"] == 8
    assert abs(shares["share"].sum() - 1.0) < 1e-12
    assert np.array_equal(shares["share"][:seats], result["seat"]["share"][:seats])
    assert (shares["share"] >= 0).all()
    assert result["seat"]["rank"][:seats].min() == 1
    if result["mode"] == STANDARD:
        assert ((shares["share"][:seats] > 0) == (result["seat"]["rank"][:seats] == 1)).all()
        assert result["humans_win"] == -1
    else:
        assert (shares["share"][0] == 0.0) == (result["humans_win"] == 1)
    for seat in result["seat"][:seats]:
        parts = ("fans", "fame", "overdrive", "special", "hit", "award", "symbol")
        assert seat["total"] == sum(seat[f"{part}_points"] for part in parts)
        assert seat["symbol_points"] <= seat["symbols"].sum() + (seat["award"] >= 0)


@given(line_ups(), action_lists(300))
def test_looking_changes_nothing(variant, choices):
    """``legal``, ``chance_count``, ``to_act``, ``returns`` and ``outcome`` leave state and rules as they are."""
    position = fresh(variant)
    walk(position, choices, check=False)
    state, rules = position.state[0], position.rules.packed[0]
    before, rules_before = position.state.tobytes(), position.rules.packed.tobytes()
    position.legal()
    KERNELS.chance_stream(state, rules)
    KERNELS.to_act(state)
    KERNELS.returns(state, rules, np.zeros(1, SHARES)[0])
    KERNELS.outcome(state, rules, np.zeros(1, ENGINE.result)[0])
    assert position.state.tobytes() == before
    assert position.rules.packed.tobytes() == rules_before


@given(line_ups(), action_lists(300))
def test_the_same_choices_lead_to_the_same_state(variant, choices):
    """An engine is deterministic, and a state is whole: nothing of an earlier game shines through."""
    used = fresh(variant)
    walk(used, choices, check=False)
    KERNELS.reset(used.state[0], used.rules.packed[0], setup_of(variant, used.rules)[0])
    new = fresh(variant)
    assert used.state.tobytes() == new.state.tobytes()
    walk(used, choices, check=False)
    walk(new, choices, check=False)
    assert used.state.tobytes() == new.state.tobytes()


@given(line_ups(), action_lists(300), st.integers(1, 4))
def test_hiding_keeps_the_rules(variant, choices, viewer):
    """A redacted state is one that might be: it keeps every invariant and can be played on."""
    position = fresh(variant)
    walk(position, choices, check=False)
    if position.over:
        return
    KERNELS.hide(position.state[0], position.rules.packed[0], viewer, np.zeros(1, RNG)[0])
    check_invariants(position.state[0], position.rules.packed[0])
    walk(position, numbers(viewer, 50))


@given(line_ups(), st.integers(0, 2**32 - 1))
@settings(max_examples=20)
def test_the_tally_counts_every_decision(variant, seed):
    """``observe`` counts each action once, for the seat that takes it, and leaves the state alone."""
    position = fresh(variant)
    tally = np.zeros(1, ENGINE.tally)[0]
    steps = 0
    for number in numbers(seed, WHOLE_GAME):
        if position.over:
            break
        n = position.chance_count()
        if n:
            position.chance(number % n)
            continue
        legal = position.legal()
        action = int(legal[number % len(legal)])
        before = position.state.tobytes()
        KERNELS.observe(position.state[0], position.rules.packed[0], action, tally)
        assert position.state.tobytes() == before
        position.step(action)
        steps += 1
    seats = tally["seat"]
    assert seats["verb"].sum() == steps
    assert seats["space"].sum() + seats["hit"].sum() == seats["verb"][:, 0].sum()
    assert ((seats["verb"] > 0) == (seats["verb_round"] > 0)).all()
    assert seats["attack"].sum() == seats["lost"].sum()


# ------------------------------------------------------------------ the checks can fail
def set_field(name, value):
    def corrupt(state):
        state.seat[0][name] = value

    return corrupt


def put_die_nowhere(state):
    state.dice_at[5] += 1


def lose_a_card(state):
    state.pile &= state.pile - 1


def double_a_hit(state):
    state.hit_pile |= 1 << int(state.hit_row[0])


def two_awards(state):
    state.seat[0].award = 2


@pytest.mark.parametrize(
    ("corrupt", "words"),
    [
        (set_field("fans", -1), "fans -1"),
        (set_field("extra_dice", 3), "3 extra dice"),
        (set_field("claimed", 2), "claimed is 2"),
        (set_field("pool", 5), "5 dice shown, 4 owned"),
        (set_field("shielded", 6 * 343), "shielded dice"),
        (set_field("spent", 1), "5 dice shown, 4 owned"),
        (put_die_nowhere, "dice_at"),
        (lose_a_card, "Distortion cards lie in"),
        (double_a_hit, "Hits lie in"),
        (two_awards, "awards lie in"),
    ],
)
def test_broken_states_are_found(corrupt, words):
    """Each check names what is wrong in a state that no game can reach."""
    position = at({"turn": 0, "table": {"hits": ["mini_lover"]}, "seats": [{"pool": "SSCI"}, {}]}, players=2)
    for number in numbers(5, 40):
        if position.chance_count():
            position.chance(number % position.chance_count())
    position.state[0].hit_row[1:] = -1
    rules = position.rules.packed[0]
    corrupt(position.state[0])
    with pytest.raises(BrokenRuleError, match=words):
        check_invariants(position.state[0], rules)


def test_broken_steps_are_found():
    """R-GRA-15, R-BAT-04: a price that was not paid and an attack that took two dice are named."""
    position = at({"turn": 0, "seats": [{"grana": 5, "pool": "SSCI"}, {}]}, players=2)
    before = position.state.copy()[0]
    action = position.play("set S>H")
    position.state[0].seat[0].grana += 1
    with pytest.raises(BrokenRuleError, match="had 5 Grana, paid 5 and has 1"):
        check_step(before, position.rules.packed[0], action, position.state[0])
    battle = {"round": 3, "phase": "attacks", "turn": 0, "seats": [{"pool": "SSCC"}, {"grana": 1, "pool": "SCII"}]}
    position = at(battle, players=2)
    before = position.state.copy()[0]
    action = position.play("attack 1 S")
    check_step(before, position.rules.packed[0], action, position.state[0])
    position.state[0].seat[1].pool = 2 * 343
    with pytest.raises(BrokenRuleError, match="removed"):
        check_step(before, position.rules.packed[0], action, position.state[0])


@pytest.mark.parametrize(("legal", "words"), [([], "no legal action"), ([3, 3], "twice"), ([4, 3], "ascending")])
def test_broken_lists_are_found(legal, words):
    with pytest.raises(BrokenRuleError, match=words):
        check_legal(np.array(legal, np.int64))
