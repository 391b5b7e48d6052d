"""Symbol collections against a literal search and against the method of 243 vectors (rulings, section 3)."""

import functools
import itertools

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from overdrive_sim.kernels.layout import COVER_MOST
from overdrive_sim.kernels.rules import RULES
from overdrive_sim.kernels.symbols import best_collections, coverage_table
from simcore.errors import UsageError

pytestmark = pytest.mark.quick

FACES = range(4)
RULE_SET = np.zeros(1, RULES)
RULE_SET["covered"] = coverage_table(3, 3)


def engine(counts, wildcards=0):
    return int(best_collections(RULE_SET[0], *counts, wildcards))


def partitions(items):
    """Every way to split a list into groups."""
    if not items:
        yield []
        return
    first, *rest = items
    for split in partitions(rest):
        yield [[first], *split]
        for i in range(len(split)):
            yield [*split[:i], [first, *split[i]], *split[i + 1 :]]


def group_points(group):
    """Points of one collection, in the rulebook's words (R-SYM-01, R-SYM-05 to R-SYM-09)."""
    if len(group) >= 3 and len(set(group)) == 1:
        return 3 + (len(group) - 3)
    if len(group) in (3, 4) and len(set(group)) == len(group):
        return {3: 3, 4: 4}[len(group)]
    return 0


@functools.cache
def literal(symbols):
    return max(sum(map(group_points, split)) for split in partitions(list(symbols)))


def literal_best(counts, wildcards):
    fixed = [face for face in FACES for _ in range(counts[face])]
    return max(
        literal(tuple(sorted([*fixed, *chosen])))
        for chosen in itertools.combinations_with_replacement(FACES, wildcards)
    )


def with_vectors(counts, wildcards):
    """The 243 vectors of copies of each collection of different faces, for each way to use the wildcards."""
    sets = [s for size in (3, 4) for s in itertools.combinations(FACES, size)]
    best = 0
    for chosen in itertools.combinations_with_replacement(FACES, wildcards):
        have = [counts[face] + chosen.count(face) for face in FACES]
        for copies in itertools.product(range(3), repeat=len(sets)):
            left = [have[f] - sum(n for n, s in zip(copies, sets, strict=True) if f in s) for f in FACES]
            if min(left) >= 0:
                used = sum(n * len(s) for n, s in zip(copies, sets, strict=True))
                best = max(best, used + sum(n for n in left if n >= 3))
    return best


@pytest.mark.parametrize("wildcards", [0, 1, 2])
def test_small_sets_equal_the_literal_search(wildcards):
    """R-SYM-01 to R-SYM-10: all multisets of up to eight symbols, up to a renaming of the faces."""
    for counts in itertools.combinations_with_replacement(range(9), 4):
        if sum(counts) + wildcards <= 8:
            assert engine(counts, wildcards) == literal_best(counts, wildcards), (counts, wildcards)


@given(st.tuples(*[st.integers(0, 9)] * 4), st.integers(0, 3))
@example((3, 3, 2, 1), 0)
def test_larger_sets_equal_the_vectors(counts, wildcards):
    """A-SYM-3: the optimum, for any number of wildcards."""
    assert engine(counts, wildcards) == with_vectors(counts, wildcards)


@pytest.mark.parametrize(
    ("counts", "wildcards", "points"),
    [
        ((1, 1, 0, 0), 0, 0),
        ((3, 0, 0, 0), 0, 3),
        ((1, 1, 1, 0), 0, 3),
        ((3, 1, 1, 0), 0, 3),
        ((3, 3, 2, 1), 0, 9),
        ((2, 0, 0, 0), 1, 3),
        ((7, 0, 0, 0), 0, 7),
        ((1, 1, 1, 1), 0, 4),
        ((0, 0, 0, 0), 1, 0),
        ((0, 0, 0, 0), 3, 3),
    ],
)
def test_worked_examples(counts, wildcards, points):
    """The worked examples of the rulings (3.3) and the plain cases of R-SYM-05 to R-SYM-08."""
    assert engine(counts, wildcards) == points


def test_greedy_orders_are_wrong():
    """Neither four different first (7) nor identical first (6) reaches the nine of HHHSSSCCI."""
    assert engine((3, 3, 2, 1)) == 9


@given(st.tuples(*[st.integers(0, 40)] * 4), st.integers(0, 3))
def test_bounds(counts, wildcards):
    """R-SYM-10: never more points than symbols; one symbol more never costs a point."""
    points = engine(counts, wildcards)
    assert 0 <= points <= sum(counts) + wildcards
    for face in FACES:
        more = tuple(n + (f == face) for f, n in enumerate(counts))
        assert points <= engine(more, wildcards) <= engine(counts, wildcards + 1)


@given(st.tuples(*[st.integers(0, 40)] * 4))
def test_beyond_the_table_each_symbol_adds_one(counts):
    """A face with more symbols than the table counts has an identical collection to which each is added."""
    capped = tuple(min(n, COVER_MOST) for n in counts)
    assert engine(counts) == engine(capped) + sum(counts) - sum(capped)


@pytest.mark.parametrize(("same", "different"), [(1, 3), (2, 3), (3, 2), (4, 3), (4, 2), (3, 4), (3, 5), (4, 5)])
def test_table_of_other_sizes_is_saturated(same, different):
    """A designer's other sizes: the last layer of the table adds one symbol, one point, on every face."""
    table = coverage_table(same, different).reshape((COVER_MOST + 1,) * 4).astype(int)
    for axis in FACES:
        layers = np.moveaxis(table, axis, 0)
        assert (layers[COVER_MOST] == layers[COVER_MOST - 1] + 1).all()


def test_sizes_out_of_reach_are_refused():
    with pytest.raises(UsageError, match="identical"):
        coverage_table(5, 3)
