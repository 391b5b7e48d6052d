"""Playing lists of games: compiled agents in one call, Python agents asked for all waiting games at once."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore.agent import Agent, BatchChooser, CompiledAgent, PythonAgent
from simcore.beside import helped
from simcore.errors import AgentError, EngineError, SoundcheckError, UsageError
from simcore.first import first_legal
from simcore.loop import (
    ASKS,
    COUNTS,
    CROWDED,
    ILLEGAL,
    JOB,
    MAX_AGENTS,
    OVER,
    RUNNING,
    STUCK,
    UNFINISHED,
    Loop,
    loop_of,
    slot_dtype,
)  # fmt: skip
from simcore.protocol import Engine, Game
from simcore.seen import View
from simcore.stalled import refuse_stalled
from simcore.windows import window_of

#: Games that wait for Python agents at the same time.
WINDOW = 256

#: Bytes of a line of the cache.
_LINE = 64


@dataclass(frozen=True)
class Played:
    """A record a job: ``results`` (engine.result), ``counts`` (COUNTS), ``tallies`` (engine.tally, if watched)."""

    results: np.ndarray
    counts: np.ndarray
    tallies: np.ndarray


#: Kernels of an engine that its loop calls: those that share most with each other at the end.
_PARTS = ("legal", "observe", "reset", "outcome", "hide", "count", "pick", "step", "apply_chance")


@functools.cache
def _loop_for(engine: Engine, choosers: tuple[Any, ...]) -> Loop:
    """The loop of ``engine``, compiled, as are ``choosers`` (agents' kernels): with two processes where that helps."""
    signatures = engine.signatures
    parts = [(getattr(engine, name), signatures[name].args) for name in _PARTS]
    agents = [(choose, signatures["choose"].args) for choose in dict.fromkeys(choosers)]
    with helped([*parts[:-2], *agents, *parts[-2:]]):
        loop = loop_of(engine)
        for choose in choosers:
            engine.compile_agent(choose)
        return loop


class Table:
    """Everything that stays the same while a list of jobs is played.

    ``agents``: at most MAX_AGENTS; a job's ``agent[seat]`` indexes them.  Kept apart from ``play_jobs`` so
    that traces seat the same agents in the same way.
    """

    def __init__(self, game: Game, agents: Sequence[Agent]) -> None:
        if not 1 <= len(agents) <= MAX_AGENTS:
            raise UsageError(f"agents: {len(agents)} given, 1 to {MAX_AGENTS} may take part in one run")
        self.game = game
        self.agents = list(agents)
        # Seats of Python agents still need a kernel of the right type; it is never called.
        chosen = tuple(one.choose for one in agents if isinstance(one, CompiledAgent)) or (first_legal,)
        self.loop = _loop_for(game.engine, chosen)
        self.minds = np.zeros(MAX_AGENTS, game.engine.mind)
        self.kept = []
        self.choosers = [game.engine.compile_agent(chosen[0])] * MAX_AGENTS
        for i, one in enumerate(agents):
            if isinstance(one, PythonAgent):
                self.minds[i]["pool"] = -1
            else:
                self.minds[i]["blind"] = one.blind
                self.kept.append(one.prepare(self.minds[i]))
                self.choosers[i] = game.engine.compile_agent(one.choose)

    def python_agent(self, which: int) -> PythonAgent:
        """The Python agent number ``which``; the loop asks for no other kind."""
        agent = self.agents[which]
        if not isinstance(agent, PythonAgent):
            raise EngineError(f"agent {agent.text!r} is compiled and was not to be asked")
        return agent

    @property
    def is_compiled(self) -> bool:
        """Whether every agent is compiled."""
        return all(isinstance(one, CompiledAgent) for one in self.agents)


def ask(agent: PythonAgent, views: list[View], legal: list[np.ndarray], games: list[int]) -> list[Any]:
    """The answers of one Python agent, one a view; what it raises becomes an AgentError.

    ``games``: the index of each view's game, for error messages.
    """
    at = 0
    try:
        if isinstance(agent.chooser, BatchChooser):
            return list(agent.chooser.choose_batch(views, legal))
        answers = []
        for at in range(len(views)):
            answers.append(agent.chooser.choose(views[at], legal[at]))
        return answers
    except SoundcheckError:
        raise
    except Exception as error:
        view = views[at]
        where = f"game {games[at]}, seat {view.seat}"
        if len(views) > 1 and isinstance(agent.chooser, BatchChooser):
            where = f"{len(views)} games asked at once, the first of them {where}"
        state = view.game.describe(view.state.copy()[0], view.rules)
        message = f"agent {agent.text!r} raised {type(error).__name__}: {error}: {where}\nstate: {state}"
        raise AgentError(message) from error


def read_answer(answer: Any) -> int | None:
    """The action id in a Python agent's answer, or None when it is not a whole number."""
    if isinstance(answer, bool | np.bool_) or not isinstance(answer, int | np.integer):
        return None
    return int(answer)


def fault(table: Table, rules: Any, job: Any, index: int, slot: Any) -> SoundcheckError:
    """The error for a slot that stopped: names agent, game index, seat, the action and the state."""
    status, seat = int(slot.counts[0].status), int(slot.seat)
    state = table.game.describe(slot.state[0], rules)
    where = f"game {index} (block {int(job.block)}), seat {seat}"
    if status == ILLEGAL:
        name = table.agents[int(job.agent[seat])].text
        return AgentError(f"agent {name!r} chose {int(slot.chosen)}, which is not legal: {where}\nstate: {state}")
    if status == STUCK:
        return EngineError(f"no legal action: {where}\nstate: {state}")
    if status == CROWDED:
        return EngineError(f"more legal actions than the list holds: {where}\nstate: {state}")
    return EngineError(f"unexpected status {status}: {where}\nstate: {state}")


def _side_by_side(records: Sequence[Any], dtype: np.dtype) -> np.ndarray:
    """Records as an array whose first byte begins a line of the cache.

    Not joined by numpy, which would lay the fields of nested records anew.
    """
    room = np.empty(len(records) * dtype.itemsize + _LINE, np.uint8)
    first = -room.ctypes.data % _LINE
    joined = room[first : first + len(records) * dtype.itemsize].view(dtype)
    for k, one in enumerate(records):
        joined[k] = one
    return joined


def play_jobs(
    game: Game,
    rules: Sequence[Any],
    setups: np.ndarray,
    jobs: np.ndarray,
    agents: Sequence[Agent],
    master: int,
    most_steps: int | None = None,
    watch: bool = False,
    first_index: int = 0,
) -> Played:
    """Play ``jobs`` (dtype JOB, shape (G,)) and return a record a game.

    ``rules``: rules objects of ``game`` (job.rules indexes them); ``setups``: dtype engine.setup, shape (S,);
    ``master``: the master seed (int64).  ``most_steps``: decisions after which a game counts as unfinished
    (default ``game.most_steps``, and a game that one agent alone brought there is an error).  ``watch``: keep
    tallies.  ``first_index``: number of the first job in error messages.  Raises AgentError, EngineError.
    """
    table = Table(game, agents)
    engine = game.engine
    packed = _side_by_side([one.packed[0] for one in rules], engine.rules)
    played = Played(
        np.zeros(len(jobs), engine.result),
        np.zeros(len(jobs), COUNTS),
        np.zeros(len(jobs) if watch else 1, engine.tally),
    )
    cap = game.most_steps if most_steps is None else most_steps
    jobs = np.ascontiguousarray(jobs, JOB)
    if table.is_compiled:
        _play_compiled(table, rules, packed, setups, jobs, master, cap, watch, first_index, played)
    else:
        _play_windows(table, rules, packed, setups, jobs, master, cap, watch, first_index, played)
    if most_steps is None:
        refuse_stalled(game, rules, setups, jobs, agents, master, first_index, played.counts)
    return played


def _play_compiled(
    table: Table, rules: Sequence[Any], packed: np.ndarray, setups: np.ndarray, jobs: np.ndarray, master: int,
    cap: int, watch: bool, first_index: int, played: Played,
) -> None:  # fmt: skip
    """All jobs in one compiled call."""
    slots = np.zeros(1, slot_dtype(table.game.engine))
    try:
        done = table.loop.run(
            tuple(table.choosers), table.minds, master, jobs, setups,
            packed, slots, played.results, played.counts, played.tallies, cap, int(watch),
        )  # fmt: skip
    except Exception as error:
        failed = int(np.argmax(played.counts["status"] == RUNNING))
        job, seat = jobs[failed], int(slots[0]["seat"])
        state = table.game.describe(slots[0].state[0], rules[int(job["rules"])])
        name = table.agents[int(job["agent"][seat])].text if seat >= 0 else "none"
        raise AgentError(
            f"{type(error).__name__}: {error} (game {first_index + failed}, seat {seat}, agent {name!r})\n"
            f"state: {state}"
        ) from error
    if done < len(jobs):
        raise fault(table, rules[int(jobs[done]["rules"])], jobs[done], first_index + done, slots[0])


def _play_windows(
    table: Table, rules: Sequence[Any], packed: np.ndarray, setups: np.ndarray, jobs: np.ndarray, master: int,
    cap: int, watch: bool, first_index: int, played: Played,
) -> None:  # fmt: skip
    """Jobs in windows: every game runs to its next Python decision, then all are asked at once."""
    loop, engine = table.loop, table.game.engine
    advance_all = window_of(engine)
    for low in range(0, len(jobs), WINDOW):
        high = min(low + WINDOW, len(jobs))
        slots = np.zeros(high - low, slot_dtype(engine))
        for i in range(low, high):
            loop.start(
                master, jobs[i], slots[i - low], packed[jobs[i]["rules"]],
                setups[jobs[i]["setup"]],
            )  # fmt: skip
        here, waiting = jobs[low:high], np.arange(high - low)
        while len(waiting):
            statuses = np.zeros(len(waiting), np.int64)
            advance_all(
                tuple(table.choosers), table.minds, here, slots, packed, waiting, statuses, cap, int(watch)
            )  # fmt: skip
            for k in np.flatnonzero(~np.isin(statuses, (ASKS, OVER, UNFINISHED))):
                i = int(waiting[k])
                raise fault(table, rules[int(here[i]["rules"])], here[i], first_index + low + i, slots[i])
            waiting = waiting[statuses == ASKS]
            _ask_all(table, rules, jobs, slots, [low + int(i) for i in waiting], low, first_index)
        for i in range(low, high):
            slot = slots[i - low]
            loop.kernels.outcome(slot.state[0], packed[jobs[i]["rules"]], played.results[i])
            played.counts[i] = slot.counts[0]
            if watch:
                played.tallies[i] = slot.tally[0]


def see(table: Table, rules: Any, slot: Any, seat: int) -> View:
    """What the Python agent in ``seat`` may know of a slot: a redacted copy of its state."""
    slot.seen[0] = slot.state[0]
    table.loop.kernels.hide(slot.seen[0], rules.packed[0], seat, slot.hide_rng[seat])
    return View(table.game, rules, slot["seen"].copy(), seat, slot["rng"][seat])


def _ask_all(
    table: Table, rules: Sequence[Any], jobs: np.ndarray, slots: np.ndarray, asking: list[int], low: int, first: int
) -> None:
    """Ask each Python agent for all games that wait for it, and put the answers into the slots."""
    # Columns of all slots: reading them record by record costs several times as much.
    seats, waiting, answer = slots["seat"], slots["waiting"], slots["answer"]
    seen, actions, streams = slots["seen"], slots["options"]["action"][:, 0], slots["rng"]
    groups: dict[int, list[int]] = {}
    for i in asking:
        groups.setdefault(int(jobs["agent"][i, seats[i - low]]), []).append(i)
    for which, members in groups.items():
        agent = table.python_agent(which)
        views, legal = [], []
        for i in members:
            k, seat = i - low, int(seats[i - low])
            views.append(View(table.game, rules[jobs["rules"][i]], seen[k].copy(), seat, streams[k, seat]))
            legal.append(actions[k, : waiting[k]].copy())
        answers = ask(agent, views, legal, [first + i for i in members])
        if len(answers) != len(members):
            raise AgentError(f"agent {agent.text!r} gave {len(answers)} answers for {len(members)} games")
        for i, view, options, given in zip(members, views, legal, answers, strict=True):
            action = read_answer(given)
            if action is None or action not in options:
                state = table.game.describe(slots[i - low].state[0], view.rules)
                raise AgentError(
                    f"agent {agent.text!r} answered {given!r}, which is not one of the {len(options)} legal ids: "
                    f"game {first + i} (block {int(jobs[i]['block'])}), seat {view.seat}\nstate: {state}"
                )
            answer[i - low] = action
