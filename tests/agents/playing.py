"""Seats agents and plays games for the tests of agents."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from overdrive_sim.setup import human_bands
from simcore import registry
from simcore.loop import JOB
from simcore.play import Played, play_jobs
from simcore.protocol import Game


@functools.cache
def rules_of(game: Game) -> Any:
    """The game's rules as shipped."""
    return game.rules()


def line_ups(game: Game, players: int, n: int, mode: str = "standard", **variant: Any) -> np.ndarray:
    """``n`` line-ups, every band or board in turn."""
    rng = np.random.default_rng(7)
    setups = []
    for _ in range(n):
        table: dict[str, Any] = {"players": players, **variant}
        if game.name == "overdrive":
            table["bands"] = [str(band) for band in rng.permutation(human_bands(mode))[:players]]
            if mode != "standard":
                table["mode"] = mode
        setups.append(game.setup(table, rules_of(game)))
    return np.concatenate(setups)


def play(
    game: Game,
    texts: Sequence[str],
    games: int,
    first_seat: int = 0,
    rules: Any = None,
    master: int = 11,
    **variant: Any,
) -> tuple[Played, np.ndarray]:
    """(what was played, agent of each game and seat): ``texts`` name an agent a seat and rotate from game to game."""
    names = list(dict.fromkeys(texts))
    setups = line_ups(game, len(texts), min(games, 40), **variant)
    jobs = np.zeros(games, JOB)
    jobs["block"] = np.arange(games) // len(texts)
    jobs["setup"] = jobs["block"] % len(setups)
    for seat in range(len(texts)):
        jobs["agent"][:, first_seat + seat] = [names.index(texts[(seat + g) % len(texts)]) for g in range(games)]
    agents = [registry.agent(name, game) for name in names]
    return play_jobs(game, [rules or rules_of(game)], setups, jobs, agents, master), jobs["agent"]


def win_shares(game: Game, texts: Sequence[str], games: int, **more: Any) -> dict[str, float]:
    """Mean win share of each agent (together 1) over ``games`` games."""
    played, seated = play(game, texts, games, **more)
    share = played.results["share"] if game.name == "metalmania" else played.results["seat"]["share"]
    names = list(dict.fromkeys(texts))
    seats = range(len(texts))
    return {name: float(sum(share[seated[:, s] == i, s].sum() for s in seats)) / games for i, name in enumerate(names)}
