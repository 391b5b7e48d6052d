"""The report: one page that needs nothing beside it, says what the tables say, and escapes what it is told."""

import base64
import hashlib
import re
import shutil
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

from experiments import balance
from experiments.fanout import play_unit
from experiments.report import write_report
from experiments.report.content import Cell, Page, Section, Table
from experiments.crosses import Crosses, as_matrix
from experiments.report.games import _facts
from experiments.report.page import page_of, render
from simcore.errors import UsageError
from tests.experiments.conftest import toy_plan

CHROMIUM = shutil.which("chromium")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report") / "run"
    prepared = toy_plan(designs=40, bears=9)
    store = balance.open_store(prepared, folder, "soundcheck balance toy")
    balance.play_run(prepared, store, 1)
    store.close()
    return folder


class Reader(HTMLParser):
    """What is asked of a page: tags, addresses, ids, tables as lists of texts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.links, self.tables = [], [], [], {}
        self.open, self._table, self._cell = [], None, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.tags.append((tag, given))
        if "id" in given:
            self.ids.append(given["id"])
        self.links += [given[key] for key in ("href", "src", "xlink:href") if key in given]
        if tag == "table":
            self._table = []
        if tag == "tr":
            self._table.append([])
        if tag in ("th", "td", "caption"):
            self._cell = ""

    def handle_data(self, text):
        if self._cell is not None:
            self._cell += text

    def handle_endtag(self, tag):
        if tag == "caption":
            self.tables[self._cell.strip()] = self._table
        elif tag in ("th", "td"):
            self._table[-1].append(self._cell.strip())
        if tag in ("th", "td", "caption"):
            self._cell = None


def test_the_page_says_what_the_summary_says(run):
    read = Reader(write_report(run).read_text())
    found = balance.finding(run)
    rows = read.tables["Win share per band"]
    assert rows[0][0] == "band"
    assert [row[0] for row in rows[1:]] == [one.name for one in found.verdicts["band"]]
    assert [row[2] for row in rows[1:]] == [f"{100 * one.share:.2f}" for one in found.verdicts["band"]]
    assert [row[-1] for row in rows[1:]] == [one.short for one in found.verdicts["band"]]
    assert len(read.tables["Win share per seat"]) == 5
    assert read.tables["House values in use"][1:]


def test_nothing_is_fetched_and_only_the_own_script_may_run(run):
    text = write_report(run).read_text()
    read = Reader(text)
    assert all(link.startswith("#") for link in read.links), read.links
    assert set(re.findall(r"https?://[^\s\"']+", text)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    policy = next(given["content"] for tag, given in read.tags if given.get("http-equiv") == "Content-Security-Policy")
    script = re.search(r"<script>(.*?)</script>", text, re.S).group(1)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert not any(tag == "image" for tag, _ in read.tags), "the policy would refuse a picture inside a drawing"


def test_the_page_can_be_read_without_eyes_and_without_a_mouse(run):
    read = Reader(write_report(run).read_text())
    drawings = [given for tag, given in read.tags if tag == "svg"]
    assert len(drawings) >= 5
    assert all(given["role"] == "img" and len(given["aria-label"]) > 20 for given in drawings)
    assert len(read.ids) == len(set(read.ids))
    labelled = [given["aria-labelledby"] for _, given in read.tags if "aria-labelledby" in given]
    assert set(labelled) <= set(read.ids)
    assert {link[1:] for link in read.links} <= set(read.ids)
    assert all("scope" in given for tag, given in read.tags if tag == "th")
    assert ("html", {"lang": "en"}) in read.tags


def test_equal_runs_give_equal_bytes(run, tmp_path):
    assert write_report(run, tmp_path / "a.html").read_bytes() == write_report(run, tmp_path / "b.html").read_bytes()


def test_names_from_data_are_escaped():
    evil = '<script>alert("x")</script>'
    page = Page(evil, evil, [evil], [evil], [Section("s", evil, [evil], tables=[Table(evil, [evil], [[Cell(evil)]])])])
    text = render(page)
    assert evil not in text
    assert text.count("&lt;script&gt;") == 12


def test_what_is_no_run_is_refused(run, tmp_path):
    with pytest.raises(UsageError, match="not a run folder"):
        write_report(tmp_path)
    with pytest.raises(UsageError, match="is a folder"):
        write_report(run, tmp_path)
    with pytest.raises(UsageError, match="only a difficulty run has levels"):
        write_report(run, target=[0.5])


def test_crosses_are_plain_means(run):
    _, _, seats = play_unit(toy_plan(designs=40, bears=9).plan, (0, 60))
    rows = seats.to_pandas()
    crosses = Crosses()
    for _, part in rows.groupby(rows["block"] // 20):  # cut anywhere, the sums are the same
        crosses.add(part)
    for (band, seat), group in crosses.seats.items():
        mine = rows[(rows["band"] == band) & (rows["seat"] == seat)]
        assert group.means.mean == pytest.approx(mine["win_share"].mean())
    tables = rows.groupby("game")["band"].agg(set)
    for (band, other), group in crosses.met.items():
        mine = rows[(rows["band"] == band) & rows["game"].map(lambda game, name=other: name in tables[game])]
        assert group.games == len(mine)
        assert group.means.mean == pytest.approx(mine["win_share"].mean())
    names = sorted(rows["band"].unique())
    matrix = as_matrix(crosses.met, names)
    assert list(matrix.columns) == names
    assert np.isnan(np.diag(matrix.to_numpy())).all()


def test_games_worth_a_look_stand_out(run):
    seats = pd.read_parquet(run / "seats.parquet")
    facts = _facts(seats).set_index("game")
    table = next(section for section in page_of(run).sections if section.anchor == "looks").tables[0]
    looks = {why.text: int(game.value) for why, game, _ in table.rows}
    assert facts.loc[looks["closest finish"], "gap"] == facts["gap"].min()
    assert facts.loc[looks["clearest win"], "gap"] == facts["gap"].max()
    assert facts.loc[looks["highest score"], "first"] == facts["first"].max()


def test_the_command_writes_the_page(soundcheck, tmp_path):
    soundcheck("balance", "toy", "--agent", "flip", "--games", "200", "--out", "run", "--quiet")
    assert soundcheck("report", "run").stdout.strip() == "run/report.html"
    assert "<h1>Balance of Toy" in (tmp_path / "run" / "report.html").read_text()
    assert "not a run folder" in soundcheck("report", "elsewhere", code=2).stderr


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
def test_in_a_real_browser_tables_sort_and_nothing_is_refused(run):
    playwright = pytest.importorskip("playwright.sync_api")
    page_file = write_report(run).resolve().as_uri()
    with playwright.sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        said, asked = [], []
        page.on("console", lambda message: said.append(message.text))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(page_file)
        head = page.locator("table.sortable").first.locator("thead th").nth(2)
        head.locator("button").press("Enter")
        assert head.get_attribute("aria-sort") == "ascending"
        cells = page.locator("table.sortable").first.locator("tbody tr td:nth-child(3)")
        shares = [float(text) for text in cells.all_inner_texts()]
        assert shares == sorted(shares)
        head.locator("button").press("Enter")
        shares = [float(text) for text in cells.all_inner_texts()]
        assert shares == sorted(shares, reverse=True)
        page.set_viewport_size({"width": 360, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        browser.close()
    assert asked == [page_file]
    assert said == [], "the policy refused something"
