"""What a seat sees of Metal Mania, as one row of small numbers; nothing in this game is hidden.

Seats come in the order of the chairs from the viewer on: 0 the viewer itself.
"""

from __future__ import annotations

import numpy as np

from metalmania_sim.kernels.actions import value_of
from metalmania_sim.kernels.band import beers_dice, characteristic, instrument_at
from metalmania_sim.kernels.layout import (
    ARTISTS,
    BAND,
    CHOOSE_SHIFT,
    COMPANIES,
    LAST_CHANCE,
    MOST_DICE,
    NOBODY,
    OVER,
    PLACE_DICE,
    RESPOND_DICE,
    RESPOND_FAME,
)  # fmt: skip
from simcore.bits import popcount
from simcore.kernel import kernel

STAGES = OVER - LAST_CHANCE

#: (name, numbers a seat, least, most, meaning) of what is seen of each seat, in order.
SEAT_FIELDS = (
    ("fame", 1, 0, 999, "fame"),
    ("money", 1, 0, 999, "dollars"),
    ("artists", ARTISTS, 0, 1, "artists of the band, in file order"),
    ("at", BAND, 0, ARTISTS, "1 + artist on the guitar, microphone, bass, drums, fifth position, 0 nobody"),
    ("instrument", BAND, 0, 6, "1 + instrument played there, 0 none"),
    ("tests", (3, BAND), 0, 12, "what Performance, Recording, Advertising test there: a die up to it is a hit"),
    ("beers", BAND, 0, 12, "dice rolled there for Beers"),
    ("reputation", BAND, 0, 20, "price, and fame on discard, of the artist there"),
    ("condition", BAND, 0, 2, "0 active, 1 troublesome, 2 inactive"),
    ("levels", 3, 0, 3, "levels of Performance, Recording, Advertising"),
    ("tokens", 3, 0, 1, "1 while the active face shows"),
    ("points", 3, 0, 3, "points of a bonus already spent (bonus_amount = split)"),
    ("company", COMPANIES, 0, 1, "the record company"),
    ("flags", 2, 0, 1, "the next wages are free; plays in this game"),
    ("turns", 1, 0, 999, "own turns begun"),
)

#: The same of the table; ``seats`` stands for the number of seats.
TABLE_FIELDS = (
    ("display", ARTISTS, 0, 1, "artists on display"),
    ("deck", ARTISTS, 0, 1, "artists in the deck"),
    ("discarded", ARTISTS, 0, 1, "artists discarded"),
    ("companies", COMPANIES, 0, 1, "companies on the table"),
    ("turn", "seats", 0, 1, "whose turn it is"),
    ("asked", "seats", 0, 1, "who decides"),
    ("first", "seats", 0, 1, "who began"),
    ("touched", "seats", 0, 1, "who used Performance on the pending change of fame"),
    ("fame_of", "seats", 0, 1, "whose fame changes, where a change is pending"),
    ("stage", STAGES, 0, 1, "what is decided, in the order of the engine's stages"),
    ("phase", 1, 0, 5, "event, action, choice, wages, over, set-up"),
    ("dice", MOST_DICE, -16, 31, "dice that wait for a response or a place, as actions name them, 0 none"),
    ("sixes", MOST_DICE, 0, 1, "dice that hide how they fell (judge = natural_six_fails)"),
    ("throw", 5, 0, 6, "kind of the throw, its dice, whether they are placed, its equalizer, Steps 4 to make"),
    ("change", 2, -99, 99, "pending change of fame as printed, as it is now"),
    ("notes", 6, -12, 63, "shift of the event roll, source of the fame, levels to rise, passes in a row, 1 + equalizer "
                          "of a gift, a miracle happened"),
)  # fmt: skip


@kernel
def see(state, rules, viewer, rows, i):
    """Write what ``viewer`` sees to ``rows[i]`` (zeroed, int16) by the fields above; returns how many numbers."""
    seats = np.int64(state.players)
    k = np.int64(0)
    for other in range(seats):
        k = _see_seat(state.seat[(viewer + other) % seats], rules, rows, i, k)
    k = _bits(rows, i, k, np.int64(state.display), ARTISTS)
    k = _bits(rows, i, k, np.int64(state.deck), ARTISTS)
    k = _bits(rows, i, k, np.int64(state.discard), ARTISTS)
    k = _bits(rows, i, k, np.int64(state.companies), COMPANIES)
    return _see_moment(state, viewer, seats, rows, i, k)


@kernel
def _bits(rows, i, k, mask, size):
    """One number a bit of ``mask``."""
    while mask:
        rows[i, k + popcount((mask & -mask) - 1)] = 1
        mask &= mask - 1
    return k + size


@kernel
def _see_seat(me, rules, rows, i, k):
    rows[i, k] = min(np.int64(me.fame), 999)
    rows[i, k + 1] = min(np.int64(me.money), 999)
    k += 2
    places = k + ARTISTS
    for position in range(BAND):
        artist = np.int64(me.artist[position])
        if artist == NOBODY:
            continue
        rows[i, k + artist] = 1
        rows[i, places + position] = artist + 1
        rows[i, places + BAND + position] = instrument_at(me, position) + 1
        for equalizer in range(3):
            rows[i, places + (2 + equalizer) * BAND + position] = characteristic(me, rules, position, equalizer)
        rows[i, places + 5 * BAND + position] = beers_dice(me, rules, position)
        rows[i, places + 6 * BAND + position] = rules.price[artist]
        rows[i, places + 7 * BAND + position] = me.condition[position]
    k = places + 8 * BAND
    for equalizer in range(3):
        rows[i, k + equalizer] = me.level[equalizer]
        rows[i, k + 3 + equalizer] = me.token[equalizer]
        rows[i, k + 6 + equalizer] = me.points[equalizer]
    k += 9
    if me.company >= 0:
        rows[i, k + np.int64(me.company)] = 1
    k += COMPANIES
    rows[i, k] = me.free_wages != 0
    rows[i, k + 1] = 1
    rows[i, k + 2] = min(np.int64(me.turns), 999)
    return k + 3


@kernel
def _see_moment(state, viewer, seats, rows, i, k):
    """Who is asked for what; a throw and a change of fame only while they are pending: what they leave is nobody's."""
    stage = np.int64(state.stage)
    rows[i, k + (np.int64(state.turn) - viewer) % seats] = 1
    rows[i, k + seats + (np.int64(state.asked) - viewer) % seats] = 1
    rows[i, k + 2 * seats + (np.int64(state.first_player) - viewer) % seats] = 1
    k += 3 * seats
    if stage == RESPOND_FAME:
        for seat in range(seats):
            rows[i, k + (seat - viewer) % seats] = np.int64(state.touched) >> seat & 1
        rows[i, k + seats + (np.int64(state.fame_seat) - viewer) % seats] = 1
    k += 2 * seats
    if LAST_CHANCE < stage <= OVER:
        rows[i, k + stage - LAST_CHANCE - 1] = 1
    rows[i, k + STAGES] = state.phase
    k += STAGES + 1
    if stage in (RESPOND_DICE, CHOOSE_SHIFT, PLACE_DICE):
        for n in range(np.int64(state.dice_count)):
            die = np.int64(state.dice[n])
            rows[i, k + n] = value_of(die)
            rows[i, k + MOST_DICE + n] = value_of(die) != die
        rows[i, k + 2 * MOST_DICE] = state.throw_kind
        rows[i, k + 2 * MOST_DICE + 1] = state.dice_count
        rows[i, k + 2 * MOST_DICE + 2] = state.placed
        rows[i, k + 2 * MOST_DICE + 3] = state.equalizer
        rows[i, k + 2 * MOST_DICE + 7] = state.offset
    k += 2 * MOST_DICE
    rows[i, k + 4] = state.choices_left
    if stage == RESPOND_FAME:
        rows[i, k + 5] = min(max(np.int64(state.printed_change), -99), 99)
        rows[i, k + 6] = min(max(np.int64(state.change), -99), 99)
        rows[i, k + 8] = state.source
        rows[i, k + 9] = state.rises
    if stage in (RESPOND_DICE, RESPOND_FAME):
        rows[i, k + 10] = state.passes
        rows[i, k + 11] = state.gift
    rows[i, k + 12] = state.miracle
    return k + 13
