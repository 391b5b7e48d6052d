"""The form of a scenario file: which keys there are, what may stand under them, which files can be read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from simcore.errors import UsageError, unknown
from simcore.ruledata import read_toml

SCENARIO_KEYS = (
    "id", "title", "cites", "game", "data_file", "variant", "options", "data", "given", "step", "then",
)  # fmt: skip
STEP_KEYS = ("do", "seat", "illegal", "chance", "legal", "only", "then")
ONLY_KEYS = ("verb", "are")


def known_keys(table: Mapping[str, Any], allowed: Iterable[str], place: str) -> None:
    """Raise UsageError for a key of ``table`` that is not allowed."""
    if not isinstance(table, Mapping):
        raise UsageError(f"{place}: expected a table, found {table!r}")
    for key in table:
        if key not in tuple(allowed):
            raise unknown(place, "key", key, allowed)


def texts(value: Any, place: str) -> list[str]:
    """A text or a list of texts, as a list.  Raises UsageError."""
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, list | tuple) or not all(isinstance(text, str) for text in found):
        raise UsageError(f"{place}: expected a text or a list of texts, found {value!r}")
    return list(found)


def check_form(scenario: Mapping[str, Any], place: str) -> None:
    """Raise UsageError for keys that no scenario has, and for values of the wrong kind."""
    known_keys(scenario, SCENARIO_KEYS, place)
    for key in ("id", "game"):
        if not isinstance(scenario.get(key), str) or not scenario[key]:
            raise UsageError(f"{place}: {key} is missing")
    for key in ("variant", "options", "data", "given", "then"):
        if not isinstance(scenario.get(key, {}), Mapping):
            raise UsageError(f"{place}: {key}: expected a table, found {scenario[key]!r}")
    texts(scenario.get("cites", []), f"{place}: cites")
    steps = scenario.get("step", [])
    if not isinstance(steps, list | tuple):
        raise UsageError(f"{place}: step: expected a list of tables ([[scenario.step]]), found {steps!r}")
    for number, step in enumerate(steps, 1):
        _check_step(step, f"{place}, step {number}")


def _check_step(step: Mapping[str, Any], place: str) -> None:
    known_keys(step, STEP_KEYS, place)
    if not set(step) - {"seat"}:
        raise UsageError(f"{place}: nothing to do (one of {', '.join(k for k in STEP_KEYS if k != 'seat')} is needed)")
    for key in ("illegal", "legal", "chance"):
        if key in step:
            texts(step[key], f"{place}: {key}")
    if "do" in step and not isinstance(step["do"], str):
        raise UsageError(f"{place}: do: expected one action as text, found {step['do']!r}")
    if "seat" in step and (not isinstance(step["seat"], int) or isinstance(step["seat"], bool)):
        raise UsageError(f"{place}: seat: expected a number, found {step['seat']!r}")
    if not isinstance(step.get("then", {}), Mapping):
        raise UsageError(f"{place}: then: expected a table, found {step['then']!r}")
    if "only" in step:
        known_keys(step["only"], ONLY_KEYS, f"{place}: only")
        if not isinstance(step["only"].get("verb"), str):
            raise UsageError(f"{place}: only: verb is missing")
        texts(step["only"].get("are", []), f"{place}: only: are")


def read_file(path: str | Path) -> list[dict[str, Any]]:
    """The scenarios of a file, unread.  Raises UsageError for a file that is none, or an id used twice."""
    content = read_toml(path)
    known_keys(content, ("scenario",), str(path))
    scenarios = content.get("scenario", [])
    if not isinstance(scenarios, list) or not scenarios:
        raise UsageError(f"{path}: no [[scenario]] in it")
    ids = [scenario.get("id") for scenario in scenarios]
    twice = sorted({str(name) for name in ids if ids.count(name) > 1})
    if twice:
        raise UsageError(f"{path}: id {twice[0]!r} is used twice")
    return scenarios
