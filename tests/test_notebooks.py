"""Every notebook runs from top to bottom, and says what it promises."""

import json
import time
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


def _run(path, capsys, **given):
    """The notebook's names after all its cells, and what they printed."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    names = {"__name__": "__main__", **given}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), str(path), "exec"), names)
    return names, capsys.readouterr().out


@pytest.mark.slow
def test_ten_thousand_games_with_an_agent_from_a_cell(capsys):
    start = time.process_time()
    names, said = _run(next(one for one in NOTEBOOKS if one.stem == "agent"), capsys)
    assert names["found"].games == 10_000
    assert "of 10,000 games" in said
    assert "as it should" in said
    assert time.process_time() - start < 300


@pytest.mark.quick
def test_notebooks_are_stored_without_output():
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            assert not cell.get("outputs")
            assert cell.get("execution_count") is None
