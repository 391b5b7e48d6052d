"""Kill a run at random moments, again and again, and let it go on from what it stored."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

#: Starts of a run after which there must have been enough kills: most starts end in one.
MOST_STARTS = 400


def _in_a_child(run: Callable[[], None], seconds: float | None = None) -> bool:
    """Run in a forked process, killed after ``seconds``; returns whether it was killed before it ended."""
    child = os.fork()
    if child == 0:
        if seconds is not None:
            threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGKILL)).start()
        run()
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def kill_often(run: Callable[[Path], None], folder: Path, kills: int, seed: int) -> int:
    """Let ``run(folder)`` be killed ``kills`` times at moments drawn over its length, then end; returns the kills.

    How long it takes is measured first, on this machine.  A run that ends all the same is begun anew.
    """
    start = time.monotonic()
    assert not _in_a_child(lambda: run(folder))
    length = time.monotonic() - start
    shutil.rmtree(folder)
    moments = np.random.default_rng(seed).uniform(0.1, 1.0, MOST_STARTS) * length
    killed = 0
    for seconds in moments:
        if _in_a_child(lambda: run(folder), float(seconds)):
            killed += 1
            if killed == kills:
                break
        else:
            shutil.rmtree(folder)
    run(folder)
    return killed
