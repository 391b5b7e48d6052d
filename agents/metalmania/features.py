"""The features of Metal Mania's greedy player: what it weighs, in which unit, and how much."""

from __future__ import annotations

from agents.overdrive.features import Feature

FEATURES: dict[str, Feature] = {}
