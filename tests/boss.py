"""Boss Race: Dice Race of one to three humans against a boss in seat 0 who rolls and never decides.

The boss gains ``strength`` of its level times its roll each round; the humans win with a higher mean.
``strength.easy = 0`` is a boss that cannot win, a large number one that cannot lose.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from simcore.coverage import Coverage, Setting
from simcore.errors import UsageError, unknown
from simcore.kernel import kernel, record
from simcore.loop import UNFINISHED
from simcore.protocol import Engine
from tests import toy
from tests.toy import ROLL, SEATS, TEAMS, Toy, ToyRules

LEVELS = ("easy", "medium", "hard")

RULES = record([("strength", "i4", (len(LEVELS),))])
SETUP = record([("seats", "i4"), ("team", "i4", (SEATS,)), ("level", "i4")])
RESULT = record([("points", "i4", (SEATS,)), ("seats", "i4"), ("game_round", "i4")])
TALLY = record([("kept", "i8"), ("gambles", "i8")])


@kernel
def reset(state, rules, setup):
    state.seats = setup.seats
    for seat in range(SEATS):
        state.seat[seat].team = setup.team[seat]
        state.seat[seat].points = 0
    state.seat[0].team = setup.level
    state.turn = 0
    state.wait = ROLL
    state.shown = 0
    state.game_round = 0


@kernel
def apply_chance(state, rules, outcome):
    if state.turn == 0:
        toy.finish_turn(state, rules.strength[state.seat[0].team] * (outcome + 1))
    else:
        toy.apply_chance(state, rules, outcome)


@kernel
def humans_win(state):
    points = 0
    for seat in range(1, state.seats):
        points += state.seat[seat].points
    return points // (state.seats - 1) > state.seat[0].points


@kernel
def returns(state, rules, out):
    for seat in range(8):
        out.share[seat] = 0.0
    if toy.is_over(state):
        if humans_win(state):
            for seat in range(1, state.seats):
                out.share[seat] = 1.0 / (state.seats - 1)
        else:
            out.share[0] = 1.0


@kernel
def outcome(state, rules, out):
    for seat in range(SEATS):
        out.points[seat] = state.seat[seat].points
    out.seats = state.seats
    out.game_round = state.game_round


@kernel
def observe(state, rules, action, tally):
    tally.gambles += action == 1
    tally.kept += action == 0


def uses(rules, results, counts, tallies):
    nothing = np.zeros(len(results), np.int64)
    return {
        "choice": {"keep": tallies["kept"], "gamble": tallies["gambles"], "sing": nothing},
        "end": {"boss wins": results["points"][:, 0] > 100, "unfinished": nothing},
    }


class Boss(Toy):
    """The Python half of Boss Race."""

    name = "boss"
    title = "Boss Race"
    player_counts = range(1, SEATS)
    difficulties = LEVELS
    engine = Engine(
        toy.STATE, RULES, SETUP, RESULT, TALLY, 2, SEATS, reset, toy.chance_count, toy.chance_stream, apply_chance,
        toy.to_act, toy.legal, toy.step, toy.is_over, returns, outcome, toy.hide, observe,
    )  # fmt: skip

    def rules(self, overrides: Mapping[str, Any] | None = None, file: str | None = None) -> ToyRules:
        packed = np.zeros(1, RULES)
        packed[0]["strength"] = (0, 1, 2)
        allowed = [f"strength.{level}" for level in LEVELS]
        for path, value in (overrides or {}).items():
            if path not in allowed:
                raise unknown("rules", "path", path, allowed)
            packed[0]["strength"][allowed.index(path)] = int(value)
        return ToyRules(packed, hashlib.sha256(packed.tobytes()).hexdigest(), [], dict(overrides or {}))

    def automata(self, variant: Mapping[str, Any]) -> tuple[str, ...]:
        return ("boss",)

    def usual_players(self, variant: Mapping[str, Any]) -> int:
        return 1 if variant.get("mode") == "solo" else 2

    def setup(self, variant: Mapping[str, Any], rules: Any) -> np.ndarray:
        if (variant["mode"] == "solo") != (variant["players"] == 1):
            raise UsageError(f"variant.players = {variant['players']}: not in {variant['mode']}")
        setup = np.zeros(1, SETUP)
        setup["seats"] = variant["players"] + 1
        setup["level"] = LEVELS.index(variant.get("difficulty", "easy"))
        for seat, team in enumerate(variant["bands"]):
            setup[0]["team"][seat + 1] = TEAMS.index(team)
        return setup

    def coverage(self) -> Coverage:
        solo = {"mode": "solo", "players": 1, "difficulty": "hard"}
        return Coverage(
            (
                Setting("solo", solo),
                Setting("coop", {"mode": "coop", "players": 2}),
                Setting("strong", solo, {"strength.hard": 90}, "strength=90", "solo"),
                Setting("the same", solo, {"strength.hard": 2}, "strength=2", "solo"),
            ),
            uses,
            {"end: unfinished": "it has eight rounds"},
        )

    def view(self, state: Any, rules: Any, viewer: int | None = None) -> dict[str, Any]:
        return {"round": int(state.game_round) + 1, "turn": int(state.turn)}

    def tables(
        self, results: np.ndarray, counts: np.ndarray, jobs: np.ndarray, setups: np.ndarray
    ) -> tuple[pd.DataFrame, pd.DataFrame]:
        n = int(results["seats"][0])
        points = results["points"][:, :n].astype(np.int64)
        unfinished = counts["status"] == UNFINISHED
        average = points[:, 1:].sum(axis=1) // (n - 1)
        won = (average > points[:, 0]) & ~unfinished
        share = np.where(won[:, None], 1 / (n - 1), 0.0).repeat(n, axis=1)
        share[:, 0] = ~won & ~unfinished
        games = pd.DataFrame(
            {"rounds": results["game_round"], "human_average": average, "unfinished": unfinished, "tied": False}
        )
        team = np.array(TEAMS, object)[setups["team"][jobs["setup"]][:, :n]]
        team[:, 0] = "boss"
        seats = pd.DataFrame(
            {
                "seat": np.tile(np.arange(n, dtype=np.int8), len(jobs)),
                "band": team.ravel(),
                "win_share": share.ravel(),
                "score": points.ravel(),
                "points_dice": points.ravel(),
                "decisions": counts["decisions"][:, :n].ravel(),
                "forced": counts["forced"][:, :n].ravel(),
            }
        )
        return games, seats


BOSS = Boss()
