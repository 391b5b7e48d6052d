"""What seats came by and took in a run, and how often what happened, as sections of its page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from experiments.balance import Finding, taken_file
from experiments.gallery.balance import rates, taken, win_shares
from experiments.gallery.pool import Pool
from experiments.gallery.runs import told_rates
from experiments.holdings import ALIKE, FEWER, MORE
from experiments.rates import rate_table
from experiments.report.content import Cell, Section, Table, count, interval, number, percent
from experiments.report.figures import pictures
from experiments.verdict import BALANCED, OFF, UNDECIDED, spoken
from simcore import registry

#: Words that the page may colour a row by.
_TONES = {BALANCED: "good", OFF: "bad", UNDECIDED: "open", ALIKE: "good", MORE: "bad", FEWER: "bad"}

#: A table of more rows is shown on demand.
_LONG = 20

_CHOSEN = "Players choose, and whoever is ahead can choose more: this says what goes with winning, not what causes it."


def usage_sections(found: Finding) -> list[Section]:
    """Sections on what the game of the run declares; none where it declares nothing."""
    game = registry.game(found.manifest["run"]["game"])
    sections = [_held(column, table) for column, table in found.holdings.items() if len(table)]
    for thing, table in found.takings.items():
        if len(table):
            sections.append(_taken(found, thing, game.takings[thing].verb, table))
    told = told_rates(found.folder, game.name)
    tables = [(one, rate_table(found.summary, one)) for one in told]
    shown = [_rates(one.title, one.per[1], table) for one, table in tables if len(table)]
    if shown:
        drawn = pictures(rates(Pool((found.folder,), 0, found.summary), told))
        sections.append(Section("rates", "How often what happens", [], drawn, shown))
    return sections


def _held(column: str, table: pd.DataFrame) -> Section:
    rows = [
        [
            Cell(spoken(str(row["name"]))), count(row["games"]), percent(row["win_share"], 2),
            interval(row["low"], row["high"], 2), number(100 * row["excess"], 2, sign=True), Cell(str(row["verdict"])),
        ]
        for row in table.to_dict("records")
    ]  # fmt: skip
    return Section(
        f"by-{column}", f"By {column}", [f"All seats that have one win {100 * table['fair'].iloc[0]:.2f} %. {_CHOSEN}"],
        pictures([win_shares(table, column, column)]),
        [Table(f"Win share per {column}", [column, "seats", "win %", "95 % interval", "excess, pp", "verdict"], rows,
               [_TONES[str(answer)] for answer in table["verdict"]])],
    )  # fmt: skip


def _taken(found: Finding, thing: str, verb: str, table: pd.DataFrame) -> Section:
    told = table[table["excess"].notna()]
    columns = [
        thing, "offers", verb, "% of offers", "seats", "win %", "95 % interval", "without %", "difference, pp",
        "95 % interval", "verdict",
    ]  # fmt: skip
    return Section(
        f"by-{thing}", f"By {thing}",
        [f"Seats that {verb} it against the other seats of the games in which it was on offer. {_CHOSEN}"],
        pictures(taken(found, thing, verb)),
        [Table(f"Win share with and without each {thing} (also in {taken_file(thing)})", columns,
               [_taken_row(row) for row in told.to_dict("records")],
               [_TONES[str(answer)] for answer in told["verdict"]], folded=len(told) > _LONG)],
    )  # fmt: skip


def _taken_row(row: Mapping[Any, Any]) -> list[Cell]:
    return [
        Cell(spoken(row["name"])), count(row["offers"]), count(row["times"]), percent(row["pick"], 2),
        count(row["games"]), percent(row["win_share"], 2), interval(row["low"], row["high"], 2),
        percent(row["win_share_without"], 2), number(100 * row["excess"], 2, sign=True),
        interval(row["excess_low"], row["excess_high"], 2), Cell(row["verdict"]),
    ]  # fmt: skip


def _rates(title: str, unit: str, table: pd.DataFrame) -> Table:
    headings = {"a_game": "a game", "rate": f"a {unit}", "share": "share %", "winners": f"winners, a {unit}",
                "others": f"others, a {unit}"}  # fmt: skip
    shown = [name for name in headings if name in table]
    rows = [
        [Cell(row["name"]), *(percent(row[name]) if name == "share" else number(row[name], 3) for name in shown)]
        for row in table.to_dict("records")
    ]
    return Table(title, ["", *(headings[name] for name in shown)], rows, folded=True)
