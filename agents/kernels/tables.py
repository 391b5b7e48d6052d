"""One player with parameters of its own for every kind of line-up: by number of players, say."""

from __future__ import annotations

import functools
from typing import Any

from agents.kernels.memory import function_reader, record_reader
from simcore.kernel import cache_key, kernel
from simcore.protocol import Engine

#: Place in ``mind.switch`` of the address of the player's kernel; ``mind.pool`` is that of its minds, one a table.
WHOM = 0


@functools.cache
def by_table(engine: Engine, table_of: Any) -> Any:
    """The agent's kernel: the player asked with the mind of the table that the kernel ``table_of(state)`` names."""
    module = engine.reset.__module__
    choose_at, mind_at = function_reader(engine.signatures["choose"]), record_reader(engine.mind)

    @kernel(label=f"agents.by_table {module} {cache_key(module.partition('.')[0])}")
    def choose(state, rules, legal, n, params, rng):
        """What the player chooses with the parameters of this line-up."""
        mind = mind_at(params.pool, table_of(state))
        return choose_at(params.switch[WHOM])(state, rules, legal, n, mind, rng)

    return choose
