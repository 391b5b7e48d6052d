"""Rows do not depend on how the work was cut up or who did it."""

import hashlib
import subprocess
import sys
import time

import numpy as np
import pytest

from experiments import fanout
from experiments.balance import open_store, play_run
from experiments.fanout import fan_out, split, unit_blocks
from experiments.plan import prepare
from experiments.store import TABLES
from experiments.summary import summarise
from simcore.errors import AgentError, UsageError
from tests.experiments.conftest import ROOT, toy_plan

DIGEST = """
import sys
from pathlib import Path
from tests.experiments.conftest import toy_plan
from tests.experiments.test_sameness import digest, play
print(digest(play(Path(sys.argv[1]), toy_plan(designs=6), 2, 25)))
"""


def play(folder, prepared, jobs, unit, backend="threads"):
    store = open_store(prepared, folder)
    try:
        play_run(prepared, store, jobs, backend, unit)
    finally:
        store.close()
    return folder


def digest(folder):
    return [hashlib.sha256((folder / f"{name}.parquet").read_bytes()).hexdigest() for name in TABLES]


@pytest.mark.parametrize("agents", [("flip",), ("flip", "keep", "keep")])
def test_jobs_and_units_do_not_matter(tmp_path, agents):
    players = max(len(agents), 3)
    prepared = toy_plan(designs=12, players=players, agents=agents, bears=1)
    digests = {
        str(digest(play(tmp_path / f"{jobs}-{unit}", prepared, jobs, unit)))
        for jobs, unit in [(1, 1_000_000), (1, 7), (2, 100), (4, 33), (4, 1)]
    }
    assert len(digests) == 1


@pytest.mark.slow
def test_processes_give_the_same_rows(tmp_path):
    prepared = toy_plan(designs=12)
    threads = digest(play(tmp_path / "threads", prepared, 2, 60))
    assert digest(play(tmp_path / "processes", prepared, 2, 60, "processes")) == threads


@pytest.mark.slow
def test_the_compiler_does_not_matter(tmp_path, toy_env):
    found = []
    for off in ("0", "1"):
        command = [sys.executable, "-c", DIGEST, str(tmp_path / off)]
        env = {**toy_env, "NUMBA_DISABLE_JIT": off}
        found.append(subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True).stdout)
    assert found[0] == found[1] != ""


@pytest.mark.parametrize("agents", [("flip",), ("flip", "keep")])
def test_a_block_does_not_depend_on_how_many_are_run(agents):
    short = toy_plan(designs=2, players=2, agents=agents)
    long = toy_plan(designs=50, players=2, agents=agents)
    few, many = short.play(0, short.blocks), long.play(0, long.blocks)
    for one, other in zip(few, many, strict=True):
        assert one.equals(other.slice(0, one.num_rows))
    (games, seats), block = long.play(31, 32), 31
    size = long.design.games_per_block
    assert games.equals(many[0].slice(block * size, size))
    assert seats.equals(many[1].slice(block * size * 2, size * 2))


def test_another_seed_is_another_run():
    assert not toy_plan(seed=1).play(0, 5)[1].equals(toy_plan(seed=2).play(0, 5)[1])


def test_rotation_moves_bands_and_keeps_luck():
    # Equal bands and equal agents: a seat's fate in a block is the same whoever sits there.
    _, seats = toy_plan(designs=1).play(0, 5)
    fates = seats.to_pandas().groupby(["block", "seat"])["score"].nunique()
    assert (fates == 1).all()
    _, seats = toy_plan(designs=1, bears=50).play(0, 5)
    table = seats.to_pandas()
    assert (table.loc[table["band"] == "bears", "win_share"] == 1).all()


def test_win_shares_of_a_finished_game_sum_to_one():
    games, seats = toy_plan(designs=20).play(0, 100)
    sums = seats.to_pandas().groupby("game")["win_share"].sum().to_numpy()
    assert np.allclose(sums, 1.0, atol=1e-12)
    assert not any(games["unfinished"].to_pylist())


def test_units_cover_the_gaps_once():
    assert split([(0, 5), (9, 11)], 2) == [(0, 2), (2, 4), (4, 5), (9, 11)]
    assert unit_blocks(2_000, 4, 10_000) == 500
    assert unit_blocks(1, 16, 10) == 1
    assert unit_blocks(10**9, 4, 10) == 10


def test_bad_arguments_are_refused():
    plan = toy_plan().plan
    with pytest.raises(UsageError, match="threads"):
        list(fan_out(plan, [(0, 1)], 1, "thread"))
    with pytest.raises(UsageError, match="jobs"):
        list(fan_out(plan, [(0, 1)], 0, "threads"))
    with pytest.raises(UsageError, match="allowed: 2, 3, 4"):
        toy_plan(players=5)


def test_at_most_a_few_units_are_under_way():
    started = []

    def slow(plan, unit):
        started.append(unit)
        return unit, None, None

    units = [(k, k + 1) for k in range(200)]
    running = fan_out(toy_plan().plan, units, 2, "threads", slow)
    next(running)
    time.sleep(0.3)  # time for workers to run ahead, if they would
    assert len(started) <= 5
    next(running)
    time.sleep(0.1)
    assert len(started) <= 6
    running.close()
    time.sleep(0.1)
    assert len(started) <= 6


@pytest.mark.parametrize(("jobs", "backend"), [(1, "threads"), (2, "threads"), (2, "processes")])
def test_an_agent_that_cheats_ends_the_run_and_loses_nothing(tmp_path, jobs, backend):
    prepared = toy_plan(agents=("py:tests.toy:Cheat",))
    store = open_store(prepared, tmp_path / "run")
    store.add(0, 5, *toy_plan().play(0, 5))
    match = r"py:tests.toy:Cheat.*game [2-7]\d"
    with pytest.raises(AgentError, match=match):
        play_run(prepared, store, jobs, backend, 20)
    assert store.done() == [(0, 5)]
    store.close()


def test_python_agents_play_in_processes_by_default():
    assert toy_plan(agents=("py:tests.toy:Chancer",)).needs_processes
    assert not toy_plan().needs_processes
    assert fanout.BACKENDS["processes"] == "loky"
    assert prepare(toy_plan().plan) is prepare(toy_plan().plan)


@pytest.mark.slow
def test_equal_seats_are_called_fair_as_often_as_promised():
    # Dice Race favours no seat: of runs of 500 blocks, intervals miss a quarter as often as they may.
    runs, blocks = 200, 500
    prepared = toy_plan(designs=runs * blocks // 5)
    covered = []
    for run in range(runs):
        games, seats = prepared.play(run * blocks, (run + 1) * blocks)
        for group in summarise(games.to_pandas(), seats.to_pandas()).groups["seat"].values():
            low, high = group.means.interval()
            covered.append(low <= 0.25 <= high)
    assert 0.93 <= np.mean(covered) <= 0.97


def test_line_ups_are_kept_up_to_a_bound(monkeypatch):
    prepared = toy_plan(designs=2)
    first = prepared.play(0, 10)
    prepared.setups.clear()
    monkeypatch.setattr("experiments.plan.MOST_SETUPS", 3)
    assert prepared.play(0, 10)[1].equals(first[1])
    assert len(prepared.setups) <= 3
