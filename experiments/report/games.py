"""Games worth a look: the closest, the biggest comeback, the strangest, the most one-sided, the longest, the best and
the poorest winner; and where they can be seen.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from experiments.courses import Courses
from experiments.plan import NOBODY
from experiments.replay.of_run import address
from experiments.report.content import Cell, Section, Table, count
from experiments.standouts import Strange, biggest_comeback, strangest
from experiments.store import stored
from experiments.summary import by_blocks
from experiments.verdict import spoken

#: What those are called who play together against a side that plays by itself.
HUMANS = "the humans"


@dataclass(frozen=True)
class Look:
    """A game, why it is worth a look, and what happened in a few words."""

    why: str
    game: int
    what: str


@dataclass(frozen=True)
class _Kind:
    """``rank``: what makes a game stand out, a number a game of ``_facts``: the largest is kept."""

    why: str
    rank: Callable[[pd.DataFrame], pd.Series]


_KINDS = (
    _Kind("closest finish", lambda facts: -facts["gap"]),
    _Kind("clearest win", lambda facts: facts["gap"]),
    _Kind("most decisions", lambda facts: facts["decisions"]),
    _Kind("highest score", lambda facts: facts["first"]),
    _Kind("lowest winning score", lambda facts: -facts["first"]),
)


def worth_a_look(folder: Path, played: Courses | None = None) -> list[Look]:
    """One game of each kind of a stored run; the first of several alike.  Raises UsageError.

    ``played``: games of the run that were played again, among which the biggest comeback is looked for.
    """
    looks = _by_rank(folder)
    odd = strangest(lambda: by_blocks(folder, "seats", 4096))
    if odd is not None:
        looks.insert(1, Look("strangest", odd.game, _odd(odd)))
    come = _comeback(folder, played) if played is not None else None
    return [*looks[:1], come, *looks[1:]] if come is not None else looks


def _by_rank(folder: Path) -> list[Look]:
    """The best of each of ``_KINDS``."""
    best: dict[str, tuple[float, Look]] = {}
    for seats in by_blocks(folder, "seats", 4096):
        facts = _facts(seats)
        if facts.empty:
            continue
        for kind in _KINDS:
            rank = kind.rank(facts)
            at = int(np.argmax(rank.to_numpy()))
            row = facts.iloc[at]
            if kind.why not in best or float(rank.iloc[at]) > best[kind.why][0]:
                best[kind.why] = (float(rank.iloc[at]), Look(kind.why, int(row["game"]), _what(row)))
    return [best[kind.why][1] for kind in _KINDS if kind.why in best]


def _facts(seats: pd.DataFrame) -> pd.DataFrame:
    """A row a finished game with one winner: scores (``first``, ``second``), ``gap``, ``decisions``, who won.

    Where a side plays by itself the humans are one side with the mean of their scores, rounded down.
    """
    rows = _sides(seats.sort_values(["game", "seat"], kind="stable"))
    places = int(rows["seat"].max()) + 1
    score = rows["score"].to_numpy().reshape(-1, places).astype(float)
    wins = rows["win_share"].to_numpy().reshape(-1, places)
    winner = wins.argmax(axis=1)
    first = np.take_along_axis(score, winner[:, None], axis=1)[:, 0]
    others = score.copy()
    others[np.arange(len(score)), winner] = -np.inf
    names = rows["band"].to_numpy().reshape(-1, places) if "band" in rows else None
    facts = pd.DataFrame(
        {
            "game": rows["game"].to_numpy().reshape(-1, places)[:, 0],
            "first": first,
            "second": others.max(axis=1),
            "gap": first - others.max(axis=1),
            "decisions": rows["decisions"].to_numpy().reshape(-1, places).sum(axis=1),
            "seat": winner,
            "who": names[np.arange(len(score)), winner] if names is not None else "",
        }
    )
    return facts[wins.max(axis=1) == 1]


def _sides(seats: pd.DataFrame) -> pd.DataFrame:
    """Rows of two sides, HUMANS behind the one that plays by itself, in place of those of seats, where there is one."""
    alone = seats["agent"] == NOBODY
    if not alone.any():
        return seats
    columns = {"win_share": "sum", "score": "mean", "decisions": "sum"}
    humans = seats[~alone].groupby("game", as_index=False).agg(columns).assign(seat=1, band=HUMANS)
    humans["score"] = np.floor(humans["score"])
    own = seats.loc[alone, ["game", "seat", "band", *columns]].assign(seat=0)
    return pd.concat([own, humans]).sort_values(["game", "seat"], kind="stable")


def _comeback(folder: Path, played: Courses) -> Look | None:
    """The greatest deficit that a winner made good, among the games that were played again."""
    found = biggest_comeback(played.rows.rounds)
    if found is None:
        return None
    rows = stored(folder, "seats").to_table(filter=pc.field("game") == found.game).to_pandas()
    if (rows["agent"] == NOBODY).any():
        band = HUMANS if found.seat == 0 else rows.loc[rows["agent"] == NOBODY, "band"].iloc[0]
    else:
        band = rows.set_index("seat")["band"].get(found.seat, "") if "band" in rows else ""
    what = f"won after standing {found.deficit:.0f} points behind at the end of round {found.round}"
    among = f"(the biggest of {played.games:,} games played again)"
    return Look("biggest comeback", found.game, f"{_who(str(band), found.seat)} {what} {among}")


def _odd(odd: Strange) -> str:
    """What is strange about a game."""
    parts = [f"{_measured(name)} {value:,.1f} a seat, mean {mean:,.1f}" for name, value, mean, _ in odd.most]
    return f"{'; '.join(parts)}; {odd.distance:.0f} standard deviations from the mean game"


def _measured(column: str) -> str:
    """A column of seats in words."""
    return f"points for {column.removeprefix('points_')}" if column.startswith("points_") else column.replace("_", " ")


def _who(band: str, seat: int) -> str:
    if band == HUMANS:
        return spoken(band)
    return f"{spoken(band)} (seat {seat})" if band else f"seat {seat}"


def _what(row: pd.Series) -> str:
    score = f"{row['first']:.0f} to {row['second']:.0f}"
    return f"{_who(row['who'], row['seat'])} won {score} after {row['decisions']:,} decisions"


def looks_section(looks: Sequence[Look], folder: Path, linked: bool) -> Section:
    """The games that stand out, and how to see each step by step.  ``linked``: their pages stand beside this one."""
    place = shlex.quote(str(folder))
    rows = [[Cell(one.why, href=address(one.game) if linked else ""), count(one.game), Cell(one.what)] for one in looks]
    if linked:
        how = "Each leads to a page that shows the game step by step: the table, the scores, the options of decisions."
    else:
        how = "Any of them can be seen step by step: the command below writes it as a page."
    commands = [(one.why, f"soundcheck replay --run {place} --game {one.game}") for one in looks]
    return Section(
        "looks", "Games worth a look", [how], tables=[Table("Games", ["why", "game", "what happened"], rows)],
        commands=[] if linked else commands,
    )  # fmt: skip
