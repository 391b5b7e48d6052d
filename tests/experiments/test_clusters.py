"""Dask: worker processes on this machine, a scheduler of its own, a worker killed in the middle."""

import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from experiments import clusters
from experiments.clusters import _files, _with_local_files, fan_out_dask
from experiments.fanout import fan_out
from experiments.plan import Plan
from experiments.store import TABLES
from simcore.errors import UsageError
from tests.experiments.conftest import ROOT, interrupted, toy_plan
from tests.experiments.test_cli import only_line

pytest.importorskip("distributed")

GAMES = ("balance", "toy", "--agent", "flip", "--games", "60000", "--unit", "400")


def content(folder):
    return [(folder / f"{name}.parquet").read_bytes() for name in TABLES]


@pytest.fixture
def scheduler(toy_env):
    """(address, start a worker) of a Dask scheduler in a process of its own; all are ended afterwards."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    running = []

    def start(*arguments):
        command = [sys.executable, "-m", "dask", *arguments]
        running.append(
            subprocess.Popen(command, cwd=ROOT, env=toy_env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        )
        return running[-1]

    port = address.rpartition(":")[2]
    start("scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard")
    yield address, lambda: start("worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
    for one in running:
        one.kill()
        one.wait()


@pytest.mark.slow
def test_workers_on_this_machine_give_the_same_bytes(soundcheck, tmp_path):
    soundcheck(*GAMES[:5], "6000", "--unit", "400", "--backend", "dask", "--jobs", "2", "--out", "dask", "--quiet")
    soundcheck(*GAMES[:5], "6000", "--out", "threads", "--jobs", "1", "--quiet")
    assert content(tmp_path / "dask") == content(tmp_path / "threads")


@pytest.mark.slow
def test_ctrl_c_ends_the_workers_and_keeps_what_is_done(toy_env, tmp_path):
    command = [sys.executable, "-m", "experiments", *GAMES, "--backend", "dask", "--jobs", "2", "--out", "dask"]
    said = interrupted(command, tmp_path, toy_env, "dask/units/games-*")
    assert re.search(r"interrupted: [\d,]+ of 60,000 games are stored in dask; the same command goes on", said)
    assert list(tmp_path.glob("dask/units/games-*"))


@pytest.mark.slow
def test_a_killed_worker_costs_nothing(soundcheck, scheduler, toy_env, tmp_path):
    address, start_worker = scheduler
    workers = [start_worker(), start_worker()]
    command = [
        sys.executable,
        "-m",
        "experiments",
        *GAMES,
        "--backend",
        "dask",
        "--scheduler",
        address,
        "--out",
        "dask",
    ]
    running = subprocess.Popen(
        command, cwd=tmp_path, env=toy_env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 120
    while len(list(tmp_path.glob("dask/units/games-*"))) < 5 and time.monotonic() < deadline:
        time.sleep(0.01)
    workers[0].send_signal(signal.SIGKILL)
    stored = len(list(tmp_path.glob("dask/units/games-*")))
    _, said = running.communicate(timeout=240)
    assert running.returncode == 0, said
    assert 5 <= stored < 150, "the worker was killed before or after the run, not in its middle"
    assert workers[0].wait() == -signal.SIGKILL
    soundcheck(*GAMES, "--out", "threads", "--jobs", "2", "--quiet")
    assert content(tmp_path / "dask") == content(tmp_path / "threads")


@pytest.mark.slow
def test_a_worker_of_another_version_is_refused(soundcheck, scheduler, toy_env, tmp_path):
    address, start_worker = scheduler
    start_worker()
    done = soundcheck(
        *GAMES, "--backend", "dask", "--scheduler", address, "--quiet", env={"NUMBA_BOUNDSCHECK": "1"}, code=2
    )
    assert re.search(r"worker .* runs another version", done.stderr)
    assert not list(tmp_path.rglob("games-*"))


def test_a_scheduler_that_does_not_answer_is_said_plainly(soundcheck, monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    monkeypatch.setattr(clusters, "_PATIENCE", 1)
    with pytest.raises(UsageError, match="does not answer"):
        list(fan_out_dask(toy_plan().plan, [(0, 1)], 1, lambda plan, unit: None, address))


def test_a_scheduler_goes_with_dask_alone(soundcheck):
    done = soundcheck(*GAMES, "--scheduler", "tcp://127.0.0.1:1", "--backend", "threads", "--quiet", code=2)
    assert "goes with --backend dask alone" in only_line(done)
    with pytest.raises(UsageError, match="dask alone"):
        list(fan_out(toy_plan().plan, [(0, 1)], 1, "processes", scheduler="tcp://x"))


def test_without_dask_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"soundcheck-sim\[distributed\]"):
        list(fan_out_dask(toy_plan().plan, [(0, 1)], 1, lambda plan, unit: None))


def test_rules_files_travel(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("a = 1\n")
    plan = Plan("toy", 4, ("flip",), rules_file=str(path))
    files = _files(plan)
    assert _with_local_files(plan, files) == plan
    path.unlink()
    there = _with_local_files(plan, files)
    assert there.rules_file != str(path)
    assert Path(there.rules_file).read_text() == "a = 1\n"
    Path(there.rules_file).unlink()
    assert _with_local_files(Plan("toy", 4, ("flip",)), {}).rules_file == ""
