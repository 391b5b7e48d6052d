"""What a position of Metal Mania says about who will win: the features of the leaf model."""

from __future__ import annotations

from metalmania_sim.kernels.band import characteristic
from metalmania_sim.kernels.layout import ACTIVE, BAND, INACTIVE, NO_COMPANY, NOBODY
from simcore.kernel import kernel

#: Names of the features, a column each.
NAMES = (
    "fame", "distance", "money", "poor", "performance", "recording", "advertising", "bonus", "active", "troublesome",
    "inactive", "best_throw", "second_throw", "company", "fifth", "near",
)  # fmt: skip

_STAGES = 16


@kernel
def table_of(state):
    """The line-up's kind: 2 to 5 players are 0 to 3."""
    return int(state.players) - 2


@kernel
def features(state, rules, out):
    """Write what counts in ``state`` to ``out`` (FEATURES, in place).

    Weights differ by number of players and by the leader's part of the fame that wins.
    """
    seats = int(state.players)
    out.seats = seats
    out.table = table_of(state)
    leader = 0
    for seat in range(seats):
        out.side[seat] = seat
        leader = max(leader, state.seat[seat].fame)
    out.stage = max(0, min(_STAGES - 1, leader * _STAGES // max(1, rules.win_fame)))
    for seat in range(seats):
        out.number[seat, 1] = ((seat - state.turn + seats) % seats) / seats
        describe(state.seat[seat], rules, out.number[seat])


@kernel
def describe(me, rules, number):
    """The features of one seat."""
    number[0] = 0.1 * me.fame
    number[2] = 0.1 * min(40, me.money)
    number[3] = max(0, 8 - me.money) / 8.0
    number[7] = 0.0
    for equalizer in range(3):
        number[4 + equalizer] = me.level[equalizer]
        number[7] += me.level[equalizer] * me.token[equalizer]
    for k in range(8, 13):
        number[k] = 0.0
    for position in range(BAND):
        if me.artist[position] == NOBODY:
            continue
        if me.condition[position] == ACTIVE:
            number[8] += 1.0
        elif me.condition[position] == INACTIVE:
            number[10] += 1.0
        else:
            number[9] += 1.0
    for equalizer in range(3):
        gain = throw_gain(me, rules, equalizer)
        if gain > number[11]:
            number[12] = number[11]
            number[11] = gain
        elif gain > number[12]:
            number[12] = gain
    number[13] = me.company != NO_COMPANY
    number[14] = me.artist[BAND - 1] != NOBODY
    number[15] = max(0.0, 0.1 * (me.fame + 20 - rules.win_fame))


@kernel
def throw_gain(me, rules, equalizer):
    """A tenth of the fame that a throw would bring if dice were placed blindly: c (c - 1) / 12 an active artist."""
    gain = 0.0
    for position in range(BAND):
        if me.artist[position] != NOBODY and me.condition[position] == ACTIVE:
            c = characteristic(me, rules, position, equalizer)
            gain += c * (c - 1) / 120.0
    return gain
