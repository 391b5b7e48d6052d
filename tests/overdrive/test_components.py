"""What the box holds against what the data and the line-ups allow."""

import pytest

from overdrive_sim.kernels.layout import BANDS, SPACES, TRACKS
from overdrive_sim.ruleset import load_rules
from overdrive_sim.setup import human_bands, make_setup
from simcore.errors import UsageError

pytestmark = pytest.mark.quick

SHIPPED = load_rules()
#: Bands that only the crowdfunding brought: a sixth sheet.
EXTRAS = {"tnshe", "powergirls"}


def test_five_sheets_have_two_sides_and_one_of_them_is_metallum():
    """R-COM-03, R-ABL-34, G-10: nine bands and Metallum are ten sides, the two extras a sheet of their own."""
    assert len(set(BANDS) - EXTRAS) == 5 * 2
    assert set(human_bands("standard")) == set(BANDS) - {"metallum"}
    assert len(set(human_bands("standard")) - EXTRAS) == 9
    assert make_setup({"bands": sorted(EXTRAS)}, SHIPPED)[0]["seats"] == 2  # whoever has them may play them


def test_unknown_pairs_of_sides_forbid_nothing():
    """G-10: as no pair is printed, any two different bands may meet; a pair that is named may not."""
    names = human_bands("standard")
    pairs = [(a, b) for k, a in enumerate(names) for b in names[k + 1 :]]
    assert len(pairs) == 55
    assert all(make_setup({"bands": pair}, SHIPPED)[0]["seats"] == 2 for pair in map(list, pairs))
    with pytest.raises(UsageError, match="two sides of one sheet"):
        make_setup({"bands": ["rebeldogs", "tnshe"]}, load_rules({"sheets": [["rebeldogs", "tnshe"]]}))


def test_sixteen_markers_serve_four_sheets():
    """R-COM-10, R-COM-11: a marker and a +10 marker for each of four tracks, for at most four players."""
    most = max(SHIPPED.model.players.standard)
    assert (len(TRACKS), most, len(TRACKS) * most) == (4, 4, 16)
    with pytest.raises(UsageError, match="allowed in standard: 2, 3, 4"):
        make_setup({"players": most + 1}, SHIPPED)


def test_dice_of_a_colour_are_enough_for_the_extra_ones():
    """R-COM-02, R-ALL-01: 24 dice in four colours are four to start with and two extra ones each."""
    start = SHIPPED.model.start
    assert (start.dice, start.extra_dice) == (4, 2)
    assert max(SHIPPED.model.players.standard) * (start.dice + start.extra_dice) == 24


def test_every_board_space_has_one_of_the_four_kinds_of_effect():
    """R-BRD-02: it raises attributes, gives Grana, adds a member, or helps with the dice."""
    board = SHIPPED.model.board
    raises = {name for name, space in board.items() if set(space.reward) & {"fans", "fame", "overdrive"}}
    pays = {name for name, space in board.items() if "grana" in space.reward}
    assert raises == {"acoustic", "appearance", "interview", "rehearsal"}
    assert pays == {"resources"}
    others = {"new_member", "improvisation", "new_riff", "jam_session", "opportunity"}
    assert set(SPACES) - raises - pays == others
