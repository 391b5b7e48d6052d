"""The loop, a decision at a time: every position and every choice of a game, at the speed of compiled agents."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import types

from simcore.kernel import compiled, function_type, kernel, record_type
from simcore.loop import JOB, MAX_AGENTS, OVER, UNFINISHED, loop_of, slot_dtype
from simcore.play import Table, fault
from simcore.protocol import Engine


@kernel
def walk(advance, agents, minds, jobs, slots, rules, states, actions, seats, options, most_steps):
    """Play ``slots[0]`` of ``jobs[0]`` to its end; returns the number of decisions.

    ``states[k]``: the position before decision ``k``, the last one at the end; ``actions``, ``seats``: what was
    chosen and by whom; ``options``: legal actions where there was a choice, 0 where there was none.
    """
    slot, job = slots[0], jobs[0]
    counts = slot.counts[0]
    before = 0
    for k in range(most_steps + 1):
        status = advance(agents, minds, job, slot, rules[0], k, 0)
        states[k] = slot.state[0]
        if k > 0:
            now = 0
            for seat in range(len(counts.options)):
                now += counts.options[seat]
            seats[k - 1] = slot.seat
            options[k - 1] = now - before
            actions[k - 1] = slot.chosen
            before = now
        if status != UNFINISHED:
            return k
    return most_steps


@functools.cache
def _walk_of(engine: Engine) -> Any:
    """``walk`` for ``engine``, its loop in place."""
    loop = loop_of(engine)
    agents = types.UniTuple(function_type(engine.signatures["choose"]), MAX_AGENTS)
    job, slot, rules, mind, state = map(
        record_type, (JOB, slot_dtype(engine), engine.rules, engine.mind, engine.state)
    )  # fmt: skip

    def array(of: Any) -> Any:
        return types.Array(of, 1, "C")

    numbers = array(types.int64)
    advancing = types.int64(agents, array(mind), job, slot, rules, types.int64, types.int64)
    walking = types.int64(
        function_type(advancing), agents, array(mind), array(job), array(slot), array(rules), array(state), numbers,
        numbers, numbers, types.int64,
    )  # fmt: skip
    return functools.partial(compiled(walk, walking), loop.advance)


@dataclass(frozen=True)
class Walked:
    """``states``: one before each decision and one at the end, dtype engine.state, shape (decisions + 1,);
    ``actions``, ``seats``, ``options``: as in ``walk``, int64, shape (decisions,).
    """

    states: np.ndarray
    actions: np.ndarray
    seats: np.ndarray
    options: np.ndarray


class Walker:
    """Plays games of compiled agents under one set of rules."""

    def __init__(self, table: Table, rules: Any, master: int) -> None:
        engine, most = table.game.engine, table.game.most_steps
        self.table, self.rules, self.master = table, rules, master
        self._walk = _walk_of(engine)
        self._slots = np.zeros(1, slot_dtype(engine))
        self._states = np.zeros(most + 1, engine.state)
        self._numbers = np.zeros((3, most + 1), np.int64)

    def play(self, jobs: np.ndarray, setup: np.ndarray) -> Walked:
        """The game of ``jobs[0]``; both of shape (1,).  Raises AgentError and EngineError."""
        table, packed = self.table, self.rules.packed
        table.loop.start(self.master, jobs[0], self._slots[0], packed[0], setup[0])
        n = int(
            self._walk(
                tuple(table.choosers), table.minds, jobs, self._slots, packed, self._states, *self._numbers,
                table.game.most_steps,
            )
        )  # fmt: skip
        if self._slots[0]["counts"]["status"][0] not in (OVER, UNFINISHED):
            raise fault(table, self.rules, jobs[0], 0, self._slots[0])
        return Walked(self._states[: n + 1].copy(), *self._numbers[:, :n].copy())
