"""``soundcheck play``: one game as a readable trace, a new one or one of a stored run."""

from __future__ import annotations

from experiments.cli.one_game import chosen_game
from experiments.cli.options import (
    Agents,
    Bands,
    Cards,
    GameNumber,
    OneGame,
    Overrides,
    Players,
    Quiet,
    RulesFile,
    Seed,
    StoredRun,
    Variant,
)


def play(
    game: OneGame = None,
    agents: Agents = None,
    players: Players = None,
    bands: Bands = None,
    seed: Seed = 1,
    number: GameNumber = 0,
    run: StoredRun = None,
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
