"""Open-loop UCT over any number of seats (Kocsis, Szepesvári, 2006; Perez et al., 2015).

One iteration goes down from the root: hidden cards are resampled, chance is drawn from the search's own stream,
each deciding seat follows ``tree.select``; the first new node is played out and its win shares go up the path.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from agents.kernels.memory import is_equal, record_reader
from agents.mcts.playout import Parts
from agents.mcts.policies import forget, learn, note
from agents.mcts.tree import OPEN, STOP, back_up, best_child, keep_subtree, open_child, plant, select, unopened
from agents.mcts.work import LONGEST_PATH, OWN, VALUE, node_at, work_dtype
from simcore.kernel import cache_key, kernel
from simcore.protocol import Engine
from simcore.streams import draw, mix, word_at

GAMMA = np.uint64(0x9E3779B97F4A7C15)


@kernel
def key_of(settings, rng):
    """The key (uint64) of one decision's chance; the agent's stream advances by one draw, whatever the budget."""
    key = mix(word_at(rng.key, rng.ordinal) ^ (np.uint64(settings.seed) * GAMMA))
    rng.ordinal += 1
    return key


def label_of(engine: Engine) -> str:
    """Names the engine, and its sources where they are not ours, in the keys of compiled code."""
    module = engine.reset.__module__
    return f"agents.mcts {module} {cache_key(module.partition('.')[0])}"


@functools.cache
def parts_of(engine: Engine) -> Parts:
    """The kernels that searches of ``engine`` share."""
    return Parts(engine, label_of(engine))


@functools.cache
def search_of(engine: Engine) -> Any:
    """The agent's kernel for ``engine``: ``choose`` of a search whose work record lies at ``params.pool``."""
    parts = parts_of(engine)
    prepare, think = make_prepare(parts), make_think(parts)
    work_at = record_reader(work_dtype(engine))

    @kernel(label=parts.label)
    def choose(state, rules, legal, n, params, rng):
        """The action that the search finds best after its iterations."""
        work = work_at(params.pool, 0)
        return think(work, work.settings[0], state, rules, legal, n, rng, prepare(work, state, rules, rng))

    return choose


def make_descend(parts: Parts) -> Any:
    """The kernel of the way down."""
    engine, ask = parts.engine, parts.ask
    is_over, chance_count, to_act = engine.is_over, engine.chance_count, engine.to_act
    legal_at, step_at, chance_at = parts.legal_at, parts.step_at, parts.chance_at

    @kernel(label=parts.label)
    def descend(work, settings, state, rules, root_seat):
        """Walk ``state`` (in place) down the tree to its first new node, the end of the game, or a node's stop."""
        rng, at = work.luck[0], 0
        legal, step, chance = legal_at(settings.legal), step_at(settings.step), chance_at(settings.apply_chance)
        work.depth = 0
        work.path[0] = 0
        steps = 0
        while not is_over(state) and work.depth < LONGEST_PATH and steps < settings.most_steps:
            n = chance_count(state, rules)
            if n > 0:
                chance(state, rules, draw(rng, n))
                continue
            if at == 0 and steps == 0:
                # The root's list is the one that the agent was given: it may have been told to go without some.
                options, n = work.options[2], work.count
            else:
                options = work.options[0]
                n = legal(state, rules, options)
            if n <= 0:
                return
            steps += 1
            seat = to_act(state)
            if n == 1:
                step(state, rules, options.action[0])
                continue
            if seat != root_seat and settings.tree == OWN:
                action = ask(settings.opponent, settings.opponent_mind, state, rules, options, n, rng)
                step(state, rules, action)
                continue
            child = select(work, settings, options, n, at, seat, root_seat, rng)
            if child == STOP:
                return
            is_new = child == OPEN
            if is_new:
                left = unopened(work, options, n, at, seat, work.options[1])
                action = ask(settings.prior, settings.prior_mind, state, rules, work.options[1], left, rng)
                child = open_child(work, at, seat, action)
            action = node_at(work.nodes, child).action
            if settings.mast > 0.0:
                note(work, seat, action)
            step(state, rules, action)
            work.depth += 1
            work.path[work.depth] = child
            at = child
            if is_new:
                return

    return descend


def make_prepare(parts: Parts) -> Any:
    """The kernel that sets a search up."""

    @kernel(label=parts.label)
    def prepare(work, state, rules, rng):
        """Begin at ``state``, from the tree that was kept for exactly it or a new one; returns the search's key."""
        settings = work.settings[0]
        follows = work.kept_node >= 0 and work.kept_key == rng.key and work.kept_ordinal == rng.ordinal
        key = key_of(settings, rng)
        if follows and is_equal(work.kept[0], state):
            keep_subtree(work, work.kept_node)
        else:
            plant(work)
        work.kept_node = -1
        work.root[0] = state
        if settings.mast > 0.0:
            forget(work)
        return key

    return prepare


def make_think(parts: Parts) -> Any:
    """The kernel of all iterations."""
    descend, playout = make_descend(parts), parts.playout
    keep, hide_at, to_act = make_keep(parts), parts.hide_at, parts.engine.to_act

    @kernel(label=parts.label)
    def think(work, settings, state, rules, legal, n, rng, key):
        """Run the iterations and return the action to play; the position is ``work.root``."""
        seat = to_act(state)
        hide = hide_at(settings.hide)
        todo = settings.iterations
        if settings.per:
            todo = max(1, todo - node_at(work.nodes, 0).visits)
        work.done = todo
        work.count = n
        for k in range(n):
            work.options[2].action[k] = legal.action[k]
        luck = work.luck[0]
        for i in range(todo):
            luck.key = mix(key + np.uint64(i + 1) * GAMMA)
            luck.ordinal = 0
            work.state[0] = work.root[0]
            work.logged = 0
            hide(work.state[0], rules, seat, luck)
            descend(work, settings, work.state[0], rules, seat)
            playout(work, settings, work.state[0], rules, seat)
            back_up(work)
            if settings.mast > 0.0:
                learn(work)
        luck.key = mix(key)
        luck.ordinal = 0
        child = best_child(work, settings, work.options[2], n, seat, settings.final == VALUE, luck)
        if settings.reuse:
            keep(work, settings, rules, child, seat, rng)
        return node_at(work.nodes, child).action

    return think


def make_keep(parts: Parts) -> Any:
    """The kernel that foresees the next decision."""
    engine = parts.engine
    is_over, chance_count, to_act = engine.is_over, engine.chance_count, engine.to_act
    legal_at, step_at = parts.legal_at, parts.step_at

    @kernel(label=parts.label)
    def keep(work, settings, rules, child, seat, rng):
        """Keep the tree below ``child`` if the same seat decides next without any chance before.

        That decision is then the very next one that this agent is asked for, in this game: what it is given
        cannot depend on the games played beside this one.
        """
        legal, step = legal_at(settings.legal), step_at(settings.step)
        after, options = work.kept[0], work.options[0]
        work.kept[0] = work.root[0]
        step(after, rules, node_at(work.nodes, child).action)
        for _ in range(settings.most_steps):
            if is_over(after) or chance_count(after, rules) > 0 or to_act(after) != seat:
                return
            n = legal(after, rules, options)
            if n != 1:
                break
            step(after, rules, options.action[0])
        work.kept_node = child
        work.kept_key = rng.key
        work.kept_ordinal = rng.ordinal

    return keep
