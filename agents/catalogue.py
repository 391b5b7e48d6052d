"""The kinds of agents that come with this distribution, as the entry points name them."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from agents.kernels.uniform import uniform
from agents.metalmania.features import FEATURES as METALMANIA_FEATURES
from agents.overdrive.features import FEATURES as OVERDRIVE_FEATURES
from agents.overdrive.kernels.weights import ABLATIONS
from agents.restricted import restrict
from simcore.agent import Agent, AgentKind, CompiledAgent, Parameter
from simcore.errors import UsageError, unknown
from simcore.protocol import Game

RULINGS = "rulings"


class Random(AgentKind):
    """Chance alone: the floor of every comparison."""

    name = "random"
    doc = "Any legal action, each with the same chance."
    parameters: Mapping[str, Parameter] = {
        "as": Parameter(
            "uniform",
            "uniform: over what the engine offers; rulings (Metal Mania): the rulings' random policy, "
            "no event money and no bonuses but +X on every own profit",
            allowed=("uniform", RULINGS),
        )
    }

    def build(self, text: str, game: Game, values: Mapping[str, Any]) -> Agent:
        """The agent; ``as=rulings`` is for Metal Mania alone.  Raises UsageError."""
        if values["as"] != RULINGS:
            return CompiledAgent(text, uniform, blind=True)
        if game.name != "metalmania":
            raise UsageError(f"agent {text!r}: as=rulings plays metalmania only, not {game.name}")
        return CompiledAgent(text, importlib.import_module("agents.metalmania.kernels.rulings").rulings)


def _weights() -> dict[str, Parameter]:
    """One parameter a feature of either game."""
    both = [("Overdrive", OVERDRIVE_FEATURES), ("Metal Mania", METALMANIA_FEATURES)]
    return {
        name: Parameter(feature.weight, f"{title}: {feature.doc} ({feature.unit})")
        for title, features in both
        for name, feature in features.items()
    }


class Greedy(AgentKind):
    """One step ahead by a hand-made evaluation: the yardstick of sensible play."""

    name = "greedy"
    doc = "The action after which its position looks best, by named features; no search."
    games = ("overdrive", "metalmania")
    parameters: Mapping[str, Parameter] = {
        "without": Parameter("", f"never done, joined by +; Overdrive, nor thought of: {', '.join(ABLATIONS)}"),
        **_weights(),
    }

    def build(self, text: str, game: Game, values: Mapping[str, Any]) -> Agent:
        """The agent with its weights.  Raises UsageError for a parameter of the other game."""
        features = OVERDRIVE_FEATURES if game.name == "overdrive" else METALMANIA_FEATURES
        own = {*features, "without", "first"}
        for part in filter(None, text.partition(":")[2].split(",")):
            if part.partition("=")[0] not in own:
                raise unknown(f"agent {text!r}: {game.name}", "parameter", part.partition("=")[0], own)
        words = list(filter(None, values["without"].split("+")))
        thought = [word for word in words if word in ABLATIONS and game.name == "overdrive"]
        others = [word for word in words if word not in thought]
        build = importlib.import_module(f"agents.{game.name}.greedy").build
        agent: Agent = build(text, {**values, "without": "+".join(thought)})
        return restrict(agent, game, "+".join(others), "") if others else agent


RANDOM = Random()
GREEDY = Greedy()
