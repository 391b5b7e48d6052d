"""manifest.json: what a run folder holds, and whether it is still the same run."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from experiments.plan import SCHEMA_VERSION, Plan, Prepared, agent_sources, as_text, engine_version
from simcore import files, registry
from simcore.errors import UsageError

NAME = "manifest.json"

#: Copy of the rules file of a run, so that its games can be played again when the file has changed.
RULES_COPY = "rules.toml"

#: Path of the rules that names a file of cards, and what its copy may be called.
CARDS = "cards"
CARDS_COPIES = ["cards.toml", "cards.json"]

_LIBRARIES = ("numpy", "numba", "pandas", "pyarrow", "scipy", "joblib")


def describe(prepared: Prepared, command: str = "") -> dict[str, Any]:
    """The manifest of a run, as plain data.

    What stands under "run" decides the rows (the rules by their hash); all else is for the reader.
    """
    described = _describe(prepared, command)
    described["plan_hash"] = fingerprint(described)
    return described


def _describe(prepared: Prepared, command: str) -> dict[str, Any]:
    plan, rules, design = prepared.plan, prepared.rules, prepared.design
    chosen: dict[str, Any] = {"chosen": True} if plan.bands else {}
    if plan.line_ups:
        chosen["line_ups"] = [list(row) for row in plan.line_ups]
    return {
        "run": {
            "game": plan.game,
            "players": plan.players,
            "bands": list(prepared.bands),
            "agents": list(plan.agents),
            "agent_sources": agent_sources(prepared),
            "seed": plan.seed,
            "designs": plan.designs,
            "variant": json.loads(plan.variant),
            "overrides": json.loads(plan.overrides),
            "rules_hash": rules.hash,
            "engine": engine_version(prepared.game),
            "schema": SCHEMA_VERSION,
            **chosen,
        },
        "design": {
            "line_ups": design.blocks,
            "complete": design.is_complete,
            "games_per_block": design.games_per_block,
            "seats": prepared.seats,
            "blocks": prepared.blocks,
            "games": prepared.games,
        },
        "data": prepared.game.data_line(rules),
        "agents": agent_parameters(prepared),
        "sources": source_counts(rules),
        "house": list(rules.house),
        "rules_file": plan.rules_file,
        "cards_file": cards_file(rules),
        "command": command,
        "versions": {"python": platform.python_version(), **{name: version(name) for name in _LIBRARIES}},
    }


def cards_file(rules: Any) -> str:
    """Path of the file of cards that the rules were made with, "" where they are shipped ones."""
    named = str(rules.overrides.get(CARDS, ""))
    return named if named and Path(named).is_file() else ""


def cards_copy(cards: str) -> str:
    """Name, in a run folder, of the copy of a card file: its ending says how it is read."""
    return CARDS_COPIES[Path(cards).suffix.lower() == ".json"]


def agent_parameters(prepared: Prepared) -> dict[str, dict[str, Any]]:
    """Every parameter of each agent that is named by a kind, defaults included, by the agent's text."""
    return {
        agent.text: registry.parameters(agent.text) for agent in prepared.agents if not agent.text.startswith("py:")
    }  # fmt: skip


def source_counts(rules: Any) -> dict[str, int]:
    """How many values of the rules are printed, public, house; empty where a game does not label them."""
    labels = [str(label).partition(" ")[0] for label in getattr(rules, "sources", {}).values()]
    return {label: labels.count(label) for label in sorted(set(labels))}


def as_read_back(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """``manifest`` as it looks after it went through a file (tuples are lists, keys are texts)."""
    return json.loads(json.dumps(manifest))


def fingerprint(manifest: Mapping[str, Any]) -> str:
    """Hash (hex) of what decides the rows."""
    return hashlib.sha256(json.dumps(manifest["run"], sort_keys=True).encode()).hexdigest()[:16]


def plan_of(manifest: Mapping[str, Any], folder: Path) -> Plan:
    """The plan that a stored manifest describes; its rules and card files are the copies in ``folder``."""
    run = manifest["run"]
    overrides = dict(run["overrides"])
    if manifest.get("cards_file"):
        overrides[CARDS] = str(folder / cards_copy(manifest["cards_file"]))
    return Plan(
        game=run["game"],
        players=run["players"],
        agents=tuple(run["agents"]),
        seed=run["seed"],
        designs=run["designs"],
        overrides=as_text(overrides),
        variant=as_text(run["variant"]),
        rules_file=str(folder / RULES_COPY) if manifest["rules_file"] else "",
        bands=tuple(run["bands"]) if run.get("chosen") else (),
        line_ups=tuple(tuple(row) for row in run.get("line_ups", ())),
    )


def read(folder: Path) -> dict[str, Any]:
    """The manifest of a run folder.  Raises UsageError when there is none or it cannot be read."""
    path = folder / NAME
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        if not {"run", "design", "house", "rules_file"} <= set(manifest):
            raise KeyError
    except FileNotFoundError:
        raise UsageError(f"{folder}: not a run folder ({NAME} is missing){_hint(folder)}") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from None
    except (ValueError, KeyError, TypeError):
        raise UsageError(f"{path}: not a manifest of a run (damaged, or of another program)") from None
    return manifest


def _hint(folder: Path) -> str:
    """What may have been meant by a folder that holds no run: one of a plan's cells, or a name like it."""
    cells = sorted(path.parent for path in folder.glob(f"cells/*/{NAME}"))
    return f"; it is a plan's: name one of its cells, such as {cells[0]}" if cells else files.guess(folder)


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Lines that say what differs between two manifests in what decides the rows."""
    before, after = _flat(old["run"]), _flat(as_read_back(new)["run"])
    return [
        f"{key}: {before.get(key, 'absent')} there, {after.get(key, 'absent')} now"
        for key in sorted({*before, *after})
        if before.get(key, "absent") != after.get(key, "absent")
    ]


def _flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, Mapping):
            flat.update(_flat(value, f"{prefix}{key}."))
        else:
            flat[f"{prefix}{key}"] = value
    return flat
