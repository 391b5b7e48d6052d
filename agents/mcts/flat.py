"""Flat Monte Carlo: every candidate is played out equally often, or the better half more and more often.

All candidates of a round meet the same luck, so that their differences are sharper than their values.  With
``halving`` the budget is spent by sequential halving (Karnin, Koren, Somekh: "Almost Optimal Exploration in
Multi-Armed Bandits", 2013).
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from agents.kernels.memory import record_reader
from agents.mcts.candidates import make_begin, make_candidates
from agents.mcts.search import GAMMA, key_of, parts_of
from agents.mcts.work import work_dtype
from simcore.kernel import kernel
from simcore.protocol import Engine
from simcore.streams import draw, mix


@kernel
def better_half(work, m, rng):
    """Order the ``m`` candidates by their sums, best first, equal ones at random; returns half of them, rounded up."""
    pick, score = work.pick[0], work.score
    for i in range(m):
        j = i + draw(rng, m - i)
        pick[i], pick[j] = pick[j], pick[i]
        score[i], score[j] = score[j], score[i]
    for i in range(1, m):
        j = i
        while j > 0 and score[j - 1] < score[j]:
            pick[j - 1], pick[j] = pick[j], pick[j - 1]
            score[j - 1], score[j] = score[j], score[j - 1]
            j -= 1
    return (m + 1) // 2


@functools.cache
def flat_of(engine: Engine) -> Any:
    """The agent's kernel for ``engine``."""
    parts = parts_of(engine)
    begin, playout, to_act = make_begin(parts, make_candidates(parts)), parts.playout, engine.to_act
    step_at, hide_at = parts.step_at, parts.hide_at
    work_at = record_reader(work_dtype(engine))

    @kernel(label=parts.label)
    def flat(state, rules, legal, n, params, rng):
        """The candidate whose playouts won most."""
        work = work_at(params.pool, 0)
        settings, luck, seat = work.settings[0], work.luck[0], to_act(state)
        step, hide = step_at(settings.step), hide_at(settings.hide)
        key = key_of(settings, rng)
        m = begin(work, state, rules, legal, n, key)
        phases = max(1, math.ceil(math.log2(m))) if settings.halving else 1
        done, ordinal = 0, luck.ordinal
        for _ in range(phases):
            for _ in range(max(1, settings.iterations // (m * phases))):
                done += 1
                for i in range(m):
                    luck.key = mix(key + np.uint64(done) * GAMMA)
                    luck.ordinal = 0
                    work.state[0] = work.root[0]
                    work.logged = 0
                    hide(work.state[0], rules, seat, luck)
                    step(work.state[0], rules, work.pick[0, i])
                    playout(work, settings, work.state[0], rules, seat)
                    work.score[i] += work.shares[0].share[seat]
            luck.key = mix(key)
            luck.ordinal = ordinal
            m = better_half(work, m, luck)
            ordinal = luck.ordinal
        return work.pick[0, 0]

    return flat
