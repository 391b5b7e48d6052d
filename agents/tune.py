"""Find the weights of a game's greedy player by experiment, and test them on fresh games.

    python -m agents.tune overdrive --players 4 --trials 300 --games 4000 --seed 1

One trial is one vector of weights, alone at tables of every member of a panel, in every seat on the same luck; its
result is the mean win share.  Vectors come from CMA-ES (Hansen, "The CMA Evolution Strategy: A Tutorial", 2016; the
library cmaes, the extra ``tune``), which begins at the weights as they are.  All trials meet the same games; the
best few, and the mean of the later ones, then play others, and whoever wins there is tested on games that nobody has
played before.  The file ``agents/GAME/data/tuned.json`` keeps, by number of players: weights, command, seed, date and
result of that last test.  The same command gives the same weights.
"""

from __future__ import annotations

import argparse
import datetime
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from agents.contest import Deal, deal, shared_out
from agents.tuned import untuned, weighted
from agents.weights import stored
from simcore import registry
from simcore.agent import Agent
from simcore.protocol import Game

#: Weights are kept to so many digits: what is tested is what is stored.
DIGITS = 4

#: A weight lies between 0 and REACH times where it begins (where that is less than LEAST: times LEAST); the first
#: trials differ from there by SPREAD of it.
REACH, LEAST, SPREAD = 4.0, 0.05, 0.08

#: Trials, and centres of late generations, that go on to the second round.
FINALISTS = 6

#: The second round plays so many times the games of a trial, the test twice that.
MORE = 3

#: Seeds of the second round and of the test are those of other games.
SECOND, TEST = 1_000_003, 2_000_003

Weights = dict[str, float]


def panel_of(game: Game) -> tuple[str, ...]:
    """Who the tuned player is to beat: greedy first of all, and styles that ask for other answers."""
    return {
        "overdrive": ("greedy", "greedy", "hit_collector", "greedy:without=attacks"),
        "metalmania": ("greedy", "greedy", "greedy:v_attack=99", "greedy:v_money=0.2,v_hire=1.5"),
    }[game.name]


def rounded(weights: Mapping[str, float]) -> Weights:
    """Weights as they are stored."""
    return {name: round(float(value), DIGITS) for name, value in weights.items()}


class Trials:
    """The games that every trial plays: ``share(weights)`` is what CMA-ES makes as large as it can."""

    def __init__(self, game: Game, players: int, panel: Sequence[str], build: Callable[[Weights], Agent]) -> None:
        self.game, self.players, self.build = game, players, build
        self.panel = [registry.agent(text, game) for text in panel]

    def deals(self, games: int, seed: int) -> list[Deal]:
        """``games`` games in equal parts against every member of the panel, each on luck of its own."""
        blocks = max(1, games // (self.players * len(self.panel)))
        return [deal(self.game, self.players, seed, k * blocks, blocks) for k in range(len(self.panel))]

    def shares(self, weights: Weights, deals: Sequence[Deal], threads: int, soft: float = 0.0) -> list[np.ndarray]:
        """Block means against every member of the panel, ``soft`` ones (``agents.contest``) where that is above 0."""
        agent = self.build(weights)
        return [shared_out(dealt, agent, rest, threads, soft) for dealt, rest in zip(deals, self.panel, strict=True)]

    def share(self, weights: Weights, deals: Sequence[Deal], threads: int, soft: float = 0.0) -> float:
        """Mean win share over the panel."""
        return float(np.mean([means.mean() for means in self.shares(weights, deals, threads, soft)]))


def search(trials: Trials, begin: Weights, options: argparse.Namespace, tell: Callable[[str], None]) -> list[Weights]:
    """Candidates for the second round: the best of ``options.trials`` trials or a few more, and late centres."""
    from cmaes import CMA

    names = list(begin)
    scale = np.array([max(abs(value), LEAST) for value in begin.values()])
    deals = trials.deals(options.games, options.seed)
    centre = np.array(list(begin.values())) / scale
    bounds = np.tile([0.0, REACH], (len(names), 1))
    strategy = CMA(mean=centre, sigma=SPREAD, bounds=bounds, seed=options.seed)
    tried: list[tuple[float, Weights]] = []
    centres: list[Weights] = []

    def weights_of(point: np.ndarray) -> Weights:
        return rounded(dict(zip(names, point * scale, strict=True)))

    while len(tried) < options.trials:
        points = [strategy.ask() for _ in range(strategy.population_size)]
        weights = [weights_of(point) for point in points]
        shares = [trials.share(one, deals, options.threads, options.soft) for one in weights]
        strategy.tell([(point, -share) for point, share in zip(points, shares, strict=True)])
        tried += list(zip(shares, weights, strict=True))
        centres.append(weights_of(strategy.mean))
        tell(f"{len(tried)} trials: mean {np.mean(shares):.4f}, best {max(shares):.4f}")
    best = sorted(tried, key=lambda one: -one[0])[:FINALISTS]
    return [begin, *centres[:: -max(1, len(centres) // (3 * FINALISTS))][:FINALISTS], *(one for _, one in best)]


def tested(trials: Trials, weights: Weights, panel: Sequence[str], games: int, seed: int, threads: int) -> list[Any]:
    """Win share against every different member of the panel with its standard error, on games of ``seed``."""
    found: dict[str, list[np.ndarray]] = {}
    for text, means in zip(panel, trials.shares(weights, trials.deals(games, seed), threads), strict=True):
        found.setdefault(text, []).append(means)
    rows = []
    for text, parts in found.items():
        means = np.concatenate(parts)
        error = float(means.std(ddof=1) / np.sqrt(len(means))) if len(means) > 1 else float("nan")
        games_played = len(means) * trials.players
        rows.append({"against": text, "share": round(float(means.mean()), 5), "error": round(error, 5)})
        rows[-1]["games"] = games_played
    return rows


def tune(game: Game, options: argparse.Namespace, tell: Callable[[str], None]) -> dict[str, Any]:
    """The entry of one number of players, as stored."""
    panel = tuple(options.panel or panel_of(game))
    trials = Trials(game, options.players, panel, lambda weights: weighted("tuned", game.name, weights))
    stored_ones = {one["players"]: one for one in stored(game.name, "tuned").get("tables", [])}
    before = stored_ones[options.players] if options.further else None
    begin, threads = before["weights"] if before else untuned(game.name), options.threads
    few = search(trials, begin, options, tell)
    deals = trials.deals(MORE * options.games, options.seed + SECOND)
    second = [trials.share(one, deals, threads) for one in few]
    tell("second round: " + " ".join(f"{share:.4f}" for share in second))
    best = few[int(np.argmax(second))]
    rows = tested(trials, best, panel, 2 * MORE * options.games, options.seed + TEST, threads)
    for row in rows:
        tell(f"fresh games: {100 * row['share']:.1f} % +- {100 * row['error']:.1f} against {row['against']}")
    command = f"python -m agents.tune {game.name} --players {options.players} --trials {options.trials}"
    command += f" --games {options.games} --seed {options.seed}"
    command += " --further" if options.further else ""
    command += f" --soft {options.soft:g}" if options.soft else ""
    command += "".join(f" --panel {text}" for text in options.panel or [])
    date = datetime.date.today().isoformat()
    return {
        "players": options.players, "command": f"{before['command']}; {command}" if before else command,
        "seed": options.seed, "date": date, "panel": list(panel), "test": rows, "weights": best,
    }  # fmt: skip


def store(game: Game, entry: dict[str, Any], out: Path | None) -> Path:
    """Put the entry of one number of players into the file, the others stay; returns the file."""
    file = out or Path(__file__).parent / game.name / "data" / "tuned.json"
    entries = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else stored(game.name, "tuned")
    tables = {one["players"]: one for one in entries.get("tables", [])} | {entry["players"]: entry}
    text = json.dumps({"tables": [tables[players] for players in sorted(tables)]}, indent=1)
    file.parent.mkdir(exist_ok=True, parents=True)
    file.write_text(text + "\n", encoding="utf-8")
    return file


def main(arguments: Sequence[str] | None = None) -> None:
    """Tune, test, store."""
    parser = argparse.ArgumentParser(description="tune the weights of a game's greedy player")
    parser.add_argument("game", choices=registry.game_names())
    parser.add_argument("--players", type=int, required=True, help="players at the table")
    parser.add_argument("--trials", type=int, default=300, help="vectors of weights that are tried")
    parser.add_argument("--games", type=int, default=4_000, help="games of one trial")
    parser.add_argument("--soft", type=float, default=0.0, help="trials count exp(score / SOFT) in place of wins")
    parser.add_argument("--further", action="store_true", help="begin at the stored weights instead of greedy's")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--panel", action="append", help="an agent to beat, may be repeated (default: the game's)")
    parser.add_argument("--threads", type=int, default=1, help="results do not depend on it")
    parser.add_argument("--out", type=Path, help="the file (default: in the game's agents' data)")
    options = parser.parse_args(arguments)
    game = registry.game(options.game)
    entry = tune(game, options, lambda line: print(line, flush=True))
    print(f"stored in {store(game, entry, options.out)}")


if __name__ == "__main__":
    main()
