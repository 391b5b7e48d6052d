"""What a stored study shows: every cell's tables, the range over agents, rule sets compared on the same luck."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from experiments import manifest as manifests
from experiments import paired, sequential
from experiments.balance import Finding, finding
from experiments.curve import CurveFinding, find_curve
from experiments.holdings import NOTHING, held_splits, holding_table
from experiments.store import stored, stored_rows
from experiments.study import AXES, Cell, Study, cells
from experiments.verdict import BALANCED, OFF, UNDECIDED, frame, spoken
from simcore.errors import unknown

#: What the column ``flips`` says.
FLIPS, HOLDS, OPEN = "flips with the agents", "holds for all", "not decided for all"

Found = Finding | CurveFinding


@dataclass(frozen=True)
class StudyFinding:
    """What a study found.

    ``cells``: what each cell's own tables are.  ``table``: all rows of all cells, with the cell's axes.
    ``panel``: a row a band, seat or level and set of cells that differ in agents alone, the range over the panel.
    ``changes``: a row a band, seat, agent or level and rule set: its paired change against the baseline;
    ``metrics``: the same for every number; ``runs``: a row a pair of cells: how many games diverged.
    """

    study: Study
    cells: list[tuple[Cell, Found]]
    table: pd.DataFrame
    panel: pd.DataFrame
    changes: pd.DataFrame
    metrics: pd.DataFrame
    runs: pd.DataFrame
    house: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def cell_finding(cell: Cell, study: Study, folder: Path) -> Found:
    """What one stored cell shows.  Raises UsageError."""
    margin = study.margin / 100
    if cell.is_levels:
        return find_curve(folder, study.target or None, margin)
    found = finding(folder, margin)
    if cell.until != "decided":
        return found
    verdicts = sequential.tables(found.summary, margin)
    return Finding(
        folder, found.manifest, found.summary, verdicts, frame(found.summary, verdicts), found.lengths
    )  # fmt: skip


def study_finding(study: Study, folder: Path) -> StudyFinding:
    """What the cells stored below ``folder`` show.  Raises UsageError."""
    found = [(cell, cell_finding(cell, study, folder / cell.name)) for cell in cells(study)]
    rows = [_with_axes(_rows(cell, study, one, folder / cell.name), cell) for cell, one in found]
    table = pd.concat(rows, ignore_index=True)
    notes = _fewer(found)
    pairs = _comparisons(study, [cell for cell, _ in found], folder)
    house = list(dict.fromkeys(line for _, one in found for line in one.manifest["house"]))
    return StudyFinding(
        study, found, table, panel_table(table), _joined(pairs.changes), _joined(pairs.metrics), _joined(pairs.runs),
        house, notes + pairs.notes,
    )  # fmt: skip


def _fewer(found: list[tuple[Cell, Found]]) -> list[str]:
    """Which agents played fewer games than the others, because they search, and how many a cell."""
    games: dict[str, list[int]] = {}
    for cell, one in found:
        if cell.is_cut:
            games.setdefault(cell.axes["agents"], []).append(one.manifest["design"]["games"])
    return [
        f"{agent} searches, which is slow: it played {min(played):,}"
        + (f" to {max(played):,}" if max(played) > min(played) else "")
        + " games a cell (search_games), so its intervals are wider than those of the others"
        for agent, played in games.items()
    ]


def _rows(cell: Cell, study: Study, found: Found, folder: Path) -> pd.DataFrame:
    if isinstance(found, Finding):
        extra = dict(found.holdings)
        for factor in study.factors:
            if factor not in extra:
                extra[factor] = _holders(folder, factor, study.margin / 100)
        return pd.concat([found.table, *(table for table in extra.values() if len(table))], ignore_index=True)
    levels = found.levels.assign(name=found.levels["difficulty"])
    bands = found.bands.assign(name=found.bands["band"] + " " + found.bands["difficulty"])
    return pd.concat([levels, bands], ignore_index=True).drop(columns=["agent"])


def _holders(folder: Path, column: str, margin: float) -> pd.DataFrame:
    """Win shares of those who hold each value of a column of seats, against all holders.  Raises UsageError."""
    names = stored(folder, "seats").schema.names
    if column not in names:
        raise unknown("factors", "column of seats", column, names)
    seats = stored_rows(folder, "seats", ["block", column, "win_share"]).to_pandas()
    seats[column] = seats[column].astype(str).where(lambda name: name != "-1", NOTHING)
    return holding_table(column, held_splits(seats, column), margin)


def _with_axes(rows: pd.DataFrame, cell: Cell) -> pd.DataFrame:
    for place, axis in enumerate(("cell", *AXES)):
        rows.insert(place, axis, cell.name if axis == "cell" else cell.axes[axis])
    return rows


# ------------------------------------------------------------------ the panel
def panel_table(table: pd.DataFrame) -> pd.DataFrame:
    """The range over agents, for everything that several agents were asked.

    ``flips``: "flips with the agents" where one agent's verdict is balanced and another's off, or two are off to
    different sides; "not decided for all" where an agent needs more games; else "holds for all".  ``decided``: how
    many agents have a verdict.
    """
    rows = []
    columns = [axis for axis in AXES if axis != "agents"]
    for key, group in table.groupby([*columns, "table", "name"], sort=False):
        if group["agents"].nunique() < 2:
            continue
        shares = group["win_share"]
        fair = float(group["fair"].iloc[0]) if "fair" in group and group["fair"].notna().all() else None
        rows.append(
            {
                **dict(zip([*columns, "table", "name"], key, strict=True)),
                "agents": int(group["agents"].nunique()), "games": int(group["games"].sum()),
                "least": float(shares.min()), "most": float(shares.max()),
                "least_agent": group["agents"].iloc[int(shares.to_numpy().argmin())],
                "most_agent": group["agents"].iloc[int(shares.to_numpy().argmax())],
                "low": float(group["low"].min()), "high": float(group["high"].max()), "fair": fair,
                "excess_least": float(group["excess"].min()) if fair is not None else math.nan,
                "excess_most": float(group["excess"].max()) if fair is not None else math.nan,
                "decided": int((group["verdict"] != UNDECIDED).sum()) if fair is not None else 0,
                "flips": _flips(group) if fair is not None else "",
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def _flips(group: pd.DataFrame) -> str:
    answers = set()
    for answer, excess in zip(group["verdict"], group["excess"], strict=True):
        answers.add(f"{OFF} {'above' if excess > 0 else 'below'}" if answer == OFF else answer)
    if len(answers - {UNDECIDED}) > 1:
        return FLIPS
    return OPEN if UNDECIDED in answers else HOLDS


def verdict_words(row: Mapping[Any, Any] | pd.Series) -> str:
    """The verdict of a row in a few words; none where nothing was judged (levels)."""
    answer = row.get("verdict", "")
    if answer == BALANCED:
        return f"balanced (within {100 * row['margin']:g} pp)"
    if answer == OFF:
        return f"off by {100 * row['excess']:+.1f} pp"
    return f"not enough games (about {row['games_needed']:,.0f} needed)" if answer == UNDECIDED else ""


def panel_sentences(found: StudyFinding) -> list[str]:
    """What flips with the agents, in words."""
    if not len(found.panel):
        return []
    judged = found.panel[found.panel["flips"] != ""]
    subjects = judged[judged["table"].isin(["band", *found.study.factors])]
    if not len(subjects):
        subjects = judged
    flips = subjects[subjects["flips"] == FLIPS]
    holds = int((subjects["flips"] == HOLDS).sum())
    agreed = int(((subjects["flips"] == OPEN) & (subjects["decided"] > 1)).sum())
    lines = []
    if len(subjects):
        lines.append(
            f"{holds} of {len(subjects)} verdicts hold for all {int(subjects['agents'].max())} agents, "
            f"{agreed} more for all agents that have one, as far as games go; {len(flips)} flip with the agents"
            + (f": {', '.join(spoken(str(name)) for name in dict.fromkeys(flips['name']))}." if len(flips) else ".")
        )
    return lines


# ------------------------------------------------------------------ rule sets
@dataclass
class Changes:
    """Tables of the paired comparisons of a study, and what could not be compared."""

    changes: list[pd.DataFrame] = field(default_factory=list)
    metrics: list[pd.DataFrame] = field(default_factory=list)
    runs: list[pd.DataFrame] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def _comparisons(study: Study, found: Iterable[Cell], folder: Path) -> Changes:
    """Every rule set against the baseline, cell by cell, where rules are on the same luck."""
    tables = Changes()
    if "rules" not in study.paired or len(study.rule_sets) < 2:
        return tables
    base = {_others(cell): cell for cell in found if cell.axes["rules"] == study.first_rules}
    for cell in found:
        first = base[_others(cell)]
        if first is cell:
            continue
        a, b = folder / first.name, folder / cell.name
        if manifests.read(a)["design"]["blocks"] != manifests.read(b)["design"]["blocks"]:
            tables.notes.append(
                f"{cell.name} and {first.name} stopped at different games and are not compared in pairs"
            )
            continue
        sums = paired.compare(a, b)
        games = sums.games
        run = {"against": study.first_rules, "games": games, "diverged": sums.diverged / games}
        run["other_winner"] = sums.other_winner / games
        tables.changes.append(_with_axes(paired.share_table(sums, study.margin / 100), cell))
        tables.metrics.append(_with_axes(paired.metric_table(sums), cell))
        tables.runs.append(_with_axes(pd.DataFrame([run]), cell))
    return tables


def _joined(tables: list[pd.DataFrame]) -> pd.DataFrame:
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def _others(cell: Cell) -> tuple[Any, ...]:
    return tuple(cell.axes[axis] for axis in AXES if axis != "rules")
