"""Streams: unbiased, independent of everything but their place, the same with the compiler on or off."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from simcore import streams

seeds = st.integers(0, 2**62)


def key_of(master, block, stream):
    """A stream's key as the uint64 that kernels exchange (Python would receive a plain int)."""
    return np.uint64(streams.stream_key(master, block, stream))


#: The first draws of stream 3 of block 2 under master seed 1: golden, because stored runs depend on them.
GOLDEN = {
    6: [3, 5, 0, 0, 4, 3, 4, 2, 0, 2],
    36: [27, 5, 24, 30, 16, 27, 4, 2, 0, 14],
    7: [3, 3, 4, 6, 1, 4, 6, 2, 3, 0],
}


@pytest.mark.quick
@pytest.mark.parametrize("n", GOLDEN)
def test_the_draws_of_a_place_never_change(n):
    key = key_of(1, 2, 3)
    assert [int(streams.outcome_at(key, i, n)) for i in range(10)] == GOLDEN[n]


@pytest.mark.quick
@given(seeds, seeds, st.integers(0, 200), st.integers(0, 10_000), st.integers(1, 5))
def test_throws_of_different_sizes_agree_in_their_first_dice(master, block, stream, ordinal, dice):
    key = key_of(master, block, stream)
    small = int(streams.outcome_at(key, ordinal, 6**dice))
    large = int(streams.outcome_at(key, ordinal, 6 ** (dice + 1)))
    assert large % 6**dice == small


@given(st.integers(0, 1000), st.integers(0, 10**6))
def test_every_number_that_divides_all_throws_takes_the_remainder_of_one_draw(ordinal, stream):
    """Throws by a multiplication, other numbers by a division: both are that remainder."""
    key = key_of(1, 2, stream)
    drawn = int(streams.outcome_at(key, ordinal, streams.DICE_BASE))
    for n in range(1, streams.DICE_BASE):
        if streams.DICE_BASE % n == 0:
            assert int(streams.outcome_at(key, ordinal, n)) == drawn % n, n


@pytest.mark.parametrize("n", [2, 6, 7, 32, 36, 6**4, 6**6])
def test_draws_are_uniform(n):
    draws = 60 * min(n, 1000)
    key = key_of(11, 0, n)
    bins = min(n, 1000)
    values = np.array([streams.outcome_at(key, i, n) for i in range(draws)])
    observed = np.bincount(values * bins // n, minlength=bins)
    edges = np.ceil(np.arange(bins + 1) * n / bins)
    expected = np.diff(edges) / n * draws
    assert values.min() >= 0
    assert values.max() < n
    assert stats.chisquare(observed, expected).pvalue > 1e-4


def test_rejection_keeps_large_ranges_unbiased():
    """A range of 3/4 of 2**32 would come out visibly skewed without rejection."""
    n = 3 * 2**30
    key = key_of(5, 5, 5)
    values = np.array([streams.outcome_at(key, i, n) for i in range(30_000)])
    thirds = np.bincount(values // 2**30, minlength=3)
    assert stats.chisquare(thirds).pvalue > 1e-4


@given(seeds, seeds, st.integers(0, 190))
def test_neighbouring_streams_have_different_keys(master, block, stream):
    keys = {
        int(key_of(m, b, s)) for m in (master, master + 1) for b in (block, block + 1) for s in (stream, stream + 1)
    }
    assert len(keys) == 8


def test_streams_are_not_correlated():
    columns = [[int(streams.outcome_at(key_of(1, block, s), 0, 6)) for block in range(20_000)] for s in (0, 1, 64)]
    correlation = np.corrcoef(columns)
    assert np.abs(correlation[np.triu_indices(3, 1)]).max() < 0.03


@pytest.mark.quick
def test_an_agents_stream_counts_its_own_draws():
    rng = np.zeros(1, streams.RNG)
    rng[0]["key"] = key_of(1, 2, 3)
    first = [int(streams.draw(rng[0], 6)) for _ in range(4)]
    assert rng[0]["ordinal"] == 4
    key = key_of(1, 2, 3)
    assert first == [int(streams.bounded(np.uint64(streams.word_at(key, i)), 6)) for i in range(4)]
    assert 0 <= streams.draw_unit(rng[0]) < 1
