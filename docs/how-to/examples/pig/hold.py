"""A compiled agent for Pig with one parameter: roll until the pot is worth holding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simcore.agent import Agent, AgentKind, CompiledAgent, Parameter
from simcore.kernel import kernel
from simcore.protocol import Game


@kernel
def choose(state, rules, legal, n, params, rng):
    """Hold at the limit, or with enough to win."""
    enough = rules.goal - state.points[state.turn]
    return 0 if state.pot >= params.switch[0] or state.pot >= enough else 1


class Hold(AgentKind):
    """Rolls until the turn's points reach ``at``."""

    name = "hold"
    doc = "Pig: rolls until the turn's points reach a limit."
    games = ("pig",)
    parameters: Mapping[str, Parameter] = {"at": Parameter(20, "points at which it holds", low=2, high=100)}

    def build(self, text: str, game: Game, values: Mapping[str, Any]) -> Agent:
        """A limit is one whole number, which the kernel finds in ``params.switch``."""

        def prepare(mind: Any) -> None:
            mind["switch"][0] = values["at"]

        return CompiledAgent(text, choose, prepare)


HOLD = Hold()
