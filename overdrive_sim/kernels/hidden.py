"""What a seat cannot know: the Distortion cards that Metallum holds face down (A-DST-12)."""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.layout import FINISHED, STANDARD
from simcore.bits import nth, popcount
from simcore.kernel import kernel
from simcore.streams import draw


@kernel
def hide(state, rules, viewer, rng):
    """Resample Metallum's hand in place, uniformly from the pile and its hand; every viewer is a human.

    Nothing else is hidden: cards are bought face up, and the order of the piles is no part of a state.
    """
    if state.mode == STANDARD or state.phase == FINISHED:
        return
    holder = state.seat[0]
    n = popcount(holder.hand)
    unseen = state.pile | holder.hand
    hand = np.int64(0)
    for _ in range(n):
        card = np.int64(1) << nth(unseen, draw(rng, popcount(unseen)))
        unseen ^= card
        hand |= card
    holder.hand = hand
    state.pile = unseen
