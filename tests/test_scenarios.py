"""Every rule scenario under tests/scenarios is a test of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from experiments.scenario import run_scenario
from experiments.scenario_form import read_file

FOLDER = Path(__file__).parent / "scenarios"
CASES = [
    pytest.param(scenario, path, id=f"{path.relative_to(FOLDER)}:{scenario.get('id')}")
    for path in sorted(FOLDER.rglob("*.toml"))
    for scenario in read_file(path)
]


@pytest.mark.quick
@pytest.mark.parametrize(("scenario", "path"), CASES)
def test_scenario_holds(scenario: dict[str, Any], path: Path):
    result = run_scenario(scenario, path.parent, path.name)
    assert result.ok, str(result)


def test_ids_are_unique():
    ids = [case.values[0]["id"] for case in CASES]
    assert sorted(ids) == sorted(set(ids))


def test_all_handed_scenarios_are_there():
    handed = [case for case in CASES if case.id.startswith("handed/")]
    assert len(handed) == 84 + 36
