"""How long until something happens: ``python -m benchmarks.startup [GAME ...] [--warm-only]``.

Wall clock, and CPU seconds of all processes together, of the real commands: the help text, the first game with
everything compiled, the first stored games of a balance run, and the same balance run with an empty cache (a
folder of its own), which compiles.  The warm figures are the best of three.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from simcore import registry

COMMAND = (sys.executable, "-m", "experiments")

#: What is promised of each line on a machine with two cores that is idle otherwise, in seconds.
PROMISED = {"help": 0.5, "first game": 3.0, "first stored games": 3.0, "with an empty cache": 60.0}


@dataclass(frozen=True)
class Took:
    """Seconds of wall clock and of CPU; ``said``: what the command wrote to stderr."""

    wall: float
    cpu: float
    said: str


def run(arguments: list[str], cache: Path | None = None) -> Took:
    """Run one command to its end.  Raises CalledProcessError when it fails."""
    environment = {**os.environ, **({"SOUNDCHECK_CACHE": str(cache)} if cache else {})}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([*COMMAND, *arguments], env=environment, capture_output=True, text=True, check=True)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Took(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stderr)


def best(arguments: list[str]) -> Took:
    """The quickest of three runs after one that fills the cache."""
    run(arguments)
    return min((run(arguments) for _ in range(3)), key=lambda one: one.wall)


def show(game: str, what: str, took: Took) -> None:
    """One line of the table."""
    print(f"{game:<12}{what:<22}{took.wall:>8.2f}{took.cpu:>8.2f}{PROMISED[what]:>10.1f}", flush=True)


def measure(game: str, folder: Path, warm_only: bool) -> None:
    """The lines of one game."""
    play = ["play", game, "--agent", "greedy", "--agent", "random", "--seed", "1", "--quiet"]
    show(game, "first game", best(play))
    balance = ["balance", game, "--games", "1", "--fresh", "--out"]
    show(game, "first stored games", best([*balance, str(folder / f"{game}-warm")]))
    if not warm_only:
        took = run([*balance, str(folder / f"{game}-cold")], folder / f"{game}-cache")
        show(game, "with an empty cache", took)
        print(*(f"  {line}" for line in took.said.splitlines() if "compiled" in line), sep="\n", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="seconds from the command to its first result")
    parser.add_argument("games", nargs="*", help="names of games (default: all)")
    parser.add_argument("--warm-only", action="store_true", help="leave out the runs with an empty cache")
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores\n\n{'game':<12}{'what':<22}{'wall s':>8}{'CPU s':>8}{'promised':>10}")
    show("", "help", best(["--help"]))
    with tempfile.TemporaryDirectory() as folder:
        for game in options.games or registry.game_names():
            measure(game, Path(folder), options.warm_only)


if __name__ == "__main__":
    main()
