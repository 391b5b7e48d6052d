"""Pictures of a run: functions that take a table and axes and return the axes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from experiments.store import replacing
from experiments.verdict import BALANCED, OFF, UNDECIDED, spoken

#: Colour and mark of each answer: Okabe and Ito's palette, told apart without colour by the marks.
STYLE = {BALANCED: ("#0072B2", "o"), OFF: ("#D55E00", "s"), UNDECIDED: ("#666666", "D")}

#: Without these two a file would differ from run to run.
_SAVING: dict[str, dict[str, Any]] = {
    "svg": {"metadata": {"Date": None, "Creator": "soundcheck"}},
    "png": {"metadata": {"Software": "soundcheck"}, "dpi": 150},
}


def win_share(table: pd.DataFrame, axes: Axes) -> Axes:
    """Win share of each row with its interval, over the fair share and the margin around it.

    ``table``: rows as in ``verdict.frame`` (``name``, ``win_share``, ``low``, ``high``, ``fair``,
    ``margin``, ``verdict``), drawn from top to bottom.  Returns ``axes``.
    """
    fair, margin = 100 * float(table["fair"].iloc[0]), 100 * float(table["margin"].iloc[0])
    axes.axvspan(fair - margin, fair + margin, color="#0072B2", alpha=0.10, linewidth=0, label=f"within {margin:g} pp")
    axes.axvline(fair, color="black", linewidth=1, linestyle="--", label=f"fair ({fair:.3g} %)")
    places = range(len(table))
    for answer, (colour, mark) in STYLE.items():
        rows = [
            (place, row) for place, (_, row) in zip(places, table.iterrows(), strict=True) if row["verdict"] == answer
        ]
        if not rows:
            continue
        shares = [100 * row["win_share"] for _, row in rows]
        left = [100 * (row["win_share"] - row["low"]) for _, row in rows]
        right = [100 * (row["high"] - row["win_share"]) for _, row in rows]
        axes.errorbar(
            shares, [place for place, _ in rows], xerr=[left, right], fmt=mark, color=colour, capsize=3,
            markersize=6, label=answer,
        )  # fmt: skip
    axes.set_yticks(list(places), [spoken(str(name)) for name in table["name"]])
    axes.invert_yaxis()
    axes.set_xlabel("share of games won, % (with 95 % interval)")
    axes.grid(axis="x", alpha=0.3)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize="small", frameon=False)
    return axes


def save_win_share(table: pd.DataFrame, title: str, folder: Path) -> list[Path]:
    """Draw ``win_share`` into ``win_share.svg`` and ``win_share.png`` of ``folder``; returns their paths.

    One above the other where ``table`` holds several tables (its column ``table``).
    Needs no screen, and equal tables give equal bytes.  Raises UsageError when a file cannot be written.
    """
    parts = [part for _, part in table.groupby("table", sort=False)] if "table" in table else [table]
    heights = [1.6 + 0.38 * len(part) for part in parts]
    with rc_context({"svg.hashsalt": "soundcheck"}):
        figure = Figure(figsize=(9, sum(heights)), layout="constrained")
        FigureCanvasAgg(figure)
        every = figure.subplots(len(parts), 1, squeeze=False, height_ratios=heights)[:, 0]
        for part, axes in zip(parts, every, strict=True):
            win_share(part, axes)
            if len(parts) > 1:
                axes.set_ylabel(str(part["table"].iloc[0]))
        every[0].set_title(title, fontsize="medium")
        return _save(figure, folder, "win_share")


def excesses(table: pd.DataFrame, axes: Axes) -> Axes:
    """Difference of win shares with and without each thing, with its interval; as in ``holdings.taken_table``.

    Things too rare to measure are left out.  Returns ``axes``.
    """
    rows = table[table["excess_high"] - table["excess_low"] < 1]
    middle, low, high = (100 * rows[name].to_numpy() for name in ("excess", "excess_low", "excess_high"))
    places = range(len(rows))
    axes.axvline(0, color="black", linewidth=1, linestyle="--")
    axes.errorbar(middle, places, xerr=[middle - low, high - middle], fmt="o", color="#0072B2", capsize=2, markersize=4)
    axes.set_yticks(list(places), [spoken(str(name)) for name in rows["name"]], fontsize="x-small")
    axes.invert_yaxis()
    axes.set_xlabel("win share with minus without, percentage points (with 95 % interval)")
    axes.grid(axis="x", alpha=0.3)
    return axes


def save(
    draw: Callable[[Axes], Axes], title: str, folder: Path, name: str, size: tuple[float, float] = (9, 5)
) -> list[Path]:
    """Draw into ``name.svg`` and ``name.png`` of ``folder``; returns their paths.

    Needs no screen, and equal tables give equal bytes.  Raises UsageError when a file cannot be written.
    """
    with rc_context({"svg.hashsalt": "soundcheck"}):
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        draw(figure.add_subplot()).set_title(title, fontsize="medium")
        return _save(figure, folder, name)


def _save(figure: Figure, folder: Path, name: str) -> list[Path]:
    paths = []
    for kind, options in _SAVING.items():
        paths.append(folder / f"{name}.{kind}")
        with replacing(paths[-1]) as file:
            figure.savefig(file, format=kind, **options)
    return paths
