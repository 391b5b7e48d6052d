"""The plainest agent: it takes the first legal action.  Fills the seats that no kernel decides for."""

from __future__ import annotations

from simcore.kernel import kernel


@kernel
def first_legal(state, rules, legal, n, params, rng):
    """The lowest legal action id."""
    return legal.action[0]
