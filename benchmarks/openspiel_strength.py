"""Our search against OpenSpiel's MCTS, seats in turn: ``python -m benchmarks.openspiel_strength PAIRING ITERATIONS``.

    python -m benchmarks.openspiel_strength metalmania-plain 64 --blocks 50
    python -m benchmarks.openspiel_strength --show

A block is one luck (and in Overdrive one pair of bands), played twice, each side once in each seat.  Every block is
written to ``openspiel_strength.jsonl`` (``--file``) when it is finished; blocks that are there are not played
again, so that a run may be stopped and taken up at will.  Intervals are those of block means (decision 10).
Times are CPU seconds of this process for the decisions of one side in one game.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from agents.contest import block_means, deal
from bridges.examples import OpenSpielMCTS
from experiments.statistics import BlockMeans
from simcore import registry
from simcore.seen import View

#: Ours in OpenSpiel's terms: no knowledge, a tree of all seats, whole random playouts, its constant of exploration.
PLAIN = "tree=full,rollout=random,turns=0,leaf=none,prior=random,widen=0,exploration=1.4,reuse=0"

#: name: (game, parameters of ours, whether OpenSpiel plays out by its own Python evaluator).
PAIRINGS = {
    f"{game}-{kind}": (game, ours, own)
    for game in ("metalmania", "overdrive")
    for kind, ours, own in (("default", "", False), ("plain", PLAIN, False), ("own", "", True))
}


class Timed:
    """OpenSpiel's MCTS in a seat, with the CPU seconds and decisions that it took."""

    def __init__(self, simulations: int, own: bool) -> None:
        self.player = OpenSpielMCTS(simulations, compiled=not own)
        self.seconds, self.decisions = 0.0, 0

    def choose(self, view: View, legal: np.ndarray) -> int:
        """What MCTS chooses."""
        start = time.process_time()
        chosen = self.player.choose(view, legal)
        self.seconds += time.process_time() - start
        self.decisions += 1
        return chosen


def play(pairing: str, iterations: int, blocks: range, seed: int) -> Iterator[dict[str, Any]]:
    """A record a block: our win share, seconds of both sides, decisions of OpenSpiel's side (two games together)."""
    game_name, parameters, own = PAIRINGS[pairing]
    game, ours = registry.game(game_name), f"mcts:iterations={iterations}" + ("," + parameters) * bool(parameters)
    agent = registry.agent(ours, game)
    block_means(deal(game, 2, seed, 0, 1), agent, registry.agent("random", game))  # compiles
    for block in blocks:
        theirs, start = Timed(iterations, own), time.process_time()
        share = float(block_means(deal(game, 2, seed, block, 1), agent, registry.wrap("theirs", theirs))[0])
        whole = time.process_time() - start
        yield {
            "pairing": pairing, "iterations": iterations, "seed": seed, "block": block, "share": share,
            "ours_s": whole - theirs.seconds, "theirs_s": theirs.seconds, "theirs_decisions": theirs.decisions,
        }  # fmt: skip


def show(records: list[dict[str, Any]]) -> None:
    """Print a row a pairing, budget and seed."""
    rows = defaultdict(list)
    for one in records:
        rows[one["pairing"], one["iterations"], one["seed"]].append(one)
    print("| pairing | iterations | games | share of ours | 95 % interval | s a game, ours | s a game, OpenSpiel's |")
    print("|---|---|---|---|---|---|---|")
    for (pairing, iterations, _), found in sorted(rows.items()):
        shares = np.array([one["share"] for one in found])
        variance = float(shares.var(ddof=1)) if len(shares) > 1 else 0.0
        low, high = BlockMeans(len(shares), 2, float(shares.mean()), variance).interval()
        ours, theirs = (np.mean([one[key] for one in found]) / 2 for key in ("ours_s", "theirs_s"))
        print(
            f"| {pairing} | {iterations} | {2 * len(shares)} | {shares.mean():.3f} | {low:.3f} to {high:.3f} "
            f"| {ours:.2f} | {theirs:.2f} |"
        )


def main() -> None:
    """Play what is not yet in the file, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("pairing", nargs="?", choices=sorted(PAIRINGS))
    parser.add_argument("iterations", nargs="?", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", type=Path, default=Path("openspiel_strength.jsonl"))
    parser.add_argument("--show", action="store_true", help="print the table of what the file holds")
    given = parser.parse_args()
    lines = given.file.read_text(encoding="utf-8").splitlines() if given.file.exists() else []
    records = [json.loads(line) for line in lines]
    if given.pairing:
        wanted = (given.pairing, given.iterations, given.seed)
        done = sum((one["pairing"], one["iterations"], one["seed"]) == wanted for one in records)
        for record in play(given.pairing, given.iterations, range(done, given.blocks), given.seed):
            with given.file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
            records.append(record)
    if given.show or given.pairing:
        show(records)


if __name__ == "__main__":
    main()
