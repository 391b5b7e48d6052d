"""The band of a seat: characteristics, conditions, who may stand where."""

from __future__ import annotations

from metalmania_sim.kernels.layout import ACTIVE, BAND, BASIC, FIFTH, INACTIVE, NOBODY
from metalmania_sim.kernels.rules import DEGREE, REVELRY
from simcore.bits import index
from simcore.kernel import kernel


@kernel
def instrument_at(me, position):
    """Instrument that the artist on ``position`` plays (-1 on an empty fifth)."""
    if position == FIFTH:
        return int(me.fifth)
    return position


@kernel
def position_for(instrument):
    """Position that an instrument is played on (MM-R100, MM-R101)."""
    return min(instrument, FIFTH)


@kernel
def characteristic(me, rules, position, equalizer):
    """Characteristic that the artist on ``position`` tests in an equalizer's action (MM-R066, MM-R014).

    On an empty fifth: any number.
    """
    return characteristic_in(me, rules, position, int(rules.action_tests[index(equalizer)]))


@kernel
def characteristic_in(me, rules, position, column):
    """``characteristic`` where its column of ``rules.tested`` is known (DEGREE: of the instrument played)."""
    artist = int(me.artist[index(position)])
    if column == DEGREE:
        column = instrument_at(me, position)
    if position == FIFTH:
        artist, column = max(artist, 0), max(column, 0)
    return int(rules.tested[index(int(me.company) + 1), index(artist), index(column)])


@kernel
def beers_dice(me, rules, position):
    """Dice that the artist on ``position`` rolls for Beers (MM-R106); 0 on an empty fifth."""
    artist = int(me.artist[index(position)])
    if artist == NOBODY:
        return 0
    return int(rules.tested[index(int(me.company) + 1), index(artist), REVELRY])


@kernel
def inactive(me):
    """Number of inactive artists of the band (MM-R060)."""
    count = 0
    for position in range(BAND):
        count += me.condition[position] == INACTIVE
    return count


@kernel
def unhappy(me):
    """Number of artists of the band that are not active (MM-R054)."""
    count = 0
    for position in range(BAND):
        count += me.condition[position] != ACTIVE
    return count


@kernel
def worsen(me, position):
    """One step worse: active, troublesome, inactive (MM-R069, MM-R070, MM-R114); inactive stays (MM-R115)."""
    me.condition[index(position)] = min(int(me.condition[index(position)]) + 1, INACTIVE)


@kernel
def improve(me, position):
    """One step better (MM-R107)."""
    me.condition[index(position)] = max(int(me.condition[index(position)]) - 1, ACTIVE)


@kernel
def cheer_up(me):
    """The whole band turns active (MM-R111)."""
    for position in range(BAND):
        me.condition[position] = ACTIVE


@kernel
def may_move(me, rules, position, instrument):
    """Whether the artist on ``position`` may go over to ``instrument`` (option ``reassign``, A43).

    Two artists change places when each plays the other's part, which is offered once, to the one on the
    earlier position; nobody leaves a basic position empty.
    """
    artist = int(me.artist[position])
    if artist == NOBODY or (int(rules.plays[artist]) >> instrument) & 1 == 0:
        return 0
    if instrument == instrument_at(me, position):
        return 0
    there = position_for(instrument)
    if there == position:
        return 1  # the fifth changes between keyboard and V-guitar
    other = int(me.artist[there])
    if other == NOBODY or there < position:
        return 0
    return int(part_for(rules, other, me, position) >= 0)


@kernel
def part_for(rules, artist, me, position):
    """Instrument with which ``artist`` can take over ``position``, -1 if there is none.

    On the fifth position: the instrument played there now, else the other one.
    """
    plays = int(rules.plays[artist])
    if position < BASIC:
        return position if (plays >> position) & 1 else -1
    now = int(me.fifth)
    if (plays >> now) & 1:
        return now
    other = 2 * FIFTH + 1 - now
    return other if (plays >> other) & 1 else -1


@kernel
def move(me, position, instrument):
    """The artist on ``position`` goes over to ``instrument``; who stands there takes the place left."""
    there = position_for(instrument)
    if there != position:
        artist, condition = me.artist[position], me.condition[position]
        me.artist[position], me.condition[position] = me.artist[there], me.condition[there]
        me.artist[there], me.condition[there] = artist, condition
    if there == FIFTH:
        me.fifth = instrument
