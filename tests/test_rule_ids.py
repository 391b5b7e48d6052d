"""Every rule statement is pinned by a test that cites it, and no citation names a rule that does not exist.

What cites: the ``cites`` of a scenario, and the text of a test function (its docstring, comments and
parameters).  The docstring of a module and the two ends of a range ("X to Y") cite nothing: neither says
which assertion would fail.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
WRITTEN = ("tests", "simcore", "overdrive_sim", "metalmania_sim", "agents", "experiments", "benchmarks", "docs")
SUFFIXES = {".py", ".toml", ".md"}
IDS = TESTS / "rule_ids.toml"

#: What looks like an id of either game, whether or not it is one.
ID = re.compile(r"\b(?:MM-[RAD]\d+[a-z]?|[RA]-[A-Z]+-\d+[a-z]?|G-\d+)\b")
RANGE = re.compile(rf"{ID.pattern}\s+(?:to|through|until)\s+{ID.pattern}")

#: Entries of the rulings that no play and no data can show, with the reason.
UNSEEN = {
    "G-16": "is about page numbers of a booklet that the rulebook's text does not have",
    "MM-A03": "is about where a reader finds what MM-A02 and the dice results say",
}

pytestmark = pytest.mark.quick


@cache
def groups() -> dict[str, tuple[str, ...]]:
    """Ids by kind of the rulings: ``overdrive.rules``, ``metalmania.missing`` ..."""
    with IDS.open("rb") as file:
        content = tomllib.load(file)
    return {
        f"{game}.{kind}": tuple(name for chapter in chapters.values() for name in chapter)
        for game, kinds in content.items()
        for kind, chapters in kinds.items()
    }


def known() -> set[str]:
    return {name for names in groups().values() for name in names}


def cited_in(text: str) -> set[str]:
    """The ids that ``text`` cites one by one."""
    return set(ID.findall(RANGE.sub("", text)))


def test_functions(path: Path) -> Iterator[tuple[str, str]]:
    """(name, source with decorators) of each test function of a file."""
    source = path.read_text(encoding="utf-8")
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            first = min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
            yield node.name, "\n".join(lines[first - 1 : node.end_lineno])


test_functions.__test__ = False


def scenarios(path: Path) -> Iterator[tuple[str, list[str]]]:
    """(id, cites) of each scenario of a file."""
    with path.open("rb") as file:
        for scenario in tomllib.load(file).get("scenario", []):
            yield scenario["id"], scenario.get("cites", [])


@cache
def citations() -> dict[str, tuple[str, ...]]:
    """Tests that cite each id."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for name, text in test_functions(path):
            for cited in cited_in(text) if path != Path(__file__) else ():
                found.setdefault(cited, []).append(f"{path.stem}::{name}")
    for path in sorted((TESTS / "scenarios").rglob("*.toml")):
        for name, cites in scenarios(path):
            for cited in cites:
                found.setdefault(cited, []).append(name)
    return {cited: tuple(names) for cited, names in found.items()}


def test_the_list_of_ids_is_whole():
    """The rulings count 268 statements and 123 gaps of Overdrive, 129 and 89 of Metal Mania."""
    counts = {kind: len(names) for kind, names in groups().items()}
    assert counts == {
        "overdrive.rules": 268,
        "overdrive.rulings": 107,
        "overdrive.missing": 16,
        "metalmania.rules": 129,
        "metalmania.rulings": 79,
        "metalmania.missing": 10,
    }
    assert sum(counts.values()) == len(known())


@pytest.mark.parametrize("kind", sorted(groups()))
def test_every_id_is_cited_by_a_test(kind):
    cited = citations()
    assert [name for name in groups()[kind] if name not in cited and name not in UNSEEN] == []


def test_what_cannot_be_seen_is_a_ruling_and_is_not_cited():
    assert not any(name.removeprefix("MM-").startswith("R") for name in UNSEEN)
    assert set(UNSEEN) <= known() - set(citations())


def test_scenarios_cite_only_rules_that_exist():
    wrong = [f"{name} by {', '.join(tests)}" for name, tests in citations().items() if name not in known()]
    assert wrong == []


@pytest.mark.parametrize("folder", WRITTEN)
def test_the_repository_names_only_rules_that_exist(folder):
    wrong = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in SUFFIXES and path not in {IDS, Path(__file__)}
        for name in sorted(set(ID.findall(path.read_text(encoding="utf-8"))) - known())
    ]
    assert wrong == []


def test_every_scenario_cites_a_rule():
    silent = [
        f"{path.name}: {name}"
        for path in sorted((TESTS / "scenarios").rglob("*.toml"))
        for name, cites in scenarios(path)
        if not cites
    ]
    assert silent == []


@pytest.mark.parametrize(
    ("text", "cites"),
    [
        ("R-SPC-05a, R-SPC-05.", {"R-SPC-05a", "R-SPC-05"}),
        ("R-BAT-01 to R-BAT-22, A-BAT-3", {"A-BAT-3"}),
        ("MM-R067 to MM-R076 and MM-A07 (G-03)", {"MM-A07", "G-03"}),
        ("R-BAT-99 MM-R1", {"R-BAT-99", "MM-R1"}),
        ("R2-D2, MM, G-", set()),
    ],
)
def test_what_counts_as_a_citation(text, cites):
    assert cited_in(text) == cites
