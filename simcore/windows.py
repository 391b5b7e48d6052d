"""Many running games at once: every one is played on to its next question to a Python agent, in one call."""

from __future__ import annotations

import functools
from typing import Any

from numba import types

from simcore.kernel import compiled, function_type, kernel, record_type
from simcore.loop import ASKS, JOB, MAX_AGENTS, loop_of, slot_dtype
from simcore.protocol import Engine


@kernel
def advance_all(advance, hide, agents, minds, jobs, slots, rules, picked, statuses, most_steps, watch):
    """Play the slots numbered in ``picked`` on and write their ``statuses`` (both int64, of one length).

    ``jobs[i]`` is the game in ``slots[i]``.  A slot that asks shows in ``seen`` what the seat asked may know.
    """
    for k in range(len(picked)):
        i = picked[k]
        slot, table = slots[i], rules[jobs[i].rules]
        statuses[k] = advance(agents, minds, jobs[i], slot, table, most_steps, watch)
        if statuses[k] == ASKS:
            slot.seen[0] = slot.state[0]
            hide(slot.seen[0], table, slot.seat, slot.hide_rng[slot.seat])


@functools.cache
def window_of(engine: Engine) -> Any:
    """``advance_all`` for ``engine``, its two kernels in place."""
    loop, signatures = loop_of(engine), engine.signatures
    agents = types.UniTuple(function_type(signatures["choose"]), MAX_AGENTS)
    job, slot, rules, mind = map(record_type, (JOB, slot_dtype(engine), engine.rules, engine.mind))

    def array(of: Any) -> Any:
        return types.Array(of, 1, "C")

    advancing = types.int64(agents, array(mind), job, slot, rules, types.int64, types.int64)
    run = compiled(
        advance_all,
        types.void(
            function_type(advancing), function_type(signatures["hide"]), agents, array(mind), array(job), array(slot),
            array(rules), array(types.int64), array(types.int64), types.int64, types.int64,
        ),
    )  # fmt: skip
    return functools.partial(run, loop.advance, engine.kernels.hide)
