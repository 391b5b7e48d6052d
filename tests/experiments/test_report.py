"""The report: one page that needs nothing beside it, says what the tables say, and escapes what it is told."""

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

from experiments import balance
from experiments.crosses import Crosses, as_matrix
from experiments.fanout import play_unit
from experiments.findings import study_finding
from experiments.report import write_report
from experiments.report.content import Cell, Page, Section, Table
from experiments.report.games import _facts
from experiments.report.page import page_of, render
from experiments.running import CELLS, How, play_study, stored_study
from experiments.study import read_study
from experiments.verdict import spoken
from simcore.errors import UsageError
from tests.experiments.conftest import ROOT, toy_plan

CHROMIUM = shutil.which("chromium")


#: A name that breaks out of everything that does not escape it.
EVIL = "\"><img src=x onerror=alert(1)>'</script><script>alert(2)<"

#: Games that the pages of these tests play again.
SAMPLE = 16


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report") / "run"
    prepared = toy_plan(designs=40, bears=9)
    store = balance.open_store(prepared, folder, "soundcheck balance toy")
    balance.play_run(prepared, store, 1)
    store.close()
    return folder


@pytest.fixture(scope="module")
def page_file(run):
    return write_report(run, run.parent / "page.html", sample=SAMPLE)


@pytest.fixture(scope="module")
def plan_folder(tmp_path_factory):
    """Two rule sets, two agents, a title and a rules file that mean harm."""
    folder = tmp_path_factory.mktemp("plan")
    rules = folder / f"{EVIL.replace('/', '_')}.toml"
    rules.write_text("[handicap]\nbears = 9\n")
    plan = {
        "game": "toy", "title": f"Do {EVIL} matter?", "players": 3, "agents": ["flip", "keep"], "games": 120,
        "rules": {"shipped": {}, EVIL: {"file": str(rules)}},
    }  # fmt: skip
    play_study(read_study(plan), folder / "run", How(jobs=1), f"soundcheck run {EVIL}")
    return folder / "run"


@pytest.fixture(scope="module")
def plan_file(plan_folder):
    return write_report(plan_folder, plan_folder.parent / "page.html", sample=SAMPLE)


@pytest.fixture(scope="module")
def levels_file(tmp_path_factory, toy_distribution):
    """Of a game in a process of its own: the toy's kernels serve one game a process."""
    folder = tmp_path_factory.mktemp("levels")
    played = ["difficulty", "boss", "--agent", "flip", "--games", "8", "--out", "run", "--quiet"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(toy_distribution), str(ROOT)]))
        for words in (played, ["report", "run", "--games", str(SAMPLE), "--out", "page.html"]):
            subprocess.run([sys.executable, "-m", "experiments", *words], cwd=folder, check=True, capture_output=True)
    return folder / "page.html"


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


def test_the_page_says_what_the_summary_says(run, page_file):
    read = Reader(page_file.read_text())
    found = balance.finding(run)
    rows = read.tables["Win share per band"]
    assert rows[0][0] == "band"
    assert [row[0] for row in rows[1:]] == [spoken(one.name) for one in found.verdicts["band"]]
    assert [row[2] for row in rows[1:]] == [f"{100 * one.share:.2f}" for one in found.verdicts["band"]]
    assert [row[-1] for row in rows[1:]] == [one.short for one in found.verdicts["band"]]
    assert len(read.tables["Win share per seat"]) == 5
    assert read.tables["House values in use"][1:]


@pytest.mark.parametrize("kind", ["page_file", "plan_file", "levels_file"])
def test_nothing_is_fetched_and_only_the_own_script_may_run(kind, request):
    file = request.getfixturevalue(kind)
    text = file.read_text()
    read = Reader(text)
    beside = [link for link in read.links if not link.startswith("#")]
    assert all(re.fullmatch(r"replays/game-\d+\.html", link) and (file.parent / link).exists() for link in beside), (
        beside
    )
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


@pytest.mark.parametrize("kind", ["page_file", "plan_file", "levels_file"])
def test_the_page_can_be_read_without_eyes_and_without_a_mouse(kind, request):
    read = Reader(request.getfixturevalue(kind).read_text())
    drawings = [given for tag, given in read.tags if tag == "svg"]
    assert len(drawings) >= 5
    assert all(given["role"] == "img" and len(given["aria-label"]) > 20 for given in drawings)
    assert len(read.ids) == len(set(read.ids)), {one for one in read.ids if read.ids.count(one) > 1}
    assert all(table[0] for table in read.tables.values())
    labelled = [given["aria-labelledby"] for _, given in read.tags if "aria-labelledby" in given]
    assert set(labelled) <= set(read.ids)
    assert {link[1:] for link in read.links if link.startswith("#")} <= set(read.ids)
    assert all("scope" in given for tag, given in read.tags if tag == "th")
    assert ("html", {"lang": "en"}) in read.tags


def test_equal_runs_give_equal_bytes(run, tmp_path):
    pages = [write_report(run, tmp_path / name, sample=SAMPLE).read_bytes() for name in ("a.html", "b.html")]
    assert pages[0] == pages[1]


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


def test_a_page_of_a_plan_says_what_the_cells_say(plan_folder, plan_file):
    read = Reader(plan_file.read_text())
    found = study_finding(stored_study(plan_folder), plan_folder / CELLS)
    changes = [rows for name, rows in read.tables.items() if name.endswith("3 players: per band")]
    assert len(changes) == 2
    own = found.changes[(found.changes["table"] == "band") & (found.changes["agents"] == "flip")]
    flip = next(rows for name, rows in read.tables.items() if "flip, 3 players: per band" in name)
    assert [row[3] for row in flip[1:]] == [f"{100 * change:+.2f}" for change in own["change"]]
    panels = [rows for name, rows in read.tables.items() if name.startswith("The range over the panel, per band")]
    assert panels
    assert len(panels[0]) == 6
    assert len(read.tables["The cells"]) == 5
    said = page_of(plan_folder, sample=0)
    assert sum("win most" in line and "over 2 agents" in line for line in said.findings) == 2
    assert len(said.details) == 4, "a sentence a cell, on demand"
    figures = sum(given["role"] == "img" for tag, given in read.tags if tag == "svg")
    assert figures >= 2 * 2 * 6


def test_names_that_mean_harm_stay_names(plan_file):
    text = plan_file.read_text()
    read = Reader(text)
    assert "<img" not in text
    assert [tag for tag, _ in read.tags].count("script") == 1
    assert not any(name.startswith("on") for _, given in read.tags for name in given)
    assert "&lt;img src=x" in text


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
    sections = page_of(run, sample=0).sections
    table = next(section for section in sections if section.anchor == "looks").tables[0]
    looks = {why.text: int(game.value) for why, game, _ in table.rows}
    assert facts.loc[looks["closest finish"], "gap"] == facts["gap"].min()
    assert facts.loc[looks["clearest win"], "gap"] == facts["gap"].max()
    assert facts.loc[looks["highest score"], "first"] == facts["first"].max()


def test_the_command_writes_the_page(soundcheck, tmp_path):
    soundcheck("balance", "toy", "--agent", "flip", "--games", "200", "--out", "run", "--quiet")
    assert soundcheck("report", "run").stdout.strip() == "run/report.html"
    assert "<h1>Balance of Toy" in (tmp_path / "run" / "report.html").read_text()
    assert "not a run folder" in soundcheck("report", "elsewhere", code=2).stderr


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as engine:
        started = engine.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


def opened(browser, file, **how):
    """A page, what its console said, what it asked for."""
    page, said, asked = browser.new_page(**how), [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: said.append("dialog"))
    page.goto(file.resolve().as_uri())
    return page, said, asked


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
def test_in_a_real_browser_tables_sort_by_keyboard(browser, page_file):
    page, said, asked = opened(browser, page_file)
    head = page.locator("table.sortable").first.locator("thead th").nth(2)
    head.locator("button").press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    cells = page.locator("table.sortable").first.locator("tbody tr td:nth-child(3)")
    shares = [float(text) for text in cells.all_inner_texts()]
    assert shares == sorted(shares)
    head.locator("button").press("Enter")
    shares = [float(text) for text in cells.all_inner_texts()]
    assert shares == sorted(shares, reverse=True)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "BUTTON"
    assert asked == [page_file.resolve().as_uri()]
    assert said == [], "the policy refused something"


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
@pytest.mark.parametrize("kind", ["page_file", "plan_file", "levels_file"])
def test_in_a_real_browser_every_page_fits_a_phone_and_paper(kind, browser, request):
    file = request.getfixturevalue(kind)
    page, said, asked = opened(browser, file, viewport={"width": 360, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    shown = page.locator(".on-narrow svg").first
    assert shown.is_visible()
    assert not page.locator(".on-wide svg").first.is_visible()
    assert page.evaluate("Math.max(...[...document.querySelectorAll('.on-narrow svg')].map(e => e.clientWidth))") <= 360
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 720, "height": 1000})
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("document.documentElement.scrollWidth") <= 720
    assert page.locator("details:not([open])").count() == 0, "paper shows all numbers"
    assert page.locator(".on-wide svg").first.is_visible()
    assert asked == [file.resolve().as_uri()]
    assert said == [], "the policy refused something"


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
def test_in_a_real_browser_words_stand_out_in_light_and_in_dark(browser, page_file):
    luminance = """(colour) => { const [r, g, b] = colour.match(/[0-9.]+/g).map(Number).map(v => v / 255)
        .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b; }"""
    for scheme in ("light", "dark"):
        page, _, _ = opened(browser, page_file, color_scheme=scheme)
        paper = page.evaluate(f"({luminance})(getComputedStyle(document.body).backgroundColor)")
        assert (paper > 0.5) == (scheme == "light")
        for words in ("h1", ".subtitle", "nav a", "td:last-child", ".tally .bad", "figure text"):
            key = "fill" if words == "figure text" else "color"
            ink = page.evaluate(f"({luminance})(getComputedStyle(document.querySelector('{words}')).{key})")
            contrast = (max(ink, paper) + 0.05) / (min(ink, paper) + 0.05)
            assert contrast >= 4.5, (scheme, words, contrast)
