"""Variant tables as line-ups."""

import warnings

import pytest

from overdrive_sim.kernels.layout import BANDS, DIFFICULTIES
from overdrive_sim.ruleset import load_rules
from overdrive_sim.setup import deal_bands, human_bands, make_setup
from simcore.errors import UsageError

pytestmark = pytest.mark.quick

SHIPPED = load_rules()


def names(setup):
    """Band names of a line-up."""
    return [BANDS[band] for band in setup[0]["band"][: setup[0]["seats"]]]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_standard_line_ups(players):
    """R-SET-01, A-TURN-1."""
    setup = make_setup({"players": players, "first_player": players - 1}, SHIPPED)
    assert (setup[0]["seats"], setup[0]["first_player"], setup[0]["dice"]) == (players, players - 1, 0)
    assert names(setup) == list(BANDS[:players])
    assert (setup[0]["band"][players:] == -1).all()


def test_bands_in_seat_order_by_any_spelling():
    setup = make_setup({"players": 3, "bands": ["TNSHE", "epic gods", "Illuminatti You 2"]}, SHIPPED)
    assert names(setup) == ["tnshe", "epic_gods", "illuminatti_you_2"]
    assert names(make_setup({"bands": ["tnshe", "epic_gods"]}, SHIPPED)) == ["tnshe", "epic_gods"]


@pytest.mark.parametrize(("difficulty", "dice"), list(zip(DIFFICULTIES, range(1, 7), strict=True)))
def test_metallum_sits_first(difficulty, dice):
    """R-SOL-03, R-SOL-04."""
    setup = make_setup({"mode": "solo", "difficulty": difficulty, "bands": ["rebeldogs"]}, SHIPPED)
    assert names(setup) == ["metallum", "rebeldogs"]
    assert (setup[0]["mode"], setup[0]["dice"], setup[0]["first_player"]) == (1, dice, 0)
    fewer = load_rules({f"difficulties.{difficulty}": 1})
    assert make_setup({"mode": "solo", "difficulty": difficulty}, fewer)[0]["dice"] == 1


def test_coop_and_flags():
    """R-COP-01, A-VAR-4."""
    flags = {"speed_metal": True, "hall_of_fame": True, "free_falling": True}
    setup = make_setup({"mode": "coop", "players": 3, **flags}, SHIPPED)[0]
    assert (setup["mode"], setup["seats"], setup["dice"]) == (2, 4, 3)
    assert all(setup[flag] == 1 for flag in flags)


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        ({"player": 2}, "unknown key 'player'; did you mean 'players'?"),
        ({"players": 5}, "players = 5: the number of humans (allowed in standard: 2, 3, 4)"),
        ({"players": 1}, "allowed in standard: 2, 3, 4"),
        ({"mode": "solo", "players": 2}, "allowed in solo: 1"),
        ({"mode": "coop", "players": 1}, "allowed in coop: 2, 3, 4"),
        ({}, "variant.players is missing"),
        ({"players": 2, "mode": "co-op"}, "unknown mode 'co-op'; did you mean 'coop'?"),
        ({"mode": "solo", "difficulty": "hard core"}, "did you mean 'hardcore'?"),
        ({"players": 2, "difficulty": "normal"}, "only with mode = solo or coop"),
        ({"players": 2, "speed_metal": 1}, "variant.speed_metal = 1 (allowed: true, false)"),
        ({"players": 2, "first_player": 2}, "first_player = 2: a seat (allowed: 0, 1)"),
        ({"mode": "solo", "first_player": 1}, "R-SOL-03"),
        ({"players": 2, "bands": ["tnshe"]}, "1 bands for 2 humans"),
        ({"players": 2, "bands": "tnshe"}, "a list of band names"),
        ({"players": 2, "bands": ["tnshe", "thse"]}, "unknown band 'thse'; did you mean 'tnshe'?"),
        ({"players": 2, "bands": ["tnshe", "metallum"]}, "unknown band 'metallum'"),  # R-SET-02
        ({"players": 2, "bands": ["tnshe", "TNSHE"]}, "tnshe stands twice"),
        ({"mode": "solo", "bands": ["cover_bots"]}, "cover_bots may not be used in solo"),  # R-SOL-01
        ({"mode": "coop", "bands": ["tnshe", "cover_bots"]}, "cover_bots may not be used in coop"),  # A-ABL-11
    ],
)
def test_mistakes(variant, said):
    with pytest.raises(UsageError) as caught:
        make_setup(variant, SHIPPED)
    assert said in str(caught.value)


def test_every_mistake_at_once():
    with pytest.raises(UsageError) as caught:
        make_setup({"players": 7, "speed": True, "hall_of_fame": "yes"}, SHIPPED)
    assert all(word in str(caught.value) for word in ("players = 7", "'speed'", "hall_of_fame = 'yes'"))


def test_warnings():
    """R-SPD-03, G-14."""
    with pytest.warns(UserWarning, match="Speed Metal is not recommended"):
        make_setup({"players": 2, "speed_metal": True}, SHIPPED)
    with pytest.warns(UserWarning, match="Speed Metal is not recommended"):
        make_setup({"mode": "coop", "players": 2, "speed_metal": True}, SHIPPED)
    with pytest.warns(UserWarning, match="fifth colour"):
        make_setup({"mode": "coop", "players": 4}, SHIPPED)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        make_setup({"players": 3, "speed_metal": True}, SHIPPED)
        make_setup({"mode": "coop", "players": 3}, SHIPPED)
        make_setup({"mode": "solo", "speed_metal": True}, SHIPPED)


def test_one_band_twice_for_tests_only():
    same = load_rules({"options.allow_same_bands": True})
    assert names(make_setup({"bands": ["tnshe", "tnshe"]}, same)) == ["tnshe", "tnshe"]
    assert same.packed[0]["allow_same_bands"] == 1


# ------------------------------------------------------------------ dealing (G-10)
PAIRS = [["rebeldogs", "tnshe"], ["metallum", "epic_gods"], ["powergirls", "cover_bots"]]


def test_sides_of_one_sheet_never_meet():
    rules = load_rules({"sheets": PAIRS})
    with pytest.raises(UsageError, match="rebeldogs and tnshe are two sides of one sheet"):
        make_setup({"bands": ["tnshe", "rebeldogs"]}, rules)
    with pytest.raises(UsageError, match="metallum and epic_gods are two sides"):
        make_setup({"mode": "solo", "bands": ["epic_gods"]}, rules)
    assert names(make_setup({"bands": ["tnshe", "epic_gods"]}, rules)) == ["tnshe", "epic_gods"]


def test_bands_that_are_drawn_must_be_named():
    rules = load_rules({"options.band_setup": "random"})
    with pytest.raises(UsageError, match="band_setup = random"):
        make_setup({"players": 2}, rules)
    dealt = deal_bands({"players": 2}, rules, seed=1)
    assert names(make_setup({"players": 2, "bands": dealt}, rules)) == dealt


def test_random_deal_reaches_every_band_and_respects_sheets():
    rules = load_rules({"options.band_setup": "random", "sheets": PAIRS})
    deals = [tuple(deal_bands({"players": 4}, rules, seed)) for seed in range(200)]
    assert {name for deal in deals for name in deal} == set(human_bands("standard"))
    for deal in deals:
        assert len(set(deal)) == 4
        assert not any(set(pair) <= set(deal) for pair in PAIRS)
    assert deals[7] == tuple(deal_bands({"players": 4}, rules, 7))
    coop = [deal_bands({"players": 3, "mode": "coop"}, rules, seed) for seed in range(100)]
    assert not {"cover_bots", "epic_gods"} & {name for deal in coop for name in deal}


def test_sheets_deal_takes_one_side_of_each_sheet():
    """R-SET-01."""
    rules = load_rules({"options.band_setup": "sheets"})
    deals = [deal_bands({"players": 3}, rules, seed, PAIRS) for seed in range(60)]
    sides = {"rebeldogs", "tnshe", "epic_gods", "powergirls", "cover_bots"}
    assert {name for deal in deals for name in deal} == sides
    assert all(len([p for p in PAIRS if set(p) & set(deal)]) == 3 for deal in deals)
    solo = {deal_bands({"mode": "solo"}, rules, seed, PAIRS)[0] for seed in range(60)}
    assert solo == {"rebeldogs", "tnshe", "powergirls"}
    with pytest.raises(UsageError, match="4 humans need 4 sheets, the rules name 3"):
        deal_bands({"players": 4}, rules, 0, PAIRS)


def test_free_deal_is_the_printed_order():
    assert deal_bands({"players": 3}, SHIPPED, seed=9) == list(BANDS[:3])
