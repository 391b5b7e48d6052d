"""Positions of played games with the win shares that came of them: what leaf models are fitted on."""

from __future__ import annotations

import functools
from typing import Any

from agents.mcts.leaf import features_reader
from agents.mcts.search import parts_of
from simcore.kernel import kernel
from simcore.protocol import Engine
from simcore.streams import draw


@functools.cache
def sampler_of(engine: Engine) -> Any:
    """The kernel that plays one game by the rollout's policy and notes a position at every change of seat or turn."""
    parts = parts_of(engine)
    fast, turn_of = parts.fast, parts.turn_of
    is_over, chance_count, to_act = engine.is_over, engine.chance_count, engine.to_act
    legal_at, step_at, chance_at, returns_at = parts.legal_at, parts.step_at, parts.chance_at, parts.returns_at
    features_at = features_reader(engine)

    @kernel(label=parts.label)
    def sample(work, rules, seen):
        """Play ``work.state`` to its end; returns how many positions were written to ``seen`` (FEATURES).

        They are the first decisions of turns: those at which a playout of a search may stop for the leaf model.
        The win shares of the end stand in ``work.shares``.
        """
        settings, state, options, rng = work.settings[0], work.state[0], work.options[0], work.luck[0]
        legal, step, chance = legal_at(settings.legal), step_at(settings.step), chance_at(settings.apply_chance)
        features = features_at(settings.features)
        turn, noted, steps = -1, 0, 0
        while not is_over(state) and steps < settings.most_steps:
            n = chance_count(state, rules)
            if n > 0:
                chance(state, rules, draw(rng, n))
                continue
            seat = to_act(state)
            now = turn_of(settings, state, seat)
            if now != turn and noted < len(seen):
                features(state, rules, seen[noted])
                noted += 1
            turn = now
            n = legal(state, rules, options)
            steps += 1
            step(state, rules, fast(work, settings, state, rules, seat, seat, options, n))
        returns_at(settings.returns)(state, rules, work.shares[0])
        return noted

    return sample
