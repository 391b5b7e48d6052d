"""Games and decisions per second: ``python -m benchmarks.speed [GAME ...] [--seconds S]``.

A decision is a choice of two or more legal actions, as the engine asks it.  Each figure is the best of
three runs of about S seconds, in this process, after compiling: the best is what the code can do, the
others show what else the machine did.
"""

from __future__ import annotations

import argparse
import itertools
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed

from simcore import registry
from simcore.agent import Agent
from simcore.loop import JOB
from simcore.play import Played, play_jobs
from simcore.protocol import Game

#: (game, players, agent, threads) of each line.
LINES = [
    ("overdrive", 4, "random", 1),
    ("overdrive", 4, "random", 2),
    ("overdrive", 2, "random", 1),
    ("overdrive", 4, "greedy", 1),
    ("overdrive", 4, "greedy", 2),
    ("metalmania", 3, "random", 1),
    ("metalmania", 3, "random", 2),
    ("metalmania", 3, "greedy", 1),
]


@dataclass(frozen=True)
class Speed:
    """What one line measured: games and decisions played in ``seconds`` of wall clock."""

    games: int
    decisions: int
    seconds: float


def deal(game: Game, players: int, games: int) -> tuple[np.ndarray, np.ndarray, object]:
    """(jobs, setups, rules): ``games`` different blocks over line-ups taken in turn."""
    rules = game.rules()
    names = game.entrants(rules)
    line_ups = list(itertools.combinations(names, players)) if names else [()]
    variants = [{"players": players, **({"bands": list(bands)} if bands else {})} for bands in line_ups]
    setups = np.concatenate([game.setup(variant, rules) for variant in variants])
    jobs = np.zeros(games, JOB)
    jobs["block"] = np.arange(games)
    jobs["setup"] = np.arange(games) % len(setups)
    return jobs, setups, rules


def run(game: Game, agents: Sequence[Agent], players: int, threads: int, games: int) -> Speed:
    """Play ``games`` games on ``threads`` threads."""
    jobs, setups, rules = deal(game, players, games)
    parts = np.array_split(jobs, threads)
    start = time.perf_counter()
    played: list[Played] = Parallel(n_jobs=threads, prefer="threads")(
        delayed(play_jobs)(game, [rules], setups, part, agents, 1) for part in parts
    )
    seconds = time.perf_counter() - start
    return Speed(games, int(sum(one.counts["decisions"].sum() for one in played)), seconds)


def measure(game: Game, text: str, players: int, threads: int, seconds: float) -> Speed:
    """Best of three runs of about ``seconds`` each."""
    agents = [registry.agent(text, game)]
    run(game, agents, players, threads, 4 * threads)
    probe = run(game, agents, players, threads, 200 * threads)
    games = max(200 * threads, int(200 * threads / probe.seconds * seconds))
    return min((run(game, agents, players, threads, games) for _ in range(3)), key=lambda one: one.seconds)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="games and decisions per second")
    parser.add_argument("games", nargs="*", help="names of games (default: all)")
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args()
    names = options.games or registry.game_names()
    print(f"{os.cpu_count()} cores; best of three runs of about {options.seconds:g} s\n")
    print(
        f"{'game':<11}{'players':>8}{'agent':>9}{'threads':>9}{'games/s':>11}{'decisions/game':>16}{'ns/decision':>13}"
    )
    for name, players, text, threads in LINES:
        if name not in names:
            continue
        speed = measure(registry.game(name), text, players, threads, options.seconds)
        print(
            f"{name:<11}{players:>8}{text:>9}{threads:>9}{speed.games / speed.seconds:>11,.0f}"
            f"{speed.decisions / speed.games:>16.1f}{speed.seconds / speed.decisions * 1e9:>13.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
