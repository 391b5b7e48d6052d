"""The command line as users meet it: words, exit codes, files."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pandas as pd
import pytest

from tests.experiments.conftest import ROOT, interrupted

SMALL = ("balance", "toy", "--agent", "flip", "--games", "400", "--jobs", "2")


def only_line(done):
    """The one line on stderr of a command that was refused."""
    assert "Traceback" not in done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def run_folder(tmp_path):
    (folder,) = (tmp_path / "runs").iterdir()
    return folder


def test_a_run_from_start_to_finish(soundcheck, tmp_path):
    done = soundcheck(*SMALL, "--games", "410", "--set", "handicap.bears=9")
    assert (
        "420 games = 21 designs of 5 line-ups x 4 rotations (410 asked for, rounded up to whole designs)" in done.stderr
    )
    assert "420 of 420 games stored (100 %)" in done.stderr
    out = done.stdout
    assert re.search(r"Bears win [\d.]+ % of 4-player games \(95 %: [\d.]+ to [\d.]+; fair is 25\): off by \+", out)
    for words in ("Win share per band", "Win share per seat", "Mean score and its parts", "The games", "HOUSE DATA"):
        assert words in out
    assert "handicap.bears = 9" in out
    assert "--games 1000000" in out
    folder = run_folder(tmp_path)
    assert sorted(path.name for path in folder.iterdir() if path.name != ".lock") == [
        "games.parquet", "manifest.json", "report.html", "seats.parquet", "summary.csv", "win_share.png",
        "win_share.svg",
    ]  # fmt: skip
    table = pd.read_csv(folder / "summary.csv")
    assert set(table["table"]) == {"band", "seat", "game"}
    bands = table[table["table"] == "band"]
    assert bands["win_share"].sum() == pytest.approx(5 / 4)
    assert bands.iloc[0]["name"] == "bears"
    assert (folder / "win_share.svg").read_text().startswith("<?xml")


def test_the_same_command_shows_the_stored_result(soundcheck, tmp_path):
    first = soundcheck(*SMALL)
    pictures = [(run_folder(tmp_path) / f"win_share.{kind}").read_bytes() for kind in ("svg", "png")]
    again = soundcheck(*SMALL)
    assert "already holds this run" in again.stderr
    assert "--fresh" in again.stderr
    assert again.stdout == first.stdout
    anew = soundcheck(*SMALL, "--fresh")
    assert "already holds" not in anew.stderr
    assert anew.stdout == first.stdout
    assert pictures == [(run_folder(tmp_path) / f"win_share.{kind}").read_bytes() for kind in ("svg", "png")]


def test_json_is_all_that_stdout_holds(soundcheck):
    done = soundcheck(*SMALL, "--json", "--quiet")
    assert done.stderr == ""
    data = json.loads(done.stdout)
    assert data["games"] == 400
    assert len(data["tables"]["band"]) == 5
    assert {"win_share", "low", "high", "verdict", "mean_score"} <= set(data["tables"]["band"][0])


def test_agents_one_a_seat_are_rotated_and_reported(soundcheck):
    done = soundcheck("balance", "toy", "--agent", "flip", "--agent", "keep", "--games", "100", "--json", "--quiet")
    data = json.loads(done.stdout)
    assert data["run"]["players"] == 2
    assert data["games"] % 40 == 0
    assert {row["name"] for row in data["tables"]["agent"]} == {"flip", "keep"}


def test_equal_agents_are_one_agent_for_all_seats(soundcheck):
    done = soundcheck("balance", "toy", "--agent", "flip", "--agent", "flip", "--games", "40", "--json", "--quiet")
    data = json.loads(done.stdout)
    assert (data["run"]["players"], data["run"]["agents"], data["games"]) == (2, ["flip"], 40)


def test_no_colour_codes_where_there_is_no_terminal(soundcheck):
    assert "\x1b[" not in soundcheck(*SMALL, env={"NO_COLOR": ""}).stdout


REFUSED = [
    (("balance", "toyy", "--agent", "flip"), "unknown game 'toyy'; did you mean 'toy'?"),
    (("balance", "toy", "--agent", "flop"), "did you mean 'flip'?"),
    (("balance", "toy", "--agent", "flip", "--set", "handicap.bear=1"), "did you mean 'handicap.bears'?"),
    (("balance", "toy", "--agent", "flip", "--set", "nonsense"), "expected path=value"),
    (("balance", "toy", "--agent", "flip", "--players", "9"), "players: 9 do not play toy (allowed: 2, 3, 4)"),
    (("balance", "toy", "--agent", "flip", "--games", "0"), "games: 0 is too few"),
    (("balance", "toy", "--agent", "flip", "--jobs", "0"), "jobs: 0 is too few"),
    (("balance", "toy", "--agent", "flip", "--margin", "0"), "margin: 0 is too small"),
    (("balance", "toy", "--agent", "flip", "--unit", "0"), "unit: 0 is too few"),
    (("balance", "toy", "--agent", "flip", "--agent", "keep", "--players", "3"), "one a seat"),
    (("balance", "toy", "--agent", "flip", "--variant", "mode=solo"), "mode=solo has no winner"),
    (("balance", "toy", "--agent", "py:nowhere:X"), "cannot be imported"),
    (("balance", "toy", "--agent", "flip", "--out", "file/run"), "cannot be written"),
    (("play", "toy", "--agent", "flip", "--band", "bats"), "did you mean 'cats'?"),
    (("play", "toy", "--agent", "flip", "--band", "cats"), "one a seat is needed (4)"),
    (("play",), "name either a game"),
    (("play", "--run", "nowhere"), "not a run folder"),
    (("rules", "check", "nowhere.toml"), "nowhere.toml: no such file"),
    (("rules", "show", "nowhere"), "unknown game 'nowhere'"),
]


@pytest.mark.parametrize(("arguments", "words"), REFUSED, ids=range(len(REFUSED)))
def test_bad_usage_is_one_clear_line(soundcheck, tmp_path, arguments, words):
    (tmp_path / "file").write_text("")
    quiet = ("--quiet",) if arguments[0] == "balance" else ()
    assert words in only_line(soundcheck(*arguments, *quiet, code=2))
    assert not list(tmp_path.rglob("*.parquet"))


@pytest.mark.parametrize(
    "arguments", [("balance",), ("balance", "toy", "--playerz", "4"), ("dance",), ("balance", "toy", "--games", "many")]
)
def test_what_is_no_command_exits_with_2(soundcheck, arguments):
    assert "Traceback" not in soundcheck(*arguments, code=2).stderr


def test_another_run_in_the_folder_is_refused(soundcheck):
    soundcheck(*SMALL, "--out", "here")
    done = soundcheck(*SMALL, "--out", "here", "--seed", "2", "--quiet", code=2)
    assert "seed: 1 there, 2 now" in done.stderr
    assert "Traceback" not in done.stderr
    soundcheck(*SMALL, "--out", "here", "--seed", "2", "--fresh")


def test_a_cheating_agent_ends_the_run_in_plain_words(soundcheck):
    done = soundcheck("balance", "toy", "--agent", "py:tests.toy:Cheat", "--games", "20", "--jobs", "1", code=2)
    assert "Traceback" not in done.stderr
    assert re.search(r"agent 'py:tests.toy:Cheat' answered 17.*game \d+ .*seat 0", done.stderr)


def test_an_agent_in_a_file_beside_the_user(soundcheck, tmp_path):
    (tmp_path / "mine.py").write_text("class First:\n    def choose(self, view, legal):\n        return legal[0]\n")
    done = soundcheck("balance", "toy", "--agent", "py:mine:First", "--games", "20", "--jobs", "2", "--json", "--quiet")
    assert json.loads(done.stdout)["run"]["agent_sources"]["py:mine:First"]


def test_a_trace(soundcheck):
    done = soundcheck("play", "toy", "--agent", "keep", "--agent", "flip", "--seed", "3")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Dice Race, 2 players, game 0, seed 3, rules ")
    assert lines[1:3] == ["  seat 0: apes (keep)", "  seat 1: bears (flip)"]
    assert "round 8" in lines
    assert sum("roll" in line for line in lines) == 16
    assert "end of the game" in lines
    assert soundcheck("play", "toy", "--agent", "keep", "--agent", "flip", "--seed", "3").stdout == done.stdout
    chosen = soundcheck("play", "toy", "--agent", "keep", "--players", "2", "--band", "eels", "--band", "cats")
    assert chosen.stdout.splitlines()[1:3] == ["  seat 0: eels (keep)", "  seat 1: cats (keep)"]


def test_any_stored_game_can_be_played_again(soundcheck, tmp_path):
    soundcheck(*SMALL, "--set", "handicap.bears=3", "--agent", "keep", "--players", "2")
    folder = run_folder(tmp_path)
    rows = pd.read_parquet(folder / "seats.parquet")
    for number in (0, 77, 399):
        done = soundcheck("play", "--run", folder, "--game", number)
        assert "the stored rows of this game say the same" in done.stderr
        for row in rows[rows["game"] == number].to_dict("records"):
            assert f"seat {row['seat']}: {row['band']} ({row['agent']}): score {row['score']}," in done.stdout
    assert "allowed: 0 to 399" in only_line(soundcheck("play", "--run", folder, "--game", 400, code=2))
    assert "--agent cannot be changed" in only_line(soundcheck("play", "--run", folder, "--agent", "flip", code=2))


def test_an_interrupt_keeps_what_is_done(toy_env, tmp_path, soundcheck):
    command = [sys.executable, "-m", "experiments", *SMALL[:4], "--games", "200000", "--jobs", "2", "--unit", "40"]
    said = interrupted(command, tmp_path, toy_env, "runs/*/units/games-*")
    assert re.search(r"interrupted: [\d,]+ of 200,000 games are stored in runs/.*; the same command goes on", said)
    store = run_folder(tmp_path) / "units"
    assert len(list(store.glob("games-*"))) >= 1
    assert not list(store.glob(".*.tmp"))


@pytest.mark.slow
def test_kills_of_the_real_command_change_nothing(toy_env, tmp_path, soundcheck):
    arguments = [*SMALL[:4], "--games", "30000", "--jobs", "2", "--unit", "60", "--quiet", "--json"]
    command = [sys.executable, "-m", "experiments", *arguments, "--out", "killed"]
    for k in range(4):
        running = subprocess.Popen(
            command, cwd=tmp_path, env=toy_env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        before = len(list(tmp_path.glob("killed/units/games-*")))
        deadline = time.monotonic() + 120
        while len(list(tmp_path.glob("killed/units/games-*"))) <= before + 20 * k and time.monotonic() < deadline:
            time.sleep(0.01)
        running.kill()
        running.communicate()
        assert running.returncode == -signal.SIGKILL
    killed = json.loads(soundcheck(*arguments, "--out", "killed").stdout)
    whole = json.loads(soundcheck(*arguments, "--out", "whole").stdout)
    assert killed["tables"] == whole["tables"]
    for name in ("games.parquet", "seats.parquet", "summary.csv"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_help_answers_at_once(toy_env):
    times = []
    for _ in range(5):
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "experiments", "--help"],
            env=toy_env, capture_output=True, text=True, check=True,
        )  # fmt: skip
        times.append(time.perf_counter() - start)
    assert "balance" in done.stdout
    loaded = {line.rsplit("|", 1)[1].strip() for line in done.stderr.splitlines() if line.startswith("import time")}
    assert not loaded & {"numba", "pandas", "pyarrow", "scipy", "matplotlib", "joblib", "numpy"}
    assert min(times) < 0.5


def test_another_owner_of_agents_is_named(toy_env, tmp_path):
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "__init__.py").write_text("")
    env = {**toy_env, "PYTHONPATH": os.pathsep.join([str(tmp_path), toy_env["PYTHONPATH"]])}
    done = subprocess.run(
        [sys.executable, "-m", "experiments", "--help"], env=env, cwd=ROOT / "docs", capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "is not soundcheck's" in only_line(done)


SCENARIO = """
[[scenario]]
id = "x"
title = "x"
cites = []
game = "overdrive"
variant = {players = 2}
given = {round = 1, turn = 0, seats = [{band = "rebeldogs", pool = "CSIH"}, {band = "epic_gods"}]}
"""


@pytest.mark.slow
@pytest.mark.parametrize(("then", "code", "words"), [("round = 1", 0, "1 of 1"), ("round = 2", 1, "FAIL")])
def test_scenarios_from_the_command_line(soundcheck, tmp_path, then, code, words):
    (tmp_path / "one.toml").write_text(f"{SCENARIO}then = {{{then}}}\n")
    assert words in soundcheck("scenario", "one.toml", code=code).stdout
    assert "gone.toml" in soundcheck("scenario", "gone.toml", code=2).stderr


def test_rules_are_shown_with_their_sources(soundcheck):
    done = soundcheck("rules", "show", "overdrive", "hits", "--set", "hits.back_in_box.price=9")
    assert re.search(r"^! hits.back_in_box.price = 9", done.stdout, re.M)
    assert re.search(r"^\* hits.crazy_ticket.price = \d+  \[house G-01\]", done.stdout, re.M)
    assert "options." not in done.stdout
    data = json.loads(soundcheck("rules", "show", "overdrive", "--json").stdout)
    assert any(row["path"] == "options.ability_limit" for row in data["values"])
    assert "did you mean 'hits'" in only_line(soundcheck("rules", "show", "overdrive", "hit", code=2))


def test_rules_files_are_checked(soundcheck, tmp_path):
    (tmp_path / "good.toml").write_text("[hits.back_in_box]\nprice = 5\n")
    (tmp_path / "bad.toml").write_text("[hits.back_in_bix]\nprice = 5\n[hits.crazy_ticket]\nprize = 2\n")
    assert "hits.back_in_box.price = 5" in soundcheck("rules", "check", "good.toml").stdout
    said = soundcheck("rules", "check", "bad.toml", code=1).stdout
    assert "back_in_box" in said
    assert "price" in said
