"""A plan file: one question, written in TOML, and the cells that answer it.

A *cell* is one run: a mode, a number of players, a rule set, an agent (or one a seat) and a master seed.  Its
seed comes from the study's seed and from what the cell itself is, so adding a cell changes no other.  Axes in
``paired`` do not enter it: cells that differ in nothing else are played on the same luck.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic
from scipy import special

from experiments.curve import check_target
from experiments.difficulty import LevelPlan, PreparedLevels, make_plan, prepare_levels
from experiments.panel import searching, seated
from experiments.plan import Plan, Prepared, as_text, prepare
from experiments.statistics import ALPHA
from simcore import registry
from simcore.errors import UsageError, nearest, unknown
from simcore.files import nearest_path
from simcore.ruledata import Mistakes, read_toml, toml_text

#: Plans that come with this distribution: ``soundcheck run bands`` plays ``plans/bands.toml``.
SHIPPED = Path(__file__).parent / "plans"

#: What cells may differ in, in the order of their names.
AXES = ("mode", "players", "rules", "agents", "seed")

#: Modes in which the humans play together against a side that plays by itself, at every level of difficulty.
TOGETHER = ("solo", "coop")

#: Key of a rule set that names a TOML file; every other key is a path.
FILE = "file"

#: Seeds are whole numbers that any reader of JSON keeps.
_SEED_BITS = 53

_Names = tuple[str, ...]
_Some = Annotated[tuple[int, ...], pydantic.Field(min_length=1)]


def _as_list(value: Any) -> Any:
    return value if isinstance(value, list | tuple) else [value]


class Study(pydantic.BaseModel):
    """What a plan file says.  Every table is a list of cells' values; cells are all combinations.

    ``agents``: an agent's text for all seats, a list of texts (one a seat), or ``panel``; in solo and co-op each
    agent plays every game.  ``rules``: rule sets by name, each overrides by path with ``file`` for a TOML file.
    ``grid``: values by path, all combinations, each a rule set (on top of every set in ``rules``).
    ``games``: of each cell (solo and co-op: of each band at each level); ``precision``: half width in pp of the
    95 % interval in place of it.  ``search_games``: the most that a cell of the panel's searching agent plays (all
    levels together), though at least one whole design.  ``until``: "games", or "decided" with ``games`` as the most.
    ``paired``: axes on the same luck; ``baseline``: the rule set that the others are compared with.
    ``factors``: seat columns whose values are compared beside bands, seats and agents.
    """

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)

    game: str
    title: str = ""
    modes: Annotated[_Names, pydantic.BeforeValidator(_as_list)] = ("standard",)
    players: Annotated[_Some | None, pydantic.BeforeValidator(lambda v: None if v is None else _as_list(v))] = None
    agents: tuple[str | _Names, ...] = ("greedy",)
    bands: _Names = ()
    line_ups: tuple[_Names, ...] = ()
    variant: Mapping[str, Any] = {}
    rules: Mapping[str, Mapping[str, Any]] = {}
    grid: Mapping[str, tuple[Any, ...]] = {}
    seeds: Annotated[_Some, pydantic.BeforeValidator(_as_list)] = (1,)
    games: Annotated[int, pydantic.Field(ge=1)] | None = None
    precision: Annotated[float, pydantic.Field(gt=0, lt=50)] | None = None
    search_games: Annotated[int, pydantic.Field(ge=1)] = 1_000
    until: Literal["games", "decided"] = "games"
    margin: Annotated[float, pydantic.Field(gt=0, lt=50)] = 2.0
    paired: tuple[Literal["rules", "agents"], ...] = ("rules",)
    baseline: str | None = None
    metrics: _Names = ("score",)
    factors: _Names = ()
    target: tuple[Annotated[float, pydantic.Field(ge=0, le=1)], ...] = ()

    @cached_property
    def rule_sets(self) -> dict[str, dict[str, Any]]:
        """Rule sets by name: those of ``rules`` with every point of ``grid``; ``printed`` where nothing is named."""
        named = {name: dict(values) for name, values in self.rules.items()} or {"printed": {}}
        if not self.grid:
            return named
        sets = {}
        for name, values in named.items():
            for point in itertools.product(*self.grid.values()):
                chosen = dict(zip(self.grid, point, strict=True))
                words = [f"{path.rpartition('.')[2]}={_short(value)}" for path, value in chosen.items()]
                sets[" ".join([name] * bool(self.rules) + words)] = {**values, **chosen}
        return sets

    @property
    def first_rules(self) -> str:
        """The rule set that the others are compared with."""
        return next(iter(self.rule_sets)) if self.baseline is None else self.baseline


def _short(value: Any) -> str:
    return value if isinstance(value, str) else toml_text(value)


@dataclass(frozen=True)
class Cell:
    """One run of a study.  ``axes``: its place by AXES, as texts and numbers; ``is_cut``: it plays fewer games than the
    others, because its agent searches (``search_games``).
    """

    axes: dict[str, Any]
    plan: Plan | LevelPlan
    until: str
    is_cut: bool = False

    @property
    def is_levels(self) -> bool:
        """Whether it is played at every level of difficulty."""
        return isinstance(self.plan, LevelPlan)

    @property
    def base(self) -> Plan:
        """The plan of one run."""
        return self.plan.base if isinstance(self.plan, LevelPlan) else self.plan

    def prepare(self) -> Prepared | PreparedLevels:
        """Made ready to play.  Raises UsageError."""
        return prepare_levels(self.plan) if isinstance(self.plan, LevelPlan) else prepare(self.plan)

    @cached_property
    def name(self) -> str:
        """Name of its folder: readable, and different for different axes."""
        words = "-".join(str(self.axes[axis]) for axis in AXES)
        slug = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")[:48].strip("-")
        return f"{slug}-{_hash(self.axes)[:8]}"


def _hash(values: Mapping[str, Any]) -> str:
    return hashlib.sha256(as_text(values).encode()).hexdigest()


# ------------------------------------------------------------------ reading
def read_study(source: Study | Mapping[str, Any] | str | Path) -> Study:
    """A study from a plan file, from the name of a shipped one, or from plain data.

    Rules files are looked for beside the plan file.  Raises UsageError that names every mistake.
    """
    if isinstance(source, Study):
        return source
    if isinstance(source, Mapping):
        return _validate(source, "plan")
    path = _plan_file(source)
    data = read_toml(path)
    for values in data.get("rules", {}).values() if isinstance(data.get("rules"), Mapping) else ():
        if isinstance(values, dict) and isinstance(values.get(FILE), str):
            values[FILE] = str(path.parent / values[FILE])
    return _validate(data, str(source))


def shipped_plans() -> dict[str, Path]:
    """The plans that come with this distribution, by name."""
    return {path.stem: path for path in sorted(SHIPPED.glob("*.toml"))}


def _plan_file(source: str | Path) -> Path:
    path, shipped = Path(source), shipped_plans()
    if path.exists() or str(source) not in shipped:
        if not path.exists() and path.suffix != ".toml":
            file = nearest_path(path.with_suffix(".toml"))
            raise unknown("plan", "plan (no such file either)", source, [*shipped, *([file] if file else [])])
        return path
    return shipped[str(source)]


def _validate(data: Mapping[str, Any], place: str) -> Study:
    mistakes = Mistakes()
    known = sorted(Study.model_fields)
    try:
        return _check(Study.model_validate(dict(data)), place)
    except pydantic.ValidationError as error:
        for one in error.errors():
            path = ".".join(map(str, one["loc"]))
            if one["type"] == "extra_forbidden":
                guess = nearest(path, known)
                hint = f"; did you mean {guess!r}?" if guess else ""
                mistakes.append(f"{place}: unknown key {path!r}{hint} (allowed: {', '.join(known)})")
            elif one["type"] == "missing":
                mistakes.append(f"{place}: {path} is missing")
            else:
                mistakes.append(f"{place}: {path} = {one['input']!r}: {one['msg'].lower()}")
        mistakes.check()
        raise


def _check(study: Study, place: str) -> Study:
    """``study``, if its keys fit each other.  Raises UsageError naming every mistake."""
    mistakes = Mistakes()
    if (study.games is None) == (study.precision is None):
        mistakes.append(f"{place}: name either games or precision (half width of the interval, in pp)")
    if study.bands and study.line_ups:
        mistakes.append(f"{place}: bands and line_ups exclude each other")
    for path, values in study.grid.items():
        if not values:
            mistakes.append(f"{place}: grid.{path}: no value")
    mistakes.extend(f"{place}: {line}" for line in _misplaced(study))
    if study.baseline is not None and study.baseline not in study.rule_sets:
        mistakes.append(str(unknown(f"{place}: baseline", "rule set", study.baseline, study.rule_sets)))
    if len(set(map(str, study.agents))) < len(study.agents):
        mistakes.append(f"{place}: agents: one is named twice")
    if not study.agents:
        mistakes.append(f"{place}: agents: none named")
    mistakes.check()
    return study


def _misplaced(study: Study) -> Iterator[str]:
    """Keys that mean nothing in the modes of the study."""
    together = [mode for mode in study.modes if mode in TOGETHER]
    if not together:
        if study.target:
            yield f"target: shares by level belong to solo and co-op (modes: {', '.join(study.modes)})"
        return
    where = " and ".join(together)
    if study.until == "decided":
        yield "until = 'decided' compares rivals; solo and co-op play a number of games"
    for one in study.agents:
        if not isinstance(one, str):
            yield (
                f"agents: {list(one)}: in {where} one agent plays for all humans of a game, so agents a seat mean "
                "nothing; name each by itself, for a cell of its own"
            )
    if study.line_ups:
        yield (
            f"line_ups: in {where} every band plays every level in balanced line-ups, so line-ups of one's own mean "
            "nothing; bands says which bands take part"
        )
    if study.factors:
        yield f"factors: holders are compared among rivals, so they mean nothing in {where}"


# ------------------------------------------------------------------ cells
def cells(study: Study) -> list[Cell]:
    """The cells of a study, in order.  Raises UsageError for one that cannot be played."""
    game = registry.game(study.game)
    found = []
    for mode in study.modes:
        variant = {**study.variant, **({} if mode == "standard" else {"mode": mode})}
        for players in study.players or (game.usual_players(variant),):
            for name in study.rule_sets:
                found += list(_rows(study, mode, variant, players, name))
    return found


def _rows(study: Study, mode: str, variant: Mapping[str, Any], players: int, rules: str) -> Iterator[Cell]:
    texts, cut = seated(study.agents, study.game), searching(study.agents, study.game)
    for agents, seed in itertools.product(texts, study.seeds):
        axes = {"mode": mode, "players": players, "rules": rules, "agents": " + ".join(agents), "seed": seed}
        plan = _plan(study, axes, variant, agents)
        fewer = _cut(plan, study.search_games) if agents in cut else plan
        yield Cell(axes, fewer, study.until, fewer != plan)


def _cut(plan: Plan | LevelPlan, games: int) -> Plan | LevelPlan:
    """``plan`` with at most ``games`` games in all, in whole designs, of which one is always played."""
    base = plan.base if isinstance(plan, LevelPlan) else plan
    prepared = prepare_levels(plan) if isinstance(plan, LevelPlan) else prepare(plan)
    designs = min(base.designs, max(1, games * base.designs // prepared.games))
    base = replace(base, designs=designs)
    return replace(plan, base=base) if isinstance(plan, LevelPlan) else base


def cell_seed(study: Study, axes: Mapping[str, Any], content: Mapping[str, Any]) -> int:
    """Master seed of a cell: a hash of the study's seed and the cell's content, without the paired axes."""
    parts = {"game": study.game, "seed": axes["seed"], **content}
    for axis in study.paired:
        parts.pop(axis, None)
    return int(_hash(parts), 16) >> (256 - _SEED_BITS)


def _plan(study: Study, axes: Mapping[str, Any], variant: Mapping[str, Any], agents: _Names) -> Plan | LevelPlan:
    values = study.rule_sets[axes["rules"]]
    file = str(values.get(FILE, ""))
    overrides = {path: value for path, value in values.items() if path != FILE}
    content = {
        "players": axes["players"], "variant": dict(variant), "agents": list(agents), "bands": list(study.bands),
        "line_ups": [sorted(row) for row in study.line_ups],
        "rules": {"overrides": overrides, FILE: _content(file) if file else ""},
    }  # fmt: skip
    seed = cell_seed(study, axes, content)
    if variant.get("mode") in TOGETHER:
        games = study.games or _games_for(study.precision or 0, 0.5)
        rest = {key: value for key, value in variant.items() if key != "mode"}
        levels = make_plan(
            study.game, variant["mode"], agents, games, seed, axes["players"], study.bands, overrides, rest, file
        )
        if study.target:
            check_target(study.target, levels.levels)
        return levels
    plan = Plan(
        study.game, axes["players"], agents, seed, 1, as_text(overrides), as_text(variant), file, study.bands,
        tuple(study.line_ups),
    )  # fmt: skip
    prepared = prepare(plan)
    if study.games is not None:
        games = study.games
    else:
        own = _games_for(study.precision or 0, 1 / plan.players)
        games = math.ceil(own * max(len(prepared.bands), plan.players) / plan.players)
    return replace(plan, designs=prepared.design.designs_for(games))


def _games_for(precision: float, share: float) -> int:
    """Independent games until the 95 % interval of ``share`` is ``precision`` pp to either side."""
    z = float(special.ndtri(1 - ALPHA / 2))
    return math.ceil(share * (1 - share) * (100 * z / precision) ** 2)


def _content(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:20]
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from None
