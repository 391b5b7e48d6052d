"""Figures of a plan: the range over its agents, what its rule sets change, agents against agents."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

import pandas as pd

from experiments import plots
from experiments.balance import Finding
from experiments.curve import CurveFinding
from experiments.findings import Found, StudyFinding
from experiments.gallery.figure import Figure, listed, rows_high
from experiments.study import Cell
from experiments.styles import ladder_table, matrix, pair_table, rungs_of, styles_of
from experiments.verdict import spoken

#: Axes that make places: cells of one place differ in agents alone.
PLACE = ("mode", "players", "rules", "seed")


@dataclass(frozen=True)
class Place:
    """The cells of a plan that differ in agents alone.  ``title``: what tells it from the others, "" for the only one;
    ``key``: the same as part of a name.
    """

    title: str
    key: str
    cells: list[tuple[Cell, Found]]

    @property
    def is_levels(self) -> bool:
        """Whether humans play together against levels of difficulty."""
        return isinstance(self.cells[0][1], CurveFinding)

    def levels(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Tables by level and by band and level of all its cells, where humans play together."""
        curves = [one for _, one in self.cells if isinstance(one, CurveFinding)]
        tables = ([one.levels for one in curves], [one.bands for one in curves])
        return pd.concat(tables[0], ignore_index=True), pd.concat(tables[1], ignore_index=True)


def places(found: StudyFinding) -> list[Place]:
    """The places of a plan, in order."""
    groups: dict[tuple, list[tuple[Cell, Found]]] = {}
    for cell, one in found.cells:
        groups.setdefault(tuple(cell.axes[axis] for axis in PLACE), []).append((cell, one))
    varied = [axis for k, axis in enumerate(PLACE) if len({key[k] for key in groups}) > 1]
    result = []
    for key, cells in groups.items():
        axes = dict(zip(PLACE, key, strict=True))
        title = ", ".join(_said(axis, axes[axis]) for axis in varied)
        result.append(Place(title, slug(title), cells))
    return result


def _said(axis: str, value: object) -> str:
    return {"players": f"{value} players", "rules": f"rules {value}", "seed": f"seed {value}"}.get(axis, f"{value}")


def rows_of(found: StudyFinding, place: Place) -> pd.DataFrame:
    """The rows of all cells of a place."""
    return found.table[found.table["cell"].isin([cell.name for cell, _ in place.cells])]


def panel(rows: pd.DataFrame, factor: str, word: str, place: Place) -> Figure:
    """Win shares of one table as every agent sees them."""
    ends = rows.groupby("name", sort=False)["win_share"].agg(["min", "max"])
    said = listed([(spoken(str(name)), f"{100 * row['min']:.1f} to {100 * row['max']:.1f} %")
                   for name, row in ends.iterrows()], 24)  # fmt: skip
    agents = rows["agents"].nunique()
    height = rows_high(len(ends), max(0.27, 0.11 * agents), 1.3)
    return Figure(
        "panel", slug(factor, place.key), f"Share of games won per {word}, as {agents} agents see it",
        f"Share of games won per {word}, the least and the most over {agents} agents: {said}.",
        partial(plots.win_share_panel, rows), height, height + 0.5,
    )  # fmt: skip


def slug(*parts: str) -> str:
    """Texts as part of a name."""
    return re.sub(r"[^a-z0-9]+", "-", "-".join(filter(None, parts)).lower()).strip("-")


def paired(found: StudyFinding) -> list[Figure]:
    """What each rule set changes against the baseline: a figure a cell and table."""
    figures: list[Figure] = []
    if not len(found.changes):
        return figures
    many = found.changes["cell"].nunique() > 1
    for (cell, name), rows in found.changes.groupby(["cell", "table"], sort=False):
        run = found.runs[found.runs["cell"] == cell].iloc[0]
        words = f"{run['rules']} against {run['against']}, {run['agents']}"
        if found.changes["players"].nunique() > 1:
            words += f", {run['players']} players"
        said = listed([(spoken(str(row["name"])), f"{100 * row['change']:+.1f} ({row['answer']})")
                       for row in rows.to_dict("records")], 24)  # fmt: skip
        figures.append(
            Figure(
                "paired", slug(str(name), words if many else ""), f"Change per {name}: {words}",
                f"Change of the win share per {name}, percentage points, {words}: {said}.",
                partial(plots.paired, rows), rows_high(len(rows)),
            )
        )  # fmt: skip
    return figures


def duels(found: StudyFinding) -> list[Figure]:
    """The ladder and the matrix of agents, where the plan's cells are one against the rest."""
    figures = []
    if (rungs := rungs_of(found.study)) and all(isinstance(one, Finding) for _, one in found.cells):
        table = ladder_table(found)
        said = listed([(row["rung"], f"{100 * row['height']:+.1f}") for row in table.to_dict("records")])
        figures.append(
            Figure("ladder", "", "The ladder of skill", f"Height above {rungs[0]}, percentage points: {said}.",
                   partial(plots.skill_ladder, table), rows_high(len(rungs), 0.4))
        )  # fmt: skip
    if agents := styles_of(found.study):
        pairs = pair_table(found)
        shares = matrix(pairs, agents)
        fair = float(pairs["fair"].iloc[0])
        said = listed([(f"{row['challenger']} at a table of {row['others']}", f"{100 * row['win_share']:.1f} %")
                       for row in pairs.to_dict("records")], 30)  # fmt: skip
        figures.append(
            Figure("styles", "", "Style matrix: games won by one (row) at a table of others (column), %",
                   f"Share of games won, fair is {100 * fair:.3g} per cent: {said}.",
                   partial(plots.style_matrix, shares, fair=fair), rows_high(len(agents), 0.36, 1.4))
        )  # fmt: skip
    return figures
