"""``soundcheck replay``: one game as a page to step through, a new one or one of a stored run."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from experiments.cli import completion
from experiments.cli.one_game import chosen_game
from experiments.cli.options import (
    Bands,
    Cards,
    GameNumber,
    OneGame,
    Overrides,
    PlayedBy,
    Players,
    Quiet,
    RulesFile,
    Seed,
    StoredRun,
    Variant,
)

#: Columns of seats that the loop counts, and a game played event by event does not.
COUNTED = ("decisions", "forced", "options")


def replay(
    game: OneGame = None,
    played_by: PlayedBy = None,
    players: Players = None,
    bands: Bands = None,
    seed: Seed = 1,
    number: GameNumber = 0,
    run: StoredRun = None,
    out: Annotated[
        Path | None, typer.Option(help="The file.", show_default="game-N.html; in a run replays/game-N.html")
    ] = None,
    agent: Annotated[
        str,
        typer.Option(
            help="The tree search that values the options of every decision.", autocompletion=completion.agents
        ),
    ] = "mcts:iterations=256",
    options: Annotated[
        str, typer.Option(metavar="N|off", help="Options of a decision that are kept, the best first; off: no values.")
    ] = "8",
    overrides: Overrides = None,
    rules_file: RulesFile = None,
    cards: Cards = None,
    variant: Variant = None,
    show: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    quiet: Quiet = False,
) -> None:
    """Write one game as a page to step through: the table, the notation, scores, chances, options with values."""
    from experiments.cli.console import Remarks
    from experiments.cli.trace import compare_with_stored
    from experiments.replay.course import Values
    from experiments.replay.page import write_replay

    values = Values(agent, _most(options))
    chosen = chosen_game(
        "replay", game, run, number, agents=played_by, players=players, bands=bands, seed=seed, overrides=overrides,
        rules_file=rules_file, cards=cards, variant=variant, agents_option="--played-by",
    )  # fmt: skip
    name = f"game-{number}.html"
    path = out or (run / "replays" / name if run is not None else Path(name))
    remarks = Remarks(quiet)
    with remarks.compiling(chosen.prepared.game):
        chosen.prepared.compile()
    with remarks.progress("decisions valued") as progress:
        played = write_replay(chosen.prepared, chosen.number, path, number, chosen.line_up, values, progress)
    print(path)
    if run is not None:
        ends = played.seats.drop(columns=list(COUNTED), errors="ignore")
        compare_with_stored(chosen.prepared, number, run, ends, remarks)
    if show:
        webbrowser.open(path.resolve().as_uri())


def _most(text: str) -> int:
    """Number of options that are kept, 0 for off.  Raises UsageError."""
    from simcore.errors import UsageError

    if text == "off":
        return 0
    if not text.isdigit():
        raise UsageError(f"options: {text!r} is not a number of options (allowed: 1, 2, ... or off)")
    return int(text)
