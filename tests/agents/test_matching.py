"""Metal Mania: the best placement against every permutation, its expectation against every throw."""

import itertools

import numpy as np
import pytest

from agents.metalmania.features import FEATURES
from agents.metalmania.greedy import build
from agents.metalmania.kernels.matching import (
    COUNTS,
    GAIN,
    LEVEL_WORTHS,
    THROW_CHANCE,
    THROW_START,
    judge,
    kind_of,
    match,
    throw_worth,
    trace_back,
)  # fmt: skip
from agents.metalmania.kernels.weights import V_INACTIVE, V_TROUBLE
from metalmania_sim.game import METALMANIA

TROUBLE, INACTIVE = 1.5, 4.25


@pytest.fixture
def mind():
    minds = np.zeros(1, METALMANIA.engine.mind)
    values = {name: feature.weight for name, feature in FEATURES.items()} | {
        "v_trouble": TROUBLE, "v_inactive": INACTIVE,
    }  # fmt: skip
    kept = build("greedy", values).prepare(minds[0])
    assert kept is not None
    return minds


def _gain(die: int, c: int, condition: int) -> tuple[float, int]:
    """Worth and hits of a die on an artist, from the rules' words (MM-R067 to MM-R077)."""
    if die == 6 or die > c:
        return (-TROUBLE if condition == 0 else -INACTIVE), 0
    if die == c:
        return 0.0, 0
    return (float(die) if condition == 0 else 0.0), 1


def _by_permutations(dice, band, level: float, needed: int) -> float:
    best = -np.inf
    for order in set(itertools.permutations(dice)):
        parts = [_gain(die, *artist) for die, artist in zip(order, band, strict=True)]
        worth = sum(gain for gain, _ in parts)
        best = max(best, worth + (level if sum(hit for _, hit in parts) >= needed else 0.0))
    return best


@pytest.mark.parametrize("n", [4, 5])
def test_matching_is_as_good_as_the_best_permutation(mind, n):
    rng = np.random.default_rng(n)
    params = mind[0]
    for trial in range(150):
        dice = sorted(int(die) for die in rng.integers(1, 7, n))
        band = [(int(rng.integers(1, 7)), int(rng.integers(0, 2))) for _ in range(n)]
        level, needed = float(rng.choice([0.0, 1.5, 6.0])), int(rng.integers(1, 3))
        for artist, (c, condition) in enumerate(band):
            for k, die in enumerate(dice):
                judge(params, artist, k, die, c, condition, TROUBLE, INACTIVE)
        same = sum(1 << k for k in range(1, n) if dice[k] == dice[k - 1]) if trial % 2 else 0
        expected = _by_permutations(dice, band, level, needed)
        assert match(params, n, same, level, needed) == pytest.approx(expected)
        trace_back(params, n, level, needed, 16)
        placed = [int(k) for k in params["options"][1]["action"][16 : 16 + n]]
        assert sorted(placed) == list(range(n))
        worth = sum(params["value"][GAIN + 8 * artist + k] for artist, k in enumerate(placed))
        hits = sum(params["value"][COUNTS + 8 * artist + k] for artist, k in enumerate(placed))
        assert worth + (level if hits >= needed else 0.0) == pytest.approx(expected)


def test_expectation_is_the_mean_over_every_throw(mind):
    """All 6**4 throws of one band, each placed by permutations; twice, so that the kept number is read as well."""
    band = [(3, 0), (5, 0), (4, 1), (2, 0)]
    level = LEVEL_WORTHS[1]
    worths = {
        dice: _by_permutations(dice, band, level, 2) for dice in itertools.combinations_with_replacement(range(1, 7), 4)
    }
    mean = np.mean([worths[tuple(sorted(dice))] for dice in itertools.product(range(1, 7), repeat=4)])
    assert mind[0]["number"][V_TROUBLE] == TROUBLE
    assert mind[0]["number"][V_INACTIVE] == INACTIVE
    for order in (band, band[::-1]):
        kinds = mind[0]["options"][1]["action"]
        kinds[:4] = [kind_of(c, condition) for c, condition in order]
        assert throw_worth(mind[0], kinds, 4, level) == pytest.approx(mean)


@pytest.mark.quick
def test_chances_of_sorted_throws_sum_to_one():
    for n in range(2):
        assert THROW_CHANCE[THROW_START[n] : THROW_START[n + 1]].sum() == pytest.approx(1.0)
