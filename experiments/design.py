"""Who plays whom, in which seats: seat-rotated blocks over a balanced set of line-ups.

A *line-up* is a set of bands, one a seat.  A *block* is one chance seed with every rotation of one line-up
through the seats; where several agents take part, with every rotation of the agents as well, so that in
each block every band meets every seat with every agent exactly once.  A *design* is one block for each
line-up; a run is a whole number of designs.  What a block holds depends on its index alone.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simcore.errors import UsageError

#: Up to this many seatings (line-ups times rotations) every line-up is played; beyond, a balanced part.
MOST_SEATINGS = 2_000

_AGENTS = "agents: {agents} given; name one for all seats, or one a seat ({players})"

#: Rounds of improvement after which the search for a balanced part starts again from elsewhere.
_PATIENCE = 2_000


@dataclass(frozen=True)
class Design:
    """Seats of every game of a run.

    ``line_ups``: shape (L, players), indices of bands, ascending in each row.  ``bands``: how many there
    are.  ``agents``: 1 (the same agent in all seats) or ``players`` (agents are rotated too).  ``named``: the
    line-ups were asked for, so they keep their bands from replicate to replicate.
    """

    line_ups: np.ndarray
    bands: int
    agents: int = 1
    named: bool = False

    @property
    def players(self) -> int:
        """Seats of one game."""
        return int(self.line_ups.shape[1])

    @property
    def is_complete(self) -> bool:
        """Whether one design plays every possible line-up."""
        return not self.named and self.blocks == math.comb(self.bands, self.players)

    @property
    def blocks(self) -> int:
        """Blocks of one design."""
        return len(self.line_ups)

    @property
    def games_per_block(self) -> int:
        """Rotations of the bands times rotations of the agents."""
        return self.players * self.agents

    @property
    def games(self) -> int:
        """Games of one design."""
        return self.blocks * self.games_per_block

    def designs_for(self, games: int) -> int:
        """Whole designs that hold at least ``games`` games.  Raises UsageError below one game."""
        if games < 1:
            raise UsageError(f"games: {games} is too few; at least 1 is needed")
        return -(-games // self.games)

    @cached_property
    def cyclic_orders(self) -> np.ndarray:
        """The (players - 1)! ways to sit around a table, shape (orders, players); the first place is fixed."""
        rest = itertools.permutations(range(1, self.players))
        return np.array([(0, *order) for order in rest], np.int64)

    def seating(self, blocks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(bands, agents) of every game of ``blocks`` (block indices), each of shape (games, players).

        The cyclic order moves on by one from replicate to replicate and from line-up to line-up, so that
        every line-up goes through all orders in turn; the agents' order moves on once more after each such
        round, so that all pairs of orders occur.  Where not all line-ups are played, each replicate names
        the bands anew: balance stays, and in the long run all line-ups occur.
        """
        replicate, which = np.divmod(np.asarray(blocks, np.int64), self.blocks)
        n, orders = self.players, len(self.cyclic_orders)
        place = replicate + which
        line_up = self.line_ups[which]
        if not self.is_complete and not self.named:
            names = {r: _relabelled(self.bands, r) for r in set(replicate.tolist())}
            line_up = np.array([names[r][row] for r, row in zip(replicate.tolist(), line_up, strict=True)])
        bands = np.take_along_axis(line_up, self.cyclic_orders[place % orders], axis=1)
        agents = self.cyclic_orders[(place + replicate // orders) % orders]
        if self.agents == 1:
            agents = np.zeros_like(agents)
        seat = np.arange(n)
        turn = np.arange(n)[:, None]
        rotation = (seat - turn) % n  # shape (rotations, seats)
        turned_bands = bands[:, rotation]  # shape (blocks, rotations, seats)
        turned_agents = agents[:, rotation[: self.agents]]
        shape = (len(blocks), n, self.agents, n)
        all_bands = np.broadcast_to(turned_bands[:, :, None, :], shape)
        all_agents = np.broadcast_to(turned_agents[:, None, :, :], shape)
        return all_bands.reshape(-1, n), all_agents.reshape(-1, n)


def _relabelled(bands: int, replicate: int) -> np.ndarray:
    """A permutation of the bands that depends on the replicate alone."""
    names = list(range(bands))
    random.Random(f"{bands} bands, replicate {replicate}").shuffle(names)
    return np.array(names, np.int64)


def full_line_ups(bands: int, players: int) -> np.ndarray:
    """Every set of ``players`` bands, shape (C(bands, players), players)."""
    return np.array(list(itertools.combinations(range(bands), players)), np.int64)


def _uneven(counts: np.ndarray, target: int) -> int:
    return int(((counts - target) ** 2).sum())


def _differences(base: list[list[int]], bands: int) -> np.ndarray:
    """How often each difference 1 .. bands - 1 (mod bands) occurs within the rows of ``base``."""
    counts = np.zeros(bands, np.int64)
    for row in base:
        for a, b in itertools.permutations(row, 2):
            counts[(a - b) % bands] += 1
    return counts[1:]


def balanced_line_ups(bands: int, players: int) -> np.ndarray:
    """A part of all line-ups in which every band occurs equally often, and every pair equally often.

    A cyclic difference family (Bose, "On the construction of balanced incomplete block designs", Annals of
    Eugenics 1939): base rows whose differences cover every residue equally often, each shifted through all
    bands.  The rows are found by exchange of single members from a fixed random start, so the result is
    always the same.  Shape (rows * bands, players).
    """
    pairs = players * (players - 1)
    rows = (bands - 1) // math.gcd(bands - 1, pairs)
    target = rows * pairs // (bands - 1)
    source = random.Random(f"{bands} bands, {players} players")
    base: list[list[int]] = []
    cost, tries = 1, _PATIENCE
    while cost:
        if tries == _PATIENCE:
            base = [source.sample(range(bands), players) for _ in range(rows)]
            cost, tries = _uneven(_differences(base, bands), target), 0
            continue
        row, place = source.randrange(rows), source.randrange(players)
        before = base[row][place]
        base[row][place] = source.choice([band for band in range(bands) if band not in base[row]])
        changed = _uneven(_differences(base, bands), target)
        if changed > cost:
            base[row][place] = before
            tries += 1
        else:
            tries = 0 if changed < cost else tries + 1
            cost = changed
    shifted = [[(member + shift) % bands for member in row] for row in base for shift in range(bands)]
    return np.sort(np.array(shifted, np.int64), axis=1)


def make_design(bands: int, players: int, agents: int = 1) -> Design:
    """The design for ``players`` of ``bands`` bands: complete while small, else a balanced part.

    ``agents``: 1 or ``players``.  Raises UsageError when there are too few bands or the agents do not fit.
    """
    if bands < players:
        raise UsageError(f"players: {players} seats need {players} different bands, there are {bands}")
    if agents not in (1, players):
        raise UsageError(_AGENTS.format(agents=agents, players=players))
    if math.comb(bands, players) * players <= MOST_SEATINGS:
        return Design(full_line_ups(bands, players), bands, agents)
    return Design(balanced_line_ups(bands, players), bands, agents)


def named_design(line_ups: Sequence[Sequence[int]], bands: int, players: int, agents: int = 1) -> Design:
    """The design that plays exactly ``line_ups`` (indices of bands), each in every rotation.

    ``agents``: 1 or ``players``.  Raises UsageError where a line-up has not one band a seat, or names one twice.
    """
    for row in line_ups:
        if len(row) != players or len(set(row)) != players:
            raise UsageError(f"line_ups: each needs {players} different bands, one a seat; one has {len(set(row))}")
    if agents not in (1, players):
        raise UsageError(_AGENTS.format(agents=agents, players=players))
    return Design(np.sort(np.array(line_ups, np.int64), axis=1), bands, agents, named=True)
