"""Chance as the engine deals it, enumerated outcome by outcome against closed forms (rulings, section 5)."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from metalmania_sim.game import METALMANIA
from metalmania_sim.kernels.layout import (
    COMPANY_STREAM,
    DECK_STREAM,
    DIE_BITS,
    DIE_OFFSET,
    FIFTH,
    PLACE,
    ROLL_BEERS,
    STREAMS,
    VERB_SHIFT,
)  # fmt: skip
from simcore.position import Position
from tests.metalmania.tables import start

pytestmark = pytest.mark.quick

CHARACTERISTICS = range(8)


def position(given, **scenario):
    state, rules = start(given, **scenario)
    return Position(METALMANIA, state, rules)


def do(at, text):
    """``at`` after the action in notation."""
    action = METALMANIA.parse_action(at.state[0], at.rules, text, at.legal())
    assert action is not None, text
    at.step(action)
    return at


def outcomes(at):
    """A copy of ``at`` for every outcome of the chance that is due."""
    for outcome in range(at.chance_count()):
        after = at.copy()
        after.chance(outcome)
        yield after


def placed(at, dice):
    """``at`` with these dice on the artists, guitar first."""
    detail = sum((die + DIE_OFFSET) << (DIE_BITS * (FIFTH - p)) for p, die in enumerate(dice))
    at.step(PLACE << VERB_SHIFT | detail)
    return at


def with_value(at, c):
    """``at`` with every artist's tested characteristics set to ``c`` (a rule set that no file need hold)."""
    at.rules.packed[0].tested[:] = c
    return at


@pytest.mark.parametrize("c", CHARACTERISTICS)
def test_one_die_against_one_characteristic(c):
    """MM-R067 to MM-R076: 5.1, hit min(max(c - 1, 0), 5) / 6, fail (6 - c) / 6, fame c (c - 1) / 12."""
    at = with_value(position({"step": "action", "seats": [{"conditions": "ATTT"}]}), c)
    do(at, "perform")
    results = {}
    for die in range(1, 7):
        # The other dice are 6s, which fail whatever is tested.
        outcome = (die - 1) + 6 * 5 + 36 * 5 + 216 * 5
        after = at.copy()
        after.chance(outcome)
        me = placed(after, [die, 6, 6, 6]).state[0].seat[0]
        results[die] = (int(me.fame), int(me.condition[0]))
    fails = sum(condition == 1 for _, condition in results.values())
    hits = sum(fame > 0 for fame, _ in results.values())
    assert fails == (6 if c <= 0 else 6 - c if c <= 5 else 1)
    assert hits == min(max(c - 1, 0), 5)
    assert 6 - fails - hits == (1 if 1 <= c <= 5 else 0)
    fame = Fraction(sum(fame for fame, _ in results.values()), 6)
    assert fame == (Fraction(c * (c - 1), 12) if c <= 6 else Fraction(15, 6))


def fame_with(at, dice):
    """Fame of the guitarist who gets the first of ``dice``; the others' 6s fail."""
    return int(placed(at.copy(), dice).state[0].seat[0].fame)


def thrown(c, level):
    """(die, position) for each face of one die beside three 6s: before its dice are placed, a token at ``level``."""
    given = {"step": "action", "seats": [{"levels": level, "conditions": "ATTT"}]}
    at = do(with_value(position(given), c), "perform")
    for die in range(1, 7):
        after = at.copy()
        after.chance((die - 1) + 6 * 5 + 36 * 5 + 216 * 5)
        yield die, after


@pytest.mark.parametrize(
    ("c", "hit"),
    [(1, Fraction(0)), (2, Fraction(11, 36)), (3, Fraction(5, 9)), (4, Fraction(3, 4)), (5, Fraction(8, 9)),
     (6, Fraction(35, 36))],
)  # fmt: skip
def test_a_hit_with_one_die_rolled_again(c, hit):
    """MM-R089, MM-R093: 5.1, a die that is no hit is rolled again."""
    found = Fraction(0)
    for die, at in thrown(c, {"recording": 1}):
        if fame_with(do(at.copy(), "skip"), [die, 6, 6, 6]) > 0:
            found += Fraction(1, 6)
            continue
        do(at, f"use recording {die}")
        for k, after in enumerate(outcomes(at)):
            found += Fraction(fame_with(after, [k + 1, 6, 6, 6]) > 0, 36)
    assert found == hit


@pytest.mark.parametrize(
    ("c", "hits", "fame"),
    [
        (1, "0 0 0", "0 0 0"),
        (2, "1/3 1/2 2/3", "1/3 1/2 2/3"),
        (3, "1/2 2/3 5/6", "1 4/3 5/3"),
        (4, "2/3 5/6 1", "11/6 5/2 3"),
        (5, "5/6 1 1", "17/6 23/6 4"),
        (6, "1 1 1", "4 9/2 29/6"),
    ],
)
def test_a_die_moved_by_advertising(c, hits, fame):
    """MM-R090, MM-A15, MM-A16: 5.1, by up to X in the best way, never beyond 1 and 6."""
    for level, hit, most in zip((1, 2, 3), hits.split(), fame.split(), strict=True):
        won = Counter()
        for die, at in thrown(c, {"advertising": level}):
            best = fame_with(do(at.copy(), "skip"), [die, 6, 6, 6])
            for new in range(max(1, die - level), min(6, die + level) + 1):
                if new != die:
                    best = max(best, fame_with(do(at.copy(), f"use advertising {die}>{new}"), [new, 6, 6, 6]))
            won["hit"] += best > 0
            won["fame"] += best
        assert Fraction(won["hit"], 6) == Fraction(hit)
        assert Fraction(won["fame"], 6) == Fraction(most)


@pytest.mark.parametrize(
    ("values", "chance"),
    [((3, 3, 3, 3), Fraction(1, 16)), ((5, 4, 3, 3), Fraction(5, 36)), ((5, 5, 5, 5), Fraction(625, 1296))],
)
def test_no_fail_in_a_band_of_four(values, chance):
    """MM-R065, MM-R069: 5.6, with rolled_in_order the placement is fixed and all 6**4 throws are judged."""
    at = position({"step": "action"}, options={"placement": "rolled_in_order"})
    for instrument, c in enumerate(values):
        at.rules.packed[0].tested[0, int(at.state[0].seat[0].artist[instrument]), instrument] = c
    do(at, "perform")
    assert at.chance_count() == 6**4
    kept = np.zeros(4, int)
    whole = 0
    for after in outcomes(at):
        conditions = after.state[0].seat[0].condition[:4]
        kept += conditions == 0
        whole += not conditions.any()
    assert Fraction(whole, 6**4) == chance
    assert [Fraction(int(k), 6**4) for k in kept] == [Fraction(c, 6) for c in values]


def test_events_come_up_as_two_dice():
    """MM-R043, MM-R044: 5.3, and with k paid steps an event is reached from every sum within k of it."""
    sums = Counter()
    for after in outcomes(position({"step": "event"})):
        sums[int(after.state[0].dice[:2].sum())] += 1
    assert [sums[n] for n in range(2, 13)] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]


@pytest.mark.parametrize(
    ("paid", "reached"),
    [
        (0, [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]),
        (1, [3, 6, 9, 12, 15, 16, 15, 12, 9, 6, 3]),
        (2, [6, 10, 15, 20, 23, 24, 23, 20, 15, 10, 6]),
        (3, [10, 15, 21, 26, 29, 30, 29, 26, 21, 15, 10]),
    ],
)
def test_events_within_reach_of_the_purse(paid, reached):
    """MM-R044, MM-R045, MM-R046, MM-A22: 2$ a step, never beyond 2 and 12."""
    counts = Counter()
    for after in outcomes(position({"step": "event", "seats": [{"money": 2 * paid + 1}]})):
        counts.update(_events(after))
    assert [counts[n] for n in range(2, 13)] == reached


def _events(at):
    """Numbers of the events that the active seat can choose now, by every way of paying."""
    found, open_ones = set(), [at]
    while open_ones:
        now = open_ones.pop()
        shown = int(now.state[0].dice[:2].sum()) + int(now.state[0].offset)
        assert 2 <= shown <= 12
        found.add(shown)
        for text in ("shift +1", "shift -1"):
            action = METALMANIA.parse_action(now.state[0], now.rules, text, now.legal())
            if action is not None:
                after = now.copy()
                after.step(action)
                open_ones.append(after)
    return found


def test_money_and_fame_of_an_unpaid_event():
    """MM-R048, MM-R049, MM-R051, MM-R056: 20/36 $ and 2/9 fame a turn for the active seat."""
    money = fame = 0
    for after in outcomes(position({"step": "event"})):
        do(after, "keep")
        money += int(after.state[0].seat[0].money) - 13
        fame += int(after.state[0].seat[0].fame)
    assert Fraction(money, 36) == Fraction(20, 36)
    assert Fraction(fame, 36) == Fraction(2, 9)


def test_funds_are_uniform_on_seven_to_twelve():
    """MM-R105, MM-A49: 5.4, mean 19/2, variance 35/12 (wages of 4 are paid from it)."""
    won = [int(after.state[0].seat[0].money) - 13 + 4 for after in outcomes(do(position({"step": "choice"}), "funds"))]
    assert won == [7, 8, 9, 10, 11, 12]
    mean = Fraction(sum(won), 6)
    assert (mean, Fraction(sum(n * n for n in won), 6) - mean**2) == (Fraction(19, 2), Fraction(35, 12))


@pytest.mark.parametrize("dice", [1, 2, 3])
def test_sixes_of_one_artists_beers(dice):
    """MM-R106 to MM-R110: 6**Revelry outcomes; no 6 with (5/6)**r, two 6s and more make a miracle."""
    at = with_value(position({"step": "choice", "seats": [{"conditions": "TAAA"}]}), dice)
    do(at, "beers")
    assert at.chance_count() == 6**dice
    found = Counter()
    for after in outcomes(at):
        me = after.state[0].seat[0]
        rolls_on = after.state[0].stage == ROLL_BEERS and after.state[0].turn == 0
        found["miracle of", int(me.fame)] += not rolls_on
        found["better"] += rolls_on and int(me.condition[0]) == 0
        found["worse"] += rolls_on and int(me.condition[0]) == 2
    assert found["better"] == 5**dice
    assert found["worse"] == dice * 5 ** (dice - 1)
    assert found["miracle of", 5] == {1: 0, 2: 1, 3: 15}[dice]
    assert found["miracle of", 10] == {1: 0, 2: 0, 3: 1}[dice]


def test_a_refill_is_any_unseen_artist():
    """MM-R104, MM-R031: one outcome an artist of the deck."""
    display = ["kay", "vic", "mara", "dex", "bix", "ula", "uma", "ugo", "uri"]
    at = do(position({"step": "choice", "display": display}), "audition uma microphone")
    deck, shown = int(at.state[0].deck), int(at.state[0].display)
    drawn = [int(after.state[0].display) & ~shown for after in outcomes(at)]
    assert len(set(drawn)) == len(drawn) == deck.bit_count()
    assert sum(drawn) == deck


def test_a_fresh_game_deals_nine_cards():
    """MM-R032, MM-R037: the deck of n players keeps 41 - 4n cards."""
    for players in range(2, 6):
        at = Position.new(METALMANIA, {"players": players})
        dealt = 0
        while int(at.state[0].phase) == 5:
            assert at.chance_count() == 50 - 4 * players - dealt
            at.chance(0)
            dealt += 1
        assert dealt == 9
        assert int(at.state[0].deck).bit_count() == 41 - 4 * players


def stream(at):
    return int(METALMANIA.engine.kernels.chance_stream(at.state[0], at.rules.packed[0]))


def test_chance_comes_from_the_stream_of_its_owner():
    """MM-R127: a seat's dice, the re-roller's for dice rolled again, the deck, the companies."""
    assert stream(Position.new(METALMANIA, {"players": 2})) == DECK_STREAM
    assert stream(position({"turn": 1, "step": "event"})) == 1
    at = do(position({"step": "choice", "seats": [{}, {"levels": {"recording": 1}}]}), "funds")
    assert stream(at) == 0
    at.chance(0)
    assert stream(do(at, "use recording 1")) == 1
    at = position({"step": "event"})
    at.chance(5 + 6 * 4)
    do(do(at, "keep"), "drink 1")
    assert stream(at) == 0
    while at.state[0].drink_index == 0:
        at.chance(0)
    assert stream(at) == 1
    at = position({"step": "event", "seats": [{"fame": 14}]}, options={"company_choice": "random"})
    at.chance(0 + 6 * 3)
    assert stream(do(at, "keep")) == COMPANY_STREAM
    assert at.chance_count() == 5
    assert [int(after.state[0].seat[0].company) for after in outcomes(at)] == [0, 1, 2, 3, 4]
    assert max(DECK_STREAM, COMPANY_STREAM) < STREAMS
