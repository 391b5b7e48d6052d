"""What seats came by and took in a run, and how often what happened, as sections of its page."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd

from experiments.balance import Finding, replay_plan, taken_file
from experiments.holdings import ALIKE, FEWER, MORE
from experiments.plots import excesses, win_share
from experiments.rates import rate_table
from experiments.report.content import Cell, Picture, Section, Table, count, interval, number, percent
from experiments.report.figures import svg
from experiments.verdict import BALANCED, OFF, UNDECIDED, spoken
from simcore import registry
from simcore.errors import UsageError

#: Words that the page may colour a row by.
_TONES = {BALANCED: "good", OFF: "bad", UNDECIDED: "open", ALIKE: "good", MORE: "bad", FEWER: "bad"}

_CHOSEN = "Players choose, and whoever is ahead can choose more: this says what goes with winning, not what causes it."


def usage_sections(found: Finding) -> list[Section]:
    """Sections on what the game of the run declares; none where it declares nothing."""
    game = registry.game(found.manifest["run"]["game"])
    sections = [_held(column, table) for column, table in found.holdings.items() if len(table)]
    sections += [_taken(thing, game.takings[thing].verb, table) for thing, table in found.takings.items() if len(table)]
    try:
        told = game.rates(replay_plan(found.folder).rules)
    except UsageError:  # the rules are no longer what they were, so their words are not these columns'
        told = ()
    tables = [(rates, rate_table(found.summary, rates)) for rates in told]
    shown = [_rates(rates.title, rates.per[1], table) for rates, table in tables if len(table)]
    return [*sections, Section("rates", "How often what happens", tables=shown)] if shown else sections


def _held(column: str, table: pd.DataFrame) -> Section:
    words = f"Win share per {column} with 95 % intervals, among the seats that have one: the numbers are in the table."
    rows = [
        [
            Cell(str(row["name"])), count(row["games"]), percent(row["win_share"], 2),
            interval(row["low"], row["high"], 2), number(100 * row["excess"], 2, sign=True), Cell(str(row["verdict"])),
        ]
        for row in table.to_dict("records")
    ]  # fmt: skip
    drawn = svg(partial(win_share, table), f"share-{column}", words, (9.0, 1.4 + 0.36 * len(table)))
    return Section(
        f"by-{column}", f"By {column}", [f"All seats that have one win {100 * table['fair'].iloc[0]:.2f} %. {_CHOSEN}"],
        [Picture(f"Share of games won per {column}", drawn, words)],
        [Table(f"Win share per {column}", [column, "seats", "win %", "95 % interval", "excess, pp", "verdict"], rows,
               [_TONES[str(answer)] for answer in table["verdict"]])],
    )  # fmt: skip


def _taken(thing: str, verb: str, table: pd.DataFrame) -> Section:
    told = table[table["excess"].notna()]
    words = f"Win share of seats that {verb} each {thing} minus that of the others: the numbers are in the table."
    columns = [
        thing, "offers", verb, "% of offers", "seats", "win %", "95 % interval", "without %", "difference, pp",
        "95 % interval", "verdict",
    ]  # fmt: skip
    drawn = svg(partial(excesses, told), f"taken-{thing}", words, (9.0, 1.6 + 0.16 * len(told)))
    return Section(
        f"by-{thing}", f"By {thing}",
        [f"Seats that {verb} it against the other seats of the games in which it was on offer. {_CHOSEN}"],
        [Picture(f"What goes with winning, per {thing}", drawn, words)],
        [Table(f"Win share with and without each {thing} (also in {taken_file(thing)})", columns,
               [_taken_row(row) for row in told.to_dict("records")],
               [_TONES[str(answer)] for answer in told["verdict"]])],
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
    return Table(title, ["", *(headings[name] for name in shown)], rows)
