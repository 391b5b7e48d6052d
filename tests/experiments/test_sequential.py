"""Stopping when everything is decided: where, and how often in error."""

import json
import math

import numpy as np
import pytest

from experiments import sequential
from experiments.running import CELLS, How, finding_of, play_study
from experiments.sequential import METHOD, assess, beta_limits, limits, look_points
from experiments.statistics import BlockMeans
from experiments.study import cells, read_study
from experiments.summary import SHARE_UNIT, Group
from experiments.verdict import BALANCED, OFF, UNDECIDED
from simcore.errors import UsageError

PLAN = {"game": "toy", "agents": ["flip"], "players": 4, "games": 40_000, "until": "decided"}


def group(means, games=4):
    wins = np.rint(np.asarray(means) * games * SHARE_UNIT).astype(np.int64)
    return Group(len(wins), len(wins) * games, int(wins.sum()), int((wins**2).sum()))


def test_looks_are_prefixes_of_whole_designs():
    points = look_points(10_000, 5)
    assert points[0] * 5 >= sequential.FIRST_BLOCKS
    assert points[-1] == 10_000
    assert points == sorted(set(points))
    assert look_points(3, 330) == [2, 3]
    assert look_points(1, 330) == [1]


def test_limits_at_more_looks_are_wider_than_one_look_alone():
    means = np.random.default_rng(1).binomial(4, 0.3, 2000) / 4
    one = BlockMeans(2000, 4, float(means.mean()), float(means.var(ddof=1)))
    low, high = limits(one, 0.25, 0.02, 0.05)
    assert low < one.interval()[0] < one.interval()[1] < high
    assert high - low < 3 * (one.interval()[1] - one.interval()[0])


def test_no_win_at_all_is_decided_without_any_variance():
    low, high = beta_limits(0.0, 400, 0.05, 0.25)
    assert low == 0
    assert 0 < high < 0.05
    (never, always) = assess({"a": group([0.0] * 400), "b": group([1.0] * 400)}, 4, 1600)
    assert never.answer == always.answer == OFF
    assert not math.isnan(never.low + always.high)


def test_a_run_stops_when_every_band_is_decided(tmp_path):
    found = finding_of({**PLAN, "rules": {"far": {"handicap.bears": 4}}}, tmp_path / "s", jobs=2)
    ((cell, one),) = found.cells
    stopped = one.manifest["stopped"]
    assert stopped["why"] == "decided"
    assert stopped["blocks"] == one.manifest["design"]["blocks"] < stopped["of"]
    bands = found.table[found.table["table"] == "band"]
    assert (bands["verdict"] == OFF).all()
    assert (bands["interval"] == METHOD).all()
    assert bands["p_value"].isna().all()
    seats = one.summary.groups["seat"]
    assert sum(group.games for group in seats.values()) == 4 * one.manifest["design"]["games"]
    # Again: nothing is played, and the same is shown.
    again = finding_of({**PLAN, "rules": {"far": {"handicap.bears": 4}}}, tmp_path / "s")
    assert again.table.equals(found.table)
    assert cell.name in {path.name for path in (tmp_path / "s" / CELLS).iterdir()}


def test_where_it_stops_depends_on_the_plan_alone(tmp_path):
    plan = read_study({**PLAN, "rules": {"far": {"handicap.bears": 3}}})
    name = cells(plan)[0].name
    found = []
    for jobs, unit in ((1, None), (2, 7), (2, 333)):
        folder = tmp_path / f"{jobs}-{unit}"
        play_study(plan, folder, How(jobs=jobs, unit_games=unit))
        found.append([(folder / CELLS / name / f"{table}.parquet").read_bytes() for table in ("games", "seats")])
    assert found[0] == found[1] == found[2]


def test_a_run_until_decided_goes_on_after_an_interrupt(tmp_path):
    plan = read_study({**PLAN, "rules": {"far": {"handicap.bears": 3}}})

    def stop(cell, number, of):
        def progress(done, total):
            if done > 800:
                raise KeyboardInterrupt

        return progress

    with pytest.raises(KeyboardInterrupt):
        play_study(plan, tmp_path / "s", How(jobs=1, unit_games=40), progress=stop)
    play_study(plan, tmp_path / "s")
    play_study(plan, tmp_path / "whole")
    name = cells(plan)[0].name
    for file in ("games.parquet", "seats.parquet"):
        assert (tmp_path / "s" / CELLS / name / file).read_bytes() == (
            tmp_path / "whole" / CELLS / name / file
        ).read_bytes()
    manifests = [json.loads((tmp_path / kind / CELLS / name / "manifest.json").read_text()) for kind in ("s", "whole")]
    assert manifests[0]["stopped"] == manifests[1]["stopped"]


def test_the_most_games_end_a_run_that_decides_nothing():
    found = finding_of({**PLAN, "games": 3_000}, jobs=1)
    ((_, one),) = found.cells
    assert "stopped" not in one.manifest
    bands = found.table[found.table["table"] == "band"]
    open_ones = bands[bands["verdict"] == UNDECIDED]
    assert len(open_ones)
    assert (open_ones["games_needed"] > 3_000).all()


def test_parts_are_refused(tmp_path):
    from experiments.running import Part

    with pytest.raises(UsageError, match="not cut into parts"):
        play_study(read_study(PLAN), tmp_path / "s", How(part=Part(1, 2)))


def simulate(share, runs, most, seed, groups=1):
    """Answers of ``runs`` runs of ``groups`` bands, each with block means of four games at ``share``."""
    rng = np.random.default_rng(seed)
    answers, blocks = [], []
    for _ in range(runs):
        means = rng.binomial(4, share, (groups, most)) / 4
        for at in look_points(most, 1):
            verdicts = assess({k: group(row[:at]) for k, row in enumerate(means)}, 4, 4 * at)
            if all(one.answer != UNDECIDED for one in verdicts):
                break
        answers.append([one.answer for one in verdicts])
        blocks.append(at)
    return np.array(answers), np.array(blocks)


@pytest.mark.slow
def test_false_verdicts_stay_below_the_promise():
    # Five fair bands: "off" anywhere at most once in twenty runs, although each is looked at about 25 times.
    answers, _ = simulate(0.25, 200, 8_000, 1, groups=5)
    assert (answers == OFF).any(axis=1).mean() <= 0.05
    assert (answers == BALANCED).mean() > 0.9
    # Just outside of the margin: "balanced" at most once in twenty.
    answers, _ = simulate(0.27, 200, 8_000, 2)
    assert (answers == BALANCED).mean() <= 0.05
    assert (answers == OFF).mean() > 0.5


@pytest.mark.slow
def test_gross_imbalance_is_decided_early():
    answers, blocks = simulate(0.35, 200, 20_000, 3)
    assert (answers == OFF).all()
    assert np.mean(blocks) * 4 < 2_500
