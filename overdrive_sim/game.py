"""Overdrive as a Game: rules, line-ups, notation, views and result tables around its engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from overdrive_sim import coverage, expected, given, notation, patterns, subjects, text
from overdrive_sim.kernels.engine import ENGINE
from overdrive_sim.kernels.layout import AWARDS, BANDS, DIFFICULTIES, FACE_LETTERS, MODES, STANDARD, TRACKS
from overdrive_sim.ruleset import Rules, load_rules
from overdrive_sim.setup import human_bands, make_setup
from overdrive_sim.view import SEAT_KEYS, STATE_KEYS, view
from simcore.coverage import Coverage
from simcore.loop import UNFINISHED
from simcore.protocol import Game
from simcore.subjects import Subject

#: Part of the score by the name of its column, with its field in a result.
_POINTS = {
    "points_fans": "fans_points",
    "points_fame": "fame_points",
    "points_overdrive": "overdrive_points",
    "points_special": "special_points",
    "points_hits": "hit_points",
    "points_award": "award_points",
    "points_symbols": "symbol_points",
}

#: Columns that a seat's result holds under the same name: levels, and what the seat owns at the end.
_OWNED = (*TRACKS, "extra_dice", "hits", "cards", "cards_used", "battle_dice")

# Index -1, none, reaches the last name.
_BAND_NAMES = np.array([*BANDS, "none"], object)
_AWARD_NAMES = np.array([*AWARDS, "none"], object)
_MODE_NAMES = np.array(MODES, object)


class Overdrive(Game):
    """Overdrive: A Batalha do Rock, for two to four players, alone or together against Metallum."""

    name = "overdrive"
    title = "Overdrive: A Batalha do Rock"
    engine = ENGINE
    player_counts = range(1, 5)
    difficulties = DIFFICULTIES
    verbs = tuple(notation.VERBS)
    state_keys = STATE_KEYS
    seat_keys = SEAT_KEYS

    def rules(self, overrides: Mapping[str, Any] | None = None, file: str | None = None) -> Rules:
        """The shipped rules, then ``file``, then ``overrides``; see ``ruleset.load_rules``."""
        return load_rules(overrides, file)

    def setup(self, variant: Mapping[str, Any], rules: Rules) -> np.ndarray:
        """Line-up and variant, shape (1,); see ``setup.make_setup``."""
        return make_setup(variant, rules)

    def entrants(self, rules: Rules, variant: Mapping[str, Any] | None = None) -> tuple[str, ...]:
        """Bands that a human may play, in printed order; in solo and co-op Cover Bots may not (R-SOL-01)."""
        return human_bands(str((variant or {}).get("mode", "standard")))

    def automata(self, variant: Mapping[str, Any]) -> tuple[str, ...]:
        """Metallum in solo and co-op, before the humans (R-SOL-03)."""
        return () if variant.get("mode", "standard") == "standard" else ("metallum",)

    def usual_players(self, variant: Mapping[str, Any]) -> int:
        """One in solo, three in co-op (four are a ruling, G-14), else four."""
        return {"solo": 1, "coop": 3}.get(str(variant.get("mode")), 4)

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
        return notation.format_chance(state, rules, outcome)

    def parse_chance(self, state: Any, rules: Rules, text: str) -> int:
        """The smallest outcome that ``text`` means here."""
        return notation.parse_chance(state, rules, text)

    def view(self, state: Any, rules: Rules, viewer: int | None = None) -> dict[str, Any]:
        """The state as plain data with the scenario format's keys."""
        return view(state, rules, viewer)

    def given(self, scenario: Mapping[str, Any]) -> tuple[np.ndarray, Rules, bool]:
        """State array (1,), rules and whether the game is fresh, from a scenario's tables."""
        return given.from_scenario(scenario)

    def expectation(self, state: Any, rules: Rules, then: Mapping[str, Any], place: str) -> dict[str, Any]:
        """A scenario's ``then`` as ``view`` writes it."""
        return expected.expectation(state, rules, then, place)

    def patterns(self, rules: Rules) -> dict[str, list[tuple[int, int]]]:
        """Sets of actions by word, each a list of (mask, value): see ``patterns``."""
        return patterns.patterns(rules)

    def subject(self, state: Any, rules: Rules, action: int) -> Subject:
        """What a legal action is about: see ``subjects``."""
        return subjects.subject(state, rules, action)

    def things(self, rules: Rules) -> dict[str, tuple[str, ...]]:
        """Names of everything that actions are about, by kind."""
        return subjects.things(rules)

    def same(self, key: str, expected_value: Any, found: Any) -> bool:
        """Whether a value is what a ``then`` expects; a card number alone expects any of its copies."""
        return expected.same(key, expected_value, found)

    def may_wait(self, state: Any, rules: Rules) -> bool:
        """Whether the pending chance is a roll that opens a turn or a battle."""
        return notation.may_wait(state, rules)

    def unseen_chance(self, state: Any, rules: Rules) -> str | None:
        """Metallum draws its Distortion cards face down (A-DST-12)."""
        return notation.unseen_chance(state)

    def by_itself(self, before: Any, after: Any, rules: Rules) -> list[tuple[int, str]]:
        """What Metallum bought and claimed; see ``text.by_itself``."""
        return text.by_itself(before, after, rules)

    def describe(self, state: Any, rules: Rules) -> str:
        """The whole state as a few lines of text."""
        return text.describe(state, rules)

    def tables(
        self, results: np.ndarray, counts: np.ndarray, jobs: np.ndarray, setups: np.ndarray
    ) -> tuple[pd.DataFrame, pd.DataFrame]:
        """(a row a game, a row a seat), in the order of the jobs; Metallum's seat has its row too."""
        unfinished = counts["status"] == UNFINISHED
        return _games(results, counts, setups[jobs["setup"]], unfinished), _seats(results, counts, unfinished)


def _games(results: np.ndarray, counts: np.ndarray, setups: np.ndarray, unfinished: np.ndarray) -> pd.DataFrame:
    """A row a game: line-up, length, how it ended.  ``humans_win``: 1 or 0, -1 in a standard or unfinished game."""
    standard = results["mode"] == STANDARD
    first = (results["seat"]["rank"] == 1).sum(axis=1)
    return pd.DataFrame(
        {
            "players": (results["seats"] - ~standard).astype(np.int8),
            "mode": _MODE_NAMES[results["mode"]],
            "metallum_dice": setups["dice"].astype(np.int8),
            "first_player": setups["first_player"].astype(np.int8),
            "rounds": results["rounds"].astype(np.int8),
            "marker": results["marker"].astype(np.int8),
            "unfinished": unfinished,
            "tied": ~unfinished & standard & (first > 1),
            "humans_win": results["humans_win"].astype(np.int8),
            "human_average": results["human_average"].astype(np.int32),
            "steps": counts["steps"],
            "events": counts["events"],
            "decisions": counts["decisions"].sum(axis=1),
            "forced": counts["forced"].sum(axis=1),
        }
    )


def _seats(results: np.ndarray, counts: np.ndarray, unfinished: np.ndarray) -> pd.DataFrame:
    """A row a seat that is in play.  ``rank`` is 0 and ``win_share`` 0 where the game is unfinished."""
    seats = results["seat"]
    in_play = np.arange(seats.shape[1])[None, :] < results["seats"][:, None]
    game, seat = np.nonzero(in_play)
    row = seats[in_play]
    columns = {
        "seat": seat.astype(np.int8),
        "band": _BAND_NAMES[row["band"]],
        "win_share": np.where(unfinished[game], 0.0, row["share"]),
        "rank": row["rank"].astype(np.int8),
        "score": row["total"],
        **{name: row[source] for name, source in _POINTS.items()},
        **{name: row[name] for name in _OWNED},
        "award": _AWARD_NAMES[row["award"]],
        **{f"symbols_{letter.lower()}": row["symbols"][:, face] for face, letter in enumerate(FACE_LETTERS)},
        **{f"copied_{letter}": _BAND_NAMES[row["copies"][:, slot]] for slot, letter in enumerate("abc")},
        **{name: counts[name][game, seat] for name in ("decisions", "forced", "options")},
    }
    return pd.DataFrame(columns)


OVERDRIVE = Overdrive()
