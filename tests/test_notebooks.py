"""Every notebook has its script, is stored without output, runs from top to bottom, and says what it promises."""

import copy
import re
from pathlib import Path

import jupytext
import nbformat
import nbstripout
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(path.stem for path in FOLDER.glob("*.ipynb"))

#: What the last cell of each lesson says: an amount, its uncertainty, what it depends on.
FINDINGS = {
    "first_game": [
        r"(greedy|fans_rush) wins [\d.]+ % of 1,540 games \(95 % interval: [\d.]+ to [\d.]+ %\)",
        r"plays better here|do not tell the two apart",
        "house data",
    ],
    "overdrive_balance": [r"\d+ of 11 bands are off", r"Too strong: .* % \([\d.]+ to [\d.]+\)", "house data"],
    "metallum_difficulty": [
        "greedy: No pair|greedy: .* order",
        "random: ",
        r"too (easy|hard): \w+ \([\d.]+ %\)",
        r"known to within [\d.]+ pp",
        "house data",
    ],
    "rule_change": [
        r"at most 3: Epic Gods go from [\d.]+ to [\d.]+ %",
        r"one per 8: Epic Gods",
        r"95 % interval [+-][\d.]+ to [+-][\d.]+\): (changed|no change|not enough games)",
        "house data",
    ],
    "metalmania_cards": [
        r"as a star board 2 goes from [\d.]+ to [\d.]+ %",
        r"95 % interval [+-][\d.]+ to [+-][\d.]+",
        "turns a player",
        r"star\.json",
    ],
    "agent": [r"of 10,000 games \([\d.]+ to [\d.]+\)"],
}


@pytest.mark.quick
def test_every_notebook_has_its_script_and_the_other_way_round():
    assert sorted(path.stem for path in FOLDER.glob("*.py")) == NOTEBOOKS
    assert set(FINDINGS) <= set(NOTEBOOKS)


@pytest.mark.quick
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_pairs_agree_and_are_stored_without_output(name):
    notebook, script = (jupytext.read(FOLDER / f"{name}.{ending}") for ending in ("ipynb", "py"))
    cells = [[(cell.cell_type, cell.source) for cell in one.cells] for one in (notebook, script)]
    assert cells[0] == cells[1], f"run: jupytext --sync notebooks/{name}.py"
    stripped = nbstripout.strip_output(copy.deepcopy(notebook), keep_output=False, keep_count=False, keep_id=True)
    assert notebook == stripped, f"run: nbstripout notebooks/{name}.ipynb"


@pytest.mark.slow
@pytest.mark.parametrize("name", FINDINGS)
def test_a_lesson_runs_and_ends_with_its_finding(name, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(FOLDER.parent))
    monkeypatch.delenv("NOTEBOOK_QUICK", raising=False)
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": FOLDER}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [one for one in shown if one.output_type == "stream" and one.name == "stderr"]
    said = "".join(one.text for one in notebook.cells[-1].outputs if one.output_type == "stream")
    for pattern in FINDINGS[name]:
        assert re.search(pattern, said), said
