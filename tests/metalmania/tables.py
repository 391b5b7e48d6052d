"""Positions of Metal Mania for tests: random games under any options, and partial states."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from hypothesis import strategies as st

from metalmania_sim.given import given
from metalmania_sim.kernels.engine import ENGINE
from metalmania_sim.kernels.rules import OPTIONS

FIXTURE = str(Path(__file__).parent.parent / "scenarios" / "metalmania" / "metalmania-fixture.json")

#: Every rule option with any of its values, a few at a time.
options = st.dictionaries(st.sampled_from(sorted(OPTIONS)), st.integers(0, 3), max_size=6).map(
    lambda chosen: {name: OPTIONS[name][k % len(OPTIONS[name])] for name, k in chosen.items()}
)


def start(table: dict[str, Any] | None = None, **scenario: Any) -> tuple[np.ndarray, Any]:
    """(state, rules) of a scenario's tables; ``table`` is its ``given``, without one the game is fresh."""
    full = {"variant": {"players": 2}, "data_file": FIXTURE, **scenario}
    if table is not None:
        full["given"] = table
    state, rules, _ = given(full)
    return state, rules


def legal(state: np.ndarray, rules: Any) -> np.ndarray:
    """Legal action ids, int64, ascending; empty where chance is due or the game is over."""
    if ENGINE.kernels.is_over(state[0]) or ENGINE.kernels.chance_count(state[0], rules.packed[0]):
        return np.zeros(0, np.int64)
    out = np.zeros(1, ENGINE.options)
    n = ENGINE.kernels.legal(state[0], rules.packed[0], out[0])
    return out[0].action[:n].copy()


def chances(state: np.ndarray, rules: Any) -> int:
    """Outcomes of the chance that is due, 0 without one."""
    if ENGINE.kernels.is_over(state[0]):
        return 0
    return int(ENGINE.kernels.chance_count(state[0], rules.packed[0]))


def happen(state: np.ndarray, rules: Any, outcome: int) -> None:
    """A chance outcome happens (``state`` in place)."""
    ENGINE.kernels.apply_chance(state[0], rules.packed[0], outcome)


def do(state: np.ndarray, rules: Any, action: int) -> None:
    """An action happens (``state`` in place)."""
    ENGINE.kernels.step(state[0], rules.packed[0], action)


def playout(state: np.ndarray, rules: Any, seed: int, decisions: int) -> Iterator[tuple[np.ndarray, int]]:
    """Play at random: yields (legal ids, 0) before each decision and (none, outcomes) before each chance."""
    random = Random(seed)
    for _ in range(decisions):
        while n := chances(state, rules):
            yield np.zeros(0, np.int64), n
            happen(state, rules, random.randrange(n))
        offered = legal(state, rules)
        if not len(offered):
            return
        yield offered, 0
        do(state, rules, int(random.choice(offered)))
