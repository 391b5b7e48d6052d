"""The real games: stored rows do not depend on workers, units or the compiler; luck stays apart from skill."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from experiments.plan import Plan, prepare
from simcore import registry
from simcore.loop import JOB
from simcore.play import play_jobs
from simcore.trace import events
from tests.experiments.test_sameness import digest, play

ROOT = Path(__file__).resolve().parents[1]
TABLES = [("overdrive", 3), ("metalmania", 3)]


def line_up(game, players, rules):
    names = game.entrants(rules)
    return {"players": players, **({"bands": list(names[-players:])} if names else {})}


def few_games(name, players, games):
    """Hash of everything that ``games`` games of random and greedy agents leave behind."""
    game = registry.game(name)
    rules = game.rules()
    jobs = np.zeros(games, JOB)
    jobs["block"] = np.arange(games)
    jobs["agent"][:, 1] = 1
    agents = [registry.agent(text, game) for text in ("random", "greedy")]
    played = play_jobs(game, [rules], game.setup(line_up(game, players, rules), rules), jobs, agents, 3)
    # As values, not as bytes: what lies between the fields of a record is nobody's.
    told = repr((played.results.tolist(), played.counts.tolist()))
    return hashlib.sha256(told.encode()).hexdigest()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_compiler_does_not_matter(name, players):
    code = f"from tests.test_sameness import few_games; print(few_games({name!r}, {players}, 2))"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    off = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert off.stdout.strip() == few_games(name, players, 2)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_jobs_units_and_processes_do_not_matter(tmp_path, name, players):
    prepared = prepare(
        Plan(game=name, players=players, agents=("random",), seed=5, designs=1 if name == "overdrive" else 20)
    )
    ways = {"one": (1, 100_000, "threads"), "two": (2, 60, "threads"), "four": (4, 7, "threads")}
    digests = {str(digest(play(tmp_path / way, prepared, *how))) for way, how in ways.items()}
    digests.add(str(digest(play(tmp_path / "processes", prepared, 2, 200, "processes"))))
    assert len(digests) == 1


KILLED = """
import sys
from pathlib import Path
from experiments.balance import open_store, play_run
from tests.killing import kill_often
from tests.test_sameness import small_run

name, folder = sys.argv[1], Path(sys.argv[2])
prepared = small_run(name)
prepared.compile()

def run(folder):
    store = open_store(prepared, folder)
    play_run(prepared, store, jobs=2, unit_games=24)

print(kill_often(run, folder, 20, seed=20))
"""


def small_run(name):
    """A run of some hundred games in which both kinds of agents sit."""
    agents = ("random",) if name == "overdrive" else ("greedy", "random", "random")
    return prepare(Plan(game=name, players=3, agents=agents, seed=8, designs=2 if name == "overdrive" else 20))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["overdrive", "metalmania"])
def test_twenty_kills_change_no_byte(tmp_path, name):
    command = [sys.executable, "-c", KILLED, name, str(tmp_path / "killed")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == 20
    assert digest(tmp_path / "killed") == digest(play(tmp_path / "whole", small_run(name), 1, 100_000))


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_another_agent_does_not_change_what_any_seats_kth_roll_shows(name, players):
    """The k-th draw of each stream is the same number, whoever plays: it is only taken modulo what is asked."""
    game = registry.game(name)
    rules = game.rules()
    setup = game.setup(line_up(game, players, rules), rules)
    draws = []
    for text in ("random", "greedy"):
        shown = {}
        agents = [registry.agent(one, game) for one in ("random", text)]
        job = np.zeros(1, JOB)
        job["agent"][0, 0] = 1
        for event in events(game, rules, setup, job[0], agents, 11):
            if event.kind == "chance" and event.options in {6**k for k in range(1, 7)}:
                shown.setdefault(event.stream, []).append((event.options, event.number))
        draws.append(shown)
    compared = 0
    for stream in draws[0]:
        for (n, one), (m, other) in zip(draws[0][stream], draws[1].get(stream, []), strict=False):
            compared += 1
            assert one % min(n, m) == other % min(n, m)
    assert compared > 20
