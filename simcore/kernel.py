"""The one decorator that compiles.

A cached kernel does not notice an edit in a module that it imports, and numba would go on returning
stale results.  Here every kernel is cached in a folder whose name is a hash of *all* kernel sources
(every file that uses the decorator and, transitively, every file of ours that such a file imports),
of numba's version and of the flags that change the code.  An edit anywhere among them opens a new,
empty folder.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import shutil
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import sigutils
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaExperimentalFeatureWarning

from simcore.alone import Turn

# numba reads its settings from the environment into attributes that type checkers do not see.
config: Any = numba.config

#: True when NUMBA_DISABLE_JIT=1: kernels are then the plain Python functions.
COMPILER_OFF = bool(config.DISABLE_JIT)

#: Top-level packages whose kernels share one cache key; other packages add their own sources.
KERNEL_PACKAGES = ("simcore", "overdrive_sim", "metalmania_sim", "agents")

#: Those that the kernels of a package may import from, where these are not all: an agent's edit leaves
#: the compiled engines alone.
_IMPORTED_BY = {
    "simcore": ("simcore",),
    "overdrive_sim": ("simcore", "overdrive_sim"),
    "metalmania_sim": ("simcore", "metalmania_sim"),
}

#: Packages whose kernels become part of those that call them.  LLVM leaves most of the calls in place: random games of
#: Metal Mania are half as fast again without them.  Overdrive's would take twice the time to compile: there the kernels
#: that every decision passes through are named one by one (``inline``).
_INLINED = ("simcore", "metalmania_sim")

#: Folders older than this many seconds are swept away when a new one is opened.
_STALE_AFTER = 30 * 24 * 3600

_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n]*)|import\s+([^\n]+))", re.M)
_DECORATED = re.compile(r"^\s*(?:from\s+simcore(?:\.kernel)?\s+import\b[^\n]*\bkernel\b|@kernel\b)", re.M)

if COMPILER_OFF:
    # The hash of simcore.streams wraps on purpose; numpy would warn at every draw.
    np.seterr(over="ignore")

#: numba's own lock covers one compilation, not opening and closing a dispatcher around it.
_compiling = threading.RLock()

# Agents and engines are passed to the loop as typed functions, which numba calls experimental.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)


def _module_files(root: Path, packages: Iterable[str]) -> dict[str, Path]:
    """Map of dotted module name to source file for every module of ``packages`` under ``root``."""
    found: dict[str, Path] = {}
    for package in packages:
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = path
    return found


def _imported(text: str) -> Iterator[str]:
    """Dotted names that ``text`` imports, with ``from a import b`` read as both ``a`` and ``a.b``."""
    for source, names, plain in _IMPORT.findall(text):
        if plain:
            yield from (part.split(" as ")[0].strip() for part in plain.split(","))
        else:
            yield source
            for part in names.strip("()").split(","):
                yield f"{source}.{part.split(' as ')[0].strip()}"


def kernel_sources(root: Path, packages: Iterable[str]) -> list[Path]:
    """Every file that holds a kernel, and every file of ``packages`` that one of them imports."""
    files = _module_files(root, packages)
    texts = {name: path.read_text(encoding="utf-8") for name, path in files.items()}
    todo = [name for name, text in texts.items() if _DECORATED.search(text)]
    seen: set[str] = set()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        todo.extend(other for other in _imported(texts[name]) if other in files)
    return sorted(files[name] for name in seen)


@functools.cache
def cache_key(package: str = "") -> str:
    """Hash of the kernel sources that ``package`` may use, versions and flags: the name of its cache folder."""
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    flags = (numba.__version__, np.__version__, sys.version, config.BOUNDSCHECK, config.OPT, config.DEBUG)
    digest.update(repr(flags).encode())
    sources = kernel_sources(root, _IMPORTED_BY.get(package, KERNEL_PACKAGES))
    if package and package not in KERNEL_PACKAGES:
        module = sys.modules.get(package)
        origin = getattr(module, "__file__", None)
        if origin and Path(origin).name == "__init__.py":
            sources += kernel_sources(Path(origin).parent.parent, [package])
        elif origin:
            sources.append(Path(origin))
    for path in sources:
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:20]


def cache_root() -> Path:
    """The folder that holds all cache folders: SOUNDCHECK_CACHE, or the user's cache folder."""
    named = os.environ.get("SOUNDCHECK_CACHE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "soundcheck"


def _sweep(root: Path, keep: str) -> None:
    """Remove cache folders that nothing has read for a month."""
    limit = time.time() - _STALE_AFTER
    for folder in root.iterdir():
        if folder.name != keep and folder.is_dir() and folder.stat().st_mtime < limit:
            shutil.rmtree(folder, ignore_errors=True)


@functools.cache
def cache_folder(package: str = "") -> Path | None:
    """The writable cache folder for this key, or None (said once) when there is none."""
    key = cache_key(package)
    folder = cache_root() / key
    try:
        is_new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        if is_new:
            _sweep(folder.parent, key)
        os.utime(folder)
    except OSError as error:
        warnings.warn(
            f"compiled code cannot be cached in {folder} ({error.strerror}): every start compiles anew; "
            "set SOUNDCHECK_CACHE to a folder that can be written",
            RuntimeWarning,
            stacklevel=2,
        )
        return None
    return folder


def is_warm(package: str) -> bool:
    """Whether the cache folder of ``package`` (a top-level package) already holds compiled code."""
    folder = cache_folder(package)
    return folder is not None and any(folder.rglob("*.nbc"))


class _AnywhereLocator(UserProvidedCacheLocator):
    """Where the compiled code of a module of ours lies: by its dotted name, not by the folder of the checkout.

    numba would look at the path and the time of the source file.  The cache folder's name already is the hash of
    all sources, so that every clone with the same sources uses what one of them compiled.
    """

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        super().__init__(function, file)
        self._cache_path = str(Path(config.CACHE_DIR) / function.__module__)

    def get_source_stamp(self) -> str:
        """Nothing more to tell: see the class."""
        return ""


class _AnywhereImpl(CompileResultCacheImpl):
    _locator_classes = [_AnywhereLocator]  # noqa: RUF012 (an attribute that numba declares)


class _AnywhereCache(FunctionCache):
    """The cache of numba, shared by all checkouts of the same sources."""

    _impl_class = _AnywhereImpl


class _ClosureCache(_AnywhereCache):
    """The cache of numba, for kernels made by a factory.

    numba would add the pickled free variables to the key, which differ at every start.  Here the free
    variables are kernels of the engine that ``label`` names, whose sources the folder's hash covers.
    """

    def __init__(self, function: Callable[..., Any], label: str) -> None:
        super().__init__(function)
        self._label = label

    def _index_key(self, signature: Any, codegen: Any) -> Any:
        return signature, codegen.magic_tuple(), self._label


@contextlib.contextmanager
def _caching_in(folder: Path) -> Iterator[None]:
    """Numba reads the cache folder from its settings at the moment a cache is made."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def kernel(function: Callable[..., Any] | None = None, *, label: str = "", inline: bool | None = None) -> Any:
    """Compile ``function`` on first use, without the GIL, cached by the hash of all kernel sources.

    Division by zero follows numpy (inf, nan) and no fast-math is allowed: results are the same bits
    on every machine.  ``label`` names the module that a factory's free variables come from; such
    kernels call theirs directly, as if they had been written for them.  ``inline``: whether it becomes
    part of those that call it, where its package does not say so of all its kernels: for the few on the
    path of every decision.  With NUMBA_DISABLE_JIT=1 the function is returned as it is.
    """
    if function is None:
        return functools.partial(kernel, label=label, inline=inline)
    if COMPILER_OFF:
        return function
    package = (label or function.__module__).split(".")[0]
    if inline is None:
        inline = package in _INLINED and not label
    dispatcher: Any = numba.njit(nogil=True, error_model="numpy", forceinline=inline)(function)
    turn = None
    folder = cache_folder(package)
    if folder is not None:
        with _caching_in(folder):
            if label:
                dispatcher._cache = _ClosureCache(function, label)
            elif package in KERNEL_PACKAGES:
                dispatcher._cache = _AnywhereCache(function)
            else:
                dispatcher.enable_caching()
        turn = Turn(folder, f"{function.__module__}.{function.__qualname__} {label}")
    dispatcher.turn = turn
    dispatcher.compile = functools.partial(_compile, dispatcher, dispatcher.compile, turn)
    return dispatcher


def _widened(one: Any, keeps_literals: bool) -> Any:
    """The type that an argument's type is compiled as: int64 for every whole number that fits."""
    if isinstance(one, types.IntegerLiteral):
        if keeps_literals:
            return one
        one = types.unliteral(one)
    is_narrow = isinstance(one, types.Integer) and one.bitwidth < 64  # type: ignore[attr-defined]
    return types.int64 if is_narrow else one


def _compile(dispatcher: Any, compile_now: Callable[[Any], Any], turn: Turn | None, signature: Any) -> Any:
    """What ``dispatcher.compile`` does: once for all widths and literals of whole numbers, one process at a time.

    numba would compile a kernel anew for every width of an argument and for every literal in a call, which made
    a third of all compiling.  Literals that agents pass to their own kernels are kept: they are few, and without
    them Metal Mania's greedy player is a tenth slower.
    """
    if isinstance(signature, tuple):
        keeps_literals = dispatcher.py_func.__module__.startswith("agents.")
        signature = tuple(_widened(one, keeps_literals) for one in signature)
    if turn is None or sigutils.normalize_signature(signature)[0] in dispatcher.overloads:
        return compile_now(signature)
    with global_compiler_lock:
        if is_stored(dispatcher, signature):
            return compile_now(signature)
        turn.take()
        try:
            return compile_now(signature)
        finally:
            turn.give()


def turn_of(dispatcher: Any) -> Turn | None:
    """The turn that a process takes to compile ``dispatcher`` (a kernel); None where nothing is cached."""
    return getattr(dispatcher, "turn", None)


def is_stored(dispatcher: Any, signature: Any) -> bool:
    """Whether the cache holds ``dispatcher`` (a kernel) compiled for ``signature`` (types of the arguments)."""
    cache = dispatcher._cache
    file = getattr(cache, "_cache_file", None)
    return file is not None and cache._index_key(signature, dispatcher.targetctx.codegen()) in file._load_index()


def compiled(function: Any, signature: Any) -> Any:
    """``function`` (a kernel) compiled for exactly ``signature``, so that it can be passed as a value.

    Kernels that are passed to other kernels have explicit signatures: then both hit the disk cache,
    whatever mix of them is passed.  The kernel takes no other signature afterwards: what it is called
    with is converted.  May be called from several threads.  Errors: whatever numba raises when the
    kernel does not fit.
    """
    if COMPILER_OFF:
        return function
    with _compiling:
        found = function.overloads.get(signature.args)
        # A caller that was compiled before may have left a version that returns a narrower number.
        if found is None or found.signature.return_type != signature.return_type:
            function.disable_compile(False)
            if found is None:
                # As a call of it would, so that both find one entry in the cache.
                function.compile(signature.args)
            if function.overloads[signature.args].signature.return_type != signature.return_type:
                # All of them: numba would call two versions for the same arguments ambiguous.
                function._reset_overloads()
                function.compile(signature)
        function.disable_compile(True)
    return function


def record_type(dtype: np.dtype) -> Any:
    """The numba type of one record of ``dtype``."""
    return numba.from_dtype(dtype)


def function_type(signature: Any) -> Any:
    """The numba type of a kernel passed as a value."""
    return types.FunctionType(signature)


def _alignment(dtype: np.dtype) -> int:
    """Bytes to whose multiples a field of ``dtype`` is laid; numpy forgets those of nested records."""
    fields = dtype.base.fields
    return max(_alignment(one[0]) for one in fields.values()) if fields else dtype.base.alignment


def record(fields: list[Any]) -> np.dtype:
    """An aligned record dtype whose scalars are ``np.record`` (fields by name, compiled or not).

    Nested records are aligned too, as numba demands.  Raises ValueError for a field named like an attribute
    of numpy's records (``round``, ``view``): without the compiler such a field could not be read.
    """
    taken = sorted(field[0] for field in fields if hasattr(np.record, field[0]))
    if taken:
        raise ValueError(f"field names that numpy's records already use: {', '.join(taken)}")
    plain = np.dtype(fields)
    formats = [plain[i] for i in range(len(fields))]
    offsets, end = [], 0
    for one in formats:
        end += -end % _alignment(one)
        offsets.append(end)
        end += one.itemsize
    size = end + -end % _alignment(plain)
    laid: Any = {"names": plain.names, "formats": formats, "offsets": offsets, "itemsize": size}
    named: Any = (np.record, np.dtype(laid, align=True))
    return np.dtype(named)
