"""Which actions of a long list are looked at: those that the prior would choose, best first."""

from __future__ import annotations

from typing import Any

from agents.mcts.playout import Parts
from simcore.kernel import kernel
from simcore.streams import mix


def make_begin(parts: Parts, candidates: Any) -> Any:
    """The kernel with which a search without a tree begins."""

    @kernel(label=parts.label)
    def begin(work, state, rules, legal, n, key):
        """Note the position and its candidates, their sums at 0; returns how many there are."""
        luck = work.luck[0]
        work.root[0] = state
        luck.key = mix(key)
        luck.ordinal = 0
        for k in range(n):
            work.options[0].action[k] = legal.action[k]
        m = candidates(work, work.settings[0], state, rules, work.options[0], n, 0, luck)
        for i in range(m):
            work.score[i] = 0.0
        return m

    return begin


def make_candidates(parts: Parts) -> Any:
    """The kernel that picks them."""
    ask = parts.ask

    @kernel(label=parts.label)
    def candidates(work, settings, state, rules, options, n, level, rng):
        """Write at most ``settings.width`` of the ``n`` actions to ``work.pick[level]``; returns how many.

        ``options`` is used up: an action that was picked leaves the list.
        """
        if n <= settings.width:
            for k in range(n):
                work.pick[level, k] = options.action[k]
            return n
        for k in range(settings.width):
            action = ask(settings.prior, settings.prior_mind, state, rules, options, n, rng)
            work.pick[level, k] = action
            place = 0
            while options.action[place] != action:
                place += 1
            n -= 1
            while place < n:
                options.action[place] = options.action[place + 1]
                place += 1
        return settings.width

    return candidates
