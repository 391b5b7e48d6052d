"""Overdrive's leaf model: its features, and the weights that ``python -m agents.fit`` stored."""

from __future__ import annotations

from agents.mcts.leaf import Leaf
from agents.overdrive.kernels.position import NAMES, clock, features
from agents.weights import leaf_weights

LEAF = Leaf(features, NAMES, leaf_weights("overdrive"), clock)
