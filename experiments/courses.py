"""How the games of a run went, from a stated sample that is played again: scores by round, leads, uses of things.

The compiled loop plays a game on by one decision at a time, so a course costs a few milliseconds and no engine has
to record anything; games of Python agents are played again event by event.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from experiments import manifest as manifests
from experiments.curve import mean_interval
from experiments.difficulty import replay_game
from experiments.metrics import GAME_METRICS, Rows, collect
from experiments.plan import NOBODY, Prepared
from experiments.records import Choice, GameRecord, clock, record_game, scores_of, spread_games, subject_of
from experiments.store import stored
from experiments.verdict import spoken
from experiments.walk import Walked, Walker
from simcore.play import Table
from simcore.subjects import ACTION, Subject

#: Games of a sample, unless a number is named.
SAMPLE = 240

#: Metrics of a course: those that need nothing but its scores.
_METRICS = tuple(one for one in GAME_METRICS if one.__name__ != "decisions")

#: What things of a kind, used in a way, are called; others go by their own words.
_GROUPS = {
    ("space", "allocate"): "Spaces, by dice sets placed", ("hit", "play hit"): "Spaces of Hits, by dice sets placed",
    ("hit", "buy hit"): "Hits bought", ("card", "buy card"): "Distortion cards bought",
    ("card", "play card"): "Distortion cards played", ("award", "claim"): "Awards claimed",
    ("ability", "use ability"): "Abilities used", ("artist", "hire"): "Artists hired",
    ("artist", "audition"): "Artists auditioned", ("company", "choose"): "Record companies chosen",
    ("bonus", "use bonus"): "Equalizer bonuses used", ("event", "keep"): "Events kept as rolled",
    ("event", "shift to"): "Events shifted to",
}  # fmt: skip

#: A group of fewer things says nothing by a picture.
_LEAST_THINGS = 3


@dataclass(frozen=True)
class Courses:
    """Courses of ``games`` games of a run, in whole blocks spread evenly over it.

    ``rows``: as ``metrics.collect`` gives them, options without offers; where humans play together, its rounds have a
    row a side (the humans' mean, the opponent).  ``seats``: rounds a seat, with ``side`` there.  ``fair``: the share
    of somebody whom nothing is known of.
    """

    games: int
    rows: Rows
    seats: pd.DataFrame
    fair: float

    @cached_property
    def groups(self) -> list[Group]:
        """What was used, by kind: see ``use_groups``."""
        return use_groups(self.rows)

    @property
    def words(self) -> str:
        """What these are, for captions."""
        return f"{self.games:,} games played again, in whole blocks spread evenly over the run"


class Player:
    """Plays games of one plan again."""

    def __init__(self, prepared: Prepared) -> None:
        self.prepared = prepared
        self._walker = Walker(Table(prepared.game, prepared.agents), prepared.rules, prepared.plan.seed)

    def course(self, number: int, stored_as: int | None = None) -> GameRecord:
        """Game ``number`` of the plan: a GameRecord without offers, texts and chance outcomes.

        A state after a round is the one at the first decision of the next.  Raises AgentError and EngineError.
        """
        prepared = self.prepared
        job, setup = prepared.one_game(number)
        walked = self._walker.play(job, setup)
        clocks = [clock(state, prepared.plan.players) for state in walked.states]
        begins = [0, *(k for k in range(1, len(clocks) - 1) if clocks[k] > clocks[k - 1]), len(clocks) - 1]
        states = [walked.states[k : k + 1] for k in begins]
        scores, seats = scores_of(prepared, states, job, setup)
        seats["agent"] = prepared.agent_names(job)[0]
        share = seats["win_share"].to_numpy(np.float64)
        number = number if stored_as is None else stored_as
        choices, subjects = self._choices(walked, clocks)
        return GameRecord(number, int(job[0]["block"]), choices, [], scores, share, seats, states, subjects)

    def _choices(self, walked: Walked, clocks: Sequence[int]) -> tuple[list[Choice], dict[str, Subject]]:
        game, rules = self.prepared.game, self.prepared.rules
        found, subjects = [], {}
        for k, action in enumerate(walked.actions.tolist()):
            picked = subject_of(game, walked.states[k], rules, action)
            subjects[picked.option] = picked
            n = max(int(walked.options[k]), 1)
            found.append(Choice(int(walked.seats[k]), clocks[k], picked.option, (), n, ""))
        return found, subjects


def courses(folder: Path, games: int = SAMPLE) -> Courses:
    """Courses of about ``games`` games of the stored run in ``folder``.  Raises UsageError."""
    manifest = manifests.read(folder)
    found = collect(_again(folder, spread_games(folder, games)), metrics=_METRICS)
    sides = _sides(folder, found) if "levels" in manifest["run"] else None
    rows = found if sides is None else Rows(found.games, _two_sides(sides), found.uses)
    fair = 1 / (2 if sides is not None else manifest["run"]["players"])
    return Courses(len(found.games), rows, found.rounds if sides is None else sides, fair)


def merged(parts: Sequence[Courses]) -> Courses:
    """Courses of several runs together; their games and blocks stay apart."""
    if len(parts) == 1:
        return parts[0]
    rows = [
        pd.concat([apart(table, k) for k, table in enumerate(tables)], ignore_index=True)
        for tables in zip(*((one.rows.games, one.rows.rounds, one.rows.uses, one.seats) for one in parts), strict=True)
    ]
    return Courses(sum(one.games for one in parts), Rows(*rows[:3]), rows[3], parts[0].fair)


def apart(table: pd.DataFrame, part: int) -> pd.DataFrame:
    """``table`` of the run number ``part``, its games and blocks apart from those of other runs."""
    return table.assign(game=table["game"] + (part << 40), block=table["block"] + (part << 40))


def _again(folder: Path, numbers: Sequence[int]) -> Iterator[GameRecord]:
    players: dict[int, Player] = {}
    with np.errstate(over="ignore"):
        for number in numbers:
            prepared, there = replay_game(folder, number)
            if prepared.needs_processes:
                yield record_game(prepared, there, number, offers=False)
                continue
            key = id(prepared.agents)
            if key not in players or players[key].prepared.plan != prepared.plan:
                players[key] = Player(prepared)
            yield players[key].course(there, number)


# ------------------------------------------------------------------ those who play together
def _sides(folder: Path, rows: Rows) -> pd.DataFrame:
    """The rows of rounds of a difficulty run with who they belong to (``side``: "humans" or "opponent")."""
    seats = stored(folder, "seats").to_table(columns=["game", "seat", "agent"]).to_pandas()
    side = np.where(seats["agent"] == NOBODY, "opponent", "humans")
    return rows.rounds.merge(seats[["game", "seat"]].assign(side=side), on=["game", "seat"])


def _two_sides(sides: pd.DataFrame) -> pd.DataFrame:
    """A row a side in place of a row a seat: the mean score of the humans, and that of the opponent."""
    keys = ["game", "block", "round"]
    score = sides.groupby([*keys, "side"])["score"].mean().unstack()
    won = sides[sides["side"] == "humans"].groupby(keys)["win_share"].sum().gt(0).astype(float)
    parts = []
    for seat, (own, other) in enumerate((("humans", "opponent"), ("opponent", "humans"))):
        part = pd.DataFrame({"seat": seat, "score": score[own], "deficit": score[other] - score[own]})
        parts.append(part.assign(win_share=won if own == "humans" else 1 - won).reset_index())
    return pd.concat(parts, ignore_index=True).sort_values(["game", "round", "seat"], ignore_index=True)


# ------------------------------------------------------------------ tables
def score_table(rounds: pd.DataFrame) -> pd.DataFrame:
    """A row a round (and ``side``, where there are sides): the scores of seats as they stood then.

    ``mean``; ``p5``, ``p25``, ``p75``, ``p95`` over seats; ``best``, ``worst``: means over games of the first and of
    the last; ``spread``: their difference.
    """
    keys = [*(["side"] if "side" in rounds else []), "round"]
    table = []
    for key, at in rounds.groupby(keys, sort=False):
        by_game = at.groupby("game")["score"]
        best, worst = float(by_game.max().mean()), float(by_game.min().mean())
        cuts = np.quantile(at["score"], [0.05, 0.25, 0.75, 0.95]).tolist()
        table.append(
            {
                **dict(zip(keys, key, strict=True)), "games": int(at["game"].nunique()),
                "mean": float(at["score"].mean()), **dict(zip(("p5", "p25", "p75", "p95"), cuts, strict=True)),
                "best": best, "worst": worst, "spread": best - worst,
            }
        )  # fmt: skip
    return pd.DataFrame(table).sort_values(keys, ignore_index=True)


@dataclass(frozen=True)
class Group:
    """Options of one kind: its ``title``, and ``table``: ``name``, ``times`` a seat and game with ``low`` and
    ``high``, ``used_in`` (share of seats), ``first_round``, ``users_win``; most used first.
    """

    key: str
    title: str
    table: pd.DataFrame


def use_groups(rows: Rows) -> list[Group]:
    """Uses of things of the same kind in the same way (spaces, Hits, cards), those used most first."""
    uses = rows.uses[(rows.uses["picked"] > 0) & (rows.uses["kind"] != ACTION)]
    seats = rows.uses[["block", "game", "seat"]].drop_duplicates().groupby("block").size()
    found = []
    for kind, way in dict.fromkeys(zip(uses["kind"], uses["way"], strict=True)):
        at = uses[(uses["kind"] == kind) & (uses["way"] == way)]
        if at["name"].nunique() >= _LEAST_THINGS:
            title = _GROUPS.get((kind, way), f"{spoken(kind)}: {way or 'used'}")
            key = re.sub(r"[^a-z0-9]+", "-", f"{kind} {way}".lower()).strip("-")
            found.append((int(at["picked"].sum()), Group(key, title, _use_rows(at, seats))))
    return [group for _, group in sorted(found, key=lambda one: -one[0])]


def _use_rows(at: pd.DataFrame, seats: pd.Series) -> pd.DataFrame:
    """A row a thing; ``seats``: how many there are by block."""
    table, kind = [], at["kind"].iloc[0]
    for thing, own in at.groupby("name", sort=False):
        by_seat = own.groupby(["game", "seat"]).agg(win_share=("win_share", "first"), first=("first_round", "min"))
        means = own.groupby("block")["picked"].sum().reindex(seats.index, fill_value=0) / seats
        mean, low, high = mean_interval(means.to_numpy(np.float64))
        table.append(
            {
                "name": f"{kind} {thing}" if str(thing).isdecimal() else str(thing), "times": mean,
                "low": max(low, 0.0), "high": high,
                "used_in": len(by_seat) / seats.sum(), "first_round": float(by_seat["first"].mean()),
                "users_win": float(by_seat["win_share"].mean()), "seats": int(seats.sum()),
            }
        )  # fmt: skip
    return pd.DataFrame(table).sort_values(["times", "name"], ascending=[False, True], ignore_index=True)
