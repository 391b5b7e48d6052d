"""Views hide what a seat cannot see, and a state's text names what lies where."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from overdrive_sim.game import OVERDRIVE
from overdrive_sim.text import describe
from overdrive_sim.view import SEAT_KEYS, STATE_KEYS
from simcore.position import Position


def solo(phase: str = "allocation") -> Position:
    given = {
        "round": 8,
        "phase": phase,
        "turn": 1,
        "table": {"hits": ["mini_lover"], "distortions": [1]},
        "spaces": {"appearance": ["1:CSS"]} if phase == "allocation" else {},
        "seats": [
            {"band": "metallum", "fans": 3, "hand": [7, "9:S"], "hits": ["day_filler cancel S"]},
            {"band": "rebeldogs", "fame": 2, "pool": "H", "hand": [5], "overdrive": 1, "award": "gold"},
        ],
    }
    scenario: dict[str, Any] = {"variant": {"players": 1, "mode": "solo"}, "given": given}
    state, rules, is_fresh = OVERDRIVE.given(scenario)
    assert not is_fresh
    return Position(OVERDRIVE, state, rules)


@pytest.mark.quick
def test_metallums_hand_is_hidden_until_the_end():
    position = solo()
    full, seen = position.view(), position.view(viewer=1)
    assert full["seats"][0]["hand"] == ["7:S", "9:S"]
    assert seen["seats"][0]["hand"] == ["?", "?"]
    assert sorted(seen["piles"]["distortions"]) == sorted([*full["piles"]["distortions"], "7:S", "9:S"])
    assert seen["seats"][1] == full["seats"][1]
    assert seen["table"] == full["table"]
    over = solo("over")
    assert over.view(viewer=1)["seats"][0]["hand"] == ["7:S", "9:S"]


@pytest.mark.quick
def test_a_view_has_exactly_the_scenario_keys():
    running, over = solo().view(), solo("over").view()
    end = ("scores", "ranks", "humans_win")
    assert tuple(running) == tuple(key for key in running if key in STATE_KEYS and key not in end)
    assert set(STATE_KEYS) == set(over)
    assert all(tuple(seat) == SEAT_KEYS for seat in over["seats"])


@pytest.mark.quick
def test_the_text_of_a_state():
    text = describe(solo().state[0], OVERDRIVE.rules())
    assert "round 8, allocation, turn of seat 1" in text
    assert "appearance 1:SSC" in text
    assert "seat 1 rebeldogs: fans 0, fame 2, grana 0, overdrive 1; pool H; hand 5:S" in text
    assert "award gold" in text
    assert "7:S" not in describe(solo().state[0], OVERDRIVE.rules(), viewer=1)
    assert "the humans win" in describe(solo("over").state[0], OVERDRIVE.rules())


@pytest.mark.quick
def test_a_position_is_copied_and_shared_out():
    position = solo()
    other = position.copy()
    assert other.play("allocate resources H") != 0
    assert position.view()["spaces"]["resources"] == []
    assert not position.shares().any()
    over = solo("over")
    assert over.over
    assert over.chance_count() == 0
    assert np.isclose(over.shares().sum(), 1.0)
    assert over.legal().size == 0
