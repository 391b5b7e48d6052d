"""Every value of every option and every constant makes a difference: some game comes out otherwise.

Each is played where it matters, with data that make rare occasions frequent.  Both rule sets play the same
seeds with random agents, until the first game whose result differs.
"""

import pytest

from metalmania_sim.kernels.rules import CONSTANTS, OPTIONS
from metalmania_sim.model import CONSTANT_TABLE, OPTION_TABLE
from tests.difference import first_difference

THREE = {"players": 3}
COMPANIES = ("neon_asphalt_records", "chrome_saloon_music", "iron_cathedral", "silver_anvil", "grave_frequency")


def modifiers(**changed):
    """Overrides: every company changes these characteristics, and 1 fame brings it."""
    table = {f"companies.{name}.modifiers": changed for name in COMPANIES}
    return {**table, "options.company_fame": 1}


#: (variant, overrides of both rule sets) in which an option or constant is looked at; the others by THREE.
WHERE = {
    "revelry_min": (THREE, modifiers(revelry=-2)),  # MM-A37: an artist of Revelry 2 or less then has no die
    "company_scope": (THREE, modifiers(revelry=1)),  # MM-A57
    # MM-A57, MM-A16: a die up to 6 cannot tell 6 from more, so dice go beyond 6 here.
    "characteristic_max": (
        THREE,
        {**modifiers(inspiration=3, charisma=3, performance=3), "options.die_bounds": "free"},
    ),
    # MM-A16: with amounts up to X a die that stops at 6 is one that was moved by less, so X is exact here.
    "die_bounds": (THREE, {"options.bonus_amount": "exact"}),
    "miracle_4plus": (THREE, modifiers(revelry=2)),  # MM-A36
    "tie_break": ({"players": 5}, {"options.win_check": "end_of_round", "options.win_fame": 6}),  # MM-A76
    "deck_exhaustion": ({"players": 5}, {}),  # MM-A46
    "unused_board_artists": ({"players": 2}, {}),  # MM-A63
    "money_cap": (THREE, {"options.start_money": 95}),  # MM-D06
    "company_keep": (THREE, {"options.company_fame": 3}),  # MM-A55
}

#: Another value of each constant.
OTHER = {name: value + 1 for name, value in CONSTANTS.items()} | {"display_size": 8}


def differs(name, changed):
    """Whether a changed option or constant of this name changes a game, where that name matters."""
    variant, base = WHERE.get(name, (THREE, {}))
    return first_difference("metalmania", variant, changed, base) is not None


def word(value):
    """On and off options are booleans."""
    return {"true": True, "false": False}.get(value, value)


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, values in OPTIONS.items() for v in values[1:]])
def test_every_value_changes_a_game(name, value):
    assert differs(name, {f"options.{name}": word(value)})


@pytest.mark.parametrize("name", CONSTANTS)
def test_every_constant_changes_a_game(name):
    assert differs(name, {f"options.{name}": OTHER[name]})


@pytest.mark.parametrize("throw", ["event", "action", "funds", "beers"])
def test_every_kind_of_throw_counts(throw):
    """MM-A18: without it among ``bonus_throws`` some game is another one."""
    left = [name for name in ("event", "action", "funds", "beers") if name != throw]
    assert differs("bonus_throws", {"options.bonus_throws": left})


@pytest.mark.parametrize("action", ["performance", "recording", "advertising"])
@pytest.mark.parametrize("tested", ["degree", "inspiration", "charisma", "revelry", "reputation"])
def test_every_tested_characteristic_counts(action, tested):
    """MM-A02: any but the printed one changes a game, the printed one none."""
    printed = {"performance": "degree", "recording": "inspiration", "advertising": "charisma"}[action]
    changed = {f"options.action_characteristic.{action}": tested}
    if tested == printed:
        assert first_difference("metalmania", THREE, changed, most=3) is None
    else:
        assert differs("action_characteristic", changed)


@pytest.mark.parametrize(
    ("variant", "changed"),
    [
        (THREE, {"players": 3, "first_player": 1}),  # MM-A65
        (THREE, {"players": 3, "first_player": 2}),
        (THREE, {"players": 3, "boards": [4, 5, 1]}),  # MM-A64
    ],
)
def test_who_begins_and_which_boards_change_a_game(variant, changed):
    """MM-A64, MM-A65: parameters of the line-up."""
    assert first_difference("metalmania", variant, {}, changed_variant=changed) is not None


def test_every_option_is_looked_at():
    """What the table of options holds beside the kernels' has one value, or a test of its own above."""
    others = {name: row for name, row in OPTION_TABLE.items() if name not in OPTIONS}
    single = {name for name, row in others.items() if len(row.get("values", ())) == 1}
    assert single == {"event12_order", "floors"}  # MM-A30, MM-A52: one reading is built, so nothing can differ
    assert set(others) - single == {"bonus_throws", "action_characteristic"}
    assert set(CONSTANT_TABLE) == set(CONSTANTS) == set(OTHER)
    assert set(WHERE) <= {*OPTIONS, *CONSTANTS}
