"""Amounts as bars: where the points come from, how long games are."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from experiments.plots.style import BLUE, HATCHES, INK, PALETTE, PAPER, below, is_narrow, legend, rows_on

#: Bars of a histogram, at most.
_BARS = 40


def score_parts(table: pd.DataFrame, axes: Axes) -> Axes:
    """Mean score of each row, its parts side by side: a row a band, a column a part (points).  Returns ``axes``."""
    left = pd.Series(0.0, index=table.index)
    places = range(len(table))
    for k, part in enumerate(table.columns):
        axes.barh(
            places, table[part], 0.72, left=left, color=PALETTE[k % 8], hatch=HATCHES[k // 8 or k % 8],
            edgecolor=PAPER, linewidth=0.8, label=str(part),
        )  # fmt: skip
        left = left + table[part]
    rows_on(axes, [str(name) for name in table.index])
    for place, total in zip(places, left, strict=True):
        axes.text(total, place, f" {total:.1f}", va="center", fontsize=8.5, color=INK)
    axes.set_xlim(right=float(left.max()) * (1.16 if is_narrow(axes) else 1.08))
    below(axes, "points (mean of all games)")
    legend(axes, 5)
    return axes


def game_length(table: pd.DataFrame, axes: Axes, label: str) -> Axes:
    """How many games were how long, with the mean.

    ``table``: a row a length (``value``, ``games``); ``label``: what is counted.  Returns ``axes``.
    """
    values, games = table["value"].to_numpy(float), table["games"].to_numpy(float)
    least, most = values.min(), values.max()
    whole = bool((values == np.rint(values)).all())
    width = max(1.0, float(np.ceil((most - least + 1) / _BARS))) if whole else max((most - least) / _BARS, 1e-9)
    edges = np.arange(least - (0.5 if whole else 0), most + width + 0.5, width)
    counts, _ = np.histogram(values, edges, weights=games)
    axes.bar(edges[:-1], 100 * counts / games.sum(), width, align="edge", color=BLUE, edgecolor=PAPER, linewidth=0.8)
    mean = float((values * games).sum() / games.sum())
    axes.axvline(mean, color=INK, linewidth=1.2, linestyle=(0, (4, 3)), label=f"mean {mean:,.1f}")
    below(axes, label)
    axes.set_ylabel("games, %")
    axes.grid(axis="y")
    legend(axes)
    return axes
