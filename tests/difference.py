"""Whether two rule sets ever lead to different games: the same seeds, the same agents, results compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from simcore import registry
from simcore.loop import JOB, OVER
from simcore.play import play_jobs

#: Games of each rule set that are looked at before two rule sets count as the same.
MOST_GAMES = 1000
#: Master seed of these games; nothing depends on its value.
MASTER = 20


def equal(one: Any, other: Any) -> bool:
    """Whether two results, as nested tuples of numbers and arrays, hold the same values."""
    if isinstance(one, tuple):
        return all(map(equal, one, other))
    return bool(np.array_equal(one, other))


def first_difference(
    name: str,
    variant: Mapping[str, Any],
    changed: Mapping[str, Any],
    base: Mapping[str, Any] | None = None,
    agent: str = "random",
    changed_variant: Mapping[str, Any] | None = None,
    most: int = MOST_GAMES,
) -> int | None:
    """Index of the first of ``most`` games whose result (levels, scores, ranks ...) is another one, or None.

    ``base``: overrides of both rule sets, ``changed``: of the second one.  All seats play ``agent``.  Games are
    played in batches that double, so that a rule that matters in every game costs two games.
    """
    game = registry.game(name)
    sets = [game.rules({**(base or {})}), game.rules({**(base or {}), **changed})]
    setups = np.concatenate(
        [game.setup(v, r) for v, r in zip((variant, changed_variant or variant), sets, strict=True)]
    )
    agents = [registry.agent(agent, game)]
    low, size = 0, 1
    while low < most:
        high = min(low + size, most)
        results = []
        for number in range(2):
            jobs = np.zeros(high - low, JOB)
            jobs["block"], jobs["setup"], jobs["rules"] = np.arange(low, high), number, number
            played = play_jobs(game, sets, setups, jobs, agents, MASTER)
            assert (played.counts["status"] == OVER).all()
            results.append(played.results.tolist())
        different = [low + k for k, (one, other) in enumerate(zip(*results, strict=True)) if not equal(one, other)]
        if different:
            return different[0]
        low, size = high, size * 2
    return None
