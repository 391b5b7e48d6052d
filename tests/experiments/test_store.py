"""A run folder: whole or absent files, resuming, refusing what is not its own, plain words for trouble."""

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from experiments import manifest as manifests
from experiments.balance import finding, open_store, play_run
from experiments.store import TABLES, dataset, replacing, stored, stored_rows
from experiments.summary import summarise_run
from simcore.errors import UsageError
from tests.experiments.conftest import ROOT, toy_plan


@pytest.fixture
def half(tmp_path):
    """A run of four designs (20 blocks) of which the units of blocks 0-4 and 10-14 are stored."""
    prepared = toy_plan()
    store = open_store(prepared, tmp_path / "run")
    for first, last in ((0, 5), (10, 15)):
        store.add(first, last, *prepared.play(first, last))
    store.close()
    return prepared, tmp_path / "run"


def finish(prepared, folder):
    store = open_store(prepared, folder)
    try:
        return play_run(prepared, store, jobs=1)
    finally:
        store.close()


def content(folder):
    return [(folder / f"{name}.parquet").read_bytes() for name in TABLES]


def test_a_run_goes_on_where_it_stopped(half, tmp_path):
    prepared, folder = half
    store = open_store(prepared, folder)
    assert store.done() == [(0, 5), (10, 15)]
    assert store.gaps() == [(5, 10), (15, 20)]
    store.close()
    assert finish(prepared, folder) == 40
    assert finish(prepared, folder) == 0
    assert finish(prepared, tmp_path / "other") == 80
    assert content(folder) == content(tmp_path / "other")


def test_the_final_tables(half):
    prepared, folder = half
    finish(prepared, folder)
    assert sorted(path.name for path in folder.iterdir()) == [
        ".lock", "games.parquet", "manifest.json", "seats.parquet",
    ]  # fmt: skip
    games, seats = (pq.read_table(folder / f"{name}.parquet") for name in TABLES)
    assert games["game"].to_pylist() == list(range(80))
    assert seats["game"].to_pylist() == np.repeat(np.arange(80), 4).tolist()
    assert seats["seat"].to_pylist() == [0, 1, 2, 3] * 80
    assert set(games.schema.metadata) >= {b"soundcheck.schema", b"soundcheck.rules", b"soundcheck.engine"}
    assert games.schema.metadata[b"soundcheck.rules"].decode() == prepared.rules.hash
    assert b"pandas" not in games.schema.metadata


def test_a_half_done_run_can_be_read(half):
    _, folder = half
    assert stored(folder, "games").count_rows() == 40
    assert finding(folder).summary.games == 40


def test_a_unit_without_its_other_table_is_played_again(half):
    prepared, folder = half
    next((folder / "units").glob("games-*-0000000005.parquet")).unlink()
    store = open_store(prepared, folder)
    assert store.gaps() == [(0, 10), (15, 20)]
    store.close()
    assert finish(prepared, folder) == 60


def test_half_written_files_are_swept_away(half):
    prepared, folder = half
    left = [folder / ".games.parquet.99.tmp", folder / "units" / ".games-0000000005-0000000010.parquet.99.tmp"]
    for path in left:
        path.write_bytes(b"PAR1 half")
    open_store(prepared, folder).close()
    assert not any(path.exists() for path in left)


def test_another_run_is_refused_with_what_differs(half):
    _, folder = half
    with pytest.raises(UsageError, match="holds another run") as caught:
        open_store(toy_plan(seed=2, bears=1), folder)
    assert "seed: 1 there, 2 now" in str(caught.value)
    assert "overrides.handicap.bears: absent there, 1 now" in str(caught.value)
    assert "rules_hash" in str(caught.value)
    assert "engine" not in str(caught.value)


def test_a_folder_of_other_things_is_refused(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(UsageError, match="no manifest"):
        open_store(toy_plan(), tmp_path)
    assert (tmp_path / "letter.txt").exists()


@pytest.mark.parametrize("keep", [0, 4, 100, -1])
def test_a_truncated_unit_is_named(half, keep):
    prepared, folder = half
    path = next((folder / "units").glob("seats-*"))
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(UsageError, match=f"{path.name}: damaged.*delete it"):
        open_store(prepared, folder)
    path.unlink()
    assert finish(prepared, folder) == 60


def test_a_file_with_other_bytes_inside_is_named(half, tmp_path):
    prepared, folder = half
    unit = next(folder.glob("units/seats-*.parquet"))
    whole = unit.read_bytes()
    middle = len(whole) // 3
    unit.write_bytes(whole[:middle] + bytes(byte ^ 0x55 for byte in whole[middle : middle + 40]) + whole[middle + 40 :])
    with pytest.raises(UsageError, match=f"{unit.name}: damaged .*; delete it and run the same command again"):
        finish(prepared, folder)
    unit.unlink()
    assert finish(prepared, folder) > 0
    final = folder / "seats.parquet"
    whole = final.read_bytes()
    final.write_bytes(whole[:300] + bytes(byte ^ 0x55 for byte in whole[300:900]) + whole[900:])
    with pytest.raises(UsageError, match=r"seats\.parquet: damaged"):
        summarise_run(folder)
    with pytest.raises(UsageError, match=r"seats\.parquet: damaged"):
        stored_rows(folder, "seats")


def test_foreign_files_are_named(half, tmp_path):
    prepared, folder = half
    notes = folder / "units" / "notes.txt"
    notes.write_text("mine")
    with pytest.raises(UsageError, match=r"notes\.txt: not a file of this run"):
        open_store(prepared, folder)
    notes.unlink()
    other = toy_plan(seed=9)
    store = open_store(other, tmp_path / "other")
    store.add(5, 10, *other.play(5, 10))
    store.close()
    stray = next((tmp_path / "other" / "units").glob("games-*"))
    (folder / "units" / stray.name).write_bytes(stray.read_bytes())
    with pytest.raises(UsageError, match=f"{stray.name}: a file of another run"):
        open_store(prepared, folder)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"run": {}}'])
def test_a_damaged_manifest_is_named(half, text):
    prepared, folder = half
    (folder / "manifest.json").write_text(text)
    with pytest.raises(UsageError, match=r"manifest.json: not a manifest"):
        open_store(prepared, folder)


def test_two_processes_do_not_share_a_folder(half):
    prepared, folder = half
    store = open_store(prepared, folder)
    with pytest.raises(UsageError, match="another soundcheck process"):
        open_store(prepared, folder)
    store.close()
    open_store(prepared, folder).close()


def test_a_folder_that_cannot_be_made_is_said_plainly(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        open_store(toy_plan(), tmp_path / "file" / "run")


def test_a_read_only_folder_is_said_plainly(half, monkeypatch):
    prepared, folder = half
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(OSError(30, "Read-only file system")))
    with pytest.raises(UsageError, match=r"Read-only file system.*what was stored before is kept"):
        finish(prepared, folder)


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from tests.experiments.conftest import toy_plan
from experiments.balance import open_store, play_run
from simcore.errors import UsageError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
prepared = toy_plan(designs=400)
store = open_store(prepared, Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    play_run(prepared, store, jobs=1, unit_games=400)
except UsageError as error:
    print(error)
    sys.exit(2)
"""


def test_a_full_disk_loses_nothing_that_was_stored(tmp_path, toy_env):
    # Small units still fit below the limit, the final table does not.
    command = [sys.executable, "-c", FULL_DISK, str(tmp_path / "run"), "30000"]
    done = subprocess.run(command, cwd=ROOT, env=toy_env, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "cannot be written (File too large)" in done.stdout
    assert not (tmp_path / "run" / "seats.parquet").exists()
    assert not list((tmp_path / "run").rglob("*.tmp"))
    assert finish(toy_plan(designs=400), tmp_path / "run") == 0


def test_a_file_is_whole_or_absent(tmp_path):
    path = tmp_path / "x"
    with contextlib.suppress(KeyboardInterrupt), replacing(path) as file:
        file.write(b"half")
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []
    with replacing(path) as file:
        file.write(b"whole")
    assert path.read_bytes() == b"whole"


def test_columns_that_only_later_files_have_are_kept(tmp_path):
    pq.write_table(pa.table({"a": pa.array([1], pa.int32())}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"a": pa.array([2], pa.int64()), "b": ["x"]}), tmp_path / "2.parquet")
    table = dataset([tmp_path / "1.parquet", tmp_path / "2.parquet"]).to_table()
    assert table.to_pydict() == {"a": [1, 2], "b": [None, "x"]}


def test_the_manifest_says_everything(half):
    prepared, folder = half
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["run"]["agents"] == ["flip"]
    assert manifest["run"]["bands"] == ["apes", "bears", "cats", "dogs", "eels"]
    assert manifest["design"] == {
        "line_ups": 5, "complete": True, "games_per_block": 4, "blocks": 20, "games": 80, "seats": 4,
    }  # fmt: skip
    assert {"numpy", "numba", "pyarrow", "python"} <= set(manifest["versions"])
    assert manifests.plan_of(manifest, folder) == prepared.plan


KILLED = """
import sys
from pathlib import Path
from tests.experiments.conftest import toy_plan
from tests.killing import kill_often
from experiments.balance import open_store, play_run

folder = Path(sys.argv[1])
prepared = toy_plan(designs=600)
prepared.compile()

def run(folder):
    store = open_store(prepared, folder)
    play_run(prepared, store, jobs=2, unit_games=80)

print(kill_often(run, folder, 20, seed=6))
"""


@pytest.mark.slow
def test_twenty_kills_change_nothing(tmp_path, toy_env):
    command = [sys.executable, "-c", KILLED, str(tmp_path / "run")]
    done = subprocess.run(command, cwd=ROOT, env=toy_env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == 20
    prepared = toy_plan(designs=600)
    assert finish(prepared, tmp_path / "whole") == 12_000
    assert content(tmp_path / "run") == content(tmp_path / "whole")


def test_limits_are_those_of_posix():
    # The tests above lean on these; without them they would pass for the wrong reason.
    assert hasattr(os, "fork")
    assert hasattr(signal, "SIGXFSZ")
    assert hasattr(resource, "RLIMIT_FSIZE")
