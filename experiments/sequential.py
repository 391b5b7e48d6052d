"""Stopping a run as soon as everything is decided, without paying for the looking.

An interval of fixed size that is looked at again and again errs far more often than it says.  Here every look
uses *confidence sequences*: limits that cover the true share at all looks together with the promised
probability.  Looks are taken at prefixes of the block index, never at whatever has finished, so where a run
stops depends on nothing but its plan.

Two sequences are intersected, each with half of the error.  The beta-binomial mixture (Robbins, Annals of
Mathematical Statistics 41, 1970), with a block counted as one game, holds for any means in [0, 1]: x -> q**x is
convex, so a block mean is never worse than a coin of the same mean.  The normal mixture with the measured variance of
block means (Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas, "Time-uniform central limit theory and asymptotic
confidence sequences", Annals of Statistics 52, 2024, eq. 4) is narrower, and asked only once means are normal.
"""

from __future__ import annotations

import math
from typing import Any

from scipy import special

from experiments import verdict
from experiments.statistics import ALPHA, MARGIN, BlockMeans, games_for_equivalence
from experiments.summary import Group, Summary
from experiments.verdict import BALANCED, OFF, UNDECIDED, Verdict

#: Blocks of the first look, and the growth from look to look (both rounded up to whole designs).
FIRST_BLOCKS, GROWTH = 400, 1.2

#: What the column ``interval`` says of these limits.
METHOD = "sequence"

#: Weight of the beta mixture's prior, in blocks, around the fair share.
_PRIOR = 4.0


def look_points(designs: int, blocks: int) -> list[int]:
    """Numbers of whole designs (of ``blocks`` blocks each) at which a run of at most ``designs`` is looked at."""
    at = min(designs, -(-FIRST_BLOCKS // blocks))
    points = [at]
    while at < designs:
        at = min(designs, math.ceil(at * GROWTH))
        points.append(at)
    return points


def tuning(alpha: float, blocks: float) -> float:
    """The square of rho, for which the normal mixture is narrowest at ``blocks`` blocks."""
    log = -2 * math.log(alpha)
    return (log + math.log(log + 1)) / blocks


def normal_half_width(blocks: float, variance: float, alpha: float, rho2: float) -> float:
    """Half width of the normal mixture's limits after ``blocks`` block means of this variance."""
    grown = blocks * rho2 + 1
    return math.sqrt(variance * 2 * grown / (blocks * blocks * rho2) * math.log(math.sqrt(grown) / alpha))


def beta_limits(wins: float, blocks: int, alpha: float, fair: float) -> tuple[float, float]:
    """Limits of the beta-binomial mixture; ``wins``: sum of the block means."""
    a, b = _PRIOR * fair, _PRIOR * (1 - fair)
    losses, mean = blocks - wins, wins / blocks
    edge = float(special.betaln(a + wins, b + losses) - special.betaln(a, b)) + math.log(alpha)

    def inside(share: float) -> bool:
        return float(special.xlogy(wins, share) + special.xlog1py(losses, -share)) > edge

    return _edge(mean, 0.0, inside), _edge(mean, 1.0, inside)


def _edge(inner: float, outer: float, inside: Any) -> float:
    """Where ``inside`` ends between ``inner``, which lies inside, and ``outer``; rounded outwards."""
    if inside(outer):
        return outer
    for _ in range(60):
        middle = (inner + outer) / 2
        if inside(middle):
            inner = middle
        else:
            outer = middle
    return outer


def limits(one: BlockMeans, fair: float, margin: float, alpha: float) -> tuple[float, float]:
    """Limits that hold at every look at once with probability 1 - ``alpha``."""
    low, high = beta_limits(one.mean * one.blocks, one.blocks, alpha / 2, fair)
    if one.method == "t":
        half = normal_half_width(one.blocks, one.variance, alpha / 2, _rho2(one.games, fair, margin, alpha / 2))
        low, high = max(low, one.mean - half), min(high, one.mean + half)
    return min(low, one.mean), max(high, one.mean)


def _rho2(games: int, fair: float, margin: float, alpha: float) -> float:
    return tuning(alpha, max(games_for_equivalence(fair, margin) / games, FIRST_BLOCKS))


def assess(groups: dict[Any, Group], players: int, games: int, margin: float = MARGIN) -> list[Verdict]:
    """A verdict for each of ``groups`` at this look; ``games``: of the whole run so far.

    Asked first: do both one-sided limits lie within the margin (each errs with ALPHA)?  Then: is fair outside
    the limits at ALPHA over the number of groups?
    """
    fair = 1 / players
    verdicts = []
    for name, group in groups.items():
        one = group.means
        inner = limits(one, fair, margin, 2 * ALPHA)
        strict = limits(one, fair, margin, ALPHA / len(groups))
        answer = UNDECIDED
        if fair - margin < inner[0] and inner[1] < fair + margin:
            answer = BALANCED
        elif not strict[0] <= fair <= strict[1]:
            answer = OFF
        needed = 0
        if answer == UNDECIDED:
            needed = math.ceil(_needed(one, fair, margin, len(groups)) / one.blocks * games)
        low, high = limits(one, fair, margin, ALPHA)
        verdicts.append(
            Verdict(
                str(name), group.games, one.mean, low, high, fair, math.nan, math.nan, math.nan, answer, needed, margin,
                METHOD,
            )
        )  # fmt: skip
    return verdicts


def _needed(one: BlockMeans, fair: float, margin: float, tests: int) -> float:
    """Blocks until a verdict, if share and variance are what they now seem to be."""
    variance = one.variance if one.variance > 0 else fair * (1 - fair)
    gap, blocks = abs(one.mean - fair), float(one.blocks)
    while blocks < 1e9:
        blocks *= 1.1
        within = normal_half_width(blocks, variance, ALPHA, _rho2(one.games, fair, margin, ALPHA)) < margin - gap
        alpha = ALPHA / tests / 2
        if within or normal_half_width(blocks, variance, alpha, _rho2(one.games, fair, margin, alpha)) < gap:
            break
    return blocks


def tables(summary: Summary, margin: float = MARGIN) -> dict[str, list[Verdict]]:
    """Verdicts by factor, as ``verdict.tables`` gives them, from confidence sequences."""
    return verdict.tables(summary, margin, assess)


def is_decided(verdicts: dict[str, list[Verdict]]) -> bool:
    """Whether every band (where there are none: agent, else seat) has its verdict."""
    subject = next(name for name in ("band", "agent", "seat") if name in verdicts)
    return all(one.answer != UNDECIDED for one in verdicts[subject])
