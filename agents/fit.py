"""Fit a game's leaf model on games of an agent against itself, and test it on fresh ones.

    python -m agents.fit overdrive --games 20000 --seed 1

stores ``agents/GAME/data/leaf.json``: weights, the command, the seed, the date, and what fresh games say of it: Brier
score and reliability.  The same command gives the same weights.
"""

from __future__ import annotations

import argparse
import datetime
import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agents.mcts.kinds import MCTS, Memory
from agents.mcts.leaf import FEATURES, MOST, STAGES, Leaf
from agents.mcts.sample import sampler_of
from simcore import registry
from simcore.protocol import MAX_SEATS, Game
from simcore.streams import stream_key

#: Positions noted of one game, and how many of them are used: neighbours tell little new.
NOTED, USED = 1024, 16

#: Weight of the squared weights, in positions: keeps rare features from running away.
RIDGE = 3.0

#: A seed's test games are those of another master seed.
TEST = 1_000_003


@dataclass(frozen=True)
class Positions:
    """Positions with their ends: features by side (N, MAX_SEATS, MOST), which sides there are, shares, table, stage."""

    number: np.ndarray
    exists: np.ndarray
    share: np.ndarray
    table: np.ndarray
    stage: np.ndarray


def variants(game: Game) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """(name, line-ups) of everything that is to have weights of its own."""
    names = game.entrants(game.rules())
    for players in game.player_counts:
        if players == 1:
            continue
        ups = list(itertools.combinations(names, players)) if names else [()]
        yield f"{players} players", [{"players": players, **({"bands": list(up)} if up else {})} for up in ups]
    for mode, players in (("solo", 1), ("coop", 2), ("coop", 3), ("coop", 4)):
        if not game.difficulties:
            return
        bands = game.entrants(game.rules(), {"mode": mode})
        ups = list(itertools.combinations(bands, players))
        # Every band plays solo; of the many co-op line-ups a seventh does.
        ups = ups if players == 1 else ups[::7]
        yield (
            f"{mode}, {players}",
            [
                {"mode": mode, "players": players, "bands": list(up), "difficulty": level}
                for up in ups
                for level in game.difficulties
            ],
        )


def play(
    game: Game, leaf: Leaf, line_ups: list[dict[str, Any]], games: int, seed: int, policy: str, epsilon: float
) -> Positions:
    """Positions of ``games`` games in which every seat follows ``policy``, a share ``epsilon`` of moves at random."""
    values = {key: one.default for key, one in MCTS.parameters.items()}
    values |= {"iterations": 1, "rollout": policy, "prior": "random", "opponent": "random", "epsilon": epsilon}
    memory = Memory(policy, game, values, leaf)
    sample, kernels, rules = sampler_of(game.engine), game.engine.kernels, game.rules()
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(line_ups))
    setups = [game.setup(line_ups[i], rules) for i in order[:games]]
    seen = np.zeros(NOTED, FEATURES)
    found, shares = [], []
    work = memory.work[0]
    for k in range(games):
        kernels.reset(work["state"][0], rules.packed[0], setups[k % len(setups)][0])
        work["luck"][0]["key"] = stream_key(seed, k, 0)
        work["luck"][0]["ordinal"] = 0
        noted = int(sample(work, rules.packed[0], seen))
        pick = np.sort(rng.choice(noted, min(noted, USED), replace=False))
        found.append(seen[pick].copy())
        shares.append(np.repeat(work["shares"][0]["share"][None], len(pick), axis=0))
    return _by_side(np.concatenate(found), np.concatenate(shares))


def _by_side(seen: np.ndarray, shares: np.ndarray) -> Positions:
    """Features and shares of seats put together by side."""
    rows = len(seen)
    number, share = np.zeros((rows, MAX_SEATS, MOST)), np.zeros((rows, MAX_SEATS))
    members = np.zeros((rows, MAX_SEATS))
    every = np.arange(rows)
    for seat in range(MAX_SEATS):
        plays = seat < seen["seats"]
        side = np.where(plays, seen["side"][:, seat], 0)
        number[every, side] += seen["number"][:, seat] * plays[:, None]
        share[every, side] += shares[:, seat] * plays
        members[every, side] += plays
    exists = members > 0
    number /= np.maximum(members, 1)[..., None]
    return Positions(number, exists, share, seen["table"], seen["stage"])


def chances(weights: np.ndarray, number: np.ndarray, exists: np.ndarray) -> np.ndarray:
    """Softmax over the sides, shape (N, MAX_SEATS)."""
    worth = np.where(exists, number @ weights, -np.inf)
    worth = np.exp(worth - worth.max(axis=1, keepdims=True))
    return worth / worth.sum(axis=1, keepdims=True)


def fit(number: np.ndarray, exists: np.ndarray, share: np.ndarray, steps: int = 30) -> np.ndarray:
    """Weights of greatest likelihood with a ridge: Newton's method on the conditional logit."""
    weights = np.zeros(MOST)
    for _ in range(steps):
        chance = chances(weights, number, exists)
        slope = np.einsum("ns,nsf->f", share - chance, number) - RIDGE * weights
        centre = np.einsum("ns,nsf->nf", chance, number)
        curve = np.einsum("ns,nsf,nsg->fg", chance, number, number) - centre.T @ centre + RIDGE * np.eye(MOST)
        move = np.linalg.solve(curve, slope)
        weights = weights + move
        if np.abs(move).max() < 1e-8:
            break
    return weights


def judge(weights: np.ndarray, positions: Positions) -> dict[str, Any]:
    """Brier score (mean squared error of a side's share), that of knowing nothing, and reliability by tenths."""
    chance = np.zeros_like(positions.share)
    for stage in range(STAGES):
        here = positions.stage == stage
        chance[here] = chances(weights[stage], positions.number[here], positions.exists[here])
    said, came = chance[positions.exists], positions.share[positions.exists]
    fair = (1.0 / positions.exists.sum(axis=1, keepdims=True) * positions.exists)[positions.exists]
    tenth = np.minimum((said * 10).astype(int), 9)
    rows = [
        {"said": float(said[tenth == k].mean()), "came": float(came[tenth == k].mean()), "n": int((tenth == k).sum())}
        for k in range(10)
        if (tenth == k).any()
    ]
    return {
        "brier": float(np.mean((said - came) ** 2)),
        "brier_of_equal_shares": float(np.mean((fair - came) ** 2)),
        "reliability": rows,
    }


def fit_table(game: Game, leaf: Leaf, name: str, line_ups: list[dict[str, Any]], options: argparse.Namespace) -> Any:
    """Weights of one kind of line-up with their test, as stored."""
    arguments = (game, leaf, line_ups)
    train = play(*arguments, options.games, options.seed, options.policy, options.epsilon)
    table = int(train.table[0])
    weights = np.zeros((STAGES, MOST))
    for stage in range(STAGES):
        here = train.stage == stage
        if here.any():
            weights[stage] = fit(train.number[here], train.exists[here], train.share[here])
    test = play(*arguments, max(1, options.games // 4), options.seed + TEST, options.policy, options.epsilon)
    return {"table": table, "name": name, **judge(weights, test), "weights": np.round(weights, 5).tolist()}


def add_play_options(parser: argparse.ArgumentParser, games: int) -> None:
    """What is played, by whom and how often: the options of fitting and of testing a leaf model."""
    parser.add_argument("game", choices=registry.game_names())
    parser.add_argument("--games", type=int, default=games, help="games of each kind of line-up")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--policy", default="greedy", help="who plays")
    parser.add_argument("--epsilon", type=float, default=0.05, help="share of random moves")


def main() -> None:
    """Fit, test, store."""
    parser = argparse.ArgumentParser(description="fit a game's leaf model")
    add_play_options(parser, 20_000)
    parser.add_argument("--out", type=Path, help="the file (default: in the game's agents' data)")
    options = parser.parse_args()
    game = registry.game(options.game)
    leaf = registry.leaf(game)
    tables = []
    for name, line_ups in variants(game):
        tables.append(fit_table(game, leaf, name, line_ups, options))
        one = tables[-1]
        print(f"{name}: Brier {one['brier']:.4f} (equal shares: {one['brier_of_equal_shares']:.4f})", flush=True)
    command = f"python -m agents.fit {options.game} --games {options.games} --seed {options.seed}"
    command += f" --policy {options.policy} --epsilon {options.epsilon}"
    stored = {
        "command": command,
        "seed": options.seed,
        "date": datetime.date.today().isoformat(),
        "features": list(leaf.names),
        "tables": tables,
    }
    out = options.out or Path(__file__).parent / options.game / "data" / "leaf.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(stored) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
