"""Work units on Dask workers: several processes here, or many machines behind a scheduler.

The driver alone writes; workers play units and send rows back.  A worker that dies costs its units under way,
which another plays again.  Files of rules travel with the work, so machines need no shared disk.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import signal
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

import pyarrow as pa

from simcore.errors import SoundcheckError, UsageError
from simcore.kernel import cache_key

#: Units under way or waiting, a thread of the cluster.
_AHEAD = 3

#: Seconds to wait for a scheduler, and for its first worker.
_PATIENCE = 60


def fan_out_dask(
    plan: Any, units: Sequence[tuple[int, int]], jobs: int, play: Callable[..., tuple], scheduler: str = ""
) -> Generator[tuple[Any, pa.Table, pa.Table], None, None]:
    """Play ``units`` and yield (unit, games, seats) as they are done, in no fixed order.

    ``scheduler``: address of a running one; without it ``jobs`` worker processes are started here, and ended
    with the iterator.  Raises UsageError where Dask is not installed or the scheduler does not answer, and
    SoundcheckError where workers run another version or keep dying.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise UsageError("backend: dask needs another package: pip install 'soundcheck-sim[distributed]'") from None
    files = _files(plan)
    with contextlib.ExitStack() as stack:
        if scheduler:
            try:
                client = stack.enter_context(Client(scheduler, timeout=_PATIENCE))
            except (OSError, TimeoutError, ValueError) as error:
                raise UsageError(f"scheduler: {scheduler} does not answer ({error})") from None
        else:
            with _deaf_children():
                cluster = LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None, silence_logs=50)
            stack.enter_context(cluster)
            client = stack.enter_context(Client(cluster))
        _same_version(client, scheduler)
        yield from _play_all(client, plan, files, units, play)


@contextlib.contextmanager
def _deaf_children() -> Iterator[None]:
    """Processes and threads started inside do not hear Ctrl-C, which a terminal sends to all of them at once.

    This thread hears it when the block ends, and then ends the workers itself.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # where it has to be started first, it lets a thread hear Ctrl-C again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _play_all(
    client: Any, plan: Any, files: Mapping[str, bytes], units: Sequence[tuple[int, int]], play: Callable[..., tuple]
) -> Generator[tuple[Any, pa.Table, pa.Table], None, None]:
    """Only a few units a worker are with the scheduler at a time, however slowly they are taken."""
    from distributed import as_completed
    from distributed.scheduler import KilledWorker

    threads = sum(client.nthreads().values())
    waiting = iter(units)

    def submit(unit: tuple[int, int]) -> Any:
        return client.submit(play_there, play, plan, files, unit, pure=False, retries=2)

    first = [submit(unit) for unit in itertools.islice(waiting, _AHEAD * max(threads, 1))]
    running = as_completed(first)
    try:
        for future in running:
            try:
                result = future.result()
            except KilledWorker as error:
                raise SoundcheckError(
                    "workers were ended from outside again and again (often: not enough memory); what was finished is "
                    "kept. Run the same command again, with fewer workers"
                ) from error
            future.release()
            following = next(waiting, None)
            if following is not None:
                running.add(submit(following))
            yield result
    finally:
        client.cancel(list(getattr(running, "futures", ())), force=True)


def _version() -> str:
    """What must be equal everywhere for equal rows: sources, numba, numpy."""
    return cache_key()


def _same_version(client: Any, scheduler: str) -> None:
    if scheduler:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            raise UsageError(f"scheduler: {scheduler} has no worker") from None
    mine = _version()
    for address, theirs in client.run(_version).items():
        if theirs != mine:
            raise SoundcheckError(
                f"worker {address} runs another version of soundcheck, numba or numpy ({theirs} there, {mine} here); "
                "its rows could differ"
            )


# ------------------------------------------------------------------ files that travel
def _base(plan: Any) -> Any:
    return getattr(plan, "base", plan)


def _files(plan: Any) -> dict[str, bytes]:
    """The rules file of a plan, by its path here."""
    path = getattr(_base(plan), "rules_file", "")
    return {path: Path(path).read_bytes()} if path else {}


def _with_local_files(plan: Any, files: Mapping[str, bytes]) -> Any:
    """``plan`` with the paths of files on this machine: copies in a temporary folder, where they differ."""
    for path, content in files.items():
        there = Path(path)
        if there.exists() and there.read_bytes() == content:
            continue
        copy = Path(tempfile.gettempdir()) / f"soundcheck-{hashlib.sha256(content).hexdigest()[:20]}.toml"
        if not copy.exists() or copy.read_bytes() != content:
            copy.write_bytes(content)
        base = replace(_base(plan), rules_file=str(copy))
        plan = replace(plan, base=base) if hasattr(plan, "base") else base
    return plan


def play_there(play: Callable[..., tuple], plan: Any, files: Mapping[str, bytes], unit: tuple[int, int]) -> tuple:
    """Play one unit in a worker."""
    return play(_with_local_files(plan, files), unit)
