"""Joining runs of one plan that were made on several machines, or in several folders.

What does not belong together is refused with what differs; blocks that several folders hold must be the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as pads

from experiments import manifest as manifests
from experiments.running import CELLS, NAME, read_manifest
from experiments.store import TABLES, Store, plainly, replacing, stored_rows
from simcore.errors import UsageError


@dataclass(frozen=True)
class Merged:
    """What a run folder holds after a merge: its name, games now, games of the whole run, gaps in blocks."""

    name: str
    games: int
    of: int
    gaps: tuple[tuple[int, int], ...]


def merge(into: Path, folders: Sequence[Path]) -> list[Merged]:
    """Join ``folders`` (all of one plan, or all of one run) in ``into``, which may hold some of it already.

    Raises UsageError for what does not belong together, and says why; the folders stay as they are.
    """
    if not folders:
        raise UsageError("merge: name at least one folder to take in")
    if into in folders:
        raise UsageError(f"{into}: stands among the folders to take in; name another one for the result")
    kinds = {folder: (folder / NAME).exists() for folder in folders}
    if any(kinds.values()) and not all(kinds.values()):
        one, other = (next(folder for folder, kind in kinds.items() if kind is wanted) for wanted in (True, False))
        raise UsageError(f"{one} holds a plan with its cells, {other} does not; they do not belong together")
    return _merge_studies(into, folders) if all(kinds.values()) else [merge_runs(into, folders)]


def _merge_studies(into: Path, folders: Sequence[Path]) -> list[Merged]:
    first = read_manifest(folders[0])
    held = [into] if (into / NAME).exists() else []
    for folder in [*held, *folders]:
        _refuse(folders[0], folder, manifests.changes(first, read_manifest(folder)))
    if not held:
        with plainly(into):
            (into / CELLS).mkdir(parents=True, exist_ok=True)
        with replacing(into / NAME) as file:
            file.write((folders[0] / NAME).read_bytes())
    merged = []
    for name in first["run"]["cells"]:
        parts = [folder / CELLS / name for folder in folders if (folder / CELLS / name / manifests.NAME).exists()]
        if parts:
            merged.append(merge_runs(into / CELLS / name, parts))
    return merged


def _refuse(one: Path, other: Path, lines: list[str]) -> None:
    if lines:
        raise UsageError(f"{one} and {other} do not belong together. What differs:\n  " + "\n  ".join(lines))


def merge_runs(into: Path, folders: Sequence[Path]) -> Merged:
    """Join the run ``folders`` in ``into``.  Raises UsageError, see ``merge``."""
    read = [manifests.read(folder) for folder in folders]
    for folder, manifest in zip(folders, read, strict=True):
        _refuse(folders[0], folder, manifests.changes(read[0], manifest))
        if manifest.get("stopped") != read[0].get("stopped"):
            raise UsageError(f"{folders[0]} and {folder} do not belong together: they stopped at different games")
    store = Store(into, read[0])
    try:
        copy = folders[0] / manifests.RULES_COPY
        store.open(str(copy) if copy.exists() else "")
        for folder, manifest in zip(folders, read, strict=True):
            for first, last in Store(folder, manifest).done():
                _take(store, folder, first, last)
        gaps = tuple(store.gaps())
        if not gaps:
            store.finish()
    finally:
        store.close()
    design = store.manifest["design"]
    missing = design["games_per_block"] * sum(last - first for first, last in gaps)
    return Merged(into.name, design["games"] - missing, design["games"], gaps)


def _take(store: Store, folder: Path, first: int, last: int) -> None:
    """Store the blocks ``first`` to ``last`` of ``folder`` that are missing; compare the others."""
    at = first
    for gap, end in [*store.gaps(), (last, last)]:
        low, high = max(gap, first), min(end, last)
        if low > at:
            _same(store, folder, at, min(low, last))
        if high > low:
            store.add(low, high, *(_rows(folder, name, low, high) for name in TABLES))
        at = max(at, high)


def _rows(folder: Path, name: str, first: int, last: int) -> pa.Table:
    block = pads.field("block")
    return stored_rows(folder, name, where=(block >= first) & (block < last)).combine_chunks()


def _same(store: Store, folder: Path, first: int, last: int) -> None:
    for name in TABLES:
        if not _rows(store.folder, name, first, last).equals(_rows(folder, name, first, last)):
            raise UsageError(
                f"{folder} and {store.folder} do not belong together: their {name} of the blocks {first} to {last - 1} "
                "differ, although all else is equal; one of the two is damaged"
            )
