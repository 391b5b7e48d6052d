"""Sums of a run, added up a piece at a time, and the tables made of them.

Win shares are counted in whole numbers (``SHARE_UNIT``, which every tie of up to eight seats divides), so that
sums do not depend on the order or the size of the pieces, and merging parts gives the summary of the whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as pads
from scipy import special

from experiments import manifest as manifests
from experiments.holdings import Split, held_splits, merge, taken_splits
from experiments.statistics import ALPHA, SHARE_UNIT, BlockMeans
from experiments.store import readably, stored
from simcore import registry
from simcore.protocol import Game

#: Columns that place a row; everything else that is a number is summed.
KEYS = ("game", "block", "seat", "band", "agent", "win_share")

#: Nothing to sum beside wins.
NO_COLUMNS: Mapping[str, np.ndarray] = MappingProxyType({})

#: What win shares are told apart by: the heading of its table, and the column.
FACTORS = ("band", "seat", "agent")


@dataclass
class Group:
    """Sums of one band, seat or agent: over its blocks (win shares) and over its rows (numbers).

    ``total``, ``squares``: of the wins a block, in 840ths; ``games``: rows; ``numbers``: sums by column.
    """

    blocks: int = 0
    games: int = 0
    total: int = 0
    squares: int = 0
    numbers: dict[str, float] = field(default_factory=dict)

    def add(self, other: Group) -> None:
        """Take in the sums of other blocks (in place)."""
        self.blocks += other.blocks
        self.games += other.games
        self.total += other.total
        self.squares += other.squares
        for name, value in other.numbers.items():
            self.numbers[name] = self.numbers.get(name, 0) + value

    @property
    def means(self) -> BlockMeans:
        """Count, mean and variance of the block means."""
        a_block = self.games // self.blocks
        mean = self.total / self.blocks
        # Exact in whole numbers: floats would lose the variance of many blocks that are nearly alike.
        spread = self.blocks * self.squares - self.total * self.total
        variance = spread / (self.blocks * (self.blocks - 1)) if self.blocks > 1 else 0.0
        unit = SHARE_UNIT * a_block
        return BlockMeans(self.blocks, a_block, mean / unit, variance / unit**2)

    def mean(self, name: str) -> float:
        """Mean of a column over the rows."""
        return self.numbers.get(name, 0) / self.games


@dataclass
class Spread:
    """Sums of one column of games, for its mean with an interval, its deviation and range.

    ``blocks``: how many there are; ``block_squares``: sum of the squares of their totals.
    """

    count: int = 0
    total: float = 0
    squares: float = 0
    least: float = np.inf
    most: float = -np.inf
    blocks: int = 0
    block_squares: float = 0

    def add(self, other: Spread) -> None:
        """Take in the sums of other games (in place)."""
        self.count += other.count
        self.total += other.total
        self.squares += other.squares
        self.least = min(self.least, other.least)
        self.most = max(self.most, other.most)
        self.blocks += other.blocks
        self.block_squares += other.block_squares

    @property
    def mean(self) -> float:
        """Mean of the column."""
        return self.total / self.count

    @property
    def deviation(self) -> float:
        """Standard deviation of the column."""
        return float(np.sqrt(max(self.squares / self.count - self.mean**2, 0.0)))

    def interval(self) -> tuple[float, float]:
        """95 % limits of the mean from block means (Student's t); not a number for a single block."""
        if self.blocks < 2:
            return float("nan"), float("nan")
        # Exact in whole numbers: floats would lose the variance of many blocks that are nearly alike.
        spread = max(self.blocks * self.block_squares - self.total * self.total, 0)
        error = np.sqrt(spread / (self.blocks - 1)) / self.count
        half = float(special.stdtrit(self.blocks - 1, 1 - ALPHA / 2)) * float(error)
        return self.mean - half, self.mean + half


@dataclass
class Summary:
    """Everything that the tables of a run need, whatever its length.

    ``winners``: sums over the seats that won or shared a win.  ``splits``: by what a seat came by (a column, or
    what one of the things is called), then by value: see ``holdings``.
    """

    players: int
    groups: dict[str, dict[Any, Group]] = field(default_factory=lambda: {name: {} for name in FACTORS})
    lengths: dict[str, Spread] = field(default_factory=dict)
    winners: Group = field(default_factory=Group)
    splits: dict[str, dict[str, Split]] = field(default_factory=dict)

    def add(self, other: Summary) -> None:
        """Take in the summary of other blocks (in place)."""
        for factor, groups in other.groups.items():
            for name, group in groups.items():
                self.groups[factor].setdefault(name, Group()).add(group)
        for name, spread in other.lengths.items():
            self.lengths.setdefault(name, Spread()).add(spread)
        self.winners.add(other.winners)
        for kind, splits in other.splits.items():
            merge(self.splits.setdefault(kind, {}), splits)

    @property
    def games(self) -> int:
        """Games of the run, unfinished ones included."""
        return sum(group.games for group in self.groups["seat"].values()) // self.players

    def share_of(self, column: str) -> float:
        """Share of games in which a yes-or-no column of games holds."""
        return self.lengths[column].mean if column in self.lengths else 0.0

    @property
    def forced_share(self) -> float:
        """Share of all decisions that had a single legal action."""
        numbers = [group.numbers for group in self.groups["seat"].values()]
        forced = sum(n.get("forced", 0) for n in numbers)
        asked = forced + sum(n.get("decisions", 0) for n in numbers)
        return forced / asked if asked else 0.0


def _number_columns(table: pd.DataFrame, game: Game | None) -> list[str]:
    """Columns that are summed: numbers, but for those that say who took what, which ``splits`` sum."""
    prefixes = tuple(prefix for taken in game.takings.values() for prefix in taken.prefixes) if game else ()
    return [
        str(name)
        for name in table.columns
        if name not in KEYS and pd.api.types.is_numeric_dtype(table[name].dtype) and not str(name).startswith(prefixes)
    ]


def _numbers(column: pd.Series) -> np.ndarray:
    """A column as int64 or float64: sums of whole numbers stay exact."""
    values = column.to_numpy()
    return values.astype(np.int64 if values.dtype.kind in "iub" else np.float64)


def groups_of(seats: pd.DataFrame, factor: str, columns: Mapping[str, np.ndarray] = NO_COLUMNS) -> dict[Any, Group]:
    """The sums of each value of ``factor`` over whole blocks: of wins, and of ``columns`` (arrays as long)."""
    which, names = pd.factorize(seats[factor], sort=True)
    _, block = np.unique(seats["block"].to_numpy(), return_inverse=True)
    wins = np.rint(seats["win_share"].to_numpy() * SHARE_UNIT).astype(np.int64)
    by_block = np.zeros((len(names), int(block.max()) + 1), np.int64)
    rows = np.zeros_like(by_block)
    np.add.at(by_block, (which, block), wins)
    np.add.at(rows, (which, block), 1)
    groups = {}
    for k, name in enumerate(names.tolist()):
        own = which == k
        sums = {column: values[own].sum().item() for column, values in columns.items()}
        groups[name] = Group(
            blocks=int(np.count_nonzero(rows[k])),
            games=int(rows[k].sum()),
            total=int(by_block[k].sum()),
            squares=int((by_block[k] ** 2).sum()),
            numbers=sums,
        )
    return groups


def summarise(games: pd.DataFrame, seats: pd.DataFrame, game: Game | None = None) -> Summary:
    """The summary of whole blocks: a row a game, a row a seat (columns as stored).

    ``game``: says what seats came by; without it ``splits`` stay empty.
    """
    summary = Summary(int(seats["seat"].max()) + 1)
    columns = {name: _numbers(seats[name]) for name in _number_columns(seats, game)}
    for factor in FACTORS:
        if factor in seats.columns:
            summary.groups[factor] = groups_of(seats, factor, columns)
    won = seats["win_share"].to_numpy() > 0
    summary.winners.games = int(won.sum())
    summary.winners.numbers = {name: values[won].sum().item() for name, values in columns.items()}
    _, block = np.unique(games["block"].to_numpy(), return_inverse=True)
    for name in _number_columns(games, game):
        summary.lengths[name] = _spread(_numbers(games[name]), block)
    if game:
        _split(summary, games, seats, game)
    return summary


def _spread(values: np.ndarray, block: np.ndarray) -> Spread:
    totals = np.zeros(int(block.max()) + 1, values.dtype)
    np.add.at(totals, block, values)
    return Spread(
        len(values), values.sum().item(), (values**2).sum().item(), values.min().item(), values.max().item(),
        len(totals), (totals**2).sum().item(),
    )  # fmt: skip


def _split(summary: Summary, games: pd.DataFrame, seats: pd.DataFrame, game: Game) -> None:
    """What seats came by, where the rows say it (in place)."""
    for column in game.holdings:
        if column in seats.columns:
            summary.splits[column] = held_splits(seats, column)
    for thing, taken in game.takings.items():
        summary.splits[thing] = taken_splits(games, seats, taken)


def summarise_run(folder: Path, group_blocks: int = 4096) -> Summary:
    """The summary of a stored run, read a row group at a time, so that memory stays flat.

    ``group_blocks``: whole blocks that are held at once.  Raises UsageError.
    """
    game = registry.game(manifests.read(folder)["run"]["game"])
    whole: Summary | None = None
    pieces = zip(by_blocks(folder, "games", group_blocks), by_blocks(folder, "seats", group_blocks), strict=True)
    for games, seats in pieces:
        part = summarise(games, seats, game)
        if whole is None:
            whole = part
        else:
            whole.add(part)
    assert whole is not None, "a stored table holds at least one block"
    return whole


def by_blocks(folder: Path, name: str, blocks: int, columns: Sequence[str] | None = None) -> Iterator[pd.DataFrame]:
    """The rows of a stored table in pieces of ``blocks`` whole blocks, in order; ``columns``: these and the block."""
    waiting: list[pa.Table] = []
    limit = blocks
    data = stored(folder, name)
    wanted = None if columns is None else [one for one in data.schema.names if one == "block" or one in columns]
    for batch in _batches(data, wanted):
        table = pa.Table.from_batches([batch])
        while table.num_rows:
            at = int(np.searchsorted(table.column("block").to_numpy(), limit))
            if at:
                waiting.append(table.slice(0, at))
            table = table.slice(at)
            if table.num_rows:
                if waiting:
                    yield pa.concat_tables(waiting).to_pandas()
                waiting, limit = [], limit + blocks
    if waiting:
        yield pa.concat_tables(waiting).to_pandas()


def _batches(data: pads.FileSystemDataset, columns: list[str] | None) -> Iterator[pa.RecordBatch]:
    """The rows of ``data`` in order, a few thousand at a time.  Raises UsageError for a damaged file."""
    with readably(data):
        yield from data.to_batches(columns=columns, batch_size=16_384, batch_readahead=2, fragment_readahead=1)


def length_table(summary: Summary) -> pd.DataFrame:
    """A row a number of games (rounds, decisions, ...): mean with its 95 % limits, deviation, least, most."""
    rows = [
        (name, spread.mean, *spread.interval(), spread.deviation, spread.least, spread.most)
        for name, spread in summary.lengths.items()
    ]
    return pd.DataFrame(rows, columns=["name", "mean", "low", "high", "sd", "least", "most"])


def parts(summary: Summary) -> list[str]:
    """Columns that make up the score, in the game's own order."""
    first = next(iter(summary.groups["seat"].values()))
    return [name for name in first.numbers if name.startswith("points_")]
