"""The random agents: uniform choice, and the rulings' policy with its table of lengths (Metal Mania, 3.4)."""

import numpy as np
import pytest

from agents.kernels.uniform import anywhere, uniform
from metalmania_sim.game import METALMANIA
from overdrive_sim.game import OVERDRIVE
from simcore import registry
from simcore.errors import UsageError
from simcore.streams import RNG
from tests.agents.playing import play

#: Turns a player by number of players, as the rulings promise them for this policy (section 3.5).
LENGTHS = {2: 18.8, 3: 17.2, 4: 15.9, 5: 15.4}


@pytest.mark.quick
def test_every_legal_action_has_the_same_chance():
    """Chi-square below its 99.99 % quantile for seven actions (27.9 with 6 degrees of freedom)."""
    legal, rng = np.zeros(1, OVERDRIVE.engine.options), np.zeros(1, RNG)
    rng["key"] = 5
    legal["action"][0, :7] = np.arange(7) * 10
    mind = np.zeros(1, OVERDRIVE.engine.mind)
    state = OVERDRIVE.engine.new_state()
    rules = OVERDRIVE.rules().packed[0]
    draws = [int(uniform(state[0], rules, legal[0], 7, mind[0], rng[0])) for _ in range(1400)]
    counts = np.bincount(draws, minlength=61)[::10]
    assert counts.sum() == 1400
    assert ((counts - 200) ** 2 / 200).sum() < 27.9
    assert rng["ordinal"][0] == 1400


@pytest.mark.parametrize("players", LENGTHS)
def test_the_rulings_policy_has_the_lengths_of_the_rulings(players):
    """Mean turns a player within 0.6 of the table, over 500 games."""
    played, _ = play(METALMANIA, ["random:as=rulings"] * players, 500)
    assert played.results["finished"].all()
    assert abs(played.results["turns"].mean() / players - LENGTHS[players]) < 0.6


def test_the_rulings_policy_is_for_metal_mania():
    with pytest.raises(UsageError, match="metalmania only"):
        registry.agent("random:as=rulings", OVERDRIVE)
    with pytest.raises(UsageError, match="did you mean 'rulings'"):
        registry.agent("random:as=ruling", METALMANIA)


@pytest.mark.quick
def test_the_blind_answer_is_the_place_of_the_sighted_one():
    game = OVERDRIVE
    mind, rng, other = np.zeros(1, game.engine.mind), np.zeros(1, RNG), np.zeros(1, RNG)
    state, rules, legal = game.engine.new_state(), game.rules().packed, np.zeros(1, game.engine.options)
    legal[0]["action"][:9] = np.arange(9) * 7 + 3
    rng["key"] = other["key"] = 5
    for _ in range(50):
        action = uniform(state[0], rules[0], legal[0], 9, mind[0], rng[0])
        position = anywhere(state[0], rules[0], legal[0], 9, mind[0], other[0])
        assert legal[0].action[position] == action
