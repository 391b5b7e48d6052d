"""Weights that were found by experiment, shipped as data with the command, the seed and the date that gave them."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import numpy as np

from agents.mcts.leaf import MOST, STAGES, TABLES


def stored(game: str, name: str) -> dict[str, Any]:
    """What is stored as ``agents/GAME/data/NAME.json``; empty where nothing is."""
    file = files(f"agents.{game}") / "data" / f"{name}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def leaf_weights(game: str) -> np.ndarray:
    """Weights of the leaf model, shape (TABLES, STAGES, MOST); 0 where nothing was fitted."""
    weights = np.zeros((TABLES, STAGES, MOST))
    for table in stored(game, "leaf").get("tables", []):
        weights[table["table"]] = np.array(table["weights"])
    return weights
