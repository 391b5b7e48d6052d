"""What must always hold in a game of Metal Mania (rulings, section 1.9).

``check_invariants`` looks at one state, ``check_change`` at a state and the next one; both raise
``BrokenRuleError`` and name every mistake that they find.  ``walk`` plays a position on and checks it all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from metalmania_sim.kernels.actions import artist_of, verb_of
from metalmania_sim.kernels.layout import (
    ACTIVE,
    ARTISTS,
    AUDITION,
    BAND,
    BASIC,
    COMPANIES,
    FIFTH,
    FINISHED,
    INACTIVE,
    KEYBOARD,
    LAST_CHANCE,
    MOST_DICE,
    MOST_LEVEL,
    NO_COMPANY,
    NOBODY,
    OVER,
    RESPOND_DICE,
    RESPOND_FAME,
    SEATS,
    SET_UP,
    SHIFT,
    SKIP,
    USE_ADVERTISING,
    USE_PERFORMANCE,
    USE_RECORDING,
    V_GUITAR,
)  # fmt: skip
from metalmania_sim.kernels.rules import OPTIONS
from simcore.errors import EngineError

if TYPE_CHECKING:
    from simcore.position import Position

_TOKEN_OF = {USE_PERFORMANCE: 0, USE_RECORDING: 1, USE_ADVERTISING: 2}


class BrokenRuleError(EngineError):
    """A state that no game can reach, or a change that no rule makes."""


def chosen(rules: Any, name: str) -> str:
    """The value of an option in a RULES record (an on/off option: "1" or "0")."""
    values, code = OPTIONS[name], int(rules.option[name])
    return str(code) if set(values) == {"true", "false"} else values[code]


def bits(mask: Any) -> list[int]:
    """Numbers of the set bits of a mask."""
    return [k for k in range(64) if int(mask) >> k & 1]


# ------------------------------------------------------------------ one state
def check_invariants(state: Any, rules: Any) -> None:
    """Raise BrokenRuleError unless ``state`` (one STATE record) may occur under ``rules`` (one RULES record)."""
    found = [line for check in _CHECKS for line in check(state, rules)]
    if found:
        raise BrokenRuleError("impossible state: " + "; ".join(found))


def _artists(state: Any, rules: Any) -> Iterator[str]:
    """MM-R121: every artist is in one place; outside are at most those of unused boards (A63)."""
    places: list[int] = bits(state.display) + bits(state.deck) + bits(state.discard)
    for seat in range(state.players):
        places += [int(artist) for artist in state.seat[seat].artist if artist != NOBODY]
    for artist in sorted({a for a in places if places.count(a) > 1}):
        yield f"artist {artist} is in two places"
    boxed = set()
    if chosen(rules, "unused_board_artists") == "box":
        used = {int(state.seat[seat].board) for seat in range(state.players)}
        boxed = {int(a) for board in set(range(5)) - used for a in rules.board[board]}
    if missing := set(range(ARTISTS)) - set(places) - boxed:
        yield f"artists {sorted(missing)} are nowhere"


def _purses(state: Any, rules: Any) -> Iterator[str]:
    """MM-R122, MM-D06: money and fame never below 0, money within its cap; MM-R126: fame is the sum of its sources."""
    for seat in range(state.players):
        me = state.seat[seat]
        if not 0 <= me.money <= max(rules.most_money, rules.start_money):
            yield f"seat {seat} has {me.money} $"
        if me.fame < 0 or me.fame_by.sum() != me.fame:
            yield f"seat {seat} has {me.fame} fame from {me.fame_by.tolist()}"


def _bands(state: Any, rules: Any) -> Iterator[str]:
    """MM-R123, MM-R100, MM-R101: four basic positions filled, each with an artist who plays there."""
    for seat in range(state.players):
        me = state.seat[seat]
        fifth = int(me.artist[FIFTH])
        if (fifth == NOBODY) != (me.fifth == NOBODY) or me.members != BASIC + (fifth != NOBODY):
            yield f"seat {seat}: {me.members} members, fifth artist {fifth} on instrument {me.fifth}"
        if fifth != NOBODY and me.fifth not in (KEYBOARD, V_GUITAR):
            yield f"seat {seat}: instrument {me.fifth} on the fifth position"
        for position in range(BAND):
            artist = int(me.artist[position])
            instrument = int(me.fifth) if position == FIFTH else position
            if artist == NOBODY and position < BASIC:
                yield f"seat {seat}: nobody on position {position}"
            if artist != NOBODY and not int(rules.plays[artist]) >> instrument & 1:
                yield f"seat {seat}: artist {artist} does not play instrument {instrument}"
            if not ACTIVE <= me.condition[position] <= (INACTIVE if artist != NOBODY else ACTIVE):
                yield f"seat {seat}: condition {me.condition[position]} on position {position}"


def _equalizers(state: Any, rules: Any) -> Iterator[str]:
    """MM-R016, MM-R124: levels 0 to 3; faces are active or turned; points spent stay below the level."""
    for seat in range(state.players):
        me = state.seat[seat]
        for k in range(3):
            if not 0 <= me.level[k] <= MOST_LEVEL or me.token[k] not in (0, 1):
                yield f"seat {seat}: level {me.level[k]}, token {me.token[k]} on equalizer {k}"
            if not 0 <= me.points[k] <= max(0, me.level[k] - 1):
                yield f"seat {seat}: {me.points[k]} points of level {me.level[k]} spent"


def _companies(state: Any, rules: Any) -> Iterator[str]:
    """MM-R129, MM-R118: every company is held once or lies on the table."""
    held = [int(state.seat[seat].company) for seat in range(state.players)]
    held = [company for company in held if company != NO_COMPANY]
    if sorted(held + bits(state.companies)) != list(range(COMPANIES)):
        yield f"companies {held} are held, {bits(state.companies)} lie on the table"


def _asked(state: Any, rules: Any) -> Iterator[str]:
    """The game waits for chance, for a seat in play, or is over with a winner (MM-R119)."""
    if not 0 <= state.asked < state.players or state.stage > OVER:
        yield f"stage {state.stage} asks seat {state.asked} of {state.players}"
    if (state.stage == OVER) != (state.winner != NOBODY) or (state.stage == OVER) != (state.phase == FINISHED):
        yield f"stage {state.stage}, phase {state.phase}, winner {state.winner}"
    if state.stage == OVER and state.seat[state.winner].fame < rules.win_fame:
        yield f"seat {state.winner} won with {state.seat[state.winner].fame} fame"
    if not 0 <= state.dice_count <= MOST_DICE:
        yield f"{state.dice_count} dice"


def _responses(state: Any, rules: Any) -> Iterator[str]:
    """MM-R085, MM-R125: only a seat with a usable token is asked for a response."""
    if state.stage not in (RESPOND_DICE, RESPOND_FAME):
        return
    me = state.seat[state.asked]
    wanted = (1, 2) if state.stage == RESPOND_DICE else (0,)
    usable = any(me.token[k] and me.level[k] > 0 for k in wanted)
    if not usable and not (state.gift and state.asked == state.turn):
        yield f"seat {state.asked} is asked without a usable token"
    if state.stage == RESPOND_FAME and state.change == 0:
        yield "a change of 0 fame is asked about"


def _noted(state: Any, rules: Any) -> Iterator[str]:
    """The state's notes agree with what they are made of: who could respond, and what chance is waited for."""
    usable = chosen(rules, "levelup_bonus") != "immediate"
    for seat in range(state.players):
        me = state.seat[seat]
        ready = [bool(usable and me.token[k] and me.level[k] > me.points[k]) for k in range(3)]
        if (seat in bits(state.dice_seats), seat in bits(state.fame_seats)) != (ready[1] or ready[2], ready[0]):
            yield f"seat {seat}: its bonuses {ready} are noted otherwise"
    if (state.outcomes > 0) != (state.stage <= LAST_CHANCE):
        yield f"stage {state.stage} waits for one of {state.outcomes} outcomes"


_CHECKS = (_artists, _purses, _bands, _equalizers, _companies, _asked, _responses, _noted)


# ------------------------------------------------------------------ one change
def check_change(before: Any, rules: Any, after: Any, action: int | None = None) -> None:
    """Raise BrokenRuleError unless ``after`` may follow ``before``; ``action``: the decision between, None: chance.

    MM-R124: levels never fall and at most one rises by one; MM-R044, MM-R096: prices; MM-R085: a bonus turns
    its token; only the turn of another seat turns its tokens back (MM-R042).
    """
    lines = list(_risen(before, rules, after))
    if action is not None:
        lines += _paid(before, rules, after, int(action))
    for seat in range(SEATS):
        turned = [k for k in range(3) if after.seat[seat].token[k] > before.seat[seat].token[k]]
        if turned and after.turn != seat and chosen(rules, "levelup_face") == "keep":
            lines.append(f"seat {seat}: tokens {turned} turned back in another's turn")
    if lines:
        raise BrokenRuleError("impossible change: " + "; ".join(lines))


def _risen(before: Any, rules: Any, after: Any) -> Iterator[str]:
    rises = [
        int(b) - int(a) for s in range(SEATS) for a, b in zip(before.seat[s].level, after.seat[s].level, strict=True)
    ]
    most = 1 if chosen(rules, "levels_per_action") == "one" else MOST_LEVEL
    if min(rises) < 0 or sum(rises) > most:
        yield f"levels changed by {[r for r in rises if r]}"


def _paid(before: Any, rules: Any, after: Any, action: int) -> Iterator[str]:
    verb, seat = int(verb_of(action)), int(before.asked)
    me, then = before.seat[seat], after.seat[seat]
    if verb == SHIFT and then.money != me.money - rules.shift_price:
        yield f"a shift took {me.money - then.money} $"
    if verb == AUDITION and after.phase == before.phase and after.stage <= LAST_CHANCE:  # before wages
        price = int(rules.price[int(artist_of(action))])
        if then.money != me.money - price:
            yield f"a hire for {price} $ took {me.money - then.money} $"
    if verb in _TOKEN_OF and chosen(rules, "bonus_amount") != "split" and chosen(rules, "levelup_bonus") == "token":
        k = _TOKEN_OF[verb]
        if then.token[k] and after.turns == before.turns and chosen(rules, "levelup_face") == "keep":
            yield f"equalizer {k} was used and its token still shows its active face"
    if verb == SKIP and after.turns == before.turns and before.stage == RESPOND_DICE and (me.token != then.token).any():
        yield "a skip turned a token"


# ------------------------------------------------------------------ playing on
def walk(position: Position, choices: Sequence[int], check: bool = True) -> int:
    """Play ``position`` on in place, one choice or chance outcome for each number (taken modulo what there is).

    With ``check`` every state and change is checked.  Returns how many numbers were used: fewer than given
    when the game ended.
    """
    rules = position.rules.packed[0]
    for used, number in enumerate(choices):
        if position.over:
            return used
        before = position.state.copy()[0]
        action = None
        if n := position.chance_count():
            position.chance(number % n)
        else:
            legal = position.legal()
            check_legal(legal)
            action = int(legal[number % len(legal)])
            position.step(action)
        if check:
            if before.phase != SET_UP:
                check_change(before, rules, position.state[0], action)
            check_invariants(position.state[0], rules)
    return len(choices)


def check_legal(legal: np.ndarray) -> None:
    """Raise BrokenRuleError unless the legal list is not empty, ascending and without duplicates."""
    if len(legal) == 0:
        raise BrokenRuleError("a seat is asked that has no legal action")
    if (np.diff(legal) <= 0).any():
        raise BrokenRuleError("legal actions are not ascending, or one is listed twice")
