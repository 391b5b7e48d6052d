"""The random policy of the rulings (section 3.4), whose mean game lengths they tabulate.

Uniform: action, placement, Step 4 (audition where it can be paid, Funds, Beers), then the artist and its
instrument, target, company, who is not paid.  It never pays to move the event roll, never changes dice,
and adds as much as it can to every own profit while its Performance token is active.
"""

from __future__ import annotations

from metalmania_sim.kernels.actions import artist_of, fame_effect, verb_of
from metalmania_sim.kernels.layout import (
    AUDITION,
    CHOOSE_HIRE,
    CHOOSE_SHIFT,
    CHOOSE_STEP4,
    HIRE,
    RESPOND_DICE,
    RESPOND_FAME,
)  # fmt: skip
from simcore.kernel import kernel
from simcore.streams import draw


@kernel
def rulings(state, rules, legal, n, params, rng):
    """One legal action by the rulings' random policy."""
    last = legal.action[n - 1]
    stage = state.stage
    if stage == RESPOND_FAME:
        # The last id skips; the one before it is the largest addition.
        if state.fame_seat == state.asked and state.change > 0 and fame_effect(legal.action[n - 2]) > 0:
            return legal.action[n - 2]
        return last
    if stage in (RESPOND_DICE, CHOOSE_SHIFT):
        return last
    if stage == CHOOSE_STEP4:
        hires = hires_among(legal, n, AUDITION)
        kind = draw(rng, 3 if hires > 0 else 2)
        return legal.action[n - 1 - kind] if kind < 2 else hire(legal, hires, rng)
    if stage == CHOOSE_HIRE and hires_among(legal, n, HIRE) > 0:
        return hire(legal, hires_among(legal, n, HIRE), rng)
    return legal.action[draw(rng, n)]


@kernel
def hires_among(legal, n, verb):
    """How many of the legal ids, from the first on, have ``verb``."""
    hires = 0
    while hires < n and verb_of(legal.action[hires]) == verb:
        hires += 1
    return hires


@kernel
def hire(legal, hires, rng):
    """One of the first ``hires`` ids: an artist, then one of its instruments."""
    artists = 1
    for k in range(1, hires):
        if artist_of(legal.action[k]) != artist_of(legal.action[k - 1]):
            artists += 1
    chosen = draw(rng, artists)
    first, seen = 0, 0
    while seen < chosen:
        first += 1
        if artist_of(legal.action[first]) != artist_of(legal.action[first - 1]):
            seen += 1
    end = first + 1
    while end < hires and artist_of(legal.action[end]) == artist_of(legal.action[first]):
        end += 1
    return legal.action[first + draw(rng, end - first)]
