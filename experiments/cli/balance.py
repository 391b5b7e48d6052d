"""``soundcheck balance``: play a balanced design and say which bands are off."""

from __future__ import annotations

import functools
import json
import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from experiments.cli import completion
from experiments.cli.options import (
    Agents,
    Backend,
    Cards,
    GameName,
    Jobs,
    Json,
    Overrides,
    Players,
    Quiet,
    RulesFile,
    Scheduler,
    Seed,
    Unit,
    Variant,
    changes,
    check_unit,
    one_for_all,
    seats_for,
)

if TYPE_CHECKING:
    import pandas as pd

    from experiments.balance import Finding
    from experiments.cli.console import Remarks
    from experiments.plan import Prepared
    from experiments.store import Store


#: File of a run folder that holds the comparison with another rule.
AGAINST = "against.csv"


def balance(
    game: GameName,
    players: Players = None,
    agents: Agents = None,
    games: Annotated[int, typer.Option(help="At least so many games; rounded up to whole designs.")] = 100_000,
    seed: Seed = 1,
    jobs: Jobs = None,
    overrides: Overrides = None,
    rules_file: RulesFile = None,
    cards: Cards = None,
    variant: Variant = None,
    rivals: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="PATH=VALUE",
            show_default=False,
            autocompletion=completion.settings,
            help="Play the same games with this change too and compare them, block by block; may be repeated.",
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Run folder.", show_default="runs/<name>")] = None,
    margin: Annotated[float, typer.Option(help="Half width of 'balanced', in percentage points.")] = 2.0,
    backend: Backend = None,
    scheduler: Scheduler = "",
    unit: Unit = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Throw a stored run of this name away first.")] = False,
    replays: Annotated[
        bool, typer.Option("--replays", help="Also write the games worth a look, as pages to step through.")
    ] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play seat-rotated games of every line-up and judge each band: balanced, off, or not enough games.

    The run is stored game by game: interrupt it and run the same command again to go on, or run it again
    when it is done to see the result at once.
    """
    from experiments.balance import finding, write_summary
    from experiments.cli.console import Remarks
    from experiments.plan import Plan, as_text, prepare
    from experiments.replay.of_run import FOLDER
    from experiments.report import write_report
    from simcore.errors import UsageError
    from simcore.ruledata import parse_overrides

    remarks = Remarks(quiet)
    if margin <= 0:
        raise UsageError(f"margin: {margin:g} is too small; it must be above 0 percentage points")
    check_unit(unit)
    kind = parse_overrides(variant or [])
    texts = agents or ["greedy"]
    seats = seats_for(players, texts, game, kind)
    plan = Plan(
        game=game, players=seats, agents=one_for_all(texts, seats), seed=seed,
        overrides=as_text(changes(game, overrides, cards)), variant=as_text(kind),
        rules_file=str(rules_file) if rules_file else "",
    )  # fmt: skip
    _refuse_shared_wins(plan)
    prepared = prepare(_long_enough(plan, prepare(plan), games))
    rival = _rival(prepared, rivals)
    folder = out or Path("runs") / run_name(prepared)
    fill = functools.partial(_fill, games=games, how=(jobs, backend, unit, scheduler), fresh=fresh, remarks=remarks)
    fill(prepared, folder)
    found = finding(folder, margin / 100)
    linked = replays or (folder / FOLDER).exists()
    wanted = ("win_share.svg", "report.html", *([FOLDER] if linked else []))
    if write_summary(found) or not all((folder / name).exists() for name in wanted):
        _draw(found)
        with remarks.progress("games worth a look") as progress:
            write_report(folder, margin=margin / 100, replays=linked, progress=progress)
    changed, other = None, Path()
    if rival is not None:
        other = Path("runs") / run_name(rival) if out is None else out.with_name(f"{out.name}-against")
        remarks.say(f"\nThe same games with {', '.join(rivals or [])}:")
        fill(rival, other)
        changed = _compare(folder, other, margin / 100)
    _show(found, prepared, as_json, changed, ", ".join(rivals or []), other)


def _rival(prepared: Prepared, rivals: list[str] | None) -> Prepared | None:
    """The same games under the rules changed by ``--against``.  Raises UsageError where that changes nothing."""
    from dataclasses import replace

    from experiments.plan import as_text, prepare
    from simcore.errors import UsageError
    from simcore.ruledata import parse_overrides

    if not rivals:
        return None
    plan = prepared.plan
    overrides = {**json.loads(plan.overrides), **parse_overrides(rivals)}
    rival = prepare(replace(plan, overrides=as_text(overrides)))
    if rival.rules.hash == prepared.rules.hash:
        raise UsageError(f"against: {', '.join(rivals)} changes nothing; the rules are the same already")
    return rival


def _fill(
    prepared: Prepared, folder: Path, games: int, how: tuple[int | None, str | None, int | None, str], fresh: bool,
    remarks: Remarks,
) -> None:  # fmt: skip
    """Play what ``folder`` does not hold yet.  ``how``: workers, backend, games of a unit, scheduler."""
    from experiments.balance import open_store, play_run

    jobs, backend, unit, scheduler = how
    if fresh:
        throw_away(folder)
    store = open_store(prepared, folder, shlex.join(["soundcheck", *sys.argv[1:]]))
    try:
        _announce(prepared, store, games, remarks)
        if store.gaps():
            with remarks.compiling(prepared.game):
                prepared.compile()
            with remarks.progress() as progress:
                play_run(prepared, store, jobs, backend, unit, progress, scheduler=scheduler)
        store.finish()
    except KeyboardInterrupt:
        done = prepared.design.games_per_block * sum(last - first for first, last in store.done())
        remarks.say(
            f"\ninterrupted: {done:,} of {prepared.games:,} games are stored in {folder}; the same command goes on"
        )
        raise typer.Exit(130) from None
    finally:
        store.close()


def _compare(folder: Path, other: Path, margin: float) -> pd.DataFrame:
    """What the change does, also written to ``against.csv``."""
    from experiments.against import against
    from experiments.balance import write_table
    from experiments.cli.report import LENGTHS
    from experiments.store import stored

    held = set(stored(folder, "games").schema.names) & set(stored(other, "games").schema.names)
    table = against(folder, other, [name for name in LENGTHS if name in held], margin)
    write_table(folder / AGAINST, table)
    return table


def _refuse_shared_wins(plan: Any) -> None:
    """Where all humans win or lose together there is no fair share.  Raises UsageError."""
    from simcore.errors import UsageError

    mode = json.loads(plan.variant).get("mode", "standard")
    if mode in ("solo", "coop"):
        raise UsageError(
            f"variant: mode={mode} has no winner among the bands; balance compares rivals; "
            f"soundcheck difficulty {plan.game} --mode {mode} plays it"
        )


def _long_enough(plan: Any, prepared: Prepared, games: int) -> Any:
    from dataclasses import replace

    return replace(plan, designs=prepared.design.designs_for(games))


def run_name(prepared: Prepared) -> str:
    """A readable folder name that differs whenever the rows would: game, seats, agents, length, hash."""
    from experiments.manifest import describe, fingerprint

    plan = prepared.plan
    agents = re.sub(r"[^a-z0-9]+", "-", "+".join(dict.fromkeys(plan.agents)).lower()).strip("-")[:40]
    return f"{plan.game}-{plan.players}p-{agents}-{prepared.games}-{fingerprint(describe(prepared))[:8]}"


def throw_away(folder: Path, picture: str = "win_share") -> None:
    """Remove a stored run, and only what belongs to one.  Raises UsageError."""
    import shutil

    from experiments import manifest as manifests
    from experiments.balance import taken_file
    from experiments.store import TABLES, plainly
    from simcore import registry

    if not (folder / manifests.NAME).exists():
        return
    names = [f"{table}.parquet" for table in TABLES] + [
        "summary.csv",
        "report.html",
        f"{picture}.svg",
        f"{picture}.png",
    ]
    names += [AGAINST, *manifests.CARDS_COPIES]
    for thing in registry.game(manifests.read(folder)["run"]["game"]).takings:
        names += [taken_file(thing, kind) for kind in ("csv", "svg", "png")]
    with plainly(folder):
        shutil.rmtree(folder / "units", ignore_errors=True)
        for name in [*names, manifests.RULES_COPY, manifests.NAME]:
            (folder / name).unlink(missing_ok=True)


def _announce(prepared: Prepared, store: Store, asked: int, remarks: Remarks) -> None:
    """Say what will be played, and what of it is there already."""
    design = prepared.design
    gaps = store.gaps()
    if not gaps:
        remarks.say(f"{store.folder} already holds this run; showing what it found (--fresh plays it anew)")
        return
    noun = prepared.game.entrant
    rotations = f"{design.players} rotations" + (
        f" of the {noun}s x as many of the agents" if design.agents > 1 else ""
    )
    rounded = f" ({asked:,} asked for, rounded up to whole designs)" if asked != prepared.games else ""
    line_ups = _count(design.blocks, "line-up") + ("" if design.is_complete else " (a balanced part)")
    if line := prepared.game.data_line(prepared.rules):
        remarks.say(line)
    remarks.say(
        f"{prepared.game.title}: {prepared.games:,} games = {_count(prepared.plan.designs, 'design')} of "
        f"{line_ups} x {rotations}{rounded}"
    )
    missing = design.games_per_block * sum(last - first for first, last in gaps)
    if missing < prepared.games:
        remarks.say(f"{prepared.games - missing:,} games are stored already; going on from there")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _draw(found: Finding) -> None:
    from experiments.balance import taken_file
    from experiments.gallery import remark
    from experiments.gallery.balance import of_finding, taken
    from experiments.plots import save
    from simcore import registry

    said = remark(found.folder)
    shares = [one.drawing(said * (k == 0)) for k, one in enumerate(reversed(of_finding(found)))][::-1]
    verbs = {thing: taken.verb for thing, taken in registry.game(found.manifest["run"]["game"]).takings.items()}
    for kind in ("svg", "png"):
        save(shares, found.folder / f"win_share.{kind}")
        for thing in found.takings:
            for one in taken(found, thing, verbs[thing])[:1]:
                save([one.drawing(said)], found.folder / taken_file(thing, kind))


def _show(
    found: Finding, prepared: Prepared, as_json: bool, changed: pd.DataFrame | None, change: str, other: Path
) -> None:  # fmt: skip
    from experiments.cli import report
    from experiments.cli.console import output, print_json

    if as_json:
        data = report.as_data(found)
        if changed is not None:
            data["against"] = {"change": change, "folder": str(other), "rows": changed.to_dict("records")}
        print_json(data)
        return

    report.print_finding(found, prepared, output())
    if changed is not None:
        report.print_against(changed, change, str(other), output())
