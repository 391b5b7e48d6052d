"""Whole games for property tests: every state must keep the rules, and the game must end.

Seats play at random and never idle: nobody ends a turn, passes or declines while there is anything else to do.
Whatever costs nothing and changes nothing for good is then done again and again, so that rules under which a
game could go on for ever are found in one game.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from simcore.position import Position

#: Events that a message tells.
TOLD = 10

#: (state before, choice or outcome) of the last events.
_Told = deque[tuple[np.ndarray, int]]


def play_whole(
    position: Position, seed: int, walk: Callable[[Position, Sequence[int], bool], int],
    is_idle: Callable[[int], bool], broken: type[Exception], most: int,
) -> int:  # fmt: skip
    """Play ``position`` to its end in place, checking every event; returns how many events there were.

    ``walk(position, numbers, check)`` plays one event a number, and with ``check`` raises ``broken``;
    ``is_idle(action)``: whether an action ends, passes or declines.  Raises ``broken`` with the last events and the
    state where a rule is broken, or where the game has not ended after ``most`` events.
    """
    # Once without checks, so that a game without end is found, and shrunk, in a tenth of the time.
    rehearsal, told = position.copy(), _Told(maxlen=TOLD)
    _play(rehearsal, seed, walk, is_idle, most, told, check=False)
    if not rehearsal.over and (rehearsal.chance_count() or len(rehearsal.legal())):
        raise broken(f"endless: the game has not ended after {most:,} events{_story(rehearsal, told)}")
    told.clear()
    try:
        return _play(position, seed, walk, is_idle, most, told, check=True)
    except broken as error:
        raise broken(f"{error}{_story(position, told)}") from error


def _play(
    position: Position, seed: int, walk: Callable[[Position, Sequence[int], bool], int],
    is_idle: Callable[[int], bool], most: int, told: _Told, check: bool,
) -> int:  # fmt: skip
    """Play on for ``most`` events or to the end; ``told`` receives the events.  Without checks it stops where
    nothing is legal, and leaves it to the checks to say so.
    """
    draw = np.random.default_rng(seed)
    for done in range(most):
        if position.over:
            return done
        before = position.copy()
        number = _number(position, draw, is_idle)
        if number < 0 and not check:
            return done
        told.append((before.state, number))
        walk(position, [number], check)
    return most


def _number(position: Position, draw: np.random.Generator, is_idle: Callable[[int], bool]) -> int:
    """The next choice or chance outcome, as ``walk`` reads it; -1 where there is none."""
    n = position.chance_count()
    if n:
        return int(draw.integers(n))
    legal = position.legal()
    lively = [k for k, action in enumerate(legal.tolist()) if not is_idle(action)]
    if lively:
        return lively[int(draw.integers(len(lively)))]
    return int(draw.integers(len(legal))) if len(legal) else -1


def _story(position: Position, told: _Told) -> str:
    lines = ["", "the last events:"]
    for state, number in told:
        before = Position(position.game, state, position.rules)
        if before.chance_count():
            lines.append(f"  {before.chance_text(number)}")
        else:
            legal: Any = before.legal()
            lines.append(f"  seat {before.to_act()}: {before.text(legal[number % len(legal)]) if len(legal) else '?'}")
    return "\n".join([*lines, "the state:", str(position)])
