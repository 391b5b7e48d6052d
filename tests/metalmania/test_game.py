"""Whole games: result tables, tallies, and the lengths that the rulings promise for random play."""

import numpy as np
import pytest

from metalmania_sim.game import METALMANIA
from metalmania_sim.kernels.layout import VERBS
from simcore import registry
from simcore.loop import JOB
from simcore.play import play_jobs

GAMES = 500


def play(variant, games=60, agent="random", overrides=None, watch=False, most_steps=None):
    """(Played, jobs, setups) of ``games`` games."""
    rules = METALMANIA.rules(overrides)
    setups = METALMANIA.setup(variant, rules)
    jobs = np.zeros(games, JOB)
    jobs["block"] = np.arange(games)
    agents = [registry.agent(agent, METALMANIA)]
    return play_jobs(METALMANIA, [rules], setups, jobs, agents, 3, watch=watch, most_steps=most_steps), jobs, setups


def tables(played, jobs, setups):
    return METALMANIA.tables(played.results, played.counts, jobs, setups)


@pytest.mark.parametrize("players", range(2, 6))
def test_tables_add_up(players):
    """MM-R119, MM-R126: one winner a game with at least 66 fame; fame is the sum of its sources."""
    games, seats = tables(*play({"players": players}))
    assert len(games) == 60
    assert len(seats) == 60 * players
    assert (seats.groupby(np.repeat(np.arange(60), players))["win_share"].sum() == 1).all()
    points = [name for name in seats.columns if name.startswith("points_")]
    assert (seats[points].sum(axis=1) == seats["score"]).all()
    assert (seats.loc[seats["rank"] == 1, "score"] >= 66).all()
    assert (seats.loc[seats["rank"] != 1, "score"] < 66).all()
    assert (games["turns"] == seats["turns"].groupby(np.repeat(np.arange(60), players)).sum().to_numpy()).all()
    assert not games["unfinished"].any()
    assert not games["tied"].any()
    assert (seats["band"] == [f"board_{seat + 1}" for seat in seats["seat"]]).all()


def test_unfinished_games_have_no_winner():
    """MM-A66: a cap of decisions makes a game unfinished, an outcome of its own."""
    games, seats = tables(*play({"players": 3}, most_steps=50))
    assert games["unfinished"].all()
    assert (games["winner"] == -1).all()
    assert (seats["win_share"] == 0).all()
    assert (seats["rank"] == 0).all()


def test_tables_keep_their_types():
    one = tables(*play({"players": 2}, games=5))
    other = tables(*play({"players": 5}, games=5, most_steps=20))
    for a, b in zip(one, other, strict=True):
        assert a.dtypes.equals(b.dtypes)


def test_a_shared_win_splits():
    """MM-A61, MM-A76: with tie_break = shared equals at the end of a round split the win."""
    overrides = {"options.win_check": "end_of_round", "options.tie_break": "shared", "options.win_fame": 4}
    games, seats = tables(*play({"players": 5}, games=200, overrides=overrides))
    assert games["tied"].any()
    tied = seats.loc[(seats["win_share"] > 0) & (seats["win_share"] < 1)]
    assert (tied["rank"] == 1).all()
    shares = seats["win_share"].to_numpy().reshape(200, 5)
    assert np.allclose(shares.sum(axis=1), 1)
    assert ((shares > 0).sum(axis=1) > 1).tolist() == games["tied"].tolist()


def test_tallies_count_what_is_done():
    played, _, _ = play({"players": 3}, watch=True)
    tally, results = played.tallies, played.results
    verbs = tally["verb"].sum(axis=1)
    done = {name: verbs[:, k] for k, name in enumerate(VERBS)}
    assert (verbs.sum(axis=1) == played.counts["steps"]).all()
    assert (tally["event"].sum(axis=1) == done["keep"]).all()
    assert (tally["hired"].sum(axis=1) == done["hire"] + done["audition"]).all()
    assert (tally["hired"].sum(axis=1) == results["auditions"].sum(axis=1)).all()
    assert (tally["hired"] <= tally["offered"]).all()
    by_seat = tally["hired_by"][:, :, None] >> np.arange(50) & 1
    assert (by_seat.any(axis=1) == (tally["hired"] > 0)).all()
    assert (by_seat.sum(axis=2) <= results["auditions"]).all()
    assert (tally["event"][:, :2] == 0).all()
    uses = tally["bonus"].sum(axis=(1, 2))
    for k, name in enumerate(("performance", "recording", "advertising")):
        assert (uses[:, k] == done[f"use_{name}"]).all()
    assert tally["bonus"][:, :, 1].sum() > 0  # random players meddle in other players' throws (MM-R092)
    assert (results["skipped"].sum(axis=1) > 0).any()


@pytest.mark.parametrize(("players", "turns"), [(2, 18.8), (3, 17.2), (4, 15.9), (5, 15.4)])
def test_length_of_random_games(players, turns):
    """Rulings, 3.5: turns a player of the rulings' random policy, allowing 0.6 with 500 games."""
    results = play({"players": players}, GAMES, "random:as=rulings")[0].results
    assert abs((results["turns"] / players).mean() - turns) <= 0.6


def test_the_longer_profile_is_longer():
    """Rulings, 3.5: 20.8 turns a player with three players."""
    results = play({"players": 3}, GAMES, "random:as=rulings", {"cards": "assumed-long"})[0].results
    assert abs((results["turns"] / 3).mean() - 20.8) <= 0.6


def test_first_seats_win_more_unless_rounds_are_completed():
    """MM-A59: the advantage of the first seat goes when the whole round is played."""
    now = play({"players": 2}, GAMES, "random:as=rulings")[0].results["share"][:, 0].mean()
    later = play({"players": 2}, GAMES, "random:as=rulings", {"options.win_check": "end_of_round"})[0].results
    assert later["share"][:, 0].mean() < now
