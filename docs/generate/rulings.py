"""The pages of rules and rulings: every statement, gap and question with its reading, option, code and tests."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from generate.markdown import NOTE, code, table
from metalmania_sim import reference as metalmania
from metalmania_sim.model import OPTION_TABLE as METALMANIA_OPTIONS
from overdrive_sim import reference as overdrive
from overdrive_sim.model import OPTION_TABLE as OVERDRIVE_OPTIONS

ROOT = Path(__file__).resolve().parents[2]
WORDS = ROOT / "docs" / "rulings"

_ID = re.compile(r"\b(?:MM-[RAD]\d+[a-z]?|[RA]-[A-Z]+-\d+[a-z]?|G-\d+)\b")

_LEGEND = {
    "overdrive": "Faces: H Horns Up, S Skull, C Chord, I Influence, ? any.",
    "metalmania": "A, T and I are active, troublesome and inactive; c is the characteristic that an action tests.",
}
_TITLES = {"overdrive": "Overdrive", "metalmania": "Metal Mania"}
_OPTIONS: dict[str, tuple[Mapping[str, Any], str, str]] = {
    "overdrive": (OVERDRIVE_OPTIONS, "", overdrive.option_table()),
    "metalmania": (METALMANIA_OPTIONS, "MM-", metalmania.option_table()),
}


def words(game: str) -> dict[str, Any]:
    """Statements, gaps and questions of a game in this project's words."""
    return tomllib.loads((WORDS / f"{game}.toml").read_text(encoding="utf-8"))


def page(game: str) -> str:
    """Everything that the engine of ``game`` reads out of its rulebook."""
    said = words(game)
    parts = [
        f"# Rules and rulings of {_TITLES[game]}",
        f"{NOTE} A statement of the rulebook has an id with R, a question that it leaves open one with A, a value that "
        f"is lost with the components one with {'G' if game == 'overdrive' else 'D'}. Docstrings, tests and scenarios "
        f"cite these ids. What is lost is *house* data wherever it is used. {_LEGEND[game]}",
        f"Values and their sources: [{_TITLES[game]}'s data](../rules-{game}.md).",
        "## Questions and how the engine reads them",
        "Where an option is named, the reading here is its default, and `--set options.NAME=VALUE` takes another.",
        table(("id", "question", "reading", "option"), _readings(game, said["rulings"])),
        "## What is lost with the printed components",
        table(("id", "lost", "in its place", "option"), _readings(game, said["missing"])),
        "## Options",
        "The first value is the default.",
        _OPTIONS[game][2],
        "## Statements of the rulebook",
        "The last columns name the modules that say which rule they follow, and count the rule scenarios and test "
        "files that cite it.",
    ]
    for chapter, statements in said["rules"].items():
        rows = [(code(key), text, _modules(key), len(_tests().get(key, ()))) for key, text in statements.items()]
        parts += [f"### {chapter}", table(("id", "rule", "in the code", "tests"), rows)]
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def _readings(game: str, entries: Mapping[str, Iterable[str]]) -> list[tuple[str, ...]]:
    options, prefix, _ = _OPTIONS[game]
    by_ruling: dict[str, list[str]] = {}
    for name, row in options.items():
        for one in re.findall(r"[A-Z][\w-]*\d", str(row["ruling"])):
            by_ruling.setdefault(prefix + one, []).append(code(name))
    return [(code(key), *texts, ", ".join(by_ruling.get(key, ()))) for key, texts in entries.items()]


def _modules(key: str) -> str:
    return ", ".join(code(name) for name in _code().get(key, ()))


@functools.cache
def _code() -> dict[str, tuple[str, ...]]:
    """Modules of the engines by the ids that they cite."""
    return _citing([*ROOT.glob("overdrive_sim/**/*.py"), *ROOT.glob("metalmania_sim/**/*.py")], lambda path: path.stem)


@functools.cache
def _tests() -> dict[str, tuple[str, ...]]:
    """Tests by the ids that they cite: each scenario is one, and each file of Python."""
    found = dict(_citing([*ROOT.glob("tests/**/test_*.py")], str))
    for path in sorted(ROOT.glob("tests/scenarios/**/*.toml")):
        for scenario in tomllib.loads(path.read_text(encoding="utf-8")).get("scenario", []):
            for key in scenario.get("cites", []):
                found[key] = (*found.get(key, ()), scenario["id"])
    return found


def _citing(paths: Iterable[Path], name: Any) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for path in sorted(paths):
        for key in set(_ID.findall(path.read_text(encoding="utf-8"))):
            if name(path) not in found.get(key, ()):
                found[key] = (*found.get(key, ()), name(path))
    return found
