"""What a run says while it works: remarks and progress on stderr, so that stdout holds the result alone."""

from __future__ import annotations

import contextlib
import json
import math
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console

#: Width of tables where there is no terminal to fit.
_WIDTH = 160

#: Seconds between two plain progress lines, where there is no terminal.
_PAUSE = 10.0


def output() -> Console:
    """Console for results (stdout).  Colour on terminals alone, FORCE_COLOR or not, and never with NO_COLOR."""
    terminal = sys.stdout.isatty()
    return Console(width=None if terminal else _WIDTH, highlight=False, force_terminal=terminal)


def print_json(data: Any) -> None:
    """Print a result as JSON (``--json``), alone on stdout."""
    print(json.dumps(plain(data), ensure_ascii=False, indent=1, allow_nan=False))


def plain(data: Any) -> Any:
    """``data`` in the types of JSON: tuples become lists, numpy's numbers Python's, what is not finite null."""
    if isinstance(data, dict):
        return {str(key): plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [plain(value) for value in data]
    if hasattr(data, "tolist"):  # numpy's numbers and arrays
        return plain(data.tolist())
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    return data if data is None or isinstance(data, str | int) else str(data)


def print_house(lines: Sequence[str], most: int = 6) -> None:
    """Say which house data (made-up cards among them) a result rests on; ``most`` lines, then how many more."""
    if lines:
        print("\nHOUSE DATA: these results rest on values that the rulebook does not print:")
        for line in lines[:most]:
            print(f"  {line}")
        if len(lines) > most:
            print(f"  and {len(lines) - most} more (soundcheck rules show)")


def compiled_kernels(game: Any) -> list[int]:
    """How many compiled kernels the cache holds: of what all games share, and of the package of ``game``."""
    from simcore.kernel import cache_folder

    folders = {cache_folder(), cache_folder(game.engine.step.__module__.split(".")[0])}
    return [sum(1 for _ in folder.rglob("*.nbc")) for folder in folders if folder]


class Remarks:
    """Remarks and progress on stderr; silent when ``quiet``."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self._restart = lambda: None
        terminal = sys.stderr.isatty()
        self.console = Console(stderr=True, highlight=False, soft_wrap=True, quiet=quiet, force_terminal=terminal)

    def say(self, text: str) -> None:
        """One line."""
        self.console.print(text, markup=False)

    def restart(self) -> None:
        """Measure the speed of what follows anew: a run of several parts begins its next one."""
        self._restart()

    @contextlib.contextmanager
    def compiling(self, game: Any) -> Iterator[None]:
        """Say that kernels of ``game`` are compiled, and how long it takes, where the cache does not hold them all."""
        before, start, over = compiled_kernels(game), time.monotonic(), threading.Event()

        def watch() -> None:
            said = -_PAUSE
            while not over.wait(0.5):
                seconds = time.monotonic() - start
                if seconds - said >= _PAUSE and (not all(before) or compiled_kernels(game) > before):
                    self.say(f"compiling (once): {seconds:.0f} s")
                    said = seconds

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()
        if compiled_kernels(game) > before:
            self.say(f"compiled (once) in {time.monotonic() - start:.0f} s; the next start finds it in the cache")

    @contextlib.contextmanager
    def progress(self, what: str = "games stored") -> Iterator[Any]:
        """A callback ``(done, total)``: a bar on terminals, a plain line now and then elsewhere."""
        if self.quiet:
            yield lambda done, total: None
        elif self.console.is_terminal:
            with _bar(self.console, what) as (callback, self._restart):
                yield callback
        else:
            lines = Lines(self.console, what)
            self._restart = lines.restart
            yield lines


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
        TextColumn("{task.fields[rate]}"), TimeElapsedColumn(), TextColumn("so far,"), TimeRemainingColumn(),
        TextColumn("to go"),
    )  # fmt: skip
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("playing", total=None, rate="")
        started: list[tuple[int, float]] = []

        def callback(done: int, total: int) -> None:
            if not started:  # what an earlier run has stored says nothing about the speed of this one
                started.append((done, time.monotonic()))
                bar.reset(task, total=total, completed=done)
            passed = time.monotonic() - started[0][1]
            rate = f"{(done - started[0][0]) / passed:,.0f} a second," if passed > 1 else ""
            bar.update(task, completed=done, total=total, rate=rate)

        yield callback, started.clear


class Lines:
    """Progress where there is no terminal: a plain line every ten seconds, with the rate and the time left."""

    def __init__(self, console: Console, what: str) -> None:
        self.console, self.what = console, what
        self.restart()

    def restart(self) -> None:
        """Measure anew from the next call on."""
        self.start = self.said = -1.0
        self.first = self.total = 0

    def __call__(self, done: int, total: int) -> None:
        """``done`` of ``total`` are there."""
        now = time.monotonic()
        if self.start < 0:  # what an earlier run has stored says nothing about the speed of this one
            self.start, self.first, self.said = now, done, now - _PAUSE
        if now - self.said < _PAUSE and (done < total or total == self.total):
            return
        self.said = now
        self.total = total if done >= total else 0
        passed = now - self.start
        share = f"{100 * done / total:.0f} %" if total else "nothing to play"
        text = f"{done:,} of {total:,} {self.what} ({share}), {passed:.0f} s"
        if done > self.first and passed > 0:
            rate = (done - self.first) / passed
            text += f", {rate:,.0f} a second"
            if done < total:
                text += f", {_time((total - done) / rate)} to go"
        self.console.print(text, markup=False)


def _time(seconds: float) -> str:
    """A time in its two largest units."""
    seconds = round(seconds)
    if seconds < 60:
        return f"{seconds} s"
    minutes, seconds = divmod(seconds, 60)
    if minutes < 60:
        return f"{minutes} min {seconds} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"
