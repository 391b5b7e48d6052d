"""``soundcheck metrics``: how the games of a stored run went."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from experiments.cli.options import Json, Quiet

#: Raw rows, beside the run.
FILES = ("metrics_games", "metrics_rounds", "metrics_uses")

if TYPE_CHECKING:
    import pandas as pd

    from experiments.metrics import Rows


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
    rows: Annotated[int, typer.Option(help="Options of a kind that are printed; all are in the files.")] = 40,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play games of a run again, event by event, and show lead changes, comebacks, decisions, offers and picks."""
    from experiments import manifest as manifests
    from experiments import metrics as found
    from experiments.cli.console import Remarks, output, print_house, print_json
    from experiments.cli.metrics_report import print_metrics
    from experiments.store import replacing
    from simcore.errors import UsageError

    if games < 1:
        raise UsageError(f"games: {games} is too few; at least 1 is needed")
    asked = [found.metric(text) for text in extra or []]
    collected = _collect(run, games, asked, Remarks(quiet))
    for name, table in zip(FILES, (collected.games, collected.rounds, collected.uses), strict=True):
        with replacing(run / f"{name}.parquet") as file:
            table.to_parquet(file, index=False)
    tables = _tables(collected, "" if by == "none" else by)
    data = {
        "runaway_round": found.runaway_round(tables["rounds"]), "seen": len(collected.games),
        **_by_the_game(run, collected.uses), "house": manifests.read(run)["house"],
    }  # fmt: skip
    if as_json:
        rates = {title: table.to_dict("records") for title, table in data.pop("rates").items()}
        told = {name: table.to_dict("records") for name, table in tables.items()}
        print_json({**told, "rates": rates, **data})
        return
    console = output()
    print_metrics(tables, data, rows, console)
    console.print(f"Files in {run}: " + ", ".join(f"{name}.parquet" for name in FILES), markup=False, soft_wrap=True)
    print_house(data["house"])


def _collect(run: Path, games: int, asked: list[Any], remarks: Any) -> Rows:
    """Play about ``games`` games of a run again and keep their rows."""
    from experiments.metrics import collect
    from experiments.records import records, spread_games

    numbers = spread_games(run, games)
    with remarks.progress("games seen") as progress:

        def seen() -> Any:
            for done, one in enumerate(records(run, numbers)):
                progress(done, len(numbers))
                yield one
            progress(len(numbers), len(numbers))

        return collect(seen(), asked)


def _tables(rows: Rows, by: str) -> dict[str, pd.DataFrame]:
    from experiments import metrics as found
    from experiments.uses import band_table, use_table

    return {
        "games": found.game_table(rows), "rounds": found.round_table(rows), "comebacks": found.comeback_table(rows),
        "bands": band_table(rows.uses), "uses": use_table(rows.uses, by),
    }  # fmt: skip


def _by_the_game(run: Path, uses: pd.DataFrame) -> dict[str, Any]:
    """What takes the game's own words: things never on offer, and how often what happens in the whole run."""
    from experiments.difficulty import replay_game
    from experiments.rates import rate_table, with_limits
    from experiments.records import things_of
    from experiments.summary import summarise_run
    from experiments.uses import never_offered

    prepared, _ = replay_game(run, 0)
    told = prepared.game.rates(prepared.rules)
    rates = {}
    if told:
        summary = summarise_run(run)
        rates = {one.title: with_limits(rate_table(summary, one), run, one) for one in told}
    never = never_offered(uses, things_of(prepared.game, prepared.rules))
    return {
        "never_offered": never, "rates": {title: table for title, table in rates.items() if len(table)},
        "units": {one.title: one.per[1] for one in told},
    }  # fmt: skip
