"""A ladder of agents: each rung alone against a table of the rung below, until a sequential test decides.

A block is one chance seed and one line-up with the rung in each seat once; the seats keep their bands, so that the
rung meets the same luck with every band.  The test is Wald's (1945) on block means, with their measured variance:
fair share against ``gain`` above it, both errors 5 %, looked at after whole batches of blocks only.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from experiments.statistics import BlockMeans
from simcore import registry
from simcore.agent import Agent
from simcore.loop import JOB
from simcore.play import play_jobs
from simcore.protocol import Game

#: Both errors of the sequential test.
ERROR = 0.05

#: Blocks between two looks, and before the first.
BATCH = 24

DEFAULT = ("random", "greedy", "mcts:iterations=64", "mcts:iterations=256", "mcts:iterations=1024")


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


def jobs_of(game: Game, players: int, seed: int, first: int, blocks: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(jobs, setups, seat of the single agent) of blocks ``first`` and following; agent 0 is alone."""
    rules = game.rules()
    names = game.entrants(rules)
    jobs = np.zeros(blocks * players, JOB)
    setups = []
    for k in range(blocks):
        rng = np.random.default_rng([seed, first + k])
        bands = [str(name) for name in rng.permutation(names)[:players]] if names else []
        setups.append(game.setup({"players": players, **({"bands": bands} if bands else {})}, rules))
    seats = np.tile(np.arange(players), blocks)
    jobs["block"] = first + np.repeat(np.arange(blocks), players)
    jobs["setup"] = np.repeat(np.arange(blocks), players)
    jobs["agent"] = 1
    jobs["agent"][np.arange(len(jobs)), seats] = 0
    return jobs, np.concatenate(setups), seats


def block_means(game: Game, texts: Sequence[Any], players: int, seed: int, first: int, blocks: int) -> np.ndarray:
    """Mean win share of the first of two agents (texts, or objects and classes) in each block, shape (blocks,)."""
    jobs, setups, seats = jobs_of(game, players, seed, first, blocks)
    agents = [_seated(one, game) for one in texts]
    played = play_jobs(game, [game.rules()], setups, jobs, agents, seed, first_index=first * players)
    _, rows = game.tables(played.results, played.counts, jobs, setups)
    share = rows["win_share"].to_numpy().reshape(len(jobs), -1)[np.arange(len(jobs)), seats]
    return share.reshape(blocks, players).mean(axis=1)


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
    means = block_means(there, (agent, below), players, seed, 0, -(-games // players))
    return _rung(_name(agent), _name(below), players, means, "not tested")


def _rung(agent: str, below: str, players: int, means: np.ndarray, verdict: str) -> Rung:
    """The comparison with its interval."""
    variance = float(means.var(ddof=1)) if len(means) > 1 else 0.0
    measured = BlockMeans(len(means), players, float(means.mean()), variance)
    low, high = measured.interval()
    return Rung(agent, below, players, len(means) * players, measured.mean, low, high, 1.0 / players, verdict)


def climb(game: Game, agent: str, below: str, players: int, seed: int, most: int, gain: float, jobs: int) -> Rung:
    """Compare two agents until the test decides or ``most`` blocks are played, on ``jobs`` threads."""
    fair, limit = 1.0 / players, math.log((1.0 - ERROR) / ERROR)
    means: list[float] = []
    verdict = "undecided"
    with Parallel(n_jobs=jobs, prefer="threads") as parallel:
        while len(means) < most and verdict == "undecided":
            size = min(BATCH, most - len(means))
            parts = [part for part in np.array_split(np.arange(size), jobs) if len(part)]
            for part in parallel(
                delayed(block_means)(game, (agent, below), players, seed, len(means) + int(part[0]), len(part))
                for part in parts
            ):
                means.extend(part)
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
) -> list[Rung]:
    """Every rung of ``agents`` (weakest first) against the one below; ``tell`` hears of each as it comes."""
    rungs = []
    for below, agent in itertools.pairwise(agents):
        rungs.append(climb(game, agent, below, players, seed, most, gain, jobs))
        tell(rungs[-1])
    return rungs
