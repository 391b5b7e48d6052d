"""Games worth a look: the closest, the most one-sided, the longest, the best and the poorest winner, an upset."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from experiments.report.content import Cell, Section, Table, count
from experiments.summary import by_blocks
from experiments.verdict import spoken


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


def worth_a_look(folder: Path) -> list[Look]:
    """One game of each kind of a stored run; the first of several alike.  Raises UsageError."""
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
    """A row a finished game with one winner: scores (``first``, ``second``), ``gap``, ``decisions``, who won."""
    rows = seats.sort_values(["game", "seat"], kind="stable")
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


def _what(row: pd.Series) -> str:
    who = f"{spoken(row['who'])} (seat {row['seat']})" if row["who"] else f"seat {row['seat']}"
    return f"{who} won {row['first']:.0f} to {row['second']:.0f} after {row['decisions']:,} decisions"


def looks_section(folder: Path) -> Section:
    """The games that stand out, and the command that shows each step by step."""
    looks = worth_a_look(folder)
    place = shlex.quote(str(folder))
    rows = [[Cell(one.why), count(one.game), Cell(one.what)] for one in looks]
    return Section(
        "looks",
        "Games worth a look",
        ["Any of them can be read step by step with the command below."],
        tables=[Table("Games", ["why", "game", "what happened"], rows)],
        commands=[(one.why, f"soundcheck play --run {place} --game {one.game}") for one in looks],
    )
