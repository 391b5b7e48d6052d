"""What a plan found, as tables and words."""

from __future__ import annotations

import math
import shlex
from pathlib import Path
from typing import Any

import pandas as pd
from rich.console import Console
from rich.table import Table

from experiments.findings import FLIPS, HOLDS, OPEN, StudyFinding, panel_sentences, verdict_words
from experiments.store import replacing
from experiments.verdict import BALANCED, OFF

#: Files of a plan's folder, beside its cells.
FILES = ("summary.csv", "panel.csv", "changes.csv", "metrics.csv")

#: House lines that are printed; all of them are in the manifests of the cells.
_HOUSE_LINES = 6

_COLOURS = {BALANCED: "green", HOLDS: "green", OFF: "red", FLIPS: "red", "changed": "red", "no change": "green"}

_AXES = ["mode", "players", "rules", "seed"]


def write_tables(found: StudyFinding, folder: Path) -> None:
    """Write FILES into the folder of the plan; tables without rows are left out.  Raises UsageError."""
    for name, table in zip(FILES, (found.table, found.panel, found.changes, found.metrics), strict=True):
        if len(table):
            with replacing(folder / name) as file:
                file.write(table.to_csv(index=False, float_format="%.6g", lineterminator="\n").encode())


def as_data(found: StudyFinding, folder: Path) -> dict[str, Any]:
    """Everything that was found as plain data (``--json``)."""
    return {
        "plan": found.study.model_dump(mode="json"),
        "cells": [cell.name for cell, _ in found.cells],
        **{name: getattr(found, name).to_dict("records") for name in ("table", "panel", "changes", "metrics", "runs")},
        "notes": found.notes,
        "house": found.house,
        "folder": str(folder),
    }


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", show_edge=False, pad_edge=False)
    words = (columns[0], "verdict", "over the panel", "answer")
    for column in columns:
        table.add_column(column, justify="left" if column in words else "right")
    return table


def print_study(found: StudyFinding, folder: Path, console: Console) -> None:
    """Every table of the plan, then where everything is."""
    if found.study.title:
        console.print(found.study.title, style="bold", markup=False)
    for key, rows in found.table.groupby(_AXES, sort=False):
        place = _place(found, dict(zip(_AXES, key, strict=True)))
        for name, group in rows.groupby("table", sort=False):
            if name != "band" or "difficulty" not in group or group["difficulty"].isna().all():
                console.print(_shares(found, str(name), group, place, dict(zip(_AXES, key, strict=True))))
    print_changes(found, console)
    for line in [*panel_sentences(found), *found.notes]:
        console.print(line, markup=False)
    _where(found, folder, console)


def print_comparison(found: StudyFinding, folder: Path, console: Console) -> None:
    """The paired changes alone, then where everything is."""
    print_changes(found, console)
    _where(found, folder, console)


def _place(found: StudyFinding, key: dict[str, Any]) -> str:
    """What tells this table from the others: the axes in which the cells differ."""
    words = [f"{axis} {key[axis]}" for axis in _AXES if found.table[axis].nunique() > 1]
    return ", ".join(words)


def _shares(found: StudyFinding, name: str, group: pd.DataFrame, place: str, key: dict[str, Any]) -> Table:
    """Win shares of one table: an agent a column, and the range over the panel beside the intervals."""
    agents = list(dict.fromkeys(group["agents"]))
    heads = [f"{agent} %" for agent in agents] if len(agents) > 1 else ["win %", "95 % interval", "score", "verdict"]
    heads += ["over the panel"] if len(agents) > 1 else []
    table = _table(f"Win share per {name}" + (f" ({place})" if place else ""), name, "games", *heads)
    for row_name in dict.fromkeys(group["name"]):
        rows = group[group["name"] == row_name].set_index("agents")
        games = f"{int(rows['games'].sum()):,}"
        if len(agents) == 1:
            row = rows.iloc[0]
            table.add_row(str(row_name), games, *_single(row), style=_COLOURS.get(row.get("verdict", "")))
            continue
        cells = [_interval(rows.loc[agent]) if agent in rows.index else "" for agent in agents]
        words, style = _panel(found, {**key, "table": name, "name": row_name})
        table.add_row(str(row_name), games, *cells, words, style=style)
    return table


def _interval(row: pd.Series) -> str:
    return f"{100 * row['win_share']:.1f} ({100 * row['low']:.1f} to {100 * row['high']:.1f})"


def _single(row: pd.Series) -> list[str]:
    score = row.get("mean_score", math.nan)
    if pd.isna(score):
        score = row.get("humans_score", math.nan)
    return [
        f"{100 * row['win_share']:.2f}", f"{100 * row['low']:.2f} to {100 * row['high']:.2f}",
        "" if pd.isna(score) else f"{score:.2f}", verdict_words(row),
    ]  # fmt: skip


def _panel(found: StudyFinding, key: dict[str, Any]) -> tuple[str, str]:
    rows = found.panel
    for name, value in key.items():
        rows = rows[rows[name] == value]
    row = rows.iloc[0]
    if pd.isna(row["fair"]):
        return f"{100 * row['least']:.1f} to {100 * row['most']:.1f} %", ""
    low, high = 100 * row["excess_least"], 100 * row["excess_most"]
    words = f"decided for {row['decided']} of {row['agents']}" if row["flips"] == OPEN else row["flips"]
    return f"{low:+.1f} to {high:+.1f} pp, {words}", _COLOURS.get(row["flips"], "")


# ------------------------------------------------------------------ rule sets
def print_changes(found: StudyFinding, console: Console) -> None:
    """A table a rule set: its paired changes against the baseline, then the numbers that were asked for."""
    if not len(found.changes):
        return
    for cell in dict.fromkeys(found.changes["cell"]):
        rows = found.changes[found.changes["cell"] == cell]
        run = found.runs[found.runs["cell"] == cell].iloc[0]
        title = f"{rows['rules'].iloc[0]} against {run['against']}, {rows['agents'].iloc[0]}"
        if found.table["players"].nunique() > 1:
            title += f", {rows['players'].iloc[0]} players"
        for name, group in rows.groupby("table", sort=False):
            console.print(_changes(str(name), group, title))
        console.print(_metrics(found, cell))
        console.print(
            f"{100 * run['diverged']:.1f} % of {run['games']:,} pairs of games came out otherwise, "
            f"{100 * run['other_winner']:.1f} % with another winner.",
            markup=False,
        )
        console.print()


def _changes(name: str, rows: pd.DataFrame, title: str) -> Table:
    table = _table(
        f"Win share per {name}: {title}", name, "before %", "after %", "change pp", "95 % interval", "gain", "answer"
    )
    for row in rows.to_dict("records"):
        answer = row["answer"]
        if answer == "no change":
            answer += f" (within {100 * row['margin']:g} pp)"
        elif row["games_needed"]:
            answer += f" (about {row['games_needed']:,} needed)"
        table.add_row(
            str(row["name"]), f"{100 * row['share_a']:.2f}", f"{100 * row['share_b']:.2f}",
            f"{100 * row['change']:+.2f}",
            f"{100 * row['low']:+.2f} to {100 * row['high']:+.2f}", _gain(row["gain"]), answer,
            style=_COLOURS.get(row["answer"]),
        )  # fmt: skip
    return table


def _gain(gain: float) -> str:
    return "all" if math.isinf(gain) else f"{gain:.1f}x"


def _metrics(found: StudyFinding, cell: str) -> Table:
    rows = found.metrics[found.metrics["cell"] == cell]
    wanted = rows["metric"].isin([*found.study.metrics, "rounds", "turns_a_player", "tied"])
    rows = rows[wanted & rows["table"].isin(["game", "band"])]
    table = _table(
        "Paired changes of other numbers", "metric", "of", "before", "after", "change", "95 % interval", "gain"
    )
    for row in rows.to_dict("records"):
        table.add_row(
            str(row["metric"]), str(row["name"]), f"{row['mean_a']:.3f}", f"{row['mean_b']:.3f}",
            f"{row['change']:+.3f}",
            f"{row['low']:+.3f} to {row['high']:+.3f}", _gain(row["gain"]),
        )  # fmt: skip
    return table


def _where(found: StudyFinding, folder: Path, console: Console) -> None:
    if found.house:
        console.print("HOUSE DATA: these results rest on values that the rulebook does not print:", markup=False)
        for line in found.house[:_HOUSE_LINES]:
            console.print(f"  {line}", markup=False, soft_wrap=True)
        if len(found.house) > _HOUSE_LINES:
            more = len(found.house) - _HOUSE_LINES
            console.print(f"  and {more} more (soundcheck rules show {found.study.game})", markup=False, soft_wrap=True)
    names = [name for name in FILES if (folder / name).exists()]
    console.print(f"Files in {folder}: {', '.join(names)}, cells/ (a run folder each)", markup=False, soft_wrap=True)
    console.print(f"As one page: soundcheck report {shlex.quote(str(folder))}", markup=False, soft_wrap=True)
