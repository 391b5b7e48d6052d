"""The difficulty curve of a game against a side that plays by itself: plan, play, store.

Every block (one chance seed with all rotations of one line-up) is played at every level and by every agent,
so that differences between two levels are differences on the same luck.  Library code: it prints nothing.
"""

from __future__ import annotations

import functools
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from experiments import manifest as manifests
from experiments.balance import Progress, play_run, replay_plan
from experiments.design import make_design
from experiments.fanout import Unit
from experiments.plan import Plan, Prepared, as_text, no_such_band, prepare
from experiments.store import Store
from simcore import registry
from simcore.errors import UsageError

#: Kind of the run in its manifest.
KIND = "difficulty"


@dataclass(frozen=True)
class LevelPlan:
    """The same games at every one of ``levels``, each played whole by every one of ``base.agents``.

    ``base``: its variant lacks the difficulty, its agents are a panel (each plays all human seats of a game);
    ``bands``: that take part, in the order of the game.
    """

    base: Plan
    levels: tuple[str, ...]
    bands: tuple[str, ...]


@dataclass(frozen=True)
class PreparedLevels:
    """A level plan ready to play.  ``cells``: (level, what plays it), agents within levels."""

    plan: LevelPlan
    base: Prepared
    cells: tuple[tuple[str, Prepared], ...]

    @property
    def blocks(self) -> int:
        """Blocks of the whole run."""
        return self.base.blocks

    @property
    def games_per_block(self) -> int:
        """Rotations times levels times agents."""
        return self.base.design.games_per_block * len(self.cells)

    @property
    def games(self) -> int:
        """Games of the whole run."""
        return self.blocks * self.games_per_block

    @property
    def needs_processes(self) -> bool:
        """Whether an agent is plain Python."""
        return self.base.needs_processes

    def place(self, game: int) -> tuple[Prepared, str, int]:
        """(what plays it, its level, its number there) of the stored game number ``game``."""
        rotations = self.base.design.games_per_block
        block, rest = divmod(game, self.games_per_block)
        cell, rotation = divmod(rest, rotations)
        level, prepared = self.cells[cell]
        return prepared, level, block * rotations + rotation

    def play(self, first: int, last: int) -> tuple[pa.Table, pa.Table]:
        """(games, seats) of the blocks ``first`` to ``last`` (exclusive), with a column ``difficulty``, in order."""
        rotations = self.base.design.games_per_block
        tables: tuple[list[pa.Table], list[pa.Table]] = ([], [])
        for cell, (level, prepared) in enumerate(self.cells):
            games, seats = prepared.play(first, last)
            games = _with_text(games, "agent", prepared.plan.agents[0])
            for table, into in zip((games, seats), tables, strict=True):
                block = table.column("block").to_numpy()
                rotation = table.column("game").to_numpy() - block * rotations
                number = block * self.games_per_block + cell * rotations + rotation
                at = table.column_names.index("game")
                numbered = table.set_column(at, "game", pa.array(number))
                into.append(_with_text(numbered, "difficulty", level))
        return _sorted(tables[0], ["game"]), _sorted(tables[1], ["game", "seat"])


def _with_text(table: pa.Table, name: str, value: str) -> pa.Table:
    """``table`` with a column that holds one text."""
    return table.append_column(name, pa.array([value] * table.num_rows, pa.string()))


def _sorted(tables: list[pa.Table], keys: list[str]) -> pa.Table:
    return pa.concat_tables(tables).sort_by([(key, "ascending") for key in keys]).combine_chunks()


def make_plan(
    game: str, mode: str, agents: Sequence[str], games: int, seed: int = 1, players: int | None = None,
    bands: Sequence[str] = (), overrides: dict[str, Any] | None = None, variant: dict[str, Any] | None = None,
    rules_file: str = "",
) -> LevelPlan:  # fmt: skip
    """A plan in which every band plays at least ``games`` games at every level with every agent.

    ``mode``: the variant in which a side plays by itself; ``players``: humans, as usual if None; ``bands``: all
    that may be chosen, if none is named.  Raises UsageError.
    """
    found = registry.game(game)
    if not found.difficulties:
        raise UsageError(f"{game} has no levels of difficulty")
    kind = {**(variant or {}), "mode": mode}
    if "difficulty" in kind:
        raise UsageError("variant.difficulty: every level is played; leave it out")
    if not agents:
        raise UsageError("agents: none named")
    if games < 1:
        raise UsageError(f"games: {games} is too few; at least 1 is needed")
    base = Plan(
        game=game, players=found.usual_players(kind) if players is None else players,
        agents=tuple(dict.fromkeys(agents)), seed=seed, overrides=as_text(overrides or {}), variant=as_text(kind),
        rules_file=rules_file,
    )  # fmt: skip
    one = prepare(replace(base, agents=base.agents[:1]))
    if not one.automata:
        raise UsageError(f"mode: {mode!r} has no side that plays by itself, so it has no levels of difficulty")
    for band in bands:
        if band not in one.bands:
            raise no_such_band(one, "bands", band)
    chosen = tuple(band for band in one.bands if band in bands) if bands else one.bands
    design = make_design(len(chosen), base.players)
    a_band = design.games * base.players / len(chosen)
    designs = int(np.ceil(games / a_band))
    return LevelPlan(replace(base, designs=designs), found.difficulties, chosen)


_PREPARING = threading.Lock()


@functools.lru_cache(maxsize=2)
def _prepare_levels(plan: LevelPlan) -> PreparedLevels:
    one = prepare(replace(plan.base, agents=plan.base.agents[:1]))
    agents = tuple(registry.agent(text, one.game) for text in plan.base.agents)
    design = make_design(len(plan.bands), plan.base.players)
    base = Prepared(plan.base, one.game, one.rules, agents, design, plan.bands)
    variant = json.loads(plan.base.variant)
    cells = []
    for level in plan.levels:
        kind = as_text({**variant, "difficulty": level})
        for text, agent in zip(plan.base.agents, agents, strict=True):
            part = replace(plan.base, agents=(text,), variant=kind)
            cells.append((level, replace(base, plan=part, agents=(agent,), setups={})))
    return PreparedLevels(plan, base, tuple(cells))


def prepare_levels(plan: LevelPlan) -> PreparedLevels:
    """``plan`` made ready to play (once a process).  Raises UsageError."""
    with _PREPARING:
        return _prepare_levels(plan)


def play_unit(plan: LevelPlan, unit: Unit) -> tuple[Unit, pa.Table, pa.Table]:
    """The unit, and its rows: (unit, games, seats).  Runs in any thread or process."""
    # Without the compiler the hash of the streams wraps in numpy, whose error state belongs to a thread.
    with np.errstate(over="ignore"):
        games, seats = prepare_levels(plan).play(*unit)
    return unit, games, seats


def describe(prepared: PreparedLevels, command: str = "") -> dict[str, Any]:
    """The manifest of a difficulty run: that of its base, with the kind and the levels."""
    manifest = manifests.describe(prepared.base, command)
    manifest["run"] |= {"kind": KIND, "levels": list(prepared.plan.levels)}
    manifest["design"] |= {"games_per_block": prepared.games_per_block, "games": prepared.games}
    return manifest


def plan_of(manifest: dict[str, Any], folder: Path) -> LevelPlan:
    """The plan that a stored manifest describes."""
    run = manifest["run"]
    return LevelPlan(manifests.plan_of(manifest, folder), tuple(run["levels"]), tuple(run["bands"]))


def open_store(prepared: PreparedLevels, folder: Path, command: str = "") -> Store:
    """The run folder for a plan, made or joined; the caller closes it.  Raises UsageError."""
    store = Store(folder, describe(prepared, command))
    try:
        store.open(prepared.base.plan.rules_file)
    except BaseException:
        store.close()
        raise
    return store


def play_levels(
    prepared: PreparedLevels, store: Store, jobs: int | None = None, progress: Progress = lambda done, total: None,
    **how: Any,
) -> int:  # fmt: skip
    """Play and store every block that ``store`` does not hold yet; returns the number of games played.

    ``how``: ``backend``, ``unit_games``, ``scheduler``, ``within``, as for ``balance.play_run``.
    """
    return play_run(prepared, store, jobs, progress=progress, play=play_unit, **how)


def replay_game(folder: Path, game: int) -> tuple[Prepared, int]:
    """What plays the stored game number ``game`` of a run of any kind again, and its number there.

    Raises UsageError when the run has no such game, or its rules are no longer what they were.
    """
    manifest = manifests.read(folder)
    if manifest["run"].get("kind") != KIND:
        prepared = replay_plan(folder)
        _check_number(game, prepared.games, folder)
        return prepared, game
    levels = prepare_levels(plan_of(manifest, folder))
    if levels.base.rules.hash != manifest["run"]["rules_hash"]:
        raise UsageError(f"{folder}: the rules data have changed since this run; its games cannot be played again")
    _check_number(game, levels.games, folder)
    part, _, number = levels.place(game)
    return part, number


def _check_number(game: int, games: int, folder: Path) -> None:
    if not 0 <= game < games:
        raise UsageError(f"game: {game} is not in {folder} (allowed: 0 to {games - 1})")
