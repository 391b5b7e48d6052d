"""The ladder: who is better is said to be, who is not is not; one decision explained."""

import json
import re
import sys

import numpy as np
import pytest

from agents.contest import block_means, deal
from experiments import cli, strength
from experiments.strength import climb, log_ratio, share_of
from metalmania_sim.game import METALMANIA
from simcore import registry


def test_a_better_agent_is_found_and_an_equal_one_is_not():
    better = climb(METALMANIA, "greedy", "random", 3, seed=1, most=48, gain=0.05, jobs=1)
    assert better.verdict == "better"
    assert better.low > better.fair == pytest.approx(1 / 3)
    equal = climb(METALMANIA, "random", "random", 2, seed=1, most=400, gain=0.05, jobs=2)
    assert equal.verdict != "better"
    assert equal.low <= 0.5 <= equal.high


def test_results_do_not_depend_on_threads():
    one, two = (climb(METALMANIA, "greedy", "random", 2, seed=4, most=30, gain=0.9, jobs=jobs) for jobs in (1, 2))
    assert one == two


def test_the_single_agent_sits_in_every_seat_once_a_block():
    random = registry.agent("random", METALMANIA)
    means = block_means(deal(METALMANIA, 4, seed=2, first=0, blocks=5), random, random)
    # Four equal agents on the same luck: some seat wins, and the single agent sits there once.
    assert means.tolist() == [0.25] * 5


def test_an_interrupted_climb_goes_on_where_it_was(tmp_path, monkeypatch):
    """Forty blocks are two looks; the second run reads the first's and half a line of a killed one changes nothing."""
    pair = (METALMANIA, "random:as=rulings", "random", 2, 4)
    whole = climb(*pair, 40, 0.001, 1)
    file = tmp_path / "blocks.jsonl"
    climb(*pair, 24, 0.001, 1, file=file)
    with file.open("a") as out:
        out.write('{"key": ')
    dealt = []
    monkeypatch.setattr(strength, "deal", lambda *given: dealt.append(given[3:]) or deal(*given))
    assert climb(*pair, 40, 0.001, 1, file=file) == whole
    assert dealt == [(24, 16)]
    assert climb(*pair, 40, 0.001, 1, file=file) == whole
    assert dealt == [(24, 16)]


@pytest.mark.quick
def test_the_ratio_is_that_of_two_normals():
    means = np.array([0.5, 0.7, 0.6, 0.9])
    fair, gain = 0.5, 0.1
    by_density = -((means - fair - gain) ** 2 - (means - fair) ** 2).sum() / (2 * means.var(ddof=1))
    assert log_ratio(means, fair, gain) == pytest.approx(by_density)


def test_an_object_can_be_measured():
    class First:
        def choose(self, view, legal):
            return int(legal[0])

    found = share_of("metalmania", First, games=40)
    assert (found.agent, found.games) == ("First", 40)


def test_the_command_prints_a_line_a_rung(capsys):
    arguments = ["strength", "metalmania", "--agent", "random", "--agent", "greedy", "--blocks", "24", "--quiet"]
    assert cli.main(arguments) == 0
    assert "greedy" in capsys.readouterr().out
    assert cli.main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rungs"][0]["agent"] == "greedy"
    assert cli.main([*arguments[:4], "--quiet"]) == 2
    assert "at least two rungs" in capsys.readouterr().err
    assert cli.main([*arguments, "--players", "9"]) == 2


@pytest.mark.quick
def test_larger_budgets_play_on_for_longer_where_that_was_measured_to_help():
    assert strength.rungs("overdrive", 2)[3:] == tuple(f"search:iterations={n}" for n in (64, 256, 1024))
    last = ("search:iterations=256", "search:iterations=1024,turns=4")
    assert strength.rungs("overdrive", 4)[4:] == strength.rungs("metalmania", 2)[4:] == last
    assert strength.rungs("metalmania", 5)[4:] == tuple(f"search:iterations={n},turns=5" for n in (256, 1024))


def test_a_ladder_without_agents_is_climbed_and_kept(capsys, tmp_path, monkeypatch):
    names = [text.partition(":")[0] for text in strength.rungs("metalmania", 5)]
    assert names == ["random", "greedy", "tuned", *["search"] * 3]
    monkeypatch.setattr(strength, "rungs", lambda *_: ("random", "greedy"))
    arguments = ["ladder", "metalmania", "--players", "3", "--out", str(tmp_path), "--jobs", "1", "--quiet"]
    assert cli.main(arguments) == 0
    first = capsys.readouterr().out
    assert "greedy" in first
    assert "better" in first
    monkeypatch.setattr(strength, "shared_out", None)
    assert (tmp_path / "blocks.jsonl").read_text().count("means") == 1
    monkeypatch.setattr(sys.modules["experiments.cli.strength"], "warm", lambda *_: None)
    assert cli.main(arguments) == 0
    assert capsys.readouterr().out == first


def test_one_decision_is_explained(capsys):
    arguments = ["explain", "metalmania", "--players", "3", "--decision", "5", "--quiet"]
    assert cli.main([*arguments, "--agent", "mcts:iterations=64"]) == 0
    said = capsys.readouterr().out
    leaf = registry.leaf(METALMANIA)
    words = ("visits", "<- the search", "<- played (greedy)", "terms of the heuristic's worth")
    for word in (*words, *leaf.names):
        assert word in said
    assert re.search(r": v_\w+ [+-]\d", said)
    visits = [int(row[1]) for row in re.finditer(r"^ +(\d+) +\d+\.\d +\d+ +[+-]\d+\.\d\d  ", said, re.M)]
    assert sum(visits) == 64
    assert cli.main([*arguments, "--agent", "mcts:iterations=64", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [one["visits"] for one in data["options"] if one["visits"]] == visits
    assert sum(one["chosen"] for one in data["options"]) == sum(one["played"] for one in data["options"]) == 1
    assert [term["name"] for term in data["terms"]] == list(leaf.names)
    assert data["house"]
    assert cli.main([*arguments, "--agent", "greedy"]) == 2
    assert "tree search" in capsys.readouterr().err
    assert cli.main([*arguments[:4], "--decision", "100000", "--quiet"]) == 2
    assert "too large" in capsys.readouterr().err
