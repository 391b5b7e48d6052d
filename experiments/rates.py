"""How often what happens in a run, laid out as its game says."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import special

from experiments.statistics import ALPHA
from experiments.summary import Summary, by_blocks
from simcore.usage import Rates

_PIECE = 4096


def rate_table(summary: Summary, rates: Rates) -> pd.DataFrame:
    """A row a thing that ``rates`` names.

    ``a_game``: mean number a game, all seats together; ``rate``: by the unit of ``rates``; ``share``: of all these
    things together; ``winners``, ``others``: rates of the seats that won (or shared a win) and of all others, where
    it is seats that are counted.  Empty where the run holds none of its columns.
    """
    per = rates.per[0]
    if rates.of == "games":
        total = {name: spread.total for name, spread in summary.lengths.items()}
        winners: dict[str, float] = {}
    else:
        total = {}
        for group in summary.groups["seat"].values():
            for name, value in group.numbers.items():
                total[name] = total.get(name, 0) + value
        winners = summary.winners.numbers
    known = {label: name for label, name in rates.columns.items() if name in total and per in total}
    whole = sum(total[name] for name in known.values())
    rows = []
    for label, name in known.items():
        row = {"name": label, "a_game": total[name] / summary.games, "rate": _ratio(total[name], total[per])}
        if rates.whole:
            row["share"] = _ratio(total[name], whole)
        if winners:
            row["winners"] = _ratio(winners[name], winners[per])
            row["others"] = _ratio(total[name] - winners[name], total[per] - winners[per])
        rows.append(row)
    return pd.DataFrame(rows)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def with_limits(table: pd.DataFrame, folder: Path, rates: Rates) -> pd.DataFrame:
    """A table of ``rate_table`` with 95 % limits ``low`` and ``high`` of ``rate``, read from the stored run.

    A rate is a ratio of two sums over blocks, so its variance is that of the linearised ratio (Cochran, "Sampling
    Techniques", 1977, section 6.4).  Not a number for a single block.  Raises UsageError.
    """
    if not len(table):
        return table
    columns = [rates.columns[name] for name in table["name"]]
    per, blocks = rates.per[0], 0
    sums, products = np.zeros(len(columns) + 1), np.zeros((len(columns) + 1, len(columns) + 1))
    for piece in by_blocks(folder, rates.of, _PIECE, [*columns, per]):
        totals = piece.groupby("block")[[*columns, per]].sum().to_numpy(np.float64)
        blocks += len(totals)
        sums += totals.sum(axis=0)
        products += totals.T @ totals
    half = [_half_width(k, blocks, sums, products) for k in range(len(columns))]
    at = list(table.columns).index("rate") + 1
    limited = table.copy()
    limited.insert(at, "low", np.maximum(table["rate"] - half, 0.0))
    limited.insert(at + 1, "high", table["rate"] + half)
    return limited


def _half_width(k: int, blocks: int, sums: np.ndarray, products: np.ndarray) -> float:
    """Half width of the limits of column ``k`` by the last one (Student's t)."""
    if blocks < 2 or not sums[-1]:
        return math.nan
    ratio = sums[k] / sums[-1]
    spread = products[k, k] - 2 * ratio * products[k, -1] + ratio**2 * products[-1, -1]
    error = math.sqrt(max(spread, 0.0) * blocks / (blocks - 1)) / sums[-1]
    return float(special.stdtrit(blocks - 1, 1 - ALPHA / 2)) * error
