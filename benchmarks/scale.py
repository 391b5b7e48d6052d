"""What a large run needs: ``python -m benchmarks.scale [--seconds S] [--agent GAME:PLAYERS:AGENT ...]``.

Prints the cost of a game in seconds of one core (processor time, so that other work beside it does not count), bytes
a stored game, what storing adds, what a unit costs on each backend, and the time that whole runs take from there.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.speed import deal
from experiments.balance import open_store, play_run
from experiments.fanout import fan_out, split
from experiments.plan import Plan, prepare
from experiments.store import TABLES
from simcore import registry
from simcore.play import play_jobs

#: (game, players, agent) of each line.
LINES = [
    ("overdrive", 4, "random"), ("overdrive", 4, "greedy"), ("overdrive", 2, "greedy"),
    ("metalmania", 3, "random"), ("metalmania", 3, "greedy"), ("metalmania", 5, "greedy"),
]  # fmt: skip

#: Columns of the table at the end.
MACHINES = (1, 10, 100)


@dataclass(frozen=True)
class Cost:
    """Of one game: seconds of one core to play it, seconds to make and store its rows, bytes of its rows."""

    play: float
    rows: float
    size: float


def cost(game: str, players: int, agent: str, seconds: float) -> Cost:
    """Measured on about ``seconds`` of play, the best of three."""
    found = registry.game(game)
    agents = [registry.agent(agent, found)]

    def play(games: int) -> float:
        jobs, setups, rules = deal(found, players, games)
        start = time.process_time()
        play_jobs(found, [rules], setups, jobs, agents, 1)
        return (time.process_time() - start) / games

    play(8)
    games = max(16, int(seconds / play(32)))
    alone = min(play(games) for _ in range(3))
    prepared = prepare(Plan(game, players, (agent,)))
    blocks = max(1, games // prepared.design.games_per_block)
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        tables = prepared.play(0, blocks)
        size = 0
        for name, table in zip(TABLES, tables, strict=True):
            pq.write_table(table, Path(folder) / name, compression="zstd")
            size += (Path(folder) / name).stat().st_size
        whole = (time.process_time() - start) / tables[0].num_rows
    return Cost(alone, max(whole - alone, 0.0), size / tables[0].num_rows)


def nothing(plan: object, unit: tuple[int, int]) -> tuple[tuple[int, int], pa.Table, pa.Table]:
    """A unit that plays nothing: what is left is the fan-out."""
    return unit, pa.table({"game": [unit[0]]}), pa.table({"game": [unit[0]]})


def overhead(backend: str, units: int) -> float:
    """Seconds of wall clock a unit that plays nothing takes, workers already started."""
    work = split([(0, units)], 1)
    running = fan_out(None, work, 2, backend, nothing)
    next(running)
    start = time.perf_counter()
    rest = sum(1 for _ in running)
    return (time.perf_counter() - start) / rest


def end_to_end(games: int) -> float:
    """Games a second of wall clock that a stored run of ``games`` random games of Overdrive reaches on this machine."""
    plan = Plan("overdrive", 4, ("random",))
    prepared = prepare(plan)
    prepared = prepare(Plan("overdrive", 4, ("random",), designs=prepared.design.designs_for(games)))
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(prepared, Path(folder) / "run")
        start = time.perf_counter()
        play_run(prepared, store)
        seconds = time.perf_counter() - start
        store.close()
    return prepared.games / seconds


def span(seconds: float) -> str:
    """A time as one number and a unit."""
    for unit, size in (("days", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="what a large run needs")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--cores", type=int, default=8, help="cores of one machine in the last table")
    parser.add_argument("--agent", action="append", help="game:players:agent, in place of the usual lines")
    options = parser.parse_args()
    lines = LINES
    if options.agent:
        parts = [text.split(":", 2) for text in options.agent]
        lines = [(game, int(players), agent) for game, players, agent in parts]
    print(f"{'game':<11}{'players':>8}  {'agent':<28}{'ms/game':>9}{'rows ms':>9}{'bytes/game':>12}", flush=True)
    costs = []
    for game, players, agent in lines:
        one = cost(game, players, agent, options.seconds)
        costs.append((game, players, agent, one))
        print(
            f"{game:<11}{players:>8}  {agent:<28}{one.play * 1e3:>9.3f}{one.rows * 1e3:>9.3f}{one.size:>12.0f}",
            flush=True,
        )
    if not options.agent:
        print("\nbackend       ms a unit (2,000 games or more are in one)")
        for backend, units in (("threads", 400), ("processes", 200), ("dask", 200)):
            print(f"{backend:<12}{overhead(backend, units) * 1e3:>11.2f}", flush=True)
        print(f"\nend to end: {end_to_end(40_000):,.0f} stored random games of Overdrive a second on this machine")
    print(f"\ntime for 100,000,000 games, machines of {options.cores} cores" + "".join(f"{m:>14}" for m in MACHINES))
    for game, players, agent, one in costs:
        total = 1e8 * (one.play + one.rows) / options.cores
        print(f"{game:<11}{players:>4}  {agent:<30}" + "".join(f"{span(total / m):>14}" for m in MACHINES))


if __name__ == "__main__":
    main()
