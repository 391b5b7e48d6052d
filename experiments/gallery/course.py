"""Figures of how games go, from a sample that is played again."""

from __future__ import annotations

from functools import partial

from experiments import plots
from experiments.courses import Courses, Group, score_table
from experiments.gallery.figure import Figure, listed, rows_high
from experiments.metrics import comeback_table, round_table
from experiments.verdict import spoken

#: Things of a group that are drawn, the most used first.
_MOST = 24

#: Groups that are drawn, the most used first: what is left is used hardly ever.
_GROUPS = 6


def of_courses(found: Courses, key: str = "") -> list[Figure]:
    """Score by round, leads and comebacks."""
    scores, rounds = score_table(found.seats), round_table(found.rows)
    if len(rounds) < 3:
        return []
    last = scores[scores["round"] == scores["round"].max()]
    ends = listed([(row.get("side", "all seats"), f"{row['mean']:.1f}") for row in last.to_dict("records")])
    told = rounds[rounds["leader_wins"].notna()]
    leads = listed([(f"round {row['round']:.0f}", f"{100 * row['leader_wins']:.0f} %")
                    for row in told.to_dict("records")])  # fmt: skip
    figures = [
        Figure(
            "rounds", key, "Score by round, with its spread",
            f"Mean score after each round with the middle half and the middle 90 % of seats; at the end {ends}.",
            partial(plots.score_by_round, scores), 3.4,
        )
    ]  # fmt: skip
    if len(told):
        figures.append(
            Figure(
                "lead", key, "What a lead is worth",
                f"How often the sole leader after a round wins the game, with 95 % intervals: {leads}.",
                partial(plots.lead_curve, rounds, fair=found.fair), 3.2,
            )
        )  # fmt: skip
    behind = comeback_table(found.rows)
    if len(behind) and (behind["seats"] >= plots.LEAST_SEATS).any():
        figures.append(
            Figure(
                "comeback", key, "What a deficit costs",
                "How often a seat that stands so far behind the best other seat after a round still wins, with 95 % "
                "intervals: the numbers are in the table below.",
                partial(plots.comeback_curve, behind, fair=found.fair), 3.4, 3.8,
            )
        )  # fmt: skip
    return figures


def groups(found: Courses) -> list[Group]:
    """Groups of things that are worth a picture."""
    return found.groups[:_GROUPS]


def used(found: Courses, key: str = "") -> list[Figure]:
    """How often spaces, cards and the like are used, a figure a group."""
    figures = []
    for group in groups(found):
        table = group.table.head(_MOST)
        said = listed([(spoken(row["name"]), f"{row['times']:.2f}") for row in table.to_dict("records")])
        figures.append(
            Figure("uses", "-".join(filter(None, (group.key, key))), group.title,
                   f"{group.title}, times a seat and game: {said}.", partial(plots.uses, table),
                   rows_high(len(table), rest=0.75))
        )  # fmt: skip
    return figures
