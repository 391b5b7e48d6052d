"""The agent that gives every legal action the same chance."""

from __future__ import annotations

from simcore.kernel import kernel
from simcore.streams import draw


@kernel
def uniform(state, rules, legal, n, params, rng):
    """One of the ``n`` legal ids, each with chance 1/n, drawn from the agent's own stream."""
    return legal.action[draw(rng, n)]
