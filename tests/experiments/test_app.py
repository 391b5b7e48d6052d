"""The dashboard: runs found, filtered and compared, replays opened, and nobody but this machine served."""

import importlib.util
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from experiments import cli
from experiments.app import runs as stored
from simcore.errors import UsageError

pytest.importorskip("streamlit")
from streamlit.testing.v1 import AppTest

PAGE = Path(stored.__file__).with_name("page.py")


@pytest.fixture(scope="module")
def kept(tmp_path_factory, toy_distribution):
    """Two runs on the same luck, one of another line-up, and one of levels."""
    folder = tmp_path_factory.mktemp("kept")
    flip = ("toy", "--agent", "flip", "--jobs", "1", "--quiet", "--json")
    for name, more in (
        ("before", ("--games", "1000", "--players", "2")),
        ("after", ("--games", "1000", "--players", "2", "--set", "handicap.bears=9")),
        (
            "other",
            (
                "--games",
                "40",
            ),
        ),
    ):
        assert cli.main(["balance", *flip, *more, "--out", str(folder / name)]) == 0
    levels = ("boss", "--agent", "flip", "--games", "10", "--jobs", "1", "--quiet", "--json")
    assert cli.main(["difficulty", *levels, "--out", str(folder / "levels")]) == 0
    return folder


@pytest.fixture
def open_page(kept, monkeypatch):
    """The page for some of the folders, run once."""

    def run(*names):
        monkeypatch.setattr(sys, "argv", [str(PAGE), *(str(kept / name) for name in names)])
        page = AppTest.from_file(str(PAGE), default_timeout=120).run()
        assert not page.exception
        return page

    return run


def test_runs_are_found_below_folders_each_once(kept):
    runs = stored.find_runs([kept / "after", kept])
    assert [run.folder.name for run in runs] == ["after", "before", "levels", "other"]
    table = stored.overview(runs).set_index("run")
    assert table["game"].tolist() == ["toy", "toy", "boss", "toy"]
    assert table.loc[str(kept / "after"), "changed"] == "handicap.bears = 9"
    assert table.loc[str(kept / "levels"), "games"] > 0
    assert table["whole"].all()
    with pytest.raises(UsageError, match=r"no such folder; did you mean '.*after'"):
        stored.find_runs([kept / "aftr"])
    (kept / "nothing").mkdir(exist_ok=True)
    with pytest.raises(UsageError, match="no run is stored there"):
        stored.find_runs([kept / "nothing"])


def test_shares_stand_beside_each_other_and_rules_differ(kept):
    runs = {run.folder.name: run for run in stored.find_runs([kept])}
    tables = {name: stored.shares(runs[name], 0.02) for name in ("before", "after")}
    table = stored.side_by_side(tables, "band")
    assert list(table.columns) == ["before", "after"]
    row = tables["after"].set_index("name").loc["bears"]
    assert table.loc["bears", "after"] == (
        f"{100 * row['win_share']:.1f} ({100 * row['low']:.1f} to {100 * row['high']:.1f})"
    )
    difference = stored.rules_difference([runs["before"], runs["after"]])
    assert difference.to_dict("index") == {
        "handicap.bears": {str(kept / "before"): "as shipped", str(kept / "after"): "9"}
    }
    assert any("handicap.bears" in line for line in stored.house([runs["before"], runs["after"]]))
    change = stored.changes(runs["before"], runs["after"], 0.02).set_index("name")
    assert change.loc["bears", "answer"] == "changed"
    levels = stored.shares(runs["levels"], 0.02)
    assert set(levels["table"]) == {"level", "band"}
    assert levels["name"].is_unique


def test_the_page_compares_two_runs(open_page, kept):
    page = open_page("before", "after")
    assert page.title[0].value == "Soundcheck"
    assert [one.value for one in page.multiselect if one.label == "Runs to compare"] == [
        [str(kept / "before"), str(kept / "after")]
    ]
    headings = [one.value for one in page.subheader]
    assert headings == [
        "Win share per band, %, with 95 % interval", "Change from the first run to the second",
        "Difference in the rules",
    ]  # fmt: skip
    overview, sides, change, rules = (one.value for one in page.dataframe)
    assert len(overview) == 2
    assert sides.shape == (5, 2)
    assert re.fullmatch(r"[\d.]+ \([\d.]+ to [\d.]+\)", sides.loc["bears"].iloc[0])
    assert change.set_index("name").loc["bears", "answer"] == "changed"
    assert rules.index.tolist() == ["handicap.bears"]
    assert "handicap.bears" in "".join(one.value for one in page.text)
    table = next(one for one in page.selectbox if one.label == "Table")
    page = table.select("seat").run()
    assert not page.exception
    assert page.dataframe[1].value.index.tolist() == ["0", "1"]


def test_filters_leave_what_they_say(open_page):
    page = open_page("")
    assert page.caption[0].value == "4 of 4 runs"
    game = next(one for one in page.multiselect if one.label == "Game")
    page = game.select("boss").run()
    assert page.caption[0].value == "1 of 4 runs"
    assert page.dataframe[0].value["game"].tolist() == ["boss"]
    page = next(one for one in page.multiselect if one.label == "Game").unselect("boss").run()
    page = page.text_input[0].input("BEARS").run()
    assert page.dataframe[0].value["changed"].tolist() == ["handicap.bears = 9"]
    page = page.text_input[0].input("nothing like it").run()
    assert page.info[0].value == "No run is left: take a filter away."
    assert not page.exception


def test_runs_on_another_luck_are_not_paired(open_page):
    page = open_page("before", "other")
    assert "not on the same luck" in page.info[0].value
    assert not page.exception


def test_a_replay_opens_in_the_page(open_page):
    page = open_page("after")
    assert not page.get("iframe")
    page.number_input[1].set_value(7)
    page = next(one for one in page.button if one.label == "Open the replay").click().run()
    assert not page.exception
    (frame,) = page.get("iframe")
    assert "Dice Race, game 7" in frame.proto.srcdoc
    assert "Content-Security-Policy" in frame.proto.srcdoc


def test_what_cannot_be_read_is_said_in_the_page(open_page):
    page = open_page("gone")
    assert "no such folder" in page.error[0].value


def test_the_command_says_what_is_missing(kept, monkeypatch, capsys):
    assert cli.main(["app", str(kept / "aftr")]) == 2
    assert "did you mean" in capsys.readouterr().err
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "streamlit" else find(name, *rest)
    )
    assert cli.main(["app", str(kept)]) == 2
    assert capsys.readouterr().err == (
        "soundcheck: app: Streamlit is not installed; pip install 'soundcheck-sim[app]' brings it\n"
    )


def free_port():
    """A port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def listeners(process, port):
    """Addresses on which the process listens, by what the system says."""
    psutil = pytest.importorskip("psutil")
    found = psutil.Process(process.pid).net_connections("inet")
    return [one.laddr.ip for one in found if one.status == psutil.CONN_LISTEN and one.laddr.port == port]


@pytest.mark.skipif(sys.platform == "win32", reason="ends the server with a signal")
def test_it_listens_on_the_loopback_address_alone(toy_env, kept, tmp_path):
    port = free_port()
    env = {**toy_env, "STREAMLIT_SERVER_ADDRESS": "0.0.0.0", "STREAMLIT_BROWSER_GATHER_USAGE_STATS": "true"}
    running = subprocess.Popen(
        [sys.executable, "-m", "experiments", "app", str(kept), "--port", str(port), "--headless"],
        cwd=tmp_path, env={**env, "HOME": str(tmp_path)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        deadline = time.monotonic() + 120
        healthy = False
        while not healthy and time.monotonic() < deadline and running.poll() is None:
            time.sleep(0.2)
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5) as answer:
                    healthy = answer.read() == b"ok"
            except OSError:
                continue
        assert healthy
        assert listeners(running, port) == ["127.0.0.1"]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as answer:
            assert b"<title>" in answer.read()
    finally:
        running.send_signal(signal.SIGTERM)
        said, _ = running.communicate(timeout=60)
    assert f"http://127.0.0.1:{port}" in said
    assert "Traceback" not in said
