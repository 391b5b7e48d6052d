"""Both games keep the protocol that engines are written against."""

import pytest

from simcore.check import check_game

VARIANTS = {
    "overdrive": [{"players": 2, "bands": ["rebeldogs", "epic_gods"]}, {"players": 1, "mode": "solo"}],
    "metalmania": [{"players": 2}],
}


@pytest.mark.slow
@pytest.mark.parametrize("game", VARIANTS)
def test_the_game_keeps_the_protocol(game):
    found = check_game(game, VARIANTS[game], games=1)
    assert found, found
