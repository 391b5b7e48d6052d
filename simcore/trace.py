"""One game, event by event, in notation: the same game that the compiled loop plays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore.agent import Agent, PythonAgent
from simcore.errors import AgentError, EngineError
from simcore.loop import slot_dtype
from simcore.play import Table, ask, read_answer, see
from simcore.protocol import Game
from simcore.streams import outcome_at


@dataclass(frozen=True)
class Event:
    """One thing that happened.

    ``kind``: "chance" or "decision"; ``seat``: who decided (-1 for chance); ``stream``: whose luck it was
    (-1 for a decision); ``number``: outcome or action id; ``options``: how many were possible; ``text``: in
    notation; ``agent``: name of the agent that decided ("" where nobody was asked); ``state``: the state
    just before, shape (1,), and ``legal``: the legal ids (empty for chance).
    """

    kind: str
    seat: int
    stream: int
    number: int
    options: int
    text: str
    agent: str
    state: np.ndarray
    legal: np.ndarray


def events(
    game: Game,
    rules: Any,
    setup: np.ndarray,
    job: Any,
    agents: Sequence[Agent],
    master: int,
    last: list[Any] | None = None,
) -> Iterator[Event]:
    """The events of the game that ``job`` names, in order; ``last`` receives the final state's array.

    ``setup``: shape (1,), dtype engine.setup.  Raises AgentError and EngineError as ``play_jobs`` does.
    """
    table = Table(game, agents)
    kernels = table.loop.kernels
    slots = np.zeros(1, slot_dtype(game.engine))
    slot = slots[0]
    table.loop.start(master, job, slot, rules.packed[0], setup[0])
    numeric = rules.packed[0]
    nothing = np.zeros(0, np.int64)
    steps = 0
    while not kernels.is_over(slot.state[0]) and steps < game.most_steps:
        before = slot.state.copy()
        n = int(kernels.chance_count(slot.state[0], numeric))
        if n > 0:
            stream = int(kernels.chance_stream(slot.state[0], numeric))
            outcome = int(outcome_at(slot.luck_key[stream], slot.luck_used[stream], n))
            slot.luck_used[stream] += 1
            text = game.format_chance(before[0], rules, outcome)
            yield Event("chance", -1, stream, outcome, n, text, "", before, nothing)
            kernels.apply_chance(slot.state[0], numeric, outcome)
            continue
        n = int(kernels.legal(slot.state[0], numeric, slot.options[0]))
        if n <= 0:
            raise EngineError(f"no legal action\nstate: {game.describe(before[0], rules)}")
        seat = int(kernels.to_act(slot.state[0]))
        legal = slot.options[0].action[:n].copy()
        action, name = (int(legal[0]), "") if n == 1 else _decide(table, rules, job, slot, seat, legal)
        text = game.format_action(before[0], rules, action)
        yield Event("decision", seat, -1, action, n, text, name, before, legal)
        kernels.step(slot.state[0], numeric, action)
        steps += 1
    if last is not None:
        last.append(slot.state.copy())


def _decide(table: Table, rules: Any, job: Any, slot: Any, seat: int, legal: np.ndarray) -> tuple[int, str]:
    """What the agent in ``seat`` chooses among ``legal``, and its name."""
    which = int(job["agent"][seat])
    agent = table.agents[which]
    if isinstance(agent, PythonAgent):
        answer = read_answer(ask(agent, [see(table, rules, slot, seat)], [legal], [0])[0])
    else:
        slot.seen[0] = slot.state[0]
        table.loop.kernels.hide(slot.seen[0], rules.packed[0], seat, slot.hide_rng[seat])
        answer = int(
            table.choosers[which](
                slot.seen[0], rules.packed[0], slot.options[0], len(legal), table.minds[which], slot.rng[seat]
            )
        )
    if answer is None or answer not in legal:
        raise AgentError(f"agent {agent.text!r} (seat {seat}) chose {answer!r}, which is not legal")
    return answer, agent.text
