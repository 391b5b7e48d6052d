"""Counter-based random streams: what a draw shows depends on its place alone.

A draw is ``bounded(hash(master seed, block, stream, ordinal), n)``.  Nothing is carried from one draw
to the next but the ordinal, so a game can be replayed from anywhere, no seat can shift another seat's
dice, and the number of workers cannot matter.

The hash is the finaliser of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
generators", OOPSLA 2014) applied to a Weyl sequence whose start is itself hashed from the three keys.
The bounded draw is the multiply-and-reject method of Lemire ("Fast random integer generation in an
interval", ACM TOMACS 2019) on the upper 32 bits: unbiased for every n below 2**32.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import index, lowest
from simcore.kernel import kernel, record

#: Every throw of up to six dice draws below 6**6 and takes the remainder (see ``outcome_of``).
DICE_BASE = 6**6

#: Streams of chance are 0..63 (seats, piles); streams of agents start here, one a seat.
AGENT_STREAMS = 64

#: Streams with which the loop resamples what a seat cannot see, one a seat.
HIDE_STREAMS = 128

#: An agent's own stream: ``key`` names it, ``ordinal`` counts its draws.
RNG = record([("key", "u8"), ("ordinal", "i8")])

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLY_1 = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLY_2 = np.uint64(0x94D049BB133111EB)
_SHIFT_30, _SHIFT_27, _SHIFT_31, _SHIFT_32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_LOW_32 = np.uint64(0xFFFFFFFF)
_TWO_32 = np.uint64(1 << 32)
_ONE = np.uint64(1)
_TO_UNIT = 2.0**-53
_SHIFT_11 = np.uint64(11)

#: 6**k by k, 0 beyond 6: as many dice as a throw may have.
_POWERS = np.array([*(6**k for k in range(7)), 0], np.int64)
#: ``number // 6**k == number * _INVERSES[k] >> 32`` for all numbers below 6**6: a throw is not worth a division.
_INVERSES = np.array([(1 << 32) // max(power, 1) + 1 for power in _POWERS.tolist()], np.int64)


@kernel
def mix(word):
    """SplitMix64's finaliser: a bijection of uint64 words."""
    word = (word ^ (word >> _SHIFT_30)) * _MULTIPLY_1
    word = (word ^ (word >> _SHIFT_27)) * _MULTIPLY_2
    return word ^ (word >> _SHIFT_31)


@kernel
def stream_key(master, block, stream):
    """Key (uint64) of one stream of one block under one master seed (int64 each, any value)."""
    word = mix(np.uint64(master) + _GAMMA)
    word = mix(word ^ (np.uint64(block) * _MULTIPLY_1 + _GAMMA))
    return mix(word ^ (np.uint64(stream) * _MULTIPLY_2 + _GAMMA))


@kernel
def word_at(key, ordinal):
    """The ``ordinal``-th word (uint64) of the stream ``key``."""
    return mix(key + np.uint64(ordinal + 1) * _GAMMA)


@kernel
def bounded(word, n):
    """Unbiased number in [0, n) from ``word``; a rejected word is hashed again (1 <= n < 2**32)."""
    size = np.uint64(n)
    product = (word >> _SHIFT_32) * size
    if (product & _LOW_32) < size:
        threshold = (_TWO_32 - size) % size
        while (product & _LOW_32) < threshold:
            word = mix(word + _GAMMA)
            product = (word >> _SHIFT_32) * size
    return np.int64(product >> _SHIFT_32)


@kernel
def outcome_at(key, ordinal, n):
    """Outcome in [0, n) of the ``ordinal``-th chance event of a stream.

    Where n divides 6**6 (every throw of up to six dice) the draw is made below 6**6 and its remainder
    taken: throws of different sizes then agree in their first dice.
    """
    dice = lowest(n) & 7
    if n == _POWERS[index(dice)]:
        number = bounded(word_at(key, ordinal), DICE_BASE)
        return number - (number * _INVERSES[index(dice)] >> 32) * n
    if DICE_BASE % n == 0:
        return bounded(word_at(key, ordinal), DICE_BASE) % n
    return bounded(word_at(key, ordinal), n)


@kernel
def draw(rng, n):
    """The next number in [0, n) of an agent's stream (RNG record, advanced by one)."""
    value = bounded(word_at(rng.key, rng.ordinal), n)
    rng.ordinal += 1
    return value


@kernel
def draw_unit(rng):
    """The next float64 in [0, 1) of an agent's stream (RNG record, advanced by one)."""
    word = word_at(rng.key, rng.ordinal)
    rng.ordinal += 1
    return np.float64(word >> _SHIFT_11) * _TO_UNIT
