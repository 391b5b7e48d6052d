"""Rules A against rules B on the same luck: differences, intervals, divergence, the gain over unpaired runs."""

import math

import numpy as np
import pytest
import scipy.stats

from experiments import paired
from experiments.paired import CHANGED, SAME, UNDECIDED, Moments, compare, metric_table, share_table
from experiments.running import finding_of
from simcore.errors import UsageError
from tests.experiments.conftest import toy_plan
from tests.experiments.test_sameness import play

RULES = ({}, {"bears": 2})


@pytest.fixture
def runs(tmp_path):
    """Dice Race without and with two points for the bears, 2,000 blocks each."""
    return [
        play(tmp_path / name, toy_plan(designs=400, **more), 1, 10_000)
        for name, more in (("a", {}), ("b", {"bears": 2}))
    ]


def test_a_planted_change_is_found_and_the_rest_is_not(runs):
    sums = compare(*runs)
    table = share_table(sums).set_index(["table", "name"])
    bears = table.loc[("band", "bears")]
    assert bears["answer"] == CHANGED
    assert bears["low"] > 0
    assert (table.loc["seat", "answer"] == SAME).all()
    assert table.loc["band", "change"].sum() == pytest.approx(0, abs=1e-12)


def test_the_numbers_are_scipys(runs):
    seats = [toy_plan(designs=400, **more).play(0, 2000)[1].to_pandas() for more in RULES]
    a, b = (one[one["seat"] == 0].groupby("block")["win_share"].mean() for one in seats)
    expected = scipy.stats.ttest_rel(b, a)
    rows = metric_table(compare(*runs)).set_index(["table", "name", "metric"])
    seat = rows.loc[("seat", "0", "win_share")]
    assert seat["change"] == pytest.approx((b - a).mean())
    assert seat["p_value"] == pytest.approx(expected.pvalue)
    assert (seat["low"], seat["high"]) == pytest.approx(tuple(expected.confidence_interval(0.95)))
    assert seat["gain"] == pytest.approx((a.var() + b.var()) / (b - a).var())
    score = rows.loc[("band", "bears", "score")]
    assert (score["change"], score["low"], score["high"]) == pytest.approx((2.0, 2.0, 2.0))


def test_pairing_needs_fewer_games(runs):
    seats = share_table(compare(*runs))
    assert (seats[seats["table"] == "seat"]["gain"] > 20).all()


def test_divergence_counts_games_that_came_out_otherwise(runs):
    sums = compare(*runs)
    seats = [toy_plan(designs=400, **more).play(0, 2000)[1].to_pandas() for more in RULES]
    other = (seats[0]["win_share"] != seats[1]["win_share"]).groupby(seats[0]["game"]).any().sum()
    assert sums.games == 8000
    assert sums.other_winner == other > 0
    assert sums.diverged == (seats[0]["band"] == "bears").sum()  # every game with bears has another score
    same = compare(runs[0], runs[0])
    assert (same.diverged, same.other_winner) == (0, 0)
    table = share_table(same)
    assert (table["answer"] == SAME).all()
    assert (table["gain"] == math.inf).all()
    assert ((table["low"] < 0) & (table["high"] > 0)).all()


def test_pieces_add_up_to_the_whole(runs, monkeypatch):
    whole = share_table(compare(*runs))
    monkeypatch.setattr(paired, "_PIECE", 7)
    pieces = share_table(compare(*runs))
    assert (
        whole.drop(columns=["gain", "variance"], errors="ignore")
        .round(12)
        .equals(pieces.drop(columns=["gain", "variance"], errors="ignore").round(12))
    )


def test_other_games_are_refused(runs, tmp_path):
    for other, word in (
        (toy_plan(designs=400, seed=2), "seed"),
        (toy_plan(designs=399), "blocks"),
        (toy_plan(players=3), "players"),
    ):
        folder = play(tmp_path / word, other, 1, 10_000)
        with pytest.raises(UsageError, match=f"cannot be compared.*{word}"):
            compare(runs[0], folder)


def test_few_games_say_how_many_would_do(tmp_path):
    few = [play(tmp_path / f"{k}", toy_plan(designs=4, bears=k), 1, 10_000) for k in (0, 1)]
    table = share_table(compare(*few))
    open_ones = table[table["answer"] == UNDECIDED]
    assert len(open_ones)
    assert (open_ones["games_needed"] > 80).all()


def test_one_block_has_no_certainty():
    one = Moments()
    one.add(np.array([0.25]), np.array([0.5]), 4)
    assert one.interval() == (-math.inf, math.inf)
    assert one.p_value() == 1.0


def test_levels_compare_the_humans_win():
    found = finding_of(
        {"game": "boss", "modes": ["coop"], "players": 2, "agents": ["flip"], "games": 60,
         "rules": {"a": {}, "b": {"strength.hard": 40, "strength.medium": 0}}},
        jobs=1,
    )  # fmt: skip
    rows = found.changes.set_index(["table", "name"])
    assert rows.loc[("difficulty", "hard"), "share_b"] == 0
    assert rows.loc[("difficulty", "medium"), "share_b"] == 1
    assert rows.loc[("difficulty", "easy"), "change"] == 0
    assert found.runs["diverged"].iloc[0] > 0


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.002, 0.02, 0.2])
@pytest.mark.parametrize("blocks", [20, 150, 600])
def test_intervals_of_differences_cover(blocks, share):
    # A block differs with chance ``share``, up or down as often as not by one game of four.
    from experiments.curve import difference_interval

    rng = np.random.default_rng(5)
    covered = []
    for _ in range(1000):
        moved = rng.random(blocks) < share
        d = np.where(moved, np.where(rng.random(blocks) < 0.6, 0.25, -0.25), 0.0)
        low, high = difference_interval(d, 4)
        covered.append(low <= share * 0.05 <= high)
    assert np.mean(covered) >= 0.935
