"""The finding of a difficulty run as tables and words."""

from __future__ import annotations

import math
import shlex
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from rich.console import Console
from rich.table import Table

from experiments.curve import FALLS, ON_TARGET, OPEN, RISES, CurveFinding, order_sentence, overall_distance
from experiments.store import replacing

#: A row of a table, by column.
Row = Mapping[Hashable, Any]

_COLOURS = {FALLS: "green", RISES: "red", ON_TARGET: "green"}


def write_summary(found: CurveFinding, folder: Path) -> None:
    """Write ``summary.csv`` into the run folder; ``table`` says what a row is about.  Raises UsageError."""
    tables = [found.levels, found.bands, found.neighbours]
    rows = pd.concat(tables if found.target is None else [*tables, found.target])
    content = rows.to_csv(index=False, float_format="%.6g", lineterminator="\n").encode()
    path = folder / "summary.csv"
    if not path.exists() or path.read_bytes() != content:
        with replacing(path) as file:
            file.write(content)


def as_data(found: CurveFinding) -> dict[str, Any]:
    """The finding as plain data (``--json``); null where a single block has no interval."""
    data: dict[str, Any] = {
        "run": found.manifest["run"],
        "house": found.manifest["house"],
        "levels": _rows(found.levels),
        "bands": _rows(found.bands),
        "neighbours": _rows(found.neighbours),
        "order": {str(agent): order_sentence(rows) for agent, rows in found.neighbours.groupby("agent", sort=False)},
        "folder": str(found.folder),
    }
    if found.target is not None:
        data["target"] = _rows(found.target)
        data["target_distance"] = {
            str(agent): dict(zip(("rms", "largest"), overall_distance(rows), strict=True))
            for agent, rows in found.target.groupby("agent", sort=False)
        }
    return data


def _rows(table: pd.DataFrame) -> list[dict[Hashable, Any]]:
    return table.drop(columns="table").to_dict("records")


def print_curve(found: CurveFinding, console: Console) -> None:
    """Tables, then what they mean, then where everything is."""
    for agent in found.curve.agents:
        levels = found.levels[found.levels["agent"] == agent]
        console.print(_levels(levels, agent))
        console.print(_parts(found, levels, agent))
        console.print(_bands(found, agent))
        console.print(_neighbours(found, agent))
        if found.target is not None:
            console.print(_target(found.target[found.target["agent"] == agent], agent))
        console.print()
    for line in _sentences(found):
        console.print(line, markup=False)
    console.print()
    if found.manifest["house"]:
        console.print(
            f"HOUSE DATA: these results rest on {len(found.manifest['house'])} kinds of values that the rulebook does "
            "not print; they are listed in manifest.json.",
            markup=False, soft_wrap=True,
        )  # fmt: skip
    console.print(
        f"Files in {found.folder}: games.parquet, seats.parquet, summary.csv, difficulty.svg, difficulty.png",
        markup=False, soft_wrap=True,
    )  # fmt: skip
    console.print(
        f"As one page:     soundcheck report {shlex.quote(str(found.folder))}\n"
        f"One game again:  soundcheck play --run {shlex.quote(str(found.folder))} --game 0",
        markup=False,
        soft_wrap=True,
    )


def _table(title: str, *columns: str, left: tuple[str, ...] = ()) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", show_edge=False, pad_edge=False)
    for k, column in enumerate(columns):
        table.add_column(column, justify="left" if k == 0 or column in left else "right")
    return table


def _percent(row: Row) -> list[str]:
    return [f"{100 * row['win_share']:.2f}", f"{100 * row['low']:.2f} to {100 * row['high']:.2f}"]


def _margin(row: Row) -> list[str]:
    limits = f"{row['margin_low']:+.2f} to {row['margin_high']:+.2f}" if math.isfinite(row["margin_low"]) else "-"
    return [f"{row['margin']:+.2f}", limits]


def _levels(levels: pd.DataFrame, agent: str) -> Table:
    table = _table(
        f"Levels, humans played by {agent}",
        "level", "games", "humans win %", "95 % interval", "margin", "95 % interval", "humans", "opponent", "sd",
        "5 to 95 %", "unfinished %",
    )  # fmt: skip
    for row in levels.to_dict("records"):
        table.add_row(
            str(row["difficulty"]), f"{row['games']:,}", *_percent(row), *_margin(row), f"{row['humans_score']:.2f}",
            f"{row['boss_score']:.2f}", f"{row['boss_sd']:.2f}", f"{row['boss_p5']} to {row['boss_p95']}",
            f"{100 * row['unfinished']:.2f}",
        )  # fmt: skip
    return table


def _parts(found: CurveFinding, levels: pd.DataFrame, agent: str) -> Table:
    names = found.curve.columns
    labels = [name.removeprefix("points_") for name in names]
    table = _table(f"Scores of a seat, {agent}", "level", "side", *labels, left=("side",))
    for row in levels.to_dict("records"):
        for side, title in (("humans", "human"), ("boss", "opponent")):
            level = str(row["difficulty"]) if side == "humans" else ""
            table.add_row(level, title, *(f"{row[f'{side}_{name}']:.2f}" for name in names))
    return table


def _bands(found: CurveFinding, agent: str) -> Table:
    names = found.curve.columns[1:]
    table = _table(
        f"Bands, {agent}",
        "band", "level", "games", "win %", "95 % interval", "margin", "score", "opponent",
        *(name.removeprefix("points_") for name in names), left=("level",),
    )  # fmt: skip
    rows = found.bands[found.bands["agent"] == agent].to_dict("records")
    for k, row in enumerate(rows):
        is_first = k == 0 or rows[k - 1]["band"] != row["band"]
        table.add_row(
            str(row["band"]) if is_first else "", str(row["difficulty"]), f"{row['games']:,}", *_percent(row),
            f"{row['margin']:+.2f}", f"{row['humans_score']:.2f}", f"{row['boss_score']:.2f}",
            *(f"{row[f'humans_{name}']:.2f}" for name in names),
        )  # fmt: skip
    return table


def _neighbours(found: CurveFinding, agent: str) -> Table:
    table = _table(
        f"Neighbouring levels on the same luck, {agent}",
        "from", "to", "change pp", "95 % interval", "blocks that differ", "p (Holm)", "answer", left=("to", "answer"),
    )  # fmt: skip
    for row in found.neighbours[found.neighbours["agent"] == agent].to_dict("records"):
        needed = f" (about {row['games_needed']:,} games a level needed)" if row["games_needed"] else ""
        table.add_row(
            row["easier"], row["harder"], f"{100 * row['change']:+.2f}",
            f"{100 * row['low']:+.2f} to {100 * row['high']:+.2f}", f"{row['blocks_differ']:,}", f"{row['p_holm']:.4f}",
            row["answer"] + (needed if row["answer"] == OPEN else ""), style=_COLOURS.get(row["answer"]),
        )  # fmt: skip
    return table


def _target(rows: pd.DataFrame, agent: str) -> Table:
    table = _table(
        f"Distance to the target, {agent}", "level", "target %", "humans win %", "distance pp", "p (Holm)", "answer",
        left=("answer",),
    )  # fmt: skip
    for row in rows.to_dict("records"):
        table.add_row(
            row["difficulty"], f"{100 * row['target']:.1f}", f"{100 * row['win_share']:.2f}",
            f"{100 * row['distance']:+.2f}", f"{row['p_holm']:.4f}", row["answer"], style=_COLOURS.get(row["answer"]),
        )  # fmt: skip
    return table


def _sentences(found: CurveFinding) -> list[str]:
    lines = []
    for agent, rows in found.neighbours.groupby("agent", sort=False):
        lines.append(f"{agent}: {order_sentence(rows)}")
    if found.target is not None:
        for agent, rows in found.target.groupby("agent", sort=False):
            rms, largest = overall_distance(rows)
            worst = max(rows.to_dict("records"), key=lambda row: abs(row["distance"]))
            side = "above" if worst["distance"] > 0 else "below"
            lines.append(
                f"{agent}: {100 * rms:.1f} pp from the target overall (root mean square), "
                f"most at {worst['difficulty']} ({100 * largest:.1f} pp {side})."
            )
    lines.append(
        "Intervals cover chance only. All of this is true of these agents: try others (--agent) before changing a rule."
    )
    return lines
