"""Games walked through a decision at a time, against the same games told in Python."""

import numpy as np
import pytest

from experiments.walk import Walker
from simcore import registry
from simcore.loop import JOB
from simcore.play import Table
from simcore.trace import events


@pytest.mark.parametrize("name", ["overdrive", "metalmania"])
@pytest.mark.parametrize("texts", [("random",), ("random", "greedy")], ids="+".join)
def test_a_walk_tells_what_was_played(name, texts):
    """Actions that were counted and picked without a list, forced ones among them, are the ones that were taken."""
    game = registry.game(name)
    rules, agents = game.rules(), [registry.agent(text, game) for text in texts]
    bands = game.entrants(rules)[:2]
    setup = game.setup({"players": 2, **({"bands": bands} if bands else {})}, rules)
    jobs = np.zeros(1, JOB)
    jobs["block"], jobs["agent"][0, 1] = 5, len(texts) - 1
    walked = Walker(Table(game, agents), rules, 3).play(jobs, setup)
    told = [one for one in events(game, rules, setup, jobs[0], agents, 3) if one.kind == "decision"]
    assert walked.actions.tolist() == [one.number for one in told]
    assert walked.seats.tolist() == [one.seat for one in told]
    assert walked.options.tolist() == [one.options if one.options > 1 else 0 for one in told]
    assert np.array_equal(walked.states[:-1], np.concatenate([one.state for one in told]))
