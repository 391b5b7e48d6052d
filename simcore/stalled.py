"""Games that one agent keeps from going on: an error, unlike games that all seats together play too long.

A game that reaches the cap of decisions is unfinished, an outcome of its own.  Where almost all of its decisions are
those of a single seat, nobody else gets to act: that seat's agent stalls it, and the run stops.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simcore.agent import Agent
from simcore.errors import AgentError
from simcore.loop import UNFINISHED
from simcore.protocol import Game

#: Share of a capped game's decisions that must be one seat's.
ALMOST_ALL = 0.9


def stalled(counts: np.ndarray) -> np.ndarray:
    """Indices of the games (COUNTS, shape (G,)) that one seat stalled."""
    most = counts["decisions"].max(axis=1, initial=0)
    at_cap = (counts["status"] == UNFINISHED) & (counts["steps"] > 0)
    return np.flatnonzero(at_cap & (most >= ALMOST_ALL * counts["steps"]))


def refuse_stalled(
    game: Game, rules: Sequence[Any], setups: np.ndarray, jobs: np.ndarray, agents: Sequence[Agent], master: int,
    first_index: int, counts: np.ndarray,
) -> None:  # fmt: skip
    """Raises AgentError for the first stalled game: its agent, its index, the seat, the state in the end."""
    found = stalled(counts)
    if not len(found):
        return
    # Only a trace keeps a state after its game; the game is the same one.
    from simcore.trace import events  # noqa: PLC0415 (the trace imports the loop that calls this)

    index = int(found[0])
    job, last = jobs[index], list[Any]()
    there = rules[int(job["rules"])]
    for _ in events(game, there, setups[int(job["setup"])][None], job, agents, master, last):
        pass
    seat, steps = int(counts["decisions"][index].argmax()), int(counts["steps"][index])
    name = agents[int(job["agent"][seat])].text
    raise AgentError(
        f"agent {name!r} stalls the game: {int(counts['decisions'][index, seat])} of {steps} decisions are its own and "
        f"the game has not ended: game {first_index + index} (block {int(job['block'])}), seat {seat}\n"
        f"state: {game.describe(last[0][0], there)}"
    )
