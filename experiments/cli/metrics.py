"""``soundcheck metrics``: how the games of a stored run went."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from experiments.cli.options import Json, Quiet

FILES = ("metrics_games", "metrics_rounds", "metrics_uses")


def metrics(
    run: Annotated[Path, typer.Argument(help="Folder of a stored run (of a plan: one of its cells).")],
    games: Annotated[int, typer.Option(help="About so many games, in whole blocks spread over the run.")] = 200,
    extra: Annotated[
        list[str] | None,
        typer.Option(
            "--metric", help="module:function of a GameRecord that returns numbers by name.", show_default=False
        ),
    ] = None,
    by: Annotated[Literal["none", "seat", "band"], typer.Option(help="Split the use of options.")] = "none",
    rows: Annotated[int, typer.Option(help="Options that are printed; all are in the files.")] = 40,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play games of a run again, event by event, and show lead changes, comebacks, decisions, offers and picks."""
    from experiments import manifest as manifests
    from experiments import metrics as found
    from experiments.cli.console import Remarks, output, print_house, print_json
    from experiments.records import records, spread_games
    from experiments.store import replacing
    from simcore.errors import UsageError

    if games < 1:
        raise UsageError(f"games: {games} is too few; at least 1 is needed")
    asked = [found.metric(text) for text in extra or []]
    numbers = spread_games(run, games)
    with Remarks(quiet).progress("games seen") as progress:

        def seen() -> Any:
            for done, one in enumerate(records(run, numbers)):
                progress(done, len(numbers))
                yield one
            progress(len(numbers), len(numbers))

        collected = found.collect(seen(), asked)
    for name, table in zip(FILES, (collected.games, collected.rounds, collected.uses), strict=True):
        with replacing(run / f"{name}.parquet") as file:
            table.to_parquet(file, index=False)
    tables = {
        "games": found.game_table(collected), "rounds": found.round_table(collected),
        "comebacks": found.comeback_table(collected), "uses": found.use_table(collected, "" if by == "none" else by),
    }  # fmt: skip
    runaway = found.runaway_round(tables["rounds"])
    if as_json:
        data: dict[str, Any] = {name: table.to_dict("records") for name, table in tables.items()}
        print_json(data | {"runaway_round": runaway, "seen": len(numbers), "house": manifests.read(run)["house"]})
        return
    _print(tables, runaway, rows, run, output())
    print_house(manifests.read(run)["house"])


def _print(tables: dict[str, Any], runaway: float, most: int, run: Path, console: Any) -> None:
    from rich.table import Table

    titles = {
        "games": "The games", "rounds": "Scores if the game ended after a round, and what a sole leader makes of it",
        "comebacks": "Win share of a seat that stands so far behind",
        "uses": "Options: offers and picks a seat and game",
    }  # fmt: skip
    for name, frame in tables.items():
        table = Table(title=titles[name], title_justify="left", title_style="bold", show_edge=False, pad_edge=False)
        for k, column in enumerate(frame.columns):
            table.add_column(str(column).replace("_", " "), justify="left" if k == 0 else "right")
        shown = frame.head(most) if name == "uses" else frame
        for row in shown.itertuples(index=False):
            table.add_row(*(value if isinstance(value, str) else _number(value) for value in row))
        console.print(table)
        if len(shown) < len(frame):
            console.print(f"and {len(frame) - len(shown)} more (--rows, or metrics_uses.parquet)", markup=False)
    console.print(
        "No round before the end from which a sole leader wins 90 % of the games."
        if math.isnan(runaway)
        else f"Runaway: from round {runaway:g} on, a sole leader wins 90 % of the games or more.",
        markup=False,
    )
    console.print(
        "users win: users differ from others in more than the option; ablate it before believing it.", markup=False
    )
    console.print(f"Files in {run}: " + ", ".join(f"{name}.parquet" for name in FILES), markup=False, soft_wrap=True)


def _number(value: Any) -> str:
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:,.3f}".rstrip("0").rstrip(".") if math.isfinite(value) else "all"
    return f"{value:,}"
