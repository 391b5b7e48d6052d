"""A second process that compiles beside this one where the cache is empty: compiling uses two cores, not one.

numba's compiler holds one lock a process, so that threads do not help.  Both processes walk the same list of
kernels from its two ends and leave out what the other is at; what they share below, the first to come compiles
and the other waits for (``simcore.alone``).  The second process only fills the cache: whatever becomes of it,
the first compiles what is missing.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

import joblib

from simcore.alone import CAN_WAIT, Turn
from simcore.kernel import COMPILER_OFF, cache_folder, is_stored, turn_of

#: A kernel and the types of its arguments.
Part = tuple[Any, tuple[Any, ...]]

_START = "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); import simcore.beside as b; b.help_out()"


_helping = threading.RLock()


def missing(parts: Sequence[Part]) -> list[Part]:
    """Those of ``parts`` that neither this process nor the cache holds."""
    cached = [part for part in parts if turn_of(part[0]) is not None]
    return [(one, args) for one, args in cached if args not in one.overloads and not is_stored(one, args)]


def _can_help() -> bool:
    """Whether a second process would find a core and a way to wait for this one."""
    return CAN_WAIT and not COMPILER_OFF and joblib.cpu_count() > 1


@contextlib.contextmanager
def helped(parts: Sequence[Part]) -> Iterator[None]:
    """Compile what is missing of ``parts`` with the help of another process, which ends with this context."""
    with _helping:  # threads that come at the same time wait: the compiler's lock would make them wait anyway
        todo = missing(parts) if _can_help() else []
        helper = _start([_named(part) for part in reversed(todo)]) if len(todo) > 1 else None
        try:
            if helper is not None:
                _walk(todo)
            yield
        finally:
            if helper is not None:
                helper.kill()
                helper.wait()
                with contextlib.suppress(OSError):
                    helper.stdin.close()


def _walk(parts: Sequence[Part]) -> None:
    """Compile each of ``parts`` that no other process is compiling."""
    for one, args in parts:
        turn = turn_of(one)
        is_free = turn is None or not turn.is_taken()
        if is_free and args not in one.overloads and not is_stored(one, args):
            # A kernel that was compiled for another game takes no new types by itself.
            is_closed = not one._can_compile
            one.disable_compile(False)
            one.compile(args)
            one.disable_compile(is_closed)


def _named(part: Part) -> tuple[str, str, tuple[Any, ...]]:
    function = part[0].py_func
    return function.__module__, function.__qualname__, part[1]


def _start(named: list[tuple[str, str, tuple[Any, ...]]]) -> Any:
    """The helping process, or None where none can be started."""
    try:
        helper: subprocess.Popen[bytes] = subprocess.Popen(
            [sys.executable, "-c", _START],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        assert helper.stdin is not None
        pickle.dump(sys.path, helper.stdin)
        pickle.dump(named, helper.stdin)
        helper.stdin.flush()  # left open: its end tells the helper that this process is gone
    except OSError:
        return None
    return helper


def help_out() -> None:
    """What the helping process does: the list on stdin, until stdin ends."""
    named = pickle.load(sys.stdin.buffer)
    folder = cache_folder()
    if folder is None:
        return
    only = Turn(folder, "the helping process")
    if only.is_taken():
        return
    only.take()
    threading.Thread(target=_leave_with, args=(sys.stdin.buffer,), daemon=True).start()
    parts = []
    for module, name, args in named:
        found: Any = importlib.import_module(module)
        for word in name.split("."):
            found = getattr(found, word)
        parts.append((found, args))
    _walk(parts)


def _leave_with(stdin: BinaryIO) -> None:
    """End this process at once when the one that started it closes ``stdin``, or is no more."""
    stdin.read()
    os._exit(0)
