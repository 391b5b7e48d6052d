"""Gains of levels, the passives they set off, and the choices they leave behind.

A gain is one event for one track (A-ABL-3): the base amount, one more by the band's own passive of that
track, then what the event sets off as new events (section 4 of the rulings).  A passive takes part only
if it was unlocked before the event (A-ABL-4).
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.layout import (
    CHOOSE_COPY_A,
    CHOOSE_RAISE,
    COVER_BOTS,
    FAME,
    FANS,
    GRANA,
    METALLUM,
    MOST_CHOICES,
    NO_BAND,
    OVERDRIVE,
)  # fmt: skip
from overdrive_sim.kernels.rules import (
    EXTRA_FANS,
    EXTRA_GRANA,
    EXTRA_OVERDRIVE,
    FANS_GIVE_ANY,
    FANS_GIVE_FAME,
    NO_ABILITY,
    OVERDRIVE_GIVES_GRANA,
)  # fmt: skip
from simcore.bits import index, lowest
from simcore.kernel import kernel

#: Highest level with option track_cap = 20 (A-TRK-1).
TRACK_CAP = 20

SLOT_A, SLOT_B, SLOT_C = range(3)

_PER_GAIN, _PER_LEVEL, _SINGLE_LEVEL = range(3)


@kernel
def level_of(me, track):
    """Level of a seat's track."""
    if track == FANS:
        return np.int64(me.fans)
    if track == FAME:
        return np.int64(me.fame)
    if track == GRANA:
        return np.int64(me.grana)
    return np.int64(me.overdrive)


@kernel(inline=True)
def ability_band(state, rules, seat, slot):
    """Band whose ability A, B or C (slot 0, 1, 2) a seat has unlocked: its own, or the one that Cover Bots copied.

    NO_BAND if the slot is locked or nothing is copied (R-BND-02 to R-BND-04, A-ABL-11).
    """
    me = state.seat[index(seat)]
    if me.overdrive < rules.unlock_level[index(slot)]:
        return np.int64(NO_BAND)
    if me.band == COVER_BOTS:
        return np.int64(me.copies[index(slot)])
    return np.int64(me.band)


@kernel
def ability(state, rules, seat, slot):
    """Kind (rules.ability_kind) of the ability A or B (slot 0, 1) that a seat has unlocked, NO_ABILITY if none."""
    band = ability_band(state, rules, seat, slot)
    if band < 0:
        return np.int64(NO_ABILITY)
    return np.int64(rules.ability_kind[index(band), index(slot)])


@kernel
def _counted_level(state, rules, seat, track):
    """The level that unlocks things: the current one, or the highest ever reached (option unlock, A-BND-2)."""
    level = level_of(state.seat[seat], track)
    if rules.option.unlock:
        return max(level, np.int64(state.seat[seat].most[track]))
    return level


@kernel
def has_shield(state, rules, seat):
    """Whether Fame gives a seat the shield (R-TRK-08); Metallum has none without metallum_shield = on (A-SOL-9)."""
    if state.seat[seat].band == METALLUM and not rules.option.metallum_shield:
        return False
    return _counted_level(state, rules, seat, FAME) >= rules.shield_level


@kernel
def has_second_symbol(state, rules, seat):
    """Whether Fans give a seat the second symbol of its sheet (R-TRK-07, A-BND-3)."""
    return _counted_level(state, rules, seat, FANS) >= rules.symbol_level


@kernel
def push_choice(state, kind, seat):
    """A choice of ``kind`` is owed by ``seat`` before the game goes on; choices are asked in this order."""
    n = np.int64(state.choices)
    if n < MOST_CHOICES:
        state.choice_kind[n] = kind
        state.choice_seat[n] = seat
        state.choices = n + 1


@kernel
def pop_choice(state):
    """The first pending choice is answered: the others move up."""
    n = np.int64(state.choices) - 1
    for k in range(n):
        state.choice_kind[k] = state.choice_kind[k + 1]
        state.choice_seat[k] = state.choice_seat[k + 1]
    state.choices = n


@kernel
def bands_to_copy(state, seat):
    """Bits of the bands that Cover Bots in ``seat`` may copy: the other humans' (A-ABL-11)."""
    bands = np.int64(0)
    for other in range(state.seats):
        band = np.int64(state.seat[other].band)
        if other != seat and band >= 0 and band not in (METALLUM, COVER_BOTS):
            bands |= np.int64(1) << band
    return bands


@kernel
def push_copies(state, rules, seat, below):
    """Cover Bots choose, in the order a, b, c, what they copy in slots unlocked above level ``below``.

    ``below`` is the Overdrive before a raise, or -1 to choose every unlocked slot anew (cover_choice =
    each_round).  Nothing happens for another band, or without a band to copy.
    """
    me = state.seat[index(seat)]
    if me.band == COVER_BOTS and bands_to_copy(state, seat):
        for slot in range(3):
            if below < rules.unlock_level[slot] <= me.overdrive:
                push_choice(state, CHOOSE_COPY_A + slot, seat)


@kernel
def room_above(state, rules, seat, track):
    """How many levels a track may still rise (a large number without a cap)."""
    if rules.option.track_cap:
        return max(TRACK_CAP - level_of(state.seat[seat], track), 0)
    return np.int64(1 << 14)


@kernel
def raise_track(state, rules, seat, track, amount):
    """Raise a track without passives; returns the levels raised (fewer at a cap)."""
    me = state.seat[index(seat)]
    if rules.option.track_cap:
        amount = min(amount, room_above(state, rules, seat, track))
    if track == FANS:
        me.fans += amount
    elif track == FAME:
        me.fame += amount
    elif track == GRANA:
        me.grana += amount
    else:
        me.overdrive += amount
    level = level_of(me, track)
    me.most[index(track)] = max(me.most[index(track)], level)
    return amount


@kernel
def _fires(state, rules, seat, slot, is_limited):
    """Whether a passive may fire now; one with a limit (its own, or passive_limit = round) is then used up."""
    if not is_limited and not rules.option.passive_limit:
        return True
    me = state.seat[seat]
    if me.abilities_used >> slot & 1:
        return False
    me.abilities_used |= 1 << slot
    return True


@kernel
def _gain_fans(state, rules, seat, amount):
    kind = ability(state, rules, seat, SLOT_B)
    if room_above(state, rules, seat, FANS) == 0:
        return
    if kind == EXTRA_FANS and _fires(state, rules, seat, SLOT_B, False):
        amount += 1
    raised = raise_track(state, rules, seat, FANS, amount)
    if kind == FANS_GIVE_FAME:
        if _fires(state, rules, seat, SLOT_B, True):
            raise_track(state, rules, seat, FAME, 1)
    elif kind == FANS_GIVE_ANY:
        times = np.int64(1)
        if rules.option.epic_b == _PER_LEVEL:
            times = raised
        elif rules.option.epic_b == _SINGLE_LEVEL and raised != 1:
            times = 0
        if times and _fires(state, rules, seat, SLOT_B, False):
            for _ in range(times):
                push_choice(state, CHOOSE_RAISE, seat)


@kernel
def _gain_grana(state, rules, seat, amount):
    has_extra = ability(state, rules, seat, SLOT_A) == EXTRA_GRANA and room_above(state, rules, seat, GRANA) > 0
    if has_extra and _fires(state, rules, seat, SLOT_A, False):
        amount += 1
    raise_track(state, rules, seat, GRANA, amount)


@kernel
def _gain_overdrive(state, rules, seat, amount):
    before = np.int64(state.seat[index(seat)].overdrive)
    kind = ability(state, rules, seat, SLOT_B)
    has_extra = kind == EXTRA_OVERDRIVE and room_above(state, rules, seat, OVERDRIVE) > 0
    if has_extra and _fires(state, rules, seat, SLOT_B, False):
        amount += 1
    raised = raise_track(state, rules, seat, OVERDRIVE, amount)
    if kind == OVERDRIVE_GIVES_GRANA and raised > 0 and _fires(state, rules, seat, SLOT_B, False):
        _gain_grana(state, rules, seat, raised)
    push_copies(state, rules, seat, before)


@kernel
def gain(state, rules, seat, track, amount):
    """One event: ``seat`` gains ``amount`` levels of a track (0: nothing happens), passives included.

    Metallum gains likewise; it has no abilities.  Order where one effect gives several tracks: Fans, Fame,
    Grana, Overdrive, so that a raise of Overdrive unlocks nothing for its own effect (A-ABL-4, A-HIT-9).
    """
    if amount <= 0:
        return
    if track == FANS:
        _gain_fans(state, rules, seat, amount)
    elif track == FAME:
        raise_track(state, rules, seat, FAME, amount)
    elif track == GRANA:
        _gain_grana(state, rules, seat, amount)
    else:
        _gain_overdrive(state, rules, seat, amount)


@kernel
def gain_all(state, rules, seat, reward):
    """The events of one reward, levels by track: mostly one, found at once, so that ``gain`` is compiled in once."""
    tracks = np.int64(0)
    for track in range(4):
        tracks |= np.int64(reward[track] > 0) << track
    while tracks:
        track = lowest(tracks)
        tracks &= tracks - 1
        gain(state, rules, seat, track, reward[index(track)])
