"""Metal Mania as a Game: rules, line-ups, notation, views and result tables around its engine."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from metalmania_sim import coverage, given, luck, notation, patterns, subjects, text, usage
from metalmania_sim.kernels.engine import ENGINE
from metalmania_sim.kernels.layout import EQUALIZERS, SOURCES
from metalmania_sim.ruleset import Rules, load_rules
from metalmania_sim.setup import BOARD_NAMES, PLAYERS, make_setup
from metalmania_sim.view import SEAT_KEYS, STATE_KEYS, expectation, view
from simcore.coverage import Coverage
from simcore.loop import UNFINISHED
from simcore.protocol import Game
from simcore.subjects import Subject
from simcore.usage import Rates

#: Columns that a seat's result holds under the same name.
_OWNED = ("money", "auditions", "skipped")


class MetalMania(Game):
    """Metal Mania, for two to five players."""

    name = "metalmania"
    title = "Metal Mania"
    engine = ENGINE
    player_counts = PLAYERS
    verbs = tuple(notation.VERBS)
    state_keys = STATE_KEYS
    seat_keys = SEAT_KEYS
    entrant = "board"
    keeps_tally = True
    holdings = ("company",)
    takings = MappingProxyType({"artist": usage.ARTIST})

    def rules(self, overrides: Mapping[str, Any] | None = None, file: str | None = None) -> Rules:
        """The shipped rules, then ``file``, then ``overrides``; see ``ruleset.load_rules``."""
        return load_rules(overrides, file)

    def setup(self, variant: Mapping[str, Any], rules: Rules) -> np.ndarray:
        """Line-up and variant, shape (1,); see ``setup.make_setup``."""
        return make_setup(variant, rules)

    def entrants(self, rules: Rules, variant: Mapping[str, Any] | None = None) -> tuple[str, ...]:
        """The five boards, unless the variant says which seat has which."""
        return () if variant and variant.get("boards") is not None else BOARD_NAMES

    def data_line(self, rules: Rules) -> str:
        """The card file in force and what it calls itself."""
        return f"Cards: {rules.cards} ({rules.model.label})"

    def used(self, results: np.ndarray, tallies: np.ndarray, rules: Rules) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Actions, bonuses, events, companies and artists; see ``usage.used``."""
        return usage.used(results, tallies, rules)

    def rates(self, rules: Rules) -> tuple[Rates, ...]:
        """Fame by source, actions, bonuses, skipped steps and events a turn."""
        return usage.rates(rules)

    def coverage(self) -> Coverage:
        """What there is to reach, and settings that reach it; see ``coverage.uses``."""
        return coverage.coverage()

    def format_action(self, state: Any, rules: Rules, action: int) -> str:
        """The one canonical text of a legal action in this state."""
        return notation.format_action(state, rules, action)

    def parse_action(self, state: Any, rules: Rules, text: str, legal: np.ndarray) -> int | None:
        """The legal action id that ``text`` means here, None if it means no legal one."""
        return notation.parse_action(state, rules, text, legal)

    def format_chance(self, state: Any, rules: Rules, outcome: int) -> str:
        """The text of a chance outcome that the engine asks for in this state."""
        return luck.format_chance(state, rules, outcome)

    def parse_chance(self, state: Any, rules: Rules, text: str) -> int:
        """The smallest outcome that ``text`` means here."""
        return luck.parse_chance(state, rules, text)

    def view(self, state: Any, rules: Rules, viewer: int | None = None) -> dict[str, Any]:
        """The state as plain data with the scenario format's keys; nothing in it is hidden."""
        return view(state, rules, viewer)

    def given(self, scenario: Mapping[str, Any]) -> tuple[np.ndarray, Rules, bool]:
        """State array (1,), rules and whether the game is fresh, from a scenario's tables."""
        return given.given(scenario)

    def expectation(self, state: Any, rules: Rules, then: Mapping[str, Any], place: str) -> dict[str, Any]:
        """A scenario's ``then`` as ``view`` writes it."""
        return expectation(state, rules, then, place)

    def patterns(self, rules: Rules) -> dict[str, list[tuple[int, int]]]:
        """Sets of actions by word, each a list of (mask, value): see ``patterns``."""
        return patterns.patterns(rules)

    def subject(self, state: Any, rules: Rules, action: int) -> Subject:
        """What a legal action is about: see ``subjects``."""
        return subjects.subject(state, rules, action)

    def things(self, rules: Rules) -> dict[str, tuple[str, ...]]:
        """Names of everything that actions are about, by kind."""
        return subjects.things(rules)

    def single_chances(self, text: str) -> list[str]:
        """The single draws that ``deal`` abbreviates."""
        return luck.single_chances(text)

    def may_wait(self, state: Any, rules: Rules) -> bool:
        """Whether the pending chance is the roll that opens a turn."""
        return luck.may_wait(state, rules)

    def declines(self, state: Any, rules: Rules, legal: np.ndarray) -> int | None:
        """``skip``, where the seat asked may respond to a throw or a change of fame."""
        return notation.declines(state, rules, legal)

    def describe(self, state: Any, rules: Rules) -> str:
        """The whole state as a few lines of text."""
        return text.describe(state, rules)

    def tables(
        self, results: np.ndarray, counts: np.ndarray, jobs: np.ndarray, setups: np.ndarray
    ) -> tuple[pd.DataFrame, pd.DataFrame]:
        """(a row a game, a row a seat), in the order of the jobs."""
        unfinished = counts["status"] == UNFINISHED
        return _games(results, counts, unfinished), _seats(results, counts, unfinished)


def _games(results: np.ndarray, counts: np.ndarray, unfinished: np.ndarray) -> pd.DataFrame:
    """A row a game.  ``turns``: of all seats together; ``winner``: a seat, -1 in an unfinished game."""
    shared = (results["share"] > 0).sum(axis=1)
    players = results["players"]
    fame = np.sort(results["fame"], axis=1)
    return pd.DataFrame(
        {
            "players": players.astype(np.int8),
            "first_player": results["first_player"].astype(np.int8),
            "turns": results["turns"],
            "turns_a_player": results["turns"] / players,
            "winner": results["winner"].astype(np.int8),
            "lead": fame[:, -1] - fame[:, -2],
            "unfinished": unfinished,
            "tied": shared > 1,
            "steps": counts["steps"],
            "events": counts["events"],
            "decisions": counts["decisions"].sum(axis=1),
            "forced": counts["forced"].sum(axis=1),
        }
    )


def _seats(results: np.ndarray, counts: np.ndarray, unfinished: np.ndarray) -> pd.DataFrame:
    """A row a seat in play.  ``score`` is its fame, ``band`` its board.

    ``rank`` is 0 and ``win_share`` 0 where the game is unfinished.
    """
    in_play = np.arange(results["share"].shape[1])[None, :] < results["players"][:, None]
    game, seat = np.nonzero(in_play)
    columns = {
        "seat": seat.astype(np.int8),
        "band": np.array(BOARD_NAMES, object)[results["board"][in_play]],
        "win_share": np.where(unfinished[game], 0.0, results["share"][in_play]),
        "rank": results["rank"][in_play].astype(np.int8),
        "score": results["fame"][in_play],
        **{f"points_{name}": results["fame_by"][in_play][:, k] for k, name in enumerate(SOURCES)},
        "turns": results["turns_of"][in_play],
        **{name: results[name][in_play] for name in _OWNED},
        **{f"level_{name}": results["level"][in_play][:, k].astype(np.int8) for k, name in enumerate(EQUALIZERS)},
        **{name: counts[name][game, seat] for name in ("decisions", "forced", "options")},
    }
    return pd.DataFrame(columns)


METALMANIA = MetalMania()
