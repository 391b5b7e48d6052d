"""The game protocol on one screen: what an engine says, in which types.

An engine is deterministic and holds no random numbers.  Every chance event is uniform over n outcomes:
the engine says how many there are and takes the one drawn.

| kernel | meaning |
|---|---|
| ``reset(state, rules, setup)`` | a fresh game for the line-up in ``setup``, at its first decision or chance event |
| ``chance_count(state, rules) -> n`` | 0: a seat decides; otherwise the number of equally likely outcomes |
| ``chance_stream(state, rules) -> k`` | whose luck it is, in [0, streams) |
| ``apply_chance(state, rules, outcome)`` | the outcome in [0, n) happens |
| ``to_act(state) -> seat`` | who decides |
| ``legal(state, rules, out) -> n`` | legal ids to ``out.action[:n]``, ascending, no duplicates; -1: no room |
| ``step(state, rules, action)`` | a legal action happens |
| ``is_over(state) -> 0 or 1`` | |
| ``returns(state, rules, out)`` | win shares to ``out.share[:]``: they sum to 1, or are all 0 while unfinished |
| ``outcome(state, rules, out)`` | the game's own result record: scores, ranks, length |
| ``hide(state, rules, viewer, rng)`` | resample in place what ``viewer`` cannot know |
| ``observe(state, rules, action, tally)`` | count ``action`` (about to be stepped) in the game's own tally |
| ``count(state, rules, out) -> n`` | how many ``legal`` would list, or -1: only the list tells; notes to ``out`` |
| ``pick(state, rules, out, k) -> action`` | the k-th of them, from the notes of ``count``, no step between |

``count`` and ``pick`` are for agents that answer with a position without looking (decision 5); an engine may leave
them out: then the list is written for these too.

All numbers are int64 in kernels.  ``state``, ``rules``, ``setup``, ``out`` are records.
"""

from __future__ import annotations

import functools
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types

from simcore.kernel import compiled, kernel, record, record_type
from simcore.streams import RNG

if TYPE_CHECKING:
    import pandas as pd

    from simcore.coverage import Coverage
    from simcore.usage import Rates, Taken

#: No game here seats more: a table of at most eight, Metallum included.
MAX_SEATS = 8

#: Win shares of a game, one a seat.
SHARES = record([("share", "f8", (MAX_SEATS,))])


def legal_dtype(capacity: int) -> np.dtype:
    """The record that receives legal action ids: ``action`` (int64, ``capacity``)."""
    return record([("action", "i8", (capacity,))])


def mind_dtype(state: np.dtype, legal: np.dtype, capacity: int) -> np.dtype:
    """What a compiled agent gets as ``params``: its parameters, and scratch room of this thread.

    ``blind``: 1 where the loop draws for the agent (see ``simcore.agent``).  ``number``/``switch``: parameters, by
    the agent's own meaning.  ``scratch``, ``options``, ``value``: room to work in, whose content is undefined at every
    call.  ``pool``: address of an agent's own array (0 where it has none).
    """
    return record(
        [
            ("number", "f8", (64,)),
            ("switch", "i8", (32,)),
            ("blind", "i8"),
            ("pool", "i8"),
            ("scratch", state, (4,)),
            ("options", legal, (2,)),
            ("value", "f8", (capacity,)),
        ]
    )


@kernel
def uncounted(state, rules, out):
    """The ``count`` of an engine that has none: only the list tells."""
    return np.int64(-1)


@kernel
def unpicked(state, rules, out, k):
    """The ``pick`` that goes with it; it is never asked."""
    return np.int64(-1)


@dataclass(frozen=True)
class Engine:
    """The compiled half of a game: its record types and its kernels (see the table above)."""

    state: np.dtype
    rules: np.dtype
    setup: np.dtype
    result: np.dtype
    tally: np.dtype
    legal_capacity: int
    streams: int
    reset: Callable[..., Any]
    chance_count: Callable[..., Any]
    chance_stream: Callable[..., Any]
    apply_chance: Callable[..., Any]
    to_act: Callable[..., Any]
    legal: Callable[..., Any]
    step: Callable[..., Any]
    is_over: Callable[..., Any]
    returns: Callable[..., Any]
    outcome: Callable[..., Any]
    hide: Callable[..., Any]
    observe: Callable[..., Any]
    count: Callable[..., Any] = uncounted
    pick: Callable[..., Any] = unpicked

    @functools.cached_property
    def options(self) -> np.dtype:
        """Record type of the legal list."""
        return legal_dtype(self.legal_capacity)

    @functools.cached_property
    def mind(self) -> np.dtype:
        """Record type of an agent's ``params``."""
        return mind_dtype(self.state, self.options, self.legal_capacity)

    @functools.cached_property
    def signatures(self) -> dict[str, Any]:
        """Signature of each kernel by name, ``choose`` (an agent's) last."""
        state, rules, setup = record_type(self.state), record_type(self.rules), record_type(self.setup)
        rng, number, nothing = record_type(RNG), types.int64, types.void
        options = record_type(self.options)
        return {
            "reset": nothing(state, rules, setup),
            "chance_count": number(state, rules),
            "chance_stream": number(state, rules),
            "apply_chance": nothing(state, rules, number),
            "to_act": number(state),
            "legal": number(state, rules, options),
            "step": nothing(state, rules, number),
            "is_over": number(state),
            "returns": nothing(state, rules, record_type(SHARES)),
            "outcome": nothing(state, rules, record_type(self.result)),
            "hide": nothing(state, rules, number, rng),
            "observe": nothing(state, rules, number, record_type(self.tally)),
            "count": number(state, rules, options),
            "pick": number(state, rules, options, number),
            "choose": number(state, rules, options, number, record_type(self.mind), rng),
        }

    @functools.cached_property
    def kernels(self) -> Kernels:
        """The kernels by name, each compiled for its signature when Python first calls for it."""
        return Kernels(self)

    def compile_agent(self, choose: Any) -> Any:
        """``choose`` (a kernel) compiled as an agent of this engine."""
        return compiled(choose, self.signatures["choose"])

    def new_state(self) -> np.ndarray:
        """One zeroed state, as an array of shape (1,)."""
        return np.zeros(1, self.state)


class Kernels:
    """The kernels of an engine as attributes, compiled one by one: a run needs few of them from Python."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def __getattr__(self, name: str) -> Any:
        """The kernel called ``name``."""
        signature = self._engine.signatures.get(name)
        if signature is None or name == "choose":
            raise AttributeError(f"an engine has no kernel {name!r}")
        function = compiled(getattr(self._engine, name), signature)
        setattr(self, name, function)
        return function


class Game(ABC):
    """The Python half of a game: rules data, line-ups, notation, text, result tables.

    Attributes: ``name`` (the word users type), ``title`` (the printed name), ``engine``,
    ``player_counts`` (range of the humans' number).
    """

    name: str
    title: str
    engine: Engine
    player_counts: range
    #: What ``difficulty`` of a variant may be, from the easiest to the hardest; none: there is no such thing.
    difficulties: tuple[str, ...] = ()
    #: Decisions after which a game counts as unfinished: far beyond any game that makes progress.
    most_steps: int = 20_000
    #: What an entrant is called (the column of seats is ``band`` in every game).
    entrant: str = "band"
    #: Columns of seats that say what a seat came by in the game ("none": nothing); its holders are compared.
    holdings: tuple[str, ...] = ()
    #: Things to take or leave, by what one of them is called.
    takings: Mapping[str, Taken] = MappingProxyType({})

    @abstractmethod
    def rules(self, overrides: Mapping[str, Any] | None = None, file: str | None = None) -> Any:
        """Validated rules: shipped data, then ``file`` (TOML), then ``overrides`` by dotted path.

        The result has ``packed`` (array of shape (1,), dtype ``engine.rules``), ``hash`` (hex text),
        ``house`` (list of lines that name house data and options used), ``overrides`` (dict).
        Raises UsageError naming every mistake.
        """

    @abstractmethod
    def setup(self, variant: Mapping[str, Any], rules: Any) -> np.ndarray:
        """Line-up and variant as an array of shape (1,), dtype ``engine.setup``.  Raises UsageError."""

    @abstractmethod
    def format_action(self, state: Any, rules: Any, action: int) -> str:
        """The one canonical text of a legal action in this state."""

    @abstractmethod
    def parse_action(self, state: Any, rules: Any, text: str, legal: np.ndarray) -> int | None:
        """The legal action id that ``text`` means here, None if it means no legal one.

        Raises UsageError when the text is not well formed.
        """

    @abstractmethod
    def format_chance(self, state: Any, rules: Any, outcome: int) -> str:
        """The text of a chance outcome that the engine asks for in this state."""

    @abstractmethod
    def parse_chance(self, state: Any, rules: Any, text: str) -> int:
        """The smallest outcome that ``text`` means here.  Raises UsageError."""

    @abstractmethod
    def view(self, state: Any, rules: Any, viewer: int | None = None) -> dict[str, Any]:
        """The state as plain data with the scenario format's keys; ``viewer`` hides what it cannot see."""

    @abstractmethod
    def given(self, scenario: Mapping[str, Any]) -> tuple[np.ndarray, Any, bool]:
        """State array (1,), rules object and whether the game is fresh, from a scenario's tables."""

    @abstractmethod
    def tables(
        self, results: np.ndarray, counts: np.ndarray, jobs: np.ndarray, setups: np.ndarray
    ) -> tuple[pd.DataFrame, pd.DataFrame]:
        """(a row a game, a row a seat) from what the loop recorded, in the order of the jobs.

        Seats: at least ``seat``, ``band`` (where there are entrants), ``win_share``, ``score``; parts of the
        score are called ``points_...``, the loop's counters ``decisions`` and ``forced``.  Games: at least
        ``unfinished`` and ``tied`` (booleans).  Every column has one dtype, whatever the jobs.
        """

    def used(self, results: np.ndarray, tallies: np.ndarray, rules: Any) -> tuple[pd.DataFrame, pd.DataFrame] | None:
        """Columns that stand beside those of ``tables``, made of the tallies; None: the game has none.

        Where ``keeps_tally`` is set, balance runs watch every decision for them.
        """
        return None

    #: Whether ``used`` makes columns of the tally.
    keeps_tally: bool = False

    def rates(self, rules: Any) -> tuple[Rates, ...]:
        """Tables of how often what happens, from the columns of ``tables`` and ``used``."""
        return ()

    def data_line(self, rules: Any) -> str:
        """Which of several sets of cards these rules play with, in a line that every output shows; "": one set."""
        return ""

    def entrants(self, rules: Any, variant: Mapping[str, Any] | None = None) -> tuple[str, ...]:
        """Names that a line-up is chosen from (``variant["bands"]``, in seat order); none: seats are alike."""
        return ()

    def automata(self, variant: Mapping[str, Any]) -> tuple[str, ...]:
        """Names of the sides that play by themselves in this variant, without an agent; they sit before the players."""
        return ()

    def usual_players(self, variant: Mapping[str, Any]) -> int:
        """Number of players where a variant does not say how many."""
        return min(4, self.player_counts[-1])

    def coverage(self) -> Coverage | None:
        """What there is to reach in the game and which settings reach it; None: the game does not say."""
        return None

    # ---------------------------------------------------------------- rule scenarios

    #: First words of the actions' texts, keys of a state and of its seats, in the notation.
    verbs: tuple[str, ...] = ()
    state_keys: tuple[str, ...] = ()
    seat_keys: tuple[str, ...] = ()

    def expectation(self, state: Any, rules: Any, then: Mapping[str, Any], place: str) -> dict[str, Any]:
        """A scenario's ``then``, its words checked and its aliases written as ``view`` writes them.

        Raises UsageError, naming ``place``, for a word that the game does not know.
        """
        return dict(then)

    def same(self, key: str, expected: Any, found: Any) -> bool:
        """Whether one value, or one entry of a list, is what a ``then`` expects.

        ``key``: its dotted path without positions, as in ``seats.pool`` or ``table.hits``.
        """
        return bool(expected == found)

    def single_chances(self, text: str) -> list[str]:
        """The texts of single chance outcomes that one text abbreviates, in order."""
        return [text]

    def may_wait(self, state: Any, rules: Any) -> bool:
        """Whether the chance asked for now may stay pending at the end of a scenario's step."""
        return False

    def declines(self, state: Any, rules: Any, legal: np.ndarray) -> int | None:
        """The legal action that declines, where the decision is a response that a scenario may leave out."""
        return None

    # ---------------------------------------------------------------- traces

    def unseen_chance(self, state: Any, rules: Any) -> str | None:
        """What a trace shows of the chance asked for now until the game is over; None: everybody sees it."""
        return None

    def by_itself(self, before: Any, after: Any, rules: Any) -> list[tuple[int, str]]:
        """(seat, text) of what sides without an agent did between two states of a trace."""
        return []

    def describe(self, state: Any, rules: Any) -> str:
        """The whole state as text, for error messages and traces."""
        return json.dumps(self.view(state, rules), ensure_ascii=False, default=str)
