"""Agents against agents: a ladder of skill, and whether several styles of play are viable.

A pair of agents plays one of the one kind against a table of the other, in all rotations of seats and bands.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from experiments.balance import Finding
from experiments.findings import StudyFinding
from experiments.study import Study, read_study

#: Alpha-rank's intensity of selection and size of the population.
INTENSITY, POPULATION = 100.0, 50

#: Draws for the interval of the effective number of styles.
_DRAWS = 1000


def one_against(challenger: str, others: str, players: int) -> tuple[str, ...]:
    """Agents of a table: one challenger, all else of the other kind."""
    return (challenger, *[others] * (players - 1))


def ladder_study(game: str, rungs: Sequence[str], players: int, games: int, seed: int = 1, **keys: Any) -> Study:
    """Every rung but the first against a table of the rung below it."""
    pairs = [one_against(upper, lower, players) for lower, upper in itertools.pairwise(rungs)]
    return _study(game, pairs, players, games, seed, f"{game}: a ladder of {len(rungs)} rungs", keys)


def styles_study(game: str, agents: Sequence[str], players: int, games: int, seed: int = 1, **keys: Any) -> Study:
    """Every agent against a table of every other (with two players each pair once)."""
    pairs = [
        one_against(one, other, players)
        for k, one in enumerate(agents)
        for j, other in enumerate(agents)
        if one != other and (players > 2 or k < j)
    ]
    return _study(game, pairs, players, games, seed, f"{game}: {len(agents)} styles against each other", keys)


def _study(game: str, pairs: Any, players: int, games: int, seed: int, title: str, keys: dict[str, Any]) -> Study:
    return read_study(
        {"game": game, "title": title, "players": players, "agents": pairs, "games": games, "seeds": [seed], **keys}
    )


def pair_table(found: StudyFinding) -> pd.DataFrame:
    """A row a pair: challenger, others, its win share with interval, fair share, excess, and error
    (that of the interval, which is wide where few blocks or no loss were seen).
    """
    rows = []
    for cell, one in found.cells:
        assert isinstance(one, Finding)
        agents = cell.base.agents
        group = one.summary.groups["agent"][agents[0]]
        low, high = group.means.interval()
        rows.append(
            {
                "challenger": agents[0], "others": agents[-1], "games": one.summary.games,
                "win_share": group.means.mean, "low": low, "high": high, "fair": 1 / cell.base.players,
                "excess": group.means.mean - 1 / cell.base.players, "error": (high - low) / 3.92,
                "players": cell.base.players,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def matrix(pairs: pd.DataFrame, agents: Sequence[str], column: str = "win_share") -> pd.DataFrame:
    """Win share of each row's agent against a table of each column's; fair on the diagonal.

    With two players a pair is played once and the other half follows.
    """
    fair = float(pairs["fair"].iloc[0])
    table = pd.DataFrame(fair if column == "win_share" else 0.0, index=list(agents), columns=list(agents))
    for row in pairs.to_dict("records"):
        table.loc[row["challenger"], row["others"]] = row[column]
        if row["players"] == 2:
            table.loc[row["others"], row["challenger"]] = 1 - row[column] if column == "win_share" else row[column]
    return table


def alpha_rank(
    shares: np.ndarray, fair: float, intensity: float = INTENSITY, population: int = POPULATION
) -> np.ndarray:
    """Share of time that an evolving population spends with each style, shape (styles,), summing to 1.

    ``shares[i, j]``: win share of one i against a table of j.  The chain of Omidshafiei et al. ("alpha-Rank:
    Multi-Agent Evaluation by Evolution", Scientific Reports 9, 2019), one population: style j takes over a
    population of i with Moran's fixation probability for its excess over fair.
    """
    k = len(shares)
    move = np.zeros((k, k))
    for i in range(k):
        for j in range(k):
            if i != j:
                move[i, j] = _fixation(intensity * (shares[j, i] - fair), population) / (k - 1)
        move[i, i] = 1 - move[i].sum()
    # The stationary distribution solves (move' - 1) x = 0 with sum 1; a little mutation keeps it unique.
    move = (1 - 1e-9) * move + 1e-9 / k
    system = np.vstack([move.T - np.eye(k), np.ones(k)])
    found, *_ = np.linalg.lstsq(system, np.concatenate([np.zeros(k), [1.0]]), rcond=None)
    found = np.maximum(found, 0)
    return found / found.sum()


def _fixation(gain: float, population: int) -> float:
    if abs(gain) < 1e-12:
        return 1 / population
    if gain < 0:  # written so that nothing overflows
        return float(np.exp(gain * (population - 1)) * np.expm1(gain) / np.expm1(gain * population))
    return float(np.expm1(-gain) / np.expm1(-gain * population))


def effective_number(mass: np.ndarray) -> float:
    """exp(entropy): how many equally viable styles the distribution is worth."""
    held = mass[mass > 0]
    return float(np.exp(-(held * np.log(held)).sum()))


@dataclass(frozen=True)
class Viable:
    """``ranks``: alpha-rank's mass by agent; ``number``: effective number of styles with its 95 % limits."""

    ranks: pd.Series
    number: float
    low: float
    high: float


def viable(pairs: pd.DataFrame, agents: Sequence[str], seed: int = 1) -> Viable:
    """Which styles are viable; limits are those of the entries' sampling errors (parametric bootstrap)."""
    fair = float(pairs["fair"].iloc[0])
    shares, errors = (matrix(pairs, agents, column).to_numpy() for column in ("win_share", "error"))
    ranks = alpha_rank(shares, fair)
    rng = np.random.default_rng(seed)
    two = int(pairs["players"].iloc[0]) == 2
    numbers = []
    for _ in range(_DRAWS):
        noise = rng.standard_normal(shares.shape) * errors
        if two:  # both halves are one measurement
            noise = np.triu(noise, 1) - np.triu(noise, 1).T
        numbers.append(effective_number(alpha_rank(shares + noise, fair)))
    low, high = np.quantile(numbers, [0.025, 0.975]).tolist()
    return Viable(pd.Series(ranks, index=list(agents)), effective_number(ranks), low, high)


def ladder_table(found: StudyFinding) -> pd.DataFrame:
    """The skill ladder as a curve: a row a step, with the sum of excesses so far.

    ``step``: excess of the upper rung over fair at a table of the lower; ``height``: sum of the steps;
    ``verdict``: "stronger", "weaker" or "not told apart" by the 95 % interval.
    """
    rows = pair_table(found)
    rows["height"] = rows["excess"].cumsum()
    rows["verdict"] = np.where(
        rows["low"] > rows["fair"], "stronger", np.where(rows["high"] < rows["fair"], "weaker", "not told apart")
    )
    return rows.rename(columns={"challenger": "rung", "others": "below", "excess": "step"})


def _duels(study: Study) -> list[tuple[str, str]]:
    """(challenger, others) of every cell of a study in which one sits at a table of others; else nothing."""
    tables = [(agents,) if isinstance(agents, str) else tuple(agents) for agents in study.agents]
    if len(study.rule_sets) > 1 or len(study.seeds) > 1 or len(study.modes) > 1 or len(study.players or (1,)) > 1:
        return []
    are_duels = all(len(one) > 1 and len(set(one[1:])) == 1 and one[0] != one[1] for one in tables)
    return [(one[0], one[1]) for one in tables] if are_duels else []


def rungs_of(study: Study) -> list[str]:
    """The rungs of a study that is a ladder (every challenger meets the one before it), weakest first; else nothing."""
    pairs = _duels(study)
    rungs = [*(other for _, other in pairs[:1]), *(one for one, _ in pairs)]
    is_ladder = all(below[0] == above[1] for below, above in itertools.pairwise(pairs))
    return rungs if is_ladder and len(set(rungs)) == len(rungs) else []


def styles_of(study: Study) -> list[str]:
    """The agents of a study in which every one meets every other; else nothing."""
    pairs = _duels(study)
    agents = list(dict.fromkeys(itertools.chain.from_iterable(pairs)))
    two = study.players is not None and study.players[0] == 2
    met = set(pairs) | {(other, one) for one, other in pairs if two}
    return agents if agents and len(met) == len(agents) * (len(agents) - 1) else []
