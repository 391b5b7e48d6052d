"""Games that stand out in ways that no single number of them shows: comebacks, and games unlike all others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

#: Columns of seats that say who a row is about, or how it ended, and not how the game went.
_NOT_MEASURED = ("game", "block", "seat", "win_share", "rank")

#: Directions in which games vary less than this part of a standard deviation say nothing of their own.
_FLAT = 1e-6


@dataclass(frozen=True)
class Comeback:
    """``seat`` won ``game`` alone after it had stood ``deficit`` points behind the best other one after ``round``."""

    game: int
    seat: int
    deficit: float
    round: int


def biggest_comeback(rounds: pd.DataFrame) -> Comeback | None:
    """The greatest deficit that a sole winner made good; None where no winner was ever behind.

    ``rounds``: a row a game, round and seat, with columns game, round, seat, deficit (points to the best other seat)
    and win_share, as in ``metrics.Rows.rounds``.  Of several alike the first.
    """
    behind = rounds[(rounds["win_share"] == 1) & (rounds["deficit"] > 0)]
    if behind.empty:
        return None
    row = behind.iloc[int(behind["deficit"].to_numpy().argmax())]
    return Comeback(int(row["game"]), int(row["seat"]), float(row["deficit"]), int(row["round"]))


@dataclass(frozen=True)
class Strange:
    """A game far from the mean game of a run.

    ``distance``: Mahalanobis's (1936), in standard deviations, over what its seats came to on average; ``most``: the
    columns that differ most with the number of this game, the mean of all and the deviations between them.
    """

    game: int
    distance: float
    most: list[tuple[str, float, float, float]]


def strangest(pieces: Callable[[], Iterable[pd.DataFrame]], named: int = 2) -> Strange | None:
    """The game whose numbers are least like those of the others; None where nothing differs.

    ``pieces``: gives the rows of seats anew at every call, whole games at a time; only sums are kept, so a run may be
    of any size.  Each game is a point: the means over its seats of all whole and broken numbers.  ``named``: columns
    in ``most``.  Of several alike the first.
    """
    moments = _moments(pieces())
    if moments is None:
        return None
    inverse = np.linalg.pinv(moments.correlations, rcond=_FLAT, hermitian=True)  # sums of other columns count once
    best: tuple[float, int, np.ndarray] | None = None
    for rows in pieces():
        points = _points(rows)
        apart = moments.apart(points)
        square = np.einsum("gi,ij,gj->g", apart, inverse, apart)
        at = int(square.argmax())
        if best is None or square[at] > best[0]:
            best = (float(square[at]), int(points.index[at]), apart[at])
    if best is None:
        return None
    square_of, game, apart_of = best
    most = [moments.described(k, float(apart_of[k])) for k in np.argsort(-np.abs(apart_of), kind="stable")[:named]]
    return Strange(game, float(np.sqrt(square_of)), most)


@dataclass(frozen=True)
class _Moments:
    """Means, deviations and correlations of the columns that differ between games."""

    names: list[str]
    kept: np.ndarray
    mean: np.ndarray
    deviation: np.ndarray
    correlations: np.ndarray

    def apart(self, points: pd.DataFrame) -> np.ndarray:
        """Deviations from the mean, shape (games, columns)."""
        apart: np.ndarray = (points.to_numpy()[:, self.kept] - self.mean) / self.deviation
        return apart

    def described(self, column: int, apart: float) -> tuple[str, float, float, float]:
        """(name, number, mean, deviations between them) of a column."""
        mean = float(self.mean[column])
        return self.names[column], mean + apart * float(self.deviation[column]), mean, apart


def _moments(pieces: Iterable[pd.DataFrame]) -> _Moments | None:
    """Moments of all games; None where there are fewer than three or they are all alike."""
    n, names = 0, list[str]()
    origin = total = squares = np.zeros(0)
    for rows in pieces:
        points = _points(rows)
        if not n:
            names, origin = list(points.columns), points.to_numpy()[0]  # sums near the data lose no digits
            total, squares = np.zeros(len(names)), np.zeros((len(names), len(names)))
        moved = points.to_numpy() - origin
        n, total, squares = n + len(moved), total + moved.sum(axis=0), squares + moved.T @ moved
    if n < 3:
        return None
    mean = total / n
    covariances = squares / n - np.outer(mean, mean)
    deviation = np.sqrt(np.maximum(np.diag(covariances), 0))
    kept = deviation > 0
    if not kept.any():
        return None
    scale = deviation[kept]
    return _Moments(
        [name for name, keep in zip(names, kept, strict=True) if keep], kept, (origin + mean)[kept], scale,
        covariances[np.ix_(kept, kept)] / np.outer(scale, scale),
    )  # fmt: skip


def _points(rows: pd.DataFrame) -> pd.DataFrame:
    """A row a game, in order: the mean over its seats of every number that is measured."""
    columns = [name for name in rows.select_dtypes("number").columns if name not in _NOT_MEASURED]
    return rows.groupby("game", sort=True)[columns].mean()
