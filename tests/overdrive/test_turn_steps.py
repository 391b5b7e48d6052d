"""What an action of the own turn does: dice, cards, purchases, and what stays as it was."""

import numpy as np
import pytest

from overdrive_sim.game import OVERDRIVE as GAME
from overdrive_sim.kernels import actions as ids
from overdrive_sim.kernels.dice import NUMBER
from overdrive_sim.kernels.layout import (
    ALLOCATION,
    CHORD,
    FACES,
    INFLUENCE,
    LEGAL_CAPACITY,
    REROLL,
    SKULL,
    UNIT,
)  # fmt: skip
from overdrive_sim.kernels.listing import FULL, list_one, list_pairs, list_rolls, list_takes, list_targets
from overdrive_sim.kernels.options import attacker_legal, turn_legal
from overdrive_sim.kernels.turn import apply_turn_chance, turn_step
from tests.overdrive.positions import at
from tests.overdrive.tables import scattered

pytestmark = pytest.mark.quick

RULES = GAME.rules()
TABLE = RULES.packed[0]


def dice(text):
    return sum(UNIT["HSCI".index(letter)] for letter in text)


def battle(pool, shielded, **seat):
    """The own attacker turn of seat 0."""
    given = {"round": 3, "phase": "attacks", "turn": 0, "seats": [{"pool": pool, "shielded": shielded, **seat}, {}]}
    given["seats"][1]["pool"] = "CCII"
    return at(given, players=2)


@pytest.mark.parametrize(
    ("pool", "shielded", "again", "outcome", "after", "protected"),
    [
        # Thrown in the order H S C I, of one face the unshielded first: digits of the outcome from the lowest.
        ("SSCI", "S", ("S", ""), [5], "ISCI", "S"),
        ("SSCI", "S", ("S", "S"), [5], "ISCI", "I"),
        ("SSCI", "S", ("SS", "S"), [0, 5], "HICI", "I"),
        ("SSCI", "SC", ("SCI", "C"), [0, 3, 5], "SHCI", "SC"),
        ("SSCI", "SC", ("SSCI", "SC"), [5, 0, 1, 3], "IHSC", "HS"),
    ],
)
def test_a_shielded_die_stays_shielded_when_it_is_thrown_again(pool, shielded, again, outcome, after, protected):
    """A-BND-1: the die is protected, not its face."""
    position = battle(pool, shielded, grana=1)
    state = position.state[0]
    action = ids.pack(REROLL, 0, int(NUMBER[dice(again[0])]), 0, 0, int(NUMBER[dice(again[1])]))
    assert action in position.legal()
    turn_step(state, TABLE, action)
    apply_turn_chance(state, TABLE, sum(side * 6**k for k, side in enumerate(outcome)))
    assert int(state.seat[0].pool) == dice(after)
    assert int(state.seat[0].shielded) == dice(protected)
    assert int(state.seat[0].grana) == 0


@pytest.mark.parametrize(
    ("card", "argument", "pool", "shielded"),
    [
        (8, 0, "CCCC", "CC"),
        (10, 0, "SSHI", "SI"),
        (5, INFLUENCE, "IICI", "II"),
        (12, INFLUENCE * FACES, "SSCH", "SH"),
        (7, 1 + ids.pair(SKULL, 1, CHORD), "SCCI", "CI"),
        (7, 1 + ids.pair(SKULL, 0, CHORD), "SCCI", "SI"),
        (13, CHORD, "SSCI", "SCI"),
    ],
)
def test_cards_change_shielded_dice_too(card, argument, pool, shielded):
    """A-DST-10, A-BND-1."""
    position = battle("SSCI", "SI", hand=[card])
    state = position.state[0]
    held = int(state.seat[0].hand)
    action = ids.play(held.bit_length() - 1, argument)
    assert action in position.legal()
    turn_step(state, TABLE, action)
    me = state.seat[0]
    assert (int(me.pool), int(me.shielded)) == (dice(pool), dice(shielded))
    assert (int(me.hand), int(me.used)) == (0, held)


def test_card_5_to_several_faces():
    """A-DST-6 with card5 = each_free: every Skull to any other face."""
    given = {"round": 2, "turn": 0, "seats": [{"pool": "SSCI", "hand": [5]}, {}]}
    position = at(given, players=2, options={"card5": "each_free"})
    position.play("play 5 S>H S>C")
    assert position.view()["seats"][0]["pool"] == "HCCI"


def test_a_bought_hit_may_send_its_dice_home():
    """A-HIT-6 with buy_occupied = return; the buyer's own dice are spent (A-SPC-8)."""
    given = {
        "round": 2, "turn": 0, "table": {"hits": ["crazy_ticket"]}, "spaces": {"hit:crazy_ticket": ["0:CCSI@1"]},
        "seats": [{"pool": "S", "grana": 9}, {}],
    }  # fmt: skip
    position = at(given, players=2, options={"buy_occupied": "return"})
    position.play("buy hit crazy_ticket cancel ?")
    assert position.state[0].occupied == 0
    assert position.view()["seats"][0]["spent"] == "SCC"


@pytest.mark.parametrize("in_battle", [False, True])
@pytest.mark.parametrize("seed", range(30))
def test_an_action_conserves_dice_and_pays_its_price(seed, in_battle):
    """Every legal action, stepped from a copy: dice of the seat neither appear nor vanish (R-COM-02, R-GRA-15)."""
    state = scattered(seed, RULES, in_battle=in_battle)
    seat = int(state.turn)
    out = np.zeros(1, GAME.engine.options)[0]
    n = attacker_legal(state, TABLE, out, 0) if in_battle else turn_legal(state, TABLE, out)
    legal = [int(action) for action in out.action[:n] if ids.verb_of(int(action)) <= 11]
    before = held(state, seat)
    for action in legal:
        after = state.copy()
        turn_step(after, TABLE, action)
        me = after.seat[seat]
        extra = int(me.extra_dice) - int(state.seat[seat].extra_dice)
        thrown = int(after.chance_left) if after.chance and not extra else 0
        if ids.verb_of(action) in (5, 6):
            thrown = 0
        assert held(after, seat) + thrown == before, action
        assert me.grana >= 0
        assert me.hand | me.used | after.row == state.seat[seat].hand | state.seat[seat].used | state.row
        assert after.phase == state.phase
        assert after.phase != ALLOCATION or me.shielded == 0


def held(state, seat):
    """Dice of a seat in its pool, spent, on the board and in others' pools."""
    me = state.seat[seat]
    in_hand = sum(int(code_of) // UNIT[face] % 7 for code_of in (me.pool, me.spent) for face in range(FACES))
    lent = sum(int(entry) // FACES == seat for them in state.seat for entry in them.locked[: them.n_locked])
    return in_hand + int(me.on_board) + lent


def test_a_list_that_would_overflow_is_reported_not_written():
    """LEGAL_CAPACITY is never exceeded: each writer says FULL and the lists say -1."""
    state = scattered(1, RULES)
    me = state.seat[state.turn]
    me.pool, me.shielded = dice("HSCI"), 0
    out = np.zeros(1, GAME.engine.options)[0]
    full = LEGAL_CAPACITY
    assert list_one(out, full, 1) == FULL
    assert list_rolls(out, full - 3, 0, me) == FULL
    assert list_pairs(out, full - 3, 0, int(me.pool), 0, 15, 15) == FULL
    assert list_targets(out, full - 3, 0, 7) == FULL
    assert list_takes(state, TABLE, int(state.turn), out, full - 3, 0) == FULL
    assert attacker_legal(state, TABLE, out, full) == -1
