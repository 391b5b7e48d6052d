"""The score of a seat in each game's result record."""

from __future__ import annotations

from metalmania_sim.kernels.layout import SEATS as METALMANIA_SEATS
from overdrive_sim.kernels.layout import SEATS as OVERDRIVE_SEATS
from simcore.kernel import kernel


@kernel
def overdrive_score(result, seat):
    """Victory points of ``seat``, 0 past the last."""
    return result.seat[seat].total if seat < OVERDRIVE_SEATS else 0


@kernel
def metalmania_score(result, seat):
    """Fame of ``seat``, 0 past the last."""
    return result.fame[seat] if seat < METALMANIA_SEATS else 0
