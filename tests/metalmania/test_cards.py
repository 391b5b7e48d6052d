"""The house cards, the longer profile, and what is said about a bad card file (MM-D01 to MM-D10, rulings 3)."""

import copy
import json
from collections import Counter

import pytest

from metalmania_sim.cards import SHIPPED, load_cards, long_text, longer, read
from metalmania_sim.ruleset import load_rules
from simcore.errors import UsageError
from tests.metalmania.tables import FIXTURE

pytestmark = pytest.mark.quick

RULES = load_rules()
CARDS = list(RULES.model.artists.values())
BOARDS = [[RULES.model.artists[name] for name in board] for board in RULES.model.boards]
POOL = CARDS[20:]


def best(card):
    return max(card.instruments.values())


def test_twenty_board_artists_and_a_pool_of_thirty():
    """MM-R002, MM-D04, MM-D05."""
    assert (len(CARDS), len(BOARDS), len(POOL)) == (50, 5, 30)
    assert [card for board in BOARDS for card in board] == CARDS[:20]
    primary = Counter(next(iter(card.instruments)) for card in POOL)
    assert primary == {"guitar": 7, "microphone": 6, "bass": 5, "drums": 5, "keyboard": 4, "v_guitar": 3}
    assert sum(len(card.instruments) == 2 for card in CARDS) == 14


def test_inspiration_charisma_and_best_degree_are_eight_and_reputation():
    """The joint law of the printed cards and of the house set."""
    assert all(c.inspiration + c.charisma + best(c) == 8 + c.reputation for c in CARDS)


def test_marginals_of_the_house_set():
    """Rulings, 3.2."""
    assert Counter(c.inspiration for c in CARDS) == {2: 8, 3: 23, 4: 15, 5: 4}
    assert Counter(c.charisma for c in CARDS) == {2: 7, 3: 26, 4: 14, 5: 3}
    assert Counter(map(best, CARDS)) == {2: 2, 3: 27, 4: 17, 5: 4}
    assert Counter(c.revelry for c in CARDS) == {1: 17, 2: 23, 3: 10}
    assert Counter(c.reputation for c in CARDS) == {1: 14, 2: 21, 3: 15}
    assert Counter(c.style for c in CARDS) == {"EX": 16, "HM": 19, "HR": 15}
    pairs = {(1, 1): 8, (1, 2): 6, (2, 1): 9, (2, 2): 12, (3, 2): 5, (3, 3): 10}
    assert Counter((c.reputation, c.revelry) for c in CARDS) == pairs


def test_boards_have_equal_budgets():
    """Rulings, 3.1: equal sums, every style, one artist a basic position."""
    for board in BOARDS:
        assert sorted(c.reputation for c in board) == [1, 1, 2, 2]
        assert sum(c.revelry for c in board) == 6
        assert sum(map(best, board)) == 13
        assert {sum(c.inspiration for c in board), sum(c.charisma for c in board)} == {12, 13}
        assert {c.style for c in board} == {"HR", "HM", "EX"}
        assert [next(iter(c.instruments)) for c in board] == ["guitar", "microphone", "bass", "drums"]


def test_the_printed_board_comes_first():
    """MM-R029, MM-D10."""
    assert [c.name for c in BOARDS[0]] == ["Kirk Hammer", "Doro Peck", "David Ellefson", "Mike Portnel"]
    assert RULES.names.aliases == {"david_ellenson": 2}


def test_companies_add_one_to_two_characteristics():
    """Rulings, 3.3."""
    rows = [(c.name, c.style, dict(c.modifiers)) for c in RULES.model.companies.values()]
    assert rows == [
        ("Neon Asphalt Records", "HR", {"charisma": 1, "performance": 1}),
        ("Chrome Saloon Music", "HR", {"inspiration": 1, "charisma": 1}),
        ("Iron Cathedral", "HM", {"performance": 1, "inspiration": 1}),
        ("Silver Anvil", "HM", {"charisma": 1, "performance": 1}),
        ("Grave Frequency", "EX", {"inspiration": 1, "performance": 1}),
    ]


def test_the_longer_profile_takes_two_points_from_every_card():
    """Rulings, 3.5: inspiration + charisma + best degree = 6 + reputation."""
    rules = load_rules(cards="assumed-long")
    for card, before in zip(rules.model.artists.values(), CARDS, strict=True):
        assert card.inspiration + card.charisma + best(card) == 6 + card.reputation
        assert (card.revelry, card.reputation, card.style) == (before.revelry, before.reputation, before.style)
        assert all(degree >= 1 for degree in card.instruments.values())
    kirk = rules.model.artists["kirk_hammer"]
    assert (kirk.inspiration, kirk.charisma, kirk.instruments) == (2, 3, {"guitar": 3, "v_guitar": 1})
    assert rules.hash != RULES.hash


def test_the_shipped_longer_profile_is_the_one_that_is_made():
    assert SHIPPED["assumed-long"].read_text(encoding="utf-8") == long_text()


def test_a_degree_never_falls_below_one():
    row = {"name": "x", "inspiration": 1, "charisma": 1, "instruments": {"guitar": 3, "bass": 1}}
    made = longer({"label": "", "boards": [[row]], "pool": []})
    assert made["boards"][0][0]["instruments"] == {"guitar": 1, "bass": 1}


def test_cards_are_labelled():
    """A value that is not printed is house, wherever it is shown."""
    assert RULES.model.label.startswith("ASSUMED")
    assert any("house data" in line and "ASSUMED" in line for line in RULES.house)
    assert RULES.sources["artists.kirk_hammer.inspiration"].startswith("house")
    assert RULES.sources["events.5.fame"] == "printed"
    assert "FIXTURE" in load_rules(cards=FIXTURE).house[0]


# ------------------------------------------------------------------ bad files
def bad(change, tmp_path):
    """Lines about the fixture after ``change``, as a JSON file."""
    content = copy.deepcopy(read(FIXTURE))
    change(content)
    path = tmp_path / "cards.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(UsageError) as error:
        load_cards(path)
    return str(error.value)


def _many(content):
    gus = content["boards"][0][0]
    gus["instruments"] = {"guitr": 4, "guitar": "x"}
    gus["reputation"] = -1
    del content["boards"][0][1]["style"]
    content["boards"][0][2]["style"] = "XX"
    content["pool"].pop()
    content["pool"][0]["name"] = "B.o.b"
    content["pool"][1]["name"] = "b o b"
    content["pool"][2]["charm"] = 3
    content["companies"][0]["modifiers"] = {"inspiraton": 1}
    content["poll"] = []


def test_every_mistake_of_a_card_file_is_named_at_once(tmp_path):
    """MM-D01, MM-D02: file, card, key, what is allowed, the nearest word."""
    text = bad(_many, tmp_path)
    for line in (
        "unknown key instruments.guitr; did you mean 'guitar'?",
        "instruments.guitar = 'x'",
        "board 1, number 1 (Gus): reputation = -1",
        "board 1, number 2 (Mia): style is missing",
        "board 1, number 3 (Bob): style = 'XX' (allowed: HR, HM, EX)",
        "49 artists (needed: 50",
        "'b o b' and 'B.o.b' would both be named 'b_o_b'",
        "unknown key 'charm'",
        "unknown key modifiers.inspiraton; did you mean 'inspiration'?",
        "unknown key 'poll'; did you mean 'pool'?",
    ):
        assert line in text, line
    assert text.startswith("10 mistakes:")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda c: c["pool"][1].update(name=c["pool"][0]["name"]), "stands twice"),
        (lambda c: c["boards"][1].pop(), "board 2: 3 artists (needed: 4"),
        (lambda c: c["boards"].pop(), "4 boards (needed: 5"),
        (lambda c: c["companies"].pop(), "4 record companies (needed: 5"),
        (lambda c: c["companies"][1].update(name=c["companies"][0]["name"]), "stands twice"),
        (lambda c: c["boards"][0].reverse(), "stands at the guitar and does not play it"),
        (lambda c: c.pop("pool"), "pool is missing"),
        (lambda c: c.update(pool=3), "pool: a list is needed"),
        (lambda c: c["pool"][0].update(name="!!"), "no letter or digit"),
        (lambda c: c["pool"][0].update(instruments={}), "instruments"),
        (lambda c: c["pool"].__setitem__(0, 3), "pool, number 1"),
        (lambda c: c.update(source="guess"), "allowed: printed, public, house"),
    ],
)
def test_a_bad_card_file_is_refused(tmp_path, change, says):
    assert says in bad(change, tmp_path)


def test_a_file_that_is_no_card_file_is_refused(tmp_path):
    for name, text in (("a.json", "{"), ("b.json", "[]"), ("c.toml", "x ="), ("d.json", None)):
        path = tmp_path / name
        if text is not None:
            path.write_text(text, encoding="utf-8")
        with pytest.raises(UsageError, match=name):
            load_cards(path)


def test_more_dice_than_a_throw_holds_are_refused():
    """MM-R003: at most six dice, modifiers included."""
    with pytest.raises(UsageError, match="would roll"):
        load_rules({"companies.iron_cathedral.modifiers": {"revelry": 4}})
