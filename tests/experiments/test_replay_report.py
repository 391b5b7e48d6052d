"""From the report to games worth a look: which they are, that their pages are there, that links lead to them."""

import re
import shutil

import numpy as np
import pandas as pd
import pytest

from experiments import balance
from experiments.courses import courses
from experiments.records import records
from experiments.replay import of_run
from experiments.replay.of_run import address, can_be_replayed
from experiments.report import write_report
from experiments.report.games import worth_a_look
from tests.experiments.conftest import toy_plan

CHROMIUM = shutil.which("chromium")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("looks") / "run"
    prepared = toy_plan(designs=20)
    store = balance.open_store(prepared, folder, "soundcheck balance toy")
    balance.play_run(prepared, store, 1)
    store.close()
    return folder


@pytest.fixture(scope="module")
def page(run):
    """The page with the pages of its games beside it."""
    return write_report(run, sample=80, replays=True)


def test_the_biggest_comeback_is_the_greatest_deficit_that_a_winner_made_good(run):
    played = courses(run, 80)
    look = next(one for one in worth_a_look(run, played) if one.why == "biggest comeback")
    deficits = {}
    for game in records(run, sorted(set(played.seats["game"])), offers=False):
        if game.win_share.max() == 1:
            winner = int(game.win_share.argmax())
            others = np.delete(game.scores, winner, axis=1).max(axis=1)
            deficits[game.number] = float((others - game.scores[:, winner]).max())
    assert deficits[look.game] == max(deficits.values()) > 0
    assert f"standing {deficits[look.game]:.0f} points behind" in look.what
    assert f"of {played.games:,} games played again" in look.what


def test_the_strangest_is_named_with_what_is_strange(run):
    look = next(one for one in worth_a_look(run) if one.why == "strangest")
    rows = pd.read_parquet(run / "seats.parquet")
    name, value = re.match(r"([a-z ]+) ([\d.,]+) a seat", look.what).groups()
    column = f"points_{name.removeprefix('points for ')}" if name.startswith("points for ") else name.replace(" ", "_")
    assert rows[rows["game"] == look.game][column].mean() == pytest.approx(float(value.replace(",", "")), abs=0.051)
    assert not any(one.why == "biggest comeback" for one in worth_a_look(run)), "nothing was played again"


def test_links_lead_to_pages_beside_the_page(run, page):
    text = page.read_text()
    links = re.findall(r'<a href="(replays/[^"]+)">([^<]+)</a>', text)
    looks = worth_a_look(run, courses(run, 80))
    assert links == [(address(one.game), one.why) for one in looks]
    assert {file.name for file in (run / "replays").iterdir()} == {f"game-{one.game}.html" for one in looks}
    for target, _ in links:
        number = re.search(r"\d+", target).group()
        assert f"<h1>Dice Race, game {number}</h1>" in (run / target).read_text()


def test_without_pages_the_commands_stand_there(run, tmp_path, monkeypatch):
    plain = write_report(run, tmp_path / "plain.html", sample=0).read_text()
    assert "replays/" not in plain
    assert f"soundcheck replay --run {run} --game" in plain
    assert not (tmp_path / "replays").exists()
    monkeypatch.setattr(of_run, "engine_version", lambda game: "another")
    assert not can_be_replayed(run)
    changed = write_report(run, tmp_path / "changed.html", sample=0, replays=True).read_text()
    assert changed == plain, "a game that would come out otherwise is not shown in place of the stored one"


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
def test_in_a_real_browser_a_link_opens_the_game(page):
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        shown = browser.new_page()
        said = []
        shown.on("console", lambda message: said.append(message.text))
        shown.goto(page.resolve().as_uri())
        link = shown.get_by_role("link", name="strangest")
        target = link.get_attribute("href")
        link.press("Enter")
        shown.wait_for_selector("#table .panel")
        assert target in shown.url
        shown.keyboard.press("End")
        assert "The game is over." in shown.locator("#step-changes").inner_text()
        browser.close()
    assert said == []
