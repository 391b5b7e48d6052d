"""Every figure is a function that takes a table and axes and returns the axes; `soundcheck.mplstyle` is their look."""

from experiments.plots.bars import game_length, score_parts
from experiments.plots.curves import LEAST_SEATS, comeback_curve, difficulty_curve, lead_curve, score_by_round
from experiments.plots.dots import (
    excesses,
    paired,
    picks,
    rates,
    ratings,
    skill_ladder,
    uses,
    win_share,
    win_share_panel,
    win_share_runs,
)
from experiments.plots.maps import share_map, style_matrix
from experiments.plots.style import FORMATS, NARROW, WIDE, Draw, Drawing, as_svg, canvas, save, style

__all__ = [
    "FORMATS", "LEAST_SEATS", "NARROW", "WIDE", "Draw", "Drawing", "as_svg", "canvas", "comeback_curve",
    "difficulty_curve", "excesses", "game_length", "lead_curve", "paired", "picks", "rates", "ratings", "save",
    "score_by_round", "score_parts", "share_map", "skill_ladder", "style", "style_matrix", "uses", "win_share",
    "win_share_panel", "win_share_runs",
]  # fmt: skip
