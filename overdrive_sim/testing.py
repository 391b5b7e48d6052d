"""Hypothesis strategies for Overdrive's nouns, beside the checks that go with them (needs the ``test`` extra).

Line-ups are variant tables, rule sets are overrides of options, action lists are numbers that
``invariants.walk`` reads as choices among what is legal, or as chance outcomes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from hypothesis import strategies as st

from overdrive_sim.game import OVERDRIVE
from overdrive_sim.invariants import BrokenRuleError, check_invariants, check_legal, check_step, walk
from overdrive_sim.kernels.actions import verb_of
from overdrive_sim.kernels.layout import DIFFICULTIES, END, PASS
from overdrive_sim.kernels.rules import OPTIONS
from overdrive_sim.ruleset import Rules
from overdrive_sim.setup import human_bands
from simcore.position import Position
from simcore.whole_game import play_whole

__all__ = [
    "BrokenRuleError", "action_lists", "check_game", "check_invariants", "check_legal", "check_step", "line_ups",
    "positions", "rule_sets", "walk",
]  # fmt: skip

#: Events after which a game counts as endless: many times those of the longest game by the shipped rules.
MOST_EVENTS = 2_000


def line_ups() -> st.SearchStrategy[dict[str, Any]]:
    """Variant tables: every mode, number of players, difficulty, flag, band and first player.

    Among them are line-ups that the rules advise against: Speed Metal for two (R-SPD-03) and four humans
    against Metallum (G-14).
    """

    @st.composite
    def build(draw: Any) -> dict[str, Any]:
        mode = draw(st.sampled_from(["standard", "standard", "solo", "coop"]))
        players = 1 if mode == "solo" else draw(st.integers(2, 4))
        names = draw(st.permutations(human_bands(mode)))[:players]
        table: dict[str, Any] = {"players": players, "mode": mode, "bands": list(names)}
        if mode == "standard":
            table["first_player"] = draw(st.integers(0, players - 1))
        else:
            table["difficulty"] = draw(st.sampled_from(DIFFICULTIES))
        for flag in ("speed_metal", "hall_of_fame", "free_falling"):
            table[flag] = draw(st.booleans())
        return table

    return build()


def rule_sets(most_changes: int = 4) -> st.SearchStrategy[Mapping[str, Any]]:
    """Overrides of up to ``most_changes`` options by dotted path; the default rules are the simplest."""
    return st.lists(st.sampled_from(sorted(OPTIONS)), max_size=most_changes, unique=True).flatmap(
        lambda names: st.fixed_dictionaries({f"options.{name}": st.sampled_from(OPTIONS[name]) for name in names})
    )


def action_lists(most: int = 400) -> st.SearchStrategy[list[int]]:
    """Numbers that ``walk`` reads as choices and chance outcomes: a seed spread over a game, so that it is cheap."""

    def spread(seed: int, length: int) -> list[int]:
        return [int(n) for n in np.random.default_rng(seed).integers(0, 6**6, length)]

    return st.builds(spread, st.integers(0, 2**32 - 1), st.integers(0, most))


def positions(rules: Rules | None = None, most: int = 400) -> st.SearchStrategy[Position]:
    """Reachable positions under ``rules`` (the shipped ones if None): up to ``most`` events into any line-up's game."""

    def reach(variant: Mapping[str, Any], choices: list[int]) -> Position:
        position = Position.new(OVERDRIVE, variant, rules)
        walk(position, choices, check=False)
        return position

    return st.builds(reach, line_ups(), action_lists(most))


def check_game(variant: Mapping[str, Any], seed: int, rules: Rules | None = None, most: int = MOST_EVENTS) -> int:
    """Play a whole game under ``rules``, checking every event; returns how many there were.

    Seats play at random from ``seed`` and never end a turn while there is anything else to do.  Raises
    BrokenRuleError with the last events and the state where a rule is broken, or where the game has not ended
    after ``most`` events.
    """

    def is_idle(action: int) -> bool:
        return int(verb_of(action)) in (END, PASS)

    return play_whole(Position.new(OVERDRIVE, variant, rules), seed, walk, is_idle, BrokenRuleError, most)
