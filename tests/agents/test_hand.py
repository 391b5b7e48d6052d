"""Overdrive: chances of throws against counting, worth of hands against a search through the rules."""

import itertools

import numpy as np
import pytest

from agents.overdrive.kernels.chances import RESULT, RESULT_CHANCE, RESULT_START, SHOWS
from agents.overdrive.kernels.hand import hand_worth
from agents.overdrive.kernels.uses import BY_TARGET, EACH, prepare_uses
from agents.overdrive.kernels.worth import prepare_rivalry, prepare_worth
from overdrive_sim.game import OVERDRIVE
from overdrive_sim.kernels.dice import CODE, COUNT, GUARD, NIBBLES, NUMBER, SIZE
from overdrive_sim.kernels.layout import ANY, FACES, HIT, SIDES, UNIT
from simcore import registry
from tests.agents.playing import line_ups, rules_of

pytestmark = pytest.mark.quick


def _code(faces) -> int:
    return sum(UNIT[face] for face in faces)


@pytest.mark.parametrize("n", range(5))
def test_results_of_a_throw_have_the_chances_of_counting(n):
    """R-DIE-01: every sequence of sides is equally likely."""
    counted: dict[int, int] = {}
    for sides in itertools.product(SIDES, repeat=n):
        counted[_code(sides)] = counted.get(_code(sides), 0) + 1
    part = slice(RESULT_START[n], RESULT_START[n + 1])
    found = dict(zip(RESULT[part].tolist(), RESULT_CHANCE[part].tolist(), strict=True))
    assert found == pytest.approx({code: ways / 6**n for code, ways in counted.items()})


def test_chance_of_showing_what_is_missing():
    """A Horns Up and a Skull in three dice, counted throw by throw."""
    wanted = _code([0, 1])
    shows = [sides.count(0) >= 1 and sides.count(1) >= 1 for sides in itertools.product(SIDES, repeat=3)]
    assert SHOWS[NUMBER[wanted], 3] == pytest.approx(np.mean(shows))
    assert SHOWS[NUMBER[wanted], 1] == 0.0
    assert SHOWS[0].tolist() == pytest.approx([1.0] * 7)


def test_guard_bits_tell_whether_a_hand_meets_a_need():
    for many in range(0, len(CODE), 7):
        for few in range(0, len(CODE), 5):
            meets = bool((COUNT[few] <= COUNT[many]).all())
            assert (((NIBBLES[many] | GUARD) - NIBBLES[few]) & GUARD == GUARD) == meets


def _by_search(number: int, uses: list[tuple[tuple[int, ...], float]], each: float, most: int) -> float:
    """Best worth of a hand by at most ``most`` different uses (needs by face and "?", worth), tried literally."""
    best = SIZE[number] * each
    if most == 0:
        return best
    for i, (need, worth) in enumerate(uses):
        for subset in itertools.product(*(range(COUNT[number, face] + 1) for face in range(FACES))):
            if sum(subset) == sum(need) and all(subset[face] >= need[face] for face in range(FACES)):
                rest = NUMBER[CODE[number] - sum(n * UNIT[face] for face, n in enumerate(subset))]
                best = max(best, worth + _by_search(rest, uses[:i] + uses[i + 1 :], each, most - 1))
    return best


def test_worth_of_a_hand_is_that_of_the_best_uses():
    """Against a literal search through two uses of what is open; without changed dice (manipulation is off).

    The kernel gives the places for any face the plainest spare dice, so that it may miss a second use that
    needs one of them: never by more, and rarely.
    """
    rules, state, mind = rules_of(OVERDRIVE), OVERDRIVE.engine.new_state(), np.zeros(1, OVERDRIVE.engine.mind)
    registry.agent("greedy:without=manipulation+members", OVERDRIVE).prepare(mind[0])
    kernels = OVERDRIVE.engine.kernels
    kernels.reset(state[0], rules.packed[0], line_ups(OVERDRIVE, 3, 1)[0])
    while kernels.chance_count(state[0], rules.packed[0]):
        kernels.apply_chance(state[0], rules.packed[0], 0)
    numeric, me = rules.packed[0], state[0].seat[0]
    me.grana = 0
    prepare_worth(state[0], numeric, mind[0], 0)
    prepare_rivalry(state[0], numeric, mind[0], 0)
    prepare_uses(state[0], numeric, mind[0], 0)
    value = mind[0]["value"]
    uses = []
    for space in (0, 1, 2, 3):
        worth = value[BY_TARGET + 2 * space]
        if space == 0:
            worth = max(value[BY_TARGET + 2 * other] for other in (1, 2, 3))
        uses.append((tuple(int(n) for n in numeric.need[numeric.space_row[space]]), float(worth)))
    for hit in state[0].hit_row:
        for way in range(numeric.hit_ways[hit]):
            need = numeric.need[numeric.hit_row[hit, way, 5]]
            uses.append((tuple(int(n) for n in need), float(value[BY_TARGET + 2 * (HIT + hit) + way])))
    assert all(len(need) == ANY + 1 for need, _ in uses)
    missed, hands = 0, range(0, len(CODE), 3)
    for number in hands:
        expected = _by_search(number, uses, float(value[EACH]), 2)
        found = hand_worth(mind[0], number)
        assert found <= expected + 1e-9
        if SIZE[number] <= 4:
            assert found == pytest.approx(expected)
        missed += found < expected - 1e-9
    assert missed <= len(hands) // 10
