"""What a large run needs: ``python -m benchmarks.scale [--write] [--seconds S] [--cores N] [--agent GAME:N:AGENT]``.

Prints the tables of ``docs/explanation/scale.md`` as they stand there; ``--write`` puts them in.  Measured are the cost
of a game of each agent in seconds of one core (processor time, so that other work beside it does not count), bytes a
stored game, what making and storing rows adds, and what a unit costs on each backend.  The times of whole runs follow
from the figures as they are printed.
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from agents.mcts.kinds import Search
from agents.personas import PERSONAS
from benchmarks.speed import deal
from experiments.balance import open_store, play_run
from experiments.fanout import fan_out, split
from experiments.plan import Plan, Prepared, prepare
from experiments.store import TABLES
from simcore import registry
from simcore.play import play_jobs

PAGE = Path(__file__).resolve().parents[1] / "docs" / "explanation" / "scale.md"

#: Between these lines of the page stands what this prints.
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"

#: Columns of the tables of whole runs.
MACHINES = (1, 10, 100)

#: Games of a whole run: of agents that look at a position once, and of those that search.
MANY, FEWER = 100_000_000, 1_000_000

#: Games whose rows are stored for the bytes a game: enough that the head of a file does not count.
_STORED = 16_384

_SEARCHES = ("mcts:iterations=32", "mcts", "search", "flat", "expectimax")
_PYTHON = "py:agents.examples.fans_first:FansFirst"


@dataclass(frozen=True)
class Line:
    """What one line measures: ``agent`` in all seats of ``game`` with ``players``."""

    game: str
    players: int
    agent: str

    @property
    def is_search(self) -> bool:
        """Whether the agent plays positions on before it answers."""
        kind = self.agent.partition(":")[0]
        return kind != "py" and isinstance(registry.kind(kind), Search)

    @property
    def is_slow(self) -> bool:
        """Whether its games are too few to tell what storing them costs."""
        return self.is_search or self.agent.startswith("py:")


def lines() -> list[Line]:
    """Every agent in the usual number of seats of its game, ``greedy`` in other numbers too."""
    found = [Line("overdrive", n, "greedy") for n in (4, 2)] + [Line("metalmania", n, "greedy") for n in (3, 5)]
    for game, players in (("overdrive", 4), ("metalmania", 3)):
        weak = ["random", "random:as=rulings"] if game == "metalmania" else ["random", _PYTHON]
        styles = [persona.name for persona in PERSONAS if game in persona.games]
        found += [Line(game, players, agent) for agent in (*weak, "tuned", *styles, *_SEARCHES)]
    return sorted(found, key=lambda one: (one.is_search, one.game != "overdrive"))


@dataclass(frozen=True)
class Cost:
    """Of one game, in ms of one core: playing it, making and storing its rows; bytes of its rows (0: not told)."""

    play: float
    rows: float
    size: int


def cost(line: Line, seconds: float) -> Cost:
    """Measured on about ``seconds`` of play, the best of three."""
    game = registry.game(line.game)
    agents = [registry.agent(line.agent, game)]

    def play(games: int) -> float:
        jobs, setups, rules = deal(game, line.players, games)
        start = time.process_time()
        play_jobs(game, [rules], setups, jobs, agents, 1)
        return 1e3 * (time.process_time() - start) / games

    play(1)
    few = 2 if line.is_slow else 64
    games = max(few, int(1e3 * seconds / max(play(few), 1e-3)))
    alone = min(play(games) for _ in range(3))
    if line.is_slow:
        return Cost(alone, 0.0, 0)
    prepared = prepare(Plan(line.game, line.players, (line.agent,)))
    whole, size = stored(prepared, max(1, _STORED // prepared.design.games_per_block))
    return Cost(alone, max(whole - alone, 0.0), size)


def stored(prepared: Prepared, blocks: int) -> tuple[float, int]:
    """(ms, bytes) of a game that is played and stored with ``blocks`` blocks."""
    start = time.process_time()
    tables = prepared.play(0, blocks)
    with tempfile.TemporaryDirectory() as folder:
        for name, table in zip(TABLES, tables, strict=True):
            pq.write_table(table, Path(folder) / name, compression="zstd")
        passed = time.process_time() - start
        size = sum((Path(folder) / name).stat().st_size for name in TABLES)
    return 1e3 * passed / tables[0].num_rows, round(size / tables[0].num_rows)


# ------------------------------------------------------------------ the fan-out
def nothing(plan: object, unit: tuple[int, int]) -> tuple[tuple[int, int], pa.Table, pa.Table]:
    """A unit that plays nothing: what is left is the fan-out."""
    return unit, pa.table({"game": [unit[0]]}), pa.table({"game": [unit[0]]})


def overhead(backend: str, units: int) -> float:
    """Milliseconds of wall clock that a unit that plays nothing takes, two workers already started."""
    running = fan_out(None, split([(0, units)], 1), 2, backend, nothing)
    next(running)
    start = time.perf_counter()
    rest = sum(1 for _ in running)
    return 1e3 * (time.perf_counter() - start) / rest


def end_to_end(games: int) -> float:
    """Games a second of wall clock that a stored run of ``games`` random games of Overdrive reaches on this machine."""
    design = prepare(Plan("overdrive", 4, ("random",))).design
    prepared = prepare(Plan("overdrive", 4, ("random",), designs=design.designs_for(games)))
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(prepared, Path(folder) / "run")
        start = time.perf_counter()
        play_run(prepared, store)
        seconds = time.perf_counter() - start
        store.close()
    return prepared.games / seconds


# ------------------------------------------------------------------ tables
def span(seconds: float) -> str:
    """A time as one number of two digits or more and its unit."""
    for unit, size in (("days", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            amount = seconds / size
            return f"{amount:.0f} {unit}" if amount >= 20 else f"{amount:.1f} {unit}"
    return f"{seconds:.0f} s"


def figure(ms: float) -> str:
    """Milliseconds with three digits that count."""
    return f"{ms:,.0f}" if ms >= 100 else f"{ms:.1f}" if ms >= 10 else f"{ms:.2f}" if ms >= 1 else f"{ms:.3f}"


def row(*cells: object) -> str:
    """A line of a Markdown table."""
    return "| " + " | ".join(map(str, cells)) + " |"


def head(*cells: str) -> list[str]:
    """The head of a Markdown table."""
    return [row(*cells), "|" + "---|" * len(cells)]


def cost_lines(measured: list[tuple[Line, Cost]]) -> list[str]:
    """The table of costs."""
    table = head("game", "players", "agent", "ms a game", "making and storing its rows, ms", "bytes a game on disk")
    for line, one in measured:
        rest = ("as greedy", "as greedy") if line.is_slow else (figure(one.rows), one.size)
        table.append(row(line.game, line.players, f"`{line.agent}`", figure(one.play), *rest))
    return table


def run_lines(measured: list[tuple[Line, Cost]], games: int, cores: int) -> list[str]:
    """What a run of ``games`` games takes, from the printed figures."""
    table = head("game", "players", "agent", *(f"{n} machine{'s' * (n > 1)}" for n in MACHINES))
    for line, one in measured:
        ms = float(figure(one.play).replace(",", "")) + float(figure(one.rows))
        times = (span(games * ms / 1e3 / cores / n) for n in MACHINES)
        table.append(row(line.game, line.players, f"`{line.agent}`", *times))
    return table


def machine() -> str:
    """Where and with what it was measured, in a sentence."""
    model = ""
    if Path("/proc/cpuinfo").exists():
        names = [text for text in Path("/proc/cpuinfo").read_text().splitlines() if text.startswith("model name")]
        model = names[0].partition(":")[2].strip() + ", " if names else ""
    load = f"; load average {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else ""
    tools = f"Python {platform.python_version()}, numba {version('numba')}"
    return f"Measured on {model}{os.cpu_count()} cores, {tools}{load}."


def report(seconds: float, cores: int, only: list[Line] | None) -> Iterator[str]:
    """What is printed, line by line; ``only``: these lines of the table of costs and nothing of the fan-out."""
    yield machine()
    yield ""
    measured = []
    for line in only or lines():
        measured.append((line, cost(line, seconds)))
        yield from cost_lines(measured[-1:])[0 if len(measured) == 1 else 2 :]
    if not only:
        greedy = next(one for line, one in measured if (line.game, line.agent) == ("overdrive", "greedy"))
        unit = 2_000 * (greedy.play + greedy.rows)
        yield from ("", "What a unit of work costs beyond its games, two workers already started (wall clock):", "")
        yield from head("backend", "ms a unit", f"of a unit of 2,000 greedy games of Overdrive ({unit / 1e3:.1f} s)")
        for backend, units in (("threads", 400), ("processes", 200), ("dask", 200)):
            ms = overhead(backend, units)
            yield row(backend, f"{ms:.1f}", f"{100 * ms / unit:.1f} %")
        yield ""
        rate = end_to_end(40_000)
        yield f"A stored run of random games of Overdrive, all workers of this machine: {rate:,.0f} games a second."
    for games, wanted in ((MANY, False), (FEWER, True)):
        some = [(line, one) for line, one in measured if line.is_search is wanted and line.agent != _PYTHON]
        if some:
            yield from ("", f"{games:,} games on machines of {cores} cores, play and rows, without the fan-out:", "")
            yield from run_lines(some, games, cores)


def write(text: str, page: Path = PAGE) -> None:
    """Put ``text`` between BEGIN and END of ``page``."""
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n{text}{END}{after}", encoding="utf-8")


def main() -> None:
    """Print the tables, or put them into the page."""
    parser = argparse.ArgumentParser(description="what a large run needs")
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds of play for each line")
    parser.add_argument("--cores", type=int, default=8, help="cores of one machine in the tables of whole runs")
    parser.add_argument("--agent", action="append", help="game:players:agent, in place of the usual lines")
    parser.add_argument("--write", action="store_true", help=f"put the tables into {PAGE.name}")
    options = parser.parse_args()
    only = None
    if options.agent:
        parts = [text.split(":", 2) for text in options.agent]
        only = [Line(game, int(players), agent) for game, players, agent in parts]
    found = []
    for line in report(options.seconds, options.cores, only):
        print(line, flush=True)
        found.append(line)
    if options.write and not only:
        write("\n".join(found) + "\n")


if __name__ == "__main__":
    main()
