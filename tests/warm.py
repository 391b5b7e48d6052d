"""Compile every game and agent once, so that parallel tests load them instead of compiling each for itself.

Where there are two cores a second process walks the same list from its end: what they share below, the first to come
compiles and the other waits for (``simcore.alone``).
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import joblib

from simcore import registry
from simcore.agent import CompiledAgent
from simcore.alone import CAN_WAIT
from simcore.kernel import turn_of
from simcore.loop import loop_of
from simcore.protocol import Engine

_FROM_THE_END = "--from-the-end"


@dataclass(frozen=True)
class Piece:
    """A game's loop, or an agent of it (``choose``)."""

    name: str
    engine: Engine
    choose: Any = None

    def compile(self) -> None:
        """Compile it, or load it."""
        if self.choose is None:
            loop_of(self.engine)
        else:
            self.engine.compile_agent(self.choose)

    def is_taken(self) -> bool:
        """Whether another process is compiling it."""
        turn = None if self.choose is None else turn_of(self.choose)
        return turn is not None and turn.is_taken()


def pieces() -> Iterator[Piece]:
    """Everything there is to compile."""
    for name in registry.game_names():
        game = registry.game(name)
        yield Piece(name, game.engine)
        for kind in registry.agent_names():
            described = registry.kind(kind)
            if described.games and name not in described.games:
                continue
            agent = registry.agent(kind, game)
            if isinstance(agent, CompiledAgent):
                yield Piece(f"{name} {kind}", game.engine, agent.choose)


def walk(todo: list[Piece]) -> None:
    """Compile what no other process is compiling."""
    for piece in todo:
        if not piece.is_taken():
            piece.compile()


def main() -> None:
    """Compile (or load) and say how long it took."""
    start = time.monotonic()
    todo = list(pieces())
    if _FROM_THE_END in sys.argv[1:]:
        walk(todo[::-1])
        return
    helps = CAN_WAIT and joblib.cpu_count() > 1
    helper = subprocess.Popen([sys.executable, "-m", "tests.warm", _FROM_THE_END]) if helps else None
    try:
        walk(todo)
        for piece in todo:  # what the other process was at is waited for
            piece.compile()
    finally:
        if helper is not None:
            helper.terminate()
            helper.wait()
    print(f"{len(todo)} loops and agents: ready after {time.monotonic() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
