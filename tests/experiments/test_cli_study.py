"""``soundcheck run``, ``compare`` and ``merge`` as users meet them."""

import json
import re
import sys

import pandas as pd
import pytest

from experiments.cli.console import Lines, _time
from tests.experiments.conftest import interrupted
from tests.experiments.test_cli import only_line

PLAN = """
title = "Are the bears too strong?"
game = "toy"
players = 4
agents = ["flip", "keep"]
games = 2000

[rules.printed]

[rules.bears]
"handicap.bears" = 3
"""

COMPARE = ("compare", "toy", "--agent", "flip", "--set-b", "handicap.bears=3", "--games", "2000", "--jobs", "2")


@pytest.fixture
def plan(tmp_path):
    (tmp_path / "plan.toml").write_text(PLAN)
    return "plan.toml"


def test_a_plan_from_start_to_finish(soundcheck, plan, tmp_path):
    done = soundcheck("run", plan)
    assert "cell 4 of 4" in done.stderr
    assert re.search(r"2,000 of 2,000 games stored \(100 %\), \d+ s, [\d,]+ a second", done.stderr)
    out = done.stdout
    for words in (
        "Are the bears too strong?", "Win share per band (rules printed)", "Win share per seat (rules bears)",
        "over the panel", "holds for all", "Win share per band: bears against printed, keep",
        "Paired changes of other numbers", "HOUSE DATA", "handicap.bears = 3",
    ):  # fmt: skip
        assert words in out, words
    assert re.search(r"80\.0 % of 2,000 pairs of games came out otherwise, [\d.]+ % with another winner", out)
    folder = tmp_path / "runs" / "plan"
    assert {path.name for path in folder.iterdir()} == {
        "cells", "changes.csv", "metrics.csv", "panel.csv", "study.json", "summary.csv",
    }  # fmt: skip
    changes = pd.read_csv(folder / "changes.csv")
    assert (changes[changes["name"] == "bears"]["answer"] == "changed").all()
    again = soundcheck("run", plan, "--json", "--quiet")
    assert again.stderr == ""
    data = json.loads(again.stdout)
    assert len(data["cells"]) == 4
    panel = pd.DataFrame(data["panel"])
    assert set(panel[(panel["name"] == "bears") & (panel["rules"] == "bears")]["flips"]) == {"holds for all"}


def test_until_decided_plays_no_more_than_it_must(soundcheck, plan, tmp_path):
    done = soundcheck("run", plan, "--until", "decided", "--games", "40000", "--jobs", "2")
    assert "not compared in pairs" in done.stdout
    stopped = [json.loads(path.read_text()).get("stopped") for path in tmp_path.glob("runs/*/cells/*/manifest.json")]
    assert all(one and one["blocks"] < one["of"] for one in stopped)


def test_a_changed_plan_is_refused_and_fresh_plays_it(soundcheck, plan, tmp_path):
    soundcheck("run", plan, "--games", "100", "--out", "here")
    (tmp_path / plan).write_text(PLAN.replace("= 3", "= 4"))
    done = soundcheck("run", plan, "--games", "100", "--out", "here", "--quiet", code=2)
    assert "rules.bears.handicap.bears: 3 there, 4 now" in done.stderr
    assert "Traceback" not in done.stderr
    (tmp_path / "here" / "notes.txt").write_text("mine")
    refused = soundcheck("run", plan, "--games", "100", "--out", "here", "--fresh", "--quiet", code=2)
    assert "there are files in it" in refused.stderr
    (tmp_path / "here" / "notes.txt").unlink()
    soundcheck("run", plan, "--games", "100", "--out", "here", "--fresh")


def test_machines_share_a_plan_and_merge(soundcheck, plan, tmp_path):
    for k in (1, 2):
        done = soundcheck("run", plan, "--games", "400", "--part", f"{k}/2", "--out", f"part{k}")
        assert "soundcheck merge" in done.stderr
        assert done.stdout == ""
    half = soundcheck("merge", "all", "part1")
    assert "blocks missing: 50 to 99" in half.stdout
    assert "not whole yet" in half.stderr
    assert "400 of 400 games" in soundcheck("merge", "all", "part2").stdout
    merged = soundcheck("run", plan, "--games", "400", "--out", "all", "--json", "--quiet")
    whole = soundcheck("run", plan, "--games", "400", "--out", "whole", "--json", "--quiet")
    assert json.loads(merged.stdout)["table"] == json.loads(whole.stdout)["table"]
    for path in (tmp_path / "whole").rglob("*.parquet"):
        assert path.read_bytes() == (tmp_path / "all" / path.relative_to(tmp_path / "whole")).read_bytes()
    refused = soundcheck("merge", "other", "part1", "nowhere", code=2)
    assert "does not; they do not belong together" in only_line(refused)


def test_rules_a_against_rules_b(soundcheck, tmp_path):
    done = soundcheck(*COMPARE)
    assert "Win share per band: b against a, flip" in done.stdout
    assert re.search(r"bears +│.*│ changed", done.stdout)
    assert "came out otherwise" in done.stdout
    (folder,) = (tmp_path / "runs").iterdir()
    assert folder.name.startswith("compare-toy-")
    data = json.loads(soundcheck(*COMPARE, "--json", "--quiet").stdout)
    assert data["runs"][0]["diverged"] == 0.8
    assert len(list((tmp_path / "runs").iterdir())) == 1


def test_ctrl_c_keeps_what_is_done(toy_env, plan, tmp_path):
    command = [sys.executable, "-m", "experiments", "run", plan, "--games", "100000", "--unit", "40", "--jobs", "2"]
    said = interrupted(command, tmp_path, toy_env, "runs/*/cells/*/units/games-*")
    assert "interrupted: what is finished is stored in runs/plan-100000; the same command goes on" in said
    assert list(tmp_path.glob("runs/*/cells/*/units/games-*"))
    assert not list(tmp_path.glob("runs/*/cells/*/units/.*.tmp"))


REFUSED = [
    (("run",), "name a plan file"),
    (("run", "bnads"), "did you mean 'bands'"),
    (("run", "gone.toml"), "cannot be read"),
    (("run", "plan.toml", "--part", "3/2"), "is not K/N"),
    (("run", "plan.toml", "--unit", "0"), "unit: 0 is too few"),
    (("run", "plan.toml", "--games", "0"), "games = 0"),
    (("run", "plan.toml", "--part", "1/2", "--until", "decided"), "not cut into parts"),
    (("compare", "toy", "--agent", "flip"), "A and B are the same rules"),
    (("compare", "toy", "--agent", "flip", "--set-b", "handicap.bear=1"), "did you mean 'handicap.bears'"),
    (("compare", "toy", "--agent", "flip", "--set-b", "handicap.bears=1", "--margin", "0"), "margin = 0"),
    (("merge", "all", "nowhere"), "not a run folder"),
]


@pytest.mark.parametrize(("arguments", "words"), REFUSED, ids=range(len(REFUSED)))
def test_bad_usage_is_one_clear_line(soundcheck, plan, arguments, words):
    assert words in only_line(soundcheck(*arguments, *(() if arguments[0] == "merge" else ("--quiet",)), code=2))


def test_shipped_plans_are_listed(soundcheck):
    lines = soundcheck("run", "--list").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["bands", "companies", "difficulty", "prices", "rules", "seats"]


class Said:
    """A console that keeps its lines."""

    def __init__(self):
        self.lines = []

    def print(self, text, **_):
        self.lines.append(text)


def test_progress_says_rate_and_time_left(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr("experiments.cli.console.time.monotonic", lambda: clock[0])
    said = Said()
    lines = Lines(said, "games stored")
    for at, done in ((100, 1000), (105, 2000), (111, 3200), (112, 4000), (130, 10_000), (131, 10_000)):
        clock[0] = at
        lines(done, 10_000)
    assert said.lines == [
        "1,000 of 10,000 games stored (10 %), 0 s",
        "3,200 of 10,000 games stored (32 %), 11 s, 200 a second, 34 s to go",
        "10,000 of 10,000 games stored (100 %), 30 s, 300 a second",
    ]
    lines.restart()
    lines(0, 0)
    assert said.lines[-1] == "0 of 0 games stored (nothing to play), 0 s"
    assert [_time(seconds) for seconds in (59.6, 61, 3599, 3600, 90_000)] == [
        "1 min 0 s", "1 min 1 s", "59 min 59 s", "1 h 0 min", "25 h 0 min",
    ]  # fmt: skip
