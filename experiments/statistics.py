"""Intervals, tests and sizes for win shares that were measured in blocks.

Games of one block share their luck and their line-up, so the block is the unit: every interval and test
starts from the means of blocks.  Only ``scipy.special`` is used: ``scipy.stats`` costs a second to import.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

#: From this many blocks on, and with this many effective wins and losses, means are treated as normal.
NORMAL_BLOCKS, NORMAL_EVENTS = 200, 100

#: With this many effective wins and losses the measured variance of block means is trusted at all.
TRUSTED_EVENTS = 30

#: Wins are counted in whole numbers of these parts, the least common multiple of 1 to 8: every tie divides them.
SHARE_UNIT = 840

#: Two-sided error of intervals and of the tests that say "off", and of each side of an equivalence test.
ALPHA = 0.05

#: Half width of "balanced", as a share of games.
MARGIN = 0.02

#: Chance to reach a verdict that "games needed" aims at.
POWER = 0.9


def _tail_above(wins: float, trials: float, null: float) -> float:
    """P(X >= wins) for X ~ Binomial(trials, null), continued to real ``wins`` and ``trials``."""
    return 1.0 if wins <= 0 else float(special.betainc(wins, trials - wins + 1, null))


def _tail_below(wins: float, trials: float, null: float) -> float:
    """P(X <= wins) for X ~ Binomial(trials, null), continued to real ``wins`` and ``trials``."""
    return 1.0 if wins >= trials else float(special.betaincc(wins + 1, trials - wins, null))


def clopper_pearson(low_wins: float, high_wins: float, trials: float, alpha: float = ALPHA) -> tuple[float, float]:
    """Exact binomial limits; ``low_wins`` and ``high_wins`` differ where a total was rounded outwards."""
    low = 0.0 if low_wins <= 0 else float(special.betaincinv(low_wins, trials - low_wins + 1, alpha / 2))
    high = 1.0 if high_wins >= trials else float(special.betaincinv(high_wins + 1, trials - high_wins, 1 - alpha / 2))
    return low, high


def wilson(wins: float, games: int, alpha: float = ALPHA) -> tuple[float, float]:
    """Wilson's interval for ``wins`` of ``games`` independent games (JASA 22, 1927)."""
    z = float(special.ndtri(1 - alpha / 2))
    share, square = wins / games, z * z / games
    centre = (share + square / 2) / (1 + square)
    half = z / (1 + square) * math.sqrt(share * (1 - share) / games + square / (4 * games))
    return max(0.0, centre - half), min(1.0, centre + half)


@dataclass(frozen=True)
class BlockMeans:
    """What was measured of one win share: ``blocks`` block means in [0, 1] of ``games`` games each.

    ``mean``: of the block means; ``variance``: of the block means, with blocks - 1 below the line (0 for
    a single block).

    Three methods, chosen by how much was seen.  Many blocks, many wins and losses: Student's t.  Fewer:
    Clopper and Pearson's exact interval at the effective number of games (games divided by the measured
    design effect, never above the number played; Korn and Graubard, Survey Methodology 24, 1998).  Too few
    even to measure that effect, or blocks that are all alike: the exact interval with each block counted
    as one game, which no correlation within blocks can make too short.
    """

    blocks: int
    games: int
    mean: float
    variance: float

    @cached_property
    def design_effect(self) -> float:
        """Variance of block means over what independent games would give, from 1 to ``games``."""
        alone = self.mean * (1 - self.mean) / self.games
        if self.blocks < 2 or self.variance <= 0 or alone <= 0:
            return float(self.games)
        return min(max(self.variance / alone, 1.0), float(self.games))

    @cached_property
    def method(self) -> str:
        """``"t"``, ``"effective"`` or ``"blocks"``."""
        events = min(self.mean, 1 - self.mean) * self.blocks * self.games / self.design_effect
        if events < TRUSTED_EVENTS or self.variance <= 0:
            return "blocks"
        return "t" if self.blocks >= NORMAL_BLOCKS and events >= NORMAL_EVENTS else "effective"

    @property
    def error(self) -> float:
        """Standard error of the mean."""
        return math.sqrt(self.variance / self.blocks)

    @cached_property
    def _trials(self) -> tuple[float, float, float]:
        """(wins rounded down, wins rounded up, trials) for the two exact methods."""
        if self.method == "blocks":
            total = self.mean * self.blocks
            return math.floor(total + 1e-9), math.ceil(total - 1e-9), self.blocks
        played = self.blocks * self.games
        by_games = float(special.stdtrit(played - 1, 1 - ALPHA / 2))
        by_blocks = float(special.stdtrit(self.blocks - 1, 1 - ALPHA / 2))
        trials = min(played / self.design_effect * (by_games / by_blocks) ** 2, played)
        return self.mean * trials, self.mean * trials, trials

    def interval(self, alpha: float = ALPHA) -> tuple[float, float]:
        """Limits that cover the true share with probability 1 - ``alpha`` (or more, for few blocks)."""
        if self.method == "t":
            half = float(special.stdtrit(self.blocks - 1, 1 - alpha / 2)) * self.error
            return max(0.0, self.mean - half), min(1.0, self.mean + half)
        low, high, trials = self._trials
        return clopper_pearson(low, high, trials, alpha)

    def p_above(self, null: float) -> float:
        """One-sided p-value against "the true share is at most ``null``"."""
        if null <= 0:
            return 0.0 if null < 0 or self.mean > 0 else 1.0
        if self.method == "t":
            return float(special.stdtr(self.blocks - 1, (null - self.mean) / self.error))
        low, _, trials = self._trials
        return _tail_above(low, trials, min(null, 1.0))

    def p_below(self, null: float) -> float:
        """One-sided p-value against "the true share is at least ``null``"."""
        if null >= 1:
            return 0.0 if null > 1 or self.mean < 1 else 1.0
        if self.method == "t":
            return float(special.stdtr(self.blocks - 1, (self.mean - null) / self.error))
        _, high, trials = self._trials
        return _tail_below(high, trials, max(null, 0.0))

    def p_value(self, fair: float) -> float:
        """Two-sided p-value against "the true share is ``fair``"."""
        return min(1.0, 2 * min(self.p_above(fair), self.p_below(fair)))

    def equivalence_p(self, fair: float, margin: float = MARGIN) -> float:
        """p-value of two one-sided tests against "the share is ``margin`` or more away from ``fair``".

        Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987.
        """
        return max(self.p_above(fair - margin), self.p_below(fair + margin))


def holm(p_values: Sequence[float]) -> np.ndarray:
    """Adjusted p-values of a family of tests (Holm, Scandinavian Journal of Statistics 6, 1979)."""
    p = np.asarray(p_values, float)
    order = np.argsort(p, kind="stable")
    stepped = p[order] * (len(p) - np.arange(len(p)))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(stepped), 1.0)
    return adjusted


def games_for_gap(fair: float, gap: float, alpha: float = ALPHA, power: float = POWER, effect: float = 1.0) -> int:
    """Games of a band after which a true gap is found with ``power``; ``effect``: the design effect."""
    true = fair + gap
    spread = float(special.ndtri(1 - alpha / 2)) * math.sqrt(fair * (1 - fair))
    spread += float(special.ndtri(power)) * math.sqrt(max(true * (1 - true), 0.0))
    return math.ceil(effect * (spread / gap) ** 2)


def games_for_equivalence(
    fair: float, margin: float = MARGIN, gap: float = 0.0, alpha: float = ALPHA, power: float = POWER,
    effect: float = 1.0,
) -> int:  # fmt: skip
    """Games of a band after which it is shown to be balanced with ``power``, when it is off by ``gap``."""
    # Without a gap both one-sided tests can fail, each with half of 1 - power.
    miss = (1 - power) / 2 if gap == 0 else 1 - power
    z = float(special.ndtri(1 - alpha)) + float(special.ndtri(1 - miss))
    return math.ceil(effect * fair * (1 - fair) * (z / (margin - abs(gap))) ** 2)
