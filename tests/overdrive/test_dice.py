"""Dice codes, multisets, throws: small tables against counting."""

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overdrive_sim.kernels.dice import (
    CHOICE_END,
    CHOICE_START,
    CHOICES,
    CODE,
    COUNT,
    NUMBER,
    PAIR_COUNT,
    PAIRS,
    PRESENT,
    SIZE,
    SUBSET_NUMBER,
    SUBSET_START,
    SUBSETS,
    count,
    is_within,
    size,
    throw,
)  # fmt: skip
from overdrive_sim.kernels.layout import CODES, FACES, MULTISETS, SIDES, UNIT
from simcore.blocks import BLOCK

pytestmark = pytest.mark.quick

HANDS = [
    hand for n in range(7) for hand in itertools.combinations_with_replacement(range(FACES), n)
]  # every multiset of up to six dice


def code_of(faces):
    return sum(UNIT[face] for face in faces)


def test_every_multiset_has_a_number_and_nothing_else_has():
    assert len(HANDS) == MULTISETS
    assert sorted(int(NUMBER[code_of(hand)]) for hand in HANDS) == list(range(MULTISETS))
    assert (NUMBER >= 0).sum() == MULTISETS
    assert len(NUMBER) == CODES


@pytest.mark.parametrize("n", range(MULTISETS))
def test_tables_of_a_multiset(n):
    faces = [face for face in range(FACES) for _ in range(int(CODE[n]) // UNIT[face] % 7)]
    counts = Counter(faces)
    assert COUNT[n].tolist() == [counts[face] for face in range(FACES)]
    assert SIZE[n] == size(int(CODE[n])) == len(faces)
    assert [count(int(CODE[n]), face) for face in range(FACES)] == COUNT[n].tolist()
    assert int(PRESENT[n]) == sum(1 << face for face in counts)
    parts = {code_of(part) for k in range(len(faces) + 1) for part in itertools.combinations(faces, k)}
    first, last = int(SUBSET_START[n]), int(SUBSET_START[n + 1])
    assert SUBSETS[first:last].tolist() == sorted(parts)
    assert SUBSET_NUMBER[first:last].tolist() == sorted(int(NUMBER[part]) for part in parts)


def test_a_multiset_is_within_another_when_no_face_is_lacking():
    for few, many in itertools.product(range(0, MULTISETS, 3), range(MULTISETS)):
        assert bool(is_within(int(CODE[few]), int(CODE[many]))) == bool((COUNT[few] <= COUNT[many]).all())


@given(st.integers(0, 6).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, 6**n - 1))))
def test_a_throw_reads_its_outcome_from_the_lowest_digit(throws):
    """R-DIE-01: one Horns Up, two Skulls, two Chords, one Influence a die."""
    n, outcome = throws
    assert throw(outcome, n) == code_of(SIDES[outcome // 6**k % 6] for k in range(n))


def test_six_sides():
    """R-DIE-01."""
    thrown = Counter(int(throw(outcome, 1)) for outcome in range(6))
    assert [thrown[UNIT[face]] for face in range(FACES)] == [1, 2, 2, 1]


def test_changes_of_one_die_never_keep_the_face():
    for faces in range(1 << FACES):
        found = PAIRS[faces * 2 * BLOCK :][: PAIR_COUNT[faces]].tolist()
        assert found == [a * 4 + b for a in range(FACES) if faces >> a & 1 for b in range(FACES) if a != b]


@pytest.mark.parametrize("hand", HANDS[::7])
@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_choice_of_faces_is_listed_once_for_every_result(hand, most):
    """R-DCD-07, R-DCD-09, A-DST-8."""
    results = set()
    for which in itertools.combinations(range(len(hand)), min(most, len(hand))):
        for goals in itertools.product(range(FACES), repeat=len(which)):
            after = list(hand)
            for k, goal in zip(which, goals, strict=True):
                after[k] = goal
            results.add(code_of(after))
    results.discard(code_of(hand))
    n = int(NUMBER[code_of(hand)])
    found = []
    for argument in CHOICES[CHOICE_START[n] : CHOICE_END[n, most]].tolist():
        code, left = code_of(hand), argument
        while left:
            pair = left % 33 - 1
            code += UNIT[pair % 4] - UNIT[pair // 4]
            left //= 33
        found.append(code)
    assert len(set(found)) == len(found)
    assert set(found) == results
