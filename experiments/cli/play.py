"""``soundcheck play``: one game as a readable trace, a new one or one of a stored run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from experiments.cli.options import (
    Agents,
    Cards,
    Overrides,
    Players,
    Quiet,
    RulesFile,
    Seed,
    Variant,
    changes,
    one_for_all,
    seats_for,
)

if TYPE_CHECKING:
    from experiments.plan import Prepared


def play(
    game: Annotated[str | None, typer.Argument(help="The game (not with --run).", show_default=False)] = None,
    agents: Agents = None,
    players: Players = None,
    bands: Annotated[
        list[str] | None, typer.Option("--band", help="Band, once a seat.", show_default="those of --game")
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
    from experiments.difficulty import replay_game
    from experiments.plan import Plan, as_text, prepare
    from simcore.errors import UsageError
    from simcore.ruledata import parse_overrides

    if (game is None) == (run is None):
        raise UsageError("play: name either a game (soundcheck play overdrive) or a stored run (--run DIR --game N)")
    remarks = Remarks(quiet)
    if run is not None:
        given = {"--agent": agents, "--players": players, "--band": bands, "--set": overrides, "--rules": rules_file,
                 "--cards": cards}  # fmt: skip
        for option, value in given.items():
            if value:
                raise UsageError(f"play: {option} cannot be changed for a game of a stored run")
        prepared, there = replay_game(run, number)
    else:
        kind = parse_overrides(variant or [])
        texts = agents or ["greedy"]
        seats = seats_for(players, texts, str(game), kind)
        prepared = prepare(
            Plan(
                game=str(game), players=seats, agents=one_for_all(texts, seats), seed=seed,
                overrides=as_text(changes(str(game), overrides, cards)), variant=as_text(kind),
                rules_file=str(rules_file) if rules_file else "",
            )
        )  # fmt: skip
        if number < 0:
            raise UsageError(f"game: {number} is too small; games are numbered from 0")
        there = number
    from experiments.cli.trace import print_game

    line_up = _line_up(prepared, bands or [])
    with remarks.compiling(prepared.game):
        prepared.compile()
    print_game(prepared, there, run, remarks, line_up, number)


def _line_up(prepared: Prepared, bands: list[str]) -> list[int] | None:
    """Numbers of the named bands, None for those of the design.  Raises UsageError."""
    from experiments.plan import no_such_band
    from simcore.errors import UsageError

    if not bands:
        return None
    found: list[Any] = []
    for band in bands:
        if band not in prepared.bands:
            raise no_such_band(prepared, "band", band)
        found.append(prepared.bands.index(band))
    if len(found) != prepared.plan.players:
        raise UsageError(f"band: {len(found)} named, one a seat is needed ({prepared.plan.players})")
    return found
