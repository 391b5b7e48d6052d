"""Single positions, for interfaces that hold positions instead of running games and decide chance themselves."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from bridges.kernels.pointers import addresses, caller
from simcore.kernel import kernel, record
from simcore.protocol import Engine

#: Addresses of the engine's kernels that a position needs (see ``pointers``).
_NAMES = ("is_over", "chance_count", "legal", "to_act", "step", "apply_chance")
ENGINE_DOOR = record([(name, "i8", (2,)) for name in _NAMES])

#: Where a position stands: ``chance``: outcomes of the chance that is due (0: none), ``legal``: actions to choose
#: from, ``seat``: who does; all 0 once the game is over, ``legal`` less than 1 while it is not: a fault.
STANDING = record([("over", "i8"), ("chance", "i8"), ("legal", "i8"), ("seat", "i8")])

# What happens first.
NOTHING_YET, ACTION, OUTCOME = range(3)


@functools.cache
def engine_door(engine: Engine) -> Any:
    """ENGINE_DOOR of ``engine``, shape (1,); to be read alone."""
    door = np.zeros(1, ENGINE_DOOR)
    for name in _NAMES:
        door[0][name][:] = addresses(getattr(engine.kernels, name), engine.signatures[name])
    return door


def make_move(engine: Engine, label: str) -> Any:
    """The kernel that moves a position on to the next real choice of a seat or of chance."""
    over_at, count_at = caller(engine.signatures["is_over"]), caller(engine.signatures["chance_count"])
    legal_at, seat_at = caller(engine.signatures["legal"]), caller(engine.signatures["to_act"])
    step_at, chance_at = caller(engine.signatures["step"]), caller(engine.signatures["apply_chance"])

    @kernel(label=label)
    def move(doors, states, rules, options, standings, what, number):
        """Let action or outcome ``number`` happen (in place), then every move that has no alternative.

        ``options[0].action[:legal]`` are the legal actions, where a seat is asked.
        """
        door, state, table, standing = doors[0], states[0], rules[0], standings[0]
        step, chance = step_at(door.step[0], door.step[1]), chance_at(door.apply_chance[0], door.apply_chance[1])
        if what == ACTION:
            step(state, table, number)
        elif what == OUTCOME:
            chance(state, table, number)
        standing.over, standing.chance, standing.legal, standing.seat = 0, 0, 0, 0
        while True:
            if over_at(door.is_over[0], door.is_over[1])(state):
                standing.over = 1
                return
            n = count_at(door.chance_count[0], door.chance_count[1])(state, table)
            if n > 1:
                standing.chance = n
                return
            if n == 1:
                chance(state, table, 0)
                continue
            n = legal_at(door.legal[0], door.legal[1])(state, table, options[0])
            if n != 1:
                standing.legal = n
                standing.seat = seat_at(door.to_act[0], door.to_act[1])(state)
                return
            step(state, table, options[0].action[0])

    return move


def make_spell(word: Any, levels: int, label: str) -> Any:
    """The kernel that finds the next word of every action left."""

    @kernel(label=label)
    def spell(states, rules, actions, words, seat, level):
        """Write to ``words`` the word of each of ``actions`` (int64) at the first level from ``level`` on that tells
        them apart; returns that level, -1 when none does.
        """
        state, table, n = states[0], rules[0], len(actions)
        while level < levels:
            differ = 0
            for i in range(n):
                words[i] = word(state, table, actions[i], seat, level)
                differ += words[i] != words[0]
            if differ > 0:
                return level
            level += 1
        return -1

    return spell
