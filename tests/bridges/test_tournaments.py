"""Players of other tools among ours: whole tournaments, ladders, matrices of styles and reports with them."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from agents.contest import block_means, deal
from bridges.examples import OpenSpielMCTS
from experiments.cli import main
from simcore import registry

POLICY, PREDICT, BOT = (f"py:bridges.examples:{name}" for name in ("FirstWord", "LastWord", "OpenSpielRandom"))
SEARCH = "py:tests.bridges.test_tournaments:Search"


class Search(OpenSpielMCTS):
    """OpenSpiel's MCTS as anybody would name it with a budget of one's own."""

    def __init__(self):
        super().__init__(3)


@pytest.fixture
def soundcheck(monkeypatch, tmp_path, capsys):
    """Run a command in an empty folder; what it printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def run(*words):
        assert main([*words]) == 0
        return capsys.readouterr().out

    return run


def test_a_tournament_of_all_kinds_and_its_report(soundcheck, tmp_path):
    agents = [BOT, POLICY, PREDICT, "random", "greedy"]
    named = [word for agent in agents for word in ("--agent", agent)]
    plan = ("balance", "metalmania", *named, "--games", "8", "--jobs", "1", "--out", "run", "--quiet")
    run = json.loads(soundcheck(*plan, "--json"))["run"]
    assert run["agents"] == agents
    assert set(run["agent_sources"]) == {BOT, POLICY, PREDICT}
    seats = pd.read_parquet(tmp_path / "run" / "seats.parquet")
    shares = seats.groupby("agent", observed=True)["win_share"]
    assert set(shares.size()) == {25}
    assert shares.sum().sum() == pytest.approx(25)
    assert shares.mean().idxmax() == "greedy"
    soundcheck("report", "run", "--out", "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert all(agent in page for agent in agents)


def test_a_ladder_climbs_from_their_bot_to_ours(soundcheck):
    words = ("metalmania", "--players", "2", "--agent", BOT, "--agent", POLICY, "--agent", "greedy", "--games", "16")
    (low, high) = json.loads(soundcheck("ladder", *words, "--jobs", "1", "--json", "--quiet"))["steps"]
    assert (low["rung"], low["below"], high["rung"], high["below"]) == (POLICY, BOT, "greedy", POLICY)
    assert high["win_share"] == 1


def test_a_matrix_of_styles_seats_them(soundcheck):
    words = ("styles", "metalmania", "--players", "2", "--agent", BOT, "--agent", PREDICT)
    data = json.loads(soundcheck(*words, "--games", "8", "--jobs", "1", "--json", "--quiet"))
    assert data["matrix"][BOT][PREDICT] + data["matrix"][PREDICT][BOT] == pytest.approx(1)


def test_they_play_side_by_side_as_one_after_the_other(soundcheck):
    """Threads share a world of OpenSpiel, and each writes to a room of its own."""
    words = ("strength", "overdrive", "--players", "2", "--agent", BOT, "--agent", PREDICT, "--blocks", "24", "--json")
    assert soundcheck(*words, "--jobs", "2", "--quiet") == soundcheck(*words, "--jobs", "1", "--quiet")


def test_their_search_plays_the_same_game_again():
    game = registry.game("overdrive")
    search, random = (registry.agent(text, game) for text in (SEARCH, "random"))
    found = [block_means(deal(game, 2, 1, 0, 1), search, random)[0] for _ in range(2)]
    assert found[0] == found[1]
