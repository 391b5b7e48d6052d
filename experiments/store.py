"""A run folder: rows that survive a kill, and a run that goes on where it stopped.

``manifest.json`` says what is run.  ``units/`` holds one immutable file a work unit and table, named by the
blocks in it; what is done is which files exist.  Every file is written under a hidden name, flushed to the
disk and renamed, so it is either whole or absent.  At the end all units become ``games.parquet`` and
``seats.parquet``, whose bytes do not depend on how the run was cut or how often it was interrupted.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

try:
    import fcntl
except ImportError:  # not on Windows: two processes would write equal files over each other
    fcntl = None  # type: ignore[assignment]

import pyarrow as pa
import pyarrow.dataset as pads
import pyarrow.parquet as pq

from experiments import manifest as manifests
from simcore.errors import UsageError

TABLES = ("games", "seats")

#: Games of one row group of the final files (rounded to whole blocks).
GROUP_GAMES = 32_768

_UNIT = re.compile(r"^(games|seats)-(\d{10})-(\d{10})\.parquet$")


@contextlib.contextmanager
def plainly(path: Path) -> Iterator[None]:
    """Say what the system refuses (read-only folder, full disk) in one line instead of a traceback."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise UsageError(
            f"{path}: cannot be written ({why}); what was stored before is kept, "
            "and the same command goes on from there"
        ) from error


def _damaged(path: str | Path, why: str) -> UsageError:
    return UsageError(
        f"{path}: damaged ({why}); delete it and run the same command again, its games are then played anew"
    )


@contextlib.contextmanager
def readably(data: pads.FileSystemDataset) -> Iterator[None]:
    """Name the damaged file of ``data`` in one line where reading it fails, instead of a traceback."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        for path in data.files:
            try:
                pq.read_table(path)
            except (pa.ArrowException, OSError):
                raise _damaged(path, str(error)) from error
        raise


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file that appears under ``path`` whole, flushed to the disk, or not at all.  Raises UsageError."""
    hidden = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with plainly(path):
        try:
            with hidden.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            hidden.replace(path)
        except BaseException:
            hidden.unlink(missing_ok=True)
            raise
        _flush_folder(path.parent)


def _flush_folder(folder: Path) -> None:
    """Make a rename last through a power cut, where folders can be flushed."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class Store:
    """One run folder, opened for writing by one process at a time."""

    def __init__(self, folder: Path, manifest: Mapping[str, Any]) -> None:
        self.folder = folder
        self.units = folder / "units"
        self.manifest = manifests.as_read_back(manifest)
        self._lock: BinaryIO | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the final tables are there."""
        return all((self.folder / f"{table}.parquet").exists() for table in TABLES)

    @property
    def note(self) -> dict[bytes, bytes]:
        """Metadata of every Parquet file of this run."""
        run = self.manifest["run"]
        return {
            b"soundcheck.schema": str(run["schema"]).encode(),
            b"soundcheck.rules": run["rules_hash"].encode(),
            b"soundcheck.engine": run["engine"].encode(),
            b"soundcheck.run": manifests.fingerprint(self.manifest).encode(),
        }

    def open(self, rules_file: str = "") -> None:
        """Make the folder, or join it when it holds the same run.

        Raises UsageError for a folder of another run (with what differs), one that another process works
        in, one with foreign files among the units, and one that cannot be written.
        """
        with plainly(self.folder):
            self.units.mkdir(parents=True, exist_ok=True)
        self._take_lock()
        if (self.folder / manifests.NAME).exists():
            there = manifests.read(self.folder)
            lines = manifests.changes(there, self.manifest)
            if not lines and "stopped" in there:
                self.manifest.update(design=there["design"], stopped=there["stopped"])
            if lines:
                raise UsageError(
                    f"{self.folder} holds another run; name another folder with --out, or start it anew "
                    "with --fresh. What differs:\n  " + "\n  ".join(lines)
                )
        elif any(path for path in self.folder.iterdir() if path.name not in ("units", ".lock")):
            raise UsageError(f"{self.folder}: there are files in it, but no {manifests.NAME}; name an empty folder")
        else:
            cards = self.manifest.get("cards_file", "")
            copies = {manifests.RULES_COPY: rules_file, manifests.cards_copy(cards): cards}
            for name, origin in copies.items():
                if origin:
                    with replacing(self.folder / name) as file:
                        file.write(Path(origin).read_bytes())
            self._write_manifest()
        for path in self._sweep():
            self._check(path)

    def _write_manifest(self) -> None:
        with replacing(self.folder / manifests.NAME) as file:
            file.write((json.dumps(self.manifest, indent=2, ensure_ascii=False) + "\n").encode())

    def stop(self, blocks: int, why: str) -> None:
        """End the run after its first ``blocks`` blocks: the later ones will not be played.  Raises UsageError."""
        design = self.manifest["design"]
        self.manifest["stopped"] = {"blocks": blocks, "of": design["blocks"], "why": why}
        self.manifest["design"] = {**design, "blocks": blocks, "games": blocks * design["games_per_block"]}
        self._write_manifest()

    def close(self) -> None:
        """Let other processes work in the folder."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _take_lock(self) -> None:
        """Keep a second process out; the system lets go of the lock when this one ends, however it ends."""
        if fcntl is None:
            return
        with plainly(self.folder):
            self._lock = (self.folder / ".lock").open("wb")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise UsageError(f"{self.folder}: another soundcheck process is working in this folder") from None

    def _sweep(self) -> list[Path]:
        """Remove what a killed process left half written; return the unit files.  Raises UsageError."""
        for folder in (self.folder, self.units):
            for path in folder.glob(".*.tmp"):
                with plainly(path):
                    path.unlink()
        found = sorted(path for path in self.units.iterdir() if not path.name.startswith("."))
        for path in found:
            if not _UNIT.match(path.name):
                raise UsageError(f"{path}: not a file of this run; move it away")
        return found

    def _check(self, path: Path) -> None:
        """Raise UsageError unless ``path`` is a whole Parquet file of this run."""
        try:
            note = pq.read_schema(path).metadata or {}
        except (pa.ArrowInvalid, OSError) as error:
            raise _damaged(path, "not a whole Parquet file") from error
        if any(note.get(key) != value for key, value in self.note.items()):
            raise UsageError(f"{path}: a file of another run; move it away")

    def add(self, first: int, last: int, games: pa.Table, seats: pa.Table) -> None:
        """Store the rows of the blocks ``first`` to ``last`` (exclusive).  Raises UsageError."""
        # Seats first: a unit counts as done when its games are there.
        for name, table in (("seats", seats), ("games", games)):
            buffer = io.BytesIO()
            pq.write_table(table.replace_schema_metadata(self.note), buffer, compression="zstd")
            with replacing(self.units / f"{name}-{first:010d}-{last:010d}.parquet") as file:
                file.write(buffer.getbuffer())

    def done(self) -> list[tuple[int, int]]:
        """Ranges of blocks whose rows are stored, ascending, without overlap."""
        if self.is_complete:
            return [(0, self.manifest["design"]["blocks"])]
        found = []
        for path in sorted(self.units.glob("games-*.parquet")):
            match = _UNIT.match(path.name)
            if match and path.with_name(path.name.replace("games", "seats", 1)).exists():
                found.append((int(match[2]), int(match[3])))
        chosen: list[tuple[int, int]] = []
        for first, last in found:
            if not chosen or first >= chosen[-1][1]:
                chosen.append((first, last))
        return chosen

    def gaps(self) -> list[tuple[int, int]]:
        """Ranges of blocks still to play, ascending."""
        gaps, at = [], 0
        for first, last in self.done():
            if first > at:
                gaps.append((at, first))
            at = last
        blocks = self.manifest["design"]["blocks"]
        return [*gaps, (at, blocks)] if at < blocks else gaps

    def finish(self) -> None:
        """Turn all units into the final tables, a row group at a time, and remove them.  Raises UsageError."""
        if not self.is_complete:
            for name in TABLES:
                self._compact(name)
        shutil.rmtree(self.units, ignore_errors=True)

    def _compact(self, name: str) -> None:
        design = self.manifest["design"]
        seats = design.get("seats", self.manifest["run"]["players"])
        per_block = design["games_per_block"] * (seats if name == "seats" else 1)
        group = max(1, GROUP_GAMES // design["games_per_block"]) * per_block
        files = [self.units / f"{name}-{first:010d}-{last:010d}.parquet" for first, last in self.done()]
        data = dataset(files)
        rows = 0
        schema = data.schema.with_metadata(self.note)
        with (
            replacing(self.folder / f"{name}.parquet") as file,
            pq.ParquetWriter(file, schema, compression="zstd") as writer,
        ):
            for table in _regroup(data, group):
                rows += table.num_rows
                writer.write_table(table.replace_schema_metadata(self.note), row_group_size=group)
            if rows != per_block * design["blocks"]:
                raise UsageError(f"{self.units}: {rows} rows of {name}, {per_block * design['blocks']} expected")


def _regroup(data: pads.FileSystemDataset, rows: int) -> Iterator[pa.Table]:
    """All rows of ``data``, in the order of its files, in tables of ``rows`` rows (the last may be shorter)."""
    waiting: list[pa.Table] = []
    held = 0
    for fragment in data.get_fragments():
        with readably(data):
            table = fragment.to_table(schema=data.schema, use_threads=False)
        while held + table.num_rows >= rows:
            yield pa.concat_tables([*waiting, table.slice(0, rows - held)]).combine_chunks()
            table = table.slice(rows - held)
            waiting, held = [], 0
        if table.num_rows:
            waiting.append(table)
            held += table.num_rows
    if waiting:
        yield pa.concat_tables(waiting).combine_chunks()


def dataset(files: list[Path]) -> pads.FileSystemDataset:
    """``files`` as one data set with the columns of all of them (a reader that takes the first file's
    columns would drop new ones in silence).
    """
    schema = pa.unify_schemas([pq.read_schema(path).remove_metadata() for path in files], promote_options="permissive")
    return pads.dataset([str(path) for path in files], schema=schema, format="parquet")


def stored(folder: Path, name: str) -> pads.FileSystemDataset:
    """The table ``name`` ("games" or "seats") of a run folder, finished or not.  Raises UsageError."""
    store = Store(folder, manifests.read(folder))
    final = folder / f"{name}.parquet"
    if final.exists():
        store._check(final)
        return dataset([final])
    files = [store.units / f"{name}-{first:010d}-{last:010d}.parquet" for first, last in store.done()]
    if not files:
        raise UsageError(f"{folder}: no game is stored yet")
    for path in files:
        store._check(path)
    return dataset(files)


def stored_rows(
    folder: Path, name: str, columns: list[str] | None = None, where: pads.Expression | None = None
) -> pa.Table:
    """The rows of ``stored`` for which ``where`` holds, with ``columns`` (none named: all).  Raises UsageError."""
    data = stored(folder, name)
    with readably(data):
        return data.to_table(columns=columns, filter=where)
