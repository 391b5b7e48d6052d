"""Win shares by any column of seats (a record company, an award), where it was not dealt by the design.

How many seats of a block hold a value differs from block to block, so a share is a ratio of two sums; its
variance is that of the linearised ratio over blocks (Cochran, "Sampling Techniques", 1977, section 6.4).  Only what
chance or a rule option deals out (``company_choice = "random"``) may be read as strength: what players
choose goes with how they stand.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from experiments.statistics import ALPHA, MARGIN, POWER, holm
from experiments.store import stored
from experiments.verdict import BALANCED, OFF, UNDECIDED
from simcore.errors import unknown

#: What seats that hold nothing have in such a column.
NOTHING = (-1, "none", "")


def factor_table(folder: Path, factor: str, margin: float = MARGIN) -> pd.DataFrame:
    """A row a value of the seats' column ``factor``: the win share of its holders against that of all holders.

    Columns as in ``verdict.frame``; ``fair`` is the share of all holders together.  Raises UsageError for a
    column that is not there.
    """
    data = stored(folder, "seats")
    if factor not in data.schema.names:
        raise unknown("factors", "column of seats", factor, data.schema.names)
    seats = data.to_table(columns=["block", factor, "win_share", "score"]).to_pandas()
    return ratio_table(seats, factor, margin)


def ratio_table(seats: pd.DataFrame, factor: str, margin: float = MARGIN) -> pd.DataFrame:
    """As ``factor_table``, of rows with ``block``, ``win_share``, ``score`` and ``factor``."""
    _, block = np.unique(seats["block"].to_numpy(), return_inverse=True)
    blocks = int(block.max()) + 1
    held = ~seats[factor].isin(NOTHING).to_numpy()
    wins = seats["win_share"].to_numpy()
    all_wins, all_rows = _sums(block, held, wins, blocks)
    rows = []
    for name in sorted(seats.loc[held, factor].unique().tolist(), key=str):
        at = (seats[factor] == name).to_numpy()
        own, count = _sums(block, at, wins, blocks)
        rows.append(
            {
                "table": factor, "name": str(name), "games": int(count.sum()), "blocks": blocks,
                **_ratio(own, count, all_wins, all_rows, margin), "mean_score": float(seats["score"][at].mean()),
            }
        )  # fmt: skip
    for row, p_holm in zip(rows, holm([row["p_value"] for row in rows]).tolist(), strict=True):
        row["p_holm"] = p_holm
        decided = BALANCED if row["p_equivalence"] < ALPHA else OFF if p_holm < ALPHA else UNDECIDED
        row["verdict"] = decided
        error = row.pop("error")
        row["games_needed"] = (
            _needed(row["excess"], error, margin, len(rows), row["games"]) if decided == UNDECIDED else 0
        )
    return pd.DataFrame(rows)


def _sums(block: np.ndarray, at: np.ndarray, wins: np.ndarray, blocks: int) -> tuple[np.ndarray, np.ndarray]:
    """(wins, rows) of the rows ``at``, a block."""
    return (
        np.bincount(block[at], weights=wins[at], minlength=blocks),
        np.bincount(block[at], minlength=blocks).astype(np.float64),
    )


def _ratio(own: np.ndarray, count: np.ndarray, wins: np.ndarray, rows: np.ndarray, margin: float) -> dict[str, Any]:
    """Share, its interval, and its difference from that of all holders with tests."""
    blocks = len(own)
    share, fair = own.sum() / count.sum(), wins.sum() / rows.sum()
    residual = (own - share * count) / count.mean()
    difference = residual - (wins - fair * rows) / rows.mean()
    t = float(special.stdtrit(max(blocks - 1, 1), 1 - ALPHA / 2))
    half = t * _error(residual)
    error = _error(difference)
    excess = share - fair
    return {
        "win_share": share, "low": max(0.0, share - half), "high": min(1.0, share + half), "fair": fair,
        "excess": excess, "p_value": _p(excess, error, blocks, two_sided=True),
        "p_equivalence": max(_p(margin - excess, error, blocks), _p(margin + excess, error, blocks)),
        "margin": margin, "interval": "ratio", "error": error,
    }  # fmt: skip


def _error(residual: np.ndarray) -> float:
    return float(residual.std(ddof=1) / np.sqrt(len(residual))) if len(residual) > 1 else float("inf")


def _p(distance: float, error: float, blocks: int, two_sided: bool = False) -> float:
    """p-value of Student's t: two-sided against 0, or one-sided against ``distance`` at most 0."""
    if error == 0:
        return 0.0 if distance > 0 or (two_sided and distance) else 1.0
    t = distance / error
    return (
        float(2 * special.stdtr(max(blocks - 1, 1), -abs(t)))
        if two_sided
        else float(special.stdtr(max(blocks - 1, 1), -t))
    )


def _needed(excess: float, error: float, margin: float, tests: int, games: int) -> int:
    """Rows until one of the two answers is likely, if the excess is what it now seems to be."""
    power = float(special.ndtri(POWER))
    goals = [abs(excess) / (float(special.ndtri(1 - ALPHA / tests / 2)) + power)]
    if abs(excess) < margin:
        goals.append((margin - abs(excess)) / (float(special.ndtri(1 - ALPHA)) + power))
    return int(np.ceil(games * (error / max(goals)) ** 2)) if np.isfinite(error) else 0
