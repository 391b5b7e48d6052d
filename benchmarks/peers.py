"""What a step costs in each interface: ``python -m benchmarks.peers [--write]``.

CPU time of this process, the best of several rounds.  A step is one word.  "The loop alone" is ``advance`` of the
play loop, asked for whole decisions without words, masks or observations.  What the compiled call adds is its cost a
word less that of the decisions that these words make.  ``--write`` puts the table into ``docs/reference/peers.md``.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel

import bridges.openspiel  # noqa: F401 (registers the games)
from bridges import aec
from bridges.games import Games, Setting
from bridges.kernels.pointers import caller
from bridges.kernels.table import advance_signature, start_signature
from bridges.seat_env import SeatEnv
from bridges.table_env import TableEnv
from simcore.kernel import kernel
from simcore.loop import ASKS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "peers.md"
COUNT, ROUNDS, FEW = 2048, 300, 64
VARIANTS: list[tuple[str, dict[str, Any]]] = [("metalmania", {"players": 3}), ("overdrive", {"players": 4})]
LEAN = {"observation": "none", "masks": False}


def many(game: str, variant: dict[str, Any], **wishes: Any) -> float:
    """Nanoseconds a step of TableEnv with COUNT games; words are drawn at random outside the clock."""
    envs = TableEnv(game, COUNT, **variant, **wishes)
    envs.reset(seed=1)
    random, every, best = np.random.default_rng(1), np.arange(COUNT), np.inf
    for _ in range(ROUNDS):
        words = envs.legal_words[every, random.integers(envs.legal_counts)].astype(np.int64)
        start = time.process_time()
        envs.step(words)
        best = min(best, time.process_time() - start)
    return best / COUNT * 1e9


def make_bare(engine: Any, label: str) -> Any:
    """The kernel of ``bare``."""
    advance_at, start_at = caller(advance_signature(engine)), caller(start_signature(engine))
    choose_at = caller(engine.signatures["choose"])

    @kernel(label=label)
    def play(doors, minds, jobs, slots, setups, rules, picks, limit, stride):
        """Every game takes its legal action number ``picks[i]`` and goes on to the next decision."""
        door, table = doors[0], rules[0]
        advance, start = advance_at(door.advance[0], door.advance[1]), start_at(door.start[0], door.start[1])
        one = choose_at(door.agent[0, 0], door.agent[0, 1])
        agents = (one, one, one, one, one, one, one, one)
        for i in range(len(picks)):
            slot, job = slots[i], jobs[i]
            slot.answer = slot.options[0].action[picks[i]]
            if advance(agents, minds, job, slot, table, limit, 0) != ASKS:
                job.block += stride
                start(1, job, slot, table, setups[job.setup])
                advance(agents, minds, job, slot, table, limit, 0)

    return play


def loop_alone(game: str, variant: dict[str, Any], count: int) -> Callable[[], float]:
    """A function that lets ``count`` games take a random action in the loop alone; it returns nanoseconds."""
    setting = Setting(game, variant)
    games = Games(setting, count, auto=True, masks=False, seen=False)
    games.open(1)
    random, play = np.random.default_rng(1), make_bare(setting.game.engine, f"benchmarks.{game}")
    given = (games._doors, setting.table.minds, games.jobs, games.slots, setting.setup, setting.rules.packed)

    def step() -> float:
        picks = random.integers(games.slots["waiting"])
        start = time.perf_counter_ns()
        play(*given, picks, setting.game.most_steps, count)
        return time.perf_counter_ns() - start

    return step


def compiled_call(game: str, variant: dict[str, Any], count: int, masks: bool) -> tuple[Callable[[], float], Games]:
    """The same for the compiled call of TableEnv, a random word a game; and its games."""
    games = Games(Setting(game, variant), count, auto=True, masks=masks, seen=False)
    games.open(1)
    random, every = np.random.default_rng(1), np.arange(count)

    def step() -> float:
        words = games.spellings["word"][every, random.integers(games.spellings["n"])].astype(np.int64)
        start = time.perf_counter_ns()
        games.say(words)
        return time.perf_counter_ns() - start

    return step, games


def added(game: str, variant: dict[str, Any]) -> tuple[float, float, float, float]:
    """(ns of the loop alone a decision, decisions a word, ns that the interface adds a word without and with masks).

    FEW games, which fit into the processor's cache, less one game, which is what a call costs whatever it does; the
    three take turns, and each figure is a low quantile, so that what else the machine does matters little.
    """
    found, whole = {}, []
    for count in (1, FEW):
        lean, games = compiled_call(game, variant, count, masks=False)
        steps = [loop_alone(game, variant, count), lean, compiled_call(game, variant, count, masks=True)[0]]
        times = np.empty((3000, 3))
        for row in times:
            row[:] = [step() for step in steps]
            whole.append(float((games.spellings["said"] == 0).all(axis=1).mean()))
        found[count] = np.quantile(times, 0.05, axis=0)
    alone, listed, masked = (found[FEW] - found[1]) / (FEW - 1)
    decisions = float(np.mean(whole[3000:]))
    return alone, decisions, listed - alone * decisions, masked - alone * decisions


def rounds(play: Callable[[int], int]) -> float:
    """Microseconds a step of ``play(seed)``, which says how many it made."""
    best = np.inf
    for seed in range(5):
        start = time.process_time()
        steps = play(seed)
        best = min(best, (time.process_time() - start) / steps)
    return best * 1e6


def pettingzoo(game: str, variant: dict[str, Any], form: str) -> float:
    """Microseconds of ``last`` and ``step`` together."""
    env = aec.env(game, observation=form, **variant)

    def play(seed: int) -> int:
        env.reset(seed=seed)
        steps = 0
        while env.agents:
            _, _, ended, given_up, _ = env.last()
            env.step(None if ended or given_up else int(env.games.spellings["word"][0, 0]))
            steps += 1
        return steps

    return rounds(play)


def gymnasium(game: str, variant: dict[str, Any]) -> float:
    """Microseconds of ``SeatEnv.step`` against ``random``."""
    env = SeatEnv(game, **variant)

    def play(seed: int) -> int:
        env.reset(seed=seed)
        steps, over = 0, False
        while not over:
            _, _, ended, given_up, _ = env.step(int(env.games.spellings["word"][0, 0]))
            steps, over = steps + 1, ended or given_up
        return steps

    return rounds(play)


def openspiel(game: str, variant: dict[str, Any]) -> float:
    """Microseconds of a node: chance or a word, with what may be said."""
    loaded = pyspiel.load_game(f"{game}(players={variant['players']})")

    def play(seed: int) -> int:
        state, random, steps = loaded.new_initial_state(), np.random.RandomState(seed), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[random.randint(len(legal))])
            steps += 1
        return steps

    return rounds(play)


def column(game: str, variant: dict[str, Any]) -> list[str]:
    """The cells of one game, in the order of ROWS."""
    alone, decisions, listed, masked = added(game, variant)
    rows: list[dict[str, Any]] = [{"observation": "none"}, {"observation": "rows"}, {}]
    return [
        f"{pettingzoo(game, variant, 'vector'):.1f} us",
        f"{pettingzoo(game, variant, 'named'):.1f} us",
        f"{openspiel(game, variant):.1f} us",
        f"{gymnasium(game, variant):.1f} us",
        f"{many(game, variant, opponents=['random'], **LEAN):.0f} ns",
        f"{alone:.0f} ns",
        f"{decisions:.2f}",
        f"{listed:.0f} ns",
        f"{masked:.0f} ns",
        f"{many(game, variant, **LEAN):.0f} ns",
        *(f"{many(game, variant, **one):.0f} ns" for one in rows),
    ]


ROWS = [
    "PettingZoo, `last` and `step`, vector",
    "the same with named arrays",
    "OpenSpiel, a node with what may be said",
    "`SeatEnv` against `random`, one game after the other",
    f"`TableEnv` against `random`, {COUNT:,} games, words listed",
    f"the loop alone, a decision, {FEW} games",
    "decisions a word",
    "what the compiled call adds a word, words listed",
    "the same with masks",
    f"`TableEnv`, all seats, {COUNT:,} games, words listed",
    "with masks",
    "with masks and whole numbers",
    "with masks and vectors",
]


def table() -> str:
    """The table in Markdown."""
    columns = [column(game, variant) for game, variant in VARIANTS]
    titles = [f"{game.title()}, {variant['players']} players" for game, variant in VARIANTS]
    lines = [f"| a step | {' | '.join(titles)} |".replace("Metalmania", "Metal Mania"), "|---|---|---|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in zip(ROWS, *columns, strict=True))])


def main() -> None:
    """Print the table, and write it to the page where that is wished for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}")
    given = parser.parse_args()
    found = table()
    print(found)
    if given.write:
        page = PAGE.read_text(encoding="utf-8")
        between = re.compile(r"(<!-- costs -->\n\n).*?(\n\n<!-- end -->)", re.DOTALL)
        PAGE.write_text(between.sub(lambda marks: marks[1] + found + marks[2], page), encoding="utf-8")


if __name__ == "__main__":
    main()
