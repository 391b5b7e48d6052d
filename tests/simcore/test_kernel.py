"""The kernel decorator: no stale results, a fallback without cache, record names that cannot mislead."""

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numba
import numpy as np
import pytest

from simcore import kernel

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def project(tmp_path):
    """A copy of simcore beside a package whose kernel calls another module's kernel and constant."""
    package = tmp_path / "agents"
    package.mkdir()
    (tmp_path / "simcore").symlink_to(ROOT / "simcore")
    (package / "__init__.py").write_text("")
    (package / "numbers.py").write_text("BONUS = 5\n")
    decorated = "from simcore.kernel import kernel\n@kernel\n"
    (package / "helper.py").write_text(
        f"from agents.numbers import BONUS\n{decorated}def add(x):\n    return x + BONUS\n"
    )
    (package / "main.py").write_text(f"from agents.helper import add\n{decorated}def run(x):\n    return 10 * add(x)\n")
    return tmp_path


def run(project: Path, code: str, cache: Path, **extra: str) -> subprocess.CompletedProcess:
    # simcore is found beside the package: the hash covers the packages of the same root.
    head = f"import sys; sys.path.insert(0, {str(project)!r}); import simcore.kernel as k; from pathlib import Path; "
    head += f"k.__file__ = {str(project / 'simcore' / 'kernel.py')!r}; "
    environment = {**os.environ, "SOUNDCHECK_CACHE": str(cache), "PYTHONDONTWRITEBYTECODE": "1", **extra}
    command = [sys.executable, "-c", head + textwrap.dedent(code)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=project, check=False)


@pytest.mark.skipif(kernel.COMPILER_OFF, reason="without the compiler nothing is cached")
def test_editing_a_constant_of_an_imported_module_changes_the_result_with_a_warm_cache(project, tmp_path):
    code = "from agents.main import run; print(run(1), sum(run.stats.cache_hits.values()))"
    copied = project / "simcore"
    copied.unlink()
    copied.mkdir()
    for source in (ROOT / "simcore").glob("*.py"):
        (copied / source.name).write_text(source.read_text())
    cache = tmp_path / "cache"
    assert run(project, code, cache).stdout.split() == ["60", "0"]
    assert run(project, code, cache).stdout.split() == ["60", "1"], "the second run loads from the cache"
    elsewhere = tmp_path / "elsewhere"
    for folder in ("agents", "simcore"):
        shutil.copytree(project / folder, elsewhere / folder)
    assert run(elsewhere, code, cache).stdout.split() == ["60", "1"], "so does another checkout of the same sources"
    (project / "agents" / "numbers.py").write_text("BONUS = 6\n")
    assert run(project, code, cache).stdout.split() == ["70", "0"]


def test_only_kernels_and_what_they_import_are_hashed(project):
    (project / "agents" / "plain.py").write_text("from agents.numbers import BONUS\n")
    names = {path.name for path in kernel.kernel_sources(project, ["agents"])}
    assert names == {"main.py", "helper.py", "numbers.py"}


def test_imports_in_every_spelling_are_followed():
    text = "import a.b as c, d\nfrom e import (\n    f,\n    g as h,\n)\nfrom i.j import k\n"
    assert {"a.b", "d", "e", "e.f", "e.g", "i.j", "i.j.k"} <= set(kernel._imported(text))


@pytest.mark.skipif(kernel.COMPILER_OFF, reason="without the compiler nothing is cached")
def test_a_folder_that_cannot_be_written_is_said_once_and_everything_works(project, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    done = run(project, "from agents.main import run; print(run(1))", blocked)
    assert done.stdout.split() == ["60"]
    assert done.stderr.count("cannot be cached") == 1
    assert "SOUNDCHECK_CACHE" in done.stderr


def test_record_refuses_names_that_numpy_would_hide():
    with pytest.raises(ValueError, match="round, view"):
        kernel.record([("view", "i4"), ("round", "i4"), ("fans", "i4")])


def test_records_are_read_by_name():
    batch = np.zeros(2, kernel.record([("fans", "i4"), ("dice", "i1", (3,))]))
    batch[1].fans = 7
    assert batch["fans"].tolist() == [0, 7]


def test_no_module_compiles_by_itself():
    """There is one decorator; a second one would escape the cache key."""
    offenders = [
        path
        for package in kernel.KERNEL_PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if path.name != "kernel.py" and ("njit" in path.read_text() or "numba.jit" in path.read_text())
    ]
    assert offenders == []


@pytest.mark.skipif(kernel.COMPILER_OFF, reason="without the compiler there are no signatures")
@pytest.mark.parametrize("is_called_before", [False, True])
def test_a_kernel_that_returns_a_narrower_number_can_still_be_called_from_python(is_called_before):
    record = kernel.record([("small", "i4")])
    read = kernel.kernel(_small)
    if is_called_before:
        numba.njit(lambda row: read(row) + 1)(np.zeros(1, record)[0])
    kernel.compiled(read, numba.types.int64(kernel.record_type(record)))
    row = np.zeros(1, record)
    row["small"] = 7
    assert read(row[0]) == 7
    assert [one.signature.return_type for one in read.overloads.values()] == [numba.types.int64]


def _small(row):
    return row.small
