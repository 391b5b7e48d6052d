"""Win shares of a game's positions: by the leaf model of its searches, by a search where there is no model."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from agents.mcts.explain import explain
from agents.mcts.leaf import FEATURES, MODEL, Leaf, features_signature, shares_of
from experiments.explaining import decision_key, seen_by_decider
from experiments.plan import Prepared
from simcore import registry
from simcore.kernel import compiled
from simcore.protocol import MAX_SEATS, SHARES
from simcore.trace import Event

#: Who values a game with stages for which the model has no weights: it plays on to the end.
SEARCH = "mcts:iterations=256,turns=0"


@dataclass(frozen=True)
class Chances:
    """``shares``: float, shape (positions, seats), each row sums to 1, NaN before the first that was asked.

    ``sides``: of the seats; those of one side win together, and each has its part of the side's share.
    ``is_searched``: whether a search spoke instead of the model.
    """

    shares: np.ndarray
    sides: tuple[int, ...]
    is_searched: bool


class _Model:
    """The leaf model of a game, ready to be asked."""

    def __init__(self, prepared: Prepared, leaf: Leaf) -> None:
        self.rules, self.leaf = prepared.rules, leaf
        self.features = compiled(leaf.features, features_signature(prepared.game.engine))
        self.model = np.zeros(1, MODEL)
        self.model["weight"][0] = leaf.weights
        self.seen = self.model["seen"][0]
        assert self.seen.dtype == FEATURES

    def ask(self, state: np.ndarray) -> np.ndarray | None:
        """Win share of each seat, shape (MAX_SEATS,); None where the model has no weights for this stage."""
        self.features(state[0], self.rules.packed[0], self.seen[0])
        if not self.leaf.weights[int(self.seen["table"][0]), int(self.seen["stage"][0])].any():
            return None
        shares = np.zeros(MAX_SEATS)
        # Left open: a search of the same process compiles it for shares that lie in a record.
        shares_of(self.model[0], shares)
        return shares

    def sides(self, state: np.ndarray) -> tuple[int, ...]:
        """Side of every seat."""
        self.features(state[0], self.rules.packed[0], self.seen[0])
        return tuple(int(side) for side in self.seen["side"][0])


def chances(
    prepared: Prepared, number: int, happened: Sequence[Event], end: np.ndarray, turns: Sequence[Hashable]
) -> Chances | None:
    """Chances before each event of game ``number`` and at its ``end``; None for a game without a leaf model.

    ``turns``: the turn that each event belongs to.  The model was fitted on positions in which another seat begins to
    decide; it is asked there, and where a seat begins to decide in a new turn, and until the next its answer stands.
    A game that comes to a stage without weights is valued by SEARCH throughout, so that one measure draws one line.
    At the end the shares are those of the game, where it is finished.
    """
    leaf: Leaf | None = registry.leaf(prepared.game)
    if leaf is None:
        return None
    model = _Model(prepared, leaf)
    asked = _asked(happened, turns, 1)
    valued = {k: model.ask(happened[k].state) for k in asked}
    is_searched = any(shares is None for shares in valued.values())
    if is_searched:
        valued = {k: _searched(prepared, number, happened[k], k) for k in _asked(happened, turns, 2)}
    found = np.full((len(happened) + 1, MAX_SEATS), np.nan)
    for k in range(len(found)):
        shares = valued.get(k)
        found[k] = shares if shares is not None else found[k - 1] if k else np.nan
    last = np.zeros(1, SHARES)
    prepared.game.engine.kernels.returns(end[0], prepared.rules.packed[0], last[0])
    if last["share"][0].sum() > 0:
        found[-1] = last["share"][0]
    return Chances(found[:, : prepared.seats], model.sides(end)[: prepared.seats], is_searched)


def _asked(happened: Sequence[Event], turns: Sequence[Hashable], least: int) -> list[int]:
    """Places of the events with which a seat begins to decide, those with at least so many options.

    A search tries nothing where there is nothing to choose.
    """
    found, before = [], None
    for k, (event, turn) in enumerate(zip(happened, turns, strict=True)):
        if event.kind == "decision" and event.options >= least and (event.seat, turn) != before:
            before = (event.seat, turn)
            found.append(k)
    return found


def _searched(prepared: Prepared, number: int, event: Event, place: int) -> np.ndarray:
    """Mean win share of each seat over everything that the search tried in the position, shape (MAX_SEATS,)."""
    state = seen_by_decider(prepared, event)
    key = decision_key(prepared.plan.seed, number, place)
    options = explain(SEARCH, prepared.game, prepared.rules, state, event.legal, key).options
    tried = [one for one in options if one.visits]
    return np.average([one.shares for one in tried], axis=0, weights=[one.visits for one in tried])
