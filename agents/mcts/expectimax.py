"""Expectimax of depth two: own action, chance, the next decision's best reply, chance, leaf (max^n values).

Chance is sampled, the same samples for every candidate: a throw of six dice has 46,656 outcomes, and several
throws and cards often lie between two decisions.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from agents.kernels.memory import record_reader
from agents.mcts.candidates import make_begin, make_candidates
from agents.mcts.flat import better_half
from agents.mcts.playout import Parts
from agents.mcts.search import GAMMA, key_of, parts_of
from agents.mcts.work import work_dtype
from simcore.kernel import kernel
from simcore.protocol import MAX_SEATS, Engine
from simcore.streams import draw, mix


def make_settle(parts: Parts) -> Any:
    """The kernel that leads a position to its next real decision."""
    engine = parts.engine
    is_over, chance_count = engine.is_over, engine.chance_count
    legal_at, step_at, chance_at = parts.legal_at, parts.step_at, parts.chance_at

    @kernel(label=parts.label)
    def settle(work, settings, state, rules):
        """Draw chance and take forced actions; returns the number of options then, 0 at the end of the game."""
        legal, step, chance = legal_at(settings.legal), step_at(settings.step), chance_at(settings.apply_chance)
        options, rng = work.options[1], work.luck[0]
        for _ in range(settings.most_steps):
            if is_over(state):
                return 0
            n = chance_count(state, rules)
            if n > 0:
                chance(state, rules, draw(rng, n))
                continue
            n = legal(state, rules, options)
            if n != 1:
                return max(0, n)
            step(state, rules, options.action[0])
        return 0

    return settle


def make_reply(parts: Parts, candidates: Any) -> Any:
    """The kernel of the second level."""
    playout, settle, step_at = parts.playout, make_settle(parts), parts.step_at
    to_act = parts.engine.to_act

    @kernel(label=parts.label)
    def reply(work, settings, rules, root_seat):
        """Write the shares after the best reply in the position ``work.after`` to ``work.best``."""
        after, best, luck = work.after[0], work.best[0].share, work.luck[0]
        n = settle(work, settings, after, rules)
        if n == 0:
            playout(work, settings, after, rules, root_seat)
            for seat in range(MAX_SEATS):
                best[seat] = work.shares[0].share[seat]
            return
        mover, step = to_act(after), step_at(settings.step)
        m = candidates(work, settings, after, rules, work.options[1], n, 1, luck)
        key, ordinal, top = luck.key, luck.ordinal, -1.0
        for k in range(m):
            luck.key = key
            luck.ordinal = ordinal
            work.state[0] = after
            work.logged = 0
            step(work.state[0], rules, work.pick[1, k])
            playout(work, settings, work.state[0], rules, root_seat)
            if work.shares[0].share[mover] > top:
                top = work.shares[0].share[mover]
                for seat in range(MAX_SEATS):
                    best[seat] = work.shares[0].share[seat]

    return reply


@functools.cache
def expectimax_of(engine: Engine) -> Any:
    """The agent's kernel for ``engine``."""
    parts = parts_of(engine)
    candidates = make_candidates(parts)
    begin, reply, to_act = make_begin(parts, candidates), make_reply(parts, candidates), engine.to_act
    step_at, hide_at = parts.step_at, parts.hide_at
    work_at = record_reader(work_dtype(engine))

    @kernel(label=parts.label)
    def expectimax(state, rules, legal, n, params, rng):
        """The candidate of greatest mean over the samples."""
        work = work_at(params.pool, 0)
        settings, luck, seat = work.settings[0], work.luck[0], to_act(state)
        step, hide = step_at(settings.step), hide_at(settings.hide)
        key = key_of(settings, rng)
        m = begin(work, state, rules, legal, n, key)
        ordinal = luck.ordinal
        for i in range(m):
            for j in range(settings.samples):
                luck.key = mix(key + np.uint64(j + 1) * GAMMA)
                luck.ordinal = 0
                work.after[0] = work.root[0]
                hide(work.after[0], rules, seat, luck)
                step(work.after[0], rules, work.pick[0, i])
                reply(work, settings, rules, seat)
                work.score[i] += work.best[0].share[seat]
        luck.key = mix(key)
        luck.ordinal = ordinal
        better_half(work, m, luck)
        return work.pick[0, 0]

    return expectimax
