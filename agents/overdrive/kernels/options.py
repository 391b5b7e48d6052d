"""What the greedy player thinks of every option of a decision, for people who want to see it."""

from __future__ import annotations

from agents.overdrive.kernels.greedy import action_worth, prepare
from agents.overdrive.kernels.moves import allocation_worth, throw_worth
from agents.overdrive.kernels.worth import price_worth
from overdrive_sim.kernels.actions import verb_of
from overdrive_sim.kernels.engine import to_act
from overdrive_sim.kernels.layout import ALLOCATE, REROLL
from simcore.kernel import kernel


@kernel
def worths(state, rules, legal, n, params, out):
    """Write the worth of each of the ``n`` legal actions to ``out`` (in place), in victory points."""
    seat = to_act(state)
    prepare(state, rules, params, seat)
    for k in range(n):
        action = legal.action[k]
        if verb_of(action) == ALLOCATE:
            out[k] = allocation_worth(state, rules, params, seat, action)
        elif verb_of(action) == REROLL:
            out[k] = throw_worth(rules, params, action, price_worth(params, state.seat[seat], rules.price_reroll))
        else:
            out[k] = action_worth(state, rules, params, seat, action)
