"""``soundcheck strength``: is each agent better than the one before it, and by how much."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from experiments.cli import completion
from experiments.cli.options import GameName, Json, Quiet, Seed

if TYPE_CHECKING:
    from experiments.strength import Rung
    from simcore.protocol import Game


def strength(
    game: GameName,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            help="A rung, weakest first; may be repeated.",
            show_default="random, greedy, tuned, search 64, 256, 1024",
            autocompletion=completion.agents,
        ),
    ] = None,
    players: Annotated[int, typer.Option(help="Players at the table.")] = 2,
    seed: Seed = 1,
    blocks: Annotated[int, typer.Option(min=24, help="Most blocks (seat rotations of one luck) of a rung.")] = 600,
    gain: Annotated[float, typer.Option(help="Gain over the fair share that is tested for, in pp.")] = 5.0,
    jobs: Annotated[
        int | None, typer.Option(help="Threads; results do not depend on it.", show_default="all cores")
    ] = None,
    keep: Annotated[
        Path | None, typer.Option(help="File that keeps what is played; the same command goes on from it.")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Each rung alone against a table of the rung below, in every seat on the same luck, until a test decides."""
    from joblib import cpu_count

    from experiments.cli.console import Remarks, print_house, print_json
    from experiments.strength import ladder as climb_all
    from experiments.strength import rungs as ladder_of
    from simcore import registry
    from simcore.errors import UsageError

    there, rungs = registry.game(game), list(agents or ladder_of(game, players))
    if players not in there.player_counts or players < 2:
        allowed = f"{max(2, there.player_counts[0])} to {there.player_counts[-1]}"
        raise UsageError(f"players: {players} is not possible; allowed: {allowed}")
    if len(rungs) < 2:
        raise UsageError("agent: a ladder has at least two rungs; name --agent twice or more, weakest first")
    for text in rungs:
        registry.agent(text, there)
    remarks = Remarks(quiet)
    with remarks.compiling(there):
        warm(there, rungs, players)
    if not as_json:
        print(f"{there.title}, {players} players, seed {seed}: one against the rest (fair share {100 / players:.1f} %)")
    found = climb_all(
        there,
        rungs,
        players,
        seed,
        blocks,
        gain / 100,
        jobs or cpu_count(),
        lambda one: None if as_json else _show(one),
        keep,
    )
    if as_json:
        data = {"game": game, "players": players, "seed": seed, "rungs": [dataclasses.asdict(one) for one in found]}
        print_json(data | {"house": there.rules().house})
    else:
        print_house(there.rules().house)


def warm(game: Game, rungs: list[str], players: int) -> None:
    """Compile what the rungs need: one block of the last against the first."""
    from experiments.strength import climb

    climb(game, rungs[-1], rungs[0], players, 1, 1, 0.05, 1)


def _show(rung: Rung) -> None:
    """One line a rung, as it comes."""
    interval = f"{100 * rung.low:.1f} to {100 * rung.high:.1f}"
    excess = 100 * (rung.share - rung.fair)
    print(
        f"  {rung.agent:<24} against {rung.below:<24} {100 * rung.share:5.1f} % ({interval}), {excess:+.1f} pp, "
        f"{rung.games} games: {rung.verdict}",
        flush=True,
    )
