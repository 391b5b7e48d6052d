"""What happens in play: how often each space, card, action, event, option branch and end was reached, by agent.

Library code: it prints nothing.
"""

from __future__ import annotations

import hashlib
import threading
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import joblib
import numpy as np
import pandas as pd

from experiments.design import make_design
from experiments.fanout import default_jobs
from simcore import registry
from simcore.agent import Agent, PythonAgent
from simcore.coverage import Coverage, Setting
from simcore.errors import UsageError
from simcore.loop import JOB
from simcore.play import Played, Table, play_jobs
from simcore.protocol import Game

#: Group of the option values, whose count is the number of games that came out otherwise than by default.
BRANCH = "option branch"

#: Warnings are switched off for all threads at once.
_SETTING_UP = threading.Lock()

#: ``progress(done, total)``: settings played so far.
Progress = Callable[[int, int], None]


@dataclass
class Reached:
    """Counts by (group, name).  ``uses``: by agent; ``games``: in how many games, all agents together."""

    uses: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)
    games: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, other: Reached) -> None:
        """Take in the counts of other games (in place)."""
        for key, counts in other.uses.items():
            self.uses.setdefault(key, Counter()).update(counts)
        self.games.update(other.games)


@dataclass(frozen=True)
class CoverageFinding:
    """What was reached.

    ``table``: a row a thing: ``group``, ``name``, ``uses`` (all agents), ``games``, a column an agent (uses),
    ``reason`` (why it may be unreachable, "" for none); ``settings``: names and games played.
    """

    game: str
    agents: tuple[str, ...]
    seed: int
    played: int
    settings: tuple[str, ...]
    table: pd.DataFrame

    @property
    def never(self) -> pd.DataFrame:
        """Rows of what never happened."""
        return self.table[self.table["uses"] == 0]

    @property
    def unexplained(self) -> pd.DataFrame:
        """Rows of what never happened although no reason is declared for it."""
        return self.never[self.never["reason"] == ""]


def find_coverage(
    name: str, agents: Sequence[str], games: int, seed: int = 1, players: Sequence[int] = (), branches: bool = True,
    overrides: Mapping[str, Any] | None = None, rules_file: str = "", jobs: int | None = None,
    progress: Progress = lambda done, total: None,
) -> CoverageFinding:  # fmt: skip
    """Play ``games`` games of every setting with every agent (in all seats) and count what happened.

    ``players``: only settings with so many players; ``branches``: also a rule set an option value; ``overrides``,
    ``rules_file``: rules under all settings.  Equal arguments give equal counts, whatever ``jobs`` is.
    Raises UsageError.
    """
    game = registry.game(name)
    told = game.coverage()
    if told is None:
        raise UsageError(f"{name} does not say what there is to reach in it")
    if games < 1:
        raise UsageError(f"games: {games} is too few; at least 1 is needed")
    texts = tuple(dict.fromkeys(agents))
    panel = [registry.agent(text, game) for text in texts]
    settings = _chosen(told, players, branches)
    run = _Run(game, told, panel, games, seed, dict(overrides or {}), rules_file)
    reached = run.play(settings, _jobs(jobs, panel), progress)
    return CoverageFinding(
        name, texts, seed, games * len(texts) * len(settings), tuple(one.name for one in settings),
        _table(reached, texts, _reasons(told, branches)),
    )  # fmt: skip


def compile_panel(name: str, agents: Sequence[str]) -> None:
    """Compile the game's loop and the agents, or load them from the cache.  Raises UsageError."""
    game = registry.game(name)
    Table(game, [registry.agent(text, game) for text in dict.fromkeys(agents)])


def _chosen(told: Coverage, players: Sequence[int], branches: bool) -> list[Setting]:
    """The settings to play; a branch comes with the setting that it is compared with."""
    chosen = [
        one
        for one in told.settings
        if (branches or not one.branch) and (not players or one.variant["players"] in players)
    ]
    if not chosen:
        allowed = ", ".join(str(n) for n in sorted({one.variant["players"] for one in told.settings}))
        raise UsageError(f"players: {', '.join(map(str, players))} fit no setting (allowed: {allowed})")
    return chosen


def _jobs(jobs: int | None, panel: Sequence[Agent]) -> int:
    if jobs is not None and jobs < 1:
        raise UsageError(f"jobs: {jobs} is too few; at least 1 is needed")
    if any(isinstance(agent, PythonAgent) for agent in panel):
        return 1  # threads do not play Python agents side by side
    return default_jobs() if jobs is None else jobs


@dataclass(frozen=True)
class _Run:
    """What all settings of a run share."""

    game: Game
    told: Coverage
    panel: Sequence[Agent]
    games: int
    seed: int
    overrides: dict[str, Any]
    rules_file: str

    def play(self, settings: Sequence[Setting], jobs: int, progress: Progress) -> Reached:
        """Play all settings, then compare the games of each branch with those without it."""
        reached, marks = Reached(), dict[str, list[list[bytes]]]()
        progress(0, len(settings))
        parallel = joblib.Parallel(n_jobs=jobs, backend="threading", return_as="generator")
        results = parallel(joblib.delayed(self.play_setting)(one) for one in settings)
        for setting, (found, found_marks) in zip(settings, results, strict=True):
            reached.add(found)
            marks[setting.name] = found_marks
            progress(len(marks), len(settings))
        for setting in settings:
            if setting.branch:
                reached.add(self.compare(setting, marks[setting.against], marks[setting.name]))
        return reached

    def play_setting(self, setting: Setting) -> tuple[Reached, list[list[bytes]]]:
        """(what happened, fingerprints of the games by agent) in one setting."""
        # Without the compiler the hash of the streams wraps in numpy, whose error state belongs to a thread.
        with np.errstate(over="ignore"):
            rules = self.game.rules({**self.overrides, **setting.overrides}, self.rules_file or None)
            with _SETTING_UP, warnings.catch_warnings():
                warnings.simplefilter("ignore")  # line-ups that the rules advise against are meant
                setups = self.setups(setting, rules)
            reached, marks = Reached(), []
            for agent in self.panel:
                jobs = np.zeros(self.games, JOB)
                jobs["block"] = jobs["setup"] = np.arange(self.games)
                played = play_jobs(self.game, [rules], setups, jobs, [agent], self.seed, watch=True)
                _count(reached, agent.text, self.told.uses(rules, played.results, played.counts, played.tallies))
                marks.append(_fingerprints(played))
        return reached, marks

    def setups(self, setting: Setting, rules: Any) -> np.ndarray:
        """A line-up a game: the balanced design's, so that all bands take part."""
        bands = self.game.entrants(rules, setting.variant)
        if not bands:
            return np.repeat(self.game.setup(setting.variant, rules), self.games)
        design = make_design(len(bands), setting.variant["players"])
        game = np.arange(self.games)
        # Line-ups far apart, one rotation of each, so that few games already hold every band and most pairs.
        block = game * _stride(design.blocks) % design.blocks + game // design.blocks * design.blocks
        seating, _ = design.seating(block)
        rows = seating[game * design.games_per_block + game % design.games_per_block].tolist()
        packed = {}
        for row in rows:
            if tuple(row) not in packed:
                line_up = {**setting.variant, "bands": [bands[k] for k in row]}
                packed[tuple(row)] = self.game.setup(line_up, rules)
        return np.concatenate([packed[tuple(row)] for row in rows])

    def compare(self, setting: Setting, default: list[list[bytes]], marks: list[list[bytes]]) -> Reached:
        """Games that came out otherwise than the same games by default, as uses of the option's value."""
        key = (BRANCH, setting.branch)
        reached = Reached({key: Counter()})
        for agent, before, after in zip(self.panel, default, marks, strict=True):
            differ = sum(one != other for one, other in zip(before, after, strict=True))
            reached.uses[key][agent.text] += differ
            reached.games[key] += differ
        return reached


def _stride(blocks: int) -> int:
    """A step that visits all of ``blocks`` before it returns, and spreads the first ones."""
    step = max(1, round(0.382 * blocks))
    while np.gcd(step, blocks) != 1:
        step += 1
    return step


def _count(reached: Reached, agent: str, uses: dict[str, dict[str, np.ndarray]]) -> None:
    for group, by_name in uses.items():
        for name, values in by_name.items():
            key = (group, name)
            reached.uses.setdefault(key, Counter())[agent] += int(values.sum())
            reached.games[key] += int(np.count_nonzero(values))


def _leaves(table: np.ndarray) -> list[np.ndarray]:
    """The plain fields of a table of records, nested ones too, each as bytes of shape (G, n)."""
    if table.dtype.names is None:
        return [np.ascontiguousarray(table).view(np.uint8).reshape(len(table), -1)]
    return [leaf for name in table.dtype.names for leaf in _leaves(np.asarray(table[name]))]


def _fingerprints(played: Played) -> list[bytes]:
    """A hash a game of everything that was recorded of it; what lies between the fields of a record is nobody's."""
    leaves = [leaf for table in (played.results, played.counts, played.tallies) for leaf in _leaves(table)]
    rows = np.concatenate(leaves, axis=1)
    return [hashlib.blake2b(row.tobytes(), digest_size=8).digest() for row in rows]


def _reasons(told: Coverage, branches: bool) -> Mapping[str, str]:
    """Why a thing may be unreachable, by "group: name"."""
    if branches:
        return told.unreachable
    return {**told.unreachable, **{name: f"needs {option}" for name, option in told.by_option.items()}}


def _table(reached: Reached, agents: Sequence[str], reasons: Mapping[str, str]) -> pd.DataFrame:
    rows = []
    for (group, name), counts in reached.uses.items():
        rows.append(
            {
                "group": group,
                "name": name,
                "uses": sum(counts.values()),
                "games": reached.games[group, name],
                **{agent: counts.get(agent, 0) for agent in agents},
                "reason": reasons.get(f"{group}: {name}", ""),
            }
        )
    return pd.DataFrame(rows)
