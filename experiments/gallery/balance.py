"""Figures of rivals: who wins, where, against whom; what the points are made of; what is used."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd

from experiments import plots
from experiments.balance import Finding
from experiments.crosses import as_matrix
from experiments.gallery.figure import Figure, listed, rows_high
from experiments.gallery.pool import Pool, names_of
from experiments.rates import rate_table
from experiments.summary import parts
from experiments.verdict import spoken
from simcore.errors import UsageError

#: What the rows of each table are called, one and many; other factors take an s.
_PLURALS = {"company": "companies"}


def plural(factor: str) -> str:
    """The word for several of a factor."""
    return _PLURALS.get(factor, f"{factor}s")


def called(name: object) -> str:
    """A row as it is called in a sentence: a seat by its number, all else by name."""
    return f"seat {name}" if str(name).isdecimal() else spoken(str(name))


def win_shares(table: pd.DataFrame, key: str, word: str) -> Figure:
    """Win shares of the rows of one table, with intervals; ``word``: what a row is."""
    said = listed([(called(row["name"]), f"{100 * row['win_share']:.1f} % ({row['verdict']})")
                   for row in table.to_dict("records")], 60)  # fmt: skip
    return Figure(
        "win-share", key, f"Share of games won per {word}",
        f"Share of games won per {word}, per cent, with 95 % intervals; fair is {100 * table['fair'].iloc[0]:.3g}: "
        f"{said}.",
        partial(plots.win_share, table), rows_high(len(table)),
    )  # fmt: skip


def of_finding(found: Finding) -> list[Figure]:
    """Win shares of everything that a run judges, and of what seats came by."""
    tables = [(factor, rows, found.word(str(factor))) for factor, rows in found.table.groupby("table", sort=False)]
    figures = [win_shares(rows, str(factor), word) for factor, rows, word in tables]
    return figures + [win_shares(table, kind, kind) for kind, table in found.holdings.items() if len(table)]


def taken(found: Finding, thing: str, verb: str) -> list[Figure]:
    """What goes with winning and how often it is taken, for one kind of thing."""
    table = found.takings[thing]
    told = table[table["excess"].notna() & (table["excess_high"] - table["excess_low"] < 1)]
    figures = []
    if len(told):
        ends = [told.iloc[0], told.iloc[-1]]
        said = listed([(spoken(row["name"]), f"{100 * row['excess']:+.1f}") for row in ends])
        figures.append(
            Figure(
                "taken", thing, f"What goes with winning, per {thing}",
                f"Win share of seats that {verb} each {thing} minus that of the others, percentage points; the largest "
                f"and the smallest: {said}.",
                partial(plots.excesses, told), rows_high(len(told), 0.15 if len(told) > 24 else 0.27),
            )
        )  # fmt: skip
    offered = table[table["offers"] > 0]
    if len(offered):
        ends = [row for _, row in offered.sort_values("pick", ascending=False).iterrows()]
        said = listed([(spoken(row["name"]), f"{100 * row['pick']:.1f} %") for row in (ends[0], ends[-1])])
        figures.append(
            Figure(
                "picks", thing, f"How often each {thing} is taken when it is on offer",
                f"Share of the decisions with the {thing} on offer at which it was taken; the most and the least: "
                f"{said}.",
                partial(plots.picks, table), rows_high(len(offered), 0.15 if len(offered) > 24 else 0.27),
            )
        )  # fmt: skip
    return figures


def scores(pool: Pool, factor: str, order: Sequence[str], word: str, key: str = "") -> list[Figure]:
    """Mean score by part; none where scores have no parts."""
    columns = parts(pool.summary)
    if not columns:
        return []
    groups = {str(name): group for name, group in pool.summary.groups[factor].items()}
    names = names_of(order, groups)
    labels = [name.removeprefix("points_").replace("_", " ") for name in columns]
    means = {one: [groups[one].mean(name) for name in columns] for one in names}
    table = pd.DataFrame.from_dict(means, orient="index", columns=labels)
    said = "; ".join(
        f"{spoken(one)} {listed([(label, f'{mean:.1f}') for label, mean in zip(labels, means[one], strict=True)])}"
        for one in names
    )
    return [
        Figure("scores", key, f"Mean score per {word}, by part", f"Mean score by part: {said}.",
               partial(plots.score_parts, table), rows_high(len(names), rest=1.35), rows_high(len(names), rest=1.6))
    ]  # fmt: skip


def maps(pool: Pool, order: Sequence[str], word: str, key: str = "") -> list[Figure]:
    """Win share by band and seat, and by band and opponent; none where there is one band."""
    if len(order) < 2 or not pool.summary.groups.get("band"):
        return []
    fair = 1 / pool.players
    names = names_of(order, pool.summary.groups["band"])
    figures = []
    for kind, groups, caption, label in (
        ("seat-map", pool.crosses.seats, f"{spoken(word)} by seat", "seat (in turn order of the first round)"),
        ("opponent-map", pool.crosses.met, f"{spoken(word)} by opponent", f"{word} met at the table"),
    ):
        table = as_matrix(groups, names)
        cells = table.to_numpy(float)
        if np.isnan(cells).all():
            continue
        ends = [divmod(int(at), cells.shape[1]) for at in (np.nanargmin(cells), np.nanargmax(cells))]
        said = "from " + " to ".join(
            f"{100 * cells[y, x]:.0f} ({spoken(str(table.index[y]))}, {called(table.columns[x])})" for y, x in ends
        )
        figures.append(
            Figure(
                kind, key, f"{caption}: share of games won, %",
                f"{caption}: share of games won, per cent, {said}; fair is {100 * fair:.3g}. All numbers are in the "
                "table below.",
                partial(plots.share_map, table, fair=fair, label=label),
                rows_high(len(names), 0.3, 0.8 if kind == "seat-map" else 1.5),
                rows_high(len(names), 0.27, 0.8 if kind == "seat-map" else 1.7),
            )
        )  # fmt: skip
    return figures


def matrices(pool: Pool, order: Sequence[str]) -> dict[str, pd.DataFrame]:
    """The numbers of ``maps`` by kind."""
    names = names_of(order, pool.summary.groups["band"])
    return {"seat-map": as_matrix(pool.crosses.seats, names), "opponent-map": as_matrix(pool.crosses.met, names)}


def lengths(pool: Pool, key: str = "") -> list[Figure]:
    """How many games are how long."""
    figures = []
    for name, table in pool.lengths():
        label = f"{name.replace('_', ' ')} of a game" if name != "turns_a_player" else "turns a player"
        mean = float((table["value"] * table["games"]).sum() / table["games"].sum())
        figures.append(
            Figure(
                "length", "-".join(filter(None, (name.replace("_", "-"), key))), f"How long games are: {label}",
                f"{label.capitalize()}: mean {mean:,.1f}, from {table['value'].min():,g} to {table['value'].max():,g}.",
                partial(plots.game_length, table, label=label), 2.6,
            )
        )  # fmt: skip
    return figures


def rates(pool: Pool, told: Sequence, key: str = "") -> list[Figure]:
    """How often what happens, as the game lays it out; ``told``: its Rates."""
    figures = []
    for one in told:
        table = rate_table(pool.summary, one)
        if len(table) > 1:
            said = listed([(row["name"], f"{row['rate']:.2f}") for row in table.to_dict("records")])
            slug = "-".join(filter(None, (one.title.lower().replace(" ", "-").replace(",", ""), key)))
            figures.append(
                Figure("rates", slug, one.title, f"{one.title}, times a {one.per[1]}: {said}.",
                       partial(plots.rates, table, unit=one.per[1]), rows_high(len(table)))
            )  # fmt: skip
    return figures


def rated(pool: Pool, key: str = "") -> list[Figure]:
    """Strengths with intervals, a figure a factor; none where there is no finishing order."""
    if not pool.has_order:
        return []
    try:
        found = pool.ratings()
    except UsageError:
        return []
    figures = []
    for factor, rows in found.table.groupby("factor", sort=False):
        word = pool.game.entrant if factor == "band" else str(factor)
        order = rows.sort_values("strength", ascending=False)
        said = listed([(called(row["name"]), f"{row['strength']:+.2f}") for row in order.to_dict("records")])
        figures.append(
            Figure(
                "ratings", "-".join(filter(None, (str(factor), key))),
                f"Strength per {word}, all else taken out",
                f"Strength per {word} in log odds, from the finishing order of {found.games:,} games: {said}.",
                partial(plots.ratings, rows), rows_high(len(rows)),
            )
        )  # fmt: skip
    return figures
