"""What must always hold in a game of Overdrive (rulings, section 4).

``check_invariants`` looks at one state, ``check_step`` at a decision and what it did; both raise
``BrokenRuleError`` and name every mistake that they find.  ``walk`` plays a position on and checks it all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from overdrive_sim.kernels.actions import dice_of, target_of, verb_of
from overdrive_sim.kernels.dice import SIZE
from overdrive_sim.kernels.layout import (
    ALLOCATION,
    ATTACK,
    ATTACKS,
    BOARD_SPACES,
    BUY_DIE,
    BUY_DISTORTION,
    BUY_HIT,
    FACES,
    FINISHED,
    HIT,
    METALLUM,
    MOST_AWARDS,
    MOST_PLACES,
    NO_AWARD,
    NO_CHANCE,
    REROLL,
    SEATS,
    SET_FACE,
    SHIELDS,
    SPACES,
    TARGETS,
    UNIT,
    VIKING_STAGE,
    WAIT,
)  # fmt: skip
from overdrive_sim.kernels.places import cancelled_face, hits_in_play
from overdrive_sim.kernels.rules import NOTHING_CANCELLED, OPTIONS
from overdrive_sim.kernels.spaces import hit_row
from simcore.errors import EngineError

if TYPE_CHECKING:
    from simcore.position import Position


class BrokenRuleError(EngineError):
    """A state that no game can reach, or a decision that did what it may not."""


def dice_counts(code: Any) -> list[int]:
    """Dice of each face (H S C I) in a dice code."""
    return [int(code) // UNIT[face] % 7 for face in range(FACES)]


def bits(mask: Any) -> list[int]:
    """Numbers of the set bits of a mask."""
    return [k for k in range(64) if int(mask) >> k & 1]


# ------------------------------------------------------------------ one state
def check_invariants(state: Any, rules: Any) -> None:
    """Raise BrokenRuleError unless ``state`` (one STATE record) may occur under ``rules`` (one RULES record)."""
    found = [line for check in _CHECKS for line in check(state, rules)]
    if found:
        raise BrokenRuleError("impossible state: " + "; ".join(found))


def _levels(state: Any, rules: Any) -> Iterator[str]:
    """A-TRK-2: no level below 0; R-SPC-08a: extra dice within their limit; limits are 0 or 1."""
    for seat in range(state.seats):
        me = state.seat[seat]
        for k, track in enumerate(("fans", "fame", "grana", "overdrive")):
            if not 0 <= me[track] <= me.most[k]:
                yield f"seat {seat}: {track} {me[track]}, highest ever {me.most[k]}"
        if not 0 <= me.extra_dice <= rules.extra_dice:
            yield f"seat {seat}: {me.extra_dice} extra dice"
        for flag in ("bought_hit", "bought_distortion", "claimed", "skulls_wild", "attacked"):
            if me[flag] not in (0, 1):
                yield f"seat {seat}: {flag} is {me[flag]}"
        if not 0 <= me.single_faces <= rules.single_faces:
            yield f"seat {seat}: {me.single_faces} single-use faces"


def _dice(state: Any, rules: Any) -> Iterator[str]:
    """R-ALL-01, R-SPC-08a: a player's dice are always 4 + extra; borrowed ones lie in somebody's pool."""
    away = [0] * SEATS
    if rules.option.jam_die == OPTIONS["jam_die"].index("moves"):
        for seat in range(state.seats):
            for entry in state.seat[seat].locked[: state.seat[seat].n_locked]:
                away[int(entry) // FACES] += 1
    for seat in range(state.seats):
        me = state.seat[seat]
        shown = sum(dice_counts(me.pool)) + sum(dice_counts(me.spent)) + int(me.on_board) + away[seat]
        owned = rules.start_dice + me.extra_dice
        in_turn = seat == state.turn and state.phase == ALLOCATION and state.stage == WAIT
        if me.band == METALLUM:
            owned, in_turn = state.difficulty, False
            if me.on_board or me.n_locked or me.spent:
                yield f"seat {seat}: Metallum has dice on the board (R-SOL-08)"
        waits = state.chance != NO_CHANCE
        if shown > owned or (in_turn and not waits and shown != owned):
            yield f"seat {seat}: {shown} dice shown, {owned} owned"
        if me.n_locked and (seat != state.turn or state.phase != ALLOCATION):
            yield f"seat {seat}: borrowed dice outside its turn (A-SPC-6)"


def _battle_dice(state: Any, rules: Any) -> Iterator[str]:
    """R-BAT-03, R-BAT-15, R-ALL-07: at most four dice, never the last one lost, none on the board."""
    for seat in range(state.seats):
        me = state.seat[seat]
        pool, shielded = dice_counts(me.pool), dice_counts(me.shielded)
        if any(s > p for s, p in zip(shielded, pool, strict=True)):
            yield f"seat {seat}: shielded dice that it does not have"
        if state.phase == ALLOCATION:
            continue
        most = state.difficulty if me.band == METALLUM else rules.battle_dice
        if sum(pool) > most:
            yield f"seat {seat}: {sum(pool)} dice in a battle"
        if state.phase in (ATTACKS, FINISHED) and sum(pool) == 0 and state.chance == NO_CHANCE:
            yield f"seat {seat}: lost its last die (R-BAT-15)"
        if me.on_board or me.spent:
            yield f"seat {seat}: dice on the board in a battle (R-ALL-07)"


def _hits(state: Any, rules: Any) -> Iterator[str]:
    """R-HIT-13: three Hits on offer while the pile lasts; each Hit in exactly one place."""
    row = [int(hit) for hit in state.hit_row if hit >= 0]
    places = [*row, *bits(state.hit_pile)]
    for seat in range(state.seats):
        for hit in bits(state.seat[seat].hits):
            places.append(hit)
            if state.hit_owner[hit] != seat:
                yield f"Hit {hit}: owned by seat {seat}, marked as {state.hit_owner[hit]}"
    if sorted(places) != list(range(rules.hits)):
        yield f"Hits lie in {sorted(places)}, not each in one place"
    if state.stage == WAIT and state.chance == NO_CHANCE and len(row) < rules.offer_size and state.hit_pile:
        yield f"only {len(row)} Hits on offer while the pile lasts"
    in_play = [0] * (NOTHING_CANCELLED + 1)
    for hit in bits(hits_in_play(state)):
        in_play[int(cancelled_face(state, hit))] |= 1 << hit
        if state.hit_need[hit] != hit_row(state, rules, hit, 0):
            yield f"Hit {hit}: hit_need is out of step with its cancelled space"
    if in_play != state.in_play.tolist():
        yield "in_play is out of step with the Hits"
    for hit in [*row, *bits(state.hit_pile)]:
        if state.hit_owner[hit] != -1 or state.cancelled[hit] != -1:
            yield f"Hit {hit}: owner or cancelled space without a purchase"


def _cards(state: Any, rules: Any) -> Iterator[str]:
    """R-DST-05, R-DST-09: each Distortion card in one place; one to three in the row while cards last."""
    places = [*bits(state.row), *bits(state.pile), *bits(state.discard)]
    for seat in range(state.seats):
        places += [*bits(state.seat[seat].hand), *bits(state.seat[seat].used)]
    if sorted(places) != list(range(rules.cards)):
        yield f"Distortion cards lie in {sorted(places)}, not each in one place"
    if bits(state.for_sale) != [card for card in bits(state.row) if not state.row & rules.card_twins[card]]:
        yield "for_sale is out of step with the row"
    settled = state.stage == WAIT and state.chance == NO_CHANCE and state.phase == ALLOCATION
    if len(bits(state.row)) > rules.row_size or (settled and not state.row and (state.pile or state.discard)):
        yield f"{len(bits(state.row))} Distortion cards in the row"


def _awards(state: Any, rules: Any) -> Iterator[str]:
    """R-AWD-05, R-AWD-11: each award on the table or with one band."""
    places = bits(state.awards) + [
        int(state.seat[seat].award) for seat in range(state.seats) if state.seat[seat].award != NO_AWARD
    ]
    if sorted(places) != list(range(MOST_AWARDS)):
        yield f"awards lie in {sorted(places)}, not each in one place"


def required_most(rules: Any, target: int) -> int:
    """Most dice that one place of a target ever holds; a large number for Resources (R-BRD-04)."""
    if target >= HIT:
        rows = [rules.hit_row[target - HIT, way, NOTHING_CANCELLED] for way in range(rules.hit_ways[target - HIT])]
        return max(int(rules.need[row].sum()) for row in rows)
    if target >= VIKING_STAGE:
        return int(rules.need[rules.stage_row].sum())
    if rules.space_places[target] == 0:
        return 6 * SEATS
    return int(rules.need[rules.space_row[target]].sum())


def _board(state: Any, rules: Any) -> Iterator[str]:
    """R-ALL-08, A-SPC-6: no place holds more dice than it requires; what follows from the dice is in step."""
    dice_at = np.zeros(TARGETS * MOST_PLACES, np.int64)
    lying = np.zeros(TARGETS, np.int64)
    for seat in range(state.seats):
        for entry in state.seat[seat].board[: state.seat[seat].on_board]:
            spot = int(entry) // 32
            dice_at[spot] += 1
            lying[spot // MOST_PLACES] |= 1 << (seat * FACES + int(entry) % FACES)
    if (dice_at != state.dice_at).any():
        yield "dice_at is out of step with the dice"
    if (lying != state.lying).any():
        yield "lying is out of step with the dice"
    for target in range(TARGETS):
        places = dice_at[target * MOST_PLACES : (target + 1) * MOST_PLACES]
        busy = sum(1 << k for k, n in enumerate(places) if n)
        if busy != state.busy[target] or bool(busy) != bool(int(state.occupied) >> target & 1):
            yield f"target {target}: busy or occupied is out of step with the dice"
        if busy and max(places) > required_most(rules, target):
            yield f"target {target}: {max(places)} dice on one place"
        if busy and target < BOARD_SPACES and int(state.closed) >> target & 1:
            yield f"dice on {SPACES[target]}, which is closed"


def _frame(state: Any, rules: Any) -> Iterator[str]:
    """R-GAM-02 to R-GAM-04, R-COM-08: rounds, phases, order and turn fit together."""
    seats = sorted(int(seat) for seat in state.order[: state.seats])
    if not 1 <= state.game_round <= rules.last_round:
        yield f"round {state.game_round}"
    if state.speed_metal and rules.speed_skips[state.game_round]:
        yield f"round {state.game_round} in Speed Metal (R-SPD-01)"
    if not 0 <= state.marker < state.seats:
        yield f"marker with seat {state.marker}"
    if seats != list(range(state.seats)):
        yield f"order {state.order[: state.seats].tolist()}"
    in_battle = state.phase in (SHIELDS, ATTACKS)
    if in_battle and not rules.battle_round[state.game_round] and state.game_round != rules.last_round:
        yield f"a battle in round {state.game_round} (R-GAM-03)"
    decides = state.stage == WAIT and state.chance == NO_CHANCE and state.choices == 0 and state.phase != FINISHED
    if decides and state.order[state.position] != state.turn:
        yield f"seat {state.turn} is in turn, not {state.order[state.position]}"
    if decides and state.seat[state.turn].band == METALLUM:
        yield "Metallum is asked (R-SOL-08)"


_CHECKS: tuple[Callable[[Any, Any], Iterator[str]], ...] = (
    _levels, _dice, _battle_dice, _hits, _cards, _awards, _board, _frame,
)  # fmt: skip


# ------------------------------------------------------------------ one decision
def check_step(before: Any, rules: Any, action: int, after: Any) -> None:
    """Raise BrokenRuleError unless ``action`` changed Grana and dice as it may (states before and after it).

    R-GRA-15: a paid action costs its price and gives no Grana back, except a bought level, whose passives
    may.  R-BAT-04, R-BAT-14: an attack removes one die, and no protected one.
    """
    verb = int(verb_of(action))
    seat = int(before.turn)
    me, then = before.seat[seat], after.seat[seat]
    price: int | None = {
        REROLL: rules.price_reroll, SET_FACE: rules.price_set, BUY_DIE: rules.price_die,
        BUY_DISTORTION: len(bits(before.row)),
    }.get(verb)  # fmt: skip
    if verb == BUY_HIT:
        price = rules.hit_price[int(target_of(action)) - HIT]
    if price is not None and then.grana != me.grana - price:
        raise BrokenRuleError(f"seat {seat} had {me.grana} Grana, paid {price} and has {then.grana}")
    if verb == REROLL and after.chance_left != SIZE[int(dice_of(action))]:
        raise BrokenRuleError(f"seat {seat} re-rolls {SIZE[int(dice_of(action))]} dice, {after.chance_left} are rolled")
    if verb == ATTACK:
        _check_attack(before, after)


def _check_attack(before: Any, after: Any) -> None:
    lost = [
        sum(dice_counts(before.seat[seat].pool)) - sum(dice_counts(after.seat[seat].pool))
        for seat in range(before.seats)
    ]
    reacts = after.choices > before.choices
    if sorted(lost) != [0] * (before.seats - (not reacts)) + [1] * (not reacts):
        raise BrokenRuleError(f"an attack removed {lost} dice (by seat)")
    if any(before.seat[seat].shielded != after.seat[seat].shielded for seat in range(before.seats)):
        raise BrokenRuleError("an attack changed the shielded dice")


# ------------------------------------------------------------------ playing on
def walk(position: Position, choices: Sequence[int], check: bool = True) -> int:
    """Play ``position`` on in place, one choice or chance outcome for each number (taken modulo what there is).

    With ``check`` every state and step is checked, and the state after an error is in the error's text.
    Returns how many numbers were used: fewer than given when the game ended.
    """
    rules = position.rules.packed[0]
    for used, number in enumerate(choices):
        if position.over:
            return used
        n = position.chance_count()
        if n:
            position.chance(number % n)
        else:
            legal = position.legal()
            if check:
                check_legal(legal)
            before = position.state.copy()[0]
            action = int(legal[number % len(legal)])
            position.step(action)
            if check:
                check_step(before, rules, action, position.state[0])
        if check:
            check_invariants(position.state[0], rules)
    return len(choices)


def check_legal(legal: np.ndarray) -> None:
    """Raise BrokenRuleError unless the legal list is not empty, ascending and without duplicates."""
    if len(legal) == 0:
        raise BrokenRuleError("a seat is asked that has no legal action")
    if (np.diff(legal) <= 0).any():
        raise BrokenRuleError("legal actions are not ascending, or one is listed twice")
