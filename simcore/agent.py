"""What an agent is to the play loop, and how a kind of agent is described and named by text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np

from simcore.errors import UsageError, unknown
from simcore.protocol import Game
from simcore.seen import View


@runtime_checkable
class Chooser(Protocol):
    """A Python agent: any object with this method."""

    def choose(self, view: View, legal: np.ndarray) -> int:
        """One of the ids in ``legal`` (int64, shape (n,), n >= 2) for what ``view`` shows."""


@runtime_checkable
class BatchChooser(Protocol):
    """A Python agent that answers for many games at once."""

    def choose_batch(self, views: list[View], legal: list[np.ndarray]) -> np.ndarray:
        """One id for each view, shape (len(views),), each among ``legal`` of the same position."""


@dataclass(frozen=True)
class CompiledAgent:
    """A kernel with its parameters.

    ``prepare(mind)`` fills the parameters of a zeroed record of dtype ``engine.mind`` in place; what it
    returns is kept alive as long as the record is used (an agent's own pool of nodes, say).  ``blind``: the
    agent looks at nothing and gives every legal action the same chance, by one draw of its own stream: the loop draws
    for it, so that nothing need be copied, redacted or listed; ``choose`` names the very same action.
    """

    text: str
    choose: Any
    prepare: Callable[[Any], Any] = field(default=lambda mind: None)
    blind: bool = False


@dataclass(frozen=True)
class PythonAgent:
    """A Chooser or BatchChooser under its name."""

    text: str
    chooser: Any


Agent = CompiledAgent | PythonAgent


@dataclass(frozen=True)
class Parameter:
    """One parameter of a kind of agent: its default fixes its type; ``allowed`` lists texts, if closed."""

    default: Any
    doc: str
    allowed: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None

    def read(self, place: str, text: str) -> Any:
        """The value that ``text`` names.  Raises UsageError."""
        if self.allowed:
            if text not in self.allowed:
                raise unknown(place, "value", text, self.allowed)
            return text
        if isinstance(self.default, str):
            return text
        try:
            value = type(self.default)(text)
        except ValueError:
            kind = {int: "a whole number", float: "a number"}[type(self.default)]
            raise UsageError(f"{place}: {text!r} is not {kind}") from None
        if (self.low is not None and value < self.low) or (self.high is not None and value > self.high):
            raise UsageError(f"{place}: {text} is outside {self.low} to {self.high}")
        return value


class AgentKind(ABC):
    """A kind of agent: ``name``, a line that says what such a player does, its parameters.

    ``games``: names of the games it plays, empty for all.
    """

    name: str
    doc: str
    parameters: Mapping[str, Parameter] = {}
    games: tuple[str, ...] = ()

    @abstractmethod
    def build(self, text: str, game: Game, values: Mapping[str, Any]) -> Agent:
        """The agent called ``text`` for ``game``, with a value for every parameter."""
