"""The comparison that ``balance --against`` shows: two runs of the same games under different rules.

The sums and tests are those of ``paired``; here they are put into one table of what a designer asks first.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from experiments import manifest as manifests
from experiments import paired
from experiments.paired import CHANGED, SAME
from experiments.paired import UNDECIDED as OPEN
from experiments.statistics import MARGIN
from simcore.errors import UsageError

__all__ = ["CHANGED", "OPEN", "SAME", "against"]

#: What both runs have in common: all that decides the rows but the rules.
_COMMON = ("game", "players", "bands", "agents", "agent_sources", "seed", "designs", "variant", "engine", "schema")

_NAMES = {"share_a": "before", "share_b": "after", "answer": "verdict", "mean_a": "before", "mean_b": "after"}


def against(one: Path, other: Path, numbers: Sequence[str] = (), margin: float = MARGIN) -> pd.DataFrame:
    """A row a band and seat, then one for each column of games in ``numbers`` that both runs hold.

    ``before``, ``after``: win share (or mean number) in ``one`` and in ``other``; ``change`` with its 95 % limits
    ``low`` and ``high`` from block differences.  ``verdict`` of a share: "no change" where two one-sided tests at
    5 % put it within ``margin``, else "changed" where it differs from 0 after Holm over its table, else "not enough
    games".  Raises UsageError for runs of other games.
    """
    first, second = manifests.read(one)["run"], manifests.read(other)["run"]
    for key in _COMMON:
        if first[key] != second[key]:
            raise UsageError(f"{one} and {other} do not hold the same games: {key} differs")
    sums = paired.compare(one, other)
    shares = paired.share_table(sums, margin)
    shares = shares[shares["table"].isin(["band", "seat"])].rename(columns=_NAMES)
    means = paired.metric_table(sums)
    means = means[means["table"] == "game"].assign(name=means["metric"], games=sums.games).rename(columns=_NAMES)
    means = means.set_index("name", drop=False).reindex([name for name in numbers if name in set(means["name"])])
    columns = ["table", "name", "games", "blocks", "before", "after", "change", "low", "high"]
    judged = shares[[*columns, "p_value", "margin", "verdict"]]
    return pd.concat([judged, means[columns]], ignore_index=True) if len(means) else judged
