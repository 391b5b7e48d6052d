"""Pictures of a page: matplotlib's drawings as inline SVG that takes its colour of text from the page."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import pandas as pd
from matplotlib import colormaps, rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from experiments.verdict import spoken

#: Colour of text and lines while drawing; the page's own takes its place.
_INK = "#0a0b0c"

#: Okabe and Ito's palette: told apart by those who see colours otherwise; hatching tells them apart without colour.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
HATCHES = ("", "//", "..", "\\\\", "xx", "--", "oo", "++")

_STYLE: Any = {
    "svg.hashsalt": "soundcheck",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "axes.edgecolor": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "legend.labelcolor": _INK,
    "hatch.linewidth": 0.4,
}


def svg(draw: Callable[[Axes], Axes], name: str, words: str, size: tuple[float, float]) -> str:
    """The drawing as an ``<svg>`` element with ``words`` as its label; ``name`` keeps its ids apart from others'."""
    with rc_context(_STYLE):
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        draw(figure.add_subplot())
        file = io.StringIO()
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return embed(file.getvalue(), name, words)


def embed(text: str, name: str, words: str) -> str:
    """A saved SVG file as an element of a page: no header, own ids, the page's ink, a label."""
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r'<style type="text/css">.*?</style>', "", text, flags=re.S)
    text = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', text)
    text = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", text)
    text = re.sub(r'href="#([^"]+)"', rf'href="#{name}-\1"', text)
    for ink in (_INK, "#000000", "black"):
        text = text.replace(f": {ink}", ": currentColor")
    head, rest = text.split(">", 1)
    head = re.sub(r'\s(width|height)="[^"]*"', "", head)
    label = words.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    return f'{head} role="img" aria-label="{label}">{rest}'


def score_parts(table: pd.DataFrame, axes: Axes) -> Axes:
    """Mean score of each row, its parts side by side: a row a band, a column a part (points).  Returns ``axes``."""
    left = pd.Series(0.0, index=table.index)
    places = range(len(table))
    for k, part in enumerate(table.columns):
        axes.barh(
            places, table[part], left=left, color=PALETTE[k % 8], hatch=HATCHES[k // 8 or k % 8], edgecolor="white",
            linewidth=0.5, label=part,
        )  # fmt: skip
        left = left + table[part]
    axes.set_yticks(list(places), [spoken(str(name)) for name in table.index])
    axes.invert_yaxis()
    axes.set_xlabel("points (mean of all games)")
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize="small", frameon=False)
    return axes


def share_map(table: pd.DataFrame, axes: Axes, fair: float, label: str) -> Axes:
    """Win shares as a map of numbers, coloured by their distance from the fair share.

    ``table``: a row a band, a column a seat or another band, shares 0 to 1 (NaN: empty); ``label``: what the columns
    are.  Returns ``axes``.
    """
    reach = max(float((table - fair).abs().max().max()), 0.01)
    # A mesh, not an image: an image would be a picture inside the drawing, which the page's policy refuses.
    edges = [k - 0.5 for k in range(max(table.shape) + 1)]
    axes.pcolormesh(
        edges[: len(table.columns) + 1], edges[: len(table) + 1], table.to_numpy(float), cmap="PuOr",
        vmin=fair - reach, vmax=fair + reach, edgecolors="white", linewidth=1,
    )  # fmt: skip
    axes.invert_yaxis()
    shades = colormaps["PuOr"]
    for i, row in enumerate(table.index):
        for k, column in enumerate(table.columns):
            share = table.loc[row, column]
            if pd.notna(share):
                red, green, blue, _ = shades(0.5 + 0.5 * (share - fair) / reach)
                is_dark = 0.3 * red + 0.6 * green + 0.1 * blue < 0.5
                axes.text(
                    k, i, f"{100 * share:.0f}", ha="center", va="center", fontsize="small",
                    color="#ffffff" if is_dark else "#010101",
                )  # fmt: skip
    axes.set_yticks(range(len(table)), [spoken(str(name)) for name in table.index])
    names = [spoken(str(name)) if isinstance(name, str) else str(name) for name in table.columns]
    axes.set_xticks(range(len(names)), names, rotation=40 if max(map(len, names)) > 3 else 0, ha="right")
    axes.set_xlabel(label)
    return axes
