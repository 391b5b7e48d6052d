"""One agent alone at a table of another: the measure of who plays better.

A block is one chance seed and one line-up with the single agent in each seat once; the seats keep their bands, so
that it meets the same luck with every band.  Block means are the independent numbers that tests are made of.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed

from simcore.agent import Agent
from simcore.loop import JOB
from simcore.play import play_jobs
from simcore.protocol import Game


@dataclass(frozen=True)
class Deal:
    """Blocks ``first`` and following, ready to be played again and again.

    ``jobs``: dtype JOB, ``players`` a block, agent 0 is alone and agent 1 sits in all other seats; ``setups``: one a
    block; ``seats``: of the single agent, by job; ``seed``: the master seed.
    """

    game: Game
    players: int
    seed: int
    first: int
    jobs: np.ndarray
    setups: np.ndarray
    seats: np.ndarray

    def part(self, start: int, stop: int) -> Deal:
        """Blocks ``start`` to ``stop`` of these."""
        n = self.players
        jobs = self.jobs[start * n : stop * n].copy()
        jobs["setup"] -= start
        setups, seats = self.setups[start:stop], self.seats[start * n : stop * n]
        return Deal(self.game, n, self.seed, self.first + start, jobs, setups, seats)


def deal(game: Game, players: int, seed: int, first: int, blocks: int) -> Deal:
    """Blocks ``first`` to ``first + blocks`` of the contest with this master seed; line-ups are drawn by block."""
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
    return Deal(game, players, seed, first, jobs, np.concatenate(setups), seats)


def block_means(dealt: Deal, alone: Agent, rest: Agent, soft: float = 0.0) -> np.ndarray:
    """Mean win share of ``alone`` at a table of ``rest`` in each block, shape (blocks,).

    ``soft``: above 0 every seat's share is exp(score / soft) over the table's sum: a smooth stand-in that tells two
    players apart in fewer games.
    """
    game, jobs, n = dealt.game, dealt.jobs, dealt.players
    rules = [game.rules()]
    played = play_jobs(game, rules, dealt.setups, jobs, [alone, rest], dealt.seed, first_index=dealt.first * n)
    _, rows = game.tables(played.results, played.counts, jobs, dealt.setups)
    shares = rows["win_share"].to_numpy().reshape(len(jobs), -1)
    if soft > 0.0:
        score = rows["score"].to_numpy().reshape(len(jobs), -1) / soft
        shares = np.exp(score - score.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
    means: np.ndarray = shares[np.arange(len(jobs)), dealt.seats].reshape(-1, n).mean(axis=1)
    return means


def shared_out(dealt: Deal, alone: Agent, rest: Agent, threads: int, soft: float = 0.0) -> np.ndarray:
    """``block_means`` on several threads; the numbers do not depend on how many."""
    blocks = len(dealt.setups)
    edges: Sequence[int] = np.linspace(0, blocks, min(threads, blocks) + 1).astype(int).tolist()
    parts = [dealt.part(start, stop) for start, stop in itertools.pairwise(edges)]
    if len(parts) == 1:
        return block_means(parts[0], alone, rest, soft)
    with Parallel(n_jobs=threads, prefer="threads") as parallel:
        return np.concatenate(list(parallel(delayed(block_means)(part, alone, rest, soft) for part in parts)))
