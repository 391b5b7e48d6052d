"""The random agents: uniform choice, and the rulings' policy with its table of lengths (Metal Mania, 3.4)."""

from dataclasses import replace

import numpy as np
import pytest

from agents.kernels.uniform import uniform
from metalmania_sim.game import METALMANIA
from overdrive_sim.game import OVERDRIVE
from simcore import registry
from simcore.errors import UsageError
from simcore.loop import JOB
from simcore.play import play_jobs
from simcore.streams import RNG
from tests.agents.playing import line_ups, play

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
@pytest.mark.parametrize("game", [OVERDRIVE, METALMANIA], ids=lambda game: game.name)
def test_the_loop_draws_for_random_what_it_would_draw_itself(game):
    """The same games whether the loop draws and picks or the agent is asked with a list."""
    agent = registry.agent("random", game)
    assert agent.blind
    jobs, setups = np.zeros(6, JOB), line_ups(game, 2, 6)
    jobs["block"] = jobs["setup"] = np.arange(6)
    drawn, asked = (
        play_jobs(game, [game.rules()], setups, jobs, [one], 5) for one in (agent, replace(agent, blind=False))
    )
    assert drawn.results.tobytes() == asked.results.tobytes()
    assert drawn.counts.tobytes() == asked.counts.tobytes()
