"""Two runs of the same games under different rules, compared block by block: what the change does.

Both have the same line-ups, seats and streams of luck, so whatever differs is the change, and the difference of
a block's two means is the unit of every interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from experiments import manifest as manifests
from experiments.curve import difference_interval, mean_interval, sign_flip_p
from experiments.statistics import ALPHA, MARGIN, SHARE_UNIT, holm
from experiments.store import stored
from simcore.errors import UsageError

CHANGED, SAME, OPEN = "changed", "no change", "not enough games"

#: What both runs have in common: all that decides the rows but the rules.
_COMMON = ("game", "players", "bands", "agents", "agent_sources", "seed", "designs", "variant", "engine", "schema")


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
    rows = []
    for factor in ("band", "seat") if first["bands"] else ("seat",):
        rows += _shares(one, other, factor, margin)
    columns = ["block", *numbers]
    before, after = (stored(folder, "games").to_table(columns=columns).to_pandas() for folder in (one, other))
    return pd.DataFrame([*rows, *(_number(before, after, name) for name in numbers)])


def _shares(one: Path, other: Path, factor: str, margin: float) -> list[dict[str, object]]:
    columns = ["block", factor, "win_share"]
    before, after = (stored(folder, "seats").to_table(columns=columns).to_pandas() for folder in (one, other))
    before["there"] = after["win_share"]
    rows = []
    for name, group in before.groupby(factor, sort=True):
        blocks = group.groupby("block")[["win_share", "there"]].agg(["sum", "count"])
        games = int(blocks["there", "count"].iloc[0])
        wins = np.rint((blocks["there", "sum"] - blocks["win_share", "sum"]).to_numpy() * SHARE_UNIT).astype(np.int64)
        changes = wins / (SHARE_UNIT * games)
        low, high = difference_interval(changes, games)
        inner = difference_interval(changes, games, 2 * ALPHA)  # two one-sided tests
        rows.append(
            {
                "table": factor, "name": str(name), "games": len(group), "blocks": len(blocks),
                "before": group["win_share"].mean(), "after": group["there"].mean(), "change": changes.mean(),
                "low": low, "high": high, "p_value": sign_flip_p(wins // (int(np.gcd.reduce(wins)) or 1)),
                "margin": margin, "within": bool(-margin < inner[0] and inner[1] < margin),
            }
        )  # fmt: skip
    for row, p_holm in zip(rows, holm([row["p_value"] for row in rows]).tolist(), strict=True):
        row["verdict"] = SAME if row.pop("within") else CHANGED if p_holm < ALPHA else OPEN
    return rows


def _number(before: pd.DataFrame, after: pd.DataFrame, name: str) -> dict[str, object]:
    means = [games.groupby("block")[name].mean().to_numpy(float) for games in (before, after)]
    change, low, high = mean_interval(means[1] - means[0])
    return {
        "table": "game", "name": name, "games": len(before), "blocks": len(means[0]), "before": means[0].mean(),
        "after": means[1].mean(), "change": change, "low": low, "high": high,
    }  # fmt: skip
