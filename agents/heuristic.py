"""What a game's greedy player thinks of every option of one decision: its worth, and the terms that make it up."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from numba import types

from agents.tuned import untuned, weighted, weights_for
from simcore.kernel import compiled
from simcore.protocol import Game

#: A weight's term is what the worth gains when the weight grows by this part, divided by the part.
_PART = 1e-3

#: Terms nearer to 0 are not told.
LEAST = 5e-3


@dataclass(frozen=True)
class Worth:
    """An option's ``worth`` in the heuristic's unit, and the weights' ``terms`` of it, greatest first.

    Weights that worths are proportional to have terms that sum to the worth; those of weights that bend it (how fast
    money loses worth, say) tell by how much it would grow if the weight did in the same proportion.
    """

    action: int
    worth: float
    terms: tuple[tuple[str, float], ...]


def has_heuristic(game: Game) -> bool:
    """Whether a greedy player of this game is there."""
    return find_spec(f"agents.{game.name}") is not None


def weights_of(text: str, game: Game, players: int) -> dict[str, float]:
    """The weights that a search with the prior ``text`` goes by: tuned ones for ``tuned``, else greedy's."""
    return {**untuned(game.name), **(weights_for(game.name, players) if text.startswith("tuned") else {})}


def worths(game: Game, rules: Any, state: np.ndarray, legal: np.ndarray, weights: Mapping[str, float]) -> list[Worth]:
    """Every option in ``legal`` (int64, shape (n,)) of the position ``state`` (shape (1,)) with its terms."""
    plain = _all_worths(game, rules, state, legal, weights)
    terms = {
        name: (_all_worths(game, rules, state, legal, {**weights, name: weight * (1 + _PART)}) - plain) / _PART
        for name, weight in weights.items()
        if weight
    }
    found = []
    for k, action in enumerate(legal.tolist()):
        own = [(name, float(term[k])) for name, term in terms.items() if abs(float(term[k])) >= LEAST]
        found.append(Worth(int(action), float(plain[k]), tuple(sorted(own, key=lambda one: -abs(one[1])))))
    return found


def _all_worths(
    game: Game, rules: Any, state: np.ndarray, legal: np.ndarray, weights: Mapping[str, float]
) -> np.ndarray:
    """Worths of the options under these weights, shape (n,)."""
    engine = game.engine
    arguments = list(engine.signatures["choose"].args)[:-1]
    kernel = importlib.import_module(f"agents.{game.name}.kernels.options").worths
    ask = compiled(kernel, types.void(*arguments, types.float64[::1]))
    minds, options, out = np.zeros(1, engine.mind), np.zeros(1, engine.options), np.zeros(len(legal))
    kept = weighted("heuristic", game.name, weights).prepare(minds[0])
    options["action"][0, : len(legal)] = legal
    ask(state[0], rules.packed[0], options[0], len(legal), minds[0], out)
    del kept
    return out
