"""Legal actions of the own turn against the plain-Python oracle, and the numbering of dice."""

import numpy as np
import pytest

from overdrive_sim.game import OVERDRIVE
from overdrive_sim.kernels.options import attacker_legal, turn_legal
from simcore.loop import is_listed
from tests.overdrive.oracle import own_turn
from tests.overdrive.tables import scattered

pytestmark = pytest.mark.quick

RULE_SETS = (
    {},
    {},
    {"options.void_allocation": "legal", "options.track_cap": 20},
    {"options.track_cap": 20, "options.card5": "each_free"},
    {"options.double_place": "different_bands", "options.buy_occupied": "forbid"},
    {"options.jam_die": "stays", "options.tnshe_faces": "set_face"},
    {"options.cards_in_battle": "protect_only"},
    {"options.protect_card": "reaction"},
    {"board.improvisation.spaces": "?", "board.jam_session.spaces": "S?", "board.resources.spaces": "C"},
    {"board.opportunity.places": 2, "board.jam_session.places": 3, "board.appearance.cost": 1},
)


@pytest.fixture(scope="module", params=range(len(RULE_SETS)))
def rules(request):
    return OVERDRIVE.rules(RULE_SETS[request.param])


def listed(kernel_list):
    out = np.zeros(1, OVERDRIVE.engine.options)[0]
    n = kernel_list(out)
    found = [int(action) for action in out.action[:n]]
    assert n > 0 or found == []
    assert found == sorted(set(found)), "ascending, no duplicates"
    assert all(is_listed(action, out, n) for action in found)
    return set(found)


@pytest.mark.parametrize("players", [2, 4])
def test_allocation_turn(rules, players):
    """R-ALL-04, R-ALL-08, R-GRA-01 to R-GRA-15, R-DST-02, R-TRK-09, R-AWD-04, A-SPC-5."""
    for seed in range(60):
        state = scattered(seed * 7 + players, rules, players)
        before = state.tobytes()
        found = listed(lambda out, state=state: turn_legal(state, rules.packed[0], out))
        assert found == own_turn(state, rules.packed[0], False), seed
        assert state.tobytes() == before


def test_attacker_turn(rules):
    """R-BAT-11, R-BAT-12, A-DST-3, A-BAT-7, A-ABL-14, A-BND-1."""
    for seed in range(60):
        state = scattered(seed, rules, 4, in_battle=True)
        found = listed(lambda out, state=state: attacker_legal(state, rules.packed[0], out, 0))
        assert found == own_turn(state, rules.packed[0], True), seed
