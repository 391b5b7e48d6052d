"""Games that wait for words from outside: what every environment here is made of.

``Setting`` is a game with its rules, line-up and agents; ``Games`` holds many running games of one setting, played
by ``kernels.table`` with the dice, streams and agents of every other run: a game is named by (seed, block).
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
from numba import from_dtype, types

from bridges.kernels import table as tables
from bridges.kernels.pointers import addresses
from bridges.language import language
from bridges.parts import Parts
from simcore import registry
from simcore.agent import Agent, PythonAgent
from simcore.errors import EngineError, UsageError
from simcore.kernel import compiled, record_type
from simcore.loop import JOB, slot_dtype
from simcore.play import Table, ask, read_answer, see
from simcore.protocol import MAX_SEATS, SHARES

#: The agent of a seat that is played from outside.
OUTSIDE = PythonAgent("outside", None)


class Setting:
    """A game, its rules, a line-up, and who plays the seats that nobody outside plays.

    ``game``: a name or a Game; ``variant``: players, bands, boards, mode, ... as scenarios write them; ``rules``:
    overrides by dotted path, or a rules object; ``agents``: text of an agent by seat.  Seats without one
    are asked outside.  Raises UsageError.
    """

    def __init__(
        self, game: Any, variant: Mapping[str, Any], rules: Any = None, agents: Mapping[int, str | Agent] | None = None
    ) -> None:
        self.game = registry.game(game) if isinstance(game, str) else game
        self.language = language(self.game.name)
        self.rules = self.game.rules(rules) if rules is None or isinstance(rules, Mapping) else rules
        self.variant = dict(variant)
        self.setup = self.game.setup(self.variant, self.rules)
        self.first = len(self.game.automata(self.variant))
        self.seats = int(self.setup[0][self.language.seats_field])
        self.agents: list[Agent] = [OUTSIDE]
        self.agent_of = np.zeros(MAX_SEATS, np.int32)
        for seat, given in (agents or {}).items():
            self._seat(seat, given)
        self.table = Table(self.game, self.agents)
        #: Whether a Python agent of ours sits at the table, to be asked between words.
        self.asks = any(isinstance(one, PythonAgent) for one in self.agents[1:])

    def _seat(self, seat: int, given: str | Agent) -> None:
        """Let an agent play ``seat``."""
        if seat not in self.players:
            raise UsageError(f"seat {seat}: nobody plays there (allowed: {', '.join(map(str, self.players))})")
        agent = registry.agent(given, self.game) if isinstance(given, str) else given
        texts = [one.text for one in self.agents]
        if agent.text not in texts:
            self.agents.append(agent)
            texts.append(agent.text)
        self.agent_of[seat] = texts.index(agent.text)

    @property
    def players(self) -> range:
        """Seats of the players, without sides that play by themselves."""
        return range(self.first, self.seats)

    @property
    def asked_outside(self) -> list[int]:
        """Seats that are played from outside."""
        return [seat for seat in self.players if self.agent_of[seat] == 0]


def table_door(table: Table) -> np.ndarray:
    """Addresses of the loop's kernels and of the agents at a table (kernels.table.DOOR, shape (1,))."""
    engine, loop = table.game.engine, table.loop
    door = np.zeros(1, tables.DOOR)
    door[0]["start"][:] = addresses(loop.start, tables.start_signature(engine))
    door[0]["advance"][:] = addresses(loop.advance, tables.advance_signature(engine))
    for name in ("returns", "outcome"):
        door[0][name][:] = addresses(getattr(engine.kernels, name), engine.signatures[name])
    for k, chooser in enumerate(table.choosers):
        door[0]["agent"][k] = addresses(chooser, engine.signatures["choose"])
    return door


class Games:
    """``count`` running games of ``setting``.  Arrays by game, written by every call of ``say``:

    ``reports`` (kernels.table.REPORT; ``status`` and ``seat`` are two of its columns), ``finals`` (FINAL), ``masks``
    (int8, (count, words)), ``rows`` (int16, (count, width)), ``vectors`` (float32, same shape, in [0, 1]).  What is not
    wished for has no rows and stays empty.  ``shaping``: reward for a point of lead; other than 0 it makes
    scores be written.  Masks are changed in place from call to call: nobody else may write to them.
    """

    def __init__(
        self, setting: Setting, count: int = 1, *, masks: bool = True, seen: bool = True, vectors: bool = True,
        shaping: float = 0.0, auto: bool = False,
    ) -> None:  # fmt: skip
        self.setting, self.count = setting, count
        engine, spoken = setting.game.engine, setting.language
        self.low, self.high = spoken.ranges(setting.seats)
        self.scale = (1 / (self.high.astype(np.float32) - self.low.astype(np.float32))).astype(np.float32)
        self.jobs, self.slots = np.zeros(count, JOB), np.zeros(count, slot_dtype(engine))
        self.jobs["agent"] = setting.agent_of
        self.spellings = np.zeros(count, tables.spelling_dtype(engine.legal_capacity))
        self.reports, self.finals = np.zeros(count, tables.REPORT), np.zeros(count, tables.FINAL)
        self.status, self.seat = self.reports["status"], self.reports["seat"]
        self.masks = np.zeros((count if masks else 0, spoken.words), np.int8)
        self.rows = np.zeros((count if seen else 0, len(self.low)), np.int16)
        self.vectors = np.zeros((count if seen and vectors else 0, len(self.low)), np.float32)
        self.wishes = np.zeros(1, tables.WISH)
        self.wishes[0] = (
            auto, count, masks, seen, seen and vectors, shaping != 0, setting.game.most_steps, 0, setting.seats,
            shaping,
        )  # fmt: skip
        self._shares, self._results = np.zeros(1, SHARES), np.zeros(1, engine.result)
        self._parts = Parts(spoken.fields(setting.seats))
        self._nothing = np.full(count, tables.NOTHING)
        self._doors = table_door(setting.table)
        self._play_on, self._view = compiled_for(setting.game)

    def open(self, seed: int, block: int = 0) -> None:
        """Start all games anew: game i is that of block ``block + i`` under the master seed ``seed``."""
        setting = self.setting
        self.wishes["master"] = seed
        self.jobs["block"] = block + np.arange(self.count)
        for i in range(self.count):
            setting.table.loop.start(
                seed, self.jobs[i], self.slots[i], setting.rules.packed[0], setting.setup[0]
            )  # fmt: skip
        self.say(self._nothing)

    def say(self, words: np.ndarray) -> None:
        """Say a word (int64, shape (count,)) in every game and play all on to the next that is asked for.

        Raises UsageError naming the first game whose word was not possible, AgentError, EngineError.
        """
        words = np.ascontiguousarray(words, np.int64)
        if self._call(words):
            self._complain(words)

    def count_faults(self, words: np.ndarray) -> int:
        """``say`` that raises only for what is nobody's fault outside; 1 where a word was not possible (one game)."""
        faults = self._call(words)
        if faults and self.status[0] != tables.NOT_LEGAL:
            self._complain(words)
        return faults

    def _call(self, words: np.ndarray) -> int:
        return int(
            self._play_on(
                self._doors, self.wishes, self.setting.table.minds, self.jobs, self.slots, self.spellings,
                self.setting.setup, self.setting.rules.packed, self._shares, self._results, self.low, self.high,
                self.scale, words, self.reports, self.finals, self.masks, self.rows, self.vectors,
            )
        )  # fmt: skip

    def _complain(self, words: np.ndarray) -> None:
        """Raise what the first game with a fault has to say."""
        status = self.status
        i = int(np.argmax((status == tables.NOT_LEGAL) | (status == tables.FAILED)))
        if status[i] == tables.NOT_LEGAL:
            status[status == tables.NOT_LEGAL] = tables.WAITS
            raise UsageError(f"game {i}: {self.wrong_word(int(words[i]), i)}")
        state = self.setting.game.describe(self.slots[i]["state"][0], self.setting.rules)
        raise EngineError(f"game {i} (block {self.jobs[i]['block']}) cannot go on\nstate: {state}")

    def refusal(self, word: int) -> UsageError:
        """The error for a word that game 0 did not ask for; the game goes on waiting."""
        self.status[0] = tables.WAITS
        return UsageError(self.wrong_word(word))

    def wrong_word(self, word: int, i: int = 0) -> str:
        """What is wrong with a word that game ``i`` did not ask for."""
        names = self.word_names
        named = f" ({names[word]})" if 0 <= word < len(names) else ""
        words = self.possible(i)
        shown = ", ".join(f"{one} ({names[one]})" for one in words[:5])
        more = f" and {len(words) - 5} more" if len(words) > 5 else ""
        return f"action {word}{named} is not legal; seat {self.seat[i]} may: {shown}{more}"

    @property
    def word_names(self) -> tuple[str, ...]:
        """Names of all words."""
        return self.setting.language.word_names(self.setting.rules)

    def possible(self, i: int = 0) -> np.ndarray:
        """Words that game ``i`` asks for, ascending."""
        one = self.spellings[i]
        return np.unique(one["word"][: one["n"]])

    def legal(self, i: int = 0) -> np.ndarray:
        """Ids of the whole actions that are left in game ``i``, ascending."""
        return self.slots[i]["options"][0]["action"][: self.spellings[i]["n"]].copy()

    def ask_agents(self) -> None:
        """Ask Python agents (of game 0) until somebody outside is asked.  Raises AgentError."""
        setting = self.setting
        while self.status[0] == tables.WAITS and setting.agent_of[self.seat[0]]:
            seat = int(self.seat[0])
            agent, legal = setting.table.python_agent(int(setting.agent_of[seat])), self.legal()
            answer = read_answer(ask(agent, [see(setting.table, setting.rules, self.slots[0], seat)], [legal], [0])[0])
            if answer is None or answer not in legal:
                raise UsageError(f"agent {agent.text!r} (seat {seat}) chose {answer!r}, which is not legal")
            self.slots[0]["answer"] = answer
            self.say(self._nothing)

    def seen_by(self, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """(row, vector): what ``seat`` sees of game 0, fresh arrays."""
        rows, vectors = self.look(np.zeros(1, np.int64), np.full(1, seat))
        return rows[0], vectors[0]

    def look(self, games: np.ndarray, viewers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(rows, vectors): what ``viewers[j]`` sees of game ``games[j]`` (int64), fresh arrays of a row each."""
        shape = (len(games), len(self.low))
        rows, vectors = np.empty(shape, np.int16), np.empty(shape, np.float32)
        self._view(
            self.slots, self.spellings, self.setting.rules.packed, games, viewers, self.low, self.high, self.scale,
            rows, vectors,
        )  # fmt: skip
        return rows, vectors

    def named(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """A row (or rows, first axis) as named arrays, which are views of it."""
        return self._parts.of(rows) if rows.ndim == 1 else self._parts.of_many(rows)

    def text(self, seat: int | None) -> str:
        """Game 0 in words, as ``seat`` may know it (None: whoever is asked)."""
        viewer = int(self.seat[0]) if seat is None else seat
        return self.setting.language.describe(self.slots[0]["state"][0], self.setting.rules, viewer)


@functools.cache
def compiled_for(game: Any) -> tuple[Any, Any]:
    """(play_on, view) of ``game``, compiled for the one signature that they are called with."""
    engine, number = game.engine, types.int64
    play_on, view = language(game.name).kernels(engine)

    def array(dtype: Any, axes: int = 1) -> Any:
        return types.Array(record_type(dtype) if dtype.names else dtype_type(dtype), axes, "C")

    small, real, word = np.dtype("i2"), np.dtype("f4"), np.dtype("i8")
    slot, spelling = slot_dtype(engine), tables.spelling_dtype(engine.legal_capacity)
    ranges = (array(small), array(small), array(real))
    seen = (array(small, 2), array(real, 2))
    tail = (array(word), array(tables.REPORT), array(tables.FINAL), array(np.dtype("i1"), 2), *seen)
    head = (array(tables.DOOR), array(tables.WISH), array(engine.mind), array(JOB), array(slot), array(spelling))
    given = (array(engine.setup), array(engine.rules), array(SHARES), array(engine.result))
    return (
        compiled(play_on, number(*head, *given, *ranges, *tail)),
        compiled(
            view, number(array(slot), array(spelling), array(engine.rules), array(word), array(word), *ranges, *seen)
        ),
    )


def dtype_type(dtype: np.dtype) -> Any:
    """The numba type of a plain dtype."""
    return from_dtype(dtype)
