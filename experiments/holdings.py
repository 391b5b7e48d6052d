"""Win shares of seats that came by something in the game (a record company, an artist) against those that did not.

How many seats of a block hold a thing differs from block to block, so a share is a ratio of two sums over
blocks, and its variance that of the linearised ratio (Cochran, "Sampling Techniques", 1977, section 6.4).  What
players choose goes with how they stand: these differences say what goes with winning, not what causes it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from experiments.statistics import (
    ALPHA,
    MARGIN,
    NORMAL_EVENTS,
    SHARE_UNIT,
    TRUSTED_EVENTS,
    clopper_pearson,
    holm,
)
from experiments.verdict import BALANCED, OFF, UNDECIDED
from simcore.usage import Taken

#: What a seat that holds nothing has in such a column.
NOTHING = "none"

#: Answers about a thing taken: seats with it win as often as others, more often, less often.
ALIKE, MORE, FEWER = "no difference", "more wins", "fewer wins"

# Places in the sums of a block: seats that hold the thing and their wins, seats that do not and their wins.
_ROWS, _WINS, _OTHER_ROWS, _OTHER_WINS = range(4)


@dataclass
class Split:
    """Seats with and without one thing, summed over blocks in whole numbers: parts add up to the whole.

    ``sums``: (seats with, their wins in 840ths, seats without, their wins); ``products``: sums over blocks of the
    products of each two of them; ``blocks``: all blocks of the run; ``held``: blocks in which a seat holds it;
    ``offers``, ``times``: how often it was on offer and taken.
    """

    blocks: int = 0
    held: int = 0
    offers: int = 0
    times: int = 0
    sums: np.ndarray = field(default_factory=lambda: np.zeros(4, np.int64))
    products: np.ndarray = field(default_factory=lambda: np.zeros((4, 4), np.int64))

    def add(self, other: Split) -> None:
        """Take in the sums of other blocks (in place)."""
        self.blocks += other.blocks
        self.held += other.held
        self.offers += other.offers
        self.times += other.times
        self.sums = self.sums + other.sums
        self.products = self.products + other.products

    def _share(self, rows: int) -> float:
        seats = int(self.sums[rows])
        return float(self.sums[rows + 1]) / (SHARE_UNIT * seats) if seats else math.nan

    @property
    def share(self) -> float:
        """Win share of the seats that hold it (NaN: none did)."""
        return self._share(_ROWS)

    @property
    def other(self) -> float:
        """Win share of the seats that do not."""
        return self._share(_OTHER_ROWS)

    @property
    def pooled(self) -> float:
        """Win share of all these seats together."""
        rows = int(self.sums[_ROWS] + self.sums[_OTHER_ROWS])
        return float(self.sums[_WINS] + self.sums[_OTHER_WINS]) / (SHARE_UNIT * rows) if rows else math.nan

    def _line(self, rows: Sequence[int], share: float) -> np.ndarray:
        """Weights of a block's sums in the linearised share over the seats counted in ``rows``."""
        line = np.zeros(4)
        seats = float(sum(self.sums[row] for row in rows))
        for row in rows:
            line[row] = -share / seats
            line[row + 1] = 1 / (SHARE_UNIT * seats)
        return line

    def _error(self, line: np.ndarray) -> float:
        if self.blocks < 2:
            return math.inf
        spread = max(float(line @ self.products @ line), 0.0)
        return math.sqrt(spread * self.blocks / (self.blocks - 1))

    @property
    def error(self) -> float:
        """Standard error of ``share``."""
        return self._error(self._line((_ROWS,), self.share))

    @property
    def difference_error(self) -> float:
        """Standard error of ``share - other``."""
        return self._error(self._line((_ROWS,), self.share) - self._line((_OTHER_ROWS,), self.other))

    @property
    def excess_error(self) -> float:
        """Standard error of ``share - pooled``."""
        return self._error(self._line((_ROWS,), self.share) - self._line((_ROWS, _OTHER_ROWS), self.pooled))

    @property
    def events(self) -> float:
        """Wins or losses of the holders, whichever are fewer, counted as independent games would be."""
        share = self.share
        alone = share * (1 - share)
        return min(share, 1 - share) * min(alone / self.error**2 if self.error else 0.0, float(self.sums[_ROWS]))

    def interval(self) -> tuple[float, float]:
        """95 % limits of ``share``: Student's t, or exact ones where few wins or losses were seen (see statistics)."""
        if not self.sums[_ROWS]:
            return math.nan, math.nan
        if self.events >= NORMAL_EVENTS:
            half = self._t * self.error
            return max(0.0, self.share - half), min(1.0, self.share + half)
        if self.events >= TRUSTED_EVENTS:
            trials = min(self.share * (1 - self.share) / self.error**2, float(self.sums[_ROWS]))
            return clopper_pearson(self.share * trials, self.share * trials, trials)
        total = self.share * self.held
        return clopper_pearson(math.floor(total + 1e-9), math.ceil(total - 1e-9), self.held)

    @property
    def _t(self) -> float:
        return float(special.stdtrit(max(self.blocks - 1, 1), 1 - ALPHA / 2))

    def difference_interval(self) -> tuple[float, float]:
        """95 % limits of ``share - other`` (Student's t); the whole range where too little was seen to measure it."""
        if not self.told:
            return -1.0, 1.0
        half = self._t * self.difference_error
        difference = self.share - self.other
        return max(-1.0, difference - half), min(1.0, difference + half)

    @property
    def told(self) -> bool:
        """Whether enough wins and losses were seen on both sides for Student's t to hold."""
        wins = float(self.sums[_OTHER_WINS]) / SHARE_UNIT
        return bool(
            self.sums[_ROWS]
            and self.events >= TRUSTED_EVENTS
            and min(wins, self.sums[_OTHER_ROWS] - wins) >= TRUSTED_EVENTS
        )

    def p_value(self, distance: float, error: float) -> float:
        """Two-sided p-value against a true distance of 0; 1 where too little was seen."""
        if not self.told or not error:
            return 1.0
        return float(2 * special.stdtr(max(self.blocks - 1, 1), -abs(distance) / error))

    def p_within(self, distance: float, error: float, margin: float) -> float:
        """p-value of two one-sided tests against a true distance of ``margin`` or more; 1: too little was seen."""
        if not self.told or not error:
            return 1.0
        return float(special.stdtr(max(self.blocks - 1, 1), -(margin - abs(distance)) / error))


def held_splits(seats: pd.DataFrame, column: str) -> dict[str, Split]:
    """A split for each value of ``column``: its holders against those who hold another value (whole blocks).

    NOTHING has nobody against all holders: what a value that stands nowhere in these blocks adds to a sum.
    """
    which, names = pd.factorize(seats[column], sort=True)
    held = [(str(name), which == k) for k, name in enumerate(names) if name != NOTHING]
    own = np.array([*(at for _, at in held), np.zeros(len(seats), bool)])
    splits = _splits(seats, own, own.any(axis=0) & ~own)
    return dict(zip([*(name for name, _ in held), NOTHING], splits, strict=True))


def merge(mine: dict[str, Split], theirs: Mapping[str, Split]) -> None:
    """Take in the splits of other blocks (``mine`` in place); each side may hold values that the other lacks."""
    merged = {}
    for name in dict.fromkeys((*mine, *theirs)):
        merged[name] = replace(mine.get(name) or mine.get(NOTHING) or Split())
        merged[name].add(theirs.get(name) or theirs.get(NOTHING) or Split())
    mine.update(merged)


def taken_splits(games: pd.DataFrame, seats: pd.DataFrame, taken: Taken) -> dict[str, Split]:
    """A split for each thing: seats that took it against the others of the games in which it was on offer."""
    names = [str(name).removeprefix(taken.held) for name in seats.columns if str(name).startswith(taken.held)]
    if not names:
        return {}
    a_game = len(seats) // len(games)
    own = seats[[taken.held + name for name in names]].to_numpy().T.astype(bool)
    offered = games[[taken.offered + name for name in names]].to_numpy().T
    splits = _splits(seats, own, np.repeat(offered > 0, a_game, axis=1) & ~own)
    times = games[[taken.times + name for name in names]].to_numpy().sum(axis=0, dtype=np.int64)
    for split, offers, count in zip(splits, offered.sum(axis=1, dtype=np.int64), times, strict=True):
        split.offers, split.times = int(offers), int(count)
    return dict(zip(names, splits, strict=True))


def _splits(seats: pd.DataFrame, own: np.ndarray, others: np.ndarray) -> list[Split]:
    """``own``, ``others``: shape (things, rows), which seats count on either side."""
    # Rows of a block stand together: sums over blocks are differences of running sums.
    block = seats["block"].to_numpy()
    starts = np.flatnonzero(np.r_[True, block[1:] != block[:-1]])
    wins = np.rint(seats["win_share"].to_numpy() * SHARE_UNIT).astype(np.int64)
    found = []
    for mine, theirs in zip(own, others, strict=True):
        sums = np.stack([np.add.reduceat(part, starts) for part in _parts(mine, theirs, wins)])
        held = int(np.count_nonzero(sums[_ROWS]))
        found.append(Split(len(starts), held, 0, 0, sums.sum(axis=1), sums @ sums.T))
    return found


def _parts(mine: np.ndarray, theirs: np.ndarray, wins: np.ndarray) -> tuple[np.ndarray, ...]:
    return mine.astype(np.int64), mine * wins, theirs.astype(np.int64), theirs * wins


# ------------------------------------------------------------------ tables
def holding_table(column: str, splits: Mapping[str, Split], margin: float = MARGIN) -> pd.DataFrame:
    """A row a value: win share of its holders, judged against that of all holders together (rows of summary.csv)."""
    rows = []
    held = [(name, one) for name, one in splits.items() if name != NOTHING]
    for name, one in sorted(held, key=lambda pair: (-pair[1].share, pair[0])):
        low, high = one.interval()
        excess, error = one.share - one.pooled, one.excess_error
        rows.append(
            {
                "table": column, "name": name, "games": int(one.sums[_ROWS]), "blocks": one.held,
                "win_share": one.share, "low": low, "high": high, "fair": one.pooled, "excess": excess,
                "p_value": one.p_value(excess, error), "p_equivalence": one.p_within(excess, error, margin),
                "margin": margin, "interval": "ratio",
            }
        )  # fmt: skip
    return _judged(pd.DataFrame(rows))


def taken_table(thing: str, splits: Mapping[str, Split], margin: float = MARGIN) -> pd.DataFrame:
    """A row a thing, what goes with winning most first.

    ``offers``, ``times``: decisions at which it could be taken, takings; ``pick``: the share of offers that were
    taken; ``games``: seats that took it; ``others``: the other seats of games in which it was on offer;
    ``win_share`` with ``low`` and ``high``, ``win_share_without``, their difference ``excess`` with its limits;
    ``verdict``: ALIKE where the difference is shown to lie within ``margin``, else MORE or FEWER where it differs
    from 0 after Holm's correction over the table, else that there are not enough games.
    """
    rows = []
    for name, one in splits.items():
        low, high = one.interval()
        excess, error = one.share - one.other, one.difference_error if one.told else 0.0
        least, most = one.difference_interval()
        rows.append(
            {
                "table": thing, "name": name, "offers": one.offers, "times": one.times,
                "pick": one.times / one.offers if one.offers else math.nan, "games": int(one.sums[_ROWS]),
                "others": int(one.sums[_OTHER_ROWS]), "win_share": one.share, "low": low, "high": high,
                "win_share_without": one.other, "excess": excess, "excess_low": least, "excess_high": most,
                "p_value": one.p_value(excess, error), "p_equivalence": one.p_within(excess, error, margin),
                "margin": margin,
            }
        )  # fmt: skip
    table = _judged(pd.DataFrame(rows))
    told = table["verdict"].map({BALANCED: ALIKE, UNDECIDED: UNDECIDED})
    table["verdict"] = told.fillna(table["excess"].gt(0).map({True: MORE, False: FEWER}))
    return table.sort_values(["excess", "name"], ascending=[False, True], ignore_index=True)


def _judged(table: pd.DataFrame) -> pd.DataFrame:
    """``table`` with ``p_holm`` and ``verdict``, as for bands and seats: balanced first, then off, else open."""
    if table.empty:
        return table
    p_holm = holm(table["p_value"].tolist())
    answers: list[Any] = [
        BALANCED if within < ALPHA else OFF if p < ALPHA else UNDECIDED
        for within, p in zip(table["p_equivalence"], p_holm.tolist(), strict=True)
    ]
    return table.assign(p_holm=p_holm, verdict=answers)
