"""Fast players inside a search: another agent's kernel, chance, or what did well before (MAST).

MAST keeps the mean win share after each action, wherever in a game it was taken, and prefers good ones (Finnsson,
Björnsson: "Simulation-Based Approach to General Game Playing", 2008); here by the best of two drawn actions, a
tournament that needs no look at the whole list.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.kernels.memory import function_reader, record_reader
from agents.mcts.work import MAST_LOG, MAST_SIZE, habit_at
from simcore.kernel import kernel
from simcore.protocol import Engine
from simcore.streams import draw, draw_unit, mix

_FADE = 0.999


def make_ask(engine: Engine, label: str) -> Any:
    """The kernel that asks the policy at an address, with its mind at another."""
    policy_at = function_reader(engine.signatures["choose"])
    mind_at = record_reader(engine.mind)

    @kernel(label=label)
    def ask(policy, mind, state, rules, options, n, rng):
        """What the policy chooses among ``n`` actions; a uniform draw without a policy.

        ``options`` may lack some legal actions: an answer that is not listed becomes a uniform draw.
        """
        if policy == 0:
            return options.action[draw(rng, n)]
        action = policy_at(policy)(state, rules, options, n, mind_at(mind, 0), rng)
        low, high = 0, n
        while low < high:
            middle = (low + high) // 2
            if options.action[middle] < action:
                low = middle + 1
            else:
                high = middle
        if low < n and options.action[low] == action:
            return action
        return options.action[draw(rng, n)]

    return ask


@kernel
def habit_of(work, seat, action):
    """The place of an action of a seat in the table of means; -1 where it is full around there."""
    place = np.int64(mix(np.uint64(action) * np.uint64(2654435761) + np.uint64(seat)) & np.uint64(MAST_SIZE - 1))
    for _ in range(16):
        one = habit_at(work.habits, place)
        if one.count == 0.0 or (one.action == action and one.seat == seat):
            return place
        place = (place + 1) & (MAST_SIZE - 1)
    return -1


@kernel
def mean_of(work, seat, action):
    """Mean win share of ``seat`` after ``action``; 1 while it was never taken."""
    place = habit_of(work, seat, action)
    if place < 0 or habit_at(work.habits, place).count == 0.0:
        return 1.0
    return habit_at(work.habits, place).total / habit_at(work.habits, place).count


@kernel
def habitual(work, seat, options, n, rng):
    """The better of two drawn actions by their means."""
    one, other = options.action[draw(rng, n)], options.action[draw(rng, n)]
    return one if mean_of(work, seat, one) >= mean_of(work, seat, other) else other


@kernel
def note(work, seat, action):
    """Remember an action of this iteration."""
    if work.logged < MAST_LOG:
        work.log_action[work.logged] = action
        work.log_seat[work.logged] = seat
        work.logged += 1


@kernel
def learn(work):
    """Add the shares of a finished iteration to the means of the actions it took; old ones fade."""
    shares = work.shares[0].share
    for k in range(work.logged):
        place = habit_of(work, work.log_seat[k], work.log_action[k])
        if place >= 0:
            one = habit_at(work.habits, place)
            one.action = work.log_action[k]
            one.seat = work.log_seat[k]
            one.total = one.total * _FADE + shares[work.log_seat[k]]
            one.count = one.count * _FADE + 1.0


@kernel
def forget(work):
    """Empty the table of means."""
    for place in range(MAST_SIZE):
        habit_at(work.habits, place).count = 0.0


@kernel
def wants_random(settings, rng):
    """Whether this move of a playout is a random one (epsilon)."""
    return settings.epsilon > 0.0 and draw_unit(rng) < settings.epsilon


@kernel
def wants_habit(settings, rng):
    """Whether this move of a playout follows MAST."""
    return settings.mast > 0.0 and draw_unit(rng) < settings.mast
