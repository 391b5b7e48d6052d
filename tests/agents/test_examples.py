"""Agents in plain Python beside compiled ones, in any seat of the same game."""

import numpy as np
import pytest

from metalmania_sim.game import METALMANIA
from overdrive_sim.game import OVERDRIVE
from simcore import registry
from simcore.agent import PythonAgent
from simcore.loop import OVER
from tests.agents.playing import play, win_shares

FANS_FIRST = "py:agents.examples.fans_first:FansFirst"
LAST = "py:agents.examples.last_in_list:LastInList"


def test_a_python_agent_plays_beside_compiled_ones():
    """Its seat is asked, its answers count: it ends with more Fans than the random players beside it."""
    played, seated = play(OVERDRIVE, [FANS_FIRST, "random", "random"], 24)
    assert (played.counts["status"] == OVER).all()
    fans = played.results["seat"]["fans"][:, :3]
    assert fans[seated[:, :3] == 0].mean() > fans[seated[:, :3] == 1].mean() + 1


@pytest.mark.parametrize("game", [OVERDRIVE, METALMANIA], ids=lambda game: game.name)
def test_a_batch_agent_plays_both_games(game):
    played, _ = play(game, [LAST, "random", LAST], 9)
    assert (played.counts["status"] == OVER).all()


def test_a_lazy_player_loses():
    """Who ends every turn at once has no chance against a greedy one."""
    assert win_shares(OVERDRIVE, [LAST, "greedy"], 20)["greedy"] > 0.95


def test_the_batch_answers_are_the_last_ids():
    agent = registry.agent(LAST, OVERDRIVE)
    assert isinstance(agent, PythonAgent)
    answers = agent.chooser.choose_batch([None, None], [np.array([3, 8]), np.array([1, 2, 9])])
    assert answers.tolist() == [8, 9]
