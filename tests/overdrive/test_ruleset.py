"""The component files, the paths into them, and what is said about mistakes."""

import doctest
import json
import os
import subprocess
import sys
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overdrive_sim import reference
from overdrive_sim.kernels.layout import AWARDS, BANDS, SPACES
from overdrive_sim.kernels.rules import OPTIONS
from overdrive_sim.model import DATA, OPTION_TABLE, RulesModel
from overdrive_sim.ruleset import check, json_schema, load_rules
from simcore.errors import UsageError
from simcore.ruledata import LABELS, RulesError, all_paths, leaves, parse_override, parse_overrides, snake, toml_text

pytestmark = pytest.mark.quick

SHIPPED = load_rules()


# ------------------------------------------------------------------ components
def test_hit_deck_has_sixteen_cards_four_of_each_symbol():
    """R-COM-05, G-02."""
    symbols = [SHIPPED.model.hits[name].symbol for name in SHIPPED.names.hits]
    assert len(symbols) == 16
    assert {s: symbols.count(s) for s in "HSCI"} == {"H": 4, "S": 4, "C": 4, "I": 4}


@pytest.mark.parametrize(
    ("name", "spaces", "reward", "symbol", "price"),
    [
        ("all_along_the_dice_tower", "CCC", {"fans": 2}, "C", 4),  # R-HCD-01
        ("back_in_box", "II?", {"fame": 2}, "I", 4),  # R-HCD-02
        ("born_to_be_wild_card", "CCCC", {"fans": 3}, "C", 5),  # R-HCD-03
        ("crazy_ticket", "CC??", {"fans": 2}, "C", 4),  # R-HCD-04
        ("cube_pusher", "HH?", {"overdrive": 2}, "H", 4),  # R-HCD-05
        ("dr_feld_good", "SSCC", {"fans": 2, "grana": 2}, "S", 5),  # R-HCD-07
        ("highway_to_ride", "III", {"fame": 3}, "I", 5),  # R-HCD-08
        ("iron_meeple", "II??", {"fame": 3}, "I", 5),  # R-HCD-09
        ("mini_lover", "HHH", {"overdrive": 3}, "H", 5),  # R-HCD-10
        ("house_chord_1", "CCI", {"fans": 1, "fame": 1}, "C", 4),  # G-02
        ("house_influence_1", "HI?", {"fame": 1, "overdrive": 1}, "I", 4),
        ("house_horns_1", "HH??", {"overdrive": 3}, "H", 5),
        ("house_horns_2", "HC?", {"fans": 1, "overdrive": 1}, "H", 4),
        ("house_skull_1", "SSS", {"grana": 4}, "S", 4),
        ("house_skull_2", "SS?", {"fame": 1, "grana": 2}, "S", 4),
    ],
)
def test_hit_cards(name, spaces, reward, symbol, price):
    hit = SHIPPED.model.hits[name]
    assert (hit.spaces, hit.reward, hit.symbol) == (spaces, reward, symbol)
    assert SHIPPED.sources[f"hits.{name}.price"].startswith("house")
    label = "house" if name.startswith("house") else "printed"
    assert SHIPPED.sources[f"hits.{name}.spaces"].startswith(label)
    # G-01: 2 and the levels of the reward, two Grana counted as one level, in the ten printed cards.
    counted = sum(n if track != "grana" else n / 2 for track, n in reward.items())
    assert hit.price == (price if label == "house" else 2 + counted) == price


def test_day_filler_has_two_ways():
    """R-HCD-06, G-01."""
    hit = SHIPPED.model.hits["day_filler"]
    assert [(way.spaces, way.reward) for way in hit.all_ways()] == [("S", {"grana": 2}), ("SS", {"grana": 3})]
    assert (hit.symbol, hit.price) == ("S", 5)


def test_printed_hits_come_first_and_in_alphabetical_order():
    titles = [SHIPPED.model.hits[name].title for name in SHIPPED.names.hits]
    assert titles[:10] == sorted(titles[:10])
    assert all(name == snake(title) for name, title in zip(SHIPPED.names.hits, titles, strict=True))
    assert load_rules({"options.hit_deck": "rulebook10"}).names.hits == SHIPPED.names.hits[:10]


def test_distortion_deck_has_thirty_two_cards_eight_of_each_icon():
    """R-COM-04, R-DST-11, G-06."""
    cards = SHIPPED.names.cards
    assert len(cards) == 32
    assert [[n for n, _ in cards].count(k) for k in range(1, 15)] == [3] * 4 + [2] * 10
    assert "".join(icon for _, icon in cards) == "SCHI" * 8


def test_boxes_of_bands_awards_and_spaces():
    """R-COM-07, R-SET-13, R-BND-01, R-BRD-01, R-BRD-03, R-SPC-05a, R-SPC-07a."""
    model = SHIPPED.model
    assert tuple(model.awards) == AWARDS
    assert set(model.bands) == set(BANDS)
    assert set(model.board) == set(SPACES)
    assert [name for name, space in model.board.items() if space.from_players == 3] == ["acoustic", "opportunity"]
    assert [name for name, space in model.board.items() if space.places == 2] == ["improvisation", "new_riff"]


def test_sheet_symbols_follow_their_cycle():
    """R-BND-05, R-BND-06, G-04."""
    following = dict(zip("SCHI", "CHIS", strict=True))
    for name in BANDS[:-1]:
        first, second = SHIPPED.model.bands[name].symbols
        assert second == following[first]
    assert SHIPPED.model.bands["metallum"].symbols == ""  # G-11


def test_maximum_of_ability_c_is_five_points_everywhere():
    """R-ABL-03 to R-ABL-33: divisors grow with the tracks (A-ABL-8)."""
    for name in BANDS[:-1]:
        special = SHIPPED.model.bands[name].c
        if special is None:
            assert name == "cover_bots"
            continue
        assert special.most == 5
        joined = {"arcane_possession", "powergirls", "epic_gods"}
        assert special.joined == ("or" if name in joined else "and")


def test_every_value_has_a_label():
    for parts, _ in leaves(RulesModel, SHIPPED.model.model_dump(by_alias=True, exclude_unset=True)):
        if parts[0] != "options":
            assert SHIPPED.sources[".".join(parts)].partition(" ")[0] in LABELS


def test_house_lines_name_what_is_invented():
    for path in ("hits.*.price", "awards.*.points", "bands.*.symbols", "distortions.*.icons", "overdrive_points"):
        assert any(line.startswith(f"house data: {path}") for line in SHIPPED.house)
    assert not any(line.startswith(("option", "changed")) for line in SHIPPED.house)
    ten = load_rules({"options.hit_deck": "rulebook10"})
    assert not any("decks" in line or "(6 values" in line for line in ten.house)


# ------------------------------------------------------------------ options
def test_options_of_the_file_are_those_of_the_kernels():
    in_file = {name: tuple(row["values"]) for name, row in OPTION_TABLE.items()}
    for name, values in OPTIONS.items():
        assert in_file[name] == values
    assert set(in_file) - set(OPTIONS) == {"hit_deck", "band_setup", "allow_same_bands"}


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, row in OPTION_TABLE.items() for v in row["values"]])
def test_every_option_value_is_taken_and_told(name, value):
    rules = load_rules({f"options.{name}": value})
    assert rules.option(name) == value
    default = OPTION_TABLE[name]["values"][0]
    assert (rules.overrides == {}) == (value == default)
    assert any(line.startswith(f"option {name} = {value} ") for line in rules.house) == (value != default)
    if name in OPTIONS:
        assert rules.packed[0]["option"][name] == OPTIONS[name].index(value)


def test_on_off_options_are_booleans_and_numbers_are_numbers():
    rules = load_rules({"options.metallum_shield": True, "options.track_cap": 20})
    assert (rules.option("metallum_shield"), rules.option("track_cap")) == ("on", "20")
    assert load_rules({"options.metallum_shield": False}).hash == SHIPPED.hash


def test_option_aliases():
    """G-05, G-07, G-08."""
    points = load_rules({"options.overdrive_points": {1: 1, 3: 2, 6: 4, 10: 5}})
    assert points.model.overdrive_points == {"1": 1, "3": 2, "6": 4, "10": 5}
    resources = load_rules({"options.resources": {"face": "skull", "grana": 2}}).model.board["resources"]
    assert (resources.spaces, resources.reward) == ("S", {"grana": 2})
    assert load_rules({"options.resources": {"face": "any", "grana": 1}}).hash == SHIPPED.hash
    assert load_rules({"board.intimidation.cost": 1}).model.board["opportunity"].cost == 1
    assert load_rules({"battle.skull": {"grana": 4}}).model.battle.S == {"grana": 4}


# ------------------------------------------------------------------ overrides
SAME = {
    "hits.back_in_box.price": 5,
    "hits.house_influence_1.spaces": "?IHH",
    "hits.house_influence_1.reward": {"fame": 1, "overdrive": 2},
    "awards.bronze.target": {"fans": 2, "fame": 2},
    "bands.rebeldogs.symbols": "CS",
    "board.rehearsal.spaces": "H?",
    "distortions.5.copies": 3,
    "distortions.5.icons": "CCC",
    "actions.reroll": 2,
    "battle.S": {"grana": 2},
    "overdrive_points": {"1": 2, "5": 5},
    "start.grana": [2, 2, 2, 2],
    "options.ability_limit": "turn",
}


def test_file_text_and_python_say_the_same(tmp_path):
    file = tmp_path / "rules.toml"
    file.write_text("\n".join(f'"{path}" = {toml_text(value)}' for path, value in SAME.items()))
    nested = tmp_path / "nested.toml"
    nested.write_text("\n".join(f"{path} = {toml_text(value)}" for path, value in SAME.items()))
    texts = parse_overrides(f"{path}={toml_text(value)}" for path, value in SAME.items())
    found = [load_rules(SAME), load_rules(file=file), load_rules(file=nested), load_rules(texts)]
    assert {rules.hash for rules in found} == {found[0].hash}
    assert found[0].hash != SHIPPED.hash
    assert all(rules.packed.tobytes() == found[0].packed.tobytes() for rules in found)
    assert all(set(rules.overrides) == set(SAME) for rules in found)


def test_overrides_come_after_the_file(tmp_path):
    file = tmp_path / "rules.toml"
    file.write_text("[hits.back_in_box]\nprice = 7\n")
    assert load_rules({"hits.back_in_box.price": 9}, file).model.hits["back_in_box"].price == 9


def test_table_replaces_and_longer_path_changes_one_entry():
    assert load_rules({"awards.gold.target": {"fans": 8}}).model.awards["gold"].target == {"fans": 8}
    changed = load_rules({"awards.gold.target.fans": 8}).model.awards["gold"].target
    assert changed == {"fans": 8, "fame": 7}


def test_words_without_quotes_are_texts():
    assert parse_override("options.ability_limit=turn") == ("options.ability_limit", "turn")
    assert parse_override("hits.mini_lover.spaces = HH?") == ("hits.mini_lover.spaces", "HH?")
    assert parse_override("awards.gold.target={fans=3, fame = 3}")[1] == {"fans": 3, "fame": 3}
    assert parse_override("options.metallum_shield=true")[1] is True
    with pytest.raises(UsageError, match="expected path=value"):
        parse_override("hits.mini_lover.price")


def test_printed_titles_may_stand_for_names():
    rules = load_rules({"hits": {"Dr. Feld Good": {"price": 3}}, "bands.Dead & Death.symbols": "HI"})
    assert rules.model.hits["dr_feld_good"].price == 3
    assert rules.model.bands["dead_and_death"].symbols == "HI"


@given(st.dictionaries(st.sampled_from(SHIPPED.names.hits), st.integers(0, 30), max_size=6))
def test_hash_is_equal_for_equal_rules_only(prices):
    changes = {f"hits.{name}.price": price for name, price in prices.items()}
    backwards = dict(reversed(list(changes.items())))
    real = {path for path, price in changes.items() if price != SHIPPED.model.hits[path.split(".")[1]].price}
    rules = load_rules(changes)
    assert rules.hash == load_rules(backwards).hash
    assert set(rules.overrides) == real
    assert (rules.hash == SHIPPED.hash) == (not real)


def test_hash_is_the_same_in_every_process():
    code = "from overdrive_sim.ruleset import load_rules; print(load_rules({'options.unlock': 'reached'}).hash)"
    run = [sys.executable, "-c", code]
    found = subprocess.run(run, env={**os.environ, "PYTHONHASHSEED": "77"}, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == load_rules({"options.unlock": "reached"}).hash


def test_what_plays_no_part_does_not_change_the_hash():
    ten = load_rules({"options.hit_deck": "rulebook10"})
    assert load_rules({"options.hit_deck": "rulebook10", "hits.house_chord_1.price": 9}).hash == ten.hash
    assert load_rules({"board.acoustic.title": "Unplugged"}).hash == SHIPPED.hash
    assert load_rules({"hits.house_influence_1.spaces": "?IH"}).hash == SHIPPED.hash
    assert load_rules({"hits.back_in_box.reward": {"fame": 2, "fans": 0}}).hash == SHIPPED.hash


def test_source_of_a_file_is_kept(tmp_path):
    file = tmp_path / "box.toml"
    file.write_text('source = "printed"\n[hits.back_in_box]\nprice = 6\n[awards.gold]\nsource = "house"\npoints = 7\n')
    rules = load_rules(file=file)
    assert rules.sources["hits.back_in_box.price"] == "printed"
    assert rules.sources["awards.gold.points"] == "house"
    assert any("hits.*.price (9 values" in line for line in rules.house)


def test_deck_of_the_users_own(tmp_path):
    """G-02."""
    (tmp_path / "deck.toml").write_text(
        "".join(
            f'[hits."{title}"]\nspaces = "SSC"\nreward = {{fans = 2}}\nsymbol = "S"\nprice = {price}\n'
            for price, title in enumerate(("Águas", "Stage Dive", "Encore!"))
        )
    )
    file = tmp_path / "rules.toml"
    file.write_text('"hits.stage_dive.price" = 8\n[options]\nhit_deck = "deck.toml"\n')
    rules = load_rules(file=file)
    assert rules.names.hits == ("aguas", "stage_dive", "encore")
    assert rules.model.hits["aguas"].title == "Águas"
    assert rules.packed[0]["hit_price"][:3].tolist() == [0, 8, 2]
    assert rules.packed[0]["hits"] == 3


def test_names_that_collide_are_refused(tmp_path):
    row = 'spaces = "SSC"\nreward = {fans = 2}\nsymbol = "S"\nprice = 1\n'
    titles = ("Encore!", "encore", "One", "Two")
    (tmp_path / "deck.toml").write_text("".join(f'[hits."{title}"]\n{row}' for title in titles))
    with pytest.raises(UsageError, match=r"'encore' and 'Encore!' would both be named 'encore'"):
        load_rules({"options.hit_deck": str(tmp_path / "deck.toml")})


# ------------------------------------------------------------------ mistakes
@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("hits.bak_in_box.price", 5, "unknown rule 'hits.bak_in_box.price'; did you mean 'hits.back_in_box.price'?"),
        ("hits.back_in_box.prize", 5, "did you mean 'hits.back_in_box.price'?"),
        ("option.ability_limit", "turn", "did you mean 'options.ability_limit'?"),
        ("options.ability_limits", "turn", "did you mean 'options.ability_limit'?"),
        ("options.ability_limit", "turns", "did you mean 'turn'? (allowed: round, turn)"),
        ("hits.back_in_box.price", -1, "hits.back_in_box.price = -1: must be at least 0"),
        ("hits.back_in_box.price", 2.5, "hits.back_in_box.price = 2.5"),
        ("hits.back_in_box.price", "four", "must be a whole number"),
        ("hits.back_in_box.price.more", 1, "is one value, without parts"),
        ("hits.back_in_box", 3, "is a table"),
        ("hits.back_in_box.spaces", "IX", "unknown face 'X' (allowed: H, S, C, I, ?)"),
        ("hits.back_in_box.spaces", "", "at least 1 letter"),
        ("hits.back_in_box.symbol", "?", "unknown face '?'"),
        ("hits.day_filler.spaces", "SS", "a Hit has spaces and reward, or ways"),  # the reward is missing
        ("awards.gold.target", {"fanz": 3}, "unknown track 'fanz'; did you mean 'fans'?"),
        ("bands.rebeldogs.symbols", "H", "two symbols"),
        ("bands.rebeldogs.b.does", "extra_funs", "did you mean 'extra_fans'?"),
        ("bands.rebeldogs.b.does", "stage", "'stage' takes reward, spaces"),
        ("bands.rebeldogs.a", {"to": "C", "does": "take"}, "'take' takes no other key"),
        ("bands.epic_gods.a.does", "extra_fans", "no ability a (allowed: change, re_roll"),
        ("bands.powergirls.b.does", "extra_grana", "no ability b"),
        ("bands.powergirls.b.does", "copies", "no ability b"),
        ("bands.cover_bots.b.does", "clear", "no ability b (allowed: copies)"),
        ("bands.cover_bots.c", {"tracks": ["fans"], "per": 1, "most": 5}, "is what Cover Bots copy"),
        ("scoring.identical", 5, "must be at most 4"),
        ("bands.metallum.symbols", "HI", "no symbols"),
        ("board.jam_session.reward", {"fans": 1}, "effect of its own"),
        ("board.acoustic.reward", {"grana": 1}, "A-SPC-11"),
        ("battle.S", {"fans": 1, "fame": 1}, "raises one track"),
        ("distortions.15.copies", 1, "unknown rule 'distortions.15.copies'"),
        ("distortions.7.amount", 4, "amount of 1 to 3"),
        ("distortions.3.copies", 60, "cards (allowed: 3 to 62)"),
        ("overdrive_points", {"one": 1}, "'one' is no Overdrive level"),
        ("options.resources", {"faces": "S"}, 'expected {face = "any", grana = 1}'),
        ("options.hit_deck", "none.toml", "cannot be read"),
        ("start.extra_dice", 3, "start.dice + start.extra_dice is above 6"),
        ("decks.house16", ["mini_lover", "mini_lover", "one"], "unknown Hit 'one'"),
        ("sheets", [["tnshe", "tnshe"]], "'tnshe' stands twice"),
        ("sheets", [["tnshe", "thse"]], "unknown band 'thse'"),
    ],
)
def test_a_mistake_names_place_value_and_what_is_allowed(path, value, said):
    with pytest.raises(UsageError) as caught:
        load_rules({path: value})
    assert said in str(caught.value)
    assert "overrides" in str(caught.value) or "rules:" in str(caught.value)


def test_active_abilities_fit_both_places():
    rules = load_rules(
        {"bands.epic_gods.a": {"to": "C", "from": "?", "does": "change"}, "bands.powergirls.b.does": "re_roll"}
    )
    assert (rules.model.bands["epic_gods"].a.does, rules.model.bands["powergirls"].b.does) == ("change", "re_roll")
    assert load_rules({"scoring.different": 4}).packed[0]["different_least"] == 4


def test_another_kind_of_card_or_ability_drops_what_it_does_not_have():
    rules = load_rules(
        {
            "bands.rebeldogs.a": {"does": "take"},
            "hits.day_filler": {"spaces": "SSS", "reward": {"grana": 4}},
            "hits.mini_lover.ways": [{"spaces": "HH", "reward": {"overdrive": 2}}],
            "distortions.7.effect": "protect",
        }
    )
    assert rules.model.bands["rebeldogs"].a.to is None
    assert rules.model.hits["day_filler"].ways is None
    assert rules.model.hits["mini_lover"].spaces is None
    assert rules.model.distortions["7"].amount is None


def test_every_mistake_is_named_at_once(tmp_path):
    file = tmp_path / "bad.toml"
    file.write_text('source = "guess"\n[hits.back_in_box]\nprice = -1\nprize = 3\n[options]\nmulti_track = "poold"\n')
    with pytest.raises(RulesError) as caught:
        load_rules({"awards.gold.points": "x"}, file)
    assert len(caught.value.lines) == 5
    assert sum(str(file) in line for line in caught.value.lines) == 4
    assert check(file) == caught.value.lines[:3] + [line for line in caught.value.lines[3:] if str(file) in line]


def test_check_of_files(tmp_path):
    good, broken = tmp_path / "good.toml", tmp_path / "broken.toml"
    good.write_text("awards.gold.points = 7\n")
    broken.write_text("awards.gold.points = \n")
    assert check(good) == []
    assert "no valid TOML" in check(broken)[0]
    assert "cannot be read" in check(tmp_path / "none.toml")[0]


def test_a_path_exists_for_every_value():
    paths = set(all_paths(RulesModel, SHIPPED.model.model_dump(by_alias=True)))
    for path in SHIPPED.sources:
        assert path in paths


# ------------------------------------------------------------------ texts
def test_examples_of_the_reference_page():
    failed, tried = doctest.testfile(str(reference.PAGE), module_relative=False)
    assert (failed, tried > 0) == (0, True)


def test_schema_and_reference_page_are_current():
    assert reference.SCHEMA.read_text(encoding="utf-8") == reference.schema_text()
    page = reference.PAGE.read_text(encoding="utf-8")
    assert page == reference.fill(page)


def test_schema_knows_every_key_of_the_component_files():
    schema = json_schema()
    for name in ("board", "bands", "hits", "distortions", "awards", "actions", "battle", "variants", "scoring"):
        content = tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))
        assert _surplus(content, schema) == []
    assert _surplus({"hits": {"back_in_box": {"prize": 3}}}, schema) == ["hits.back_in_box.prize"]
    assert json.dumps(schema)


def _surplus(content, schema, path=()):
    """Keys of nested tables that the schema does not allow."""
    found = []
    for key, value in content.items():
        below = schema.get("properties", {}).get(key)
        if below is None and schema.get("additionalProperties") is False:
            found.append(".".join((*path, key)))
        elif isinstance(value, dict) and below is not None:
            found += _surplus(value, below, (*path, key))
    return found
