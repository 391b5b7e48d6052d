"""What a difficulty run says: win share by level, neighbouring levels compared on the same luck, a target curve.

The block is the unit: levels are compared by the differences within blocks.  Pieces of a stored run are added
up block by block, so a million games take little memory.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from experiments import manifest as manifests
from experiments.difficulty import KIND
from experiments.statistics import ALPHA, MARGIN, NORMAL_BLOCKS, POWER, BlockMeans, holm
from experiments.summary import by_blocks
from simcore.errors import UsageError

FALLS, RISES, OPEN = "harder", "wrong order", "not told apart"
ON_TARGET, TOO_EASY, TOO_HARD, UNDECIDED = "on target", "too easy", "too hard", "not enough games"

#: Up to so many blocks that differ the sign-flip test is exact; beyond, its normal limit.
_EXACT_BLOCKS = 400

#: Blocks that differ, from which on Student's t holds for a mean difference: changes up and down mostly cancel, so
#: fewer will do than wins (``NORMAL_EVENTS``); ``make checks`` counts how often the limits cover.
NORMAL_CHANGES = 50


# ------------------------------------------------------------------ adding up
@dataclass
class Cell:
    """One agent at one level.

    By block: ``wins`` (games that the humans won), ``margin`` (sum over its games), ``boss`` (sum of the scores of
    the side that plays by itself).  ``scores``: how often that side had each score.  ``humans``, ``boss_parts``:
    sums over human seats and over games, by column; ``by_band``: sums of a band's seats.
    """

    wins: np.ndarray
    margin: np.ndarray
    boss: np.ndarray
    unfinished: int = 0
    scores: Counter[int] = field(default_factory=Counter)
    humans: Counter[str] = field(default_factory=Counter)
    boss_parts: Counter[str] = field(default_factory=Counter)
    by_band: dict[str, Counter[str]] = field(default_factory=dict)


@dataclass
class Curve:
    """Everything that the tables of a difficulty run need.

    ``cells``: by (agent, level); ``member``: by band, which blocks it plays in (bool, shape (blocks,)); ``games``:
    of one block in one cell; ``players``: humans of a game; ``columns``: the score and its parts.
    """

    agents: tuple[str, ...]
    levels: tuple[str, ...]
    players: int
    games: int
    cells: dict[tuple[str, str], Cell]
    member: dict[str, np.ndarray]
    columns: tuple[str, ...] = ()

    @property
    def blocks(self) -> int:
        """Blocks of the run."""
        return len(next(iter(self.cells.values())).wins)


def read_curve(folder: Path) -> Curve:
    """The sums of a stored difficulty run, finished.  Raises UsageError."""
    manifest = manifests.read(folder)
    run, design = manifest["run"], manifest["design"]
    if run.get("kind") != KIND:
        raise UsageError(f"{folder}: not a difficulty run (soundcheck difficulty makes them)")
    agents, levels, blocks = tuple(run["agents"]), tuple(run["levels"]), design["blocks"]
    cells = {
        (agent, level): Cell(np.zeros(blocks), np.zeros(blocks), np.zeros(blocks))
        for agent in agents
        for level in levels
    }
    curve = Curve(
        agents, levels, run["players"], design["games_per_block"] // len(cells), cells,
        {band: np.zeros(blocks, bool) for band in run["bands"]},
    )  # fmt: skip
    for games, seats in zip(by_blocks(folder, "games", 2048), by_blocks(folder, "seats", 2048), strict=True):
        add(curve, games, seats)
    return curve


def add(curve: Curve, games: pd.DataFrame, seats: pd.DataFrame) -> None:
    """Take in whole blocks (rows as stored: games by number, seats by game and seat) in place."""
    a_game = len(seats) // len(games)
    bosses = a_game - curve.players
    curve.columns = ("score", *(name for name in seats.columns if name.startswith("points_")))
    values = {name: seats[name].to_numpy().astype(np.float64).reshape(-1, a_game) for name in curve.columns}
    won = seats["win_share"].to_numpy().reshape(-1, a_game)[:, bosses:].sum(axis=1)
    bands = seats["band"].to_numpy().reshape(-1, a_game)[:, bosses:]
    ours = values["score"][:, bosses:].mean(axis=1)
    if "human_average" in games:  # the game's own rounding
        ours = games["human_average"].to_numpy().astype(np.float64)
    block, boss = games["block"].to_numpy(), values["score"][:, :bosses].sum(axis=1)
    for band, at in curve.member.items():
        at[block[(bands == band).any(axis=1)]] = True
    for (agent, level), cell in curve.cells.items():
        mine = ((games["agent"] == agent) & (games["difficulty"] == level)).to_numpy()
        np.add.at(cell.wins, block[mine], won[mine])
        np.add.at(cell.margin, block[mine], (ours - boss)[mine])
        np.add.at(cell.boss, block[mine], boss[mine])
        cell.unfinished += int(games["unfinished"].to_numpy()[mine].sum())
        numbers, times = np.unique(np.rint(boss[mine]).astype(np.int64), return_counts=True)
        cell.scores.update(dict(zip(numbers.tolist(), times.tolist(), strict=True)))
        for name, column in values.items():
            cell.humans[name] += column[mine, bosses:].sum()
            cell.boss_parts[name] += column[mine, :bosses].sum()
            for band in curve.member:
                seated = bands[mine] == band
                cell.by_band.setdefault(band, Counter())[name] += column[mine, bosses:][seated].sum()


# ------------------------------------------------------------------ tables
def share_of(curve: Curve, cell: Cell, band: str = "") -> BlockMeans:
    """Block means of the humans' win share, of all blocks or of those in which ``band`` plays."""
    wins = cell.wins[curve.member[band]] if band else cell.wins
    variance = float(wins.var(ddof=1)) if len(wins) > 1 else 0.0
    return BlockMeans(len(wins), curve.games, float(wins.mean()) / curve.games, variance / curve.games**2)


def mean_interval(values: np.ndarray, alpha: float = ALPHA) -> tuple[float, float, float]:
    """(mean, low, high) of block means by Student's t; a single block has no interval (infinite limits)."""
    mean = float(values.mean())
    if len(values) < 2:
        return mean, -math.inf, math.inf
    half = float(special.stdtrit(len(values) - 1, 1 - alpha / 2)) * float(values.std(ddof=1)) / math.sqrt(len(values))
    return mean, mean - half, mean + half


def quantile(scores: Counter[int], share: float) -> int:
    """The smallest score that at least ``share`` of the games do not exceed."""
    total, seen = sum(scores.values()), 0
    for score in sorted(scores):
        seen += scores[score]
        if seen >= share * total:
            return score
    raise ValueError("no scores")


def deviation(scores: Counter[int]) -> float:
    """Standard deviation of scores."""
    n = sum(scores.values())
    mean = sum(score * times for score, times in scores.items()) / n
    return math.sqrt(sum(times * (score - mean) ** 2 for score, times in scores.items()) / n)


def level_table(curve: Curve) -> pd.DataFrame:
    """A row an agent and level: win share, both sides' scores and parts, margin, spread of the boss's score."""
    rows = []
    for (agent, level), cell in curve.cells.items():
        games = curve.blocks * curve.games
        margin, low, high = mean_interval(cell.margin / curve.games)
        rows.append(
            {
                "table": "level", "agent": agent, "band": "", "difficulty": level, **_share_columns(curve, cell),
                "unfinished": cell.unfinished / games, "margin": margin, "margin_low": low, "margin_high": high,
                "boss_sd": deviation(cell.scores), "boss_p5": quantile(cell.scores, 0.05),
                "boss_p95": quantile(cell.scores, 0.95),
                **{f"humans_{name}": cell.humans[name] / games / curve.players for name in curve.columns},
                **{f"boss_{name}": cell.boss_parts[name] / games for name in curve.columns},
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def band_table(curve: Curve) -> pd.DataFrame:
    """A row an agent, band and level; ``humans_...`` are the band's own, ``boss_score`` that of its games."""
    rows = []
    for agent in curve.agents:
        for band, at in curve.member.items():
            for level in curve.levels:
                cell = curve.cells[agent, level]
                games = int(at.sum()) * curve.games
                margin, low, high = mean_interval(cell.margin[at] / curve.games)
                rows.append(
                    {
                        "table": "band", "agent": agent, "band": band, "difficulty": level,
                        **_share_columns(curve, cell, band), "margin": margin, "margin_low": low, "margin_high": high,
                        **{f"humans_{name}": cell.by_band[band][name] / games for name in curve.columns},
                        "boss_score": float(cell.boss[at].sum()) / games,
                    }
                )  # fmt: skip
    return pd.DataFrame(rows)


def _share_columns(curve: Curve, cell: Cell, band: str = "") -> dict[str, Any]:
    means = share_of(curve, cell, band)
    low, high = means.interval()
    return {
        "games": means.blocks * means.games, "blocks": means.blocks, "win_share": means.mean, "low": low,
        "high": high, "interval": means.method,
    }  # fmt: skip


# ------------------------------------------------------------------ neighbours
def sign_flip_p(differences: np.ndarray) -> float:
    """Two-sided p-value against "within a block both levels are alike" (Fisher's randomisation of signs).

    ``differences``: whole numbers, one a block.  Exact for few blocks that differ, else the normal limit.
    """
    sizes = np.abs(differences[differences != 0]).astype(np.int64)
    total = abs(int(differences.sum()))
    if len(sizes) == 0:
        return 1.0
    if len(sizes) > _EXACT_BLOCKS:
        return math.erfc(total / math.sqrt(2 * float((sizes**2).sum())))
    chances = np.ones(1)  # of each sum, from the lowest to the highest in steps of 1
    for size, times in zip(*np.unique(sizes, return_counts=True), strict=True):
        k = np.arange(times + 1)
        weights = special.binom(times, k) * 0.5 ** float(times)
        spread = np.zeros(2 * size * times + 1)
        spread[2 * size * k] = weights
        chances = np.convolve(chances, spread)
    middle = len(chances) // 2
    return float(min(1.0, chances[: middle - total + 1].sum() + chances[middle + total :].sum() if total else 1.0))


def difference_interval(differences: np.ndarray, games: int, alpha: float = ALPHA) -> tuple[float, float]:
    """Limits (95 % by default) of the mean of block differences (each in [-1, 1], of ``games`` pairs).

    Student's t with many blocks that differ; else the limits of what speaks for and against, each at half the
    error, which no correlation makes too short.
    """
    if len(differences) >= NORMAL_BLOCKS and np.count_nonzero(differences) >= NORMAL_CHANGES:
        _, low, high = mean_interval(differences, alpha)
        return max(low, -1.0), min(high, 1.0)
    limits = []
    for part in (np.maximum(differences, 0), np.maximum(-differences, 0)):
        variance = float(part.var(ddof=1)) if len(part) > 1 else 0.0
        limits.append(BlockMeans(len(part), games, float(part.mean()), variance).interval(alpha / 2))
    return limits[0][0] - limits[1][1], limits[0][1] - limits[1][0]


def neighbours(curve: Curve) -> pd.DataFrame:
    """A row a pair of neighbouring levels and agent: the paired change of the win share, and what it says.

    ``change``: share at the harder level minus share at the easier one; Holm over the pairs of one agent.
    """
    tables = []
    for agent in curve.agents:
        rows: list[dict[str, Any]] = []
        for easier, harder in zip(curve.levels, curve.levels[1:], strict=False):
            games = np.rint(curve.cells[agent, harder].wins - curve.cells[agent, easier].wins)
            low, high = difference_interval(games / curve.games, curve.games)
            rows.append(
                {
                    "table": "neighbours", "agent": agent, "easier": easier, "harder": harder,
                    "change": float(games.mean()) / curve.games, "low": low, "high": high,
                    "blocks_differ": int(np.count_nonzero(games)), "p_value": sign_flip_p(games),
                    "variance": float((games / curve.games).var(ddof=1)) if len(games) > 1 else 0.0,
                }
            )  # fmt: skip
        for row, p_holm in zip(rows, holm([row["p_value"] for row in rows]).tolist(), strict=True):
            row["p_holm"] = p_holm
            row["answer"] = OPEN if p_holm >= ALPHA else FALLS if row["change"] < 0 else RISES
            needed = _needed(row["change"], row.pop("variance"), len(rows))
            row["games_needed"] = needed * curve.games if row["answer"] == OPEN else 0
        tables.append(pd.DataFrame(rows))
    return pd.concat(tables, ignore_index=True)


def _needed(change: float, variance: float, tests: int) -> int:
    """Blocks until a change as large as the one seen is found with POWER; 0 where none was seen."""
    if change == 0 or variance == 0:
        return 0
    z = float(special.ndtri(1 - ALPHA / tests / 2)) + float(special.ndtri(POWER))
    return math.ceil(variance * (z / change) ** 2)


# ------------------------------------------------------------------ target
def check_target(target: Sequence[float], levels: Sequence[str]) -> tuple[float, ...]:
    """``target`` as shares, one a level.  Raises UsageError."""
    if len(target) != len(levels):
        raise UsageError(f"target: {len(target)} shares, one a level is needed ({', '.join(levels)})")
    for share in target:
        if not 0 <= share <= 1:
            raise UsageError(f"target: {share:g} is not a share of games (allowed: 0 to 1)")
    return tuple(target)


def target_table(curve: Curve, target: Sequence[float], margin: float = MARGIN) -> pd.DataFrame:
    """A row an agent and level: the distance to the target, and whether it is more than chance (Holm an agent)."""
    shares = dict(zip(curve.levels, target, strict=True))
    tables = []
    for agent in curve.agents:
        means = {level: share_of(curve, curve.cells[agent, level]) for level in curve.levels}
        p_holm = holm([one.p_value(shares[level]) for level, one in means.items()]).tolist()
        rows = []
        for (level, one), p in zip(means.items(), p_holm, strict=True):
            distance = one.mean - shares[level]
            answer = UNDECIDED
            if one.equivalence_p(shares[level], margin) < ALPHA:
                answer = ON_TARGET
            elif p < ALPHA:
                answer = TOO_EASY if distance > 0 else TOO_HARD
            rows.append(
                {
                    "table": "target", "agent": agent, "difficulty": level, "win_share": one.mean,
                    "target": shares[level], "distance": distance, "p_holm": p, "answer": answer,
                }
            )  # fmt: skip
        tables.append(pd.DataFrame(rows))
    return pd.concat(tables, ignore_index=True)


def overall_distance(table: pd.DataFrame) -> tuple[float, float]:
    """(root of the mean squared distance, largest absolute distance) over the levels of one agent."""
    distance = table["distance"].to_numpy()
    return float(np.sqrt((distance**2).mean())), float(np.abs(distance).max())


# ------------------------------------------------------------------ the finding
@dataclass(frozen=True)
class CurveFinding:
    """What a stored difficulty run shows; ``target`` is None where no target was named."""

    folder: Path
    manifest: dict[str, Any]
    curve: Curve
    levels: pd.DataFrame
    bands: pd.DataFrame
    neighbours: pd.DataFrame
    target: pd.DataFrame | None


def find_curve(folder: Path, target: Sequence[float] | None = None, margin: float = MARGIN) -> CurveFinding:
    """What the difficulty run stored in ``folder`` shows.  Raises UsageError."""
    curve = read_curve(folder)
    wanted = None if target is None else target_table(curve, check_target(target, curve.levels), margin)
    return CurveFinding(
        folder, manifests.read(folder), curve, level_table(curve), band_table(curve), neighbours(curve), wanted
    )


def order_sentence(table: pd.DataFrame) -> str:
    """What the neighbouring levels of one agent say about the order of all, in words."""
    rows = table.to_dict("records")
    wrong = [f"{row['harder']} is easier than {row['easier']}" for row in rows if row["answer"] == RISES]
    unclear = [_unclear(row) for row in rows if row["answer"] == OPEN]
    if wrong:
        text = f"The levels are in the wrong order: {', '.join(wrong)}."
    elif unclear:
        text = "No pair of neighbouring levels is shown to be in the wrong order."
    else:
        return "Every level is harder than the one before it."
    return f"{text} Not told apart: {', '.join(unclear)}." if unclear else text


def _unclear(row: Mapping[Hashable, Any]) -> str:
    pair = f"{row['easier']} and {row['harder']}"
    if row["games_needed"]:
        return f"{pair} (about {row['games_needed']:,} games a level would)"
    return f"{pair} (no block differs)" if row["blocks_differ"] == 0 else pair
