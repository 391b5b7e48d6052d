"""Equal seats: where everybody plays the same band with the same agent, no chair is better than another."""

import numpy as np
import pytest

from overdrive_sim.game import OVERDRIVE
from simcore import registry
from simcore.loop import JOB
from simcore.play import play_jobs

SAME = {"options.allow_same_bands": True}
#: Chance of a false alarm of one interval is 1 in 16,000 (4 standard errors).
ERRORS = 4.0


def shares(band, players, blocks, **overrides):
    """Win share of each chair and of each place in the turn order, by block: arrays (blocks, players).

    A block is one chance seed played once with every chair as first player, so that chairs differ in nothing.
    """
    rules = OVERDRIVE.rules({**SAME, **overrides})
    line_up = {"players": players, "bands": [band] * players}
    setups = np.concatenate([OVERDRIVE.setup({**line_up, "first_player": f}, rules) for f in range(players)])
    jobs = np.zeros(blocks * players, JOB)
    jobs["block"], jobs["setup"] = np.divmod(np.arange(blocks * players), players)
    played = play_jobs(OVERDRIVE, [rules], setups, jobs, [registry.agent("random", OVERDRIVE)], 41)
    won = played.results["seat"]["share"][:, :players].reshape(blocks, players, players)
    by_place = np.stack([np.roll(won[:, first], -first, axis=1) for first in range(players)], axis=1)
    return won.mean(axis=1), by_place.mean(axis=1)


def assert_equal_shares(by_block):
    """Every column's mean lies within ERRORS standard errors of 1 / columns."""
    blocks, columns = by_block.shape
    error = by_block.std(axis=0, ddof=1) / np.sqrt(blocks)
    assert (error > 0).all()
    assert (np.abs(by_block.mean(axis=0) - 1 / columns) < ERRORS * error).all()


@pytest.mark.slow
@pytest.mark.parametrize(("band", "players"), [("rebeldogs", 2), ("starssacration", 3), ("arcane_possession", 4)])
def test_chairs_are_equal_after_rotation(band, players):
    by_chair, by_place = shares(band, players, 600)
    assert np.allclose(by_chair.sum(axis=1), 1.0)
    assert_equal_shares(by_chair)
    # Places in the turn order need not be equal (R-SET-05 to R-SET-07 pay the later ones), but they add up as well.
    assert np.allclose(by_place.sum(axis=1), 1.0)


@pytest.mark.slow
def test_the_interval_notices_an_unequal_place():
    """Where the last in the turn order starts with 12 Grana, chairs stay equal and places do not."""
    by_chair, by_place = shares("starssacration", 3, 200, **{"start.grana": [0, 0, 12, 12]})
    assert_equal_shares(by_chair)
    with pytest.raises(AssertionError):
        assert_equal_shares(by_place)
