"""Turns of a seat that decides alone: where positions are noted for the leaf model, and where playouts stop for it."""

import numpy as np
import pytest

from agents.fit import play as positions
from agents.fit import variants
from agents.mcts.explain import explain
from agents.mcts.leaf import clock_signature
from metalmania_sim.game import METALMANIA
from overdrive_sim.game import OVERDRIVE
from simcore import registry
from simcore.kernel import compiled
from simcore.loop import JOB
from simcore.trace import events
from tests.agents.playing import line_ups, rules_of

SOLO = {"mode": "solo", "difficulty": "hardcore"}


def _decisions(players, **variant):
    agents, job = [registry.agent("greedy", OVERDRIVE)], np.zeros(1, JOB)
    for event in events(OVERDRIVE, rules_of(OVERDRIVE), line_ups(OVERDRIVE, players, 1, **variant), job[0], agents, 3):
        if event.kind == "decision":
            yield event


def _clock():
    return compiled(registry.leaf(OVERDRIVE).clock, clock_signature(OVERDRIVE.engine))


def test_the_clock_goes_on_where_one_seat_decides_alone():
    """Eight rounds of allocation, three of them with a battle: in solo each is a turn, wherever somebody decides."""
    clock = _clock()
    told = [int(clock(event.state[0])) for event in _decisions(1, **SOLO)]
    assert told == sorted(told)
    assert min(told) == 1
    assert set(range(1, 17, 2)) <= set(told)
    assert set(told) - set(range(1, 17, 2)) <= {6, 12, 16}


@pytest.mark.parametrize("variant", [{}, {"mode": "coop", "difficulty": "poser"}], ids=["standard", "coop"])
def test_the_clock_stands_where_several_seats_decide(variant):
    clock = _clock()
    assert {int(clock(event.state[0])) for event in _decisions(2, **variant)} == {0}


@pytest.mark.quick
def test_games_of_many_have_no_clock():
    assert registry.leaf(METALMANIA).clock is None


def test_solo_positions_of_every_stage_are_noted_and_have_weights():
    leaf, ups = registry.leaf(OVERDRIVE), dict(variants(OVERDRIVE))["solo, 1"]
    assert len({up["bands"][0] for up in ups}) == len(OVERDRIVE.entrants(rules_of(OVERDRIVE), {"mode": "solo"}))
    found = positions(OVERDRIVE, leaf, ups, 6, 1, "greedy", 0.05)
    stages = set(found.stage.tolist())
    assert set(range(0, 16, 2)) <= stages
    assert len(found.stage) <= 6 * 16
    weights = leaf.weights[int(found.table[0])]
    assert all(weights[stage].any() for stage in stages)


def test_solo_playouts_stop_at_the_leaf():
    """With a leaf that says 0 a stopped playout is worth nothing; one that runs to the end shares out a whole win."""
    event = next(one for one in _decisions(1, **SOLO) if one.options >= 3)

    def total(turns):
        asked = f"mcts:iterations=16,prior=random,widen=0,leaf=none,turns={turns}"
        found = explain(asked, OVERDRIVE, rules_of(OVERDRIVE), event.state, event.legal, 1)
        return sum(sum(one.shares) for one in found.options if one.visits)

    assert total(2) == 0.0
    assert total(0) == pytest.approx(total(100))
    assert total(0) > 1.0
