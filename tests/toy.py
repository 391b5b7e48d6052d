"""Dice Race: a game of a minute with five teams, small enough to check experiments against.

Each of eight rounds a seat rolls a die and keeps it, or gambles on a coin: double or nothing (a six may
not be gambled).  ``handicap`` gives a team points at the start: a planted imbalance of known sign.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from simcore.agent import Agent, AgentKind, CompiledAgent
from simcore.errors import UsageError, unknown
from simcore.kernel import kernel, record
from simcore.loop import UNFINISHED
from simcore.protocol import Engine, Game
from simcore.streams import draw

SEATS = 4
TEAMS = ("apes", "bears", "cats", "dogs", "eels")
KEEP, GAMBLE = 0, 1
ROLL, COIN, NOTHING = 1, 2, 0

SEAT = record([("points", "i4"), ("team", "i4")])
STATE = record(
    [("seat", SEAT, (SEATS,)), ("seats", "i4"), ("turn", "i4"), ("wait", "i4"), ("shown", "i4"), ("game_round", "i4")]
)
RULES = record([("handicap", "i4", (len(TEAMS),))])
SETUP = record([("seats", "i4"), ("team", "i4", (SEATS,))])
RESULT = record([("points", "i4", (SEATS,)), ("start", "i4", (SEATS,)), ("game_round", "i4")])
TALLY = record([("gambles", "i8")])


@kernel
def reset(state, rules, setup):
    state.seats = setup.seats
    for seat in range(SEATS):
        team = setup.team[seat]
        state.seat[seat].team = team
        state.seat[seat].points = rules.handicap[team] if seat < setup.seats else 0
    state.turn = 0
    state.wait = ROLL
    state.shown = 0
    state.game_round = 0


@kernel
def chance_count(state, rules):
    if state.wait == ROLL:
        return 6
    return 2 if state.wait == COIN else 0


@kernel
def chance_stream(state, rules):
    return state.turn


@kernel
def finish_turn(state, gain):
    state.seat[state.turn].points += gain
    state.turn += 1
    state.wait = ROLL
    if state.turn == state.seats:
        state.turn = 0
        state.game_round += 1


@kernel
def apply_chance(state, rules, outcome):
    if state.wait == ROLL:
        state.shown = outcome + 1
        state.wait = NOTHING
    else:
        finish_turn(state, 2 * state.shown * outcome)


@kernel
def to_act(state):
    return state.turn


@kernel
def legal(state, rules, out):
    out.action[0] = KEEP
    if state.shown == 6:
        return 1
    out.action[1] = GAMBLE
    return 2


@kernel
def step(state, rules, action):
    if action == GAMBLE:
        state.wait = COIN
    else:
        finish_turn(state, state.shown)


@kernel
def is_over(state):
    return 1 if state.game_round >= 8 else 0


@kernel
def returns(state, rules, out):
    best, n = -1, 0
    for seat in range(state.seats):
        if state.seat[seat].points > best:
            best, n = state.seat[seat].points, 1
        elif state.seat[seat].points == best:
            n += 1
    for seat in range(8):
        share = 0.0
        if is_over(state) and seat < state.seats and state.seat[seat].points == best:
            share = 1.0 / n
        out.share[seat] = share


@kernel
def outcome(state, rules, out):
    for seat in range(SEATS):
        out.points[seat] = state.seat[seat].points
        out.start[seat] = rules.handicap[state.seat[seat].team]
    out.game_round = state.game_round


@kernel
def hide(state, rules, viewer, rng):
    pass


@kernel
def observe(state, rules, action, tally):
    tally.gambles += action == GAMBLE


@dataclass(frozen=True)
class ToyRules:
    """Rules object of Dice Race."""

    packed: np.ndarray
    hash: str
    house: list[str]
    overrides: dict[str, Any] = field(default_factory=dict)


class Toy(Game):
    """The Python half of Dice Race."""

    name = "toy"
    title = "Dice Race"
    player_counts = range(2, SEATS + 1)
    engine = Engine(
        STATE, RULES, SETUP, RESULT, TALLY, 2, SEATS, reset, chance_count, chance_stream, apply_chance, to_act, legal,
        step, is_over, returns, outcome, hide, observe,
    )  # fmt: skip

    def rules(self, overrides: Mapping[str, Any] | None = None, file: str | None = None) -> ToyRules:
        packed = np.zeros(1, RULES)
        allowed = [f"handicap.{team}" for team in TEAMS]
        for path, value in (overrides or {}).items():
            if path not in allowed:
                raise unknown("rules", "path", path, allowed)
            try:
                packed[0]["handicap"][allowed.index(path)] = int(value)
            except ValueError:
                raise UsageError(f"{path}: {value!r} is not a whole number") from None
        changed = dict(overrides or {})
        house = [f"{path} = {value}" for path, value in changed.items()]
        return ToyRules(packed, hashlib.sha256(packed.tobytes()).hexdigest(), house, changed)

    def entrants(self, rules: Any, variant: Mapping[str, Any] | None = None) -> tuple[str, ...]:
        return TEAMS

    def setup(self, variant: Mapping[str, Any], rules: Any) -> np.ndarray:
        setup = np.zeros(1, SETUP)
        setup["seats"] = variant["players"]
        for seat, team in enumerate(variant["bands"]):
            setup[0]["team"][seat] = TEAMS.index(team)
        return setup

    def format_action(self, state: Any, rules: Any, action: int) -> str:
        return "gamble" if action == GAMBLE else "keep"

    def parse_action(self, state: Any, rules: Any, text: str, legal: np.ndarray) -> int | None:
        return {"keep": KEEP, "gamble": GAMBLE}[text]

    def format_chance(self, state: Any, rules: Any, outcome: int) -> str:
        return f"roll {outcome + 1}" if state.wait == ROLL else f"coin {outcome}"

    def parse_chance(self, state: Any, rules: Any, text: str) -> int:
        verb, value = text.split()
        return int(value) - (verb == "roll")

    def view(self, state: Any, rules: Any, viewer: int | None = None) -> dict[str, Any]:
        seats = [
            {"band": TEAMS[state.seat[i].team], "points": int(state.seat[i].points)} for i in range(int(state.seats))
        ]
        return {"round": int(state.game_round) + 1, "turn": int(state.turn), "seats": seats}

    def given(self, scenario: Mapping[str, Any]) -> tuple[np.ndarray, Any, bool]:
        raise UsageError("Dice Race has no scenarios")

    def tables(
        self, results: np.ndarray, counts: np.ndarray, jobs: np.ndarray, setups: np.ndarray
    ) -> tuple[pd.DataFrame, pd.DataFrame]:
        line_ups = setups[jobs["setup"]]
        n = int(line_ups["seats"][0])
        points = results["points"][:, :n].astype(np.int64)
        best = points == points.max(axis=1, keepdims=True)
        unfinished = counts["status"] == UNFINISHED
        share = np.where(unfinished[:, None], 0.0, best / best.sum(axis=1, keepdims=True))
        games = pd.DataFrame(
            {
                "rounds": results["game_round"],
                "steps": counts["steps"],
                "unfinished": unfinished,
                "tied": ~unfinished & (best.sum(axis=1) > 1),
            }
        )
        start = results["start"][:, :n]
        seats = pd.DataFrame(
            {
                "seat": np.tile(np.arange(n, dtype=np.int8), len(jobs)),
                "band": np.array(TEAMS)[line_ups["team"][:, :n].ravel()],
                "win_share": share.ravel(),
                "score": points.ravel(),
                "points_start": start.ravel(),
                "points_dice": (points - start).ravel(),
                "decisions": counts["decisions"][:, :n].ravel(),
                "forced": counts["forced"][:, :n].ravel(),
            }
        )
        return games, seats


@kernel
def choose_random(state, rules, legal, n, params, rng):
    return legal.action[draw(rng, n)]


@kernel
def choose_first(state, rules, legal, n, params, rng):
    return legal.action[0]


class ToyKind(AgentKind):
    """An agent without parameters that plays Dice Race and Boss Race."""

    games = ("toy", "boss")

    def __init__(self, name: str, choose: Any, doc: str) -> None:
        self.name, self.choose, self.doc = name, choose, doc

    def build(self, text: str, game: Game, values: Mapping[str, Any]) -> Agent:
        return CompiledAgent(text, self.choose)


class Chancer:
    """A Python agent that gambles on ones and twos."""

    def choose(self, view: Any, legal: np.ndarray) -> int:
        return int(legal[int(view.state[0].shown <= 2)])


class Cheat:
    """A Python agent whose answer is never legal."""

    def choose(self, view: Any, legal: np.ndarray) -> int:
        return 17


TOY = Toy()
COIN_FLIPPER = ToyKind("flip", choose_random, "keeps or gambles at random")
KEEPER = ToyKind("keep", choose_first, "always keeps")
