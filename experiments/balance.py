"""A balance run from plan to finding: play what is missing, store it, sum it up, judge it.

Library code: it prints nothing.  ``play_run`` reports through a callback, ``finding`` returns tables.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import pandas as pd

from experiments import manifest as manifests
from experiments.fanout import Unit, default_jobs, fan_out, play_unit, split, unit_blocks
from experiments.holdings import holding_table, taken_table
from experiments.plan import Prepared, prepare
from experiments.statistics import MARGIN
from experiments.store import Store, replacing
from experiments.summary import Summary, length_table, summarise_run
from experiments.verdict import Verdict, frame, tables
from simcore import registry
from simcore.errors import UsageError

#: Games of a work unit, unless it is named: about a second of play; a kill loses at most this a worker.
UNIT_GAMES = 2_000

#: Longer runs have larger units, so that their number stays near this.
MOST_UNITS = 500

#: ``progress(done, total)``: games stored so far.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Finding:
    """What a stored run shows.  ``verdicts``: by "band", "seat", "agent"; ``table``: all of them as rows.

    ``holdings``: a table for each column of what seats came by ("company"); ``takings``: one for each kind of thing
    that they took or left ("artist"); see ``holdings.holding_table`` and ``taken_table``.
    """

    folder: Path
    manifest: dict[str, Any]
    summary: Summary
    verdicts: dict[str, list[Verdict]]
    table: pd.DataFrame
    lengths: pd.DataFrame
    holdings: dict[str, pd.DataFrame] = field(default_factory=dict)
    takings: dict[str, pd.DataFrame] = field(default_factory=dict)

    @property
    def subject(self) -> str:
        """What the run compares: "band" where there are bands, else "agent" or "seat"."""
        return next(name for name in ("band", "agent", "seat") if name in self.verdicts)

    def word(self, factor: str) -> str:
        """What a row of the table of ``factor`` is called: an entrant by the game's own word ("board")."""
        return registry.game(self.manifest["run"]["game"]).entrant if factor == "band" else factor


def open_store(prepared: Prepared, folder: Path, command: str = "") -> Store:
    """The run folder for a plan, made or joined (see ``Store.open``); the caller closes it.

    Raises UsageError.
    """
    store = Store(folder, manifests.describe(prepared, command))
    try:
        store.open(prepared.plan.rules_file)
    except BaseException:
        store.close()
        raise
    return store


class Playable(Protocol):
    """What a run folder is filled from: a plan made ready, whatever its kind."""

    @property
    def plan(self) -> Any:
        """What is sent to other processes."""

    @property
    def blocks(self) -> int:
        """Blocks of the whole run."""

    @property
    def games(self) -> int:
        """Games of the whole run."""

    @property
    def needs_processes(self) -> bool:
        """Whether an agent is plain Python."""


def play_run(
    prepared: Playable,
    store: Store,
    jobs: int | None = None,
    backend: str | None = None,
    unit_games: int | None = None,
    progress: Progress = lambda done, total: None,
    play: Callable[..., tuple] = play_unit,
    within: Unit | None = None,
    scheduler: str = "",
) -> int:
    """Play and store every block that ``store`` does not hold yet; returns the number of games played.

    Whatever stops it (an error, an interrupt, a kill), finished units stay stored.  Rows do not depend on
    ``jobs``, ``backend`` (default: threads, or processes where an agent is plain Python) or ``unit_games``.
    ``play``, ``scheduler``: see ``fan_out``.  ``within``: the blocks of this part of the run; the final tables
    are made when no block is missing any more.
    """
    per_block = prepared.games // prepared.blocks
    first, last = within or (0, prepared.blocks)
    gaps = [(max(a, first), min(b, last)) for a, b in store.gaps() if a < last and b > first]
    missing = per_block * sum(b - a for a, b in gaps)
    total = per_block * (last - first)
    done = total - missing
    progress(done, total)
    if missing:
        if unit_games is None:
            unit_games = max(UNIT_GAMES, prepared.games // MOST_UNITS)
        units = split(gaps, unit_blocks(unit_games, per_block, prepared.blocks))
        if backend is None:
            backend = "processes" if prepared.needs_processes else "threads"
        jobs = min(default_jobs() if jobs is None else jobs, len(units))
        with closing(fan_out(prepared.plan, units, jobs, backend, play, scheduler)) as finished:
            for unit, games, seats in finished:
                store.add(*unit, games, seats)
                done += len(games)
                progress(done, total)
    if not store.gaps():
        store.finish()
    return missing


def finding(folder: Path, margin: float = MARGIN) -> Finding:
    """What the run stored in ``folder`` shows.  Raises UsageError."""
    manifest = manifests.read(folder)
    summary = summarise_run(folder)
    if not manifest["run"]["bands"]:
        summary.groups["band"] = {}  # whoever sat there was not rotated through the seats
    verdicts = tables(summary, margin)
    game = registry.game(manifest["run"]["game"])
    splits = {kind: found for kind, found in summary.splits.items() if found}
    return Finding(
        folder, manifest, summary, verdicts, frame(summary, verdicts), length_table(summary),
        {kind: holding_table(kind, splits[kind], margin) for kind in game.holdings if kind in splits},
        {kind: taken_table(kind, splits[kind], margin) for kind in game.takings if kind in splits},
    )  # fmt: skip


def taken_file(thing: str, kind: str = "csv") -> str:
    """Name of the file that holds the whole table (or the picture) of one kind of thing."""
    return f"{thing}s.{kind}"


def write_summary(found: Finding) -> bool:
    """Write ``summary.csv`` and a file for each kind of thing taken into the run folder.

    Returns whether one was new or differed.  Raises UsageError.
    """
    lengths = found.lengths.assign(table="game", games=found.summary.games)
    files = {"summary.csv": pd.concat([found.table, *found.holdings.values(), lengths])}
    files |= {taken_file(thing): table for thing, table in found.takings.items()}
    changed = [write_table(found.folder / name, table) for name, table in files.items()]
    return any(changed)


def write_table(path: Path, table: pd.DataFrame) -> bool:
    """Write a table as CSV; returns whether it was new or differed.  Raises UsageError."""
    content = table.to_csv(index=False, float_format="%.6g", lineterminator="\n").encode()
    if path.exists() and path.read_bytes() == content:
        return False
    with replacing(path) as file:
        file.write(content)
    return True


def replay_plan(folder: Path) -> Prepared:
    """The plan of a stored run, with its own rules, ready to play any of its games again.

    Raises UsageError when the rules are no longer what they were (shipped data or a deck file changed).
    """
    manifest = manifests.read(folder)
    prepared = prepare(manifests.plan_of(manifest, folder))
    if prepared.rules.hash != manifest["run"]["rules_hash"]:
        raise UsageError(f"{folder}: the rules data have changed since this run; its games cannot be played again")
    return prepared
