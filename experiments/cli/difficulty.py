"""``soundcheck difficulty``: how hard each level is, and whether the levels stand in the right order."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from experiments.cli import completion
from experiments.cli.balance import throw_away
from experiments.cli.options import (
    Backend,
    GameName,
    Jobs,
    Json,
    Overrides,
    PartOf,
    Quiet,
    RulesFile,
    Scheduler,
    Seed,
    Unit,
    Variant,
    check_unit,
)
from experiments.cli.run import say_part

if TYPE_CHECKING:
    from experiments.cli.console import Remarks
    from experiments.difficulty import PreparedLevels
    from experiments.store import Store

PICTURE = "difficulty"


def difficulty(
    game: GameName,
    mode: Annotated[str, typer.Option(help="Alone or together: solo or coop.")] = "solo",
    players: Annotated[int | None, typer.Option(help="Humans.", show_default="1 in solo, 3 in co-op")] = None,
    bands: Annotated[
        list[str] | None,
        typer.Option(
            "--bands",
            "--band",
            help="Bands that take part (a,b,c or repeated).",
            show_default="all",
            autocompletion=completion.bands,
        ),
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            help="Plays all humans of a game; repeated, each plays all games.",
            show_default="greedy",
            autocompletion=completion.agents,
        ),
    ] = None,
    games: Annotated[
        int, typer.Option(help="Games of each band at each level, at least; rounded up to whole designs.")
    ] = 1_000,
    seed: Seed = 1,
    jobs: Jobs = None,
    backend: Backend = None,
    scheduler: Scheduler = "",
    unit: Unit = None,
    part: PartOf = "1/1",
    overrides: Overrides = None,
    rules_file: RulesFile = None,
    variant: Variant = None,
    target: Annotated[
        str | None,
        typer.Option(
            help="Wanted win share of each level, easiest first: 0.9,0.75,0.6,0.4,0.25,0.1", show_default=False
        ),
    ] = None,
    margin: Annotated[float, typer.Option(help="Half width of 'on target', in percentage points.")] = 2.0,
    out: Annotated[Path | None, typer.Option(help="Run folder.", show_default="runs/<name>")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Throw a stored run of this name away first.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play every band at every level on the same luck, and show the curve.

    The run is stored game by game: interrupt it and run the same command again to go on, or run it again when it is
    done (with another --target, say) to see the result at once.
    """  # fmt: skip
    from experiments.cli.console import Remarks
    from experiments.curve import check_target
    from experiments.difficulty import make_plan, open_store, play_levels, prepare_levels
    from experiments.running import Part
    from simcore.errors import UsageError
    from simcore.ruledata import parse_overrides

    remarks = Remarks(quiet)
    if margin <= 0:
        raise UsageError(f"margin: {margin:g} is too small; it must be above 0 percentage points")
    check_unit(unit)
    share = Part.read(part)
    plan = make_plan(
        game, mode, agents or ["greedy"], games, seed, players, _names(bands or []),
        parse_overrides(overrides or []), parse_overrides(variant or []), str(rules_file) if rules_file else "",
    )  # fmt: skip
    wanted = check_target(shares(target), plan.levels) if target is not None else None
    prepared = prepare_levels(plan)
    folder = out or Path("runs") / _run_name(prepared)
    if fresh:
        throw_away(folder, PICTURE)
    store = open_store(prepared, folder, shlex.join(["soundcheck", *sys.argv[1:]]))
    try:
        _announce(prepared, store, remarks)
        if store.gaps():
            with remarks.compiling(prepared.base.game):
                prepared.base.compile()
            with remarks.progress() as progress:
                play_levels(
                    prepared, store, jobs, progress, backend=backend, unit_games=unit, scheduler=scheduler,
                    within=share.blocks(prepared.blocks),
                )  # fmt: skip
        if store.gaps():
            say_part(share, folder, remarks, as_json)
            return
        store.finish()
    except KeyboardInterrupt:
        done = prepared.games_per_block * sum(last - first for first, last in store.done())
        remarks.say(
            f"\ninterrupted: {done:,} of {prepared.games:,} games are stored in {folder}; the same command goes on"
        )
        raise typer.Exit(130) from None
    finally:
        store.close()
    _show(folder, wanted, margin / 100, as_json)


def _names(given: list[str]) -> list[str]:
    return [name.strip() for text in given for name in text.split(",") if name.strip()]


def shares(text: str) -> list[float]:
    """The numbers of ``--target``.  Raises UsageError."""
    from simcore.errors import UsageError

    found = []
    for part in text.split(","):
        try:
            found.append(float(part))
        except ValueError:
            raise UsageError(f"target: {part!r} is not a number (a share of games, 0 to 1)") from None
    return found


def _run_name(prepared: PreparedLevels) -> str:
    """A readable folder name that differs whenever the rows would."""
    from experiments.difficulty import describe
    from experiments.manifest import fingerprint

    plan = prepared.base.plan
    agents = re.sub(r"[^a-z0-9]+", "-", "+".join(plan.agents).lower()).strip("-")[:40]
    hashed = fingerprint(describe(prepared))[:8]
    return f"difficulty-{plan.game}-{plan.players}p-{agents}-{prepared.games}-{hashed}"


def _announce(prepared: PreparedLevels, store: Store, remarks: Remarks) -> None:
    """Say what will be played, and what of it is there already."""
    gaps = store.gaps()
    if not gaps:
        remarks.say(f"{store.folder} already holds this run; showing what it found (--fresh plays it anew)")
        return
    plan, design = prepared.base.plan, prepared.base.design
    remarks.say(
        f"{prepared.base.game.title}: {prepared.games:,} games = {len(prepared.plan.levels)} levels x "
        f"{len(plan.agents)} agent{'' if len(plan.agents) == 1 else 's'} x {plan.designs:,} "
        f"design{'' if plan.designs == 1 else 's'} of {design.blocks:,} line-ups x {design.games_per_block} rotations"
    )
    missing = prepared.games_per_block * sum(last - first for first, last in gaps)
    if missing < prepared.games:
        remarks.say(f"{prepared.games - missing:,} games are stored already; going on from there")


def _show(folder: Path, target: tuple[float, ...] | None, margin: float, as_json: bool) -> None:

    from experiments.cli import difficulty_report as report
    from experiments.cli.console import output, print_json
    from experiments.curve import find_curve
    from experiments.gallery import levels, remark
    from experiments.plots import save

    found = find_curve(folder, target, margin)
    report.write_summary(found, folder)
    drawn = levels.curve(found.levels, found.bands, target).drawing(remark(folder))
    for kind in ("svg", "png"):
        save([drawn], folder / f"{PICTURE}.{kind}")
    if as_json:
        print_json(report.as_data(found))
        return
    report.print_curve(found, output())
