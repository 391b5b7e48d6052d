"""What a step costs in each interface: ``python -m benchmarks.peers``.

CPU time of this process, the best of several rounds.  A step is one word.  "The loop alone" is ``advance`` of the
play loop, asked for whole decisions without words, masks or observations: the difference to the table's lines is
what the interface adds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
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

COUNT, ROUNDS = 2048, 300
VARIANTS: list[tuple[str, dict[str, Any]]] = [("metalmania", {"players": 3}), ("overdrive", {"players": 4})]


def many(game: str, variant: dict[str, Any], **wishes: bool) -> float:
    """Nanoseconds a step of COUNT games in one call, words drawn at random outside the clock."""
    games = Games(Setting(game, variant), COUNT, auto=True, **wishes)
    games.open(1)
    random, every, best = np.random.default_rng(1), np.arange(COUNT), np.inf
    for _ in range(ROUNDS):
        words = games.spellings["word"][every, random.integers(games.spellings["n"])].astype(np.int64)
        start = time.process_time()
        games.say(words)
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


def vector_env(game: str, variant: dict[str, Any]) -> float:
    """Nanoseconds a step of TableEnv with everything it can show."""
    envs = TableEnv(game, COUNT, **variant)
    _, info = envs.reset(seed=1)
    best = np.inf
    for _ in range(20):
        words = info["action_mask"].argmax(1)
        start = time.process_time()
        *_, info = envs.step(words)
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


def main() -> None:
    """Print the table."""
    for game, variant in VARIANTS:
        print(f"{game}, {variant['players']} players")
        print(f"  PettingZoo, vector          {pettingzoo(game, variant, 'vector'):8.1f} us a step")
        print(f"  PettingZoo, named arrays    {pettingzoo(game, variant, 'named'):8.1f} us a step")
        print(f"  Gymnasium, one seat         {gymnasium(game, variant):8.1f} us a step")
        print(f"  OpenSpiel                   {openspiel(game, variant):8.1f} us a node")
        print(f"  Gymnasium, {COUNT} games      {vector_env(game, variant):8.0f} ns a step")
        print(f"    table, everything         {many(game, variant):8.0f} ns a step")
        print(f"    table, masks alone        {many(game, variant, seen=False):8.0f} ns a step")
        print(f"    table, neither            {many(game, variant, seen=False, masks=False):8.0f} ns a step")
        print(f"  the loop alone              {bare(game, variant):8.0f} ns a decision", flush=True)


if __name__ == "__main__":
    main()
