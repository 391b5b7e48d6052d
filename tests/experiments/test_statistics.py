"""Intervals, tests and sizes against scipy, closed forms and simulation."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from experiments.statistics import (
    ALPHA,
    BlockMeans,
    clopper_pearson,
    games_for_equivalence,
    games_for_gap,
    holm,
    wilson,
)


def measured(means, games):
    """BlockMeans of an array of block means."""
    return BlockMeans(len(means), games, float(np.mean(means)), float(np.var(means, ddof=1)))


def test_many_blocks_give_students_interval():
    means = np.random.default_rng(1).binomial(4, 0.3, 500) / 4
    one = measured(means, 4)
    assert one.method == "t"
    expected = scipy.stats.t.interval(0.95, 499, means.mean(), scipy.stats.sem(means))
    assert one.interval() == pytest.approx(expected)
    assert one.p_value(0.27) == pytest.approx(scipy.stats.ttest_1samp(means, 0.27).pvalue)
    assert one.p_above(0.27) == pytest.approx(scipy.stats.ttest_1samp(means, 0.27, alternative="greater").pvalue)


@pytest.mark.parametrize(("wins", "games"), [(0, 10), (3, 10), (10, 10), (250, 1000), (1, 1000)])
def test_intervals_of_independent_games_are_scipys(wins, games):
    binomial = scipy.stats.binomtest(wins, games)
    assert clopper_pearson(wins, wins, games) == pytest.approx(tuple(binomial.proportion_ci(method="exact")))
    assert wilson(wins, games) == pytest.approx(tuple(binomial.proportion_ci(method="wilson")), abs=1e-12)


def test_few_blocks_fall_back_to_blocks_as_games():
    one = measured(np.array([0.0, 0.5, 0.25, 0.25]), 4)
    assert one.method == "blocks"
    assert one.interval() == pytest.approx(clopper_pearson(1, 1, 4))
    assert one.p_above(0.1) == pytest.approx(scipy.stats.binom.sf(0, 4, 0.1))


def test_blocks_that_agree_entirely_do_not_count_as_more_than_they_are():
    same = BlockMeans(60, 4, 0.5, 0.25 * 60 / 59)
    assert same.method == "effective"
    assert same.design_effect == pytest.approx(4)
    low, high = clopper_pearson(30, 30, 60)
    found = same.interval()
    assert found[0] <= low
    assert found[1] >= high


@pytest.mark.parametrize("share", [0.0, 1.0, 0.25])
@pytest.mark.parametrize("blocks", [1, 2, 500])
def test_no_variance_never_gives_nan_or_certainty(share, blocks):
    one = BlockMeans(blocks, 4, share, 0.0)
    low, high = one.interval()
    assert low <= share <= high
    assert high - low > 0
    numbers = [low, high, one.p_value(0.25), one.equivalence_p(0.25)]
    assert all(0 <= number <= 1 for number in numbers)


@given(
    st.integers(2, 1000), st.sampled_from([1, 2, 4, 16]), st.floats(0.01, 0.99), st.floats(0.05, 1.5), st.floats(0, 1)
)
def test_an_interval_holds_what_the_test_does_not_refuse(blocks, games, share, effect, null):
    one = BlockMeans(blocks, games, share, effect * share * (1 - share) / games)
    low, high = one.interval()
    if low + 1e-9 < null < high - 1e-9:
        assert one.p_value(null) > ALPHA - 1e-9
    elif null < low - 1e-9 or null > high + 1e-9:
        assert one.p_value(null) < ALPHA + 1e-9


@given(st.integers(2, 2000), st.floats(0.02, 0.98), st.floats(0.1, 2.0))
def test_equivalence_is_the_ninety_percent_interval_within_the_margin(blocks, share, effect):
    one = BlockMeans(blocks, 4, share, effect * share * (1 - share) / 4)
    low, high = one.interval(2 * ALPHA)
    within = low > 0.25 - 0.02 and high < 0.25 + 0.02
    assert (one.equivalence_p(0.25, 0.02) < ALPHA) == within


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]).tolist() == [1.0, 1.0]


GAPS = [  # fair, games for 1, 2 and 5 pp (two-sided 5 %, power 90 %)
    (1 / 2, 26_265, 6_563, 1_047),
    (1 / 3, 23_484, 5_903, 958),
    (1 / 4, 19_905, 5_025, 825),
    (1 / 5, 17_056, 4_323, 718),
]


@pytest.mark.parametrize(("fair", "one", "two", "five"), GAPS)
def test_games_for_a_gap(fair, one, two, five):
    assert [games_for_gap(fair, gap) for gap in (0.01, 0.02, 0.05)] == [one, two, five]


@pytest.mark.parametrize(
    ("fair", "two", "one"),
    [(1 / 2, 6_764, 27_056), (1 / 3, 6_013, 24_050), (1 / 4, 5_073, 20_292), (1 / 5, 4_329, 17_316)],
)
def test_games_for_equivalence(fair, two, one):
    assert games_for_equivalence(fair, 0.02) == pytest.approx(two, abs=1)
    assert games_for_equivalence(fair, 0.01) == pytest.approx(one, abs=1)


@pytest.mark.parametrize("gap", [0.02, -0.03])
def test_a_gap_is_found_with_the_promised_power(gap):
    games = games_for_gap(0.25, gap)
    wins = np.random.default_rng(2).binomial(games, 0.25 + gap, 4000)
    z = (wins / games - 0.25) / math.sqrt(0.25 * 0.75 / games)
    assert np.mean(np.abs(z) > scipy.stats.norm.ppf(0.975)) == pytest.approx(0.9, abs=0.02)


def block_means(rng, kind, repetitions, blocks, games, share):
    """Block means of independent games, of correlated ones, and of blocks that are one game each."""
    if kind == "independent":
        return rng.binomial(games, share, (repetitions, blocks)) / games
    if kind == "alike":
        return (rng.random((repetitions, blocks)) < share).astype(float)
    spread = 1 / 0.3 - 1  # correlation 0.3 within a block
    shares = rng.beta(share * spread, (1 - share) * spread, (repetitions, blocks))
    return rng.binomial(games, shares) / games


def coverage(kind, repetitions, blocks, games, share):
    means = block_means(np.random.default_rng(3), kind, repetitions, blocks, games, share)
    limits = [measured(row, games).interval() for row in means]
    return np.mean([low - 1e-12 <= share <= high + 1e-12 for low, high in limits])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["independent", "correlated", "alike"])
@pytest.mark.parametrize("share", [0.25, 0.5])
@pytest.mark.parametrize("blocks", [400, 1000])
def test_coverage_is_nominal_for_many_blocks(kind, share, blocks):
    assert 0.935 <= coverage(kind, 2000, blocks, 4, share) <= 0.965


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["independent", "correlated", "alike"])
@pytest.mark.parametrize("share", [0.003, 0.02, 0.1, 0.25, 0.5, 0.98])
@pytest.mark.parametrize("blocks", [3, 20, 60, 150])
def test_coverage_never_falls_short_for_few_blocks_or_rare_wins(kind, share, blocks):
    # 2,000 repetitions of an exact 95 % interval fall below 94 % once in fifty times.
    assert coverage(kind, 2000, blocks, 4, share) >= 0.94
