"""Courses over levels and rounds: difficulty curves, scores by round, what a lead and a deficit are worth."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from experiments.plots.style import BLUE, INK, MARKS, PALETTE, SOFT, VERMILLION, legend, named

#: Points of a comeback curve that rest on fewer seats are left out: their intervals would cover the picture.
LEAST_SEATS = 10


def difficulty_curve(
    levels: pd.DataFrame, axes: Axes, target: Sequence[float] | None = None, bands: pd.DataFrame | None = None
) -> Axes:
    """The humans' win share by level, a line an agent with its intervals, over the target where there is one.

    ``levels``: rows as in ``curve.level_table`` (``agent``, ``difficulty``, ``win_share``, ``low``, ``high``), from
    the easiest to the hardest; ``target``: a share a level; ``bands``: rows as in ``curve.band_table``, drawn
    thin.  Returns ``axes``.
    """
    names = list(dict.fromkeys(levels["difficulty"]))
    places = list(range(len(names)))
    if target is not None:
        axes.plot(places, [100 * share for share in target], color=INK, linestyle=(0, (4, 3)), linewidth=1.2,
                  marker="_", markersize=14, markeredgewidth=2, label="target")  # fmt: skip
    for k, (agent, rows) in enumerate(levels.groupby("agent", sort=False)):
        colour, mark = PALETTE[k % 8], MARKS[k % 8]
        shift = 0.06 * (k - (levels["agent"].nunique() - 1) / 2)
        if bands is not None:
            for _, lines in bands[bands["agent"] == agent].groupby("band", sort=False):
                axes.plot(places, 100 * lines["win_share"], color=colour, alpha=0.3, linewidth=0.8, marker="")
        share = 100 * rows["win_share"]
        error = [share - 100 * rows["low"], 100 * rows["high"] - share]
        at = [place + shift for place in places]
        axes.errorbar(at, share, yerr=error, color=colour, marker=mark, capsize=3, label=str(agent))
    if bands is not None:
        axes.plot([], [], color=SOFT, linewidth=0.8, marker="", label="each band")
    axes.set_xticks(places, [named(axes, name) for name in names])
    axes.set_ylim(-3, 103)
    axes.set_ylabel("games that the humans win, %")
    axes.grid(axis="y")
    legend(axes)
    return axes


def score_by_round(table: pd.DataFrame, axes: Axes) -> Axes:
    """The mean score after each round, with the spread of seats around it and from the first to the last.

    ``table``: rows as in ``courses.score_table``: ``round``, ``mean``, ``p5``, ``p25``, ``p75``, ``p95`` over seats,
    ``best`` and ``worst`` (mean of the first and of the last of a game); ``side`` where sides differ (a line each,
    without best and worst).  Returns ``axes``.
    """
    names = list(dict.fromkeys(table["side"])) if "side" in table else [""]
    sides = [(str(name), table[table["side"] == name] if name else table) for name in names]
    for k, (side, rows) in enumerate(sides):
        colour, at = PALETTE[k], rows["round"]
        before = f"{side}, " if side else ""
        axes.fill_between(at, rows["p5"], rows["p95"], color=colour, alpha=0.13, linewidth=0,
                          label=f"{before}90 % of them")  # fmt: skip
        axes.fill_between(at, rows["p25"], rows["p75"], color=colour, alpha=0.22, linewidth=0)
        axes.plot(at, rows["mean"], color=colour, marker=MARKS[k], markersize=5, label=f"{before}mean")
        if not side:
            for name, dashes, label in (("best", (5, 2), "first of a game"), ("worst", (1, 1), "last of a game")):
                axes.plot(at, rows[name], color=INK, linewidth=1.1, linestyle=(0, dashes), marker="", label=label)
    _rounds(axes)
    axes.set_ylabel("score, if the game ended then")
    axes.set_ylim(bottom=min(0.0, float(table["p5"].min())))
    legend(axes)
    return axes


def lead_curve(table: pd.DataFrame, axes: Axes, fair: float, sure: float = 0.9) -> Axes:
    """What a lead is worth: how often the sole leader after a round wins the game, with its interval.

    ``table``: rows as in ``metrics.round_table`` (``round``, ``leader_wins``, ``low``, ``high``); ``fair``: the share
    of somebody who leads nothing; ``sure``: from here on a leader counts as a sure winner.  Returns ``axes``.
    """
    rows = table[table["leader_wins"].notna()]
    axes.axhline(100 * sure, color=VERMILLION, linewidth=1, linestyle=(0, (1, 1.5)), label=f"sure ({100 * sure:g} %)")
    axes.axhline(100 * fair, color=INK, linewidth=1, linestyle=(0, (4, 3)), label=f"fair ({100 * fair:.3g} %)")
    axes.fill_between(rows["round"], 100 * rows["low"], 100 * rows["high"], color=BLUE, alpha=0.18, linewidth=0,
                      label="95 % interval")  # fmt: skip
    axes.plot(rows["round"], 100 * rows["leader_wins"], color=BLUE, marker="o", label="sole leader wins")
    _rounds(axes)
    axes.set_ylim(-3, 103)
    axes.set_ylabel("games that the leader wins, %")
    legend(axes)
    return axes


def comeback_curve(table: pd.DataFrame, axes: Axes, fair: float) -> Axes:
    """What a deficit costs: the win share of a seat that stands so far behind after a round, with intervals.

    ``table``: rows as in ``metrics.comeback_table`` (``round``, ``from``, ``to``, ``seats``, ``win_share``, ``low``,
    ``high``); points from fewer than LEAST_SEATS seats are left out.  Returns ``axes``.
    """
    rows = table[table["seats"] >= LEAST_SEATS]
    axes.axhline(100 * fair, color=INK, linewidth=1, linestyle=(0, (4, 3)), label=f"fair ({100 * fair:.3g} %)")
    groups = list(rows.groupby("from"))
    for k, (_, line) in enumerate(groups):
        at = line["round"] + 0.08 * (k - (len(groups) - 1) / 2)
        share = 100 * line["win_share"]
        error = [share - 100 * line["low"], 100 * line["high"] - share]
        axes.errorbar(at, share, yerr=error, color=PALETTE[k], marker=MARKS[k], markersize=5, elinewidth=0.9,
                      capsize=2, label=behind(line["from"].iloc[0], line["to"].iloc[0]))  # fmt: skip
    _rounds(axes)
    axes.set_ylim(bottom=-2)
    axes.set_ylabel("games that it still wins, %")
    legend(axes)
    return axes


def behind(low: float, high: float) -> str:
    """A class of deficits in words."""
    return f"over {low:.0f} behind" if high == float("inf") else f"{low:.0f} to {high:.0f} behind"


def _rounds(axes: Axes) -> None:
    axes.set_xlabel("after round")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y")
