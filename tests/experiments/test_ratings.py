"""Plackett-Luce against its oracles, alpha-rank against cases known by hand, the ladder of skill."""

import json

import numpy as np
import pandas as pd
import pytest

from experiments.cli.console import print_house
from experiments.plan import Plan, prepare
from experiments.ratings import rate
from experiments.running import finding_of
from experiments.styles import (
    alpha_rank,
    effective_number,
    ladder_study,
    ladder_table,
    matrix,
    pair_table,
    styles_study,
)
from experiments.styles import viable as viable_styles
from simcore.errors import UsageError
from tests.experiments.test_cli import only_line
from tests.experiments.test_sameness import play

BANDS = {"apes": 0.6, "bears": 0.1, "cats": -0.2, "dogs": -0.5}
SEATS = (0.3, 0.0, -0.3)


def orders(games, seed, ties=False):
    """Rows of seats of games drawn from the model: three of four bands in random chairs."""
    rng = np.random.default_rng(seed)
    rows = []
    for game in range(games):
        bands = rng.permutation(list(BANDS))[:3]
        strength = np.array([BANDS[band] for band in bands]) + SEATS
        # Gumbel noise turns the model into sorting (Yellott, Journal of Mathematical Psychology 15, 1977).
        rank = (-(strength + rng.gumbel(size=3))).argsort().argsort() + 1
        if ties and game % 5 == 0:
            rank = np.where(rank == 3, 2, rank)
        rows += [{"game": game, "block": game, "seat": k, "band": bands[k], "rank": int(rank[k])} for k in range(3)]
    return pd.DataFrame(rows)


def test_planted_strengths_are_found():
    found = rate(orders(4000, 1)).table.set_index(["factor", "name"])
    for name, planted in BANDS.items():
        row = found.loc[("band", name)]
        assert row["strength"] == pytest.approx(planted, abs=4 * row["error"])
        assert row["error"] < 0.05
    assert found.loc["band", "strength"].sum() == pytest.approx(0, abs=1e-9)
    for name, planted in enumerate(SEATS):
        assert found.loc[("seat", str(name)), "strength"] == pytest.approx(planted, abs=0.1)


@pytest.mark.parametrize("ties", [False, True])
def test_it_agrees_with_statsmodels(ties):
    phreg = pytest.importorskip("statsmodels.api").PHReg
    seats = orders(800, 2, ties)
    exog = pd.get_dummies(seats[["band", "seat"]].astype(str), drop_first=True).astype(float)
    model = phreg(seats["rank"].to_numpy(), exog.to_numpy(), strata=seats["game"].to_numpy(), ties="breslow")
    oracle = dict(zip(exog.columns, model.fit().params, strict=True))
    found = rate(seats)
    terms = found.table.set_index(["factor", "name"])["strength"]
    for column, value in oracle.items():
        factor, _, level = column.partition("_")
        first = "apes" if factor == "band" else "0"
        assert terms[factor, level] - terms[factor, first] == pytest.approx(value, abs=1e-4)


def test_it_agrees_with_choix():
    choix = pytest.importorskip("choix")
    seats = orders(600, 3).drop(columns="seat")
    names = sorted(BANDS)
    rankings = [[names.index(band) for band in game.sort_values("rank")["band"]] for _, game in seats.groupby("game")]
    oracle = choix.opt_rankings(len(names), rankings, alpha=1e-9)
    found = rate(seats).table["strength"].to_numpy()
    assert found == pytest.approx(oracle - oracle.mean(), abs=1e-3)


@pytest.mark.slow
def test_intervals_of_strengths_cover():
    covered = []
    for seed in range(200):
        table = rate(orders(400, 100 + seed)).table
        bands = table[table["factor"] == "band"].set_index("name")
        covered += [bands.loc[name, "low"] <= value <= bands.loc[name, "high"] for name, value in BANDS.items()]
    assert 0.925 <= np.mean(covered) <= 0.975


def test_blocks_of_equal_games_are_one_observation():
    alone = orders(300, 4)
    thrice = pd.concat([alone.assign(game=alone["game"] * 3 + k) for k in range(3)]).sort_values(["game", "seat"])
    one, many = (rate(rows).table for rows in (alone, thrice))
    assert many["strength"].to_numpy() == pytest.approx(one["strength"].to_numpy(), abs=1e-5)
    assert many["error"].to_numpy() == pytest.approx(one["error"].to_numpy(), rel=1e-3)


def test_somebody_who_always_loses_stays_finite():
    rows = orders(60, 5)
    rows.loc[rows["band"] == "dogs", "rank"] = 4
    found = rate(rows).table
    assert np.isfinite(found["strength"]).all()
    assert found.set_index("name").loc["dogs", "strength"] == found["strength"].min()


def test_bad_rows_are_refused():
    with pytest.raises(UsageError, match="no game"):
        rate(orders(5, 1).assign(rank=0))
    with pytest.raises(UsageError, match="only one"):
        rate(orders(5, 1).assign(band="apes").drop(columns="seat"))


# ------------------------------------------------------------------ styles
def test_rock_paper_scissors_are_three_styles():
    wins = np.array([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]])
    mass = alpha_rank(wins, 0.5)
    assert mass == pytest.approx([1 / 3] * 3, abs=1e-6)
    assert effective_number(mass) == pytest.approx(3, abs=1e-4)


def test_a_dominant_style_is_the_only_one():
    wins = np.array([[0.5, 0.7, 0.8], [0.3, 0.5, 0.6], [0.2, 0.4, 0.5]])
    assert alpha_rank(wins, 0.5) == pytest.approx([1, 0, 0], abs=1e-3)
    assert effective_number(alpha_rank(wins, 0.5)) == pytest.approx(1, abs=0.01)
    order = [2, 0, 1]
    assert alpha_rank(wins[np.ix_(order, order)], 0.5) == pytest.approx(alpha_rank(wins, 0.5)[order])


def test_equal_styles_are_all_viable():
    assert effective_number(alpha_rank(np.full((4, 4), 0.25), 0.25)) == pytest.approx(4)
    assert np.isfinite(alpha_rank(np.array([[0.5, 1.0], [0.0, 0.5]]), 0.5, intensity=1e4)).all()


@pytest.mark.parametrize("players", [2, 3])
def test_styles_of_dice_race(players):
    agents = ["flip", "keep"]
    pairs = pair_table(finding_of(styles_study("toy", agents, players, 600), jobs=1))
    table = matrix(pairs, agents)
    assert len(pairs) == (1 if players == 2 else 2)
    if players == 2:
        assert table.loc["flip", "keep"] + table.loc["keep", "flip"] == pytest.approx(1)
    found = viable_styles(pairs, agents)
    assert found.ranks.sum() == pytest.approx(1)
    assert 1 <= found.low <= found.high <= 2 + 1e-9


def test_a_ladder_of_skill():
    steps = ladder_table(finding_of(ladder_study("toy", ["flip", "keep"], 3, 300), jobs=1))
    assert steps["rung"].tolist() == ["keep"]
    assert steps["height"].tolist() == steps["step"].tolist()
    assert set(steps["verdict"]) <= {"stronger", "weaker", "not told apart"}


def test_from_the_command_line(soundcheck, tmp_path):
    both = ("toy", "--agent", "flip", "--agent", "keep", "--players", "2", "--games", "200")
    done = soundcheck("styles", *both)
    assert "Effective number of styles" in done.stdout
    again = soundcheck("styles", *both, "--json", "--quiet")
    told = json.loads(again.stdout)
    assert set(told["alpha_rank"]) == {"flip", "keep"}
    assert told["house"] == []
    done = soundcheck("ladder", *both)
    assert "The ladder of skill" in done.stdout
    assert "name two or more" in only_line(soundcheck("ladder", "toy", "--agent", "flip", "--quiet", code=2))
    (run,) = tmp_path.glob("runs/ladder-*/cells/*")
    assert "no column 'rank'" in only_line(soundcheck("ratings", run, code=2))


def test_ratings_and_styles_name_house_data(inside, tmp_path):
    game = ("metalmania", "--players", "2", "--quiet")
    play(tmp_path / "run", prepare(Plan("metalmania", 2, ("random",))), 1, 1000)
    for command in (
        ("ratings", "run"), ("metrics", "run", "--games", "1", "--quiet"),
        ("styles", *game, "--agent", "random", "--agent", "random:as=rulings", "--games", "20"),
        ("ladder", *game, "--agent", "random", "--agent", "random:as=rulings", "--games", "20"),
    ):  # fmt: skip
        said = inside(*command).out
        assert "HOUSE DATA" in said
        assert "ASSUMED" in said


def test_house_data_are_named_after_every_table(capsys):
    print_house([f"house data: number {k}" for k in range(8)])
    said = capsys.readouterr().out
    assert "HOUSE DATA" in said
    assert "number 5" in said
    assert "and 2 more" in said
    print_house([])
    assert capsys.readouterr().out == ""
