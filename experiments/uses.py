"""Which options were on offer, which were taken, and who took them: spaces, Hits, cards, abilities, artists, events.

An offer is a decision at which the option was legal.  Shares are ratios of two sums over blocks, with the limits of
``holdings.Split``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from experiments.holdings import Split
from experiments.records import GameRecord
from experiments.statistics import SHARE_UNIT
from simcore.subjects import ACTION, Subject


def use_rows(record: GameRecord) -> list[dict[str, Any]]:
    """A row a seat and option of one game (columns: see ``metrics.Rows.uses``)."""
    table: dict[tuple[int, str], list[int]] = {}
    for choice in record.choices:
        for option in choice.offered:
            table.setdefault((choice.seat, option), [0, 0, 0])[0] += 1
        entry = table.setdefault((choice.seat, choice.picked), [0, 0, 0])
        entry[1] += 1
        entry[2] = entry[2] or max(choice.round, 1)
    bands = record.seats["band"].tolist() if "band" in record.seats else [""] * len(record.seats)
    rows = []
    for (seat, option), (offered, picked, first) in table.items():
        about = record.subjects.get(option, Subject(ACTION, option))
        rows.append(
            {
                "game": record.number, "block": record.block, "seat": seat, "band": bands[seat], "option": option,
                "kind": about.kind, "name": about.name, "way": about.way, "offered": offered, "picked": picked,
                "first_round": first, "win_share": record.win_share[seat],
            }
        )  # fmt: skip
    return rows


def use_table(uses: pd.DataFrame, by: str = "") -> pd.DataFrame:
    """A row an option (and value of ``by``: seat or band): offers, picks, first use, and who won.

    ``offered``, ``picked``: a game and seat; ``pick_rate``: picks an offer with its 95 % limits ``low`` and ``high``;
    ``used_in``: share of seats that used it at all; ``first_round``: mean round of the first use; ``users_win``: win
    share of users, with limits.  Users differ from others in more than the option: read ``users_win`` as a hint and
    ablate (``soundcheck compare``) before believing it.
    """
    keys = ["kind", "option", *([by] if by else [])]
    places = uses[list(dict.fromkeys(["game", "seat", *([by] if by else [])]))].drop_duplicates()
    total = {str(name): len(at) for name, at in places.groupby(by)} if by else {}
    table = []
    for key, at in uses.groupby(keys, sort=False):
        of = total[str(key[2])] if by else len(places)
        used = at[at["picked"] > 0]
        picks = _split(at["block"], at["picked"] * SHARE_UNIT, at["offered"])
        wins = _split(used["block"], used["win_share"] * SHARE_UNIT, pd.Series(1, used.index))
        low, high = picks.interval()
        users_low, users_high = wins.interval()
        table.append(
            {
                **dict(zip(keys, key, strict=True)), "name": at["name"].iloc[0], "way": at["way"].iloc[0],
                "offered": at["offered"].sum() / of, "picked": at["picked"].sum() / of,
                "pick_rate": picks.share, "low": low, "high": high, "used_in": len(used) / of,
                "first_round": float(used["first_round"].mean()) if len(used) else math.nan,
                "users_win": wins.share, "users_low": users_low, "users_high": users_high, "seats": of,
            }
        )  # fmt: skip
    return pd.DataFrame(table).sort_values(
        ["kind", "picked", "option"], ascending=[True, False, True], ignore_index=True
    )


def _split(block: pd.Series, parts: pd.Series, whole: pd.Series) -> Split:
    """The ratio of two sums over blocks as a Split without others; ``parts``: in 840ths."""
    if not len(block):
        return Split()
    sums = pd.DataFrame({"whole": whole, "parts": np.rint(parts).astype(np.int64)}).groupby(block).sum()
    columns = np.zeros((4, len(sums)), np.int64)
    columns[0], columns[1] = sums["whole"], sums["parts"]
    held = int(np.count_nonzero(columns[0]))
    return Split(len(sums), held, 0, 0, columns.sum(axis=1), columns @ columns.T)


def never_offered(uses: pd.DataFrame, things: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    """Things that no decision of these games offered, by kind; kinds that were all on offer are left out."""
    seen = set(zip(uses["kind"], uses["name"], strict=True))
    missing = {kind: [name for name in names if (kind, name) not in seen] for kind, names in things.items()}
    return {kind: names for kind, names in missing.items() if names}


def band_table(uses: pd.DataFrame) -> pd.DataFrame:
    """A row a band: seats that it took, in which share of the games, and its win share with 95 % limits.

    Bands are seated by the plan, not picked by players.
    """
    seats = uses[["game", "block", "band", "win_share"]].assign(seat=uses["seat"]).drop_duplicates()
    games = seats["game"].nunique()
    table = []
    for band, at in seats[seats["band"] != ""].groupby("band"):
        wins = _split(at["block"], at["win_share"] * SHARE_UNIT, pd.Series(1, at.index))
        low, high = wins.interval()
        table.append(
            {
                "band": band, "seats": len(at), "games_share": at["game"].nunique() / games, "win_share": wins.share,
                "low": low, "high": high,
            }
        )  # fmt: skip
    return pd.DataFrame(table)
