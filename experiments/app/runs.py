"""Stored runs as tables for the dashboard: which there are, what they found, how their rules differ."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from experiments import manifest as manifests
from experiments import paired
from experiments.balance import finding
from experiments.curve import find_curve
from experiments.difficulty import KIND, replay_game
from experiments.store import TABLES
from experiments.values import values_by_path
from simcore.errors import UsageError
from simcore.files import guess


@dataclass(frozen=True)
class Run:
    """One stored run: its folder, the name it is shown by, its manifest."""

    folder: Path
    name: str
    manifest: dict[str, Any]

    @property
    def is_whole(self) -> bool:
        """Whether all its games are played."""
        return all((self.folder / f"{table}.parquet").exists() for table in TABLES)

    @property
    def games(self) -> int:
        """Games of the whole run."""
        return int(self.manifest["design"]["blocks"]) * int(self.manifest["design"]["games_per_block"])

    @property
    def is_levels(self) -> bool:
        """Whether it plays levels of difficulty rather than rivals."""
        return self.manifest["run"].get("kind") == KIND


def find_runs(folders: Iterable[Path]) -> list[Run]:
    """Every run in ``folders`` or below them (cells of plans too), in order, each once.  Raises UsageError."""
    found: dict[Path, Run] = {}
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"{folder}: no such folder{guess(folder)}")
        for path in sorted(folder.rglob(manifests.NAME)):
            there = path.parent.resolve()
            if there not in found:
                found[there] = Run(path.parent, str(path.parent), manifests.read(path.parent))
    if not found:
        raise UsageError(f"{', '.join(map(str, folders))}: no run is stored there (soundcheck balance makes one)")
    return list(found.values())


def overview(runs: Sequence[Run]) -> pd.DataFrame:
    """A row a run: what it played."""
    rows = []
    for run in runs:
        played = run.manifest["run"]
        rows.append(
            {
                "run": run.name, "game": played["game"], "mode": _variant(played).get("mode", "standard"),
                "players": played["players"], "agents": " + ".join(dict.fromkeys(played["agents"])),
                "changed": "; ".join(f"{path} = {value}" for path, value in played["overrides"].items()),
                "games": run.games, "seed": played["seed"], "whole": run.is_whole,
                "house data": len(run.manifest["house"]),
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def _variant(played: dict[str, Any]) -> dict[str, Any]:
    variant = played["variant"]
    return json.loads(variant) if isinstance(variant, str) else dict(variant)


def shares(run: Run, margin: float) -> pd.DataFrame:
    """Win shares of one run with intervals: ``table``, ``name``, ``win_share``, ``low``, ``high``, ``verdict``.

    Runs of levels have a row a level and agent, and a row a band at each level.  Raises UsageError.
    """
    if not run.is_levels:
        return finding(run.folder, margin).table
    curve = find_curve(run.folder, None, margin)
    levels = curve.levels.assign(name=curve.levels["difficulty"] + ", " + curve.levels["agent"])
    bands = curve.bands.assign(name=curve.bands["band"] + ", " + curve.bands["difficulty"])
    if curve.bands["agent"].nunique() > 1:
        bands["name"] += ", " + bands["agent"]
    return pd.concat([levels, bands], ignore_index=True).assign(verdict="", fair=float("nan"), margin=margin)


def side_by_side(tables: dict[str, pd.DataFrame], factor: str) -> pd.DataFrame:
    """Rows of ``factor`` of several runs beside each other: a row a name, a column of share and interval a run."""
    columns = {}
    for name, table in tables.items():
        rows = table[table["table"] == factor]
        numbers = (100 * rows[["win_share", "low", "high"]]).to_numpy(float).tolist()
        texts = [f"{share:.1f} ({low:.1f} to {high:.1f})" for share, low, high in numbers]
        columns[name] = pd.Series(texts, index=rows["name"].astype(str))
    return pd.DataFrame(columns).fillna("")


def rules_of(run: Run) -> dict[str, Any]:
    """Every value of the run's rules by path; only the changed ones where the game does not list them.

    Raises UsageError where its rules are no longer what they were.
    """
    rules = replay_game(run.folder, 0)[0].rules
    try:
        return values_by_path(rules)
    except UsageError:
        return dict(rules.overrides)


def rules_difference(runs: Sequence[Run]) -> pd.DataFrame:
    """A row a value that is not the same in all ``runs``: its path, and a column a run.  Raises UsageError."""
    values = {run.name: rules_of(run) for run in runs}
    paths = dict.fromkeys(path for one in values.values() for path in one)
    rows = {}
    for path in paths:
        texts = [json.dumps(one[path], ensure_ascii=False) if path in one else "as shipped" for one in values.values()]
        if len(set(texts)) > 1:
            rows[path] = texts
    return pd.DataFrame.from_dict(rows, orient="index", columns=list(values))


def changes(a: Run, b: Run, margin: float) -> pd.DataFrame:
    """What B does to each win share of A, block by block.  Raises UsageError where they are not on the same luck."""
    return paired.share_table(paired.compare(a.folder, b.folder), margin)


def house(runs: Sequence[Run]) -> list[str]:
    """The lines that name house data of any of ``runs``."""
    return list(dict.fromkeys(line for run in runs for line in run.manifest["house"]))
