"""``soundcheck run``: play a plan file, cell by cell, and say what it found."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from experiments.cli import completion
from experiments.cli.options import Backend, Jobs, Json, PartOf, Quiet, Scheduler, Unit, check_unit

if TYPE_CHECKING:
    from experiments.cli.console import Remarks
    from experiments.running import How, Part
    from experiments.study import Study

Out = Annotated[Path | None, typer.Option(help="Folder of the plan's runs.", show_default="runs/<name of the plan>")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Throw what is stored for this plan away first.")]
Until = Annotated[
    Literal["games", "decided"] | None,
    typer.Option(help="'decided' stops each cell as soon as every band has its verdict.", show_default="as planned"),
]


def run(
    plan: Annotated[
        str | None,
        typer.Argument(
            help="A TOML file, or the name of a shipped plan (--list).",
            show_default=False,
            autocompletion=completion.plans,
        ),
    ] = None,
    out: Out = None,
    until: Until = None,
    games: Annotated[int | None, typer.Option(help="Games of each cell, in place of the plan's.")] = None,
    jobs: Jobs = None,
    backend: Backend = None,
    scheduler: Scheduler = "",
    unit: Unit = None,
    part: PartOf = "1/1",
    listed: Annotated[bool, typer.Option("--list", help="List the plans that come along.")] = False,
    fresh: Fresh = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play every cell of a plan and show verdicts, the range over agents and paired comparisons.

    Everything is stored game by game: interrupt it and run the same command again to go on.
    """
    from experiments.running import How, Part
    from experiments.study import read_study
    from simcore.errors import UsageError

    if listed:
        _list(as_json)
        return
    if plan is None:
        raise UsageError("run: name a plan file, or one of the shipped plans (soundcheck run --list)")
    study = read_study(plan)
    changed: dict[str, Any] = {"until": until} if until else {}
    if games is not None:
        changed |= {"games": games, "precision": None}
    if changed:
        study = read_study({**study.model_dump(), **changed})
    name = Path(plan).stem + (f"-{games}" if games is not None else "") + (f"-{until}" if until else "")
    how = How(jobs, backend, unit, scheduler, Part.read(part))
    play_and_show(study, out or Path("runs") / name, how, fresh, as_json, quiet)


def _list(as_json: bool) -> None:
    from experiments.cli.console import output, print_json
    from experiments.study import read_study, shipped_plans

    titles = {name: read_study(name).title for name in shipped_plans()}
    if as_json:
        print_json({"plans": [{"name": name, "title": title} for name, title in titles.items()]})
        return
    for name, title in titles.items():
        output().print(f"{name:12} {title}", markup=False, soft_wrap=True)


def play_and_show(
    study: Study, folder: Path, how: How, fresh: bool, as_json: bool, quiet: bool, show: Any = None
) -> None:
    """Play what is missing of ``study`` in ``folder``, then print what it found (``show(finding, folder)``)."""
    from experiments.cli.console import Remarks, output, print_json
    from experiments.cli.study_report import as_data, print_study, write_tables
    from experiments.findings import study_finding
    from experiments.running import CELLS

    remarks = Remarks(quiet)
    check_unit(how.unit_games)
    if fresh:
        throw_study_away(folder)
    if not _play(study, folder, how, remarks):
        say_part(how.part, folder, remarks, as_json)
        return
    found = study_finding(study, folder / CELLS)
    write_tables(found, folder)
    if as_json:
        print_json(as_data(found, folder))
        return
    (show or print_study)(found, folder, output())


def say_part(part: Part, folder: Path, remarks: Remarks, as_json: bool) -> None:
    """Say that a part of a run is there, and how to join it with the others."""
    from experiments.cli.console import print_json

    remarks.say(
        f"part {part.number} of {part.of} is stored in {folder}; join the parts with: "
        f"soundcheck merge WHOLE {shlex.quote(str(folder))} ..."
    )
    if as_json:
        print_json({"part": part.number, "of": part.of, "folder": folder})


def _play(study: Study, folder: Path, how: How, remarks: Remarks) -> bool:
    """Play and store; returns whether every cell is whole."""
    import contextlib

    from experiments.running import CELLS, play_study
    from experiments.store import TABLES

    with contextlib.ExitStack() as stack:
        bar = stack.enter_context(remarks.progress())
        compiled: set[str] = set()

        def begin(cell: Any, number: int, of: int) -> Any:
            remarks.say(f"cell {number + 1} of {of}: {cell.name}")
            prepared = cell.prepare()
            base = getattr(prepared, "base", prepared)
            if cell.base.game not in compiled:
                compiled.add(cell.base.game)
                with remarks.compiling(base.game):
                    base.compile()
            remarks.restart()
            return bar

        try:
            done = play_study(study, folder, how, shlex.join(["soundcheck", *sys.argv[1:]]), begin)
        except KeyboardInterrupt:
            remarks.say(f"\ninterrupted: what is finished is stored in {folder}; the same command goes on")
            raise typer.Exit(130) from None
    return all((folder / CELLS / cell.name / f"{table}.parquet").exists() for cell in done for table in TABLES)


def throw_study_away(folder: Path) -> None:
    """Remove what a stored plan holds, and only that.  Raises UsageError."""
    from experiments.cli.balance import throw_away
    from experiments.cli.study_report import FILES
    from experiments.running import CELLS, NAME
    from experiments.store import plainly

    if not (folder / NAME).exists():
        return
    with plainly(folder):
        for cell in sorted((folder / CELLS).iterdir()) if (folder / CELLS).exists() else []:
            throw_away(cell)
            shutil.rmtree(cell, ignore_errors=True)
        shutil.rmtree(folder / CELLS, ignore_errors=True)
        for name in (*FILES, "report.html", NAME):
            (folder / name).unlink(missing_ok=True)
