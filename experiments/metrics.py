"""Metrics of play: how games go, not only how they end.

A metric is a function from a GameRecord to numbers by name; anybody's function may be added (``module:function``)
without touching an engine.  Rows are kept as they are found (a row a game, a row a seat and round, a row a seat and
option) and summed up from there, block by block.
"""

from __future__ import annotations

import importlib
import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from experiments.curve import mean_interval
from experiments.records import GameRecord
from experiments.statistics import BlockMeans
from experiments.uses import use_rows
from simcore.errors import UsageError

#: Numbers by name, of one game.
Metric = Callable[[GameRecord], Mapping[str, float]]

#: From this share of games on a leader counts as a sure winner.
RUNAWAY = 0.9

#: Width of a class of deficits, as a share of the winner's mean score.
_CLASSES = (0.0, 0.05, 0.1, 0.2, 0.3, math.inf)


# ------------------------------------------------------------------ metrics of one game
def leads(record: GameRecord) -> dict[str, float]:
    """Lead changes, the round from which the winner led alone to the end, and whether they were ever last."""
    leaders = [_sole_leader(scores) for scores in record.scores]
    changes, holder = 0, -1
    for leader in leaders:
        if leader >= 0 and leader != holder:
            changes += holder >= 0
            holder = leader
    winner = int(record.win_share.argmax()) if record.win_share.max() == 1 else -1
    led_from = len(leaders)
    while winner >= 0 and led_from and leaders[led_from - 1] == winner:
        led_from -= 1
    was_last = winner >= 0 and any(
        scores[winner] == scores.min() < scores.max() for scores in record.scores[1:-1]
    )  # fmt: skip
    return {"lead_changes": changes, "led_from": led_from if winner >= 0 else math.nan, "winner_was_last": was_last}


def _sole_leader(scores: np.ndarray) -> int:
    first = int(scores.argmax())
    return first if (scores == scores[first]).sum() == 1 else -1


def ending(record: GameRecord) -> dict[str, float]:
    """How close it was: the gap from the first to the second and to the last, ties, completion."""
    ordered = np.sort(record.scores[-1])[::-1]
    return {
        "gap_second": ordered[0] - ordered[1] if len(ordered) > 1 else math.nan,
        "gap_last": ordered[0] - ordered[-1],
        "shared_win": float((record.win_share > 0).sum() > 1),
        "completed": float(record.is_finished),
    }


def decisions(record: GameRecord) -> dict[str, float]:
    """Length and freedom: decisions, forced ones, legal actions and options a decision (branching factor)."""
    free = [choice for choice in record.choices if choice.actions > 1]
    n = max(len(free), 1)
    return {
        "rounds": record.rounds, "decisions": len(free), "forced": len(record.choices) - len(free),
        "actions_a_decision": sum(choice.actions for choice in free) / n,
        "options_a_decision": sum(len(choice.offered) for choice in free) / n,
        "chance_events": len(record.chance),
    }  # fmt: skip


GAME_METRICS: tuple[Metric, ...] = (decisions, leads, ending)


def metric(text: str) -> Metric:
    """The metric that ``module:function`` names.  Raises UsageError."""
    module_name, colon, name = text.partition(":")
    if not colon:
        raise UsageError(f"metric {text!r}: is written module:function")
    try:
        found = getattr(importlib.import_module(module_name), name)
    except ImportError as error:
        raise UsageError(f"metric {text!r}: module {module_name!r} cannot be imported: {error}") from error
    except AttributeError:
        raise UsageError(f"metric {text!r}: {module_name} has no {name!r}") from None
    if not callable(found):
        raise UsageError(f"metric {text!r}: is not a function of a GameRecord")
    return found


# ------------------------------------------------------------------ rows
@dataclass(frozen=True)
class Rows:
    """Raw rows of many games.

    ``games``: game, block and a column a metric.  ``rounds``: game, block, round, seat, score, deficit (to the best
    other seat; negative in front), win_share.  ``uses``: game, block, seat, band, option, its kind, name and way (see
    ``simcore.subjects``), offered and picked (decisions), first_round (of the first use, 0: never), win_share.
    """

    games: pd.DataFrame
    rounds: pd.DataFrame
    uses: pd.DataFrame


def collect(
    found: Iterable[GameRecord], extra: Iterable[Metric] = (), metrics: Iterable[Metric] = GAME_METRICS
) -> Rows:  # fmt: skip
    """The rows of ``found``; ``metrics``: those of this module that are asked for.

    Raises UsageError where a metric of the user's raises or gives no numbers.
    """
    extra = tuple(extra)
    games, rounds, uses = [], [], []
    for record in found:
        row: dict[str, Any] = {"game": record.number, "block": record.block}
        for one in metrics:
            row |= one(record)
        for one in extra:
            row |= _asked(one, record)
        games.append(row)
        rounds += _round_rows(record)
        uses += use_rows(record)
    return Rows(pd.DataFrame(games), pd.DataFrame(rounds), pd.DataFrame(uses))


def _asked(one: Metric, record: GameRecord) -> dict[str, float]:
    name = getattr(one, "__name__", str(one))
    try:
        return {str(key): float(value) for key, value in one(record).items()}
    except Exception as error:
        raise UsageError(f"metric {name}: {type(error).__name__}: {error} (game {record.number})") from error


def _round_rows(record: GameRecord) -> list[dict[str, Any]]:
    rows = []
    n = record.scores.shape[1]
    for number, scores in enumerate(record.scores):
        for seat in range(n):
            others = np.delete(scores, seat)
            rows.append(
                {
                    "game": record.number, "block": record.block, "round": number, "seat": seat, "score": scores[seat],
                    "deficit": others.max() - scores[seat] if n > 1 else 0.0, "win_share": record.win_share[seat],
                }
            )  # fmt: skip
    return rows


# ------------------------------------------------------------------ summaries
def game_table(rows: Rows) -> pd.DataFrame:
    """A row a metric: mean over games, its 95 % interval from block means, deviation, least, most.

    A last row ``closeness`` is 1 / sqrt(E[gap_second squared]), with limits from those of the mean square.
    """
    table = []
    for name in rows.games.columns.drop(["game", "block"]):
        values = rows.games[name].astype(np.float64)
        mean, low, high = _by_block(values, rows.games["block"])
        if values.isin([0, 1]).all():  # a share of games: exact limits where few blocks say yes or no
            low, high = _block_means(rows.games.assign(value=values), "value").interval()
        table.append(
            {
                "metric": name, "games": int(values.notna().sum()), "mean": mean, "low": low, "high": high,
                "sd": float(values.std()), "least": float(values.min()), "most": float(values.max()),
            }
        )  # fmt: skip
    square, low, high = _by_block(rows.games["gap_second"].astype(np.float64) ** 2, rows.games["block"])
    table.append(
        {
            "metric": "closeness", "games": int(rows.games["gap_second"].notna().sum()), "mean": _root(square),
            "low": _root(high), "high": _root(max(low, 0.0)),
        }
    )  # fmt: skip
    return pd.DataFrame(table)


def _root(square: float) -> float:
    if math.isnan(square):
        return math.nan
    return math.inf if square <= 0 else 0.0 if math.isinf(square) else 1 / math.sqrt(square)


def _by_block(values: pd.Series, block: pd.Series) -> tuple[float, float, float]:
    """(mean, low, high) of block means; NaN where nothing was measured."""
    means = values.groupby(block).mean().dropna().to_numpy()
    return mean_interval(means) if len(means) else (math.nan, math.nan, math.nan)


def round_table(rows: Rows) -> pd.DataFrame:
    """A row a round: mean scores of all seats and of each, spread between first and last with its 95 % limits, share of
    games that the sole leader then wins with its limits.
    """
    table = []
    for number, at in rows.rounds.groupby("round"):
        scores = at.pivot(index="game", columns="seat", values="score")
        leading = at[at["deficit"] < 0]
        one = _share(leading)
        low, high = one.interval() if one else (math.nan, math.nan)
        blocks = at.groupby("game")["block"].first()
        spread, spread_low, spread_high = _by_block(scores.max(axis=1) - scores.min(axis=1), blocks)
        table.append(
            {
                "round": number, "games": len(scores), "mean_score": float(at["score"].mean()),
                **{f"seat_{seat}": float(scores[seat].mean()) for seat in scores},
                "spread": spread, "spread_low": spread_low, "spread_high": spread_high,
                "leader_wins": one.mean if one else math.nan, "low": low, "high": high, "led_games": len(leading),
            }
        )  # fmt: skip
    return pd.DataFrame(table)


def runaway_round(table: pd.DataFrame) -> float:
    """The first round from which on the sole leader wins at least RUNAWAY of the games; NaN: never before the end."""
    found = math.nan
    for row in table[::-1].to_dict("records"):
        if math.isnan(row["leader_wins"]) or row["leader_wins"] < RUNAWAY:
            break
        found = row["round"]
    return found if found != table["round"].max() else math.nan


def comeback_table(rows: Rows) -> pd.DataFrame:
    """A row a round and class of deficits: the win share of a seat that stands so far behind then.

    Classes are shares of the mean winning score; ``from`` and ``to`` are in points.
    """
    last = rows.rounds["round"] == rows.rounds.groupby("game")["round"].transform("max")
    best = rows.rounds[last].groupby("game")["score"].max().mean()
    table = []
    for number, at in rows.rounds[(rows.rounds["round"] > 0) & ~last].groupby("round"):
        for low_class, high_class in itertools.pairwise(_CLASSES):
            low, high = low_class * best, high_class * best
            inside = at[(at["deficit"] > low) & (at["deficit"] <= high)]
            one = _share(inside)
            if one is None:
                continue
            limits = one.interval()
            table.append(
                {
                    "round": number, "from": low, "to": high, "seats": len(inside), "win_share": one.mean,
                    "low": limits[0], "high": limits[1],
                }
            )  # fmt: skip
    return pd.DataFrame(table)


def _share(rows: pd.DataFrame) -> BlockMeans | None:
    """Win share of ``rows``; blocks count as one game each, however many rows they have."""
    return _block_means(rows, "win_share") if len(rows) else None


def _block_means(rows: pd.DataFrame, column: str) -> BlockMeans:
    means = rows.groupby("block")[column].mean().to_numpy()
    variance = float(means.var(ddof=1)) if len(means) > 1 else 0.0
    return BlockMeans(len(means), 1, float(means.mean()), variance)
