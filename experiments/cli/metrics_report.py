"""Metrics of play as tables of text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd
from rich.console import Console
from rich.table import Table

from simcore.subjects import ACTION

_TITLES = {
    "games": "The games", "rounds": "Scores if the game ended after a round, and what a sole leader makes of it",
    "comebacks": "Win share of a seat that stands so far behind", "bands": "Bands, as the plan seated them",
}  # fmt: skip

#: Limits are in the files; printed are those of what each table is about.
_UNPRINTED = ("spread_low", "spread_high")


def print_metrics(tables: Mapping[str, pd.DataFrame], data: Mapping[str, Any], most: int, console: Console) -> None:
    """Every table of a run's metrics; ``data``: what is beside them, ``most``: rows of options of one kind."""
    for name, title in _TITLES.items():
        frame = tables[name].drop(columns=list(_UNPRINTED), errors="ignore")
        if len(frame):
            console.print(_plain(title, frame))
    for kind, uses in tables["uses"].groupby("kind", sort=False):
        _print_uses(str(kind), uses, data["never_offered"].get(kind, []), most, console)
    console.print(
        "Offers and picks are a seat and game.  users win: users differ from others in more than the option; ablate it "
        "before believing it.",
        markup=False,
    )
    for title, table in data["rates"].items():
        console.print(_rates(title, data["units"][title], table))
    runaway = data["runaway_round"]
    console.print(
        "No round before the end from which a sole leader wins 90 % of the games."
        if math.isnan(runaway)
        else f"Runaway: from round {runaway:g} on, a sole leader wins 90 % of the games or more.",
        markup=False,
    )


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", show_edge=False, pad_edge=False)
    for k, column in enumerate(columns):
        table.add_column(column, justify="left" if k == 0 else "right")
    return table


def _plain(title: str, frame: pd.DataFrame) -> Table:
    table = _table(title, *(str(column).replace("_", " ") for column in frame.columns))
    for row in frame.itertuples(index=False):
        table.add_row(*(value if isinstance(value, str) else _number(value) for value in row))
    return table


def _print_uses(kind: str, uses: pd.DataFrame, never: list[str], most: int, console: Console) -> None:
    by = [name for name in ("seat", "band") if name in uses.columns]
    title = "Other actions" if kind == ACTION else f"Options by {kind}"
    heads = ("offered", "picked", "picks an offer, %", "95 %", "used in, %", "first round", "users win, %", "95 %")
    table = _table(title, "option", *by, *heads)
    for row in uses.head(most).to_dict("records"):
        table.add_row(
            str(row["option"]), *(str(row[name]) for name in by), _number(row["offered"]), _number(row["picked"]),
            _percent(row["pick_rate"]), _limits(row["low"], row["high"]), _percent(row["used_in"]),
            _number(row["first_round"]), _percent(row["users_win"]), _limits(row["users_low"], row["users_high"]),
        )  # fmt: skip
    console.print(table)
    if len(uses) > most:
        console.print(f"and {len(uses) - most} more (--rows, or metrics_uses.parquet)", markup=False)
    if never:
        console.print(f"never on offer in these games: {', '.join(never)}", markup=False, soft_wrap=True)


def _rates(title: str, unit: str, frame: pd.DataFrame) -> Table:
    words = {"name": title, "a_game": "a game", "rate": f"a {unit}", "low": "95 % from", "high": "to"}
    frame = frame.rename(columns={**words, "winners": f"winners, a {unit}", "others": f"others, a {unit}"})
    return _plain(f"{title}, in the whole run", frame)


def _number(value: Any) -> str:
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:,.3f}".rstrip("0").rstrip(".") if math.isfinite(value) else "all"
    return f"{value:,}"


def _percent(share: float) -> str:
    return "" if math.isnan(share) else f"{100 * share:.1f}"


def _limits(low: float, high: float) -> str:
    return "" if math.isnan(low) else f"{100 * low:.1f} to {100 * high:.1f}"
