"""A row a thing and a dot with its interval: shares, differences, ratings, frequencies."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from experiments.plots.style import (
    BLUE,
    INK,
    LINE,
    MARKS,
    MUTED,
    PALETTE,
    PAPER,
    SOFT,
    VERDICTS,
    VERMILLION,
    below,
    legend,
    named,
    rows_on,
)
from experiments.verdict import BALANCED, UNDECIDED

_Numbers = Sequence[float] | np.ndarray

#: Answers of other tables than verdicts, as the verdict that they look like.
_LIKE = {"no change": BALANCED, "no difference": BALANCED, "changed": "off", "more wins": "off", "fewer wins": "off"}


def _dots(
    axes: Axes, x: _Numbers, y: _Numbers, low: _Numbers, high: _Numbers,
    colour: str, mark: str, label: str = "", hollow: bool = False, size: float = 6.5,
) -> None:  # fmt: skip
    """Dots with their intervals."""
    axes.hlines(y, low, high, color=colour, linewidth=2.4, alpha=0.45, zorder=2)
    face = PAPER if hollow else colour
    axes.plot(x, y, mark, color=colour, markerfacecolor=face, markersize=size, markeredgewidth=1.4, zorder=3,
              label=label or "_")  # fmt: skip


def _values(axes: Axes, texts: Iterable[str], colour: str = MUTED) -> None:
    """Texts at the right end of the rows."""
    for y, text in enumerate(texts):
        axes.text(1.01, y, text, transform=axes.get_yaxis_transform(), va="center", fontsize=8.5, color=colour)


def _answered(axes: Axes, rows: Sequence[Mapping[Hashable, Any]], keys: tuple[str, str, str, str]) -> None:
    """Dots in per cent, coloured and marked by their answer; ``keys``: columns of value, limits, answer."""
    value, low, high, answer = keys
    looks = {one: VERDICTS[_LIKE.get(one, one)] for one in dict.fromkeys(row[answer] for row in rows)}
    order = [*VERDICTS, *_LIKE]
    for said in sorted(looks, key=order.index):
        colour, mark = looks[said]
        at = [(y, row) for y, row in enumerate(rows) if row[answer] == said]
        _dots(
            axes, [100 * row[value] for _, row in at], [y for y, _ in at], [100 * row[low] for _, row in at],
            [100 * row[high] for _, row in at], colour, mark, said, hollow=said == UNDECIDED,
        )  # fmt: skip


def _around(axes: Axes, middle: float, margin: float, name: str) -> None:
    """The value to be compared with, and the margin around it."""
    axes.axvspan(middle - margin, middle + margin, color=BLUE, alpha=0.10, linewidth=0, zorder=0,
                 label=f"within {margin:g} pp")  # fmt: skip
    axes.axvline(middle, color=INK, linewidth=1, linestyle=(0, (4, 3)), zorder=1, label=name)


def win_share(table: pd.DataFrame, axes: Axes) -> Axes:
    """Win share of each row with its interval, over the fair share and the margin around it.

    ``table``: rows as in ``verdict.frame`` (``name``, ``win_share``, ``low``, ``high``, ``fair``, ``margin``,
    ``verdict``), drawn from top to bottom.  Returns ``axes``.
    """
    rows = table.to_dict("records")
    fair, margin = 100 * float(rows[0]["fair"]), 100 * float(rows[0]["margin"])
    _around(axes, fair, margin, f"fair ({fair:.3g} %)")
    _answered(axes, rows, ("win_share", "low", "high", "verdict"))
    rows_on(axes, [f"seat {row['name']}" if str(row["name"]).isdecimal() else row["name"] for row in rows])
    _values(axes, [f"{100 * row['win_share']:.1f}" for row in rows])
    below(axes, "share of games won, % (with 95 % interval)")
    legend(axes, 5)
    return axes


def win_share_panel(table: pd.DataFrame, axes: Axes) -> Axes:
    """Win share of each row as each agent sees it, and the range over the panel of agents.

    ``table``: a row a name and agent (``name``, ``agents``, ``win_share``, ``low``, ``high``, ``fair``,
    ``margin``); names are sorted by their mean over the panel.  Returns ``axes``.
    """
    names = table.groupby("name", sort=False)["win_share"].mean().sort_values(ascending=False, kind="stable").index
    ends = table.groupby("name", sort=False)["win_share"].agg(["min", "max"]).loc[names]
    axes.hlines(range(len(names)), 100 * ends["min"], 100 * ends["max"], color=LINE, linewidth=9, zorder=1,
                label="range over the panel")  # fmt: skip
    return _side_by_side(table, axes, list(names), "agents")


def win_share_runs(table: pd.DataFrame, axes: Axes) -> Axes:
    """Win share of each row in each of several runs.

    ``table``: as for ``win_share_panel`` with ``run`` for ``agents``; names keep their order.  Returns ``axes``.
    """
    return _side_by_side(table, axes, list(dict.fromkeys(table["name"])), "run")


def _side_by_side(table: pd.DataFrame, axes: Axes, names: list[Any], column: str) -> Axes:
    """Shares of ``names`` from top to bottom, a colour and mark a word of ``column``; fair where it is one."""
    if table["fair"].notna().all() and table["fair"].round(9).nunique() == 1:
        fair, margin = 100 * float(table["fair"].iloc[0]), 100 * float(table["margin"].iloc[0])
        _around(axes, fair, margin, f"fair ({fair:.3g} %)")
    words = list(dict.fromkeys(table[column]))
    step = 0.7 / max(len(words), 1)
    for k, word in enumerate(words):
        rows = table[table[column] == word]
        at = [names.index(name) + step * (k - (len(words) - 1) / 2) for name in rows["name"]]
        share, low, high = (100 * rows[name].to_numpy(float) for name in ("win_share", "low", "high"))
        _dots(axes, share, at, low, high, PALETTE[k % 8], MARKS[k % 8], str(word), size=4.5)
    rows_on(axes, [f"seat {name}" if str(name).isdecimal() else str(name) for name in names])
    below(axes, "share of games won, % (with 95 % interval)")
    legend(axes)
    return axes


def excesses(table: pd.DataFrame, axes: Axes) -> Axes:
    """Difference of win shares with and without each thing, with its interval; as in ``holdings.taken_table``.

    Things too rare to measure are left out.  Returns ``axes``.
    """
    rows = table[table["excess_high"] - table["excess_low"] < 1].to_dict("records")
    axes.axvline(0, color=INK, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    _answered(axes, rows, ("excess", "excess_low", "excess_high", "verdict"))
    rows_on(axes, [row["name"] for row in rows], _letters(len(rows)))
    below(axes, "win share with minus without, pp (with 95 % interval)")
    legend(axes)
    return axes


def picks(table: pd.DataFrame, axes: Axes) -> Axes:
    """How often each thing is taken when it is on offer, per cent; as in ``holdings.taken_table``.

    Drawn from the one that is taken most; nothing that was never on offer.  Returns ``axes``.
    """
    rows = table[table["offers"] > 0].sort_values(["pick", "name"], ascending=[False, True])
    axes.hlines(range(len(rows)), 0, 100 * rows["pick"], color=BLUE, alpha=0.35, linewidth=2)
    axes.plot(100 * rows["pick"], range(len(rows)), "o", color=BLUE, markersize=5)
    rows_on(axes, [str(name) for name in rows["name"]], _letters(len(rows)))
    axes.set_xlim(left=0)
    below(axes, "taken, % of the decisions at which it was on offer")
    return axes


def _letters(rows: int) -> float | None:
    return 7.5 if rows > 24 else None


def paired(table: pd.DataFrame, axes: Axes) -> Axes:
    """What a change of rules does to each win share, with the paired interval, over no change and the margin.

    ``table``: rows as in ``paired.share_table`` (``name``, ``change``, ``low``, ``high``, ``margin``,
    ``answer``).  Returns ``axes``.
    """
    rows = table.to_dict("records")
    _around(axes, 0, 100 * float(rows[0]["margin"]), "no change")
    _answered(axes, rows, ("change", "low", "high", "answer"))
    rows_on(axes, [f"seat {row['name']}" if str(row["name"]).isdecimal() else row["name"] for row in rows])
    _values(axes, [f"{100 * row['change']:+.1f}" for row in rows])
    below(axes, "change of win share, pp (with paired 95 % interval)")
    legend(axes)
    return axes


def ratings(table: pd.DataFrame, axes: Axes) -> Axes:
    """Strength of each thing with its interval, strongest first; rows of one factor as in ``ratings.rate``.

    ``table``: ``name``, ``strength``, ``low``, ``high`` (log odds), ``win_share``.  Returns ``axes``.
    """
    rows = table.sort_values(["strength", "name"], ascending=[False, True]).to_dict("records")
    axes.axvline(0, color=INK, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    _dots(axes, [row["strength"] for row in rows], range(len(rows)), [row["low"] for row in rows],
          [row["high"] for row in rows], BLUE, "o")  # fmt: skip
    rows_on(axes, [f"seat {row['name']}" if str(row["name"]).isdecimal() else row["name"] for row in rows])
    _values(axes, [f"{100 * row['win_share']:.0f} %" for row in rows])
    below(axes, "strength, log odds (with 95 % interval); at the right: wins among averages")
    return axes


def rates(table: pd.DataFrame, axes: Axes, unit: str = "turn") -> Axes:
    """How often each thing happens, by those who win and by the others; rows as in ``rates.rate_table``.

    ``unit``: what rates are taken by.  Things that only games count have one dot.  Returns ``axes``.
    """
    rows = table.to_dict("records")
    if "winners" in table:
        axes.hlines(range(len(rows)), table["winners"], table["others"], color=LINE, linewidth=5, zorder=1)
        for name, colour, mark in (("others", VERMILLION, "s"), ("winners", BLUE, "o")):
            axes.plot(table[name], range(len(rows)), mark, color=colour, label=name, zorder=3)
    else:
        axes.hlines(range(len(rows)), 0, table["rate"], color=LINE, linewidth=5, zorder=1)
        axes.plot(table["rate"], range(len(rows)), "o", color=BLUE)
    rows_on(axes, [str(row["name"]) for row in rows])
    axes.set_xlim(left=min(0.0, axes.get_xlim()[0]))
    below(axes, f"times a {unit}")
    legend(axes)
    return axes


def uses(table: pd.DataFrame, axes: Axes) -> Axes:
    """How often a seat uses each thing in a game, with its interval, and the win share of its users.

    ``table``: ``name``, ``times`` (a seat and game) with ``low`` and ``high``, ``users_win`` (share, NaN: nobody),
    most used first; as in ``courses.use_groups``.  Returns ``axes``.
    """
    rows = table.to_dict("records")
    axes.hlines(range(len(rows)), 0, table["times"], color=LINE, linewidth=5, zorder=1)
    times, low, high = (table[name].to_numpy(float) for name in ("times", "low", "high"))
    _dots(axes, times, range(len(rows)), low, high, BLUE, "o")
    rows_on(axes, [str(row["name"]) for row in rows], _letters(len(rows)))
    won = ["" if math.isnan(row["users_win"]) else f"{100 * row['users_win']:.0f} %" for row in rows]
    _values(axes, won)
    axes.set_xlim(left=0)
    below(axes, "times a seat and game (with 95 % interval); right: users win")
    return axes


def skill_ladder(table: pd.DataFrame, axes: Axes) -> Axes:
    """How far each agent stands above the weakest: sums of its steps, each step with its interval.

    ``table``: rows as in ``styles.ladder_table`` (``rung``, ``below``, ``win_share``, ``low``, ``high``, ``fair``,
    ``height``), weakest first.  Returns ``axes``.
    """
    rows = table.to_dict("records")
    names = [rows[0]["below"], *(row["rung"] for row in rows)]
    heights = np.array([0.0, *(row["height"] for row in rows)])
    places = list(range(len(names)))
    axes.step([100 * one for one in heights], places, where="post", color=LINE, linewidth=4, zorder=1)
    low = [100 * (row["height"] - row["win_share"] + row["low"]) for row in rows]
    high = [100 * (row["height"] - row["win_share"] + row["high"]) for row in rows]
    _dots(axes, [0.0], [0], [0.0], [0.0], SOFT, "D", hollow=True)
    _dots(axes, (100 * heights[1:]).tolist(), places[1:], low, high, BLUE, "o")
    axes.set_yticks(places, [named(axes, name) for name in names])
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.grid(axis="x")
    axes.axvline(0, color=INK, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    _values(axes, ["", *(f"{100 * row['win_share']:.0f} %" for row in rows)])
    below(axes, "height above the weakest, pp of win share; right: wins at a table of the one below")
    return axes
