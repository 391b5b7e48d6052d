"""Comebacks and strange games: by hand, by another formula, and however a run is cut into pieces."""

import numpy as np
import pandas as pd
import pytest

from experiments.standouts import biggest_comeback, strangest


def rounds(rows):
    return pd.DataFrame(rows, columns=["game", "round", "seat", "deficit", "win_share"])


def test_a_comeback_is_a_sole_winners_greatest_deficit():
    table = rounds(
        [
            (4, 1, 0, 3.0, 1.0), (4, 1, 1, -3.0, 0.0), (4, 2, 0, 9.0, 1.0), (4, 3, 0, -2.0, 1.0),
            (5, 1, 0, 20.0, 0.0), (5, 1, 1, 5.0, 1.0), (6, 1, 0, 30.0, 0.5), (6, 1, 1, -30.0, 0.5),
        ]
    )  # fmt: skip
    found = biggest_comeback(table)
    assert (found.game, found.seat, found.deficit, found.round) == (4, 0, 9.0, 2)
    assert biggest_comeback(table[table["game"] == 6]) is None, "a shared win is nobody's comeback"


@pytest.fixture(scope="module")
def seats():
    random = np.random.default_rng(5)
    games = 400
    score = random.normal(50, 8, games * 2)
    table = pd.DataFrame(
        {
            "game": np.repeat(np.arange(games), 2), "block": np.repeat(np.arange(games), 2), "seat": [0, 1] * games,
            "band": "x", "score": score, "points_a": score * 0.5 + random.normal(0, 1, games * 2),
            "constant": 7, "won": score > 50, "win_share": 0.5,
        }
    )  # fmt: skip
    table["points_b"] = table["score"] - table["points_a"]  # a sum of others, which must not count twice
    return table


def test_the_strangest_game_is_far_off_by_mahalanobis_distance(seats):
    odd = seats.copy()
    here = odd["game"] == 123  # a usual score with parts that do not fit it
    odd.loc[here, "points_a"] = 0.5 * odd.loc[here, "score"] + 8
    odd.loc[here, "points_b"] = odd.loc[here, "score"] - odd.loc[here, "points_a"]
    found = strangest(lambda: [odd])
    assert found.game == 123
    points = odd.groupby("game")[["score", "points_a"]].mean().to_numpy()
    apart = points - points.mean(axis=0)
    inverse = np.linalg.inv(np.cov(points.T, bias=True))
    distances = np.sqrt(np.einsum("gi,ij,gj->g", apart, inverse, apart))
    assert found.distance == pytest.approx(distances.max())
    assert distances.argmax() == 123
    for name, value, mean, deviations in found.most:
        column = odd.groupby("game")[name].mean()
        assert (value, mean) == pytest.approx((column[123], column.mean()))
        assert deviations == pytest.approx((value - mean) / column.std(ddof=0))


def test_the_pieces_of_a_run_do_not_matter(seats):
    whole = strangest(lambda: [seats])
    cut = strangest(lambda: (part for _, part in seats.groupby(seats["game"] // 37)))
    assert cut.game == whole.game
    assert cut.distance == pytest.approx(whole.distance)
    assert [name for name, *_ in cut.most] == [name for name, *_ in whole.most]


def test_games_that_are_all_alike_are_not_strange(seats):
    alike = seats.assign(score=1.0, points_a=1.0, points_b=0.0)
    assert strangest(lambda: [alike]) is None
    assert strangest(lambda: [seats[seats["game"] < 2]]) is None
