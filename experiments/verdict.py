"""What the numbers of a run say about each band, seat and agent: balanced, off, or not enough games.

The order of the questions matters and is fixed: a share that is shown to lie within the margin is
*balanced*, even if a million games also show that it is not exactly fair; otherwise one that differs from
fair (Holm's correction over the whole table) is *off*; otherwise there are *not enough games*, and the
verdict says about how many would do.  A difference that was not found is never called balance.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from experiments.statistics import ALPHA, MARGIN, games_for_equivalence, games_for_gap, holm

if TYPE_CHECKING:
    from experiments.summary import Group, Summary

BALANCED, OFF, UNDECIDED = "balanced", "off", "not enough games"


@dataclass(frozen=True)
class Verdict:
    """One line of a finding.  Shares are of games (0 to 1); ``needed``: games of the whole run, 0 if decided."""

    name: str
    games: int
    share: float
    low: float
    high: float
    fair: float
    p_value: float
    p_holm: float
    p_equivalence: float
    answer: str
    needed: int
    margin: float
    method: str

    @property
    def excess(self) -> float:
        """Share above what is fair."""
        return self.share - self.fair

    @property
    def short(self) -> str:
        """The verdict in a few words, for a table."""
        points = f"{100 * self.excess:+.1f} pp"
        if self.answer == BALANCED:
            return f"balanced (within {100 * self.margin:g} pp)"
        if self.answer == OFF:
            return f"off by {points}"
        return f"not enough games (about {self.needed:,} needed)"

    def sentence(self, players: int) -> str:
        """The verdict as a designer reads it."""
        limits = f"95 %: {100 * self.low:.1f} to {100 * self.high:.1f}; fair is {100 * self.fair:.3g}"
        start = f"{spoken(self.name)} win {100 * self.share:.1f} % of {players}-player games ({limits}): "
        if self.answer == OFF and self.low - self.margin < self.fair < self.high + self.margin:
            return f"{start}{self.short}, though perhaps by no more than the margin of {100 * self.margin:g} pp"
        return start + self.short


def spoken(name: str) -> str:
    """A name as it stands in a sentence: ``dead_and_death`` is "Dead and death"."""
    text = name.replace("_", " ")
    return text[:1].upper() + text[1:]


def assess(groups: dict[Any, Group], players: int, games: int, margin: float = MARGIN) -> list[Verdict]:
    """A verdict for each of ``groups``; ``games``: games of the whole run."""
    fair = 1 / players
    means = {name: group.means for name, group in groups.items()}
    p_values = [one.p_value(fair) for one in means.values()]
    verdicts = []
    for (name, one), p_value, p_holm in zip(means.items(), p_values, holm(p_values).tolist(), strict=True):
        p_equivalence = one.equivalence_p(fair, margin)
        if p_equivalence < ALPHA:
            answer = BALANCED
        elif p_holm < ALPHA:
            answer = OFF
        else:
            answer = UNDECIDED
        low, high = one.interval()
        needed = 0
        if answer == UNDECIDED:
            effect = _effect(one.variance, one.mean, one.games) if one.blocks > 1 else float(one.games)
            own = games_needed(one.mean - fair, fair, margin, len(groups), effect)
            needed = _about(max(own * games / groups[name].games, games))
        verdicts.append(
            Verdict(
                str(name), groups[name].games, one.mean, low, high, fair, p_value, p_holm, p_equivalence, answer,
                needed, margin, one.method,
            )
        )  # fmt: skip
    return verdicts


def _effect(variance: float, mean: float, games: int) -> float:
    """Variance of a game's share as the blocks show it, over that of independent games.

    Unlike BlockMeans.design_effect it may fall below one (rotation takes variance out), which is what
    decides how many more games are needed.
    """
    alone = mean * (1 - mean) / games
    return variance / alone if alone > 0 and variance > 0 else float(games)


def games_needed(gap: float, fair: float, margin: float, tests: int, effect: float) -> int:
    """Games of one band until one of the two answers is likely, if the gap is what it now seems to be."""
    sizes = []
    if abs(gap) < margin:
        sizes.append(games_for_equivalence(fair, margin, gap, effect=effect))
    if gap != 0 and 0 < fair + gap < 1:
        sizes.append(games_for_gap(fair, gap, alpha=ALPHA / tests, effect=effect))
    return min(sizes, default=games_for_gap(fair, margin, effect=effect))


def _about(games: float) -> int:
    """``games`` rounded up to two digits."""
    unit = 10 ** max(math.floor(math.log10(games)) - 1, 0)
    return math.ceil(games / unit) * unit


def tables(
    summary: Summary, margin: float = MARGIN, judge: Callable[..., list[Verdict]] = assess
) -> dict[str, list[Verdict]]:
    """Verdicts by factor ("band", "seat", "agent"), the largest share first; ``judge``: as ``assess``."""
    found = {}
    for factor, groups in summary.groups.items():
        if not groups or (factor == "agent" and len(groups) == 1):
            continue
        verdicts = judge(groups, summary.players, summary.games, margin)
        if factor != "seat":
            verdicts.sort(key=lambda one: (-one.share, one.name))
        found[factor] = verdicts
    return found


def frame(summary: Summary, verdicts: dict[str, list[Verdict]]) -> pd.DataFrame:
    """One row a band, seat and agent with everything that was found (``summary.csv``)."""
    rows = []
    for factor, lines in verdicts.items():
        by_name = {str(name): group for name, group in summary.groups[factor].items()}
        for one in lines:
            group = by_name[one.name]
            decided = group.numbers.get("decisions", 0) + group.numbers.get("forced", 0)
            rows.append(
                {
                    "table": factor,
                    "name": one.name,
                    "games": one.games,
                    "blocks": group.blocks,
                    "win_share": one.share,
                    "low": one.low,
                    "high": one.high,
                    "fair": one.fair,
                    "excess": one.excess,
                    "p_value": one.p_value,
                    "p_holm": one.p_holm,
                    "p_equivalence": one.p_equivalence,
                    "margin": one.margin,
                    "verdict": one.answer,
                    "games_needed": one.needed,
                    "interval": one.method,
                    "forced_share": group.numbers.get("forced", 0) / decided if decided else 0.0,
                    **{f"mean_{column}": group.mean(column) for column in group.numbers},
                }
            )
    return pd.DataFrame(rows)


def closing(verdicts: list[Verdict], subject: str) -> str:
    """One paragraph: which are off, which are balanced, which are open; ``subject``: what they are ("bands")."""
    off = [one for one in verdicts if one.answer == OFF]
    balanced = [one for one in verdicts if one.answer == BALANCED]
    open_ones = [one for one in verdicts if one.answer == UNDECIDED]
    margin = f"{100 * verdicts[0].margin:g} pp"
    said = []
    if off:
        listed = ", ".join(f"{spoken(one.name)} {100 * one.excess:+.1f} pp" for one in off)
        said.append(f"{len(off)} of {len(verdicts)} {subject} are off: {listed}.")
    if balanced and not off and not open_ones:
        said.append(f"All {len(verdicts)} {subject} are balanced within {margin}.")
    elif balanced:
        said.append(f"Balanced within {margin}: {', '.join(spoken(one.name) for one in balanced)}.")
    if open_ones:
        needed = max(one.needed for one in open_ones)
        listed = ", ".join(spoken(one.name) for one in open_ones)
        said.append(f"Not enough games to tell: {listed}; about {needed:,} games would do.")
    return " ".join(said)
