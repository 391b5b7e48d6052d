"""Pig: roll a die as often as you dare; a 1 loses the turn's points, holding banks them; first to the goal wins."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from simcore.errors import UsageError, unknown
from simcore.kernel import kernel, record
from simcore.loop import UNFINISHED
from simcore.protocol import MAX_SEATS, Engine, Game
from simcore.ruledata import read_toml

SEATS = 4
HOLD, ROLL = 0, 1

# ---------------------------------------------------------------- records
STATE = record(
    [("points", "i4", (SEATS,)), ("seats", "i4"), ("turn", "i4"), ("pot", "i4"), ("rolling", "i4"), ("turns", "i4")]
)
RULES = record([("goal", "i4")])
SETUP = record([("seats", "i4")])
RESULT = record([("points", "i4", (SEATS,)), ("turns", "i4")])
TALLY = record([("rolls", "i8")])


# ---------------------------------------------------------------- kernels
@kernel
def reset(state, rules, setup):
    """A fresh game: nobody has points, and seat 0 has to roll."""
    state.seats = setup.seats
    for seat in range(SEATS):
        state.points[seat] = 0
    state.turn = 0
    state.pot = 0
    state.rolling = 1
    state.turns = 0


@kernel
def chance_count(state, rules):
    """Six outcomes while a roll is due."""
    return 6 if state.rolling else 0


@kernel
def chance_stream(state, rules):
    """A seat has dice of its own: what others do never changes them."""
    return state.turn


@kernel
def pass_on(state):
    """The next seat's turn starts, with a roll."""
    state.pot = 0
    state.turn = (state.turn + 1) % state.seats
    state.rolling = 1
    state.turns += 1


@kernel
def apply_chance(state, rules, outcome):
    """The die shows ``outcome`` + 1."""
    state.rolling = 0
    if outcome == 0:
        pass_on(state)
    else:
        state.pot += outcome + 1


@kernel
def to_act(state):
    """Whose turn it is."""
    return state.turn


@kernel
def legal(state, rules, out):
    """Hold or roll, always."""
    out.action[0] = HOLD
    out.action[1] = ROLL
    return 2


@kernel
def step(state, rules, action):
    """Holding banks the pot; whoever reaches the goal keeps the turn, and the game is over."""
    if action == ROLL:
        state.rolling = 1
        return
    state.points[state.turn] += state.pot
    if state.points[state.turn] >= rules.goal:
        state.rolling = 0
        state.pot = -1
    else:
        pass_on(state)


@kernel
def is_over(state):
    """A pot of -1 marks the end."""
    return 1 if state.pot < 0 else 0


@kernel
def returns(state, rules, out):
    """The seat in turn has won."""
    for seat in range(MAX_SEATS):
        out.share[seat] = 1.0 if state.pot < 0 and seat == state.turn else 0.0


@kernel
def outcome(state, rules, out):
    """Points and turns."""
    for seat in range(SEATS):
        out.points[seat] = state.points[seat]
    out.turns = state.turns


@kernel
def hide(state, rules, viewer, rng):
    """Nothing is hidden."""


@kernel
def observe(state, rules, action, tally):
    """Count the rolls that were chosen."""
    tally.rolls += action


# ---------------------------------------------------------------- the Python half
@dataclass(frozen=True)
class PigRules:
    """Rules of Pig: the packed record, its hash, lines that name house values, what was changed."""

    packed: np.ndarray
    hash: str
    house: list[str]
    overrides: dict[str, Any] = field(default_factory=dict)


class Pig(Game):
    """The words, views and tables of Pig."""

    name = "pig"
    title = "Pig"
    player_counts = range(2, SEATS + 1)
    entrant = "seat"
    verbs = ("hold", "roll")
    engine = Engine(
        STATE, RULES, SETUP, RESULT, TALLY, 2, SEATS, reset, chance_count, chance_stream, apply_chance, to_act, legal,
        step, is_over, returns, outcome, hide, observe,
    )  # fmt: skip

    def rules(self, overrides: Mapping[str, Any] | None = None, file: str | None = None) -> PigRules:
        """The goal is the one number: 100 as printed."""
        changed = {**(read_toml(file) if file else {}), **(overrides or {})}
        for path in changed:
            if path != "goal":
                raise unknown("rules", "path", path, ["goal"])
        goal = changed.get("goal", 100)
        if not isinstance(goal, int) or not 2 <= goal <= 1000:
            raise UsageError(f"goal = {goal!r}: a whole number (allowed: 2 to 1000)")
        packed = np.zeros(1, RULES)
        packed["goal"] = goal
        house = [f"changed: goal = {goal} (printed 100)"] if goal != 100 else []
        return PigRules(packed, hashlib.sha256(packed.tobytes()).hexdigest(), house, changed)

    def setup(self, variant: Mapping[str, Any], rules: Any) -> np.ndarray:
        """A line-up is the number of players."""
        for key in variant:
            if key != "players":
                raise unknown("variant", "key", key, ["players"])
        setup = np.zeros(1, SETUP)
        setup["seats"] = variant["players"]
        return setup

    def format_action(self, state: Any, rules: Any, action: int) -> str:
        """``hold`` or ``roll``."""
        return self.verbs[action]

    def parse_action(self, state: Any, rules: Any, text: str, legal: np.ndarray) -> int | None:
        """The other way round."""
        if text not in self.verbs:
            raise unknown("action", "verb", text, self.verbs)
        return self.verbs.index(text)

    def format_chance(self, state: Any, rules: Any, outcome: int) -> str:
        """``die 1`` to ``die 6``."""
        return f"die {outcome + 1}"

    def parse_chance(self, state: Any, rules: Any, text: str) -> int:
        """The other way round."""
        word, _, face = text.partition(" ")
        if word != "die" or face not in "123456" or not face:
            raise UsageError(f"chance {text!r}: is written 'die 4' (allowed: 1 to 6)")
        return int(face) - 1

    def view(self, state: Any, rules: Any, viewer: int | None = None) -> dict[str, Any]:
        """Everything is open, so every viewer sees the same."""
        seats = [{"points": int(state.points[seat])} for seat in range(int(state.seats))]
        return {"turn": int(state.turn), "pot": max(int(state.pot), 0), "seats": seats}

    def given(self, scenario: Mapping[str, Any]) -> tuple[np.ndarray, Any, bool]:
        """Pig has no scenarios; a game that has some makes a state of their ``given`` here."""
        raise UsageError("Pig has no scenarios")

    def tables(
        self, results: np.ndarray, counts: np.ndarray, jobs: np.ndarray, setups: np.ndarray
    ) -> tuple[pd.DataFrame, pd.DataFrame]:
        """A row a game and a row a seat."""
        n = int(setups["seats"][0])
        points, unfinished = results["points"][:, :n], counts["status"] == UNFINISHED
        won = (points == points.max(axis=1, keepdims=True)) & ~unfinished[:, None]
        games = pd.DataFrame(
            {"turns": results["turns"], "unfinished": unfinished, "tied": np.zeros(len(jobs), bool)}
        )  # fmt: skip
        seats = pd.DataFrame(
            {
                "seat": np.tile(np.arange(n, dtype=np.int8), len(jobs)),
                "win_share": won.ravel().astype(np.float64),
                "score": points.ravel().astype(np.int64),
                "decisions": counts["decisions"][:, :n].ravel(),
                "forced": counts["forced"][:, :n].ravel(),
            }
        )
        return games, seats


PIG = Pig()
