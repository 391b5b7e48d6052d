"""The picture of a difficulty run: functions that take tables and axes and return the axes."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes

from experiments.verdict import spoken

#: Colours and marks of the agents: Okabe and Ito's palette, told apart without colour by the marks.
_STYLES = (("#0072B2", "o"), ("#D55E00", "s"), ("#009E73", "^"), ("#CC79A7", "D"), ("#E69F00", "v"), ("#56B4E9", "P"))


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
        axes.plot(places, [100 * share for share in target], "k--", linewidth=1, marker="_", label="target")
    for k, (agent, rows) in enumerate(levels.groupby("agent", sort=False)):
        colour, mark = _STYLES[k % len(_STYLES)]
        shift = 0.06 * (k - (levels["agent"].nunique() - 1) / 2)
        if bands is not None:
            for _, lines in bands[bands["agent"] == agent].groupby("band", sort=False):
                axes.plot(places, 100 * lines["win_share"], color=colour, alpha=0.25, linewidth=0.8)
        share = 100 * rows["win_share"]
        error = [share - 100 * rows["low"], 100 * rows["high"] - share]
        at = [place + shift for place in places]
        axes.errorbar(at, share, yerr=error, color=colour, marker=mark, capsize=3, label=str(agent))
    if bands is not None:
        axes.plot([], [], color="#666666", alpha=0.4, linewidth=0.8, label="each band")
    axes.set_xticks(places, [spoken(name) for name in names])
    axes.set_ylim(-3, 103)
    axes.set_ylabel("games that the humans win, % (with 95 % interval)")
    axes.grid(axis="y", alpha=0.3)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize="small", frameon=False)
    return axes
