"""Dice Race as a game that another distribution brings along, for this process and for subprocesses."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from experiments.cli import main
from experiments.plan import Plan, as_text, prepare
from simcore import registry

ROOT = Path(__file__).resolve().parents[2]

ENTRY_POINTS = """
[soundcheck.games]
toy = tests.toy:TOY
boss = tests.boss:BOSS

[soundcheck.agents]
flip = tests.toy:COIN_FLIPPER
keep = tests.toy:KEEPER
"""


@pytest.fixture(scope="session", autouse=True)
def toy_distribution(tmp_path_factory):
    """A folder on the import path that declares the toy's entry points."""
    folder = tmp_path_factory.mktemp("distribution")
    info = folder / "dice_race-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: dice-race\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    sys.path.insert(0, str(folder))
    registry._entries.cache_clear()
    yield folder
    sys.path.remove(str(folder))
    registry._entries.cache_clear()


@pytest.fixture
def toy_env(toy_distribution):
    """Environment of subprocesses that know the toy."""
    paths = [str(toy_distribution), str(ROOT), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), "COLUMNS": "200", "NO_COLOR": "1"}


@pytest.fixture
def soundcheck(toy_env, tmp_path):
    """Run the real command line in an empty folder: ``soundcheck("balance", "toy", ...)``."""

    def run(*arguments, env=None, code=0):
        done = subprocess.run(
            [sys.executable, "-m", "experiments", *map(str, arguments)],
            cwd=tmp_path, env={**toy_env, **(env or {})}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == code, done.stdout + done.stderr
        return done

    return run


@pytest.fixture
def inside(tmp_path, monkeypatch, capsys):
    """The command line in this very process, in an empty folder, for tests that need no process of their own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments):
        assert main([str(argument) for argument in arguments]) == 0
        return capsys.readouterr()

    return run


def interrupted(command, folder, env, stored):
    """What a run says on stderr when Ctrl-C meets it, and the processes that it started, as in a terminal.

    That is after the first file that fits the pattern ``stored``.
    """
    running = subprocess.Popen(
        command, cwd=folder, env=env, stderr=subprocess.PIPE, text=True,
        start_new_session=True, preexec_fn=_hear_interrupts,  # noqa: PLW1509 (no thread of ours holds a lock here)
    )  # fmt: skip
    deadline = time.monotonic() + 120
    while not list(folder.glob(stored)) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130, said
    assert "Traceback" not in said
    return said


def _hear_interrupts():
    """For a child process: Ctrl-C is heard, also where a script in the background told its children to ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def toy_plan(designs=4, players=4, agents=("flip",), seed=1, **overrides):
    return prepare(
        Plan("toy", players, tuple(agents), seed, designs, as_text({f"handicap.{k}": v for k, v in overrides.items()}))
    )
