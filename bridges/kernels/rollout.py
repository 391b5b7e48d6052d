"""One random game from a position to its end, for searches of other tools."""

from __future__ import annotations

from typing import Any

from bridges.kernels.pointers import caller
from bridges.kernels.table import advance_signature, start_signature
from simcore.kernel import kernel
from simcore.loop import OVER, UNFINISHED
from simcore.protocol import Engine


def make_roll_out(engine: Engine, label: str) -> Any:
    """The kernel that plays a position out."""
    start_at, advance_at = caller(start_signature(engine)), caller(advance_signature(engine))
    choose_at, returns_at = caller(engine.signatures["choose"]), caller(engine.signatures["returns"])

    @kernel(label=label)
    def roll_out(doors, minds, jobs, slots, setups, rules, states, master, limit, shares):
        """Play ``states[0]`` (left as it is) to the end with agent 0 in every seat, on the luck of ``master``.

        ``slots[0]`` is overwritten, ``shares[0]`` receives the win shares.  Returns 1 when the game ended or reached
        ``limit`` decisions, 0 for a fault.
        """
        door, slot, table = doors[0], slots[0], rules[0]
        start_at(door.start[0], door.start[1])(master, jobs[0], slot, table, setups[0])
        slot.state[0] = states[0]
        one = choose_at(door.agent[0, 0], door.agent[0, 1])
        agents = (one, one, one, one, one, one, one, one)
        status = advance_at(door.advance[0], door.advance[1])(agents, minds, jobs[0], slot, table, limit, 0)
        returns_at(door.returns[0], door.returns[1])(slot.state[0], table, shares[0])
        return 1 if status in (OVER, UNFINISHED) else 0

    return roll_out
