"""The play loop: one game from its set-up to its end, any mix of agents, compiled once per game.

A *slot* holds one running game: its state, its streams' ordinals, its counters.  ``advance`` plays a
slot until the game ends or a Python agent is to be asked; ``run`` plays a list of jobs with compiled
agents alone.  Both take the agents as values, so that every mix of agents
runs the same compiled code; the engine's kernels are bound when its loop is made.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numba import types

from simcore.bits import index
from simcore.kernel import compiled, function_type, kernel, record, record_type
from simcore.protocol import MAX_SEATS, Engine
from simcore.streams import AGENT_STREAMS, HIDE_STREAMS, RNG, draw, outcome_at, stream_key

#: Agents that may take part in one run of ``run`` or ``advance``.
MAX_AGENTS = 8

#: One game to play: ``block`` names its luck, ``setup`` and ``rules`` index the tables given beside it,
#: ``agent[seat]`` indexes the agents (only the seats in play are read).
JOB = record([("block", "i8"), ("setup", "i4"), ("rules", "i4"), ("agent", "i4", (MAX_SEATS,))])

# What a game's status says (COUNTS.status).
RUNNING, OVER, UNFINISHED, ASKS, ILLEGAL, STUCK, CROWDED = range(7)

#: Counters of one game.  ``decisions``: choices of two or more legal actions, ``forced``: of one,
#: ``options``: sum of the numbers of legal actions over ``decisions``, all a seat; ``events``: chance.
COUNTS = record(
    [
        ("status", "i8"),
        ("steps", "i8"),
        ("events", "i8"),
        ("decisions", "i8", (MAX_SEATS,)),
        ("forced", "i8", (MAX_SEATS,)),
        ("options", "i8", (MAX_SEATS,)),
    ]
)

#: Chance streams a game may name.
_STREAMS = AGENT_STREAMS


@functools.cache
def slot_dtype(engine: Engine) -> np.dtype:
    """One running game of ``engine``.

    ``waiting``: number of legal actions that a Python agent is asked about (0: none); ``answer``: the
    action it gave, -1 while it has not; ``seat``: who was asked last, ``chosen``: the action that was taken then, or
    the answer that could not be.
    """
    return record(
        [
            ("state", engine.state, (1,)),
            ("seen", engine.state, (1,)),
            ("options", engine.options, (1,)),
            ("tally", engine.tally, (1,)),
            ("counts", COUNTS, (1,)),
            ("luck_key", "u8", (_STREAMS,)),
            ("luck_used", "i8", (_STREAMS,)),
            ("rng", RNG, (MAX_SEATS,)),
            ("hide_rng", RNG, (MAX_SEATS,)),
            ("waiting", "i8"),
            ("answer", "i8"),
            ("seat", "i8"),
            ("chosen", "i8"),
        ]
    )


@kernel
def is_listed(action, options, n):
    """Whether ``action`` is among the ``n`` ids of ``options``.

    Every id is looked at, several at once and without a branch: a binary search takes three times as long,
    for nobody can foresee its turns.
    """
    found = 0
    for i in range(n):
        found |= int(options.action[i] == action)
    return found != 0


@kernel
def open_slot(slot, streams, master, block):
    """Zero a slot's counters and key its streams (in place); the state is left to ``reset``."""
    counts = slot.counts[0]
    counts.status = RUNNING
    counts.steps = 0
    counts.events = 0
    for seat in range(MAX_SEATS):
        counts.decisions[seat] = 0
        counts.forced[seat] = 0
        counts.options[seat] = 0
        slot.rng[seat].key = stream_key(master, block, AGENT_STREAMS + seat)
        slot.rng[seat].ordinal = 0
        slot.hide_rng[seat].key = stream_key(master, block, HIDE_STREAMS + seat)
        slot.hide_rng[seat].ordinal = 0
    for stream in range(streams):
        slot.luck_key[stream] = stream_key(master, block, stream)
        slot.luck_used[stream] = 0
    slot.waiting = 0
    slot.answer = -1
    slot.seat = -1
    slot.chosen = -1


def _make_decide(engine: Engine, label: str) -> Any:
    """The kernel that asks a compiled agent for one decision."""
    hide = engine.hide

    @kernel(label=label)
    def decide(agents, mind, which, slot, rules, seat, n):
        """The action that agent ``which`` chooses for ``seat`` among ``n``, or -1 when it is not legal.

        The agent sees a copy of the state, redacted for its seat: it can damage nothing.
        """
        options = slot.options[0]
        slot.seen[0] = slot.state[0]
        hide(slot.seen[0], rules, seat, slot.hide_rng[seat])
        action = agents[which](slot.seen[0], rules, options, n, mind, slot.rng[seat])
        slot.chosen = action
        return action if is_listed(action, options, n) else np.int64(-1)

    return decide


def _make_advance(engine: Engine, label: str) -> Any:
    """The kernel that plays one slot on."""
    chance_count, chance_stream, apply_chance = engine.chance_count, engine.chance_stream, engine.apply_chance
    to_act, legal, step, is_over, observe = engine.to_act, engine.legal, engine.step, engine.is_over, engine.observe
    count, pick = engine.count, engine.pick
    decide = _make_decide(engine, label)

    @kernel(label=label)
    def advance(agents, minds, job, slot, rules, most_steps, watch):
        """Play ``slot`` on (in place) until it ends, fails, or asks a Python agent; returns its status.

        ``agents``: MAX_AGENTS kernels; ``minds``: their ``params``, shape (MAX_AGENTS,); an agent whose
        ``mind.pool`` is -1 is a Python one.  ``watch``: 1 to keep the tally.
        """
        state = slot.state[0]
        options = slot.options[0]
        counts = slot.counts[0]
        while True:
            if is_over(state):
                counts.status = OVER
                return OVER
            n = chance_count(state, rules)
            if n > 0:
                stream = chance_stream(state, rules)
                outcome = outcome_at(slot.luck_key[index(stream)], slot.luck_used[index(stream)], n)
                slot.luck_used[index(stream)] += 1
                counts.events += 1
                apply_chance(state, rules, outcome)
                continue
            if slot.answer >= 0:
                action = slot.answer
                slot.answer = -1
                slot.waiting = 0
            else:
                if counts.steps >= most_steps:
                    counts.status = UNFINISHED
                    return UNFINISHED
                seat = to_act(state)
                which = job.agent[index(seat)]
                mind = minds[index(which)]
                n = count(state, rules, options) if mind.blind else np.int64(-1)
                is_counted = n >= 0
                if not is_counted:
                    n = legal(state, rules, options)
                slot.seat = seat
                position = np.int64(0)
                if n > 1:
                    counts.decisions[index(seat)] += 1
                    counts.options[index(seat)] += n
                    if mind.blind:
                        # It is spared the copy, the list where that can be, and looking its answer up there.
                        position = draw(slot.rng[index(seat)], n)
                elif n == 1:
                    counts.forced[index(seat)] += 1
                else:
                    counts.status = STUCK if n == 0 else CROWDED
                    return counts.status
                if is_counted:
                    action = pick(state, rules, options, position)
                elif n == 1 or mind.blind:
                    action = options.action[position]
                elif mind.pool == -1:
                    slot.waiting = n
                    counts.status = ASKS
                    return ASKS
                else:
                    action = decide(agents, mind, which, slot, rules, seat, n)
                    if action < 0:
                        counts.status = ILLEGAL
                        return ILLEGAL
            slot.chosen = action
            if watch:
                observe(state, rules, action, slot.tally[0])
            counts.steps += 1
            step(state, rules, action)

    return advance


def _make_start(engine: Engine, label: str) -> Any:
    """The kernel that opens a slot for a job."""
    reset, streams = engine.reset, engine.streams

    @kernel(label=label)
    def start(master, job, slot, rules, setup):
        """Open ``slot`` for ``job``: streams keyed by its block, the state reset for its line-up."""
        open_slot(slot, streams, master, job.block)
        reset(slot.state[0], rules, setup)

    return start


def _make_run(engine: Engine, start: Any, label: str) -> Any:
    """The kernel that plays a list of jobs.

    It takes ``advance`` as a value: called once a game, and bound directly it would be compiled twice.
    """
    outcome = engine.outcome

    @kernel(label=label)
    def run(advance, agents, minds, master, jobs, setups, rules, slots, results, counts, tallies, most_steps, watch):
        """Play ``jobs`` one after another in ``slots[0]``; returns how many were played without a fault.

        ``results``, ``counts`` (and ``tallies`` where ``watch``) receive a record a game.  Stops at the
        first game that is illegal or stuck: ``slots[0]`` then still shows it.
        """
        slot = slots[0]
        for i in range(len(jobs)):
            job = jobs[i]
            table = rules[job.rules]
            if watch:
                slot.tally[0] = tallies[i]
            start(master, job, slot, table, setups[job.setup])
            status = advance(agents, minds, job, slot, table, most_steps, watch)
            outcome(slot.state[0], table, results[i])
            counts[i] = slot.counts[0]
            if watch:
                tallies[i] = slot.tally[0]
            if status != OVER and status != UNFINISHED:  # noqa: PLR1714 (numba has no sets of constants)
                return i
        return len(jobs)

    return run


class Loop:
    """The loop's kernels made for one engine, whose kernels they call directly (see decision 2).

    ``start``, ``advance``, ``run``: as documented above; ``kernels``: the engine's own, by name, compiled
    for calls from Python.
    """

    def __init__(self, engine: Engine) -> None:
        label = f"{engine.reset.__module__}"
        self.engine = engine
        self.kernels = engine.kernels
        start, advance = _make_start(engine, label), _make_advance(engine, label)
        agents = types.UniTuple(function_type(engine.signatures["choose"]), MAX_AGENTS)
        slot, rules, setup = map(record_type, (slot_dtype(engine), engine.rules, engine.setup))
        job, mind, number = record_type(JOB), record_type(engine.mind), types.int64

        def array(of: Any) -> Any:
            return types.Array(of, 1, "C")

        self.start = compiled(start, types.void(number, job, slot, rules, setup))
        advancing = number(agents, array(mind), job, slot, rules, number, number)
        self.advance = compiled(advance, advancing)
        result, counts, tally = record_type(engine.result), record_type(COUNTS), record_type(engine.tally)
        run = compiled(
            _make_run(engine, start, label),
            number(
                function_type(advancing), agents, array(mind), number, array(job), array(setup), array(rules),
                array(slot), array(result), array(counts), array(tally), number, number,
            ),
        )  # fmt: skip
        self.run = functools.partial(run, self.advance)


@functools.cache
def loop_of(engine: Engine) -> Loop:
    """The compiled loop of ``engine``."""
    return Loop(engine)
