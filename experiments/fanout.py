"""Work units spread over threads or processes; what comes back does not depend on how many there are."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Generator, Sequence
from typing import Any

import joblib
import numpy as np
import pyarrow as pa
from joblib.externals.loky.process_executor import TerminatedWorkerError

from experiments.clusters import fan_out_dask
from experiments.plan import Plan, prepare
from simcore.errors import SoundcheckError, UsageError, unknown

#: A work unit: blocks ``first`` to ``last`` (exclusive).
Unit = tuple[int, int]

#: What comes back, unit by unit: (unit, games, seats).
Rows = Generator[tuple[Unit, pa.Table, pa.Table], None, None]

#: Units a process and wave.
_WAVE = 8

#: Threads suit compiled agents (kernels hold no lock), processes suit Python agents.
BACKENDS = {"threads": "threading", "processes": "loky", "dask": "dask"}


def play_unit(plan: Plan, unit: Unit) -> tuple[Unit, pa.Table, pa.Table]:
    """The unit, and its rows: (unit, games, seats).  Runs in any thread or process."""
    # Without the compiler the hash of the streams wraps in numpy, whose error state belongs to a thread.
    with np.errstate(over="ignore"):
        games, seats = prepare(plan).play(*unit)
    return unit, games, seats


def default_jobs() -> int:
    """Cores that this process may use."""
    return int(joblib.cpu_count())


def fan_out(
    plan: Any, units: Sequence[Unit], jobs: int, backend: str, play: Callable[..., tuple] = play_unit,
    scheduler: str = "",
) -> Rows:  # fmt: skip
    """Play ``units`` side by side and yield each as soon as it is done, in no fixed order.

    ``play(plan, unit)``: plays one unit; ``jobs``: how many at a time; ``backend``: a key of BACKENDS;
    ``scheduler``: address of a Dask scheduler whose workers play (see ``clusters.fan_out_dask``).
    Only a few units a worker are under way or wait to be taken, so memory does not grow with the number of
    units, however slowly they are taken.
    Closing the iterator (or an interrupt) abandons the units under way.  Raises UsageError for bad
    arguments, what an agent or an engine raised, and SoundcheckError when a worker process was killed.
    """
    if backend not in BACKENDS:
        raise unknown("backend", "backend", backend, BACKENDS)
    if jobs < 1:
        raise UsageError(f"jobs: {jobs} is too few; at least 1 is needed")
    if scheduler and backend != "dask":
        raise UsageError(f"scheduler: goes with --backend dask alone (now {backend})")
    if backend == "dask":
        yield from fan_out_dask(plan, units, jobs, play, scheduler)
    elif backend == "processes":
        yield from _processes(plan, units, jobs, play)
    elif jobs == 1:
        for unit in units:
            yield play(plan, unit)
    else:
        yield from _threads(plan, units, jobs, play)


def _threads(plan: Any, units: Sequence[Unit], jobs: int, play: Callable[..., tuple]) -> Rows:
    """A worker waits before it plays while too many finished units wait to be taken."""
    places = threading.Semaphore(2 * jobs)
    over = threading.Event()

    def play_in_turn(unit: Unit) -> tuple:
        places.acquire()
        return (unit, None, None) if over.is_set() else play(plan, unit)

    parallel = joblib.Parallel(n_jobs=jobs, backend="threading", return_as="generator_unordered", batch_size=1)
    results = parallel(joblib.delayed(play_in_turn)(unit) for unit in units)
    try:
        for result in results:
            yield result
            places.release()
    finally:
        over.set()
        places.release(len(units))
        _abandon(results)


def _processes(plan: Any, units: Sequence[Unit], jobs: int, play: Callable[..., tuple]) -> Rows:
    """Waves of units: joblib would run ahead of a slow reader, and a process cannot be made to wait."""
    wave = _WAVE * jobs
    with joblib.Parallel(n_jobs=jobs, backend="loky", return_as="generator_unordered", batch_size=1) as parallel:
        for start in range(0, len(units), wave):
            results = parallel(joblib.delayed(play)(plan, unit) for unit in units[start : start + wave])
            try:
                yield from results
            except TerminatedWorkerError as error:
                raise SoundcheckError(
                    "a worker process was ended from outside (often: not enough memory); what was finished is kept. "
                    f"Run the same command again, with fewer --jobs (now {jobs})"
                ) from error
            finally:
                _abandon(results)


def _abandon(results: Generator[tuple, None, None]) -> None:
    """Stop what is still under way; joblib's advice about results that nobody took is not for our users."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*tasks have been successfully executed")
        results.close()


def split(gaps: Sequence[Unit], blocks: int) -> list[Unit]:
    """``gaps`` (ranges of blocks still to play) cut into units of at most ``blocks`` blocks, in order."""
    return [(start, min(start + blocks, last)) for first, last in gaps for start in range(first, last, blocks)]


def unit_blocks(games: int, games_per_block: int, blocks: int) -> int:
    """Blocks of a work unit that holds about ``games`` games, at least one block and at most all."""
    return min(max(1, round(games / games_per_block)), blocks)
