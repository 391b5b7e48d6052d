"""Iterations of search and decisions of each agent per second: ``python -m benchmarks.search [GAME ...]``.

One core, CPU time, best of three runs of about ``--seconds`` each, or of one game where that takes longer.
``--table`` chooses tables, ``--line`` the lines that contain a text (``--line "random, to the end"``). The last
table is what one searching thread holds, allocated before its first decision and the same ever after. An iteration
includes everything: chance, hidden cards, the way down the tree, the playout, the way back up.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Sequence

import numpy as np

from benchmarks.speed import deal
from simcore import registry
from simcore.agent import CompiledAgent
from simcore.play import play_jobs
from simcore.protocol import Game

#: (game, players, what, agent without its budget) of each line of the first table.
LINES = [
    (name, players, what, text)
    for name, players in (("overdrive", 4), ("overdrive", 2), ("metalmania", 3), ("metalmania", 2))
    for what, text in (
        ("random, to the end", "mcts:tree=full,rollout=random,prior=random,turns=0"),
        ("own turn at random, leaf", "mcts:rollout=random,prior=random,opponent=random,turns=1"),
        ("own turn by greedy, leaf", "mcts:turns=1"),
        ("greedy, two turns and leaf", "mcts"),
        ("greedy, to the end", "mcts:turns=0"),
    )
]

AGENTS = (
    "random", "greedy", "tuned", "flat:iterations=64", "expectimax", "mcts:iterations=64", "mcts:iterations=256",
    "search:iterations=64", "search:iterations=256",
)  # fmt: skip


def seconds_of(game: Game, players: int, text: str, games: int) -> tuple[float, int]:
    """CPU seconds of ``games`` games in which seat 0 plays ``text`` and the others at random, and its decisions."""
    jobs, setups, rules = deal(game, players, games)
    jobs["agent"][:, 1:] = 1
    agents = [registry.agent(text, game), registry.agent("random", game)]
    start = time.process_time()
    played = play_jobs(game, [rules], setups, jobs, agents, 1)
    return time.process_time() - start, int(played.counts["decisions"][:, 0].sum())


def budget(text: str, iterations: int) -> str:
    """The search ``text`` with that many iterations a decision, no tree kept: each decision does them all."""
    return f"{text}{',' if ':' in text else ':'}iterations={iterations},reuse=0"


def games_for(seconds: float, game: Game, players: int, text: str) -> int:
    """How many games, 1 to 50, ``text`` plays in about so many seconds."""
    seconds_of(game, players, text, 1)
    taken, _ = seconds_of(game, players, text, 1)
    return max(1, min(50, int(seconds / max(taken, 1e-6))))


def iterations_per_second(game: Game, players: int, text: str, seconds: float) -> float:
    """From two budgets: what the games themselves take cancels out."""
    few, many = 32, 160
    games = games_for(seconds, game, players, budget(text, many))
    smalls, larges = [], []
    for _ in range(3):
        small, done = seconds_of(game, players, budget(text, few), games)
        large, more = seconds_of(game, players, budget(text, many), games)
        smalls.append(small)
        larges.append(large)
    # The best of each: the difference of a pair would be small where something else slowed its first half.
    return more * (many - few) / (min(larges) - min(smalls) * more / done)


def decisions_per_second(game: Game, players: int, text: str, seconds: float) -> float:
    """Decisions of ``text`` in every seat."""
    agents = [registry.agent(text, game)]
    taken, best = 0.0, 0.0
    for games in (1, 1, 0, 0, 0):
        jobs, setups, rules = deal(game, players, games or max(1, min(500, int(seconds / max(taken, 1e-6)))))
        start = time.process_time()
        played = play_jobs(game, [rules], setups, jobs, agents, 1)
        spent = time.process_time() - start
        if games:
            taken = spent
        else:
            best = max(best, float(played.counts["decisions"].sum()) / spent)
    return best


def megabytes(game: Game, text: str) -> float:
    """What the search ``text`` allocates when it is seated: nodes, positions, minds of its policies."""
    agent = registry.agent(text, game)
    assert isinstance(agent, CompiledAgent)
    mind = np.zeros(1, game.engine.mind)
    memory = agent.prepare(mind[0])
    arrays = [one for one in memory.keep if isinstance(one, np.ndarray)]
    return float(mind.nbytes + memory.work.nbytes + sum(one.nbytes for one in arrays)) / 1e6


def show_iterations(names: Sequence[str], line: str, seconds: float) -> None:
    """The table of iterations."""
    print(f"{'game':<11}{'players':>8}  {'playouts':<28}{'iterations/s':>13}")
    for name, players, what, text in LINES:
        if name in names and line in what:
            speed = iterations_per_second(registry.game(name), players, text, seconds)
            print(f"{name:<11}{players:>8}  {what:<28}{speed:>13,.0f}", flush=True)


def show_decisions(names: Sequence[str], line: str, seconds: float) -> None:
    """The table of agents."""
    print(f"{'game':<11}{'players':>8}  {'agent':<28}{'decisions/s':>13}")
    for (name, players), text in itertools.product((("overdrive", 4), ("metalmania", 3)), AGENTS):
        if name in names and line in text:
            speed = decisions_per_second(registry.game(name), players, text, seconds)
            print(f"{name:<11}{players:>8}  {text:<28}{speed:>13,.0f}", flush=True)


def show_memory(names: Sequence[str], line: str, seconds: float) -> None:
    """The table of what a thread holds."""
    print(f"{'game':<11}{'agent':<36}{'MB a thread':>13}")
    for name, iterations in itertools.product(names, (64, 256, 1024)):
        text = f"search:iterations={iterations}"
        if line in text:
            print(f"{name:<11}{text:<36}{megabytes(registry.game(name), text):>13.2f}", flush=True)


TABLES = {"iterations": show_iterations, "decisions": show_decisions, "memory": show_memory}


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="speed of searches and agents")
    parser.add_argument("games", nargs="*", help="names of games (default: all)")
    parser.add_argument("--table", action="append", choices=TABLES, help="a table (repeat; default: all)")
    parser.add_argument("--line", default="", help="only lines whose playouts or agent contain this text")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each of three runs a line (default: 1)")
    options = parser.parse_args()
    names = options.games or registry.game_names()
    for k, table in enumerate(options.table or TABLES):
        print(end="\n" if k else "")
        TABLES[table](names, options.line, options.seconds)


if __name__ == "__main__":
    main()
