"""A game played again event by event: what happened, what was on offer, how the scores stood after each round.

The compiled loop keeps ends of games and no courses; a stored game is a pure function of its run, so its course is
had by playing it again (about 30 ms a game of Overdrive), and no engine has to record anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from experiments import manifest as manifests
from experiments.difficulty import replay_game
from experiments.plan import Prepared
from simcore.loop import COUNTS
from simcore.protocol import Game
from simcore.subjects import ACTION, Subject, TellsSubjects
from simcore.trace import events

#: Fields of states that count rounds, in the order in which they are looked for; ``turns`` counts those of all seats.
_CLOCKS = ("game_round", "turns")

_WORD = re.compile(r"^[a-z0-9_]+(:[a-z0-9_]+)?$")


@dataclass(frozen=True)
class Choice:
    """One decision: ``seat``, ``round``, the option ``picked`` (see ``option_of``), all that were ``offered``.

    ``actions``: how many legal actions there were (1: forced).  Options are texts: see ``GameRecord.subjects``.
    """

    seat: int
    round: int
    picked: str
    offered: tuple[str, ...]
    actions: int
    text: str


@dataclass(frozen=True)
class GameRecord:
    """The course of one game; what a metric is a function of.

    ``number``, ``block``: of the stored game.  ``choices``: every decision in order.  ``chance``: texts of chance
    outcomes in order, each with its round.  ``scores``: what each seat would score if the game ended after a
    round, float, shape (rounds + 1, seats), the first row before anything happened, the last at the end.
    ``win_share``: float, shape (seats,); all 0 in an unfinished game.  ``seats``: the stored rows' columns (band,
    agent, score ...).  ``states``: state after each round, as ``scores``.  ``subjects``: what each option of
    ``choices`` is about, by its text.
    """

    number: int
    block: int
    choices: list[Choice]
    chance: list[tuple[int, str]]
    scores: np.ndarray
    win_share: np.ndarray
    seats: pd.DataFrame
    states: list[np.ndarray]
    subjects: Mapping[str, Subject] = field(default_factory=dict)

    @property
    def rounds(self) -> int:
        """Rounds that were begun."""
        return len(self.scores) - 1

    @property
    def is_finished(self) -> bool:
        """Whether the game came to its end."""
        return bool(self.win_share.sum() > 0)


def option_of(text: str) -> str:
    """The option that an action's text is about: its words without dice, faces and amounts.

    ``allocate appearance CSI`` and ``allocate appearance CCS`` are both ``allocate appearance``.  For games that do
    not say themselves what their actions are about.
    """
    words = text.split()
    kept = [words[0]]
    for word in words[1:]:
        if not _WORD.match(word):
            break
        kept.append(word)
    return " ".join(kept)


def subject_of(game: Game, state: Any, rules: Any, action: int) -> Subject:
    """What a legal action is about in ``state`` (one record)."""
    if isinstance(game, TellsSubjects):
        return game.subject(state, rules, action)
    return Subject(ACTION, option_of(game.format_action(state, rules, action)))


def things_of(game: Game, rules: Any) -> dict[str, tuple[str, ...]]:
    """Names of everything that actions of ``game`` are about, by kind; none where it does not say."""
    return dict(game.things(rules)) if isinstance(game, TellsSubjects) else {}


def clock(state: Any, players: int) -> int:
    """The round that a state stands in: the one under way, from 1 in games that count from 1."""
    names = state.dtype.names
    for name in _CLOCKS:
        if name in names:
            count = int(state[name])
            return count if name != "turns" else -(-count // players)
    return 0


def record_game(prepared: Prepared, number: int, stored_as: int | None = None, offers: bool = True) -> GameRecord:
    """Play game ``number`` of a plan again.  ``offers``: False leaves ``offered`` empty and is faster.

    Raises AgentError and EngineError as play does.
    """
    game, rules = prepared.game, prepared.rules
    job, setup = prepared.one_game(number)
    last: list[Any] = []
    choices: list[Choice] = []
    chance: list[tuple[int, str]] = []
    states: list[np.ndarray] = []
    subjects: dict[str, Subject] = {}
    now = 0
    with np.errstate(over="ignore"):
        for event in events(game, rules, setup, job[0], prepared.agents, prepared.plan.seed, last):
            state = event.state[0]
            at = clock(state, prepared.plan.players)
            # A clock that starts with the first turn is no second round: nobody has chosen anything before it.
            if not states or (at > now and choices):
                states.append(event.state)
            now = at
            if event.kind == "chance":
                chance.append((at, event.text))
                continue
            picked = subject_of(game, state, rules, event.number)
            found = [subject_of(game, state, rules, int(action)) for action in event.legal] if offers else []
            subjects.update((one.option, one) for one in (*found, picked))
            offered = tuple(dict.fromkeys(one.option for one in found))
            choices.append(Choice(event.seat, at, picked.option, offered, event.options, event.text))
    states.append(last[0])
    scores, seats = scores_of(prepared, states, job, setup)
    seats["agent"] = prepared.agent_names(job)[0]
    share = seats["win_share"].to_numpy(np.float64)
    return GameRecord(
        number if stored_as is None else stored_as,
        int(job[0]["block"]),
        choices,
        chance,
        scores,
        share,
        seats,
        states,
        subjects,
    )


def scores_of(
    prepared: Prepared, states: list[np.ndarray], job: np.ndarray, setup: np.ndarray
) -> tuple[np.ndarray, pd.DataFrame]:
    """What each seat would score if the game ended at each of ``states``, and the rows of seats at the last one.

    Float, shape (states, seats).  ``states``: of one game, each of shape (1,); ``job``, ``setup``: see ``one_game``.
    """
    engine = prepared.game.engine
    results = np.zeros(len(states), engine.result)
    for k, state in enumerate(states):
        engine.kernels.outcome(state[0], prepared.rules.packed[0], results[k])
    counts = np.zeros(len(states), COUNTS)
    counts["status"] = 1  # over: shares of the last state are those of the game
    _, seats = prepared.game.tables(results, counts, np.repeat(job, len(states)), setup)
    scores = seats["score"].to_numpy(np.float64).reshape(len(states), -1)
    return scores, seats.iloc[-scores.shape[1] :].reset_index(drop=True)


def records(folder: Path, numbers: Sequence[int], offers: bool = True) -> Iterator[GameRecord]:
    """The games ``numbers`` of a stored run of any kind.  Raises UsageError."""
    for number in numbers:
        prepared, there = replay_game(folder, number)
        yield record_game(prepared, there, number, offers)


def spread_games(folder: Path, games: int) -> list[int]:
    """``games`` numbers of a stored run: whole blocks, spread evenly over it, so that rotations stay together."""
    design = manifests.read(folder)["design"]
    per_block, blocks = design["games_per_block"], design["blocks"]
    wanted = min(max(1, round(games / per_block)), blocks)
    chosen = np.unique(np.linspace(0, blocks - 1, wanted).astype(int))
    return [int(block) * per_block + k for block in chosen for k in range(per_block)]
