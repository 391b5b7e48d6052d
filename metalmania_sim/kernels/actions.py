"""Action ids: packing and reading.  An id is ``verb << VERB_SHIFT | detail``; ``detail`` holds, by verb:

| verb | detail | text |
|---|---|---|
| shift | 0 for -1, 1 for +1 | ``shift -1`` |
| keep, decline, skip, funds, beers | 0 | ``keep`` |
| perform, record, advertise | 0 | ``perform`` |
| victim, drink | seat | ``victim 1`` |
| trouble | seat * 8 + position | ``trouble bea`` |
| heal | position (of the asked seat) | ``heal mia`` |
| hire, audition | artist * 8 + instrument | ``hire uma microphone`` |
| assign | artist * 8 + instrument | ``assign uma guitar`` |
| place | a die + DIE_OFFSET a position, DIE_BITS bits each, guitar highest; 0 for an empty fifth | ``place 3251`` |
| use_performance | effect on the fame + 32 | ``use performance -3`` |
| use_recording | bits of the dice rolled again (bit i: ``state.dice[i]``) | ``use recording 66`` |
| use_advertising | i * 128 + new die + DIE_OFFSET (``state.dice[i]`` becomes it) | ``use advertising 4>3`` |
| unpaid | bits of the positions that are not paid (0: none) | ``unpaid mia bob`` |
| company | company | ``company hmrec`` |

Dice of equal value are interchangeable while they lie beside the board (``state.placed == 0``): the ids
then name the first of them.  A die on a position is meant itself (``state.placed == 1``: ``i`` is the position).
A die with NATURAL_SIX (see ``layout``) is another die than one that shows the same value by itself.

``place`` reads without the state: ``die_placed(action, position)``.
"""

from __future__ import annotations

from metalmania_sim.kernels.layout import DIE_BITS, DIE_OFFSET, FIFTH, NATURAL_SIX, VERB_SHIFT
from simcore.kernel import kernel

SIGN_OFFSET = 32
DIE_SHIFT = 7
_DETAIL = (1 << VERB_SHIFT) - 1
_DIE = (1 << DIE_BITS) - 1
_VALUE = NATURAL_SIX - 1


@kernel
def pack(verb, detail):
    """The action id of a verb and its detail (int64)."""
    return (verb << VERB_SHIFT) | detail


@kernel
def verb_of(action):
    """Verb of an action id."""
    return action >> VERB_SHIFT


@kernel
def detail_of(action):
    """Detail field of an action id."""
    return action & _DETAIL


@kernel
def seat_of(action):
    """Seat that ``trouble`` names (``victim`` and ``drink`` name theirs in ``detail_of``)."""
    return (action & _DETAIL) >> 3


@kernel
def position_of(action):
    """Position that ``trouble`` or ``heal`` names."""
    return action & 7


@kernel
def artist_of(action):
    """Artist that ``hire``, ``audition`` or ``assign`` names."""
    return (action & _DETAIL) >> 3


@kernel
def instrument_of(action):
    """Instrument that ``hire``, ``audition`` or ``assign`` names."""
    return action & 7


@kernel
def die_placed(action, position):
    """Die (with NATURAL_SIX where it applies) that ``place`` puts on ``position`` (0 to 4)."""
    return ((action >> (DIE_BITS * (FIFTH - position))) & _DIE) - DIE_OFFSET


@kernel
def fame_effect(action):
    """Effect on the fame of ``use_performance``, signed."""
    return (action & _DETAIL) - SIGN_OFFSET


@kernel
def die_changed(action):
    """Index in ``state.dice`` of the die that ``use_advertising`` changes."""
    return (action & _DETAIL) >> DIE_SHIFT


@kernel
def new_die(action):
    """Die (with NATURAL_SIX where it applies) that ``use_advertising`` leaves."""
    return (action & _DIE) - DIE_OFFSET


@kernel
def value_of(die):
    """Value that a die shows, without NATURAL_SIX."""
    return ((die + DIE_OFFSET) & _VALUE) - DIE_OFFSET


@kernel
def insert(out, first, n, action):
    """Put ``action`` among the ascending ids ``out.action[first:n]`` unless it is there; returns the new ``n``."""
    k = n
    while k > first and out.action[k - 1] > action:
        k -= 1
    if k > first and out.action[k - 1] == action:
        return n
    for i in range(n, k, -1):
        out.action[i] = out.action[i - 1]
    out.action[k] = action
    return n + 1
