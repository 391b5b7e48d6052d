"""How often what happens in a run, laid out as its game says."""

from __future__ import annotations

import pandas as pd

from experiments.summary import Summary
from simcore.usage import Rates


def rate_table(summary: Summary, rates: Rates) -> pd.DataFrame:
    """A row a thing that ``rates`` names.

    ``a_game``: mean number a game, all seats together; ``rate``: by the unit of ``rates``; ``share``: of all these
    things together; ``winners``, ``others``: rates of the seats that won (or shared a win) and of all others, where
    it is seats that are counted.  Empty where the run holds none of its columns.
    """
    per = rates.per[0]
    if rates.of == "games":
        total = {name: spread.total for name, spread in summary.lengths.items()}
        winners: dict[str, float] = {}
    else:
        total = {}
        for group in summary.groups["seat"].values():
            for name, value in group.numbers.items():
                total[name] = total.get(name, 0) + value
        winners = summary.winners.numbers
    known = {label: name for label, name in rates.columns.items() if name in total and per in total}
    whole = sum(total[name] for name in known.values())
    rows = []
    for label, name in known.items():
        row = {"name": label, "a_game": total[name] / summary.games, "rate": _ratio(total[name], total[per])}
        if rates.whole:
            row["share"] = _ratio(total[name], whole)
        if winners:
            row["winners"] = _ratio(winners[name], winners[per])
            row["others"] = _ratio(total[name] - winners[name], total[per] - winners[per])
        rows.append(row)
    return pd.DataFrame(rows)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
