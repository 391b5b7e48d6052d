"""Every band meets every seat, every other band and every agent equally often: by enumeration."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from experiments.design import MOST_SEATINGS, make_design
from simcore.errors import UsageError

CASES = [(11, 2), (11, 3), (11, 4), (5, 4), (4, 4), (5, 2), (11, 5), (13, 5), (24, 5), (33, 3)]


@pytest.mark.parametrize(("bands", "players"), CASES)
def test_one_design_is_balanced(bands, players):
    design = make_design(bands, players)
    seated, agents = design.seating(np.arange(design.blocks))
    assert seated.shape == (design.games, players)
    assert not agents.any()
    assert all(len(set(row)) == players for row in seated.tolist())
    at_seat = Counter((band, seat) for row in seated.tolist() for seat, band in enumerate(row))
    assert len(at_seat) == bands * players
    assert set(at_seat.values()) == {design.games // bands}
    meets = Counter(pair for row in seated.tolist() for pair in itertools.permutations(row, 2))
    assert len(meets) == bands * (bands - 1)
    assert len(set(meets.values())) == 1


@pytest.mark.parametrize(("bands", "players"), CASES)
def test_complete_while_small(bands, players):
    design = make_design(bands, players)
    seatings = math.comb(bands, players) * players
    assert design.is_complete == (seatings <= MOST_SEATINGS)
    assert not design.is_complete or design.games == seatings


@pytest.mark.parametrize(("bands", "players"), [(11, 4), (5, 3), (11, 5)])
def test_each_line_up_is_seated_once_in_every_rotation(bands, players):
    design = make_design(bands, players)
    seated, _ = design.seating(np.arange(design.blocks))
    for block in seated.reshape(design.blocks, players, players):
        assert len({frozenset(row) for row in block.tolist()}) == 1
        for seat in range(players):
            assert len(set(block[:, seat].tolist())) == players


@pytest.mark.parametrize(("bands", "players"), [(11, 4), (5, 4), (5, 3)])
def test_all_cyclic_orders_are_used_in_turn(bands, players):
    design = make_design(bands, players)
    orders = math.factorial(players - 1)
    seen = Counter()
    for replicate in range(orders):
        seated, _ = design.seating(replicate * design.blocks + np.arange(design.blocks))
        seen.update(map(tuple, seated.tolist()))
    assert len(seen) == math.perm(bands, players)
    assert set(seen.values()) == {1}


@pytest.mark.parametrize(("bands", "players"), [(5, 2), (5, 3), (11, 4)])
def test_every_block_pairs_each_band_with_each_seat_and_agent_once(bands, players):
    design = make_design(bands, players, agents=players)
    seated, agents = design.seating(np.arange(design.blocks * 3))
    for block in range(0, design.blocks * 3, 7):
        rows = slice(block * players**2, (block + 1) * players**2)
        met = Counter(
            (band, seat, agent)
            for row, who in zip(seated[rows].tolist(), agents[rows].tolist(), strict=True)
            for seat, (band, agent) in enumerate(zip(row, who, strict=True))
        )
        assert len(met) == players**3
        assert set(met.values()) == {1}


def test_all_pairs_of_orders_occur():
    design = make_design(4, 4, agents=4)
    seen = set()
    for replicate in range(36):
        seated, agents = design.seating(np.array([replicate]))
        seen.add((tuple(seated[0].tolist()), tuple(agents[0].tolist())))
    assert len(seen) == 36


@pytest.mark.parametrize(("bands", "players", "agents"), [(11, 4, 1), (5, 3, 3), (11, 5, 1)])
def test_a_block_depends_on_its_index_alone(bands, players, agents):
    design = make_design(bands, players, agents)
    many, who = design.seating(np.arange(40, 60))
    for k in (0, 7, 19):
        one, one_who = design.seating(np.array([40 + k]))
        rows = slice(k * design.games_per_block, (k + 1) * design.games_per_block)
        assert np.array_equal(one, many[rows])
        assert np.array_equal(one_who, who[rows])


def test_an_incomplete_design_moves_on_to_other_line_ups():
    design = make_design(11, 5)
    seated, _ = design.seating(np.arange(design.blocks * 500))
    assert len({frozenset(row) for row in seated.tolist()}) == math.comb(11, 5)


def test_the_search_always_finds_the_same():
    assert np.array_equal(make_design(24, 5).line_ups, make_design(24, 5).line_ups)


@pytest.mark.parametrize(("games", "designs"), [(1, 1), (1320, 1), (1321, 2), (100_000, 76)])
def test_games_are_rounded_up_to_whole_designs(games, designs):
    assert make_design(11, 4).designs_for(games) == designs


def test_what_cannot_be_seated_is_refused():
    with pytest.raises(UsageError, match="4 different bands, there are 3"):
        make_design(3, 4)
    with pytest.raises(UsageError, match="one a seat"):
        make_design(11, 4, agents=3)
    with pytest.raises(UsageError, match="at least 1"):
        make_design(11, 4).designs_for(0)
