"""Two runs on the same luck, compared block by block: what a change of rules (or of agents) does.

Game for game both runs have the same line-up, seats and streams; whatever differs is the change.  A block's
difference is the unit of every interval.  Pieces are added up, so a million games take little memory.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from experiments import manifest as manifests
from experiments.curve import difference_interval, sign_flip_p
from experiments.plan import NOBODY
from experiments.statistics import ALPHA, MARGIN, POWER, holm
from experiments.summary import SHARE_UNIT, by_blocks
from experiments.verdict import _about as about
from simcore.errors import UsageError

CHANGED, SAME, UNDECIDED = "changed", "no change", "not enough games"

#: What both runs must have in common under "run" of their manifests.
COMMON = ("game", "players", "bands", "seed", "variant", "engine", "line_ups", "levels", "kind")

#: Columns that tell rows apart rather than measure anything.
_PLACES = ("game", "block", "seat", "win_share")

#: Columns that differ where only an offer differs that nobody took, and the name of who decided.
_OFFERS = ("agent", "decisions", "forced", "options")

_PIECE = 4096


@dataclass
class Moments:
    """Sums over the blocks of one column: of A, of B, of B - A, and of their squares."""

    blocks: int = 0
    games: int = 0
    sums: np.ndarray = field(default_factory=lambda: np.zeros(6))

    def add(self, a: np.ndarray, b: np.ndarray, games: int) -> None:
        """Take in block means of both runs (in place); ``games``: rows behind them."""
        d = b - a
        self.blocks += len(a)
        self.games += games
        self.sums += [a.sum(), b.sum(), d.sum(), (a * a).sum(), (b * b).sum(), (d * d).sum()]

    @property
    def means(self) -> tuple[float, float, float]:
        """Means of A, of B and of the difference."""
        a, b, d = (self.sums[:3] / self.blocks).tolist()
        return a, b, d

    @property
    def variances(self) -> tuple[float, float, float]:
        """Variances of block means: A, B, the difference; zeros for a single block."""
        if self.blocks < 2:
            return 0.0, 0.0, 0.0
        spread = (self.sums[3:] - self.sums[:3] ** 2 / self.blocks) / (self.blocks - 1)
        # What rounding leaves of a column without any spread is no spread.
        spread[spread < 1e-12 * np.maximum(self.sums[3:] / self.blocks, 1e-300)] = 0.0
        a, b, d = np.maximum(spread, 0.0).tolist()
        return a, b, d

    @property
    def gain(self) -> float:
        """How many times more games two unpaired runs would need for an interval as narrow; infinite: no spread."""
        a, b, d = self.variances
        return math.inf if d == 0 else (a + b) / d

    def interval(self) -> tuple[float, float]:
        """95 % limits of the mean difference (Student's t); infinite for a single block."""
        if self.blocks < 2:
            return -math.inf, math.inf
        half = float(special.stdtrit(self.blocks - 1, 1 - ALPHA / 2)) * math.sqrt(self.variances[2] / self.blocks)
        return self.means[2] - half, self.means[2] + half

    def p_value(self) -> float:
        """Two-sided p-value against "no difference" (paired t test)."""
        difference, variance = self.means[2], self.variances[2]
        if self.blocks < 2 or difference == 0:
            return 1.0
        if variance == 0:
            return 0.0
        return float(2 * special.stdtr(self.blocks - 1, -abs(difference) / math.sqrt(variance / self.blocks)))


@dataclass
class Comparison:
    """Sums of a comparison.

    ``shares``: by factor and name, the difference of wins a block in 840ths; ``columns``: by factor, name and
    column (win share included); ``diverged``: games that differ in their course (steps, chance events) or in
    anything at their end; ``other_winner``: games whose win shares differ.
    """

    players: int
    games: int = 0
    diverged: int = 0
    other_winner: int = 0
    shares: dict[tuple[str, str], list[np.ndarray]] = field(default_factory=dict)
    columns: dict[tuple[str, str, str], Moments] = field(default_factory=dict)

    def block_differences(self, factor: str, name: str) -> np.ndarray:
        """Wins of B minus wins of A, in 840ths, a block in which ``name`` plays (int64)."""
        return np.concatenate(self.shares[factor, name])


def check_alike(a: Path, b: Path) -> dict[str, Any]:
    """The manifest of ``a``.  Raises UsageError unless both runs play the same games but for rules and agents."""
    there, here = manifests.read(a), manifests.read(b)
    for key in COMMON:
        if there["run"].get(key) != here["run"].get(key):
            raise UsageError(
                f"{a} and {b} cannot be compared game for game: {key} is {there['run'].get(key)!r} there, "
                f"{here['run'].get(key)!r} here"
            )
    for key in ("blocks", "games_per_block", "seats", "line_ups"):
        if there["design"].get(key) != here["design"].get(key):
            raise UsageError(
                f"{a} and {b} cannot be compared game for game: {key} is {there['design'].get(key)} there, "
                f"{here['design'].get(key)} here"
            )
    return there


def compare(a: Path, b: Path) -> Comparison:
    """The sums of two stored runs of the same games.  Raises UsageError."""
    manifest = check_alike(a, b)
    found = Comparison(manifest["run"]["players"])
    pieces = [by_blocks(folder, name, _PIECE) for name in ("games", "seats") for folder in (a, b)]
    for games_a, games_b, seats_a, seats_b in zip(*pieces, strict=True):
        add(found, games_a, games_b, seats_a, seats_b)
    return found


def add(
    found: Comparison, games_a: pd.DataFrame, games_b: pd.DataFrame, seats_a: pd.DataFrame, seats_b: pd.DataFrame
) -> None:
    """Take in whole blocks of both runs, row by row the same games and seats (in place)."""
    differs = _rows_differ(games_a, games_b)
    seats = _rows_differ(seats_a, seats_b).reshape(len(games_a), -1)
    winner = (seats_a["win_share"].to_numpy() != seats_b["win_share"].to_numpy()).reshape(len(games_a), -1)
    found.games += len(games_a)
    found.diverged += int((differs | seats.any(axis=1)).sum())
    found.other_winner += int(winner.any(axis=1).sum())
    _add_columns(found, "game", np.zeros(len(games_a), np.int64), ["all"], games_a, games_b)
    if "difficulty" in seats_a:
        seats_a, seats_b = (_humans(table, found.players) for table in (seats_a, seats_b))
    for factor in ("band", "seat", "agent", "difficulty"):
        if factor in seats_a and factor in seats_b and seats_a[factor].equals(seats_b[factor]):
            which, names = pd.factorize(seats_a[factor], sort=True)
            if factor == "agent" and len(names) == 1:
                continue
            _add_columns(found, factor, which, [str(name) for name in names], seats_a, seats_b)


def _humans(seats: pd.DataFrame, players: int) -> pd.DataFrame:
    """The rows of those who play together, each with the whole win that they share."""
    ours = seats[seats["agent"] != NOBODY]
    return ours.assign(win_share=ours["win_share"] * players)


def _rows_differ(a: pd.DataFrame, b: pd.DataFrame) -> np.ndarray:
    """Which rows differ in a column that both have, those in _OFFERS aside."""
    differs = np.zeros(len(a), bool)
    for name in a.columns.intersection(b.columns):
        if name not in _OFFERS:
            differs |= a[name].to_numpy() != b[name].to_numpy()
    return differs


def _add_columns(
    found: Comparison, factor: str, which: np.ndarray, names: list[str], a: pd.DataFrame, b: pd.DataFrame
) -> None:
    _, block = np.unique(a["block"].to_numpy(), return_inverse=True)
    blocks = int(block.max()) + 1
    place = which * blocks + block
    rows = np.bincount(place, minlength=len(names) * blocks).reshape(len(names), blocks)
    columns = [
        str(name)
        for name in a.columns.intersection(b.columns)
        if (name not in _PLACES or name == "win_share") and pd.api.types.is_numeric_dtype(a[name].dtype)
    ]
    for column in columns:
        sums = [
            np.bincount(place, table[column].to_numpy().astype(np.float64), rows.size).reshape(rows.shape)
            for table in (a, b)
        ]  # fmt: skip
        for k, name in enumerate(names):
            at = rows[k] > 0
            mean_a, mean_b = (one[k, at] / rows[k, at] for one in sums)
            found.columns.setdefault((factor, name, column), Moments()).add(mean_a, mean_b, int(rows[k].sum()))
            if column == "win_share":
                change = np.rint((sums[1][k, at] - sums[0][k, at]) * SHARE_UNIT).astype(np.int64)
                found.shares.setdefault((factor, name), []).append(change)


# ------------------------------------------------------------------ tables
def share_table(found: Comparison, margin: float = MARGIN) -> pd.DataFrame:
    """A row a band, seat and agent: the change of its win share, and whether it is one.

    ``answer``: "no change" where both one-sided tests at 5 % put it within ``margin``; else "changed" where it
    differs from 0 after Holm over the table and the interval, wider in few blocks, leaves 0 out too; else "not enough
    games", with about how many would do.
    """
    tables = []
    for factor in dict.fromkeys(factor for factor, _ in found.shares):
        names = [name for kind, name in found.shares if kind == factor]
        rows = [_share_row(found, factor, name, margin) for name in names]
        for row, p_holm in zip(rows, holm([row["p_value"] for row in rows]).tolist(), strict=True):
            row["p_holm"] = p_holm
            differs = p_holm < ALPHA and not row["low"] <= 0 <= row["high"]
            row["answer"] = SAME if row.pop("within") else CHANGED if differs else UNDECIDED
            needed = max(_needed(row["change"], row.pop("variance"), margin, len(rows)), row["blocks"])
            row["games_needed"] = about(needed / row["blocks"] * found.games) if row["answer"] == UNDECIDED else 0
        tables.append(pd.DataFrame(rows))
    return pd.concat(tables, ignore_index=True)


def _share_row(found: Comparison, factor: str, name: str, margin: float) -> dict[str, Any]:
    moments = found.columns[factor, name, "win_share"]
    wins = found.block_differences(factor, name)
    per_block = moments.games // moments.blocks
    differences = wins / (SHARE_UNIT * per_block)
    low, high = difference_interval(differences, per_block)
    inner = difference_interval(differences, per_block, 2 * ALPHA)  # two one-sided tests
    unit = int(np.gcd.reduce(wins)) or 1
    return {
        "table": factor, "name": name, "games": moments.games, "blocks": moments.blocks,
        "share_a": moments.means[0], "share_b": moments.means[1], "change": moments.means[2], "low": low, "high": high,
        "p_value": sign_flip_p(wins // unit), "blocks_differ": int(np.count_nonzero(wins)), "gain": moments.gain,
        "margin": margin, "within": -margin < inner[0] and inner[1] < margin, "variance": moments.variances[2],
    }  # fmt: skip


def _needed(change: float, variance: float, margin: float, tests: int) -> float:
    """Blocks until one of the two answers is likely, if change and variance are what they now seem to be."""
    sizes = []
    power = float(special.ndtri(POWER))
    if abs(change) < margin:
        miss = float(special.ndtri(1 - (1 - POWER) / 2)) if change == 0 else power
        sizes.append(variance * ((float(special.ndtri(1 - ALPHA)) + miss) / (margin - abs(change))) ** 2)
    if change:
        sizes.append(variance * ((float(special.ndtri(1 - ALPHA / tests / 2)) + power) / change) ** 2)
    # Not even blocks that never differ say "no change" before this many of them.
    return max(min(sizes), math.log(2 / ALPHA) / margin)


def metric_table(found: Comparison) -> pd.DataFrame:
    """A row a factor, name and column: means of both runs, the paired change with its interval, p-value and gain."""
    rows = []
    for (factor, name, column), moments in found.columns.items():
        low, high = moments.interval()
        mean_a, mean_b, change = moments.means
        rows.append(
            {
                "table": factor, "name": name, "metric": column, "blocks": moments.blocks, "mean_a": mean_a,
                "mean_b": mean_b, "change": change, "low": low, "high": high, "p_value": moments.p_value(),
                "gain": moments.gain,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)
