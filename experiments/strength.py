"""A ladder of agents: each rung alone against a table of the rung below, until a sequential test decides.

Games come in blocks (``agents.contest``).  The test is Wald's ("Sequential Tests of Statistical Hypotheses", Annals of
Mathematical Statistics 16, 1945) on block means, with their measured variance: fair share against ``gain`` above it,
both errors 5 %, looked at after whole batches of blocks only.  Block means can be kept in a file while they come, so
that a climb that was interrupted goes on where it was.
"""

from __future__ import annotations

import itertools
import json
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agents.contest import block_means, deal, shared_out
from experiments.statistics import BlockMeans
from simcore import registry
from simcore.agent import Agent
from simcore.kernel import cache_key
from simcore.protocol import Game

#: Both errors of the sequential test.
ERROR = 0.05

#: Blocks between two looks, and before the first.
BATCH = 24

#: Where larger budgets play on for longer before the leaf model judges, by game, players and iterations: a whole round
#: of four in Overdrive and of five in Metal Mania, two rounds of two.
LONGER = {
    ("overdrive", 4, 1024): ",turns=4",
    ("metalmania", 2, 1024): ",turns=4",
    ("metalmania", 5, 256): ",turns=5",
    ("metalmania", 5, 1024): ",turns=5",
}


def rungs(game: str, players: int) -> tuple[str, ...]:
    """The ladder of proof, weakest first."""
    searches = (f"search:iterations={budget}{LONGER.get((game, players, budget), '')}" for budget in (64, 256, 1024))
    return ("random", "greedy", "tuned", *searches)


@dataclass(frozen=True)
class Rung:
    """One comparison: ``agent`` alone against a table of ``below``.

    ``share``: mean win share of the agent, ``low`` and ``high`` its 95 % interval at the end; ``fair``: the share of
    an equal; ``verdict``: "better" (the gain rather than none), "not better", or "undecided" at the most blocks.
    """

    agent: str
    below: str
    players: int
    games: int
    share: float
    low: float
    high: float
    fair: float
    verdict: str


def log_ratio(means: np.ndarray, fair: float, gain: float) -> float:
    """Log likelihood ratio of a mean of ``fair + gain`` over ``fair``, normal with the measured variance."""
    variance = max(float(means.var(ddof=1)) if len(means) > 1 else 0.0, 1e-4)
    return len(means) * gain * (float(means.mean()) - fair - gain / 2) / variance


def _seated(agent: Any, game: Game) -> Agent:
    """An agent from its text, or from an object or a class."""
    if isinstance(agent, str):
        return registry.agent(agent, game)
    return registry.wrap(_name(agent), agent)


def _name(agent: Any) -> str:
    """What an agent is called in results."""
    if isinstance(agent, str):
        return agent
    return str(agent.__name__ if isinstance(agent, type) else type(agent).__name__)


def share_of(
    game: Game | str, agent: Any, below: Any = "random", players: int = 2, games: int = 10_000, seed: int = 1
) -> Rung:
    """Win share of ``agent`` alone against a table of ``below``, in ``games`` games (rounded up to whole blocks).

    Agents are texts, or objects and classes with ``choose`` or ``choose_batch``, as in a notebook.  Raises
    UsageError, AgentError.
    """
    there = registry.game(game) if isinstance(game, str) else game
    dealt = deal(there, players, seed, 0, -(-games // players))
    means = block_means(dealt, _seated(agent, there), _seated(below, there))
    return _rung(_name(agent), _name(below), players, means, "not tested")


def _rung(agent: str, below: str, players: int, means: np.ndarray, verdict: str) -> Rung:
    """The comparison with its interval."""
    variance = float(means.var(ddof=1)) if len(means) > 1 else 0.0
    measured = BlockMeans(len(means), players, float(means.mean()), variance)
    low, high = measured.interval()
    return Rung(agent, below, players, len(means) * players, measured.mean, low, high, 1.0 / players, verdict)


class Notes:
    """Block means that were measured, kept in ``file`` (JSON lines) as they come; none: kept nowhere.

    Only means of the same game, rules, compiled sources and pair of agents are read back.
    """

    def __init__(self, file: Path | None, game: Game, agent: str, below: str, players: int, seed: int) -> None:
        self.file = file
        self.key = {
            "game": game.name, "rules": game.rules().hash, "code": cache_key(), "agent": agent, "below": below,
            "players": players, "seed": seed,
        }  # fmt: skip

    def read(self) -> list[float]:
        """The means of the first blocks; half a line, as a kill leaves it, does not count."""
        means: list[float] = []
        if self.file is None or not self.file.is_file():
            return means
        for line in self.file.read_text(encoding="utf-8").splitlines():
            try:
                row = json.loads(line)
            except ValueError:
                continue
            if row["key"] == self.key and row["first"] == len(means):
                means += row["means"]
        return means

    def add(self, first: int, means: Sequence[float]) -> None:
        """Keep the means of blocks ``first`` and following."""
        if self.file is None:
            return
        self.file.parent.mkdir(parents=True, exist_ok=True)
        torn = self.file.is_file() and not self.file.read_bytes().endswith(b"\n")
        with self.file.open("a", encoding="utf-8") as out:
            out.write("\n" * torn + json.dumps({"key": self.key, "first": first, "means": list(means)}) + "\n")
            out.flush()
            os.fsync(out.fileno())


def climb(
    game: Game, agent: str, below: str, players: int, seed: int, most: int, gain: float, jobs: int,
    file: Path | None = None,
) -> Rung:  # fmt: skip
    """Compare two agents until the test decides or ``most`` blocks are played, on ``jobs`` threads.

    ``file``: where block means are kept, and found again.
    """
    fair, limit = 1.0 / players, math.log((1.0 - ERROR) / ERROR)
    alone, rest = _seated(agent, game), _seated(below, game)
    notes = Notes(file, game, agent, below, players, seed)
    known, means = notes.read(), list[float]()
    verdict = "undecided"
    while len(means) < most and verdict == "undecided":
        first, size = len(means), min(BATCH, most - len(means))
        found = known[first : first + size]
        if len(found) < size:
            found = shared_out(deal(game, players, seed, first, size), alone, rest, jobs).tolist()
            if len(known) == first:
                notes.add(first, found)
                known += found
        means += found
        ratio = log_ratio(np.array(means), fair, gain)
        if abs(ratio) >= limit:
            verdict = "better" if ratio > 0 else "not better"
    return _rung(agent, below, players, np.array(means), verdict)


def ladder(
    game: Game,
    agents: Sequence[str],
    players: int,
    seed: int,
    most: int,
    gain: float,
    jobs: int,
    tell: Callable[[Rung], None] = lambda rung: None,
    file: Path | None = None,
) -> list[Rung]:
    """Every rung of ``agents`` (weakest first) against the one below; ``tell`` hears of each as it comes.

    ``file``: where block means are kept, so that an interrupted ladder goes on.
    """
    rungs = []
    for below, agent in itertools.pairwise(agents):
        rungs.append(climb(game, agent, below, players, seed, most, gain, jobs, file))
        tell(rungs[-1])
    return rungs
