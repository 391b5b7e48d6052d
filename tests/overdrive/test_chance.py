"""Chance in closed form: faces, throws, the bonuses they give, cards (rulings, section 4)."""

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from overdrive_sim.game import OVERDRIVE
from overdrive_sim.kernels.dice import throw
from overdrive_sim.kernels.engine import ENGINE
from overdrive_sim.kernels.layout import DIFFICULTIES, DISTORTION_PILE, FACES, HIT_PILE, SIDES, STREAMS, UNIT
from overdrive_sim.words import counts_of
from simcore.kernel import COMPILER_OFF
from simcore.streams import RNG
from tests.overdrive.positions import at, fresh

pytestmark = pytest.mark.quick

KERNELS = ENGINE.kernels
EVERY_FACE = (Fraction(1, 6), Fraction(1, 3), Fraction(1, 3), Fraction(1, 6))  # R-DIE-01


def test_faces_of_a_die():
    """R-DIE-01: 1/6, 1/3, 1/3, 1/6."""
    found = Counter(counts_of(throw(outcome, 1)).index(1) for outcome in range(6))
    assert tuple(Fraction(found[face], 6) for face in range(FACES)) == EVERY_FACE


@pytest.mark.parametrize("n", range(5))
def test_a_throw_is_every_combination_of_sides_once(n):
    """R-DIE-01: the 6**n outcomes of n dice are the n-fold product of one die's sides."""
    found = Counter(int(throw(outcome, n)) for outcome in range(6**n))
    expected = Counter(sum(UNIT[SIDES[side]] for side in sides) for sides in itertools.product(range(6), repeat=n))
    assert found == expected


def test_the_first_dice_agree_when_their_number_differs():
    """Throws of different sizes from one draw share their first dice."""
    for outcome in range(0, 6**6, 641):
        codes = [int(throw(outcome % 6**n, n)) for n in range(7)]
        assert all(more - fewer in UNIT for fewer, more in itertools.pairwise(codes))


@pytest.mark.parametrize("dice", range(1, 7))
def test_metallum_income_by_difficulty(dice):
    """R-SOL-04, R-SOL-07, A-SOL-5: a die brings 1 Grana, 1/3 Fans, 1/6 Fame, 1/6 Overdrive on average."""
    if COMPILER_OFF and dice > 4:
        pytest.skip("46,656 outcomes are for compiled code")
    given = {"round": 1, "marker": 0, "turn": 0, "seats": [{"band": "metallum"}]}
    position = at(given, players=1, mode="solo", difficulty=DIFFICULTIES[dice - 1])
    assert position.chance_count() == 6**dice
    totals = np.zeros(4, np.int64)
    start = position.state.copy()
    for outcome in range(6**dice):
        position.state[:] = start
        position.chance(outcome)
        me = position.state[0].seat[0]
        totals += (me.fans, me.fame, me.grana, me.overdrive)
    means = [Fraction(int(total), 6**dice) for total in totals]
    assert means == [dice * Fraction(1, 3), dice * Fraction(1, 6), dice * Fraction(1), dice * Fraction(1, 6)]


def test_expected_bonus_of_four_unattacked_dice():
    """R-BAT-17 to R-BAT-20: 4 Grana, 4/3 Fans, 2/3 Overdrive, 2/3 Fame."""
    given = {"round": 3, "turn": 1, "seats": [{"band": "rebeldogs"}, {"band": "tnshe", "pool": "S"}]}
    position = at(given, players=2)
    position.play("end")
    position.chance("roll CCCC")
    totals = np.zeros(4, np.int64)
    start = position.state.copy()
    for outcome in range(6**4):
        position.state[:] = start
        position.chance(outcome)
        position.play("pass")  # the second roller: nobody has an attack on four Chords with more Chords
        position.play("pass")
        me = position.state[0].seat[1]
        totals += (me.fans, me.fame, me.grana, me.overdrive)
    means = [Fraction(int(total), 6**4) for total in totals]
    assert means == [Fraction(4, 3), Fraction(2, 3), Fraction(4), Fraction(2, 3)]


def test_set_up_chance_and_its_streams():
    """R-SET-11, R-SET-14: three Hits of 16, three cards of 32, then the first player's four dice."""
    position = fresh({"players": 4, "first_player": 2})
    rules = position.rules.packed[0]
    asked = []
    for _ in range(7):
        stream = int(KERNELS.chance_stream(position.state[0], rules))
        asked.append((position.chance_count(), stream))
        position.chance(0)
    pile, cards = HIT_PILE, DISTORTION_PILE
    assert asked == [(16, pile), (15, pile), (14, pile), (32, cards), (31, cards), (30, cards), (6**4, 2)]
    assert position.chance_count() == 0
    assert position.to_act() == 2
    assert max(pile, cards) < STREAMS


def test_battle_rolls_draw_from_each_chair():
    """R-BAT-03: every seat's roll is an event of its own, in battle order, from its own stream."""
    given = {"round": 3, "turn": 2, "seats": [{}, {"fame": 2}, {"pool": "S"}]}
    position = at(given, players=3)
    position.play("end")
    streams = []
    for _ in range(3):
        streams.append(int(KERNELS.chance_stream(position.state[0], position.rules.packed[0])))
        assert position.chance_count() == 6**4
        position.chance(0)
    assert streams == [1, 2, 0]


def test_a_reroll_draws_from_the_attackers_chair():
    """R-BAT-11: a re-roll's luck belongs to who pays for it."""
    given = {"round": 3, "phase": "attacks", "turn": 1, "seats": [{"pool": "SSCC"}, {"grana": 1, "pool": "SSCI"}]}
    position = at(given, players=2)
    position.play("reroll SS")
    assert position.chance_count() == 36
    assert int(KERNELS.chance_stream(position.state[0], position.rules.packed[0])) == 1


def test_a_reveal_is_asked_with_one_card_left():
    """A-HIT-7: the last Hit is revealed as an event of one outcome; after it nothing is asked."""
    row = ["mini_lover", "crazy_ticket", "day_filler"]
    owned = [name for name in OVERDRIVE.rules().model.deck() if name not in (*row, "cube_pusher")]
    given = {
        "turn": 0,
        "table": {"hits": row},
        "seats": [{"band": "rebeldogs", "grana": 20, "pool": "S"}, {"band": "tnshe", "hits": owned}],
    }
    position = at(given, players=2)
    position.play("buy hit mini_lover cancel H")
    assert position.chance_count() == 1
    position.chance("hit cube_pusher")
    position.play("end")
    position.chance(0)
    position.play("end")
    position.chance(0)
    position.play("buy hit crazy_ticket cancel C")
    assert position.chance_count() == 0
    assert position.view()["table"]["hits"] == ["day_filler", "cube_pusher"]


def test_hidden_cards_are_resampled_and_nothing_else():
    """A-DST-12: Metallum's hand is any of the unseen cards, each hand reachable; the rest stays."""
    given = {
        "turn": 1,
        "table": {"distortions": [1, 2, 3]},
        "seats": [{"band": "metallum", "hand": [5, 5]}, {"pool": "SSCI", "hand": [7]}],
    }
    position = at(given, players=1, mode="solo", difficulty="normal")
    rng = np.zeros(1, RNG)
    before = position.state.copy()[0]
    unseen = int(before.pile) | int(before.seat[0].hand)
    hands = Counter()
    for _ in range(3000):
        KERNELS.hide(position.state[0], position.rules.packed[0], 1, rng[0])
        after = position.state[0]
        assert int(after.pile) | int(after.seat[0].hand) == unseen
        assert int(after.pile) & int(after.seat[0].hand) == 0
        hands.update(k for k in range(32) if int(after.seat[0].hand) >> k & 1)
    assert sum(hands.values()) == 6000
    assert set(hands) == {k for k in range(32) if unseen >> k & 1}
    expected = 6000 / unseen.bit_count()
    assert sum((n - expected) ** 2 / expected for n in hands.values()) < 60  # chi-square, 27 degrees of freedom
    position.state[0].pile, position.state[0].seat[0].hand = before.pile, before.seat[0].hand
    assert position.state[0].tobytes() == before.tobytes()


def test_nothing_is_hidden_in_a_standard_game():
    position = at({"turn": 0, "seats": [{"pool": "SSCI", "hand": [7]}, {"hand": [1, 1]}]}, players=2)
    before = position.state.tobytes()
    rng = np.zeros(1, RNG)
    KERNELS.hide(position.state[0], position.rules.packed[0], 1, rng[0])
    assert position.state.tobytes() == before
    assert rng[0].ordinal == 0
