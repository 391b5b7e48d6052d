"""Figures of those who play together against levels of difficulty."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd

from experiments import plots
from experiments.gallery.figure import Figure, listed, rows_high
from experiments.verdict import spoken


def curve(
    levels: pd.DataFrame, bands: pd.DataFrame | None, target: Sequence[float] | None = None, key: str = ""
) -> Figure:
    """The humans' win share by level, a line an agent; tables as in ``curve.level_table`` and ``band_table``."""
    said = "; ".join(
        f"{agent}: "
        + listed([(row["difficulty"], f"{100 * row['win_share']:.1f} %") for row in rows.to_dict("records")])
        for agent, rows in levels.groupby("agent", sort=False)
    )
    wanted = "" if target is None else "; target: " + ", ".join(f"{100 * share:g} %" for share in target)
    shown = bands if levels["agent"].nunique() < 3 else None
    return Figure(
        "difficulty", key, "Games that the humans win, by level",
        f"Share of games that the humans win, by level, with 95 % intervals. {said}{wanted}.",
        partial(plots.difficulty_curve, levels, target=target, bands=shown), 4.2,
    )  # fmt: skip


def level_map(bands: pd.DataFrame, agent: str, key: str = "") -> list[Figure]:
    """Win share by band and level for one agent; none where there is one band."""
    table = level_matrix(bands)
    if len(table) < 2:
        return []
    middle = float(table.to_numpy().mean())
    cells = table.to_numpy(float)
    ends = [divmod(int(at), cells.shape[1]) for at in (cells.argmin(), cells.argmax())]
    said = ", ".join(
        f"{spoken(str(table.index[row]))} at {table.columns[column]} {100 * cells[row, column]:.0f} %"
        for row, column in ends
    )
    return [
        Figure(
            "level-map", key, f"Band by level: games that the humans win, %, {agent}",
            f"Share of games won by band and level, from the lowest to the highest: {said}. All numbers are in the "
            "table below.",
            partial(plots.share_map, table, fair=middle, label=f"level (colours: around {100 * middle:.0f} %)"),
            rows_high(len(table), 0.3, 1.1), rows_high(len(table), 0.27, 1.4),
        )
    ]  # fmt: skip


def level_matrix(bands: pd.DataFrame) -> pd.DataFrame:
    """Win shares of one agent: a row a band, a column a level, as in ``curve.band_table``."""
    names, levels = list(dict.fromkeys(bands["band"])), list(dict.fromkeys(bands["difficulty"]))
    return bands.pivot(index="band", columns="difficulty", values="win_share").loc[names, levels]


def side_scores(levels: pd.DataFrame, columns: Sequence[str], agent: str, key: str = "") -> Figure:
    """Mean scores of both sides at each level, by part; ``columns``: the parts."""
    labels = [name.removeprefix("points_").replace("_", " ") for name in columns]
    rows = {
        f"{row['difficulty']}: {title}": [float(row[f"{side}_{name}"]) for name in columns]
        for row in levels.to_dict("records")
        for side, title in (("humans", "a human"), ("boss", "opponent"))
    }
    table = pd.DataFrame.from_dict(rows, orient="index", columns=labels)
    said = listed([(spoken(name), f"{sum(parts):.1f}") for name, parts in rows.items()], 24)
    heights = (rows_high(len(table), rest=rest) for rest in (1.35, 1.6))
    return Figure("scores", key, f"Mean scores by level and part, {agent}", f"Mean scores: {said}.",
                  partial(plots.score_parts, table), *heights)  # fmt: skip
