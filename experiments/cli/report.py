"""The finding of a balance run as tables and words."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Mapping
from typing import Any

import pandas as pd
from rich.console import Console
from rich.table import Table

from experiments.against import CHANGED, SAME
from experiments.balance import Finding, taken_file
from experiments.holdings import ALIKE, FEWER, MORE
from experiments.plan import Prepared
from experiments.rates import rate_table
from experiments.summary import parts
from experiments.verdict import BALANCED, OFF, Verdict, closing
from simcore.ruledata import toml_text
from simcore.usage import Rates

#: House lines that are printed; all of them are in the manifest.
_HOUSE_LINES = 6

#: Columns of games that say how long a game is; the others are in summary.csv.
LENGTHS = ("rounds", "turns", "turns_a_player", "steps", "decisions", "forced", "events")

#: Things of either end that a table of things taken shows; all of them are in their file.
_ENDS = 8

_COLOURS = {BALANCED: "green", OFF: "red", ALIKE: "green", MORE: "red", FEWER: "red"}


def as_data(found: Finding) -> dict[str, Any]:
    """The finding as plain data (``--json``)."""
    return {
        "run": found.manifest["run"],
        "games": found.summary.games,
        "data": found.manifest.get("data", ""),
        "house": found.manifest["house"],
        "tables": {
            factor: rows.drop(columns="table").to_dict("records")
            for factor, rows in found.table.groupby("table", sort=False)
        },
        "holdings": {name: table.to_dict("records") for name, table in found.holdings.items()},
        "takings": {name: table.to_dict("records") for name, table in found.takings.items()},
        "lengths": found.lengths.to_dict("records"),
        "unfinished_share": found.summary.share_of("unfinished"),
        "tied_share": found.summary.share_of("tied"),
        "forced_share": found.summary.forced_share,
        "folder": str(found.folder),
    }


def print_finding(found: Finding, prepared: Prepared, console: Console) -> None:
    """Tables, then what they mean, then where everything is and how to go on."""
    for factor, verdicts in found.verdicts.items():
        console.print(_shares(found, factor, verdicts, found.word(factor)))
    for column, rows in found.holdings.items():
        if len(rows):
            console.print(_held(column, rows))
    if parts(found.summary):
        console.print(_scores(found, found.word(found.subject)))
    console.print(_lengths(found))
    for rates in prepared.game.rates(prepared.rules):
        rows = rate_table(found.summary, rates)
        if len(rows):
            console.print(_rates(rates, rows))
    for thing, rows in found.takings.items():
        if len(rows):
            console.print(_taken(thing, prepared.game.takings[thing].verb, rows))
    for one in found.verdicts[found.subject]:
        console.print(one.sentence(found.summary.players), style=_COLOURS.get(one.answer, ""), markup=False)
    console.print()
    console.print(_paragraph(found, found.word(found.subject)), markup=False)
    console.print()
    for line in _where(found, prepared):
        console.print(line, markup=False, soft_wrap=True)


def print_against(changed: pd.DataFrame, change: str, other: str, console: Console) -> None:
    """What a change of rules does to the same games; ``other``: the folder that holds them."""
    shares = changed[changed["table"] != "game"]
    table = _table(
        f"The same games with {change}", "win share", "before %", "after %", "change pp", "95 % interval", "verdict",
    )  # fmt: skip
    for row in shares.to_dict("records"):
        name = f"seat {row['name']}" if row["table"] == "seat" else row["name"]
        table.add_row(
            name, _percent(row["before"]), _percent(row["after"]), f"{100 * row['change']:+.2f}",
            _interval(row["low"], row["high"], "+"), row["verdict"],
            style={CHANGED: "red", SAME: "green"}.get(row["verdict"]),
        )  # fmt: skip
    numbers = _table("", "mean a game", "before", "after", "change", "95 % interval")
    for row in changed[changed["table"] == "game"].to_dict("records"):
        numbers.add_row(
            str(row["name"]).replace("_", " "), f"{row['before']:.2f}", f"{row['after']:.2f}", f"{row['change']:+.2f}",
            f"{row['low']:+.2f} to {row['high']:+.2f}",
        )  # fmt: skip
    console.print()
    console.print(table)
    console.print(numbers)
    console.print(
        f"Rows of this table: against.csv in the folder above; the games: {other}", markup=False, soft_wrap=True
    )


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", show_edge=False, pad_edge=False)
    for k, column in enumerate(columns):
        table.add_column(column, justify="left" if k == 0 or column == "verdict" else "right")
    return table


def _shares(found: Finding, factor: str, verdicts: list[Verdict], noun: str) -> Table:
    table = _table(
        f"Win share per {noun}",
        noun,
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


def _held(column: str, rows: pd.DataFrame) -> Table:
    """Win shares of those who came by something, against that of all who came by one of its kind."""
    table = _table(
        f"Win share per {column} (against {_percent(rows['fair'].iloc[0])} % of all seats with one)",
        column, "seats", "win %", "95 % interval", "excess pp", "verdict",
    )  # fmt: skip
    for row in rows.to_dict("records"):
        table.add_row(
            row["name"], f"{row['games']:,}", _percent(row["win_share"]), _interval(row["low"], row["high"]),
            f"{100 * row['excess']:+.2f}", _answer(row), style=_COLOURS.get(row["verdict"]),
        )  # fmt: skip
    return table


def _rates(rates: Rates, rows: pd.DataFrame) -> Table:
    unit = rates.per[1]
    columns = {"a_game": "a game", "rate": f"a {unit}", "share": "share %", "winners": f"winners, a {unit}",
               "others": f"others, a {unit}"}  # fmt: skip
    shown = [name for name in columns if name in rows]
    table = _table(rates.title, "", *(columns[name] for name in shown))
    for row in rows.to_dict("records"):
        cells = [f"{100 * row[name]:.1f}" if name == "share" else f"{row[name]:.3f}" for name in shown]
        table.add_row(row["name"], *cells)
    return table


def _taken(thing: str, verb: str, rows: pd.DataFrame) -> Table:
    """The things that go with winning most and least; the whole table is in a file."""
    table = _table(
        f"Per {thing}: seats that {verb} it against the others where it was on offer (all {len(rows)}: "
        f"{taken_file(thing)})",
        thing, "offers", verb, "% of offers", "seats", "win %", "95 % interval", "without %", "difference pp",
        "95 % interval", "verdict",
    )  # fmt: skip
    told = rows[rows["excess"].notna()].to_dict("records")
    cut = len(told) > 2 * _ENDS
    for k, row in enumerate(told):
        if cut and k == _ENDS:
            table.add_row("...")
        if not cut or k < _ENDS or k >= len(told) - _ENDS:
            table.add_row(
                row["name"], f"{row['offers']:,}", f"{row['times']:,}", _percent(row["pick"]), f"{row['games']:,}",
                _percent(row["win_share"]), _interval(row["low"], row["high"]), _percent(row["win_share_without"]),
                f"{100 * row['excess']:+.2f}", _interval(row["excess_low"], row["excess_high"], "+"), row["verdict"],
                style=_COLOURS.get(row["verdict"]),
            )  # fmt: skip
    return table


def _percent(share: float) -> str:
    return "" if math.isnan(share) else f"{100 * share:.2f}"


def _interval(low: float, high: float, sign: str = "") -> str:
    return "" if math.isnan(low) else f"{100 * low:{sign}.2f} to {100 * high:{sign}.2f}"


def _answer(row: Mapping[Any, Any]) -> str:
    """The verdict of a row of a table in a few words."""
    if row["verdict"] == BALANCED:
        return f"balanced (within {100 * row['margin']:g} pp)"
    return f"off by {100 * row['excess']:+.1f} pp" if row["verdict"] == OFF else row["verdict"]


def _scores(found: Finding, noun: str) -> Table:
    names = parts(found.summary)
    factor = found.subject
    labels = [name.removeprefix("points_").replace("_", " ") for name in names]
    table = _table("Mean score and its parts", noun, "score", *labels)
    groups = {str(name): group for name, group in found.summary.groups[factor].items()}
    for one in found.verdicts[factor]:
        group = groups[one.name]
        table.add_row(one.name, *(f"{group.mean(name):.2f}" for name in ["score", *names]))
    return table


def _lengths(found: Finding) -> Table:
    table = _table("The games", "a game", "mean", "95 % interval", "sd", "least", "most")
    for row in found.lengths.to_dict("records"):
        if row["name"] in LENGTHS:
            table.add_row(
                str(row["name"]).replace("_", " "),
                f"{row['mean']:.2f}",
                "" if math.isnan(row["low"]) else f"{row['low']:.2f} to {row['high']:.2f}",
                f"{row['sd']:.2f}",
                *(f"{row[key]:g}" for key in ("least", "most")),
            )
    table.add_row("tied for the win, %", f"{100 * found.summary.share_of('tied'):.2f}")
    table.add_row("unfinished, %", f"{100 * found.summary.share_of('unfinished'):.2f}")
    table.add_row("forced decisions, %", f"{100 * found.summary.forced_share:.1f}")
    return table


def _paragraph(found: Finding, noun: str) -> str:
    """What was played and what it says: one paragraph a designer can act on."""
    run, design = found.manifest["run"], found.manifest["design"]
    agents = ", ".join(dict.fromkeys(run["agents"]))
    kind = "all line-ups" if design["complete"] else "a balanced part of all line-ups"
    text = (
        f"Played: {found.summary.games:,} games of {run['game']} with {run['players']} players, {kind} in every seat "
        f"rotation, seats played by {agents}. {closing(found.verdicts[found.subject], noun + 's')}"
    )
    seats = found.verdicts.get("seat", [])
    if found.subject != "seat" and seats:
        best = max(seats, key=lambda one: one.share)
        worst = min(seats, key=lambda one: one.share)
        text += f" Seats: {100 * worst.share:.1f} % (seat {worst.name}) to {100 * best.share:.1f} % (seat {best.name})."
    if found.holdings or found.takings:
        kinds = " and ".join(f"{kind} tables" for kind in (*found.holdings, *found.takings))
        text += f" The {kinds} say what goes with winning: players choose, and whoever is ahead can choose more."
    return text + (
        " Intervals cover chance only. All of this is true of these agents: from here on they are the larger error, so "
        "try others (--agent) before changing a rule."
    )


def _where(found: Finding, prepared: Prepared) -> list[str]:
    """House data, files, and the next commands."""
    run, house = found.manifest["run"], found.manifest["house"]
    lines = [found.manifest["data"]] if found.manifest.get("data") else []
    if house:
        lines.append("HOUSE DATA: these results rest on values that the rulebook does not print:")
        lines += [f"  {line}" for line in house[:_HOUSE_LINES]]
        if len(house) > _HOUSE_LINES:
            lines.append(
                f"  and {len(house) - _HOUSE_LINES} more (soundcheck rules show {run['game']}, or manifest.json)"
            )
    files = ["games.parquet", "seats.parquet", "summary.csv", "win_share.svg", "win_share.png", "report.html"]
    files += [taken_file(thing, kind) for thing in found.takings for kind in ("csv", "svg", "png")]
    lines.append(f"Files in {found.folder}: {', '.join(files)}")
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
