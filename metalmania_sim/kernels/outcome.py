"""What a game leaves behind: win shares, the result record, the tally of what was done."""

from __future__ import annotations

from metalmania_sim.kernels import actions, audition, events
from metalmania_sim.kernels.layout import (
    ARTISTS,
    AUDITION,
    BAND,
    CHOOSE_HIRE,
    CHOOSE_STEP4,
    HIRE,
    INSTRUMENTS,
    KEEP,
    LAST_EVENT,
    OVER,
    SEATS,
    SHIFT,
    UNPAID,
    USE_ADVERTISING,
    USE_PERFORMANCE,
    VERBS,
)  # fmt: skip
from simcore.bits import lowest, popcount
from simcore.kernel import kernel, record
from simcore.protocol import MAX_SEATS

_VERBS = len(VERBS)

#: One game.  ``winner``: seat, -1 in an unfinished game; ``turns``: begun by all seats together.
#: By seat: ``share`` of the win, ``rank`` (1 is best, ties share; 0 in an unfinished game), ``fame`` and
#: ``fame_by`` (hits, bonuses, auditions, miracles, events; their sum is the fame), ``money`` ($),
#: ``turns_of``, ``level`` (performance, recording, advertising), ``company`` (-1 none), ``board``,
#: ``auditions`` (hires), ``skipped`` (Steps 3).
RESULT = record(
    [
        ("players", "i4"), ("first_player", "i4"), ("finished", "i4"), ("winner", "i4"), ("turns", "i4"),
        ("share", "f8", (SEATS,)), ("rank", "i4", (SEATS,)), ("fame", "i4", (SEATS,)),
        ("fame_by", "i4", (SEATS, 5)), ("money", "i4", (SEATS,)), ("turns_of", "i4", (SEATS,)),
        ("level", "i4", (SEATS, 3)), ("company", "i4", (SEATS,)), ("board", "i4", (SEATS,)),
        ("auditions", "i4", (SEATS,)), ("skipped", "i4", (SEATS,)),
    ]
)  # fmt: skip

#: Counts of what was done: ``verb`` by seat and verb, ``event`` by number (after the shift), ``bonus`` by
#: seat, turn (0: the own, 1: another's) and equalizer; ``offered``: decisions at which an artist could be
#: hired, ``hired``: hires, ``hired_by``: bits of the artists that a seat hired, ``hired_for``: hires by
#: instrument; ``shift``: paid steps down, up; ``short``: payments by the number of artists left unpaid;
#: ``reshuffles``: the discards became the deck; ``deck``: cards in it at the decision before.
TALLY = record(
    [
        ("verb", "i8", (SEATS, _VERBS)), ("event", "i8", (LAST_EVENT + 1,)), ("bonus", "i8", (SEATS, 2, 3)),
        ("offered", "i8", (ARTISTS,)), ("hired", "i8", (ARTISTS,)), ("hired_by", "i8", (SEATS,)),
        ("hired_for", "i8", (len(INSTRUMENTS),)), ("shift", "i8", (2,)), ("short", "i8", (BAND + 1,)),
        ("reshuffles", "i8"), ("deck", "i8"),
    ]
)  # fmt: skip


@kernel
def returns(state, rules, out):
    """Win shares (``out.share``, in place); an unfinished game's are all 0."""
    for seat in range(SEATS, MAX_SEATS):
        out.share[seat] = 0.0
    _shares(state, rules, out)


@kernel
def _shares(state, rules, out):
    """1 to the winner, equal parts to a tie with ``tie_break = shared`` (A76)."""
    for seat in range(SEATS):
        out.share[seat] = 0.0
    if state.stage != OVER:
        return
    winner = int(state.winner)
    if rules.option.tie_break == 0 or rules.option.win_check == 0:
        out.share[winner] = 1.0
        return
    tied = 0
    for seat in range(int(state.players)):
        tied += state.seat[seat].fame == state.seat[winner].fame
    for seat in range(int(state.players)):
        if state.seat[seat].fame == state.seat[winner].fame:
            out.share[seat] = 1.0 / tied


@kernel
def outcome(state, rules, out):
    """Write the result record of the game (``out``, in place)."""
    finished = state.stage == OVER
    out.players = state.players
    out.first_player = state.first_player
    out.finished = int(finished)
    out.winner = state.winner
    out.turns = state.turns
    _shares(state, rules, out)
    for seat in range(SEATS):
        me = state.seat[seat]
        out.rank[seat] = 0
        if finished and seat < state.players:
            out.rank[seat] = _rank(state, out, seat)
        out.fame[seat] = me.fame
        for k in range(5):
            out.fame_by[seat, k] = me.fame_by[k]
        out.money[seat] = me.money
        out.turns_of[seat] = me.turns
        for k in range(3):
            out.level[seat, k] = me.level[k]
        out.company[seat] = me.company
        out.board[seat] = me.board
        out.auditions[seat] = me.auditions
        out.skipped[seat] = me.skipped


@kernel
def _rank(state, out, seat):
    """1 + number of seats ahead: winners first, then by fame."""
    ahead = 0
    for other in range(int(state.players)):
        if out.share[other] != out.share[seat]:
            ahead += out.share[other] > out.share[seat]
        else:
            ahead += state.seat[other].fame > state.seat[seat].fame
    return ahead + 1


@kernel
def observe(state, rules, action, tally):
    """Count an action that is about to happen (``tally``, in place)."""
    verb = actions.verb_of(action)
    seat = int(state.asked)
    tally.verb[seat, verb] += 1
    cards = popcount(int(state.deck))
    if tally.deck < cards and state.turns > 1:
        tally.reshuffles += 1
    tally.deck = cards
    if verb == KEEP:
        tally.event[events.number(state, rules)] += 1
    elif USE_PERFORMANCE <= verb <= USE_ADVERTISING:
        tally.bonus[seat, int(seat != state.turn), verb - USE_PERFORMANCE] += 1
    elif verb in (AUDITION, HIRE):
        tally.hired[actions.artist_of(action)] += 1
        tally.hired_by[seat] |= 1 << actions.artist_of(action)
        tally.hired_for[actions.instrument_of(action)] += 1
    elif verb == SHIFT:
        tally.shift[actions.detail_of(action)] += 1
    elif verb == UNPAID:
        tally.short[popcount(actions.detail_of(action))] += 1
    if state.stage == CHOOSE_STEP4:
        _count_offers(state, rules, tally, AUDITION)
    elif state.stage == CHOOSE_HIRE:
        _count_offers(state, rules, tally, HIRE)


@kernel
def _count_offers(state, rules, tally, verb):
    """Every artist of the display that the active seat can hire now."""
    me = state.seat[state.turn]
    left = int(state.display)
    while left != 0:
        artist = lowest(left)
        left &= left - 1
        if audition.price(state, rules, artist, verb) <= me.money and audition.parts(me, rules, artist) != 0:
            tally.offered[artist] += 1
