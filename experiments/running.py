"""Playing a study: one run folder a cell, a manifest over them, and going on where it was stopped.

Library code: it prints nothing.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.dataset as pads

from experiments import balance, difficulty, sequential
from experiments import manifest as manifests
from experiments.balance import Progress
from experiments.fanout import Unit, play_unit
from experiments.findings import StudyFinding, study_finding
from experiments.plan import Prepared
from experiments.store import TABLES, Store, plainly, replacing, stored_rows
from experiments.study import FILE, Cell, Study, _content, cells, read_study
from experiments.summary import Summary, summarise
from simcore.errors import UsageError, unknown

#: What a study folder holds beside its cells.
NAME, CELLS = "study.json", "cells"

#: ``progress(cell, number, of)``: a cell begins; returns what is told about its games.
CellProgress = Callable[[Cell, int, int], Progress]


@dataclass(frozen=True)
class Part:
    """Machine ``number`` (from 1) of ``of``: it plays its share of the blocks of every cell."""

    number: int = 1
    of: int = 1

    @classmethod
    def read(cls, text: str) -> Part:
        """The part that ``K/N`` names.  Raises UsageError."""
        number, slash, of = text.partition("/")
        if not (slash and number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
            raise UsageError(f"part: {text!r} is not K/N, such as 2/4 for the second of four machines")
        return cls(int(number), int(of))

    def blocks(self, blocks: int) -> Unit:
        """The blocks of this part, of ``blocks``."""
        return blocks * (self.number - 1) // self.of, blocks * self.number // self.of


def _silent(cell: Cell, number: int, of: int) -> Progress:
    return lambda done, total: None


# ------------------------------------------------------------------ the study's folder
def describe(study: Study, found: list[Cell]) -> dict[str, Any]:
    """``study.json``: the plan itself, the content of its rules files, its cells and their seeds."""
    data = json.loads(study.model_dump_json())
    files = {name: _content(str(values[FILE])) for name, values in study.rule_sets.items() if FILE in values}
    run = {
        **data,
        "rules_files": files,
        "cells": {cell.name: {**cell.axes, "games_seed": cell.base.seed} for cell in found},
    }
    return {"run": run, "plan_hash": manifests.fingerprint({"run": run})}


def open_folder(study: Study, found: list[Cell], folder: Path) -> None:
    """Make the folder of a study, or join it when it holds the same one.  Raises UsageError with what differs."""
    described = manifests.as_read_back(describe(study, found))
    path = folder / NAME
    if path.exists():
        lines = manifests.changes(read_manifest(folder), described)
        if lines:
            raise UsageError(
                f"{folder} holds another plan; name another folder with --out, or start it anew with --fresh. "
                "What differs:\n  " + "\n  ".join(lines)
            )
        return
    with plainly(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if any(one.name != NAME and not one.name.startswith(".") for one in folder.iterdir()):
            raise UsageError(f"{folder}: there are files in it, but no {NAME}; name an empty folder")
        (folder / CELLS).mkdir()
    with replacing(path) as file:
        file.write((json.dumps(described, indent=2, ensure_ascii=False) + "\n").encode())


def read_manifest(folder: Path) -> dict[str, Any]:
    """``study.json`` of a folder.  Raises UsageError."""
    path = folder / NAME
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(data["run"], dict):
            raise KeyError
    except FileNotFoundError:
        raise UsageError(f"{folder}: not the folder of a plan ({NAME} is missing)") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from None
    except (ValueError, KeyError, TypeError):
        raise UsageError(f"{path}: not the description of a plan (damaged, or of another program)") from None
    return data


def stored_study(folder: Path) -> Study:
    """The study that a folder holds.  Raises UsageError."""
    run = dict(read_manifest(folder)["run"])
    for key in ("rules_files", "cells"):
        run.pop(key, None)
    return read_study(run)


# ------------------------------------------------------------------ cells
def cell_store(cell: Cell, folder: Path, margin: float, command: str = "") -> Store:
    """The run folder of a cell, made or joined; the caller closes it.  Raises UsageError."""
    prepared = cell.prepare()
    if isinstance(prepared, Prepared):
        store = Store(folder, _manifest(cell, prepared, margin, command))
    else:
        store = Store(folder, difficulty.describe(prepared, command))
    try:
        store.open(cell.base.rules_file)
    except BaseException:
        store.close()
        raise
    return store


def _manifest(cell: Cell, prepared: Prepared, margin: float, command: str) -> dict[str, Any]:
    manifest = manifests.describe(prepared, command)
    if cell.until == "decided":
        manifest["run"] |= {"until": cell.until, "margin": margin}
    return manifest


@dataclass(frozen=True)
class How:
    """How a study is played; none of it changes a row.  See ``balance.play_run``."""

    jobs: int | None = None
    backend: str | None = None
    unit_games: int | None = None
    scheduler: str = ""
    part: Part = Part()


def play_cell(cell: Cell, store: Store, how: How, margin: float, progress: Progress) -> None:
    """Play what is missing of a cell; with ``until = "decided"``, until a look decides everything."""
    prepared = cell.prepare()
    play = play_unit if isinstance(prepared, Prepared) else difficulty.play_unit

    def play_blocks(within: Unit) -> None:
        balance.play_run(
            prepared, store, how.jobs, how.backend, how.unit_games, progress, play, within, how.scheduler
        )  # fmt: skip

    if cell.until != "decided" or not isinstance(prepared, Prepared):
        play_blocks(how.part.blocks(prepared.blocks))
        return
    if store.is_complete or "stopped" in store.manifest:
        store.finish()
        return
    summary: Summary | None = None
    seen = 0
    for designs in sequential.look_points(prepared.plan.designs, prepared.design.blocks):
        blocks = designs * prepared.design.blocks
        play_blocks((0, blocks))
        piece = _summary(store.folder, seen, blocks)
        if summary is None:
            summary = piece
        else:
            summary.add(piece)
        seen = blocks
        if sequential.is_decided(sequential.tables(summary, margin)):
            if blocks < prepared.blocks:
                store.stop(blocks, "decided")
            break
    store.finish()


def _summary(folder: Path, first: int, last: int) -> Summary:
    """The summary of the stored blocks ``first`` to ``last`` (exclusive)."""
    at = pads.field("block")
    games, seats = (stored_rows(folder, name, where=(at >= first) & (at < last)).to_pandas() for name in TABLES)
    return summarise(games, seats)


def play_study(
    study: Study,
    folder: Path,
    how: How = How(),
    command: str = "",
    progress: CellProgress = _silent,
) -> list[Cell]:
    """Play and store every cell of ``study`` that ``folder`` does not hold yet; returns the cells.

    Whatever stops it (an error, an interrupt, a kill), finished units stay stored.  Raises UsageError.
    """
    found = cells(study)
    if how.part.of > 1 and study.until == "decided":
        raise UsageError("part: a run until decided looks at its games in order, so it is not cut into parts")
    open_folder(study, found, folder)
    for number, cell in enumerate(found):
        store = cell_store(cell, folder / CELLS / cell.name, study.margin, command)
        try:
            play_cell(cell, store, how, study.margin / 100, progress(cell, number, len(found)))
        finally:
            store.close()
    return found


def run(
    plan: Study | Mapping[str, Any] | str | Path, folder: str | Path | None = None, **how: Any
) -> pd.DataFrame:  # fmt: skip
    """Play a plan and return what it found: a row a cell and band, seat or agent, with the cell's axes.

    ``plan``: a Study, its keys as a dict, a plan file or the name of a shipped one.  ``folder``: where it is
    stored and goes on from; none: nothing is kept.  ``how``: ``jobs``, ``backend``, ``unit_games``,
    ``scheduler`` (see ``How``).  Raises UsageError.
    """
    return finding_of(plan, folder, **how).table


def finding_of(
    plan: Study | Mapping[str, Any] | str | Path, folder: str | Path | None = None, **how: Any
) -> StudyFinding:  # fmt: skip
    """As ``run``, with everything that was found: the panel's ranges and the paired comparisons too."""
    study = read_study(plan)
    if folder is not None:
        play_study(study, Path(folder), How(**how))
        return study_finding(study, Path(folder) / CELLS)
    with tempfile.TemporaryDirectory() as temporary:
        play_study(study, Path(temporary), How(**how))
        return study_finding(study, Path(temporary) / CELLS)


def raw(folder: Path, name: str) -> pd.DataFrame:
    """All rows of "games" or "seats" of every cell of a stored study, with the cell's axes; no column is dropped.

    ``folder``: the study's.  Raises UsageError.
    """
    if name not in TABLES:
        raise unknown("raw", "table", name, TABLES)
    parts = []
    for cell in cells(stored_study(folder)):
        rows = stored_rows(folder / CELLS / cell.name, name).to_pandas()
        for place, axis in enumerate(("cell", "mode", "rules", "seed")):
            rows.insert(
                place, axis if axis not in rows else f"{axis}_", cell.name if axis == "cell" else cell.axes[axis]
            )
        parts.append(rows)
    return pd.concat(parts, ignore_index=True)
