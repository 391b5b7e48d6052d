"""``soundcheck doctor``: is everything here that games need, and does one play."""

from __future__ import annotations

import importlib.util
import os
import tempfile
import time
from dataclasses import asdict, dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

import typer

from experiments.cli.completion import games
from experiments.cli.options import Json, Quiet
from simcore.errors import SoundcheckError, UsageError

#: The distribution's name, and a word that its package ``agents`` holds.
DISTRIBUTION = "soundcheck-sim"
_SENTINEL = "SOUNDCHECK_SENTINEL"


@dataclass
class Check:
    """One question and its answer in words; ``details`` for programs."""

    name: str
    good: bool
    text: str
    details: dict[str, Any] = field(default_factory=dict)


def own_version() -> str:
    """Version of this distribution, as it was installed."""
    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return "of a checkout that is not installed"


def check_agents_package() -> str:
    """Folder of the package ``agents``, if it is ours; it is not imported.  Raises UsageError that names the owner."""
    spec = importlib.util.find_spec("agents")
    origin = spec.origin if spec else None
    if origin and _SENTINEL in Path(origin).read_text(encoding="utf-8"):
        return str(Path(origin).parent)
    owners = [name for name in metadata.packages_distributions().get("agents", []) if name != DISTRIBUTION]
    raise UsageError(
        f"the package 'agents' in {Path(origin).parent if origin else 'this environment'} is not soundcheck's: "
        f"it belongs to {', '.join(owners) or 'something else'}; install soundcheck into an environment of its own"
    )


def doctor(
    game: Annotated[str, typer.Argument(help="The game of the self-test.", autocompletion=games)] = "overdrive",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check versions, the cache of compiled code, the name of the agents package and cores, then play a game.

    Exit code 1 when a check fails.
    """
    from experiments.cli.console import Remarks, print_json

    if game not in games(""):
        from simcore import registry

        registry.game(game)
    checks = []
    for check in (_python, _libraries, _agents, _cores, _cache):
        checks.append(_answer(check.__name__.strip("_"), check))
    checks.append(_answer("game", lambda: _game(game, Remarks(quiet))))
    if as_json:
        print_json({"version": own_version(), "good": all(one.good for one in checks),
                    "checks": [asdict(one) for one in checks]})  # fmt: skip
    else:
        print(f"soundcheck {own_version()}")
        for one in checks:
            print(f"{'good' if one.good else 'BAD ':4}  {one.name:9}  {one.text}")
        bad = [one.name for one in checks if not one.good]
        print(f"{len(bad)} of {len(checks)} checks failed: {', '.join(bad)}" if bad else "everything is in order")
    if not all(one.good for one in checks):
        raise typer.Exit(1)


def _answer(name: str, check: Any) -> Check:
    """What ``check`` finds; a library that cannot be imported, or an error of ours, is an answer too."""
    try:
        good, text, details = check()
    except (ImportError, OSError, SoundcheckError) as error:
        return Check(name, False, " ".join(str(error).split()))
    return Check(name, good, text, details)


Answer = tuple[bool, str, dict[str, Any]]


def _python() -> Answer:
    import platform
    import sys

    found = {"python": platform.python_version(), "system": platform.platform(), "executable": sys.executable}
    return sys.version_info >= (3, 11), f"{found['python']} on {found['system']}", found


def _libraries() -> Answer:
    """Every library that is needed, with its version, and which extras are whole."""
    from packaging.requirements import Requirement

    try:
        needed = [Requirement(text) for text in metadata.requires(DISTRIBUTION) or []]
    except metadata.PackageNotFoundError:
        return False, f"{DISTRIBUTION} is not installed here: run make, or pip install --editable .", {}
    always = [one for one in needed if one.marker is None or one.marker.evaluate({"extra": ""})]
    versions = {one.name: _version(one.name) for one in always}
    wrong = [f"{one} (here: {versions[one.name] or 'none'})" for one in always if not _fits(one)]
    extras: dict[str, list[str]] = {}
    for extra in metadata.metadata(DISTRIBUTION).get_all("Provides-Extra") or []:
        own = [one for one in needed if one not in always and one.marker and one.marker.evaluate({"extra": extra})]
        extras[extra] = [one.name for one in own if not _fits(one)]
    text = "needed: " + ", ".join(wrong) if wrong else ", ".join(f"{name} {one}" for name, one in versions.items())
    lacking = [name for name, missing in extras.items() if missing]
    text += f"; extras not installed: {', '.join(lacking)}" if lacking else "; all extras are installed"
    return not wrong, text, {"versions": versions, "missing_of_extras": extras}


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _fits(requirement: Any) -> bool:
    version = _version(requirement.name)
    return version is not None and requirement.specifier.contains(version, prereleases=True)


def _agents() -> Answer:
    folder = check_agents_package()
    return True, f"the package 'agents' is soundcheck's, in {folder}", {"folder": folder}


def _cores() -> Answer:
    from joblib import cpu_count

    found = {"usable": cpu_count(), "machine": os.cpu_count()}
    return True, f"{found['usable']} usable of {found['machine']}", found


def _cache() -> Answer:
    """The cache of compiled code: where, whether it can be written, what is in it."""
    from simcore.kernel import COMPILER_OFF, cache_root

    root = cache_root()
    if COMPILER_OFF:
        return True, "the compiler is switched off (NUMBA_DISABLE_JIT)", {"folder": root, "compiler": False}
    root.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryFile(dir=root):
            pass
    except OSError as error:
        text = f"{root} cannot be written ({error.strerror}): every start compiles anew; set SOUNDCHECK_CACHE"
        return False, text, {"folder": root, "writable": False}
    size = sum(file.stat().st_size for file in root.rglob("*") if file.is_file())
    folders = sum(1 for one in root.iterdir() if one.is_dir())
    text = f"{root} can be written; {folders} folders, {size / 1e6:,.0f} MB"
    return True, text, {"folder": root, "writable": True, "folders": folders, "bytes": size}


def _game(name: str, remarks: Any) -> Answer:
    """Play one game of two random players, twice: it ends, and it comes out the same."""
    import numpy as np

    from experiments.cli.console import compiled_kernels
    from experiments.plan import Plan, prepare
    from simcore.play import play_jobs

    prepared = prepare(Plan(game=name, players=2, agents=("random",)))
    before, start = sum(compiled_kernels(prepared.game)), time.monotonic()
    with remarks.compiling(prepared.game):
        prepared.compile()
        jobs, setups = prepared.jobs(0, 1)
        one, again = (play_jobs(prepared.game, [prepared.rules], setups, jobs[:1], prepared.agents, 1) for _ in "ab")
    seconds = time.monotonic() - start
    games, seats = prepared.tables(one, jobs[:1], setups)
    new = sum(compiled_kernels(prepared.game)) - before
    ended = not bool(games["unfinished"].iloc[0]) and np.isclose(seats["win_share"].sum(), 1)
    same = one.results.tobytes() == again.results.tobytes()
    text = f"{name}: a game of two random players " + ("ended" if ended else "DID NOT END")
    text += " and came out the same again" if same else " and CAME OUT OTHERWISE when it was played again"
    text += f" ({seconds:.1f} s; " + (f"{new} kernels compiled)" if new else "compiled code was there)")
    details = {"game": name, "seconds": seconds, "kernels_before": before, "kernels_compiled": new,
               "scores": seats["score"].tolist(), "house": prepared.rules.house}  # fmt: skip
    return bool(ended and same), text, details
