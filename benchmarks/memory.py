"""Whether memory stays flat in a long run: ``python -m benchmarks.memory [GAME] [--games N] [--agent TEXT]``.

Starts a real ``soundcheck balance`` and reads the resident memory of it and of its children every half second,
beside how many work units are stored.  Printed are the means over the first and the last tenth of the games and
over the summing up at the end.  Exit code 1: the last tenth lies more than 50 MiB above the first.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil  # type: ignore[import-untyped]

#: MiB by which the last tenth may lie above the first.
MOST = 50.0

#: (work units stored, resident MiB) a moment.
Samples = list[tuple[int, float]]


def resident(process: psutil.Process) -> float:
    """MiB of a process and all that it started."""
    total = 0
    try:
        family = [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return 0.0
    for one in family:
        try:
            total += one.memory_info().rss
        except psutil.NoSuchProcess:  # it ended meanwhile
            continue
    return total / 2**20


def watch(command: list[str], folder: Path) -> Samples:
    """Moments of a run that stores into ``folder``.  Raises CalledProcessError when it fails."""
    samples: Samples = []
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    process = psutil.Process(running.pid)
    while running.poll() is None:
        units = sum(1 for _ in (folder / "units").glob("games-*.parquet"))
        samples.append((units, resident(process)))
        time.sleep(0.5)
    if running.returncode:
        raise subprocess.CalledProcessError(running.returncode, command)
    return samples


def mean(sizes: list[float]) -> float:
    """Mean MiB.  Raises SystemExit where nothing was sampled."""
    if not sizes:
        raise SystemExit("the run was too short to sample: ask for more games")
    return sum(sizes) / len(sizes)


def main() -> int:
    """Print what was measured; 1 when memory grew."""
    parser = argparse.ArgumentParser(description="resident memory at the start and at the end of a long run")
    parser.add_argument("game", nargs="?", default="overdrive")
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--agent", default="random")
    options = parser.parse_args()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "run"
        command = [sys.executable, "-m", "experiments", "balance", options.game, "--agent", options.agent, "--quiet"]
        samples = watch([*command, "--games", str(options.games), "--out", str(folder)], folder)
    units = max(stored for stored, _ in samples)
    first = mean([size for stored, size in samples if 0 < stored <= units / 10])
    last = mean([size for stored, size in samples if units * 0.9 <= stored < units])
    print(
        f"{options.game}, {options.agent}, {options.games:,} games (rounded up): {units:,} work units in "
        f"{time.monotonic() - start:,.0f} s, {len(samples):,} samples\n"
        f"resident: {first:,.0f} MiB in the first tenth of the games, {last:,.0f} MiB in the last, "
        f"{max(size for _, size in samples):,.0f} MiB at most (the whole command)"
    )
    return 1 if last - first > MOST else 0


if __name__ == "__main__":
    sys.exit(main())
