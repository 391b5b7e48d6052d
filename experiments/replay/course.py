"""The course of one game, ready for a page: steps with their notation, positions, scores, chances, options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agents.mcts.explain import explain
from experiments.explaining import decision_key, seen_by_decider
from experiments.plan import Prepared
from experiments.records import scores_of
from experiments.replay.chances import Chances, chances
from experiments.replay.scene import Presenter, Turn
from simcore.trace import Event, events

#: What happened at a step: chance, a decision among several actions, or the only legal one.
CHANCE, CHOICE, FORCED = "chance", "choice", "forced"

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Values:
    """How options are valued: by the tree search ``agent``, the best ``most`` of each decision kept (0: none)."""

    agent: str
    most: int


@dataclass(frozen=True)
class Option:
    """One option of a decision: ``visits`` of the search and ``share`` (None: never opened) of who decides.

    ``order``: 1 for what the prior opened first; ``is_played``, ``is_chosen``: what was played, what the search took.
    """

    text: str
    visits: int
    share: float | None
    order: int
    is_played: bool
    is_chosen: bool


@dataclass(frozen=True)
class Step:
    """One event.  ``seat``: who decided (-1 chance); ``options``: how many were possible; ``text``: in notation.

    ``by_itself``: (seat, text) of what a side without an agent did thereby; ``decision``: its number among the
    decisions that were not forced (-1: none); ``listed``: its options with values, ``left_out`` more were not kept.
    """

    kind: str
    seat: int
    text: str
    options: int
    by_itself: list[tuple[int, str]]
    decision: int
    listed: list[Option]
    left_out: int


@dataclass(frozen=True)
class Course:
    """A whole game: ``states`` before each of ``steps`` and at the end, each of shape (1,).

    ``movers``: seat that decides at each state (-1: nobody); ``turns``: the turn of each step.  ``scores``: what seats
    would score at each state, float, shape (states, seats).  ``seats``: the rows of the stored table.
    ``chances``: None without a leaf model.
    """

    steps: list[Step]
    states: list[np.ndarray]
    movers: list[int]
    turns: list[Turn]
    scores: np.ndarray
    seats: pd.DataFrame
    chances: Chances | None


def course(
    prepared: Prepared, show: Presenter, number: int, line_up: list[int] | None = None, values: Values | None = None,
    progress: Progress = lambda done, total: None,
) -> Course:  # fmt: skip
    """Game ``number`` of a plan played again, its turns as ``show`` tells them apart.

    ``line_up``: other bands than the design's; ``values``: None for none.
    Raises AgentError and EngineError as play does, UsageError for values by anything but a tree search.
    """
    job, setup = prepared.one_game(number, line_up)
    last: list[Any] = []
    with np.errstate(over="ignore"):
        happened = list(events(prepared.game, prepared.rules, setup, job[0], prepared.agents, prepared.plan.seed, last))
        states = [*(event.state for event in happened), last[0]]
        scores, seats = scores_of(prepared, states, job, setup)
        seats["agent"] = prepared.agent_names(job)[0]
        movers = [*(event.seat for event in happened), -1]
        turns = [show.turn(state, prepared.rules) for state in states[:-1]]
        found = chances(prepared, number, happened, last[0], [turn.key for turn in turns])
        steps = _steps(prepared, happened, states, number, values, progress)
    return Course(steps, states, movers, turns, scores, seats, found)


def _steps(
    prepared: Prepared, happened: list[Event], states: list[np.ndarray], number: int, values: Values | None,
    progress: Progress,
) -> list[Step]:  # fmt: skip
    game, rules = prepared.game, prepared.rules
    total = sum(event.options > 1 for event in happened if event.kind == "decision")
    steps, decision = [], 0
    for event, after in zip(happened, states[1:], strict=True):
        itself = [(int(seat), text) for seat, text in game.by_itself(event.state[0], after[0], rules)]
        if event.kind == "chance":
            text = game.unseen_chance(event.state[0], rules) or event.text
            steps.append(Step(CHANCE, -1, text, event.options, itself, -1, [], 0))
        elif event.options == 1:
            steps.append(Step(FORCED, event.seat, event.text, 1, itself, -1, [], 0))
        else:
            listed, left = list[Option](), 0
            if values and values.most:
                listed, left = _valued(prepared, event, number, decision, values)
                progress(decision + 1, total)
            steps.append(Step(CHOICE, event.seat, event.text, event.options, itself, decision, listed, left))
            decision += 1
    return steps


def _valued(prepared: Prepared, event: Event, number: int, decision: int, values: Values) -> tuple[list[Option], int]:
    """The best options of a decision, most visits first, with what was played; and how many are left out."""
    game, rules = prepared.game, prepared.rules
    state = seen_by_decider(prepared, event)
    key = decision_key(prepared.plan.seed, number, decision)
    found = explain(values.agent, game, rules, state, event.legal, key)
    listed = []
    for place, one in enumerate(found.options):
        if place < values.most or one.action in (found.chosen, event.number):
            share = one.shares[event.seat] if one.visits else None
            text = game.format_action(state[0], rules, one.action)
            played, chosen = one.action == event.number, one.action == found.chosen
            listed.append(Option(text, one.visits, share, one.order, played, chosen))
    return listed, len(found.options) - len(listed)
