"""Win shares and the result record (R-END-03, R-SOL-17, R-COP-04)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overdrive_sim.kernels.engine import ENGINE
from tests.overdrive.positions import at

pytestmark = pytest.mark.quick

TRACKS = ("fans", "fame", "grana", "overdrive")


def over(*seats, options=None, **variant):
    """A game that is over, with these seats."""
    return at({"round": 8, "phase": "over", "seats": list(seats)}, options=options, **variant)


def result_of(position):
    result = np.zeros(1, ENGINE.result)
    ENGINE.kernels.outcome(position.state[0], position.rules.packed[0], result[0])
    return result[0]


def test_the_best_total_wins_alone():
    """R-GAM-01."""
    position = over({"fans": 3}, {"fans": 9}, {"fans": 8}, players=3)
    assert position.shares().tolist() == [0.0, 1.0, 0.0, 0, 0, 0, 0, 0]


def test_a_full_tie_is_split():
    """A-END-1: a shared victory."""
    position = over({"fans": 9}, {"fans": 9}, {"fans": 8}, {"fans": 9}, players=4)
    assert position.shares()[:4].tolist() == [1 / 3, 1 / 3, 0.0, 1 / 3]
    assert result_of(position)["seat"]["rank"][:4].tolist() == [1, 1, 4, 1]


def test_a_tie_in_points_goes_to_fame():
    """R-END-03."""
    position = over({"fans": 5, "fame": 2}, {"fans": 4, "fame": 3}, players=2)
    assert position.shares()[:2].tolist() == [0.0, 1.0]


def test_turn_order_leaves_one_winner():
    """A-END-1, option full_tie = turn_order: the marker's holder comes first."""
    position = over({"fans": 9}, {"fans": 9}, players=2, options={"full_tie": "turn_order"})
    assert position.shares()[:2].tolist() == [1.0, 0.0]
    position.state[0].marker = 1
    assert position.shares()[:2].tolist() == [0.0, 1.0]


@pytest.mark.parametrize(("points", "shares"), [(6, [0.0, 1.0]), (5, [1.0, 0.0]), (4, [1.0, 0.0])])
def test_solo_needs_strictly_more(points, shares):
    """R-SOL-17."""
    position = over({"fans": 5}, {"fans": points}, players=1, mode="solo", difficulty="poser")
    assert position.shares()[:2].tolist() == shares
    assert result_of(position)["humans_win"] == (shares[1] == 1.0)


@pytest.mark.parametrize(("points", "wins"), [((9, 2, 7), True), ((9, 2, 6), False), ((0, 0, 15), False)])
def test_coop_compares_the_floor_of_the_average(points, wins):
    """R-COP-04, A-COP-2: humans only, rounded down, strictly greater; they share the win."""
    position = over({"fans": 5}, *({"fans": n} for n in points), players=3, mode="coop", difficulty="poser")
    assert position.shares()[:4].tolist() == ([0.0, *[1 / 3] * 3] if wins else [1.0, 0.0, 0.0, 0.0])
    result = result_of(position)
    assert result["humans_win"] == wins
    assert result["human_average"] == sum(points) // 3


def test_an_unfinished_game_has_no_winner():
    """Shares and ranks are 0 while the game runs; the points are those so far, without the dice in play."""
    position = at({"turn": 0, "seats": [{"fans": 9, "pool": "SSSS"}, {"fame": 2}]}, players=2)
    assert not position.shares().any()
    result = result_of(position)
    assert not result["is_over"]
    assert result["seat"]["rank"][:2].tolist() == [0, 0]
    assert result["seat"]["total"][:2].tolist() == [9, 2]


LEVELS = st.tuples(*[st.integers(0, 3)] * 4)


@given(st.lists(LEVELS, min_size=2, max_size=4), st.integers(0, 1))
def test_ranks_follow_points_then_the_four_tracks(levels, top):
    """R-TRK-13, R-END-03 against a sort of tuples, for small levels (ties) and for large ones."""
    rows = [tuple(n + 6000 * top for n in row) for row in levels]
    position = over(*[{} for _ in rows], players=len(rows))
    for seat, row in enumerate(rows):
        for track, level in zip(TRACKS, row, strict=True):
            position.state[0].seat[seat][track] = level
    result = result_of(position)
    keys = [
        (int(result["seat"][k]["total"]), row[1], row[0], row[2], row[3])  # Fame, Fans, Grana, Overdrive
        for k, row in enumerate(rows)
    ]
    assert result["seat"]["rank"][: len(rows)].tolist() == [1 + sum(other > key for other in keys) for key in keys]
    best = [key == max(keys) for key in keys]
    assert position.shares()[: len(rows)].tolist() == [is_best / sum(best) for is_best in best]
