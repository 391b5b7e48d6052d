"""Every example of the documentation does what its page says."""

import contextlib
import sys
from unittest import SkipTest

import pytest

from tests.docs.pages import ROOT, Command, commands, fewer, pages, read

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in, from which modules may be imported; none of them outlives the page."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.mark.parametrize("path", pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_examples(path, folder):
    for example in read(path).examples():
        with contextlib.suppress(SkipTest):  # the block below a "skip: next"
            example.evaluate()


def test_a_console_is_read_line_by_line():
    found = list(commands("$ soundcheck play \\\n    overdrive\nroll HS\n...\n$ soundcheck doctor\n"))
    assert found == [Command("soundcheck play overdrive", "roll HS\n..."), Command("soundcheck doctor", "")]


def test_commands_without_output_play_few_games():
    assert fewer(["balance", "overdrive", "--games", "100000"]) == ["balance", "overdrive", "--games", "4"]
    assert fewer(["rules", "show", "overdrive"]) == ["rules", "show", "overdrive"]


def test_an_example_that_is_wrong_is_found(folder):
    page = folder / "page.md"
    page.write_text("```console\n$ soundcheck rules show overdrive hits.back_in_box.price\n17 dollars\n```\n")
    with pytest.raises(Exception, match="17 dollars"):
        next(iter(read(page).examples())).evaluate()
    page.write_text("```console\n$ soundcheck play chess\n```\n")
    with pytest.raises(Exception, match="chess"):
        next(iter(read(page).examples())).evaluate()
