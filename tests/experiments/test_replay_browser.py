"""The replay in a real browser: by buttons, keys, turns and chart, with nothing fetched and nothing refused."""

import contextlib
import itertools
import shutil

import pytest

from experiments.plan import Plan, as_text, prepare
from experiments.replay.course import Values, course
from experiments.replay.page import page_data, presenter_of, render

CHROMIUM = shutil.which("chromium")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine"),
]  # fmt: skip

FEW = Values("mcts:iterations=16", 4)

GAMES = {
    "overdrive": ("overdrive", 3, {}),
    "solo": ("overdrive", 1, {"mode": "solo", "difficulty": "hardcore"}),
    "metalmania": ("metalmania", 3, {}),
}


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module", params=GAMES)
def replay(request, tmp_path_factory):
    """(file, what its script reads)."""
    game, players, variant = GAMES[request.param]
    prepared = prepare(Plan(game=game, players=players, agents=("greedy",), variant=as_text(variant)))
    played = course(prepared, presenter_of(prepared.game), 0, None, FEW)
    file = tmp_path_factory.mktemp("replay") / f"{request.param}.html"
    file.write_text(render(prepared, played, 0, FEW))
    return file, page_data(prepared, played, FEW)


@contextlib.contextmanager
def opened(browser, file, anchor="", **options):
    """The page; at the end nothing was fetched and the browser has complained of nothing."""
    context = browser.new_context(**options)
    page = context.new_page()
    said, asked = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.resolve().as_uri() + anchor)
    yield page
    context.close()
    assert said == []
    assert asked == [file.resolve().as_uri()]


def where(page):
    return int(page.locator("#slider").input_value())


def test_steps_by_keys_buttons_and_slider(browser, replay):
    file, data = replay
    last = len(data["steps"])
    with opened(browser, file) as page:
        assert where(page) == 0
        for k in range(1, 8):
            page.keyboard.press("ArrowRight")
            assert where(page) == k
            assert f"Step {k} of {last}." in page.locator("#step-where").inner_text()
            assert page.locator("#step-text code").first.inner_text() == data["steps"][k - 1][2]
        page.keyboard.press("ArrowLeft")
        assert where(page) == 6
        page.keyboard.press("End")
        assert where(page) == last
        assert "The game is over." in page.locator("#step-changes").inner_text()
        page.keyboard.press("ArrowRight")
        assert where(page) == last
        page.keyboard.press("Home")
        assert where(page) == 0
        page.get_by_role("button", name="Forward").press("Enter")
        page.get_by_role("button", name="Forward").click()
        assert where(page) == 2
        page.get_by_role("button", name="Back", exact=True).click()
        assert where(page) == 1
        page.get_by_role("button", name="End", exact=True).click()
        assert where(page) == last
        page.get_by_role("button", name="Start", exact=True).click()
        page.locator("#slider").focus()
        page.keyboard.press("ArrowRight")
        assert where(page) == 1, "a key that moves the slider moves one step, not two"


def test_turns_by_keys_buttons_and_list(browser, replay):
    file, data = replay
    firsts = [turn["steps"][0] for turn in data["turns"]]
    with opened(browser, file) as page:
        for first in firsts[:4]:
            page.keyboard.press("Shift+ArrowRight")
            assert where(page) == first
        page.keyboard.press("Shift+ArrowLeft")
        assert where(page) == firsts[2]
        page.keyboard.press("ArrowRight")
        page.get_by_role("button", name="Turn back").click()
        assert where(page) == firsts[2], "first to the start of the turn"
        page.get_by_role("button", name="Next turn").click()
        assert where(page) == firsts[3]
        page.locator("#turn").select_option(label=data["turns"][5]["title"])
        assert where(page) == firsts[5]
        assert data["turns"][5]["title"] in page.locator("#step-where").inner_text()
        page.locator(f'#log [data-step="{firsts[1]}"]').click()
        assert where(page) == firsts[1]
        assert page.locator("#log [aria-current=step]").get_attribute("data-step") == str(firsts[1])


def test_the_table_is_that_of_the_step_and_says_what_changed(browser, replay):
    file, data = replay
    middle = len(data["steps"]) // 2
    with opened(browser, file, f"#step-{middle}") as page:
        assert where(page) == middle
        for k in (middle, middle + 1, middle + 2):
            panels = [panel for group in data["positions"][k] for panel in data["groups"][group][2]]
            before = {panel for group in data["positions"][k - 1] for panel in data["groups"][group][2]}
            shown = page.locator("#table .panel")
            assert shown.count() == len(panels)
            assert [one.get_attribute("data-key") for one in shown.all()] == [data["panels"][p][0] for p in panels]
            changed = [data["panels"][panel][0] for panel in panels if panel not in before]
            marked = page.locator("#table .panel.changed")
            assert [one.get_attribute("data-key") for one in marked.all()] == changed
            assert page.locator("#table .change").count() == len(changed), "said in words, not by colour alone"
            labels = [data["rows"][row][1] for row in data["panels"][panels[-1]][4]]
            assert shown.last.locator("dt").all_inner_texts() == [label for label in labels if label]
            scores = page.locator("#standing tbody td:nth-child(2)").all_inner_texts()
            assert [float(score) for score in scores] == data["scores"][k]
            page.keyboard.press("ArrowRight")
        assert page.url.endswith(f"#step-{middle + 3}")


def test_options_of_a_decision_are_shown_on_demand(browser, replay):
    file, data = replay
    step = sorted(map(int, data["options"]))[3]
    rows, left = data["options"][str(step)]
    with opened(browser, file, f"#step-{step}") as page:
        assert not page.locator("#options-body").is_visible()
        page.keyboard.press("Shift+ArrowDown")
        assert page.locator("#options-body").is_visible()
        texts = page.locator("#options-body tbody th").all_inner_texts()
        assert [text.strip() for text in texts] == [row[0] for row in rows]
        shares = page.locator("#options-body tbody td:nth-child(2)").all_inner_texts()
        assert shares == ["\u2013" if row[2] is None else f"{100 * row[2]:.1f}" for row in rows]
        assert "played" in page.locator("#options-body tr.played").inner_text()
        assert f"chose among {len(rows) + left} options" in page.locator("#options-body caption").inner_text()
        assert FEW.agent in page.locator("#options-body caption").inner_text()
        page.keyboard.press("Home")
        assert "no decision" in page.locator("#options-body").inner_text()
        page.keyboard.press("Shift+ArrowUp")
        assert not page.locator("#options-body").is_visible()
        page.get_by_text("Options of this decision").click()
        assert page.locator("#options-body").is_visible()


def test_charts_say_where_the_game_stands_and_take_one_there(browser, replay):
    file, data = replay
    with opened(browser, file) as page:
        charts = page.locator("#charts svg")
        assert charts.count() == 2
        for chart in charts.all():
            assert chart.get_attribute("role") == "img"
            assert "At the end:" in chart.get_attribute("aria-label")
        assert charts.first.locator("path").count() == len(data["names"])
        assert charts.last.locator("path").count() == len(data["chances"]["sides"])
        box = charts.first.bounding_box()
        charts.first.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
        assert abs(where(page) - len(data["steps"]) / 2) < 0.05 * len(data["steps"]) + 2
        assert charts.first.locator("circle").count() == len(data["names"])


def test_it_can_be_read_on_a_phone_in_print_in_the_dark_and_without_scripts(browser, replay):
    file, data = replay
    middle = f"#step-{len(data['steps']) // 2}"
    for width, scheme in ((360, "dark"), (400, "light"), (1280, "light")):
        with opened(browser, file, middle, viewport={"width": width, "height": 800}, color_scheme=scheme) as page:
            page.keyboard.press("Shift+ArrowDown")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert contrast(page, "body") >= 7
            assert contrast(page, "#table .panel dt") >= 4.5
            page.emulate_media(media="print")
            assert not page.locator(".buttons").is_visible()
            assert page.locator("#table").is_visible()
    with opened(browser, file, java_script_enabled=False) as page:
        assert page.locator("noscript").inner_text()
        assert page.locator("#log li").count() == len(data["steps"])


#: Contrast of a text with what is behind it, as the guidelines for accessible content compute it.
CONTRAST = """(name) => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92
    : ((c + 0.055) / 1.055) ** 2.4).reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);
  let one = document.querySelector(name), back = one;
  const ink = parse(getComputedStyle(one).color), opacity = Number(getComputedStyle(one).opacity);
  while (parse(getComputedStyle(back).backgroundColor)[3] === 0) back = back.parentElement;
  const paper = parse(getComputedStyle(back).backgroundColor);
  const mixed = ink.slice(0, 3).map((c, k) => c * opacity + paper[k] * (1 - opacity));
  const [low, high] = [light(mixed), light(paper)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}"""


def contrast(page, selector):
    return page.evaluate(CONTRAST, selector)


def test_it_can_be_read_without_eyes(browser, replay):
    file, data = replay
    with opened(browser, file, "#step-5") as page:
        status = page.locator("#status")
        assert status.get_attribute("role") == "status"
        assert status.get_attribute("aria-live") == "polite"
        assert "Step 5" in status.inner_text()
        for die in page.locator("#table .die").all():
            assert die.get_attribute("role") == "img"
            assert die.get_attribute("aria-label")
        labels = page.evaluate(
            "Array.from(document.querySelectorAll('button, input, select')).filter(e => !e.textContent.trim()"
            " && !(e.labels && e.labels.length) && !e.getAttribute('aria-label')).length"
        )
        assert labels == 0
        ids = page.evaluate("Array.from(document.querySelectorAll('[id]')).map(e => e.id)")
        assert len(ids) == len(set(ids))
        levels = page.evaluate("Array.from(document.querySelectorAll('h1,h2,h3,h4')).map(e => Number(e.tagName[1]))")
        assert levels[0] == 1
        assert all(later - now <= 1 for now, later in itertools.pairwise(levels))
        assert page.locator("table").count() == page.locator("table caption").count()
        for _ in range(3):
            page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.matches('#controls button')")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid"
        assert all(data["names"])
