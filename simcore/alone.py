"""One process at a kernel: the others wait, or compile something else meanwhile.

A kernel's turn is one byte of a file, locked: locks of bytes end with their process, however it ends, cost
nothing where nobody waits, and a circle of waiting processes is noticed by the system instead of standing still.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: processes that start together compile each for itself
    fcntl = None  # type: ignore[assignment]

#: Whether processes can wait for each other here.
CAN_WAIT = fcntl is not None

_NAME = ".compiling"
_files: dict[Path, int] = {}
_opening = threading.Lock()


def _file(folder: Path) -> int | None:
    """The lock file of a cache folder, open as long as this process lives: closing it would end every lock."""
    with _opening:
        if folder not in _files:
            try:
                _files[folder] = os.open(folder / _NAME, os.O_RDWR | os.O_CREAT, 0o666)
            except OSError:
                return None
        return _files[folder]


class Turn:
    """The turn to compile what ``name`` names into ``folder``.  To be used by one thread at a time."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._byte = int.from_bytes(hashlib.sha256(name.encode()).digest()[:7], "big")
        self._depth = 0

    def take(self) -> None:
        """Wait until no other process has this turn; goes on without where no lock can be had."""
        self._depth += 1
        if self._depth == 1:
            self._lock(wait=True)

    def give(self) -> None:
        """Let the next process have its turn."""
        self._depth -= 1
        handle = _file(self._folder)
        if self._depth == 0 and fcntl is not None and handle is not None:
            with contextlib.suppress(OSError):
                fcntl.lockf(handle, fcntl.LOCK_UN, 1, self._byte)

    def is_taken(self) -> bool:
        """Whether another process has this turn now."""
        if self._depth:
            return False
        if not self._lock(wait=False):
            return True
        self._depth += 1
        self.give()
        return False

    def _lock(self, wait: bool) -> bool:
        """False when another process has it and ``wait`` is false."""
        handle = _file(self._folder)
        if fcntl is None or handle is None:
            return True
        try:
            fcntl.lockf(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB), 1, self._byte)
        except (BlockingIOError, PermissionError):
            return wait
        except OSError:  # a file system without locks, or a circle: better twice than never
            return True
        return True
