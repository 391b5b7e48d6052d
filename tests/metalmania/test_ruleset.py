"""Rules from files and overrides: what changes, what is said about it, what is refused."""

import json
import shutil

import numpy as np
import pytest

from metalmania_sim.game import METALMANIA
from metalmania_sim.kernels.layout import INSTRUMENTS
from metalmania_sim.kernels.rules import CONSTANTS, FALSE, OPTIONS, TRUE
from metalmania_sim.model import CONSTANT_TABLE, OPTION_TABLE
from metalmania_sim.reference import SCHEMA, schema_text
from metalmania_sim.ruleset import check, json_schema, load_rules
from metalmania_sim.setup import make_setup
from simcore.errors import UsageError
from tests.metalmania.tables import FIXTURE

pytestmark = pytest.mark.quick

RULES = load_rules()


def test_the_kernels_know_the_options_of_the_file():
    """First value first: the default of the rulings, section 2."""
    for name, values in OPTIONS.items():
        assert tuple(OPTION_TABLE[name]["values"]) == values
    others = {name for name in OPTION_TABLE if name not in OPTIONS}
    assert others == {"bonus_throws", "action_characteristic", "event12_order", "floors"}
    assert {name: row["value"] for name, row in CONSTANT_TABLE.items()} == CONSTANTS


def test_constants_of_the_rulebook():
    """MM-R027, MM-R119, MM-R117, MM-R032, MM-R044, MM-R113, MM-R105, MM-R109, MM-R110, MM-R080."""
    packed = RULES.packed[0]
    assert [int(packed[name]) for name in CONSTANTS] == [13, 66, 15, 9, 2, 1, 6, 5, 10, 10, 2]


@pytest.mark.parametrize("name", OPTIONS)
def test_every_value_of_every_option_is_packed(name):
    for k, value in enumerate(OPTIONS[name]):
        switch = {"true": TRUE, "false": FALSE}
        rules = load_rules({f"options.{name}": value})
        assert rules.packed[0]["option"][name] == switch.get(value, k)
        assert (rules.hash == RULES.hash) == (k == 0)
        assert any(f"option {name} = {value}" in line for line in rules.house) == (k > 0)


def test_values_may_be_booleans_and_numbers():
    given = {"options.voluntary_nonpayment": True, "options.characteristic_max": 5, "options.revelry_min": 1}
    rules = load_rules(given | {"options.floors": 0})
    assert rules.option("voluntary_nonpayment") == "true"
    assert rules.option("characteristic_max") == "5"
    assert rules.overrides == {"options.voluntary_nonpayment": True, "options.characteristic_max": 5,
                               "options.revelry_min": 1}  # fmt: skip


def test_sets_and_maps():
    """MM-A18, MM-A02."""
    rules = load_rules(
        {"options.bonus_throws": ["beers", "event"], "options.action_characteristic.performance": "charisma"}
    )
    assert rules.packed[0].bonus_throws == 0b1001
    assert rules.packed[0].action_tests.tolist() == [7, 6, 7]
    assert load_rules({"options.bonus_throws": []}).packed[0].bonus_throws == 0


def test_data_by_dotted_path():
    rules = load_rules(
        {
            "artists.doro_peck.charisma": 5,
            "artists.David Ellenson.instruments": {"bass": 2, "drums": 4},
            "companies.iron_cathedral.modifiers": {"revelry": 1, "inspiration": -1},
            "events.10.money": 5,
            "events.3": {"choice": "drink"},
            "options.win_fame": 40,
            "wage": 2,
        }
    )
    packed = rules.packed[0]
    assert packed.tested[0, 1, 7] == 5
    assert packed.plays[2] == 1 << INSTRUMENTS.index("bass") | 1 << INSTRUMENTS.index("drums")
    assert packed.tested[3, 3, [6, 8]].tolist() == [3, 2]  # Mike Portnel is HM: 4 - 1, 1 + 1
    assert packed.tested[3, 1].tolist() == packed.tested[0, 1].tolist()  # Doro Peck is HR
    assert (packed.event_money[10], packed.event_money[3], packed.event_kind[3]) == (5, 4, 5)
    assert (packed.win_fame, packed.wage) == (40, 2)
    assert "changed: events.10.money = 5 (shipped 2, printed)" in rules.house
    assert rules.overrides["options.wage"] == 2


def test_company_limits():
    """MM-R013, MM-R014, MM-A57: as they are, or within 1 to a maximum; only the tested ones."""
    change = {"companies.iron_cathedral.modifiers": {"performance": 4, "charisma": -6, "revelry": 1}}
    assert load_rules(change).packed[0].tested[3, 3, [3, 7, 8]].tolist() == [7, -3, 2]
    limited = load_rules(change | {"options.characteristic_max": 5, "options.company_scope": "tested"})
    assert limited.packed[0].tested[3, 3, [3, 7, 8]].tolist() == [5, 1, 1]
    assert limited.packed[0].price.tolist() == RULES.packed[0].price.tolist()


def test_a_rules_file_may_name_its_cards(tmp_path):
    shutil.copy(FIXTURE, tmp_path / "cards.json")
    (tmp_path / "rules.toml").write_text('cards = "cards.json"\n[options]\nwin_fame = 50\n', encoding="utf-8")
    rules = load_rules(file=tmp_path / "rules.toml")
    assert rules.names.artists[0] == "gus"
    assert rules.packed[0].win_fame == 50
    assert rules.hash == load_rules({"options.win_fame": 50}, cards=FIXTURE).hash
    assert load_rules({"cards": "assumed-long"}).hash == load_rules(cards="assumed-long").hash
    assert load_rules({"cards": "house"}).overrides == {}


def test_a_value_that_is_no_change_is_none():
    rules = load_rules({"options.win_fame": 66, "events.5.fame": 2, "options.event6": "opponent_active"})
    assert (rules.hash, rules.overrides, rules.house) == (RULES.hash, {}, RULES.house)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"options.reasign": "never"}, "did you mean 'options.reassign'?"),
        ({"options.reassign": "nevr"}, "did you mean 'never'?"),
        ({"options.win_fame": 0}, "options.win_fame = 0"),
        ({"options.win_fame": "many"}, "options.win_fame = 'many'"),
        ({"options.bonus_throws": ["evnt"]}, "allowed: event, action, funds, beers"),
        ({"options.action_characteristic": {"perform": "charisma"}}, "perform"),
        ({"artists.kirk_hamer.charisma": 3}, "did you mean 'artists.kirk_hammer.charisma'?"),
        ({"artists.kirk_hammer.charm": 3}, "charm"),
        ({"artists.kirk_hammer.instruments": {"gitar": 3}}, "did you mean 'guitar'?"),
        ({"artists.kirk_hammer.instruments": {"bass": 3}}, "does not play guitar"),
        ({"events.13": {"money": 3}}, "events"),
        ({"events.5.choice": "victim"}, "gives fame or asks for a choice"),
        ({"events.3.victim_fame": -3}, 'need choice = "victim"'),
        ({"cards": "hose"}, "did you mean 'house'?"),
        ({"cards": 3}, "the name or the path of a card file"),
        ({"companies.iron_cathedral.style": "XX"}, "allowed: HR, HM, EX"),
    ],
)
def test_wrong_rules_are_refused_with_the_right_word(given, says):
    with pytest.raises(UsageError) as error:
        load_rules(given)
    assert says in str(error.value)


def test_all_mistakes_are_named_together():
    with pytest.raises(UsageError, match="3 mistakes") as error:
        load_rules({"options.judge": "x", "options.wage": -1, "event.5": 3})
    assert "options.judge" in str(error.value)


def test_a_rules_file_can_be_checked(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text("[options]\nwin_fame = 50\n", encoding="utf-8")
    assert check(path) == []
    path.write_text('[options]\nwin_fame = 0\njudge = "x"\n', encoding="utf-8")
    assert len(check(path)) == 2
    assert "cannot be read" in check(tmp_path / "none.toml")[0]


def test_the_shipped_schema_is_current():
    """``python -m metalmania_sim.reference`` writes it."""
    assert SCHEMA.read_text(encoding="utf-8") == schema_text()


def test_schema_names_every_option():
    schema = json.loads(json.dumps(json_schema()))
    assert set(schema["properties"]["options"]["properties"]) >= {*OPTION_TABLE, *CONSTANT_TABLE}
    assert "cards" in schema["properties"]


# ------------------------------------------------------------------ line-ups
def test_line_ups():
    """MM-R025, MM-R036, MM-A64, MM-A65."""
    setup = make_setup({"players": 3, "boards": [5, 1, 3], "first_player": 2}, RULES)
    assert setup["board"][0].tolist() == [4, 0, 2, -1, -1]
    assert (setup["players"][0], setup["first_player"][0]) == (3, 2)
    assert make_setup({"players": 2}, RULES)["board"][0].tolist() == [0, 1, -1, -1, -1]
    assert make_setup({"boards": [2, 1]}, RULES)["players"][0] == 2
    state = np.zeros(1, METALMANIA.engine.state)
    METALMANIA.engine.kernels.reset(state[0], RULES.packed[0], setup[0])
    assert [state[0].seat[k].artist[0] for k in range(3)] == [16, 0, 8]
    assert (state[0].turn, state[0].asked) == (2, 2)


@pytest.mark.parametrize(
    ("variant", "says"),
    [
        ({}, "variant.players is missing"),
        ({"players": 1}, "2 to 5"),
        ({"players": 6}, "MM-D09"),
        ({"players": True}, "2 to 5"),
        ({"players": 2, "first_player": 2}, "allowed: 0, 1"),
        ({"players": 2, "boards": [1]}, "1 boards for 2 players"),
        ({"players": 2, "boards": [1, 6]}, "6 (allowed: 1 to 5)"),
        ({"players": 2, "boards": [3, 3]}, "board 3 stands twice"),
        ({"players": 2, "boards": "12"}, "a list of board numbers"),
        ({"players": 2, "board": [1, 2]}, "did you mean 'boards'?"),
    ],
)
def test_wrong_line_ups_are_refused(variant, says):
    with pytest.raises(UsageError) as error:
        make_setup(variant, RULES)
    assert says in str(error.value)
