"""What a run plays: a plan in plain words, and the same plan made ready to play.

A plan is small, hashable and made of text and numbers, so that it can be stored, compared and sent to
other processes; ``prepare`` turns it into rules, agents and a design once in each process.
"""

from __future__ import annotations

import functools
import hashlib
import json
import sys
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from experiments.design import Design, make_design, named_design
from simcore import registry
from simcore.agent import Agent, PythonAgent
from simcore.errors import UsageError, unknown
from simcore.kernel import cache_key
from simcore.loop import JOB
from simcore.play import Played, Table, play_jobs
from simcore.protocol import Game

#: Packed line-ups that are kept: all of a complete design, and a bound for the others.
MOST_SETUPS = 20_000

#: Changes whenever the columns that this package adds, or what a block holds, change.
SCHEMA_VERSION = 2

#: Stands for the agent of a side that plays by itself.
NOBODY = "none"


@dataclass(frozen=True)
class Plan:
    """One run: ``players`` of ``game`` with ``agents`` (one, or one a player), ``designs`` whole designs long.

    ``overrides`` (of rules, by path) and ``variant`` (beside players and bands): JSON objects, see
    ``as_text``; ``rules_file``: a TOML file of rules, "" for the shipped ones alone.  ``bands``: those that
    take part, none: all; ``line_ups``: the sets of bands to play, none: a balanced design of all.
    """

    game: str
    players: int
    agents: tuple[str, ...]
    seed: int = 1
    designs: int = 1
    overrides: str = "{}"
    variant: str = "{}"
    rules_file: str = ""
    bands: tuple[str, ...] = ()
    line_ups: tuple[tuple[str, ...], ...] = ()


def as_text(values: Mapping[str, Any]) -> str:
    """A table of plain data as one text that can be hashed: JSON with sorted keys."""
    return json.dumps(values, sort_keys=True, ensure_ascii=False)


@dataclass(frozen=True)
class Prepared:
    """A plan with its game, rules, agents and design; ``setups`` keeps line-ups that were packed before."""

    plan: Plan
    game: Game
    rules: Any
    agents: tuple[Agent, ...]
    design: Design
    bands: tuple[str, ...]
    setups: dict[tuple[int, ...], np.ndarray] = field(default_factory=dict, compare=False)

    @property
    def blocks(self) -> int:
        """Blocks of the whole run."""
        return self.plan.designs * self.design.blocks

    @property
    def games(self) -> int:
        """Games of the whole run."""
        return self.plan.designs * self.design.games

    @property
    def automata(self) -> tuple[str, ...]:
        """Sides that play by themselves, in the seats before the players'."""
        return self.game.automata(json.loads(self.plan.variant))

    @property
    def seats(self) -> int:
        """Seats of one game: the players' and those that play by themselves."""
        return len(self.automata) + self.plan.players

    def agent_names(self, jobs: np.ndarray) -> np.ndarray:
        """Text of the agent in each seat of ``jobs``, shape (G, seats); NOBODY where a side plays by itself."""
        first = len(self.automata)
        names = np.full((len(jobs), self.seats), NOBODY, object)
        texts = np.array([agent.text for agent in self.agents], object)
        names[:, first:] = texts[jobs["agent"][:, first : self.seats]]
        return names

    @property
    def needs_processes(self) -> bool:
        """Whether an agent is plain Python, which threads cannot play side by side."""
        return any(isinstance(agent, PythonAgent) for agent in self.agents)

    def compile(self) -> None:
        """Compile the loop and the agents, or load them from the cache."""
        Table(self.game, self.agents)

    def setup(self, bands: Iterable[int]) -> np.ndarray:
        """The packed line-up (shape (1,)) of ``bands``, in seat order."""
        key = tuple(bands)
        setup = self.setups.get(key)
        if setup is None:
            variant = {**json.loads(self.plan.variant), "players": self.plan.players}
            if self.bands:
                variant["bands"] = [self.bands[band] for band in key]
            setup = self.game.setup(variant, self.rules)
            if len(self.setups) >= MOST_SETUPS:
                self.setups.clear()
            self.setups[key] = setup
        return setup

    def jobs(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        """(jobs, setups) of the blocks ``first`` to ``last`` (exclusive), in order."""
        bands, agents = self.design.seating(np.arange(first, last))
        line_ups, which = np.unique(bands, axis=0, return_inverse=True)
        jobs = np.zeros(len(bands), JOB)
        jobs["block"] = np.repeat(np.arange(first, last), self.design.games_per_block)
        jobs["setup"] = which.reshape(-1)
        jobs["agent"][:, len(self.automata) : self.seats] = agents
        return jobs, np.concatenate([self.setup(row) for row in line_ups.tolist()])

    def one_game(self, number: int, bands: Iterable[int] | None = None) -> tuple[np.ndarray, np.ndarray]:
        """(job, setup), each of shape (1,), of game ``number``; ``bands``: a line-up instead of the design's."""
        block, rotation = divmod(number, self.design.games_per_block)
        jobs, setups = self.jobs(block, block + 1)
        job = jobs[rotation : rotation + 1].copy()
        setup = setups[job["setup"]] if bands is None else self.setup(bands)
        job["setup"] = 0
        return job, setup

    def tables(self, played: Played, jobs: np.ndarray, setups: np.ndarray) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The game's own columns of games and of seats, those of its tally behind them."""
        games, seats = self.game.tables(played.results, played.counts, jobs, setups)
        used = self.game.used(played.results, played.tallies, self.rules) if self.game.keeps_tally else None
        if used:
            games, seats = (pd.concat(pair, axis=1) for pair in zip((games, seats), used, strict=True))
        return games, seats

    def play(self, first: int, last: int) -> tuple[pa.Table, pa.Table]:
        """(games, seats) of the blocks ``first`` to ``last`` (exclusive): a row a game, a row a seat."""
        jobs, setups = self.jobs(first, last)
        base = first * self.design.games_per_block
        played = play_jobs(
            self.game, [self.rules], setups, jobs, self.agents, self.plan.seed, watch=self.game.keeps_tally,
            first_index=base,
        )  # fmt: skip
        games, seats = self.tables(played, jobs, setups)
        index = np.arange(base, base + len(jobs))
        games.insert(0, "game", index)
        games.insert(1, "block", jobs["block"])
        seats.insert(0, "game", np.repeat(index, self.seats))
        seats.insert(1, "block", np.repeat(jobs["block"], self.seats))
        seats.insert(len(seats.columns), "agent", self.agent_names(jobs).ravel())
        return plain_text(pa.Table.from_pandas(games)), plain_text(pa.Table.from_pandas(seats))


def plain_text(table: pa.Table) -> pa.Table:
    """``table`` with ordinary string columns and no notes by pandas: the same bytes with any version of it."""
    fields = []
    for one in table.schema:
        is_text = pa.types.is_large_string(one.type) or pa.types.is_dictionary(one.type)
        fields.append(pa.field(one.name, pa.string() if is_text else one.type))
    return table.replace_schema_metadata(None).cast(pa.schema(fields))


_PREPARING = threading.Lock()


@functools.lru_cache(maxsize=4)
def _prepare(plan: Plan) -> Prepared:
    game = registry.game(plan.game)
    if plan.players not in game.player_counts:
        allowed = ", ".join(map(str, game.player_counts))
        raise UsageError(f"players: {plan.players} do not play {plan.game} (allowed: {allowed})")
    rules = game.rules(json.loads(plan.overrides), plan.rules_file or None)
    bands = _taking_part(plan, game.entrants(rules, json.loads(plan.variant)))
    agents = tuple(registry.agent(text, game) for text in plan.agents)
    design = _design(plan, bands, len(agents))
    prepared = Prepared(plan, game, rules, agents, design, bands)
    prepared.setup(design.seating(np.arange(1))[0][0].tolist())  # a bad variant is refused before anything is stored
    return prepared


def _taking_part(plan: Plan, entrants: tuple[str, ...]) -> tuple[str, ...]:
    """The bands of a plan, in the game's order.  Raises UsageError."""
    named = {*plan.bands, *(band for row in plan.line_ups for band in row)}
    for band in sorted(named):
        if not entrants:
            raise UsageError(f"bands: {plan.game} has none to choose from; its seats are alike")
        if band not in entrants:
            raise unknown("bands", "band", band, entrants)
    return tuple(band for band in entrants if band in named) if named else entrants


def _design(plan: Plan, bands: tuple[str, ...], agents: int) -> Design:
    if not plan.line_ups:
        return make_design(len(bands) or plan.players, plan.players, agents)
    return named_design(
        [[bands.index(band) for band in row] for row in plan.line_ups], len(bands), plan.players, agents
    )


#: Keys of a game's variant that a plan sets by itself, with what to say instead on the command line.
_SET_BY_PLAN = {
    "players": "--players N",
    "bands": "--band NAME, once a seat, to play one line-up; --bands A,B for the bands of difficulty",
}


def _refuse_set_by_plan(plan: Plan) -> None:
    """What would be overwritten is refused, never dropped in silence.  Raises UsageError."""
    for key in json.loads(plan.variant):
        if key in _SET_BY_PLAN:
            raise UsageError(f"variant.{key}: named beside the variant ({_SET_BY_PLAN[key]})")


def no_such_band(prepared: Prepared, place: str, band: str) -> UsageError:
    """The error for a band that may not be chosen: nobody knows it, or this variant bars it."""
    if band in prepared.game.entrants(prepared.rules):
        kind = ", ".join(f"{key} = {value}" for key, value in json.loads(prepared.plan.variant).items())
        allowed = ", ".join(sorted(prepared.bands))
        return UsageError(f"{place}: {band} may not be chosen with {kind} (allowed: {allowed})")
    return unknown(place, "band", band, prepared.bands)


def prepare(plan: Plan) -> Prepared:
    """``plan`` made ready to play (once a process).  Raises UsageError for what cannot be played."""
    _refuse_set_by_plan(plan)
    with _PREPARING:
        return _prepare(plan)


def engine_version(game: Game) -> str:
    """Hash of every kernel source of ``game``, of numba and of numpy: equal hashes play equal games."""
    return cache_key(game.engine.step.__module__.split(".")[0])


def agent_sources(prepared: Prepared) -> dict[str, str]:
    """Hash of the file of each Python agent, by the agent's text (the other agents are kernel sources)."""
    found = {}
    for agent in prepared.agents:
        if isinstance(agent, PythonAgent):
            path = getattr(sys.modules[type(agent.chooser).__module__], "__file__", None)
            found[agent.text] = hashlib.sha256(Path(path).read_bytes()).hexdigest()[:20] if path else ""
    return found
