"""Run folders whose games are looked at together: one balance run, or the cells of a plan that differ in agents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd
import pyarrow.compute as pc
import pyarrow.dataset as pads

from experiments import manifest as manifests
from experiments.courses import SAMPLE, Courses, apart, courses, merged
from experiments.crosses import Crosses, read_crosses
from experiments.ratings import FACTORS, Ratings, rate
from experiments.store import stored
from experiments.summary import Summary, summarise_run
from simcore import registry
from simcore.protocol import Game

#: Measures of a game's length, the most telling first: the first that varies is shown, and the decisions.
LENGTHS = ("rounds", "turns_a_player", "turns", "decisions")

#: Ratings rest on so many games of a folder at most: they are of the first blocks.
MOST_RATED = 200_000


@dataclass(frozen=True)
class Pool:
    """``folders``: of runs with the same game, players and bands.  ``sample``: games to be played again, 0: none."""

    folders: tuple[Path, ...]
    sample: int = SAMPLE
    first: Summary | None = None

    @cached_property
    def manifest(self) -> dict:
        """That of the first folder."""
        return manifests.read(self.folders[0])

    @property
    def game(self) -> Game:
        """The game that is played."""
        return registry.game(self.manifest["run"]["game"])

    @property
    def players(self) -> int:
        """Players at the table."""
        return int(self.manifest["run"]["players"])

    @cached_property
    def summary(self) -> Summary:
        """All rows summed up; intervals of several folders would not hold, for they may share their luck."""
        if self.first is not None:
            return self.first
        whole, *others = map(summarise_run, self.folders)
        for one in others:
            whole.add(one)
        return whole

    @cached_property
    def crosses(self) -> Crosses:
        """Win shares by band and seat, and by band and band."""
        whole, *others = map(read_crosses, self.folders)
        for one in others:
            whole.merge(one)
        return whole

    @cached_property
    def courses(self) -> Courses | None:
        """Games played again; None where none are wanted."""
        if not self.sample:
            return None
        each = max(1, self.sample // len(self.folders))
        return merged([courses(folder, each) for folder in self.folders])

    def lengths(self) -> list[tuple[str, pd.DataFrame]]:
        """(measure, how many games are how long): the first of LENGTHS that varies, and the decisions."""
        counts: dict[str, Counter] = {}
        for folder in self.folders:
            data = stored(folder, "games")
            for name in LENGTHS:
                if name in data.schema.names:
                    found = pc.value_counts(data.to_table(columns=[name]).column(name))
                    counts.setdefault(name, Counter()).update(
                        dict(zip(found.field("values").to_pylist(), found.field("counts").to_pylist(), strict=True))
                    )
        varied = [name for name in LENGTHS if len(counts.get(name, ())) > 1]
        tables = [(name, pd.DataFrame(sorted(counts[name].items()), columns=["value", "games"])) for name in varied]
        return [*tables[:1], *(one for one in tables[1:] if one[0] == "decisions")]

    def ratings(self) -> Ratings:
        """Strengths from the first MOST_RATED games of each folder.  Raises UsageError where there is no order."""
        parts = []
        for number, folder in enumerate(self.folders):
            data = stored(folder, "seats")
            columns = ["game", "block", "rank", *(name for name in FACTORS if name in data.schema.names)]
            most = MOST_RATED // manifests.read(folder)["design"]["games_per_block"]
            rows = data.to_table(columns=columns, filter=pads.field("block") < most).to_pandas()
            parts.append(apart(rows, number))
        return rate(pd.concat(parts, ignore_index=True))

    @property
    def has_order(self) -> bool:
        """Whether seats have a finishing order."""
        return all("rank" in stored(folder, "seats").schema.names for folder in self.folders)


def names_of(order: Sequence[str], groups: dict) -> list[str]:
    """``order`` without what never played."""
    there = {str(name) for name in groups}
    return [name for name in order if name in there]
