"""The list that the suites run on is complete, and the core knows nothing of these tools."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from overdrive_sim.kernels.layout import MODES, STANDARD
from simcore import registry
from tests.bridges.configurations import CONFIGURATIONS

ROOT = Path(__file__).parents[2]
OTHERS = {"bridges", "gymnasium", "pettingzoo", "pyspiel", "open_spiel"}


@pytest.mark.quick
def test_every_player_count_and_mode_is_in_the_list():
    listed = {(game, variant.get("mode", "standard"), variant["players"]) for game, variant in CONFIGURATIONS.values()}
    standard = MODES[STANDARD]
    assert set(MODES) == {standard, "solo", "coop"}
    metal, over = (registry.game(name).player_counts for name in ("metalmania", "overdrive"))
    wanted = {("metalmania", standard, n) for n in metal}
    wanted |= {("overdrive", standard, n) for n in over if n > 1}
    wanted |= {("overdrive", "solo", 1), *(("overdrive", "coop", n) for n in over if n > 1)}
    assert listed == wanted


@pytest.mark.quick
@pytest.mark.parametrize("package", ["simcore", "overdrive_sim", "metalmania_sim", "agents", "experiments"])
def test_the_core_imports_nothing_of_them(package):
    for file in (ROOT / package).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name.partition(".")[0] for name in names} & OTHERS, file
