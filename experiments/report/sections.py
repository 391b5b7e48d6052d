"""Sections that pages share: points, maps, strengths, lengths, how games go, what is used."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd

from experiments.courses import Courses, score_table
from experiments.gallery import balance as gallery
from experiments.gallery import course as course_gallery
from experiments.gallery.figure import Figure
from experiments.gallery.pool import Pool, names_of
from experiments.metrics import comeback_table, game_table, round_table
from experiments.plots.curves import behind
from experiments.report.content import Cell, Section, Table, count, interval, number, percent
from experiments.report.figures import pictures
from experiments.summary import length_table, parts
from experiments.verdict import spoken

#: Columns of games that tell no length.
_NO_LENGTHS = ("players", "mode", "tied", "unfinished", "humans_win", "human_average", "metallum_dice", "first_player")


def anchored(name: str, key: str) -> str:
    """An anchor, apart from that of the same section of another place."""
    return f"{name}-{key}" if key else name


def scores(pool: Pool, factor: str, order: Sequence[str], word: str, key: str = "", part: str = "") -> list[Section]:
    """Where the points come from; nothing where scores have no parts."""
    columns = parts(pool.summary)
    if not columns:
        return []
    groups = {str(name): group for name, group in pool.summary.groups[factor].items()}
    labels = [name.removeprefix("points_").replace("_", " ") for name in columns]
    rows = [
        [Cell(spoken(one)), *(number(groups[one].mean(name)) for name in ["score", *columns])]
        for one in names_of(order, groups)
    ]
    table = Table("Mean score and its parts", [word, "score", *labels], rows, folded=True)
    drawn = pictures(gallery.scores(pool, factor, order, word, key))
    return [Section(anchored("scores", key), "Where the points come from", [], drawn, [table], part=part)]


def maps(pool: Pool, order: Sequence[str], word: str, key: str = "", part: str = "") -> list[Section]:
    """Who wins where and against whom; nothing where there is one band."""
    figures = gallery.maps(pool, order, word, key)
    if not figures:
        return []
    text = f"Each number is a share of games won, in per cent; fair is {100 / pool.players:.3g}."
    if len(pool.folders) == 1:
        groups = [*pool.crosses.seats.values(), *pool.crosses.met.values()]
        widest = max(100 * (high - low) / 2 for group in groups for low, high in [group.means.interval()])
        text += f" The widest 95 % interval behind a number of these maps reaches {widest:.1f} points to either side."
    tables = [
        _matrix(one.caption, table, word)
        for one, table in zip(figures, gallery.matrices(pool, order).values(), strict=True)
    ]
    title = f"{spoken(word)} by seat, {word} by opponent"
    return [Section(anchored("maps", key), title, [text], pictures(figures), tables, part=part)]


def _matrix(caption: str, table: pd.DataFrame, word: str) -> Table:
    """The numbers of a map."""

    def cell(share: float) -> Cell:
        return Cell("", -1.0) if math.isnan(share) else percent(share)

    columns = [spoken(name) if isinstance(name, str) else f"seat {name}" for name in table.columns]
    rows = [
        [Cell(spoken(str(name))), *map(cell, row)] for name, row in zip(table.index, table.to_numpy(float), strict=True)
    ]
    return Table(caption, [word, *columns], rows, folded=True)


matrix = _matrix


def strengths(pool: Pool, key: str = "", part: str = "") -> list[Section]:
    """One number a band, seat and agent; nothing where there is no finishing order."""
    figures = gallery.rated(pool, key)
    if not figures:
        return []
    texts = [
        "One number from the whole finishing order, with seats, bands and agents taken out of each other (Plackett and "
        "Luce's model). Strengths are log odds and sum to 0; a difference of 0.7 doubles the odds of finishing ahead."
    ]
    rows = [row for figure in figures for row in _rated(figure)]
    columns = ["of", "name", "strength", "95 % interval", "wins among averages, %"]
    table = Table("Strengths", columns, rows, folded=True)
    return [Section(anchored("strength", key), "Strength, all else taken out", texts, pictures(figures), [table],
                    part=part)]  # fmt: skip


def _rated(figure: Figure) -> list[list[Cell]]:
    table: pd.DataFrame = figure.draw.args[0]  # type: ignore[attr-defined]
    return [
        [
            Cell(str(row["factor"])), Cell(gallery.called(row["name"])), number(row["strength"], 3, sign=True),
            Cell(f"{row['low']:+.3f} to {row['high']:+.3f}", float(row["low"])), percent(row["win_share"]),
        ]
        for row in table.to_dict("records")
    ]  # fmt: skip


def lengths(pool: Pool, key: str = "", part: str = "") -> list[Section]:
    """How long games are."""
    rows = []
    for row in length_table(pool.summary).to_dict("records"):
        if row["name"] not in _NO_LENGTHS:
            limits = Cell("") if math.isnan(row["low"]) else Cell(f"{row['low']:.2f} to {row['high']:.2f}", row["low"])
            ends = [number(row[name], 0) for name in ("least", "most")]
            rows.append(
                [Cell(str(row["name"]).replace("_", " ")), number(row["mean"]), limits, number(row["sd"]), *ends]
            )
    table = Table("A game", ["number", "mean", "95 % interval", "sd", "least", "most"], rows)
    if len(pool.folders) > 1:
        table = Table("A game", ["number", "mean", "sd", "least", "most"], [[*row[:2], *row[3:]] for row in rows])
    drawn = pictures(gallery.lengths(pool, key))
    return [Section(anchored("length", key), "How long games are", [], drawn, [table], part=part)]


# ------------------------------------------------------------------ games played again
def course(found: Courses, sides: bool = False, key: str = "", part: str = "") -> list[Section]:
    """How games go: score by round, what leads and deficits are worth."""
    figures = course_gallery.of_courses(found, key)
    if not figures:
        return []
    who = "the humans' mean or the opponent" if sides else "a seat"
    texts = [
        f"From {found.words}. A score after a round is what the seat would score if the game ended at the first "
        "decision of the next one.",
        *course_sentences(found),
    ]
    rounds = _rounds(found)
    behind_rows = [
        [
            number(row["round"], 0), Cell(behind(row["from"], row["to"]), float(row["from"])), count(row["seats"]),
            percent(row["win_share"]), interval(row["low"], row["high"]),
        ]
        for row in comeback_table(found.rows).to_dict("records")
    ]  # fmt: skip
    back = Table(f"Win share of {who} that stands so far behind the best other",
                 ["round", "points", "cases", "wins %", "95 % interval"], behind_rows, folded=True)  # fmt: skip
    return [Section(anchored("course", key), "How games go", texts, pictures(figures), [rounds, back], part=part)]


def _rounds(found: Courses) -> Table:
    scores, leads = score_table(found.seats), round_table(found.rows).set_index("round")
    rows = []
    for row in scores.to_dict("records"):
        lead = leads.loc[row["round"]]
        told = not math.isnan(lead["leader_wins"])
        rows.append(
            [
                number(row["round"], 0), *([Cell(row["side"])] if "side" in row else []), count(row["games"]),
                number(row["mean"], 1), Cell(f"{row['p5']:.0f} to {row['p95']:.0f}", float(row["p5"])),
                number(lead["spread"], 1), percent(lead["leader_wins"]) if told else Cell("", -1.0),
                interval(lead["low"], lead["high"]) if told else Cell("", -1.0),
            ]
        )  # fmt: skip
    side = ["side"] if "side" in scores else []
    columns = ["round", *side, "games", "mean score", "5 to 95 %", "first to last", "leader wins %", "95 % interval"]
    return Table("After each round", columns, rows, folded=True)


def course_sentences(found: Courses) -> list[str]:
    """What the courses say, with intervals."""
    rounds = round_table(found.rows)
    told = rounds[rounds["leader_wins"].notna() & (rounds["round"] < rounds["round"].max())]
    lines = []
    if len(told):
        middle = told.iloc[len(told) // 2]
        lines.append(
            f"A sole leader after round {middle['round']:.0f} wins {100 * middle['leader_wins']:.0f} % of the games "
            f"(95 %: {100 * middle['low']:.0f} to {100 * middle['high']:.0f}; whoever leads nothing wins "
            f"{100 * found.fair:.3g})."
        )
    numbers = game_table(found.rows).set_index("metric")
    if "lead_changes" in numbers.index:
        change, last = numbers.loc["lead_changes"], numbers.loc["winner_was_last"]
        lines.append(
            f"The lead changes {change['mean']:.1f} times a game ({change['low']:.1f} to {change['high']:.1f}); the "
            f"winner stood last after some round in {100 * last['mean']:.0f} % of the games "
            f"({100 * last['low']:.0f} to {100 * last['high']:.0f})."
        )
    return lines


def used(found: Courses, key: str = "", part: str = "") -> list[Section]:
    """How often spaces, cards and the like are used."""
    groups = course_gallery.groups(found)
    if not groups:
        return []
    text = (
        f"From {found.words}. Users differ from others in more than the thing: read their win share as a hint, and "
        "compare rules without it (soundcheck compare) before believing it."
    )
    tables = [
        Table(
            group.title,
            ["", "times a seat and game", "95 % interval", "seats that use it, %", "first in round", "users win %"],
            [
                [
                    Cell(spoken(row["name"])), number(row["times"], 3),
                    Cell(f"{row['low']:.3f} to {row['high']:.3f}", float(row["low"])), percent(row["used_in"]),
                    number(row["first_round"], 1), percent(row["users_win"]),
                ]
                for row in group.table.to_dict("records")
            ],
            folded=True,
        )
        for group in groups
    ]  # fmt: skip
    drawn = pictures(course_gallery.used(found, key))
    return [Section(anchored("uses", key), "What is used, and how often", [text], drawn, tables, part=part)]
