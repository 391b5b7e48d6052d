"""Action ids: packing and reading.  See ``layout`` for the fields; ``detail`` holds, by verb:

| verb | target | dice | detail |
|---|---|---|---|
| allocate acoustic | space | used | track |
| allocate improvisation, new_riff | space | used | 1 + pair (0: no effect, option void_allocation) |
| allocate jam_session | space | used | 1 + take (0 as above) |
| allocate opportunity | space | used | 1 + target that is cleared (0 as above) |
| allocate a Hit | HIT + number | used | way (0, or 1 for Day Filler's two-Skull way) |
| allocate anything else | space | used | 0 |
| reroll | 0 | re-rolled | number of the multiset of shielded dice among them |
| set | 0 | 0 | pair |
| buy_level | 0 | 0 | track |
| buy_hit | HIT + number | 0 | cancelled face, ANY for "?" |
| buy_distortion | 0 | 0 | card (the lowest of equal ones) |
| play | 0 | 0 | card << ARGUMENT_BITS, plus the argument |
| ability | 0 for A, 1 for B | re-rolled (Epic Gods A) | pair, take, target, or as reroll |
| copy | 0, 1, 2 for A, B, C | 0 | band |
| raise | 0 | 0 | track, 4 for none |
| claim | 0 | 0 | award |
| shield | 0 | 0 | face, 4 for none |
| attack, victim | 0 | 0 | seat * 4 + face |
| metallum_hit | HIT + number | 0 | 0 |
| metallum_cancel | 0 | 0 | face, ANY for "?" |

A *pair* is ``(from + 4 where that die is shielded) * 4 + to``; a *take* is ``target * 32 + owner * 4 + face``.
The argument of ``play``: the target that is cleared (#4); the new face (#5), or with card5 = each_free the
number of the multiset that the Skulls become; up to three pairs + 1 in base 33, ascending from the lowest
digit, missing ones 0 last (#7, #9); a pair (#12); the protected face (#13, #14); 0 otherwise.

A choice of faces (#7, #9) is offered once for each result, with as few pairs as it takes: no face is both
left and entered (among the shielded dice, and among the others), and the n-th lowest face that is left
becomes the n-th lowest that is entered.  In a re-roll the dice are thrown in the order H S C I, of one face
the unshielded first.
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.layout import (
    BORROWED_BITS,
    BORROWED_SHIFT,
    DETAIL_BITS,
    DICE_BITS,
    DICE_SHIFT,
    PLAY,
    TARGET_BITS,
    TARGET_SHIFT,
    VERB_SHIFT,
    VIRTUAL_BITS,
    VIRTUAL_SHIFT,
)  # fmt: skip
from simcore.kernel import kernel

PAIR_BASE = 33
ARGUMENT_BITS = 18  # of a card that is played; the card stands above it, so that ids ascend by card
NO_RAISE = 4
NO_SHIELD = 4


@kernel
def pack(verb, target, dice, virtual, borrowed, detail):
    """The action id of these fields (int64)."""
    return (
        (np.int64(verb) << VERB_SHIFT)
        | (np.int64(target) << TARGET_SHIFT)
        | (np.int64(dice) << DICE_SHIFT)
        | (np.int64(virtual) << VIRTUAL_SHIFT)
        | (np.int64(borrowed) << BORROWED_SHIFT)
        | np.int64(detail)
    )


@kernel
def plain(verb, detail):
    """The action id of a verb that needs no more than ``detail``."""
    return (np.int64(verb) << VERB_SHIFT) | np.int64(detail)


@kernel
def verb_of(action):
    """Verb of an action id."""
    return action >> VERB_SHIFT


@kernel
def target_of(action):
    """Target field of an action id."""
    return (action >> TARGET_SHIFT) & ((1 << TARGET_BITS) - 1)


@kernel
def dice_of(action):
    """Number (0..209) of the multiset of own dice of an action id."""
    return (action >> DICE_SHIFT) & ((1 << DICE_BITS) - 1)


@kernel
def virtual_of(action):
    """Single-use faces that join an allocation."""
    return (action >> VIRTUAL_SHIFT) & ((1 << VIRTUAL_BITS) - 1)


@kernel
def borrowed_of(action):
    """Bits of the entries of ``locked`` that an allocation uses."""
    return (action >> BORROWED_SHIFT) & ((1 << BORROWED_BITS) - 1)


@kernel
def detail_of(action):
    """Detail field of an action id."""
    return action & ((1 << DETAIL_BITS) - 1)


@kernel
def play(card, argument):
    """The action id of playing a Distortion card."""
    return (np.int64(PLAY) << VERB_SHIFT) | (np.int64(card) << ARGUMENT_BITS) | np.int64(argument)


@kernel
def card_of(action):
    """Card of a ``play`` action."""
    return (action & ((1 << DETAIL_BITS) - 1)) >> ARGUMENT_BITS


@kernel
def argument_of(action):
    """Argument of a ``play`` action."""
    return action & ((1 << ARGUMENT_BITS) - 1)


@kernel
def pair(origin, is_shielded, target_face):
    """Pair code of a change of one die from face ``origin`` to ``target_face``."""
    return (origin + 4 * is_shielded) * 4 + target_face


@kernel
def take(target, owner, face):
    """Take code of a die of ``owner`` showing ``face`` that lies on ``target``."""
    return target * 32 + owner * 4 + face
