"""The searches as kinds of agents: their parameters, and how their memory is laid out."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from agents.kernels.memory import address_of
from agents.mcts.expectimax import expectimax_of
from agents.mcts.flat import flat_of
from agents.mcts.leaf import MODEL, Leaf, clock_signature, features_signature
from agents.mcts.search import search_of
from agents.mcts.work import FULL, HABIT, MAST_SIZE, MAX_N, NODE, OWN, PARANOID, VALUE, VISITS, WIDEST, work_dtype
from simcore import registry
from simcore.agent import Agent, AgentKind, CompiledAgent, Parameter
from simcore.errors import UsageError
from simcore.kernel import compiled
from simcore.protocol import Engine, Game

#: What a choice by word becomes in the settings.
WORDS: Mapping[str, Mapping[str, int]] = {
    "tree": {"full": FULL, "own": OWN},
    "opponents": {"max_n": MAX_N, "paranoid": PARANOID},
    "final": {"visits": VISITS, "value": VALUE},
    "per": {"decision": 0, "turn": 1},
}

#: Names of policies: kinds of agents, with their parameters as they are by default.
POLICIES = ("rollout", "prior", "opponent")

#: What all searches share: how a position is valued.
_COMMON: Mapping[str, Parameter] = {
    "rollout": Parameter("greedy", "who plays on from a new position: random, or another agent's name"),
    "epsilon": Parameter(0.0, "share of random moves in playouts", low=0.0, high=1.0),
    "turns": Parameter(
        2, "a playout stops when the deciding seat (one alone: its turn) has changed so often; 0: never", low=0,
        high=100_000,
    ),
    "leaf": Parameter("model", "what a stopped playout counts: win shares by the model, or 0", ("model", "none")),
    "prior": Parameter("greedy", "whose choice among what was not yet looked at is next: random, or an agent's name"),
    "seed": Parameter(0, "names another stream for the search's own chance", low=0, high=1 << 62),
}  # fmt: skip

_TREE: Mapping[str, Parameter] = {
    "iterations": Parameter(256, "iterations a decision, or a turn (see per)", low=1, high=1_000_000),
    "per": Parameter("decision", "turn: visits of the kept tree count as iterations", ("decision", "turn")),
    "tree": Parameter("own", "own: only the searching seat's decisions, others move by policy", ("full", "own")),
    "opponents": Parameter("max_n", "every seat for itself, or all against the searching one", ("max_n", "paranoid")),
    "opponent": Parameter("greedy", "who moves for the others where tree=own"),
    "exploration": Parameter(0.2, "UCB1's constant, in win shares", low=0.0, high=100.0),
    "widen": Parameter(1.0, "a node has widen * visits^power children at most; 0: no bound", low=0.0, high=1000.0),
    "power": Parameter(0.4, "see widen", low=0.0, high=1.0),
    "bias": Parameter(0.0, "win share added to the k-th child opened, divided by k and by visits", low=0.0, high=100.0),
    "mast": Parameter(0.0, "share of playout moves chosen by the mean result of actions so far", low=0.0, high=1.0),
    "reuse": Parameter(1, "1: keep the tree within a turn, while no chance is between", low=0, high=1),
    "final": Parameter("visits", "the root action played: most visits, or greatest mean value", ("visits", "value")),
}

_WIDTH = Parameter(8, "actions looked at, the prior's choices first", low=1, high=WIDEST)

_FLAT: Mapping[str, Parameter] = {
    "iterations": Parameter(256, "playouts a decision", low=1, high=1_000_000),
    "width": _WIDTH,
    "halving": Parameter(1, "1: the better half goes on, with as many playouts again", low=0, high=1),
}

_EXPECTIMAX: Mapping[str, Parameter] = {
    "samples": Parameter(4, "samples of the chance after the own action", low=1, high=100_000),
    "width": _WIDTH,
}


def _policy(text: str, key: str, name: str, game: Game) -> CompiledAgent | None:
    """The compiled agent that a search uses as a fast player; None: uniform.  Raises UsageError."""
    if name == "random":
        return None
    agent = registry.agent(name, game)
    if not isinstance(agent, CompiledAgent):
        raise UsageError(f"agent {text!r}: {key}: {name!r} is a Python agent; a search needs a compiled one")
    return agent


class Memory:
    """What belongs to one seated search: its work record, its nodes, its policies' minds.

    ``keep`` holds every array and kernel whose address the kernels read.
    """

    def __init__(self, text: str, game: Game, values: Mapping[str, Any], leaf: Leaf | None) -> None:
        engine = game.engine
        self.work = np.zeros(1, work_dtype(engine))
        self.keep: list[Any] = []
        work, settings = self.work[0], self.work[0]["settings"][0]
        settings["most_steps"] = game.most_steps
        for key in values:
            if key in WORDS:
                settings[key] = WORDS[key][values[key]]
            elif key in POLICIES:
                self.seat_policy(settings, key, _policy(text, key, values[key], game), game)
            elif key != "leaf":
                settings[key] = values[key]
        if "tree" in values:
            self.plant(work, values)
        if leaf is not None:
            self.teach(settings, game, leaf)
        if values["turns"]:
            self.time(settings, game, leaf or registry.leaf(game))
        settings["strolls"] = strolls(settings)
        for name in ("legal", "step", "apply_chance", "returns", "hide", "count", "pick"):
            settings[name] = address_of(getattr(engine.kernels, name), engine.signatures[name])

    def plant(self, work: Any, values: Mapping[str, Any]) -> None:
        """Room for the nodes, twice where a tree is kept, and for MAST's means."""
        capacity = (4 if values["reuse"] else 1) * values["iterations"] + 2
        work["settings"][0]["capacity"] = capacity
        work["kept_node"] = -1
        work["nodes"] = self.address(np.zeros(capacity, NODE))
        if values["reuse"]:
            work["spare"] = self.address(np.zeros(capacity, NODE))
        if values["mast"] > 0.0:
            work["habits"] = self.address(np.zeros(MAST_SIZE, HABIT))

    def teach(self, settings: Any, game: Game, leaf: Leaf) -> None:
        """Give the settings the leaf model's kernel and weights."""
        signature = features_signature(game.engine)
        kernel = compiled(leaf.features, signature)
        self.keep.append(kernel)
        settings["features"] = address_of(kernel, signature)
        model = np.zeros(1, MODEL)
        model["weight"][0] = leaf.weights
        settings["model"] = self.address(model)

    def time(self, settings: Any, game: Game, leaf: Leaf | None) -> None:
        """Give the settings the game's clock, where it has one: turns count the same whatever values a position."""
        if leaf is None or leaf.clock is None:
            return
        signature = clock_signature(game.engine)
        kernel = compiled(leaf.clock, signature)
        self.keep.append(kernel)
        settings["clock"] = address_of(kernel, signature)

    def address(self, array: np.ndarray) -> int:
        """Address of ``array``, which is kept."""
        self.keep.append(array)
        return int(array.ctypes.data)

    def seat_policy(self, settings: Any, key: str, agent: CompiledAgent | None, game: Game) -> None:
        """Give the settings the kernel and the mind of a fast player."""
        if agent is None:
            return
        kernel = game.engine.compile_agent(agent.choose)
        minds = np.zeros(1, game.engine.mind)
        self.keep += [kernel, agent.prepare(minds[0])]
        settings[key] = address_of(kernel, game.engine.signatures["choose"])
        settings[f"{key}_mind"] = self.address(minds)


def strolls(settings: Any) -> bool:
    """Whether playouts are random alone: no seat has a policy, no habit, and no draw decides between them."""
    others_too = settings["tree"] == FULL or settings["opponent"] == 0
    return bool(settings["rollout"] == 0 and others_too and settings["epsilon"] == 0.0 and settings["mast"] == 0.0)


class Search(AgentKind):
    """A search: ``kernel_of`` makes its kernel for an engine."""

    kernel_of: Callable[[Engine], Any]

    def build(self, text: str, game: Game, values: Mapping[str, Any]) -> Agent:
        """The search for ``game``.  Raises UsageError where a leaf model is wanted that the game does not have."""
        leaf = leaf_for(text, game, values)
        for key in POLICIES:
            if key in values:
                _policy(text, key, values[key], game)

        def prepare(mind: Any) -> Any:
            memory = Memory(text, game, values, leaf)
            mind["pool"] = memory.work.ctypes.data
            return memory

        return CompiledAgent(text, type(self).kernel_of(game.engine), prepare)


class Mcts(Search):
    """Monte Carlo tree search: open-loop UCT."""

    name = "mcts"
    doc = "Tree search by sampled games: plays many continuations from here and takes what wins most often."
    parameters = {**_TREE, **_COMMON}  # noqa: RUF012 (declared by AgentKind)
    kernel_of = staticmethod(search_of)


#: Where ``search`` differs from ``mcts``: the tuned player in place of greedy, few children, and those that it would
#: choose first ahead until visits tell them apart (docs/explanation/ladder.md has what was measured).
_STRONGEST: Mapping[str, Any] = {
    "rollout": "tuned", "prior": "tuned", "opponent": "tuned", "bias": 3.0, "power": 0.25,
}  # fmt: skip


class Strongest(Mcts):
    """The tree search of the ladder: the same parameters, their defaults chosen by measured strength."""

    name = "search"
    doc = "Tree search as strong as we know it: mcts with the tuned player as its guide, settings found by experiment."
    parameters = {  # noqa: RUF012
        **Mcts.parameters,
        **{key: dataclasses.replace(Mcts.parameters[key], default=value) for key, value in _STRONGEST.items()},
    }


class Flat(Search):
    """Flat Monte Carlo, optionally by sequential halving."""

    name = "flat"
    doc = "Plays every promising action out equally often, on the same luck, and takes the one that wins most."
    parameters = {**_FLAT, **_COMMON}  # noqa: RUF012
    kernel_of = staticmethod(flat_of)


class Expectimax(Search):
    """Expectimax of depth two."""

    name = "expectimax"
    doc = "Looks at its actions and the best reply to each, with sampled chance, on the leaf of the other searches."
    parameters = {**_EXPECTIMAX, **_COMMON}  # noqa: RUF012
    kernel_of = staticmethod(expectimax_of)


def leaf_for(text: str, game: Game, values: Mapping[str, Any]) -> Leaf | None:
    """The leaf model that the parameters ask for, None for none.  Raises UsageError."""
    if values["turns"] == 0 or values["leaf"] == "none":
        return None
    leaf: Leaf | None = registry.leaf(game)
    if leaf is None:
        raise UsageError(f"agent {text!r}: {game.name} has no leaf model; say turns=0 to play to the end")
    return leaf


MCTS = Mcts()
SEARCH = Strongest()
FLAT = Flat()
EXPECTIMAX = Expectimax()
