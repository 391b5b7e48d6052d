"""``soundcheck play``: one game as a readable trace, a new one or one of a stored run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from experiments.cli import completion
from experiments.cli.one_game import chosen_game
from experiments.cli.options import Agents, Cards, Overrides, Players, Quiet, RulesFile, Seed, Variant


def play(
    game: Annotated[
        str | None,
        typer.Argument(help="The game (not with --run).", show_default=False, autocompletion=completion.games),
    ] = None,
    agents: Agents = None,
    players: Players = None,
    bands: Annotated[
        list[str] | None,
        typer.Option(
            "--band", help="Band, once a seat.", show_default="those of --game", autocompletion=completion.bands
        ),
    ] = None,
    seed: Seed = 1,
    number: Annotated[int, typer.Option("--game", help="Number of the game in its run or design.")] = 0,
    run: Annotated[Path | None, typer.Option("--run", help="Folder of a stored run.", show_default=False)] = None,
    overrides: Overrides = None,
    rules_file: RulesFile = None,
    cards: Cards = None,
    variant: Variant = None,
    quiet: Quiet = False,
) -> None:
    """Print one game, event by event, in the notation of the scenarios."""
    from experiments.cli.console import Remarks
    from experiments.cli.trace import print_game

    chosen = chosen_game(
        "play", game, run, number, agents=agents, players=players, bands=bands, seed=seed, overrides=overrides,
        rules_file=rules_file, cards=cards, variant=variant,
    )  # fmt: skip
    remarks = Remarks(quiet)
    with remarks.compiling(chosen.prepared.game):
        chosen.prepared.compile()
    print_game(chosen.prepared, chosen.number, run, remarks, chosen.line_up, number)
