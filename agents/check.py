"""Is an agent fit to play: ``check_agent(agent, game)`` plays it a little and says what is wrong with it.

    from agents.check import check_agent
    print(check_agent("py:my_agents:Careful", "overdrive"))

``agent``: a text name, an object or a class with ``choose`` or ``choose_batch``, or an ``Agent``.
"""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore import registry
from simcore.agent import Agent, PythonAgent
from simcore.errors import SoundcheckError
from simcore.loop import JOB, OVER, slot_dtype
from simcore.play import Table, ask, play_jobs, read_answer, see
from simcore.protocol import Game
from simcore.seen import View
from simcore.streams import stream_key
from simcore.trace import events

#: What is checked, in this order, and what each means.
CHECKS = {
    "legal": "in every seat each answer is one of the legal ids, and nothing is raised",
    "finishes": "its games end",
    "deterministic": "the same seed gives the same games, whatever Python's and numpy's global random numbers are",
    "stateless": "a game does not depend on the games played before it or beside it",
    "seat-independent": "one object in two seats plays as two objects would",
    "no peeking": "what a seat cannot know changes no answer",
    "pickling": "a copy sent to another process plays the same games (Python agents)",
}


@dataclass(frozen=True)
class Checked:
    """The result: ``problems`` maps the name of each failed check to what was seen; empty for a sound agent."""

    agent: str
    game: str
    problems: dict[str, str]

    def __bool__(self) -> bool:
        return not self.problems

    def __str__(self) -> str:
        if self:
            return f"{self.agent} plays {self.game} as it should ({len(CHECKS)} checks)"
        lines = [f"  {name}: {seen}\n    (wanted: {CHECKS[name]})" for name, seen in self.problems.items()]
        return "\n".join([f"{self.agent} fails {len(self.problems)} of {len(CHECKS)} checks in {self.game}:", *lines])


class _Bench:
    """Makes fresh copies of an agent and plays a few games with them."""

    def __init__(self, agent: Any, game: Game, players: int, games: int, seed: int) -> None:
        self.given, self.game, self.players, self.seed = agent, game, players, seed
        self.rules = game.rules()
        names = game.entrants(self.rules)
        rng = np.random.default_rng(seed)
        variants: list[dict[str, Any]] = [{"players": players} for _ in range(games)]
        for variant in variants if names else []:
            variant["bands"] = [str(name) for name in rng.permutation(names)[:players]]
        self.setups = np.concatenate([game.setup(variant, self.rules) for variant in variants])
        self.jobs = np.zeros(games, JOB)
        self.jobs["block"] = self.jobs["setup"] = np.arange(games)
        self.jobs["agent"] = 1
        self.jobs["agent"][np.arange(games), np.arange(games) % players] = 0
        self.random = registry.agent("random", game)

    def fresh(self) -> Agent:
        """The agent as new: built anew from its text or class; an object is copied by pickle where it can be."""
        if isinstance(self.given, str):
            return registry.agent(self.given, self.game)
        if isinstance(self.given, Agent):
            return self.given
        if isinstance(self.given, type):
            return registry.wrap(self.given.__name__, self.given)
        return registry.wrap(type(self.given).__name__, self._copied(self.given))

    @staticmethod
    def _copied(one: Any) -> Any:
        try:
            return pickle.loads(pickle.dumps(one))
        except Exception:
            return one

    def play(self, agents: list[Agent], jobs: np.ndarray | None = None) -> tuple[Any, ...]:
        """Results of the jobs by value, one tuple a game, with the status last."""
        jobs = self.jobs if jobs is None else jobs
        played = play_jobs(self.game, [self.rules], self.setups, jobs, agents, self.seed)
        return tuple(
            (*map(_plain, result.tolist()), int(status))
            for result, status in zip(played.results, played.counts["status"], strict=True)
        )

    def usual(self) -> tuple[Any, ...]:
        """Results of the jobs with a fresh agent."""
        return self.play([self.fresh(), self.random])


def _plain(value: Any) -> Any:
    """Nested records as nested tuples: their padding is nobody's."""
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    return tuple(map(_plain, value)) if isinstance(value, tuple | list) else value


def check_agent(agent: Any, game: str | Game, players: int | None = None, games: int = 6, seed: int = 1) -> Checked:
    """Play ``games`` games a check and return what is wrong; a check that cannot run for an earlier fault is left out.

    ``players``: default what is usual.  Raises UsageError for a name that nobody knows.
    """
    there = registry.game(game) if isinstance(game, str) else game
    bench = _Bench(agent, there, players or there.usual_players({}), max(games, 2), seed)
    text = bench.fresh().text
    problems: dict[str, str] = {}
    before = random.getstate(), np.random.get_state()  # noqa: NPY002 (the global numbers are what is tried)
    try:
        _seed_globals(1)
        usual = bench.usual()
    except SoundcheckError as error:
        return Checked(text, there.name, {"legal": str(error)})
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])  # noqa: NPY002
    for name, check in _STEPS.items():
        try:
            seen = check(bench, usual)
        except SoundcheckError as error:
            seen = str(error)
        if seen:
            problems[name] = seen
    return Checked(text, there.name, problems)


def _legal(bench: _Bench, usual: tuple[Any, ...]) -> str:
    """Every seat, beside itself too; a fault is raised by the play loop, which names game, seat and state."""
    jobs = bench.jobs.copy()
    jobs["agent"] = 0
    bench.play([bench.fresh()], jobs)
    return ""


def _finishes(bench: _Bench, usual: tuple[Any, ...]) -> str:
    late = [i for i, game in enumerate(usual) if game[-1] != OVER]
    return f"games {late} did not end within {bench.game.most_steps} decisions" if late else ""


def _seed_globals(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002


def _deterministic(bench: _Bench, usual: tuple[Any, ...]) -> str:
    before = random.getstate(), np.random.get_state()  # noqa: NPY002
    try:
        _seed_globals(2)
        return _compare(usual, bench.usual(), "a second run with the same seed")
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])  # noqa: NPY002


def _stateless(bench: _Bench, usual: tuple[Any, ...]) -> str:
    backwards = bench.play([bench.fresh(), bench.random], bench.jobs[::-1].copy())[::-1]
    seen = _compare(usual, backwards, "the games played in reverse order")
    if seen:
        return seen
    one = bench.fresh()
    alone = tuple(bench.play([one, bench.random], bench.jobs[i : i + 1])[0] for i in range(len(bench.jobs)))
    return _compare(usual, alone, "the games played one by one")


def _seats(bench: _Bench, usual: tuple[Any, ...]) -> str:
    jobs = bench.jobs.copy()
    jobs["agent"] = 0
    shared = bench.play([bench.fresh()], jobs)
    jobs["agent"][:, 1] = 1
    return _compare(bench.play([bench.fresh(), bench.fresh()], jobs), shared, "one object in all seats")


def _compare(expected: tuple[Any, ...], found: tuple[Any, ...], what: str) -> str:
    differ = [i for i, (one, other) in enumerate(zip(expected, found, strict=True)) if one != other]
    return f"{what}: games {differ} of {len(expected)} come out otherwise" if differ else ""


def _pickles(bench: _Bench, usual: tuple[Any, ...]) -> str:
    one = bench.fresh()
    if not isinstance(one, PythonAgent) or type(one.chooser).__module__ == "__main__":
        return ""  # what a notebook or a script defines is played in its own process
    try:
        copy = pickle.loads(pickle.dumps(one.chooser))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return _compare(usual, bench.play([PythonAgent(one.text, copy), bench.random]), "the copy")


def _no_peeking(bench: _Bench, usual: tuple[Any, ...]) -> str:
    """The same question asked in two worlds that the seat cannot tell apart."""
    for variant in _variants(bench.game):
        for first, second in _twins(bench, variant):
            if first != second:
                return f"answers {first} and {second} to the same knowledge, in {variant}"
    return ""


def _variants(game: Game) -> list[dict[str, Any]]:
    """Line-ups of the usual game, and of solo play where there is a side that may hide something."""
    names = game.entrants(game.rules())
    players = game.usual_players({})
    usual: dict[str, Any] = {"players": players, **({"bands": list(names[:players])} if names else {})}
    found = [usual]
    if game.difficulties:
        bands = game.entrants(game.rules(), {"mode": "solo"})
        found.append({"players": 1, "mode": "solo", "difficulty": game.difficulties[0], "bands": list(bands[:1])})
    return found


def _twins(bench: _Bench, variant: dict[str, Any], most: int = 20) -> Iterator[tuple[Any, Any]]:
    """Pairs of answers at the decisions of one game that random players play."""
    game, rules = bench.game, bench.rules
    setup, job = game.setup(variant, rules), np.zeros(1, JOB)
    asked = 0
    for event in events(game, rules, setup, job[0], [bench.random], bench.seed):
        if event.kind != "decision" or event.options < 2:
            continue
        asked += 1
        if asked > most:
            return
        yield _answer(bench, event, 0), _answer(bench, event, asked)


def _answer(bench: _Bench, event: Any, world: int) -> Any:
    """What a fresh agent answers to ``event``; ``world`` names what is true where its seat cannot look."""
    game, rules, seat = bench.game, bench.rules, event.seat
    table = Table(game, [bench.fresh()])
    slot = np.zeros(1, slot_dtype(game.engine))[0]
    slot.state[0] = event.state[0]
    for one, stream in ((slot.hide_rng[seat], 1), (slot.rng[seat], 2)):
        one["key"] = stream_key(bench.seed, 0, stream)
    if world:
        other = slot.hide_rng[seat].copy()
        other["key"] = stream_key(bench.seed, world, 3)
        game.engine.kernels.hide(slot.state[0], rules.packed[0], seat, other)
    agent = table.agents[0]
    if isinstance(agent, PythonAgent):
        view: View = see(table, rules, slot, seat)
        return read_answer(ask(agent, [view], [event.legal.copy()], [0])[0])
    slot.seen[0] = slot.state[0]
    game.engine.kernels.hide(slot.seen[0], rules.packed[0], seat, slot.hide_rng[seat])
    slot.options[0].action[: len(event.legal)] = event.legal
    return int(
        table.choosers[0](
            slot.seen[0], rules.packed[0], slot.options[0], len(event.legal), table.minds[0], slot.rng[seat]
        )
    )


_STEPS: dict[str, Callable[[_Bench, tuple[Any, ...]], str]] = {
    "legal": _legal,
    "finishes": _finishes,
    "deterministic": _deterministic,
    "stateless": _stateless,
    "seat-independent": _seats,
    "no peeking": _no_peeking,
    "pickling": _pickles,
}
