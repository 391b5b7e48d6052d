"""Overdrive's greedy player as an agent: its weights and what it goes without."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.overdrive.features import FEATURES
from agents.overdrive.kernels.greedy import greedy
from agents.overdrive.kernels.weights import ABLATIONS
from simcore.agent import CompiledAgent
from simcore.errors import unknown


def build(text: str, values: Mapping[str, Any]) -> CompiledAgent:
    """The agent called ``text`` with the weights in ``values``.  Raises UsageError."""
    weights = [float(values[name]) for name in FEATURES]
    taken = _without(text, values["without"])

    def prepare(mind: Any) -> None:
        mind["number"][: len(weights)] = weights
        mind["switch"][0] = taken

    return CompiledAgent(text, greedy, prepare)


def _without(text: str, given: str) -> int:
    """Bits of the ablations that ``given`` names, joined by ``+``.  Raises UsageError."""
    bits = 0
    for word in filter(None, given.split("+")):
        if word not in ABLATIONS:
            raise unknown(f"agent {text!r}: without", "value", word, ABLATIONS)
        bits |= 1 << ABLATIONS.index(word)
    return bits
