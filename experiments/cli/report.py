"""The finding of a balance run as tables and words."""

from __future__ import annotations

import json
import shlex
from typing import Any

from rich.console import Console
from rich.table import Table

from experiments.balance import Finding
from experiments.plan import Prepared
from experiments.summary import parts
from experiments.verdict import BALANCED, OFF, Verdict, closing
from simcore.ruledata import toml_text

#: House lines that are printed; all of them are in the manifest.
_HOUSE_LINES = 6

#: Columns of games that say how long a game is; the others are in summary.csv.
_LENGTHS = ("rounds", "turns", "steps", "decisions", "forced", "events")

_COLOURS = {BALANCED: "green", OFF: "red"}

#: What the rows of each table are called.
SUBJECTS = {"band": "bands", "seat": "seats", "agent": "agents"}


def as_data(found: Finding) -> dict[str, Any]:
    """The finding as plain data (``--json``)."""
    return {
        "run": found.manifest["run"],
        "games": found.summary.games,
        "house": found.manifest["house"],
        "tables": {
            factor: rows.drop(columns="table").to_dict("records")
            for factor, rows in found.table.groupby("table", sort=False)
        },
        "lengths": found.lengths.to_dict("records"),
        "unfinished_share": found.summary.share_of("unfinished"),
        "tied_share": found.summary.share_of("tied"),
        "forced_share": found.summary.forced_share,
        "folder": str(found.folder),
    }


def print_finding(found: Finding, prepared: Prepared, console: Console) -> None:
    """Tables, then what they mean, then where everything is and how to go on."""
    for factor, verdicts in found.verdicts.items():
        console.print(_shares(found, factor, verdicts))
    if parts(found.summary):
        console.print(_scores(found))
    console.print(_lengths(found))
    for one in found.verdicts[found.subject]:
        console.print(one.sentence(found.summary.players), style=_COLOURS.get(one.answer, ""), markup=False)
    console.print()
    console.print(_paragraph(found), markup=False)
    console.print()
    for line in _where(found, prepared):
        console.print(line, markup=False, soft_wrap=True)


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", show_edge=False, pad_edge=False)
    for k, column in enumerate(columns):
        table.add_column(column, justify="left" if k == 0 or column == "verdict" else "right")
    return table


def _shares(found: Finding, factor: str, verdicts: list[Verdict]) -> Table:
    table = _table(
        f"Win share per {factor}",
        factor,
        "games",
        "win %",
        "95 % interval",
        "excess pp",
        "score",
        "forced %",
        "verdict",
    )
    rows = found.table[found.table["table"] == factor].to_dict("records")
    for one, row in zip(verdicts, rows, strict=True):
        table.add_row(
            one.name,
            f"{one.games:,}",
            f"{100 * one.share:.2f}",
            f"{100 * one.low:.2f} to {100 * one.high:.2f}",
            f"{100 * one.excess:+.2f}",
            f"{row.get('mean_score', 0):.2f}",
            f"{100 * row['forced_share']:.1f}",
            one.short,
            style=_COLOURS.get(one.answer),
        )
    return table


def _scores(found: Finding) -> Table:
    names = parts(found.summary)
    factor = found.subject
    labels = [name.removeprefix("points_").replace("_", " ") for name in names]
    table = _table("Mean score and its parts", factor, "score", *labels)
    groups = {str(name): group for name, group in found.summary.groups[factor].items()}
    for one in found.verdicts[factor]:
        group = groups[one.name]
        table.add_row(one.name, *(f"{group.mean(name):.2f}" for name in ["score", *names]))
    return table


def _lengths(found: Finding) -> Table:
    table = _table("The games", "a game", "mean", "sd", "least", "most")
    for row in found.lengths.to_dict("records"):
        if row["name"] in _LENGTHS:
            table.add_row(
                str(row["name"]).replace("_", " "),
                *(f"{row[key]:.2f}" for key in ("mean", "sd")),
                *(f"{row[key]:g}" for key in ("least", "most")),
            )
    table.add_row("tied for the win, %", f"{100 * found.summary.share_of('tied'):.2f}")
    table.add_row("unfinished, %", f"{100 * found.summary.share_of('unfinished'):.2f}")
    table.add_row("forced decisions, %", f"{100 * found.summary.forced_share:.1f}")
    return table


def _paragraph(found: Finding) -> str:
    """What was played and what it says: one paragraph a designer can act on."""
    run, design = found.manifest["run"], found.manifest["design"]
    agents = ", ".join(dict.fromkeys(run["agents"]))
    kind = "all line-ups" if design["complete"] else "a balanced part of all line-ups"
    text = (
        f"Played: {found.summary.games:,} games of {run['game']} with {run['players']} players, {kind} in every seat "
        f"rotation, seats played by {agents}. {closing(found.verdicts[found.subject], SUBJECTS[found.subject])}"
    )
    seats = found.verdicts.get("seat", [])
    if found.subject != "seat" and seats:
        best = max(seats, key=lambda one: one.share)
        worst = min(seats, key=lambda one: one.share)
        text += f" Seats: {100 * worst.share:.1f} % (seat {worst.name}) to {100 * best.share:.1f} % (seat {best.name})."
    return text + (
        " Intervals cover chance only. All of this is true of these agents: from here on they are the larger error, so "
        "try others (--agent) before changing a rule."
    )


def _where(found: Finding, prepared: Prepared) -> list[str]:
    """House data, files, and the next commands."""
    run, house = found.manifest["run"], found.manifest["house"]
    lines = []
    if house:
        lines.append("HOUSE DATA: these results rest on values that the rulebook does not print:")
        lines += [f"  {line}" for line in house[:_HOUSE_LINES]]
        if len(house) > _HOUSE_LINES:
            lines.append(
                f"  and {len(house) - _HOUSE_LINES} more (soundcheck rules show {run['game']}, or manifest.json)"
            )
    lines.append(
        f"Files in {found.folder}: games.parquet, seats.parquet, summary.csv, win_share.svg, win_share.png, report.html"
    )
    again = command(prepared)
    if found.summary.games < 1_000_000:
        lines.append(f"A million games: {again} --games 1000000")
    lines.append(f"One game again:  soundcheck play --run {shlex.quote(str(found.folder))} --game 0")
    return lines


def command(prepared: Prepared) -> str:
    """The command line of a plan, without its length."""
    plan = prepared.plan
    words = ["soundcheck", "balance", plan.game, "--players", str(plan.players), "--seed", str(plan.seed)]
    for agent in plan.agents:
        words += ["--agent", agent]
    for option, values in (("--set", plan.overrides), ("--variant", plan.variant)):
        for key, value in json.loads(values).items():
            words += [option, f"{key}={_as_typed(value)}"]
    if plan.rules_file:
        words += ["--rules", plan.rules_file]
    return shlex.join(words)


def _as_typed(value: Any) -> str:
    return value if isinstance(value, str) else toml_text(value)
