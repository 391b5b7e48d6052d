"""The figures of a run folder of any kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from experiments import manifest as manifests
from experiments.balance import Finding, finding, replay_plan
from experiments.courses import SAMPLE, courses
from experiments.curve import CurveFinding, find_curve
from experiments.difficulty import KIND as DIFFICULTY
from experiments.findings import StudyFinding, study_finding
from experiments.gallery import balance, course, levels, plans
from experiments.gallery.figure import KINDS, REPLAYED, Figure
from experiments.gallery.pool import Pool
from experiments.running import CELLS, NAME, stored_study
from experiments.statistics import MARGIN
from experiments.study import cells
from experiments.styles import rungs_of, styles_of
from experiments.verdict import spoken
from simcore import registry
from simcore.errors import UsageError, unknown

BALANCE, PLAN = "balance", "plan"


def kind_of(folder: Path) -> str:
    """What the run in ``folder`` is: "balance", "difficulty" or "plan".  Raises UsageError."""
    if (folder / NAME).exists():
        return PLAN
    kind = str(manifests.read(folder)["run"].get("kind", BALANCE))
    if kind not in (BALANCE, DIFFICULTY):
        raise UsageError(f"{folder}: a run of kind {kind!r} has no figures (allowed: {BALANCE}, {DIFFICULTY}, {PLAN})")
    return kind


def figures(
    folder: Path, kinds: Iterable[str] | None = None, margin: float = MARGIN, sample: int = SAMPLE,
    target: Sequence[float] | None = None,
) -> list[Figure]:  # fmt: skip
    """The figures of a stored run, in the order of KINDS.

    ``kinds``: those wanted (all that there are, if None); ``sample``: about so many games are played again for those
    that need it.  Raises UsageError.
    """
    wanted = set(KINDS if kinds is None else kinds)
    for kind in wanted - set(KINDS):
        raise unknown("plot", "kind of figure", kind, KINDS)
    if not wanted & set(REPLAYED):
        sample = 0
    found = {BALANCE: _balance, DIFFICULTY: _difficulty, PLAN: _plan}[kind_of(folder)]
    drawn = [one for one in found(folder, wanted, margin, sample, target) if one.kind in wanted]
    order = list(KINDS)
    return sorted(drawn, key=lambda one: order.index(one.kind))


def told_rates(folder: Path, game: str) -> tuple:
    """How the game of a run lays out what happens; nothing where the rules are no longer what they were."""
    try:
        return registry.game(game).rates(replay_plan(folder).rules)
    except UsageError:
        return ()


def _balance(folder: Path, wanted: set[str], margin: float, sample: int, _: object) -> Iterator[Figure]:
    found = finding(folder, margin)
    yield from balance.of_finding(found)
    yield from of_pool(Pool((folder,), sample, found.summary), found, wanted)
    for thing, table in found.takings.items():
        if len(table):
            yield from balance.taken(found, thing, registry.game(found.manifest["run"]["game"]).takings[thing].verb)


def of_pool(pool: Pool, found: Finding, wanted: set[str], key: str = "") -> Iterator[Figure]:
    """Figures of a pool of rivals.  ``found``: of its first folder; gives names and their order."""
    order = [one.name for one in found.verdicts[found.subject]]
    word = found.word(found.subject)
    if "scores" in wanted:
        yield from balance.scores(pool, found.subject, order, word, key)
    if found.subject == "band" and wanted & {"seat-map", "opponent-map"}:
        yield from balance.maps(pool, order, word, key)
    if "ratings" in wanted:
        yield from balance.rated(pool, key)
    if "length" in wanted:
        yield from balance.lengths(pool, key)
    if "rates" in wanted:
        yield from balance.rates(pool, told_rates(pool.folders[0], pool.manifest["run"]["game"]), key)
    if pool.courses is not None:
        yield from course.of_courses(pool.courses, key)
        yield from course.used(pool.courses, key)


def _difficulty(
    folder: Path, wanted: set[str], margin: float, sample: int, target: Sequence[float] | None
) -> Iterator[Figure]:
    found = find_curve(folder, target, margin)
    yield levels.curve(found.levels, found.bands, target)
    yield from of_levels(found)
    if "length" in wanted:
        yield from balance.lengths(Pool((folder,), 0))
    if sample:
        seen = courses(folder, sample)
        yield from course.of_courses(seen)
        yield from course.used(seen)


def of_levels(found: CurveFinding, key: str = "") -> Iterator[Figure]:
    """Maps and scores by level, one of each an agent."""
    many = len(found.curve.agents) > 1
    for number, agent in enumerate(found.curve.agents):
        own = "-".join(filter(None, (key, str(number) if many else "")))
        yield from levels.level_map(found.bands[found.bands["agent"] == agent], agent, own)
        parts = [name for name in found.curve.columns if name != "score"]
        if parts:
            yield levels.side_scores(found.levels[found.levels["agent"] == agent], parts, agent, own)


def _plan(
    folder: Path, wanted: set[str], margin: float, sample: int, target: Sequence[float] | None
) -> Iterator[Figure]:
    study = stored_study(folder)
    found = study_finding(study, folder / CELLS)
    yield from plans.paired(found)
    yield from plans.duels(found)
    every = plans.places(found)
    for place in every:
        each = sample // len(every) if sample else 0
        yield from of_place(found, place, folder, wanted, max(each, 1) if sample else 0)


def of_place(found: StudyFinding, place: plans.Place, folder: Path, wanted: set[str], sample: int) -> Iterator[Figure]:
    """Figures of one place of a plan."""
    folders = tuple(folder / CELLS / cell.name for cell, _ in place.cells)
    pool = Pool(folders, sample)
    if place.is_levels:
        curves = [one for _, one in place.cells if isinstance(one, CurveFinding)]
        every, bands = place.levels()
        yield levels.curve(every, bands, found.study.target or None, place.key)
        for number, one in enumerate(curves):
            yield from of_levels(one, "-".join(filter(None, (place.key, str(number) if len(curves) > 1 else ""))))
        if "length" in wanted:
            yield from balance.lengths(pool, place.key)
        if pool.courses is not None:
            yield from course.of_courses(pool.courses, place.key)
            yield from course.used(pool.courses, place.key)
        return
    first = place.cells[0][1]
    assert isinstance(first, Finding)
    rows = plans.rows_of(found, place)
    for factor, table in rows.groupby("table", sort=False):
        word = first.word(str(factor))
        if factor == "agent" and (rungs_of(found.study) or styles_of(found.study)):
            continue
        if table["agents"].nunique() > 1 and factor != "agent":
            yield plans.panel(table, str(factor), word, place)
        else:
            for agents, own in table.groupby("agents", sort=False):
                key = plans.slug(str(factor), place.key, str(agents) if table["agents"].nunique() > 1 else "")
                yield balance.win_shares(own, key, word)
    yield from of_pool(pool, first, wanted - ({"ratings"} if "agents" in found.study.paired else set()), place.key)


def remark(folder: Path) -> str:
    """What a run is, in a line below its figures.  Raises UsageError."""
    if kind_of(folder) == PLAN:
        found = cells(study := stored_study(folder))
        run, house = manifests.read(folder / CELLS / found[0].name)["run"], _has_house(folder / CELLS / found[0].name)
        agents = ", ".join(dict.fromkeys(str(cell.axes["agents"]) for cell in found))
        text = f"{study.title or run['game']}; {len(found)} cells; {agents}"
    else:
        manifest = manifests.read(folder)
        run, house = manifest["run"], _has_house(folder)
        mode = f", {run['variant']['mode']}" if run["variant"].get("mode", "standard") != "standard" else ""
        agents = ", ".join(dict.fromkeys(run["agents"]))
        text = f"{spoken(run['game'])}{mode}, {run['players']} players, {manifest['design']['games']:,} games, {agents}"
    return text + ("; rests on house data" if house else "")


def _has_house(folder: Path) -> bool:
    return bool(manifests.read(folder)["house"])
