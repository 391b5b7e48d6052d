"""What a run says while it works: remarks and progress on stderr, so that stdout holds the result alone."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

from rich.console import Console

#: Width of tables where there is no terminal to fit.
_WIDTH = 160

#: Seconds between two plain progress lines, where there is no terminal.
_PAUSE = 10.0


def output() -> Console:
    """Console for results (stdout).  Colour only on terminals, and never with NO_COLOR."""
    return Console(width=None if sys.stdout.isatty() else _WIDTH, highlight=False, soft_wrap=False)


def _compiled_kernels(game: Any) -> list[int]:
    """How many compiled kernels the cache holds: of what all games share, and of the package of ``game``."""
    from simcore.kernel import cache_folder

    folders = {cache_folder(), cache_folder(game.engine.step.__module__.split(".")[0])}
    return [sum(1 for _ in folder.rglob("*.nbc")) for folder in folders if folder]


class Remarks:
    """Remarks and progress on stderr; silent when ``quiet``."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.console = Console(stderr=True, highlight=False, soft_wrap=True, quiet=quiet)

    def say(self, text: str) -> None:
        """One line."""
        self.console.print(text, markup=False)

    @contextlib.contextmanager
    def compiling(self, game: Any) -> Iterator[None]:
        """Say that kernels of ``game`` are compiled, and how long it takes, where the cache does not hold them all."""
        before, start, over = _compiled_kernels(game), time.monotonic(), threading.Event()

        def watch() -> None:
            said = -_PAUSE
            while not over.wait(0.5):
                seconds = time.monotonic() - start
                if seconds - said >= _PAUSE and (not all(before) or _compiled_kernels(game) > before):
                    self.say(f"compiling (once): {seconds:.0f} s")
                    said = seconds

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()
        if _compiled_kernels(game) > before:
            self.say(f"compiled (once) in {time.monotonic() - start:.0f} s; the next start finds it in the cache")

    @contextlib.contextmanager
    def progress(self, what: str = "games stored") -> Iterator[Any]:
        """A callback ``(done, total)``: a bar on terminals, a plain line now and then elsewhere."""
        if self.quiet:
            yield lambda done, total: None
        elif self.console.is_terminal:
            with _bar(self.console, what) as callback:
                yield callback
        else:
            yield _lines(self.console, what)


@contextlib.contextmanager
def _bar(console: Console, what: str) -> Iterator[Any]:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("playing"), BarColumn(bar_width=None), MofNCompleteColumn(), TextColumn(f"{what},"),
        TimeElapsedColumn(), TextColumn("so far,"), TimeRemainingColumn(), TextColumn("to go"),
    )  # fmt: skip
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("playing", total=None)
        started: list[int] = []

        def callback(done: int, total: int) -> None:
            if not started:  # what an earlier run has stored says nothing about the speed of this one
                started.append(done)
                bar.reset(task, total=total, completed=done)
            bar.update(task, completed=done, total=total)

        yield callback


def _lines(console: Console, what: str) -> Any:
    start = time.monotonic()
    last = [start - _PAUSE]

    def callback(done: int, total: int) -> None:
        now = time.monotonic()
        if done < total and now - last[0] < _PAUSE:
            return
        last[0] = now
        console.print(f"{done:,} of {total:,} {what} ({100 * done / total:.0f} %), {now - start:.0f} s", markup=False)

    return callback
