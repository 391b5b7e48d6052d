"""Tables of numbers as maps: a cell a pair, coloured by its distance from the fair share, with the number in it."""

from __future__ import annotations

import math

import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes

from experiments.plots.style import PAPER, below, is_narrow, named

#: Orange below, white at the middle, purple above: told apart by all eyes; the numbers say it too.
_SHADES = "PuOr"

#: Numbers on dark and on light cells: not the page's ink, for the cells keep their colour in the dark.
_ON_DARK, _ON_LIGHT = "#fefefe", "#010101"


def share_map(table: pd.DataFrame, axes: Axes, fair: float, label: str) -> Axes:
    """Win shares as a map of numbers, coloured by their distance from the fair share.

    ``table``: a row a band, a column a seat or another band, shares 0 to 1 (NaN: empty); ``label``: what the columns
    are.  Returns ``axes``.
    """
    reach = max(float((table - fair).abs().max().max()), 0.01)
    # A mesh, not an image: an image would be a picture inside the drawing, which the page's policy refuses.
    edges = [k - 0.5 for k in range(max(table.shape) + 1)]
    axes.pcolormesh(
        edges[: len(table.columns) + 1], edges[: len(table) + 1], table.to_numpy(float), cmap=_SHADES,
        vmin=fair - reach, vmax=fair + reach, edgecolors=PAPER, linewidth=2,
    )  # fmt: skip
    axes.invert_yaxis()
    _numbers(table, axes, fair, reach)
    axes.set_yticks(range(len(table)), [named(axes, name) for name in table.index])
    names = [named(axes, name) for name in table.columns]
    turned = max(map(len, names)) > (12 if len(names) < 5 and not is_narrow(axes) else 3)
    axes.set_xticks(range(len(names)), names, rotation=90 if turned and is_narrow(axes) else 40 if turned else 0,
                    ha="right" if turned and not is_narrow(axes) else "center")  # fmt: skip
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    below(axes, label)
    return axes


def _numbers(table: pd.DataFrame, axes: Axes, fair: float, reach: float) -> None:
    """The share in each cell, per cent."""
    shades = colormaps[_SHADES]
    for y, row in enumerate(table.to_numpy(float)):
        for x, share in enumerate(row):
            if not math.isnan(share):
                red, green, blue, _ = shades(0.5 + 0.5 * (share - fair) / reach)
                is_dark = 0.3 * red + 0.6 * green + 0.1 * blue < 0.5
                axes.text(x, y, f"{100 * share:.0f}", ha="center", va="center", fontsize=8.5,
                          color=_ON_DARK if is_dark else _ON_LIGHT)  # fmt: skip


def style_matrix(table: pd.DataFrame, axes: Axes, fair: float) -> Axes:
    """Win share of one agent (row) at a table of another (column); the diagonal stays empty.

    ``table``: as ``styles.matrix``.  Returns ``axes``.
    """
    shown = table.astype(float).copy()
    for name in shown.index.intersection(shown.columns):
        shown.loc[name, name] = float("nan")
    return share_map(shown, axes, fair, "at a table of")
