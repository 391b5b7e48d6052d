"""What a step costs in each interface: ``python -m benchmarks.peers [--write]``.

CPU time of this process, the best of several rounds.  A step is one word.  "The loop alone" is ``advance`` of the
play loop, asked for whole decisions without words, masks or observations.  What ``TableEnv`` adds is its cost a word
less that of the decisions that these words make.  ``--write`` puts the table into ``docs/reference/peers.md``.
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
COUNT, ROUNDS = 2048, 300
VARIANTS: list[tuple[str, dict[str, Any]]] = [("metalmania", {"players": 3}), ("overdrive", {"players": 4})]
LEAN = {"observation": "none", "masks": False}


def many(game: str, variant: dict[str, Any], **wishes: Any) -> tuple[float, float]:
    """(nanoseconds a step of TableEnv, decisions made a step); words are drawn at random outside the clock."""
    envs = TableEnv(game, COUNT, **variant, **wishes)
    envs.reset(seed=1)
    random, every, best, whole = np.random.default_rng(1), np.arange(COUNT), np.inf, 0.0
    for _ in range(ROUNDS):
        words = envs.legal_words[every, random.integers(envs.legal_counts)].astype(np.int64)
        start = time.process_time()
        envs.step(words)
        best = min(best, time.process_time() - start)
        whole += float((envs.games.spellings["said"] == 0).all(axis=1).mean())
    return best / COUNT * 1e9, whole / ROUNDS


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


def bare(game: str, variant: dict[str, Any]) -> float:
    """Nanoseconds a decision of the loop alone, for COUNT games with random actions."""
    setting = Setting(game, variant)
    games = Games(setting, COUNT, auto=True, masks=False, seen=False)
    games.open(1)
    random, best = np.random.default_rng(1), np.inf
    play = make_bare(setting.game.engine, f"benchmarks.{game}")
    for _ in range(ROUNDS):
        picks = random.integers(games.slots["waiting"])
        start = time.process_time()
        play(
            games._doors, setting.table.minds, games.jobs, games.slots, setting.setup, setting.rules.packed, picks,
            setting.game.most_steps, COUNT,
        )  # fmt: skip
        best = min(best, time.process_time() - start)
    return best / COUNT * 1e9


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
    alone = bare(game, variant)
    lean, decisions = many(game, variant, **LEAN)
    masks, _ = many(game, variant, observation="none")
    return [
        f"{pettingzoo(game, variant, 'vector'):.1f} us",
        f"{pettingzoo(game, variant, 'named'):.1f} us",
        f"{openspiel(game, variant):.1f} us",
        f"{gymnasium(game, variant):.1f} us",
        f"{many(game, variant, opponents=['random'], **LEAN)[0]:.0f} ns",
        f"{alone:.0f} ns",
        f"{decisions:.2f}",
        f"{lean:.0f} ns",
        f"{lean - alone * decisions:.0f} ns",
        f"{masks:.0f} ns",
        f"{masks - alone * decisions:.0f} ns",
        f"{many(game, variant, observation='rows')[0]:.0f} ns",
        f"{many(game, variant)[0]:.0f} ns",
    ]


ROWS = [
    "PettingZoo, `last` and `step`, vector",
    "the same with named arrays",
    "OpenSpiel, a node with what may be said",
    "`SeatEnv` against `random`, one game after the other",
    f"`TableEnv` against `random`, {COUNT:,} games, words listed",
    "the loop alone, a decision",
    "decisions a word",
    f"`TableEnv`, all seats, {COUNT:,} games, words listed",
    "what it adds to the loop, a word",
    "the same with masks",
    "what it adds to the loop, a word",
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
