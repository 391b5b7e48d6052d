"""Greedy against OpenSpiel's MCTS, seats in turn: ``python -m benchmarks.openspiel_strength GAME [--blocks N]``.

Every block is played twice, each agent once in each seat, with the same dice; the interval is Student's t on the
blocks' means (where all are equal, the exact one on blocks).  Times are CPU seconds of this process for a whole game.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from scipy import stats

from bridges.examples import OpenSpielMCTS
from simcore import registry
from simcore.loop import JOB
from simcore.play import play_jobs


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("game", choices=["overdrive", "metalmania"])
    parser.add_argument("--blocks", type=int, default=10)
    parser.add_argument("--simulations", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    OpenSpielMCTS.simulations = given.simulations
    game = registry.game(given.game)
    rules = game.rules()
    variant = {"players": 2, **({"bands": ["rebeldogs", "dead_and_death"]} if given.game == "overdrive" else {})}
    agents = [registry.agent("py:bridges.examples:OpenSpielMCTS", game), registry.agent("greedy", game)]
    jobs = np.zeros(2 * given.blocks, JOB)
    jobs["block"] = np.arange(len(jobs)) // 2
    jobs["agent"][::2, 1] = 1
    jobs["agent"][1::2, 0] = 1
    start = time.process_time()
    played = play_jobs(game, [rules], game.setup(variant, rules), jobs, agents, given.seed)
    seconds = (time.process_time() - start) / len(jobs)
    _, seats = game.tables(played.results, played.counts, jobs, game.setup(variant, rules))
    shares = seats["win_share"].to_numpy().reshape(given.blocks, 2, 2)
    mcts = (shares[:, 0, 0] + shares[:, 1, 1]) / 2
    if mcts.std():
        half = stats.t.ppf(0.975, given.blocks - 1) * mcts.std(ddof=1) / np.sqrt(given.blocks)
        low, high = mcts.mean() - half, mcts.mean() + half
    else:  # nothing varied: the exact interval, a block counted as one game (decision 10)
        low, high = stats.binomtest(round(mcts.sum()), given.blocks).proportion_ci()
    print(
        f"{given.game}: OpenSpiel's MCTS ({given.simulations} simulations a word) against greedy, {len(jobs)} games: "
        f"win share {mcts.mean():.3f} (95 %: {low:.3f} to {high:.3f}), {seconds:.1f} CPU s a game"
    )


if __name__ == "__main__":
    main()
