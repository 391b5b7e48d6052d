"""Hypothesis strategies for Metal Mania's nouns, beside the checks that go with them (needs the ``test`` extra).

Line-ups are variant tables, rule sets are overrides of options, action lists are numbers that
``invariants.walk`` reads as choices among what is legal, or as chance outcomes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from hypothesis import strategies as st

from metalmania_sim.game import METALMANIA
from metalmania_sim.invariants import BrokenRuleError, check_change, check_invariants, check_legal, walk
from metalmania_sim.kernels.layout import DECLINE, KEEP, SEATS, SKIP, THROWS, VERB_SHIFT
from metalmania_sim.kernels.rules import OPTIONS
from metalmania_sim.ruleset import Rules
from simcore.position import Position
from simcore.whole_game import play_whole

__all__ = [
    "BrokenRuleError", "action_lists", "check_change", "check_game", "check_invariants", "check_legal", "line_ups",
    "positions", "rule_sets", "walk",
]  # fmt: skip

#: Events after which a game counts as endless: many times those of the longest game by the shipped rules.
MOST_EVENTS = 20_000


def line_ups() -> st.SearchStrategy[dict[str, Any]]:
    """Variant tables: every number of players, any boards, any first player."""

    @st.composite
    def build(draw: Any) -> dict[str, Any]:
        players = draw(st.integers(2, SEATS))
        boards = draw(st.permutations(range(1, SEATS + 1)))[:players]
        return {"players": players, "boards": list(boards), "first_player": draw(st.integers(0, players - 1))}

    return build()


def rule_sets(most_changes: int = 4) -> st.SearchStrategy[Mapping[str, Any]]:
    """Overrides of up to ``most_changes`` options by dotted path; the default rules are the simplest."""
    choices: dict[str, st.SearchStrategy[Any]] = {name: st.sampled_from(values) for name, values in OPTIONS.items()}
    choices["bonus_throws"] = st.lists(st.sampled_from(THROWS), unique=True)
    return st.lists(st.sampled_from(sorted(choices)), max_size=most_changes, unique=True).flatmap(
        lambda names: st.fixed_dictionaries({f"options.{name}": choices[name] for name in names})
    )


def action_lists(most: int = 400) -> st.SearchStrategy[list[int]]:
    """Numbers that ``walk`` reads as choices and chance outcomes: a seed spread over a game, so that it is cheap."""

    def spread(seed: int, length: int) -> list[int]:
        return [int(n) for n in np.random.default_rng(seed).integers(0, 6**6, length)]

    return st.builds(spread, st.integers(0, 2**32 - 1), st.integers(0, most))


def positions(rules: Rules | None = None, most: int = 400) -> st.SearchStrategy[Position]:
    """Reachable positions under ``rules`` (the shipped ones if None): up to ``most`` events into any line-up's game."""

    def reach(variant: Mapping[str, Any], choices: list[int]) -> Position:
        position = Position.new(METALMANIA, variant, rules)
        walk(position, choices, check=False)
        return position

    return st.builds(reach, line_ups(), action_lists(most))


def check_game(variant: Mapping[str, Any], seed: int, rules: Rules | None = None, most: int = MOST_EVENTS) -> int:
    """Play a whole game under ``rules``, checking every event; returns how many there were.

    Seats play at random from ``seed`` and never keep, decline or skip while there is anything else to do.  Raises
    BrokenRuleError with the last events and the state where a rule is broken, or where the game has not ended
    after ``most`` events.
    """

    def is_idle(action: int) -> bool:
        return action >> VERB_SHIFT in (KEEP, DECLINE, SKIP)

    return play_whole(Position.new(METALMANIA, variant, rules), seed, walk, is_idle, BrokenRuleError, most)
