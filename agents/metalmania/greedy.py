"""Metal Mania's greedy player as an agent: its weights, and the table that its kernels fill on demand."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.metalmania.features import FEATURES
from agents.metalmania.kernels.greedy import greedy
from agents.metalmania.kernels.matching import EMPTY, TABLE_SIZE, TABLES
from simcore.agent import CompiledAgent


@functools.lru_cache(maxsize=64)
def _table(trouble: float, inactive: float) -> np.ndarray:
    """Expected worths of throws under these two weights, one array for all agents that share them.

    Several threads may fill a cell at the same time: they write the same number.
    """
    return np.full(TABLES * TABLE_SIZE, EMPTY)


def build(text: str, values: Mapping[str, Any]) -> CompiledAgent:
    """The agent called ``text`` with the weights in ``values``."""
    weights = [float(values[name]) for name in FEATURES]

    def prepare(mind: Any) -> Any:
        table = _table(float(values["v_trouble"]), float(values["v_inactive"]))
        mind["number"][: len(weights)] = weights
        mind["pool"] = table.ctypes.data
        return table

    return CompiledAgent(text, greedy, prepare)
