"""Victory points, ranks, win shares and the result record (R-SCO-01 to R-SCO-08, R-END-03, R-SOL-17, R-COP-04).

``RESULT`` is what a game leaves behind, a record a seat in ``seat``; levels are those at the end.
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.battle import is_ahead
from overdrive_sim.kernels.dice import count
from overdrive_sim.kernels.gains import has_second_symbol
from overdrive_sim.kernels.layout import (
    CHORD,
    COVER_BOTS,
    FACES,
    FINISHED,
    HORNS,
    INFLUENCE,
    METALLUM,
    NO_AWARD,
    NO_BAND,
    SEATS,
    SKULL,
    STANDARD,
)  # fmt: skip
from overdrive_sim.kernels.rules import OPTIONS
from overdrive_sim.kernels.symbols import best_collections
from simcore.bits import lowest, popcount
from simcore.kernel import kernel, record

PER_TRACK = OPTIONS["multi_track"].index("per_track")
AS_PRINTED = OPTIONS["multi_track"].index("as_printed")
BEST_TRACK = OPTIONS["multi_track"].index("best_track")
NO_SYMBOLS = OPTIONS["metallum_scores"].index("no_symbols")
BY_TURN_ORDER = OPTIONS["full_tie"].index("turn_order")

#: Bits for the symbols of one face where all four are kept in one number.
SYMBOL_BITS = 15

#: One seat's part of a result.  ``rank``: 1 is best, ties share (0 while the game runs); ``share``: win share;
#: ``total`` and the eight parts below it: victory points; ``fans`` to ``overdrive``: levels; ``cards``:
#: Distortion cards bought, ``cards_used`` of them played; ``award``: -1 none; ``symbols``: of each face,
#: without the wildcard of an award; ``battle_dice``: dice left in the last battle.
SEAT_RESULT = record(
    [
        ("band", "i2"), ("rank", "i2"), ("share", "f8"), ("total", "i4"),
        ("fans_points", "i4"), ("fame_points", "i4"), ("overdrive_points", "i4"), ("special_points", "i4"),
        ("hit_points", "i4"), ("award_points", "i4"), ("symbol_points", "i4"),
        ("fans", "i4"), ("fame", "i4"), ("grana", "i4"), ("overdrive", "i4"),
        ("extra_dice", "i2"), ("hits", "i2"), ("cards", "i2"), ("cards_used", "i2"), ("award", "i2"),
        ("copies", "i2", (3,)), ("symbols", "i2", (FACES,)), ("battle_dice", "i2"),
    ]
)  # fmt: skip

#: ``rounds``: the round in which the game stands or ended; ``marker``: who holds the first player marker;
#: ``humans_win``: solo and co-op, 1 or 0, -1 in a standard or unfinished game; ``human_average``: floor of
#: the humans' mean total (solo and co-op).
RESULT = record(
    [
        ("seats", "i2"), ("mode", "i2"), ("rounds", "i2"), ("is_over", "i2"), ("marker", "i2"), ("humans_win", "i2"),
        ("human_average", "i4"), ("seat", SEAT_RESULT, (SEATS,)),
    ]
)  # fmt: skip


# ------------------------------------------------------------------ parts
@kernel
def overdrive_points(rules, level):
    """Points of an Overdrive level: a step function (R-SCO-03, G-05)."""
    points = 0
    for step in range(rules.points_steps):
        if level >= rules.points_level[step]:
            points = rules.points_value[step]
    return points


@kernel
def scoring_band(me, rules):
    """Band whose ability C the seat scores, NO_BAND for none (R-BND-04, R-ABL-24)."""
    if me.overdrive < rules.unlock_level[2]:
        return NO_BAND
    if me.band == COVER_BOTS:
        return np.int64(me.copies[2])
    return np.int64(me.band)


@kernel
def special_points(me, rules):
    """Points of ability C (R-SCO-04); several tracks by option multi_track (A-ABL-8)."""
    band = scoring_band(me, rules)
    if band == NO_BAND:
        return 0
    tracks, per = rules.special_tracks[band], rules.special_per[band]
    way = rules.option.multi_track
    fans, fame = tracks[0] * me.fans, tracks[1] * me.fame
    grana, overdrive = tracks[2] * me.grana, tracks[3] * me.overdrive
    if way == BEST_TRACK:
        points = max(fans, fame, grana, overdrive) // per
    elif way == PER_TRACK or (way == AS_PRINTED and rules.special_or[band]):
        points = fans // per + fame // per + grana // per + overdrive // per
    else:
        points = (fans + fame + grana + overdrive) // per
    return min(points, rules.special_most[band])


@kernel
def symbols_of(state, rules, seat):
    """Symbols that a seat has collected, SYMBOL_BITS for each face, without wildcards (R-SYM-03, A-SYM-1, A-DST-11).

    The sheet, its own Hits, all its Distortion cards, and once the game is over its surviving dice.
    """
    me = state.seat[seat]
    found = _one(rules.band_symbol[me.band, 0])
    if has_second_symbol(state, rules, seat):
        found += _one(rules.band_symbol[me.band, 1])
    hits = np.int64(me.hits)
    while hits != 0:
        found += _one(rules.hit_symbol[lowest(hits)])
        hits &= hits - 1
    cards = me.hand | me.used
    while cards != 0:
        found += _one(rules.card_icon[lowest(cards)])
        cards &= cards - 1
    if state.phase == FINISHED:
        for face in range(FACES):
            found += count(me.pool, face) << (SYMBOL_BITS * face)
    return found


@kernel(inline=True)
def _one(face):
    """One symbol of ``face``, none for -1."""
    return np.int64(face >= 0) << (SYMBOL_BITS * max(np.int64(face), 0))


@kernel(inline=True)
def of_face(symbols, face):
    """How many of ``symbols`` are of ``face``."""
    return symbols >> (SYMBOL_BITS * face) & ((1 << SYMBOL_BITS) - 1)


@kernel
def symbol_points(rules, me, symbols):
    """Points of the best collections of a seat's symbols (R-SCO-07); an award adds a wildcard (R-AWD-08)."""
    if me.band == METALLUM and rules.option.metallum_scores == NO_SYMBOLS:
        return 0
    return best_collections(
        rules,
        of_face(symbols, HORNS),
        of_face(symbols, SKULL),
        of_face(symbols, CHORD),
        of_face(symbols, INFLUENCE),
        0 if me.award == NO_AWARD else 1,
    )


@kernel
def award_points(me, rules):
    """Points printed on the award that a seat holds (R-SCO-06)."""
    if me.award == NO_AWARD:
        return 0
    return np.int64(rules.award_points[me.award])


@kernel
def points_beside_symbols(rules, me):
    """Victory points of a seat without its symbols."""
    return (
        np.int64(me.fans)
        + me.fame
        + overdrive_points(rules, me.overdrive)
        + special_points(me, rules)
        + popcount(np.int64(me.hits)) * rules.hit_points
        + award_points(me, rules)
    )


@kernel
def total_points(state, rules, seat):
    """All victory points of a seat as it stands; surviving dice count once the game is over."""
    me = state.seat[seat]
    return points_beside_symbols(rules, me) + symbol_points(rules, me, symbols_of(state, rules, seat))


# ------------------------------------------------------------------ winners
@kernel
def is_better(state, rules, a, total_a, b, total_b):
    """Whether seat ``a`` finishes before ``b``: points, then Fame, Fans, Grana, Overdrive (R-END-03).

    A full tie is no difference, or with ``full_tie = turn_order`` goes to the seat nearest clockwise from
    the marker (A-END-1).
    """
    if total_a != total_b:
        return total_a > total_b
    if is_ahead(state, a, b):
        return True
    if is_ahead(state, b, a) or rules.option.full_tie != BY_TURN_ORDER:
        return False
    return (a - state.marker + state.seats) % state.seats < (b - state.marker + state.seats) % state.seats


@kernel
def human_average(state, rules):
    """Floor of the humans' mean total in solo and co-op (R-COP-04, A-COP-2)."""
    points = 0
    for seat in range(1, state.seats):
        points += total_points(state, rules, seat)
    return points // (state.seats - 1)


@kernel
def humans_win(state, rules):
    """Whether the humans beat Metallum: strictly more points (R-SOL-17, R-COP-04)."""
    return human_average(state, rules) > total_points(state, rules, 0)


@kernel
def returns(state, rules, out):
    """Win shares to ``out.share``: ties split; the humans share a win over Metallum; all 0 while it runs."""
    for i in range(len(out.share)):
        out.share[i] = 0.0
    if state.phase != FINISHED:
        return
    if state.mode != STANDARD:
        if humans_win(state, rules):
            for seat in range(1, state.seats):
                out.share[seat] = 1.0 / (state.seats - 1)
        else:
            out.share[0] = 1.0
        return
    best = 0
    for seat in range(state.seats):
        out.share[seat] = total_points(state, rules, seat)
        if is_better(state, rules, seat, out.share[seat], best, out.share[best]):
            best = seat
    top = out.share[best]
    ties = 0
    for seat in range(state.seats):
        is_first = not is_better(state, rules, best, top, seat, out.share[seat])
        out.share[seat] = 1.0 if is_first else 0.0
        ties += is_first
    for seat in range(state.seats):
        out.share[seat] /= ties


# ------------------------------------------------------------------ the result
@kernel
def outcome(state, rules, out):
    """The game's result record, also for a game that still runs (then without ranks and shares)."""
    is_over = state.phase == FINISHED
    out.seats = state.seats
    out.mode = state.mode
    out.rounds = state.game_round
    out.is_over = 1 if is_over else 0
    out.marker = state.marker
    out.humans_win = -1
    out.human_average = 0
    if state.mode != STANDARD:
        out.human_average = human_average(state, rules)
        if is_over:
            out.humans_win = 1 if humans_win(state, rules) else 0
    for seat in range(SEATS):
        out.seat[seat].band = NO_BAND
        if seat < state.seats:
            report_seat(state, rules, seat, out.seat[seat])
    rank_seats(state, rules, out)


@kernel
def report_seat(state, rules, seat, out):
    """Points, levels and possessions of one seat."""
    me = state.seat[seat]
    out.band = me.band
    symbols = symbols_of(state, rules, seat)
    out.symbol_points = symbol_points(rules, me, symbols)
    out.total = points_beside_symbols(rules, me) + out.symbol_points
    out.fans_points = me.fans
    out.fame_points = me.fame
    out.overdrive_points = overdrive_points(rules, me.overdrive)
    out.special_points = special_points(me, rules)
    out.hit_points = popcount(np.int64(me.hits)) * rules.hit_points
    out.award_points = award_points(me, rules)
    out.fans = me.fans
    out.fame = me.fame
    out.grana = me.grana
    out.overdrive = me.overdrive
    out.extra_dice = me.extra_dice
    out.hits = popcount(np.int64(me.hits))
    out.cards = popcount(me.hand | me.used)
    out.cards_used = popcount(me.used)
    out.award = me.award
    for slot in range(3):
        out.copies[slot] = me.copies[slot]
    out.battle_dice = 0
    for face in range(FACES):
        out.symbols[face] = of_face(symbols, face)
        if state.phase == FINISHED:
            out.battle_dice += count(me.pool, face)


@kernel
def rank_seats(state, rules, out):
    """Ranks and win shares of a finished game; 0 otherwise."""
    ties = 0
    for seat in range(state.seats):
        mine = out.seat[seat]
        mine.rank = 0
        mine.share = 0.0
        if state.phase == FINISHED:
            mine.rank = 1
            for other in range(state.seats):
                mine.rank += is_better(state, rules, other, out.seat[other].total, seat, mine.total)
            ties += mine.rank == 1
    if state.phase != FINISHED:
        return
    for seat in range(state.seats):
        mine = out.seat[seat]
        if state.mode == STANDARD:
            mine.share = 1.0 / ties if mine.rank == 1 else 0.0
        elif (seat == 0) != (out.humans_win == 1):
            mine.share = 1.0 if seat == 0 else 1.0 / (state.seats - 1)
