"""Win shares of two things at once: each band in each seat, each band with each other at the table.

Sums of whole blocks, as in ``experiments.summary``: pieces of a run add up, however it was cut.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from experiments.summary import Group, by_blocks, groups_of


@dataclass
class Crosses:
    """Groups by (band, seat), and by (band, band met at the table)."""

    seats: dict[tuple[str, int], Group] = field(default_factory=dict)
    met: dict[tuple[str, str], Group] = field(default_factory=dict)

    def add(self, seats: pd.DataFrame) -> None:
        """Take in the rows of whole blocks (in place; columns as stored, ``band`` among them)."""
        rows = seats[["game", "block", "seat", "band", "win_share"]]
        bands = sorted(rows["band"].unique().tolist())
        number = rows["band"].map({band: k for k, band in enumerate(bands)}).to_numpy()
        places = int(rows["seat"].max()) + 1
        for code, group in _by_code(rows, number * places + rows["seat"].to_numpy()).items():
            band, seat = divmod(code, places)
            self.seats.setdefault((bands[band], seat), Group()).add(group)
        for code, group in _by_code(*_pairs(rows, number, len(bands))).items():
            one, other = divmod(code, len(bands))
            self.met.setdefault((bands[one], bands[other]), Group()).add(group)

    def merge(self, other: Crosses) -> None:
        """Take in the sums of another run's blocks (in place)."""
        for key, group in other.seats.items():
            self.seats.setdefault(key, Group()).add(group)
        for pair, group in other.met.items():
            self.met.setdefault(pair, Group()).add(group)


def _by_code(rows: pd.DataFrame, code: np.ndarray) -> dict[int, Group]:
    return groups_of(rows[["block", "win_share"]].assign(code=code), "code")


def _pairs(rows: pd.DataFrame, number: np.ndarray, bands: int) -> tuple[pd.DataFrame, np.ndarray]:
    """(rows, code): every seat's row once for each other band at its table; rows lie game by game."""
    places = int(rows["seat"].max()) + 1
    tables = number.reshape(-1, places)
    parts, codes = [], []
    for step in range(1, places):
        parts.append(rows)
        codes.append((tables * bands + np.roll(tables, -step, axis=1)).ravel())
    return pd.concat(parts), np.concatenate(codes)


def read_crosses(folder: Path, group_blocks: int = 4096) -> Crosses:
    """The crosses of a stored run whose games have bands.  Raises UsageError."""
    crosses = Crosses()
    for seats in by_blocks(folder, "seats", group_blocks):
        crosses.add(seats.sort_values(["game", "seat"], kind="stable"))
    return crosses


def as_matrix(groups: dict[tuple[str, int], Group] | dict[tuple[str, str], Group], names: list[str]) -> pd.DataFrame:
    """Mean win share: a row a band in the order of ``names``, a column a seat or another band (NaN: never met)."""
    columns = sorted({key[1] for key in groups}, key=lambda one: names.index(one) if one in names else one)
    table = pd.DataFrame(index=names, columns=columns, dtype=float)
    for (row, column), group in groups.items():
        table.loc[row, column] = group.means.mean
    return table
