"""Overdrive as a Game: facts, result tables, entrants."""

import numpy as np
import pytest

from overdrive_sim.game import OVERDRIVE
from overdrive_sim.kernels.layout import BANDS
from simcore import registry
from simcore.loop import COUNTS, JOB, UNFINISHED
from simcore.play import play_jobs

pytestmark = pytest.mark.quick

RULES = OVERDRIVE.rules()
VARIANTS = (
    {"players": 2, "bands": ["tnshe", "cover_bots"]},
    {"players": 4, "first_player": 2},
    {"mode": "solo", "difficulty": "poser"},
    {"mode": "coop", "players": 3, "difficulty": "metalgeddon"},
)


@pytest.fixture(scope="module")
def played():
    """(games, seats, results) of a few games of each variant."""
    setups = np.concatenate([OVERDRIVE.setup(variant, RULES) for variant in VARIANTS])
    jobs = np.zeros(12, JOB)
    jobs["block"] = np.arange(12)
    jobs["setup"] = np.arange(12) % len(VARIANTS)
    found = play_jobs(OVERDRIVE, [RULES], setups, jobs, (registry.agent("random", OVERDRIVE),), 3)
    return *OVERDRIVE.tables(found.results, found.counts, jobs, setups), found.results


def test_the_registry_knows_it():
    assert registry.game("overdrive") is OVERDRIVE
    assert "reroll" in OVERDRIVE.verbs


def test_games_have_a_row_each(played):
    games, _, _ = played
    assert games["players"].tolist() == [2, 4, 1, 3] * 3
    assert games["mode"].tolist() == ["standard", "standard", "solo", "coop"] * 3
    assert games["metallum_dice"].tolist() == [0, 0, 1, 6] * 3  # R-SOL-04
    assert games["first_player"].tolist() == [0, 2, 0, 0] * 3
    assert not games["unfinished"].any()
    assert (games["rounds"] == 8).all()  # R-GAM-02
    assert (games["decisions"] + games["forced"] == games["steps"]).all()
    assert (games["humans_win"].isin((0, 1)) == games["mode"].isin(("solo", "coop"))).all()


def test_seats_have_a_row_each_metallum_included(played):
    games, seats, _ = played
    sizes = [2, 4, 2, 4] * 3
    assert len(seats) == sum(sizes)
    assert seats["seat"].tolist() == [seat for size in sizes for seat in range(size)]
    assert seats["band"][:2].tolist() == ["tnshe", "cover_bots"]
    assert seats["band"][6] == "metallum"
    game = np.repeat(np.arange(len(games)), sizes)
    shares = seats["win_share"].groupby(game).sum()
    assert np.allclose(shares, 1.0)  # R-END-03, R-SOL-17
    winners = (seats["win_share"] > 0).groupby(game).sum()
    assert (games["tied"] == ((winners > 1) & (games["mode"] == "standard"))).all()
    assert set(seats["band"]) <= set(BANDS)


def test_parts_of_a_score_add_up(played):
    """R-SCO-01 to R-SCO-07."""
    _, seats, _ = played
    parts = [name for name in seats if name.startswith("points_")]
    assert len(parts) == 7
    assert (seats[parts].sum(axis=1) == seats["score"]).all()
    assert (seats["points_fans"] == seats["fans"]).all()
    assert (seats["points_fame"] == seats["fame"]).all()
    assert (seats["points_hits"] == seats["hits"]).all()
    assert ((seats["points_award"] > 0) == (seats["award"] != "none")).all()
    assert (seats["extra_dice"].between(0, 2)).all()  # R-SPC-08a


def test_unfinished_games_have_no_winner(played):
    _, _, results = played
    counts = np.zeros(1, COUNTS)
    counts["status"] = UNFINISHED
    jobs = np.zeros(1, JOB)
    games, seats = OVERDRIVE.tables(results[:1], counts, jobs, OVERDRIVE.setup(VARIANTS[0], RULES))
    assert games["unfinished"].tolist() == [True]
    assert games["tied"].tolist() == [False]
    assert seats["win_share"].tolist() == [0.0, 0.0]


def test_types_of_columns_do_not_depend_on_the_jobs(played):
    games, seats, results = played
    counts = np.zeros(0, COUNTS)
    none = OVERDRIVE.tables(results[:0], counts, np.zeros(0, JOB), OVERDRIVE.setup(VARIANTS[0], RULES))
    numbers = [{n: t for n, t in f.dtypes.items() if t.kind in "iufb"} for f in (games, seats, *none)]
    assert numbers[0] == numbers[2]
    assert numbers[1] == numbers[3]


def test_entrants_are_the_bands_of_the_mode():
    """R-SET-02, R-SOL-01, A-ABL-11."""
    assert OVERDRIVE.entrants(RULES) == BANDS[:-1]
    assert set(BANDS[:-1]) - set(OVERDRIVE.entrants(RULES, {"mode": "coop"})) == {"cover_bots"}
