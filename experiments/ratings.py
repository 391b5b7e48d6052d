"""One number a band, with seats and agents taken out: Plackett and Luce's model of the finishing order.

Plackett ("The analysis of permutations", Applied Statistics 24, 1975): places are given from the first to the
last, each to one of those left with chance exp(strength) over the sum of theirs.  The strength of a seat
is the sum of a term of its band, of its chair and of its agent; terms of each factor sum to 0.  Ties enter as
Breslow's approximation.  Games of a block are correlated, so errors come from the sandwich over blocks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import special

from experiments.statistics import ALPHA
from experiments.store import stored, stored_rows
from simcore.errors import UsageError

#: Columns of seats that may carry a term, in this order.
FACTORS = ("band", "seat", "agent")

#: Keeps the strength of somebody who never (or always) finishes last finite; far below any error that matters.
_RIDGE = 1e-6

_CHUNK = 20_000
_MOST_STEPS = 60


@dataclass(frozen=True)
class Ratings:
    """A fitted model.

    ``table``: a row a term (factor, name, strength, error, low, high, win_share); ``log_likelihood``; ``games``.
    ``win_share``: of somebody with this term in a game against averages, all else equal.
    """

    table: pd.DataFrame
    log_likelihood: float
    games: int


@dataclass(frozen=True)
class _Data:
    """``levels``: indices of each factor's level, shape (G, n, factors); ``place``: 1 is best, shape (G, n)."""

    levels: np.ndarray
    place: np.ndarray
    block: np.ndarray
    names: list[list[str]]


def rate_run(folder: Path) -> Ratings:
    """Strengths of a stored run.  Raises UsageError where it has no finishing order or only one of everything."""
    names = stored(folder, "seats").schema.names
    columns = ["game", "block", "rank", *(name for name in FACTORS if name in names)]
    if "rank" not in names:
        raise UsageError(f"{folder}: its seats have no column 'rank', so there is no finishing order")
    return rate(stored_rows(folder, "seats", columns).to_pandas())


def rate(seats: pd.DataFrame) -> Ratings:
    """Strengths from rows of seats: game, block, rank (1 is best, 0: unfinished) and some of FACTORS.

    Unfinished games have no order and are left out.  Raises UsageError.
    """
    data = _data(seats)
    basis, names = _basis(data)
    theta = np.zeros(basis.shape[1])
    value, slope, curve, _ = _likelihood(data, basis, theta)
    for _ in range(_MOST_STEPS):
        move = np.linalg.solve(curve, slope)
        scale = 1.0
        while scale > 1e-8:
            following = _likelihood(data, basis, theta + scale * move)
            if following[0] >= value - 1e-9 * abs(value):
                break
            scale /= 2
        theta = theta + scale * move
        value, slope, curve, scores = following
        if float(np.abs(slope).max()) < 1e-6 * len(data.place):
            break
    covariance = _sandwich(curve, scores, data.block)
    return Ratings(_terms(theta, covariance, basis, names, data.place.shape[1]), value, len(data.place))


def _data(seats: pd.DataFrame) -> _Data:
    finished = seats[seats["rank"] > 0]
    if not len(finished):
        raise UsageError("ratings: no game came to its end")
    n = int(finished.groupby("game").size().iloc[0])
    factors = [name for name in FACTORS if name in finished and finished[name].nunique() > 1]
    if not factors:
        raise UsageError("ratings: there is only one band, seat and agent; nothing is to be compared")
    codes, names = [], []
    for name in factors:
        which, values = pd.factorize(finished[name], sort=True)
        codes.append(which.reshape(-1, n))
        names.append([f"{name}\t{value}" for value in values])
    place = finished["rank"].to_numpy().reshape(-1, n)
    block = finished["block"].to_numpy().reshape(-1, n)[:, 0]
    return _Data(np.stack(codes, axis=-1), place, block, names)


def _basis(data: _Data) -> tuple[np.ndarray, list[str]]:
    """(matrix from free parameters to all terms, their names): terms of a factor sum to 0."""
    sizes = [len(names) for names in data.names]
    basis = np.zeros((sum(sizes), sum(sizes) - len(sizes)))
    row = column = 0
    for size in sizes:
        # Columns of an orthonormal basis of vectors that sum to 0 (Helmert).
        for k in range(1, size):
            basis[row : row + k, column + k - 1] = 1 / math.sqrt(k * (k + 1))
            basis[row + k, column + k - 1] = -k / math.sqrt(k * (k + 1))
        row, column = row + size, column + size - 1
    return basis, [name for names in data.names for name in names]


def _likelihood(data: _Data, basis: np.ndarray, theta: np.ndarray) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """(log-likelihood, its slope, minus its curvature, slope of each game)."""
    offsets = np.cumsum([0, *(len(names) for names in data.names)])[:-1]
    value, slope, curve, scores = 0.0, np.zeros_like(theta), np.zeros((len(theta),) * 2), []
    for start in range(0, len(data.place), _CHUNK):
        at = slice(start, start + _CHUNK)
        order = np.argsort(data.place[at], axis=1, kind="stable")
        place = np.take_along_axis(data.place[at], order, axis=1)
        rows = basis[data.levels[at] + offsets].sum(axis=2)  # shape (G, n, parameters)
        rows = np.take_along_axis(rows, order[:, :, None], axis=1)
        part = _stages(place, rows, theta)
        value, slope, curve = value + part[0], slope + part[1].sum(axis=0), curve + part[2]
        scores.append(part[1])
    value -= _RIDGE / 2 * float(theta @ theta)
    return value, slope - _RIDGE * theta, curve + _RIDGE * np.eye(len(theta)), np.concatenate(scores)


def _stages(place: np.ndarray, rows: np.ndarray, theta: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Likelihood, slopes and curvature of games sorted by place."""
    strength = rows @ theta
    weight = np.exp(strength - strength.max(axis=1, keepdims=True))
    value, slope, curve = 0.0, np.zeros(rows.shape[::2]), np.zeros((len(theta),) * 2)
    n = place.shape[1]
    for stage in range(n):
        # Those left are all who did not finish before this one; a tie leaves its own members in.
        left = weight * (place >= place[:, stage : stage + 1])
        chance = left / left.sum(axis=1, keepdims=True)
        mean = np.einsum("gi,gik->gk", chance, rows)
        value += float(np.log(chance[:, stage]).sum())
        slope += rows[:, stage] - mean
        weighted = chance[:, :, None] * rows
        curve += np.einsum("gik,gil->kl", weighted, rows) - mean.T @ mean
    return value, slope, curve


def _sandwich(curve: np.ndarray, scores: np.ndarray, block: np.ndarray) -> np.ndarray:
    """Covariance of the parameters with blocks as the independent units (White, Econometrica 50, 1982)."""
    _, which = np.unique(block, return_inverse=True)
    blocks = int(which.max()) + 1
    sums = np.zeros((blocks, scores.shape[1]))
    np.add.at(sums, which, scores)
    inverse = np.linalg.inv(curve)
    small = blocks / (blocks - 1) if blocks > 1 else 1.0
    return small * inverse @ (sums.T @ sums) @ inverse


def _terms(
    theta: np.ndarray, covariance: np.ndarray, basis: np.ndarray, names: list[str], players: int
) -> pd.DataFrame:
    strength = basis @ theta
    error = np.sqrt(np.maximum(np.einsum("ik,kl,il->i", basis, covariance, basis), 0))
    z = float(special.ndtri(1 - ALPHA / 2))
    rows = []
    for name, value, own in zip(names, strength.tolist(), error.tolist(), strict=True):
        factor, _, level = name.partition("\t")
        rows.append(
            {
                "factor": factor, "name": level, "strength": value, "error": own, "low": value - z * own,
                "high": value + z * own, "win_share": float(special.expit(value - math.log(max(players - 1, 1e-9)))),
            }
        )  # fmt: skip
    return pd.DataFrame(rows)
