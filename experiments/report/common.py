"""Sections that every kind of run has: what was assumed, how to make it again, games to look at."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experiments.manifest import fingerprint
from experiments.report.content import Cell, Section, Table


def house_section(manifest: Mapping[str, Any]) -> Section:
    """Values that the rulebook does not print."""
    lines = manifest["house"]
    if not lines:
        return Section("house", "House data", ["All values that were used are printed in the rulebook."])
    rows = [[Cell(line.removeprefix("house data: "))] for line in lines]
    text = (
        "These results rest on values that the rulebook does not print. They were chosen by us and can be changed "
        f"in a rules file (soundcheck rules show {manifest['run']['game']} lists every one with its source)."
    )
    return Section("house", "House data", [text], tables=[Table("House values in use", ["value"], rows)])


def again_section(manifest: Mapping[str, Any], folder: Path) -> Section:
    """The command, the seed and the hashes that make the same rows again."""
    run = manifest["run"]
    facts = [
        ("seed", str(run["seed"])),
        ("rules", run["rules_hash"]),
        ("engine (sources, numba, numpy, Python)", run["engine"]),
        ("run", fingerprint(manifest)),
        ("variant", _pairs(run["variant"])),
        ("changed values", _pairs(run["overrides"])),
        ("rules file", manifest["rules_file"] or "none"),
        *((name, text) for name, text in manifest.get("versions", {}).items()),
    ]
    commands = [("One game again", f"soundcheck play --run {shlex.quote(str(folder))} --game 0")]
    if manifest.get("command"):
        commands.insert(0, ("This run again", manifest["command"]))
    table = Table("What decides the rows", ["what", "value"], [[Cell(name), Cell(value)] for name, value in facts])
    text = "Equal seed, rules and engine play equal games, on any machine and with any number of workers."
    return Section("again", "How to reproduce it", [text], tables=[table], commands=commands)


def facts(manifest: Mapping[str, Any], games: int) -> list[tuple[str, str]]:
    """What was played, for the head of a page."""
    run = manifest["run"]
    changed = len(run["overrides"]) + bool(manifest["rules_file"])
    return [
        ("Games", f"{games:,}"),
        ("Players", str(run["players"])),
        ("Agents", ", ".join(dict.fromkeys(run["agents"]))),
        ("Rules", f"{changed} changed" if changed else "as shipped"),
        ("House data", f"{len(manifest['house'])} kinds" if manifest["house"] else "none"),
        ("Seed", str(run["seed"])),
    ]


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} = {value}" for key, value in values.items()) or "none"
