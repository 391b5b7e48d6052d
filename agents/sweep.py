"""Is every parameter of every agent alive?  Each is set to another value, and games are played until one changes.

    python -m agents.sweep overdrive --agent greedy --agent search

plays at most a thousand games a parameter, few where the first already differ, and names the parameters that changed
none of them (exit code 1).  Without ``--agent``: every kind of agent that plays the game.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from agents.contest import Deal, deal
from simcore import registry
from simcore.agent import AgentKind, CompiledAgent, Parameter
from simcore.play import play_jobs
from simcore.protocol import Game

#: Games after which results are compared; the last is the most.
LOOKS = (6, 30, 150, 1000)

#: Players at the table, the agent alone among greedy ones.
PLAYERS = 3

#: Budgets small enough for a thousand games.
SMALL: Mapping[str, str] = {
    "mcts": "iterations=16", "search": "iterations=16", "flat": "iterations=16", "expectimax": "samples=2",
}  # fmt: skip

#: Another value of a parameter, and what must be set for it to matter.
KNOBS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "mcts": {
        "iterations": ("12", ""), "per": ("turn", ""), "tree": ("full", "iterations=100"),
        "opponents": ("paranoid", "tree=full,iterations=100,power=0.25"),
        "exploration": ("2.5", ""), "rollout": ("random", ""), "opponent": ("random", "tree=own"),
        "epsilon": ("0.5", ""), "turns": ("1", ""), "leaf": ("none", ""), "prior": ("random", ""), "widen": ("0", ""),
        "power": ("0.9", ""), "bias": ("5", ""), "mast": ("0.9", "rollout=random,turns=6"), "reuse": ("0", ""),
        "final": ("value", "widen=0,exploration=2"), "seed": ("5", ""),
    },
    "flat": {
        "iterations": ("40", ""), "width": ("3", ""), "halving": ("0", ""), "rollout": ("random", ""),
        "epsilon": ("0.5", ""), "turns": ("1", ""), "leaf": ("none", ""), "prior": ("random", "width=2"),
        "seed": ("5", ""),
    },
    "expectimax": {
        "samples": ("1", ""), "width": ("3", ""), "rollout": ("random", ""), "epsilon": ("0.5", ""),
        "turns": ("1", ""), "leaf": ("none", ""), "prior": ("random", "width=2"), "seed": ("5", ""),
    },
    "tuned": {"players": ("4", "")},
    "random": {"as": ("rulings", "")},
}  # fmt: skip

#: Words that ``without`` of greedy takes, by game.
WITHOUT: Mapping[str, str] = {"overdrive": "hits", "metalmania": "bonuses"}


@dataclass(frozen=True)
class Knob:
    """A parameter of an agent: the agent ``base`` and the ``other``, which differ in it alone."""

    kind: str
    name: str
    base: str
    other: str


def knobs(kind: AgentKind, game: Game) -> Iterator[Knob]:
    """Every parameter that this kind of agent has in this game."""
    listed = KNOBS.get("mcts" if kind.name == "search" else kind.name, {})
    for name, parameter in kind.parameters.items():
        if (kind.name, name, game.name) == ("random", "as", "overdrive") or not is_of(name, kind, game):
            continue
        value, needs = listed.get(name) or (another(name, parameter, game), "")
        small = SMALL.get(kind.name, "")
        base = f"{kind.name}:" + ",".join(filter(None, [small, needs]))
        yield Knob(
            kind.name, name, base.rstrip(":"), f"{base.rstrip(',')}{'' if base[-1] == ':' else ','}{name}={value}"
        )


def at_zero(knob: Knob) -> Knob:
    """The same weight taken away, for one whose greater value decides no more than its own; others stay as they are."""
    return dataclasses.replace(knob, other=f"{knob.base}:{knob.name}=0") if ":" not in knob.base else knob


def is_of(name: str, kind: AgentKind, game: Game) -> bool:
    """Whether the parameter belongs to the game: weights of greedy are of one game each."""
    if kind.name != "greedy" or name in ("without", "first"):
        return True
    return name.startswith({"overdrive": "w_", "metalmania": "v_"}[game.name])


def another(name: str, parameter: Parameter, game: Game) -> str:
    """Another value than the default."""
    if name == "without":
        return WITHOUT[game.name]
    return str(3 * parameter.default if parameter.default else 2.0)


def changed(game: Game, knob: Knob, dealt: Deal) -> int:
    """Games after which the two agents' results differ, 0 where they never do."""
    base, other = (registry.agent(text, game) for text in (knob.base, knob.other))
    rest = registry.agent("greedy", game)
    done = 0
    for look in LOOKS:
        part = dealt.part(done // dealt.players, look // dealt.players)
        one, two = (
            play_jobs(game, [game.rules()], part.setups, part.jobs, [agent, rest], dealt.seed).results
            for agent in (base, other)
        )
        if not np.array_equal(_values(one), _values(two)):
            return look
        done = look
    return 0


def _values(results: np.ndarray) -> np.ndarray:
    """Results as values: the padding of records is nobody's."""
    return np.array([repr(row) for row in results.tolist()])


def kinds_of(game: Game) -> list[str]:
    """Kinds of compiled agents that play the game."""
    found = []
    for name in registry.agent_names():
        kind = registry.kind(name)
        if (not kind.games or game.name in kind.games) and isinstance(registry.agent(name, game), CompiledAgent):
            found.append(name)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Sweep, tell, and say whether all are alive."""
    parser = argparse.ArgumentParser(description="find parameters of agents that change no game")
    parser.add_argument("game", choices=registry.game_names())
    parser.add_argument("--agent", action="append", help="a kind of agent, may be repeated (default: all)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    game = registry.game(options.game)
    dealt = deal(game, PLAYERS, options.seed, 0, LOOKS[-1] // PLAYERS + 1)
    dead = 0
    for name in options.agent or kinds_of(game):
        for knob in knobs(registry.kind(name), game):
            look = changed(game, knob, dealt) or changed(game, at_zero(knob), dealt)
            dead += not look
            said = f"within {look} games" if look else f"NOTHING in {LOOKS[-1]} games"
            print(f"{knob.kind:<20} {knob.name:<16} {knob.other}: {said}", flush=True)
    print(f"{dead} parameters changed nothing" if dead else "every parameter changes a game")
    return int(dead > 0)


if __name__ == "__main__":
    sys.exit(main())
