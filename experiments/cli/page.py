"""``soundcheck report``: a stored run as one HTML page."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from experiments.cli.options import Quiet


def report_page(
    run: Annotated[Path, typer.Argument(help="Run folder of balance or difficulty, or the folder of a plan.")],
    out: Annotated[Path | None, typer.Option(help="The page.", show_default="report.html in the run folder")] = None,
    margin: Annotated[float, typer.Option(help="Half width of 'balanced', in percentage points.")] = 2.0,
    target: Annotated[
        str | None, typer.Option(help="Wanted win share of each level of a difficulty run.", show_default=False)
    ] = None,
    games: Annotated[
        int, typer.Option(help="About so many games are played again to say how games go; 0: none.")
    ] = 240,
    replays: Annotated[
        bool, typer.Option(help="Also write the games worth a look, as pages in the folder replays beside the page.")
    ] = True,
    quiet: Quiet = False,
    show: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Write a run's findings, tables and pictures as one page that needs nothing beside it."""
    from experiments.cli.console import Remarks
    from experiments.cli.difficulty import shares
    from experiments.report import write_report
    from simcore.errors import UsageError

    if margin <= 0:
        raise UsageError(f"margin: {margin:g} is too small; it must be above 0 percentage points")
    if games < 0:
        raise UsageError(f"games: {games} is too few; 0 or more are needed")
    wanted = shares(target) if target is not None else None
    with Remarks(quiet).progress("games worth a look") as progress:
        path = write_report(run, out, margin / 100, wanted, games, replays, progress)
    print(path)
    if show:
        webbrowser.open(path.resolve().as_uri())
