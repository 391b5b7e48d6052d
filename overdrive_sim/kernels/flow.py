"""The frame of a game: rounds, turns, battles, and what happens by itself between two decisions.

``settle`` runs the stages of ``STATE.stage`` one after another until a seat must decide, chance is due, or
the game is over.  The seat in turn is ``order[position]``.
"""

from __future__ import annotations

import numpy as np

from overdrive_sim.kernels.battle import (
    bonuses,
    leader,
    may_shield,
    next_shield,
    order_by_fame,
    order_clockwise,
)  # fmt: skip
from overdrive_sim.kernels.gains import push_copies
from overdrive_sim.kernels.layout import (
    ALLOCATION,
    ATTACK_STAGE,
    ATTACKS,
    BATTLE_ROLLS,
    BONUS_STAGE,
    CLOSE_ROUND,
    CLOSE_TURN,
    FINISHED,
    METALLUM,
    METALLUM_AWARD_STAGE,
    METALLUM_CARD_STAGE,
    METALLUM_HIT_STAGE,
    NEXT_ATTACKER,
    NO_CHANCE,
    OPEN_BATTLE,
    OPEN_ROUND,
    OPEN_TURN,
    RENEW_ROW,
    ROLL_BATTLE,
    ROLL_METALLUM,
    ROLL_POOL,
    ROLL_TURN,
    SHIELD_STAGE,
    SHIELDS,
    WAIT,
)  # fmt: skip
from overdrive_sim.kernels.metallum import ask_victim, buy_card, choose_hit, shield_itself, take_award
from overdrive_sim.kernels.piles import ask_cards, set_row
from overdrive_sim.kernels.places import clear_board, collect, give_back_borrowed
from overdrive_sim.kernels.rules import OPTIONS
from simcore.bits import index
from simcore.kernel import kernel

BATTLE_END = OPTIONS["marker_moves"].index("battle_end")
EVERY_ROUND = OPTIONS["marker_moves"].index("every_round")
EACH_TURN = OPTIONS["ability_limit"].index("turn")
COPY_EACH_ROUND = OPTIONS["cover_choice"].index("each_round")


@kernel(inline=True)
def settle(state, rules):
    """Run the game on, in place, to its next decision or chance event, or to its end."""
    # Mostly there is nothing to do, which is found out here, without a call.
    if state.stage != WAIT:
        _run_stages(state, rules)


@kernel
def _run_stages(state, rules):
    while state.stage != WAIT and state.chance == NO_CHANCE and state.choices == 0:
        advance(state, rules)


@kernel(inline=True)
def advance(state, rules):
    """One stage: do what it says and name the next."""
    stage = state.stage
    if stage == CLOSE_TURN:
        close_turn(state, rules)
    elif stage == OPEN_TURN:
        open_turn(state, rules)
    elif stage == ROLL_POOL:
        roll_pool(state, rules)
    elif stage == OPEN_ROUND:
        open_round(state)
    elif stage == CLOSE_ROUND:
        close_round(state, rules)
    elif stage < OPEN_BATTLE:
        advance_metallum(state, rules, stage)
    else:
        advance_battle(state, rules, stage)


@kernel
def advance_metallum(state, rules, stage):
    """Metallum's turn after its roll: Hit, Distortion card, award (A-SOL-7); or the row of a new game."""
    if stage == METALLUM_HIT_STAGE:
        state.stage = METALLUM_CARD_STAGE
        choose_hit(state, rules)
    elif stage == METALLUM_CARD_STAGE:
        state.stage = METALLUM_AWARD_STAGE
        buy_card(state)
    elif stage == METALLUM_AWARD_STAGE:
        state.stage = CLOSE_TURN
        take_award(state, rules)
    else:
        state.stage = OPEN_ROUND
        ask_cards(state, state.marker, rules.row_size)


@kernel
def advance_battle(state, rules, stage):
    """The stages of a battle, from its rolls to the new row of Distortion cards."""
    if stage == OPEN_BATTLE:
        open_battle(state, rules)
    elif stage == BATTLE_ROLLS:
        roll_next(state, rules)
    elif stage == SHIELD_STAGE:
        shield_next(state, rules)
    elif stage == NEXT_ATTACKER:
        state.position += 1
        state.stage = ATTACK_STAGE
    elif stage == ATTACK_STAGE:
        attack_next(state, rules)
    elif stage == BONUS_STAGE:
        bonus_next(state, rules)
    else:
        state.discard |= state.row
        set_row(state, rules, np.int64(0))
        state.stage = CLOSE_ROUND
        ask_cards(state, state.marker, rules.row_size)


@kernel(inline=True)
def ask_roll(state, kind, seat, n):
    """Ask for a roll of ``n`` dice of ``seat``."""
    state.chance = kind
    state.chance_seat = seat
    state.chance_left = n


# ------------------------------------------------------------------ rounds and turns
@kernel(inline=True)
def open_round(state):
    """A round begins: order clockwise from the marker, abilities fresh, dice home (R-ALL-02, R-TRK-10)."""
    state.phase = ALLOCATION
    order_clockwise(state, state.marker)
    state.position = 0
    for seat in range(state.seats):
        me = state.seat[index(seat)]
        me.abilities_used = 0
        me.pool = 0
        me.shielded = 0
        me.attacked = 0
    state.stage = OPEN_TURN


@kernel(inline=True)
def open_turn(state, rules):
    """The next seat collects its dice and is to roll them (R-ALL-03); limits of a turn start anew."""
    seat = np.int64(state.order[index(state.position)])
    state.turn = seat
    me = state.seat[index(seat)]
    me.bought_hit = 0
    me.bought_distortion = 0
    me.claimed = 0
    me.pool = 0
    me.spent = 0
    collect(state, seat)
    if me.band == METALLUM:
        state.stage = METALLUM_HIT_STAGE
        ask_roll(state, ROLL_METALLUM, seat, state.difficulty)
        return
    state.stage = ROLL_POOL
    if rules.option.ability_limit == EACH_TURN:
        me.abilities_used = 0
    if rules.option.cover_choice == COPY_EACH_ROUND:
        push_copies(state, rules, seat, -1)
    if state.choices == 0:
        roll_pool(state, rules)


@kernel(inline=True)
def roll_pool(state, rules):
    """The seat in turn is to roll its dice, and decides then."""
    state.stage = WAIT
    ask_roll(state, ROLL_TURN, state.turn, rules.start_dice + state.seat[index(state.turn)].extra_dice)


@kernel(inline=True)
def close_turn(state, rules):
    """A turn ends: borrowed dice go home, the rest lie beside the board; the next seat or phase follows."""
    me = state.seat[index(state.turn)]
    give_back_borrowed(state, state.turn)
    me.pool = 0
    me.spent = 0
    me.skulls_wild = 0
    state.position += 1
    if state.position < state.seats:
        state.stage = OPEN_TURN
    elif has_battle(state, rules):
        state.stage = OPEN_BATTLE
    else:
        state.stage = CLOSE_ROUND


@kernel(inline=True)
def has_battle(state, rules):
    """Whether this round ends with a battle (R-GAM-03, R-GAM-04)."""
    return rules.battle_round[state.game_round] != 0 or state.game_round >= rules.last_round


@kernel
def close_round(state, rules):
    """The round marker advances (R-END-01); Free Falling clears the board and moves the marker (R-FRF-01)."""
    if state.free_falling:
        clear_board(state)
    moves = rules.option.marker_moves
    if state.free_falling or moves == EVERY_ROUND or (moves == BATTLE_END and has_battle(state, rules)):
        state.marker = leader(state)
    state.game_round += 1
    while state.speed_metal and state.game_round < rules.last_round and rules.speed_skips[state.game_round]:
        state.game_round += 1
    state.stage = OPEN_ROUND


# ------------------------------------------------------------------ battles
@kernel
def open_battle(state, rules):
    """All dice leave the board, the marker goes to the highest Fame, who begins (R-ALL-07, R-BAT-02)."""
    clear_board(state)
    first = leader(state)
    if rules.option.marker_moves != BATTLE_END:
        state.marker = first
    order_clockwise(state, first)
    if state.hall_of_fame:
        order_by_fame(state)
    state.turn = first
    state.position = 0
    state.phase = SHIELDS
    state.stage = BATTLE_ROLLS


@kernel(inline=True)
def roll_next(state, rules):
    """The next seat of the battle order rolls four dice, Metallum those of its difficulty (R-BAT-03, R-SOL-14)."""
    if state.position == state.seats:
        state.position = 0
        state.detail[0] = 0
        state.stage = SHIELD_STAGE
        return
    seat = np.int64(state.order[index(state.position)])
    me = state.seat[index(seat)]
    state.position += 1
    if me.band == METALLUM:
        ask_roll(state, ROLL_BATTLE, seat, state.difficulty)
    else:
        ask_roll(state, ROLL_BATTLE, seat, min(rules.battle_dice, rules.start_dice + me.extra_dice))


@kernel(inline=True)
def shield_next(state, rules):
    """The next seat with something to protect a die with is asked (R-BAT-13); then the attacks begin."""
    if state.position == state.seats:
        state.position = 0
        state.phase = ATTACKS
        state.stage = ATTACK_STAGE
        return
    seat = np.int64(state.order[index(state.position)])
    if state.seat[index(seat)].band == METALLUM:
        shield_itself(state, rules, seat)
        next_shield(state)
    elif may_shield(state, rules, seat):
        state.turn = seat
        state.stage = WAIT
    else:
        next_shield(state)


@kernel(inline=True)
def attack_next(state, rules):
    """The attacker's turn of the next seat (R-BAT-07); after the last one the bonuses, or the end (R-END-02)."""
    if state.position == state.seats:
        state.position = 0
        if state.game_round >= rules.last_round:
            state.phase = FINISHED
            state.stage = WAIT
        else:
            state.stage = BONUS_STAGE
        return
    seat = np.int64(state.order[index(state.position)])
    state.turn = seat
    if state.seat[index(seat)].band == METALLUM:
        state.stage = NEXT_ATTACKER
        ask_victim(state, rules)
        return
    state.stage = WAIT
    if rules.option.ability_limit == EACH_TURN:
        state.seat[index(seat)].abilities_used = 0


@kernel(inline=True)
def bonus_next(state, rules):
    """The surviving dice of the next seat become bonuses (R-BAT-21, A-BAT-9); then the row is renewed."""
    if state.position == state.seats:
        state.stage = RENEW_ROW
        return
    seat = np.int64(state.order[index(state.position)])
    state.position += 1
    bonuses(state, rules, seat, state.seat[index(seat)].pool)
