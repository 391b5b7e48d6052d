"""Win shares of a position from named features: a softmax over the sides, one vector of weights a stage.

A game says with one kernel ``features(state, rules, out)`` what matters in a position (``out``: FEATURES); the
weights are fitted on games (conditional logit: McFadden, 1974) and shipped as data.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import types

from agents.kernels.memory import function_reader, record_reader
from simcore.kernel import kernel, record, record_type
from simcore.protocol import MAX_SEATS, Engine

#: Bounds: numbers of line-ups with weights of their own, stages of a game, features of a side.
TABLES, STAGES, MOST = 8, 16, 16

#: ``table``: which weights (by number of players, say), ``stage``: how far the game is, ``seats`` in play;
#: ``side``: by seat, who wins together shares; ``number``: features by seat (a side's are the mean of its seats').
FEATURES = record(
    [
        ("table", "i8"), ("stage", "i8"), ("seats", "i8"), ("side", "i8", (MAX_SEATS,)),
        ("number", "f8", (MAX_SEATS, MOST)),
    ]
)  # fmt: skip

MODEL = record([("weight", "f8", (TABLES, STAGES, MOST)), ("seen", FEATURES, (1,))])

model_at = record_reader(MODEL)


def features_signature(engine: Engine) -> Any:
    """Signature of a game's ``features``."""
    return types.void(record_type(engine.state), record_type(engine.rules), record_type(FEATURES))


def features_reader(engine: Engine) -> Any:
    """A kernel that finds the game's ``features`` by its address."""
    return function_reader(features_signature(engine))


def clock_signature(engine: Engine) -> Any:
    """Signature of a game's ``clock``."""
    return types.int64(record_type(engine.state))


@dataclass(frozen=True)
class Leaf:
    """What a game knows of its positions: the kernel, the features' names, weights (TABLES, STAGES, MOST).

    ``clock``: a kernel ``clock(state) -> int64`` (0 or more) that tells the turns of a seat apart which decides alone;
    0 throughout in games in which several seats decide.  None: no seat of this game decides alone.
    """

    features: Any
    names: tuple[str, ...]
    weights: np.ndarray
    clock: Any = None


def make_turn_of(engine: Engine, label: str) -> Any:
    """The kernel that numbers turns: by the seat that decides, and by the game's clock where that never changes."""
    clock_at = function_reader(clock_signature(engine))

    @kernel(label=label)
    def turn_of(settings, state, seat):
        """Whose turn it is, as a number (int64) that is another one when a turn begins."""
        if settings.clock == 0:
            return seat
        return seat + MAX_SEATS * clock_at(settings.clock)(state)

    return turn_of


@kernel
def shares_of(model, shares):
    """Write the win shares (``shares``, in place) of the position whose features are in ``model.seen``."""
    seen = model.seen[0]
    weight = model.weight[seen.table, seen.stage]
    top = -1e300
    # A side's worth stands at its first seat; the others only count as members.
    for seat in range(seen.seats):
        shares[seat] = 0.0
        for k in range(MOST):
            shares[seat] += weight[k] * seen.number[seat, k]
    for seat in range(seen.seats, MAX_SEATS):
        shares[seat] = 0.0
    for seat in range(seen.seats):
        first, members = seen.side[seat], 0
        if first == seat:
            total = 0.0
            for other in range(seat, seen.seats):
                if seen.side[other] == seat:
                    total += shares[other]
                    members += 1
            shares[seat] = total / members
            top = max(top, shares[seat])
    whole = 0.0
    for seat in range(seen.seats):
        if seen.side[seat] == seat:
            shares[seat] = math.exp(shares[seat] - top)
            whole += shares[seat]
    # Downwards, so that a side's first seat, whose number the others read, is divided last.
    for seat in range(seen.seats - 1, -1, -1):
        first, members = seen.side[seat], 0
        for other in range(seen.seats):
            members += seen.side[other] == first
        shares[seat] = shares[first] / whole / members
