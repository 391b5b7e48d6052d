"""Cards and boards: what a card must say, and what of the board is decoration."""

import copy
import json

import pytest

from metalmania_sim.cards import load_cards, read
from metalmania_sim.game import METALMANIA
from metalmania_sim.ruleset import load_rules
from metalmania_sim.view import SEAT_KEYS, STATE_KEYS
from simcore.errors import UsageError
from simcore.position import Position
from simcore.ruledata import snake
from tests.metalmania.tables import FIXTURE, start

pytestmark = pytest.mark.quick

CARDS = list(load_rules().model.artists.values())


def refused(change, tmp_path):
    """What is said about the fixture after ``change`` of its first artist."""
    content = copy.deepcopy(read(FIXTURE))
    change(content["boards"][0][0])
    path = tmp_path / "cards.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(UsageError) as error:
        load_cards(path)
    return str(error.value)


def test_every_artist_has_a_name_of_its_own(tmp_path):
    """MM-R004: fifty names, fifty words; a card without one is refused."""
    assert len({snake(card.name) for card in CARDS}) == 50
    assert "name" in refused(lambda card: card.pop("name"), tmp_path)


@pytest.mark.parametrize("style", ["XX", "HR HM", ["HR", "HM"], "", None])
def test_an_artist_has_exactly_one_style(tmp_path, style):
    """MM-R009."""
    assert {card.style for card in CARDS} == {"HR", "HM", "EX"}
    assert "style" in refused(lambda card: card.update(style=style), tmp_path)


@pytest.mark.parametrize("key", ["inspiration", "charisma", "revelry", "reputation"])
@pytest.mark.parametrize("value", [2.5, "3", None, -1])
def test_characteristics_are_whole_numbers(tmp_path, key, value):
    """MM-R005, MM-R006, MM-R007, MM-R008."""
    assert all(isinstance(getattr(card, key), int) for card in CARDS)
    assert key in refused(lambda card: card.update({key: value}), tmp_path)


def test_an_artist_plays_an_instrument_in_a_degree(tmp_path):
    """MM-R010, MM-R011: one or more of the six instruments, a degree each."""
    known = {"guitar", "microphone", "bass", "drums", "keyboard", "v_guitar"}
    assert {name for card in CARDS for name in card.instruments} == known
    assert "instruments" in refused(lambda card: card.update(instruments={}), tmp_path)
    assert "instruments" in refused(lambda card: card.update(instruments=["guitar"]), tmp_path)
    assert "triangle" in refused(lambda card: card.update(instruments={"guitar": 3, "triangle": 3}), tmp_path)


def test_dials_and_spare_tokens_are_no_state():
    """MM-R024, MM-D07, MM-D08: a seat is its money, fame, band, conditions, equalizers and company."""
    assert SEAT_KEYS == ("money", "fame", "band", "conditions", "levels", "tokens", "company")
    assert STATE_KEYS == ("turn", "step", "display", "deck", "discards", "companies", "winner", "seats")


@pytest.mark.parametrize(
    ("action", "luck"),
    [("funds", ["funds 4"]), ("beers", ["beers 12", "beers 1", "beers 234", "beers 1"])],
)
def test_step_4_sets_no_dial(action, luck):
    """MM-R024: after Funds and Beers nothing of a seat differs but the money."""
    state, rules = start({"turn": 0, "step": "choice"})
    position = Position(METALMANIA, state, rules)
    before = position.view()["seats"]
    position.play(action)
    for text in luck:
        position.chance(text)
    after = position.view()["seats"]
    assert {key for key in SEAT_KEYS if before[0].get(key) != after[0].get(key)} == {"money"}
    assert before[1] == after[1]
