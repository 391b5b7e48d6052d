"""Players of other tools among ours: whole tournaments, ladders, matrices of styles and reports with them."""

from __future__ import annotations

import json
import re

import pandas as pd
import pytest

from bridges.examples import OpenSpielMCTS
from experiments.cli import main

POLICY, PREDICT, BOT = (f"py:bridges.examples:{name}" for name in ("FirstWord", "LastWord", "OpenSpielRandom"))
SEARCH = "py:tests.bridges.test_tournaments:Search"


class Search(OpenSpielMCTS):
    """OpenSpiel's MCTS as anybody would name it with a budget of one's own."""

    def __init__(self):
        super().__init__(4, compiled=True)


@pytest.fixture
def soundcheck(monkeypatch, tmp_path, capsys):
    """Run a command in an empty folder; what it printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def run(*words):
        assert main([*words]) == 0
        return capsys.readouterr().out

    return run


@pytest.mark.parametrize(
    ("game", "agents"), [("metalmania", [BOT, POLICY, PREDICT]), ("overdrive", [BOT, POLICY, SEARCH])]
)
def test_a_tournament_of_all_three_kinds_and_its_report(soundcheck, tmp_path, game, agents):
    named = [word for agent in agents for word in ("--agent", agent)]
    plan = ("balance", game, *named, "--agent", "greedy", "--games", "8", "--jobs", "1", "--out", "run", "--quiet")
    data = json.loads(soundcheck(*plan, "--json"))
    assert set(data["run"]["agents"]) == {*agents, "greedy"}
    assert set(data["run"]["agent_sources"]) == set(agents)
    seats = pd.concat(pd.read_parquet(file) for file in (tmp_path / "run").rglob("seats*.parquet"))
    shares = seats.groupby("agent")["win_share"]
    assert shares.size().to_dict() == dict.fromkeys([*agents, "greedy"], len(seats) // 4)
    assert shares.sum().sum() == pytest.approx(len(seats) / 4)
    assert shares.mean().idxmax() == "greedy"
    soundcheck("report", "run", "--out", "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert all(agent in page for agent in agents)


def test_a_ladder_climbs_from_their_bot_to_ours(soundcheck):
    words = ("metalmania", "--players", "2", "--agent", BOT, "--agent", POLICY, "--agent", "greedy", "--games", "16")
    (low, high) = json.loads(soundcheck("ladder", *words, "--jobs", "1", "--json", "--quiet"))["steps"]
    assert (low["rung"], low["below"], high["rung"], high["below"]) == (POLICY, BOT, "greedy", POLICY)
    assert high["win_share"] == 1


def test_a_matrix_of_styles_and_a_sequential_test_seat_them(soundcheck):
    words = ("overdrive", "--players", "2", "--agent", BOT, "--agent", PREDICT)
    data = json.loads(soundcheck("styles", *words, "--games", "8", "--jobs", "1", "--json", "--quiet"))
    assert data["matrix"][BOT][PREDICT] + data["matrix"][PREDICT][BOT] == pytest.approx(1)
    text = soundcheck("strength", *words, "--blocks", "24", "--jobs", "2", "--quiet")
    assert re.search(re.escape(PREDICT) + r" +against " + re.escape(BOT) + r" .* 48 games", text)
