"""Difficulty runs: plans, rows, resumption, and what their numbers say, on Boss Race and on made-up blocks."""

import itertools
import json
import math

import numpy as np
import pandas as pd
import pytest

from experiments.curve import (
    FALLS,
    ON_TARGET,
    OPEN,
    RISES,
    TOO_EASY,
    TOO_HARD,
    Cell,
    Curve,
    add,
    band_table,
    check_target,
    difference_interval,
    find_curve,
    level_table,
    neighbours,
    order_sentence,
    overall_distance,
    read_curve,
    share_of,
    sign_flip_p,
    target_table,
)
from experiments.difficulty import make_plan, open_store, play_levels, prepare_levels, replay_game
from experiments.summary import by_blocks
from simcore.errors import UsageError
from tests.boss import LEVELS
from tests.experiments.conftest import ROOT  # noqa: F401 (the fixture that declares the games)


def boss_run(folder, games=10, mode="solo", agents=("flip",), jobs=1, **more):
    prepared = prepare_levels(make_plan("boss", mode, agents, games, **more))
    store = open_store(prepared, folder)
    try:
        play_levels(prepared, store, jobs)
    finally:
        store.close()
    return prepared


def made_up(wins, games=1, bands=("apes",)):
    """A curve from wins by level and block; the boss has 10 points, a human 10 + won - lost."""
    wins = np.asarray(wins, float)
    levels = tuple(f"level {k}" for k in range(len(wins)))
    blocks = wins.shape[1]
    cells = {("flip", level): Cell(np.zeros(blocks), np.zeros(blocks), np.zeros(blocks)) for level in levels}
    curve = Curve(("flip",), levels, 1, games, cells, {band: np.zeros(blocks, bool) for band in bands})
    for block, k, game in itertools.product(range(blocks), range(len(levels)), range(games)):
        won = float(game < wins[k, block])
        row = {"block": [block], "agent": ["flip"], "difficulty": [levels[k]], "unfinished": [False]}
        seats = {"band": ["boss", bands[block % len(bands)]], "win_share": [1 - won, won], "score": [10, 9 + 2 * won]}
        add(curve, pd.DataFrame(row), pd.DataFrame(seats))
    return curve


# ------------------------------------------------------------------ plans and rows
def test_rows_of_a_run(tmp_path):
    prepared = boss_run(tmp_path / "run", games=7, mode="coop", agents=("flip", "keep"), bands=("eels", "apes", "cats"))
    assert prepared.plan.levels == LEVELS
    assert prepared.plan.bands == ("apes", "cats", "eels")
    games = pd.concat(by_blocks(tmp_path / "run", "games", 100))
    seats = pd.concat(by_blocks(tmp_path / "run", "seats", 100))
    assert games["game"].tolist() == list(range(prepared.games))
    assert (seats["game"].to_numpy().reshape(-1, 3) == np.arange(prepared.games)[:, None]).all()
    cells = games.groupby(["difficulty", "agent"], sort=False).size()
    assert cells.tolist() == [prepared.games / 6] * 6
    assert set(cells.index) == set(itertools.product(LEVELS, ("flip", "keep")))
    boss = seats[seats["seat"] == 0]
    assert set(boss["band"]) == {"boss"}
    assert set(boss["agent"]) == {"none"}
    humans = seats[seats["seat"] > 0]
    assert (humans.groupby(["band", "difficulty"]).size() >= 2 * 7).all()
    assert humans["agent"].tolist() == games["agent"].repeat(2).tolist()
    assert seats.groupby("game")["win_share"].sum().tolist() == pytest.approx([1] * prepared.games)


def test_levels_share_their_luck(tmp_path):
    """Who always keeps has the same points at every level: nothing but the boss differs."""
    boss_run(tmp_path / "run", games=20, agents=("keep",))
    seats = pd.concat(by_blocks(tmp_path / "run", "seats", 100))
    seats = seats[seats["seat"] == 1]
    points = [seats[seats["difficulty"] == level]["score"].tolist() for level in LEVELS]
    assert points[0] == points[1] == points[2]
    assert len(set(points[0])) > 5


def test_a_run_goes_on_where_it_stopped(tmp_path):
    whole = boss_run(tmp_path / "whole", games=20)
    store = open_store(whole, tmp_path / "part")
    for unit in ((0, 3), (10, 20)):
        store.add(*unit, *whole.play(*unit))
    store.close()
    boss_run(tmp_path / "part", games=20)
    for name in ("games", "seats"):
        one, other = ((tmp_path / folder / f"{name}.parquet").read_bytes() for folder in ("whole", "part"))
        assert one == other


def test_any_stored_game_is_found_again(tmp_path):
    prepared = boss_run(tmp_path / "run", games=3, mode="coop", agents=("flip", "keep"))
    games = pd.concat(by_blocks(tmp_path / "run", "games", 100))
    for row in games.iloc[[0, 5, 17, len(games) - 1]].to_dict("records"):
        part, number = replay_game(tmp_path / "run", row["game"])
        assert part.plan.agents == (row["agent"],)
        assert json.loads(part.plan.variant)["difficulty"] == row["difficulty"]
        assert number // part.design.games_per_block == row["block"]
        again, _ = part.play(row["block"], row["block"] + 1)
        at = again.column("game").to_pylist().index(number)
        assert again.column("human_average")[at].as_py() == row["human_average"]
    with pytest.raises(UsageError, match="allowed: 0 to"):
        replay_game(tmp_path / "run", prepared.games)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"game": "toy"}, "toy has no levels of difficulty"),
        ({"game": "overdrive", "mode": "standard", "agents": ("random",)}, "no side that plays by itself"),
        ({"game": "overdrive", "mode": "sola", "agents": ("random",)}, "did you mean 'solo'"),
        (
            {"game": "overdrive", "agents": ("random",), "bands": ("cover_bots",)},
            "bands: cover_bots may not be chosen with mode = solo",
        ),
        ({"game": "overdrive", "agents": ("random",), "bands": ("tnsh",)}, "did you mean 'tnshe'"),
        ({"variant": {"players": 2}}, "variant.players: named beside the variant"),
        ({"bands": ("aps",)}, "did you mean 'apes'"),
        ({"games": 0}, "at least 1"),
        ({"agents": ()}, "none named"),
        ({"variant": {"difficulty": "hard"}}, "every level is played"),
        ({"mode": "coop", "players": 1}, "not in coop"),
        ({"mode": "coop", "players": 4}, "4 do not play boss"),
        ({"mode": "coop", "players": 3, "bands": ("apes", "cats")}, "3 seats need 3 different bands"),
    ],
)
def test_bad_plans_are_refused(arguments, words):
    with pytest.raises(UsageError, match=words):
        make_plan(**{"game": "boss", "mode": "solo", "agents": ("flip",), "games": 1, **arguments})


# ------------------------------------------------------------------ what the numbers say
def finite(table):
    return np.isfinite(table.select_dtypes("number").to_numpy(float)).all()


def test_a_helpless_boss_and_an_unbeatable_one(tmp_path):
    boss_run(tmp_path / "run", games=40, overrides={"strength.medium": 50, "strength.hard": 1000})
    found = find_curve(tmp_path / "run", (1, 0.5, 0))
    levels = found.levels.set_index("difficulty")
    assert levels["win_share"].tolist() == [1, 0, 0]
    assert levels.loc["easy", "high"] == 1
    assert 0.95 < levels.loc["easy", "low"] < 1
    assert levels.loc["hard", "low"] == 0
    assert 0 < levels.loc["hard", "high"] < 0.05
    for table in (found.levels, found.bands, found.neighbours, found.target):
        assert finite(table)
    assert found.bands[found.bands["difficulty"] == "easy"]["win_share"].tolist() == [1] * 5
    assert found.neighbours["answer"].tolist() == [FALLS, OPEN]
    assert found.neighbours["games_needed"].tolist() == [0, 0]
    assert "Not told apart: medium and hard (no block differs)." in order_sentence(found.neighbours)
    assert found.target["answer"].tolist() == [ON_TARGET, TOO_HARD, ON_TARGET]
    assert levels.loc["easy", ["boss_sd", "boss_p5", "boss_p95"]].tolist() == [0, 0, 0]


def test_scores_margins_and_spread(tmp_path):
    boss_run(tmp_path / "run", games=30, mode="coop")
    games = pd.concat(by_blocks(tmp_path / "run", "games", 100))
    seats = pd.concat(by_blocks(tmp_path / "run", "seats", 100))
    found = find_curve(tmp_path / "run")
    row = found.levels.set_index("difficulty").loc["medium"]
    mine = seats[seats["difficulty"] == "medium"]
    boss = mine[mine["seat"] == 0]["score"]
    assert row["humans_score"] == pytest.approx(mine[mine["seat"] > 0]["score"].mean())
    assert row["boss_score"] == pytest.approx(boss.mean())
    assert row["boss_sd"] == pytest.approx(boss.std(ddof=0))
    assert (row["boss_p5"], row["boss_p95"]) == tuple(np.quantile(boss, (0.05, 0.95), method="inverted_cdf"))
    average = games[games["difficulty"] == "medium"]["human_average"].to_numpy()
    assert row["margin"] == pytest.approx((average - boss.to_numpy()).mean())
    assert row["margin_low"] < row["margin"] < row["margin_high"]
    cats = found.bands[(found.bands["band"] == "cats") & (found.bands["difficulty"] == "medium")].iloc[0]
    own = mine[mine["band"] == "cats"]
    assert cats["games"] == len(own)
    assert cats["humans_score"] == pytest.approx(own["score"].mean())
    assert cats["win_share"] == pytest.approx(2 * own["win_share"].mean())
    assert cats["boss_score"] == pytest.approx(boss[mine[mine["seat"] == 0]["game"].isin(own["game"])].mean())


def test_pieces_add_up_to_the_whole(tmp_path, monkeypatch):
    boss_run(tmp_path / "run", games=30, mode="coop")
    whole = level_table(read_curve(tmp_path / "run"))
    monkeypatch.setattr("experiments.curve.by_blocks", lambda folder, name, blocks: by_blocks(folder, name, 3))
    pd.testing.assert_frame_equal(level_table(read_curve(tmp_path / "run")), whole)


def test_a_band_has_its_own_blocks():
    curve = made_up([[1, 0, 1, 0], [1, 0, 0, 0]], bands=("apes", "bears"))
    table = band_table(curve).set_index(["band", "difficulty"])["win_share"]
    assert table["apes", "level 0"] == 1
    assert table["apes", "level 1"] == 0.5
    assert table["bears", "level 0"] == 0


def test_only_one_block_gives_no_nan():
    curve = made_up([[1], [0]])
    assert not level_table(curve).isna().to_numpy().any()
    assert not neighbours(curve).isna().to_numpy().any()
    assert share_of(curve, curve.cells["flip", "level 0"]).interval() == (0.025, 1.0)


def test_order_is_judged_by_neighbours():
    sure, none = [1] * 12, [0] * 12
    table = neighbours(made_up([sure, none, sure, sure]))
    assert table["answer"].tolist() == [FALLS, RISES, OPEN]
    assert table["change"].tolist() == [-1, 1, 0]
    text = order_sentence(table)
    assert "wrong order: level 2 is easier than level 1" in text
    assert "Not told apart: level 2 and level 3 (no block differs)" in text
    assert order_sentence(neighbours(made_up([sure, none]))) == "Every level is harder than the one before it."


def test_an_open_pair_says_how_many_games_would_do():
    wins = [[1] * 10 + [0] * 10, [1] * 8 + [0] * 12]
    row = neighbours(made_up(wins)).iloc[0]
    assert row["answer"] == OPEN
    # d = 0.1 with variance 0.1 * 0.9 * 20 / 19; (1.96 + 1.28)^2 var / d^2
    assert row["games_needed"] == math.ceil(0.09 * 20 / 19 * (1.959964 + 1.281552) ** 2 / 0.01)


@pytest.mark.parametrize("differences", [[1, 1, 1], [2, -1, 3, 0, 1], [1, -1], [3, 3, -2, 1, 1, -1, 2], [0, 0]])
def test_sign_flips_match_all_flips(differences):
    total = abs(sum(differences))
    flips = [sum(s * d for s, d in zip(signs, differences, strict=True)) for signs in
             itertools.product((-1, 1), repeat=len(differences))]  # fmt: skip
    assert sign_flip_p(np.array(differences)) == pytest.approx(np.mean([abs(flip) >= total for flip in flips]))


def test_sign_flips_of_many_blocks_go_on_smoothly():
    few = np.array([1] * 225 + [-1] * 175)
    many = np.array([1] * 226 + [-1] * 175)
    assert sign_flip_p(few) == pytest.approx(0.0141, abs=0.0005)
    assert sign_flip_p(many) == pytest.approx(sign_flip_p(few), rel=0.25)


def test_equal_levels_are_told_apart_at_the_nominal_rate():
    random = np.random.default_rng(5)
    alarms = 0
    for _ in range(400):
        wins = random.binomial(2, random.random(60)[None, :], (2, 60))  # each block has a chance of its own
        alarms += sign_flip_p(wins[1] - wins[0]) < 0.05
    assert alarms <= 33  # of 400 at 5 %: more has a chance of 0.1 %


@pytest.mark.parametrize(("blocks", "low", "high"), [(40, 0.9, 0.6), (400, 0.6, 0.5), (60, 0.02, 0.01)])
def test_the_interval_of_a_change_covers_it(blocks, low, high):
    random = np.random.default_rng(blocks)
    covered = 0
    for _ in range(400):
        luck = random.random(blocks)  # the same luck at both levels, with some of its own
        own = random.random((2, blocks)) < 0.5
        other = random.random((2, blocks))
        wins = [(np.where(own[k], luck, other[k]) < share).astype(float) for k, share in enumerate((low, high))]
        below, above = difference_interval(wins[1] - wins[0], 1)
        covered += below <= high - low <= above
    assert covered >= 0.93 * 400


# ------------------------------------------------------------------ target
def test_distance_to_a_target():
    half = [1, 0] * 2000
    curve = made_up([[1] * 4000, half, half])
    table = target_table(curve, (0.999, 0.3, 0.7))
    assert table["answer"].tolist() == [ON_TARGET, TOO_EASY, TOO_HARD]
    assert table["distance"].tolist() == pytest.approx([0.001, 0.2, -0.2])
    rms, largest = overall_distance(table)
    assert rms == pytest.approx(math.sqrt((0.001**2 + 0.2**2 + 0.2**2) / 3))
    assert largest == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("target", "words"), [((0.5,), "1 shares, one a level"), ((0.5, 0.5, 50), "50 is not a share")]
)
def test_bad_targets_are_refused(target, words):
    with pytest.raises(UsageError, match=words):
        check_target(target, LEVELS)


# ------------------------------------------------------------------ the command
SMALL = ("difficulty", "boss", "--agent", "flip", "--games", "20", "--jobs", "2")


def test_the_command_from_start_to_finish(soundcheck, tmp_path):
    done = soundcheck(*SMALL, "--agent", "keep", "--target", "0.9,0.5,0.1")
    assert "600 games = 3 levels x 2 agents x 20 designs of 5 line-ups x 1 rotations" in done.stderr
    for words in (
        "Levels, humans played by flip", "Levels, humans played by keep", "Scores of a seat, flip",
        "Bands, flip", "Neighbouring levels on the same luck", "Distance to the target", "from the target overall",
    ):  # fmt: skip
        assert words in done.stdout
    assert "nan" not in done.stdout
    (folder,) = (tmp_path / "runs").iterdir()
    assert sorted(path.name for path in folder.iterdir() if path.name != ".lock") == [
        "difficulty.png", "difficulty.svg", "games.parquet", "manifest.json", "seats.parquet", "summary.csv",
    ]  # fmt: skip
    table = pd.read_csv(folder / "summary.csv")
    assert table.groupby("table").size().to_dict() == {"band": 30, "level": 6, "neighbours": 4, "target": 6}
    again = soundcheck(*SMALL, "--agent", "keep", "--target", "0.9,0.5,0.1")
    assert "already holds this run" in again.stderr
    assert again.stdout == done.stdout
    replay = soundcheck("play", "--run", folder, "--game", 4)
    assert "the stored rows of this game say the same" in replay.stderr
    assert "boss (none)" in replay.stdout
    assert "game 4," in replay.stdout


def test_json_is_all_that_stdout_holds(soundcheck):
    done = soundcheck(*SMALL, "--json", "--quiet", "--bands", "apes,cats", "--mode", "coop")
    assert done.stderr == ""
    data = json.loads(done.stdout)
    assert [row["difficulty"] for row in data["levels"]] == list(LEVELS)
    assert len(data["bands"]) == 6
    assert data["run"]["variant"] == {"mode": "coop"}
    assert set(data["order"]) == {"flip"}
    assert "target" not in data


def test_machines_share_a_difficulty_run(inside, tmp_path):
    for k, backend in ((1, "processes"), (2, "threads")):
        done = inside(*SMALL, "--part", f"{k}/2", "--backend", backend, "--unit", "30", "--out", f"part{k}")
        assert f"part {k} of 2 is stored in part{k}; join the parts with: soundcheck merge" in done.err
        assert done.out == ""
    assert "300 of 300 games" in inside("merge", "all", "part1", "part2").out
    boss_run(tmp_path / "whole", games=20)
    for name in ("games", "seats"):
        whole, merged = (tmp_path / folder / f"{name}.parquet" for folder in ("whole", "all"))
        assert whole.read_bytes() == merged.read_bytes()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--part", "3/2"), "is not K/N"),
        (("--unit", "0"), "unit: 0 is too few"),
        (("--target", "0.9,x,0.1"), "'x' is not a number"),
        (("--target", "0.9"), "target: 1 shares"),
        (("--bands", "aps"), "did you mean 'apes'"),
        (("--margin", "0"), "margin: 0 is too small"),
        (("--players", "3"), "not in solo"),
    ],
)
def test_what_the_command_refuses(soundcheck, tmp_path, more, words):
    done = soundcheck(*SMALL, *more, code=2)
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "runs").exists()


def test_balance_sends_a_team_to_difficulty(soundcheck):
    done = soundcheck("balance", "overdrive", "--variant", "mode=coop", code=2)
    assert "soundcheck difficulty overdrive --mode coop" in done.stderr


# ------------------------------------------------------------------ Overdrive
@pytest.mark.parametrize("mode", ["solo", "coop"])
def test_overdrive_against_metallum(tmp_path, mode):
    players = 1 if mode == "solo" else 2
    plan = make_plan("overdrive", mode, ("random",), 1, players=players, bands=("tnshe", "rebeldogs", "epic_gods"))
    prepared = prepare_levels(plan)
    assert plan.levels == ("poser", "moleza", "normal", "hardcore", "brutal", "metalgeddon")
    store = open_store(prepared, tmp_path / "run")
    try:
        play_levels(prepared, store, 1)
    finally:
        store.close()
    games = pd.concat(by_blocks(tmp_path / "run", "games", 100))
    assert games["metallum_dice"].tolist() == [k for k in range(1, 7) for _ in range(players)] * 3
    seats = pd.concat(by_blocks(tmp_path / "run", "seats", 100))
    assert set(seats[seats["seat"] == 0]["band"]) == {"metallum"}
    assert set(seats[seats["seat"] > 0]["agent"]) == {"random"}
    found = find_curve(tmp_path / "run")
    assert finite(found.levels)
    humans_win = games.groupby("difficulty", sort=False)["humans_win"].mean()
    assert found.levels["win_share"].tolist() == humans_win.tolist()
    assert found.levels["boss_score"].is_monotonic_increasing
    parts = found.levels[[name for name in found.levels if name.startswith("boss_points_")]].sum(axis=1)
    assert parts.tolist() == pytest.approx(found.levels["boss_score"].tolist())
