"""Checks on ourselves: what the statistics promise, counted on games that were really played.

``make checks`` runs these and what belongs to them elsewhere: simulated coverage for few blocks and rare wins
(``test_statistics``, ``test_holdings``), paired differences (``test_paired``), stopping (``test_sequential``), ratings
against their oracles (``test_ratings``), merging (``test_merging``), the same rows for any workers (``test_sameness``).
"""

import math

import numpy as np
import pandas as pd
import pytest

import experiments
from experiments.curve import difference_interval, sign_flip_p
from experiments.plan import Plan, prepare
from experiments.statistics import ALPHA, SHARE_UNIT, BlockMeans, games_for_gap, holm
from experiments.summary import KEYS, Summary, summarise
from experiments.verdict import BALANCED, OFF, assess
from simcore.loop import OVER
from tests.experiments.conftest import toy_plan


def runs_of(prepared, runs, blocks):
    """The summaries of ``runs`` runs of ``blocks`` blocks each, one after another on fresh seeds."""
    for run in range(runs):
        games, seats = prepared.play(run * blocks, (run + 1) * blocks)
        yield summarise(games.to_pandas(), seats.to_pandas())


@pytest.mark.slow
@pytest.mark.parametrize(("players", "runs"), [(4, 500), (2, 1000)])
def test_a_against_a_covers_and_is_seldom_called_off(players, runs):
    # Dice Race favours no seat.  2,000 intervals of runs of 210 blocks; bands are equal too, so every "off" is false.
    # Each run is also taken for the pair of the one before it: 210 blocks later everybody sits where they sat.
    blocks = 210
    prepared = toy_plan(designs=runs * blocks // 5, players=players)
    covered, false, pairs_covered, changed = [], [], [], []
    before = None
    for run in range(runs):
        games, seats = (table.to_pandas() for table in prepared.play(run * blocks, (run + 1) * blocks))
        summary = summarise(games, seats[["game", "block", "seat", "win_share"]])
        for group in summary.groups["seat"].values():
            low, high = group.means.interval()
            covered.append(low <= 1 / players <= high)
        verdicts = assess(summary.groups["seat"], players, summary.games)
        false.append(any(one.answer == OFF for one in verdicts))
        shares = seats["win_share"].to_numpy().reshape(blocks, players, players).sum(axis=1)
        if before is not None:
            changes = shares - before
            for change in changes.T:
                low, high = difference_interval(change / players, players)
                pairs_covered.append(low <= 0 <= high)
            if run % 5 == 0:
                units = np.rint(changes * 12).astype(np.int64)  # a tie of up to four is a whole number of twelfths
                p_values = [sign_flip_p(change // (np.gcd.reduce(change) or 1)) for change in units.T]
                changed.append((holm(p_values) < ALPHA).any())
        before = shares
    assert len(covered) == 2000
    assert 0.935 <= np.mean(covered) <= 0.965
    assert 0.935 <= np.mean(pairs_covered) <= 0.965
    # A rate of 5 % gives more than this once in two hundred checks.
    for found in (false, changed):
        assert np.mean(found) <= ALPHA + 2.6 * math.sqrt(ALPHA * (1 - ALPHA) / len(found))


def test_permuting_seats_permutes_results():
    # In a block every band sits in every seat on that seat's luck: its results go round with it.
    _, seats = toy_plan(designs=3, bears=2).play(0, 15)
    table = seats.to_pandas()
    own = table["score"] - 2 * (table["band"] == "bears")
    for place, rows in table.assign(own=own).groupby(["block", "seat"]):
        assert rows["band"].is_unique, place
        assert rows["own"].nunique() == 1, place


@pytest.mark.parametrize(("game", "players"), [("overdrive", 3), ("metalmania", 4)])
def test_win_shares_of_a_finished_game_sum_to_exactly_one(game, players):
    games, seats = (table.to_pandas() for table in prepare(Plan(game, players, ("random",))).play(0, 40))
    units = np.rint(seats["win_share"] * SHARE_UNIT)
    assert np.allclose(units, seats["win_share"] * SHARE_UNIT, rtol=0, atol=1e-9)
    assert (units.groupby(seats["game"]).sum() == SHARE_UNIT * ~games.set_index("game")["unfinished"]).all()


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.23, 0.27])
def test_what_is_off_by_the_margin_is_seldom_called_balanced(share):
    rng = np.random.default_rng(8)
    means = rng.binomial(4, share, (2000, 2000)) / 4
    called = [
        BlockMeans(2000, 4, float(row.mean()), float(row.var(ddof=1))).equivalence_p(0.25, 0.02) < ALPHA
        for row in means
    ]
    assert 0.03 <= np.mean(called) <= 0.065


@pytest.mark.slow
def test_a_planted_imbalance_is_found_with_the_promised_power():
    # How large it is, and how much rotation takes out of the variance, is measured on a long run of its own.
    long = toy_plan(designs=4000, bears=1, seed=99)
    (whole,) = runs_of(long, 1, 20_000)
    means = whole.groups["band"]["bears"].means
    gap = means.mean - 0.25
    effect = means.variance / (means.mean * (1 - means.mean) / 4)
    blocks = math.ceil(games_for_gap(0.25, gap, effect=effect) / 4 * 5 / 4 / 5) * 5
    runs = 400
    found = 0
    for summary in runs_of(toy_plan(designs=runs * blocks // 5, bears=1), runs, blocks):
        one = summary.groups["band"]["bears"].means
        # The promise is one of the normal test; the exact interval of few blocks asks for more.
        z = (one.mean - 0.25) / one.error if one.error else 0.0
        found += z > 1.96
    assert 0.84 <= found / runs <= 0.98


def test_group_totals_are_raw_totals():
    games, seats = (
        table.to_pandas() for table in toy_plan(designs=6, bears=2, agents=("flip", "keep", "keep", "flip")).play(0, 30)
    )
    summary = summarise(games, seats)
    numbers = [name for name in seats if name not in KEYS and pd.api.types.is_numeric_dtype(seats[name])]
    assert {"score", "decisions", "forced"} <= set(numbers)
    for groups in summary.groups.values():
        assert sum(group.games for group in groups.values()) == len(seats)
        assert sum(group.total for group in groups.values()) == 840 * len(games)
        for name in numbers:
            assert sum(group.numbers[name] for group in groups.values()) == seats[name].sum()


@pytest.mark.slow
@pytest.mark.parametrize(("game", "number"), [("overdrive", "points_hits"), ("metalmania", "points_bonuses")])
def test_group_totals_are_raw_totals_in_both_games(game, number):
    games, seats = (table.to_pandas() for table in prepare(Plan(game, 4, ("greedy",))).play(0, 60))
    summary = summarise(games, seats)
    for groups in summary.groups.values():
        for name in ("score", number, "decisions"):
            assert sum(group.numbers[name] for group in groups.values()) == seats[name].sum()
        assert sum(group.total for group in groups.values()) == SHARE_UNIT * len(games)


@pytest.mark.parametrize("seed", range(5))
def test_parts_add_up_to_the_whole(seed):
    prepared = toy_plan(designs=8, bears=1)
    games, seats = (table.to_pandas() for table in prepared.play(0, 40))
    whole = summarise(games, seats)
    rng = np.random.default_rng(seed)
    parts = np.split(np.arange(40), np.sort(rng.choice(np.arange(1, 40), 4, replace=False)))
    merged = Summary(whole.players)
    for k in rng.permutation(len(parts)):
        merged.add(summarise(games[games["block"].isin(parts[k])], seats[seats["block"].isin(parts[k])]))
    assert merged.groups == whole.groups
    assert {k: (s.count, s.total, s.squares) for k, s in merged.lengths.items()} == {
        k: (s.count, s.total, s.squares) for k, s in whole.lengths.items()
    }


def test_bosses_that_cannot_be_beaten_and_cannot_win():
    rules = {"strength.easy": 0, "strength.medium": 0, "strength.hard": 50}
    table = experiments.run(
        {"game": "boss", "modes": ["solo", "coop"], "agents": ["flip", "keep"], "games": 40, "rules": {"r": rules}},
        jobs=1,
    )
    by_level = table[table["table"] == "level"].groupby("name")["win_share"].agg(["min", "max"])
    assert by_level.loc["hard"].tolist() == [0, 0]
    assert by_level.loc["easy"].tolist() == [1, 1]
    assert table[["win_share", "low", "high"]].notna().all(axis=None)
    assert ((table["low"] <= table["win_share"]) & (table["win_share"] <= table["high"])).all()
    assert (table["high"] - table["low"] > 0).all()


def test_unfinished_games_stay_in_the_denominator(monkeypatch):
    prepared = toy_plan(designs=2)
    whole = prepared.play(0, 10)
    assert set(whole[0]["unfinished"].to_pylist()) == {False}
    # Thirty of the thirty-two steps that every game takes: no game ends.
    monkeypatch.setattr(type(prepared.game), "most_steps", 30)
    games, seats = (table.to_pandas() for table in prepared.play(0, 10))
    assert games["unfinished"].all()
    assert (seats["win_share"] == 0).all()
    summary = summarise(games, seats)
    assert summary.games == 40
    for one in assess(summary.groups["band"], 4, summary.games):
        assert (one.games, one.share) == (32, 0.0)
        assert one.answer != BALANCED
        assert not math.isnan(one.low + one.high)
    assert OVER == 1
