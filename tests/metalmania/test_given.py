"""The positions that scenarios start from, and how positions are shown."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metalmania_sim.kernels.layout import ROLL_EVENT
from metalmania_sim.notation import parse_chance, single_chances
from metalmania_sim.text import describe
from metalmania_sim.view import SEAT_KEYS, STATE_KEYS, expectation, view
from simcore.errors import UsageError
from tests.metalmania.tables import chances, happen, legal, options, playout, start

pytestmark = pytest.mark.quick

DEAL = "deal kay vic mara dex bix ula uma ugo uri"


@pytest.mark.parametrize("players", range(2, 6))
def test_an_empty_given_is_the_fresh_game_after_its_deal(players):
    fresh, rules = start(variant={"players": players})
    for text in single_chances(DEAL):
        happen(fresh, rules, parse_chance(fresh[0], rules, text))
    state, rules = start({}, variant={"players": players})
    assert view(state[0], rules) == view(fresh[0], rules)
    assert state[0].stage == fresh[0].stage == ROLL_EVENT
    assert set(view(state[0], rules)) == set(STATE_KEYS) - {"winner"}


@given(seed=st.integers(0, 2**32), players=st.integers(2, 5), chosen=options)
def test_what_is_shown_can_be_given_back(seed, players, chosen):
    """At the start of a turn the scenario's keys say everything."""
    state, rules = start(variant={"players": players}, options=chosen)
    shown = [
        view(state[0], rules)
        for _, outcomes in playout(state, rules, seed, 40)
        if outcomes and state[0].stage == ROLL_EVENT
    ]
    again, _ = start(shown[-1], variant={"players": players}, options=chosen)
    assert view(again[0], rules) == shown[-1]
    assert chances(again, rules) == 36


@given(seed=st.integers(0, 2**32), players=st.integers(2, 5), chosen=options)
def test_a_state_expects_itself(seed, players, chosen):
    state, rules = start(variant={"players": players}, options=chosen)
    for _ in playout(state, rules, seed, 10):
        shown = view(state[0], rules)
        assert expectation(state[0], rules, shown, "then") == shown
        for seat in shown["seats"]:
            assert set(seat) <= set(SEAT_KEYS)
        assert str(shown["turn"]) in describe(state[0], rules)


def test_unnamed_artists_are_open_or_in_the_deck():
    table = {"discards": ["nan"], "seats": [{"band": {"guitar": "vic", "fifth": "kay"}}, {"band": {"bass": "gus"}}]}
    with pytest.raises(UsageError, match="gus does not play the bass"):
        start(table)
    table["seats"].pop()
    shown = view(*unpack(start(table)))
    assert shown["display"] == ["mara", "dex", "bix", "ula", "uma", "ugo", "uri", "nik", "filler_guitar_1"]
    assert shown["seats"][0]["band"]["fifth"] == "kay:keyboard"
    assert shown["seats"][0]["conditions"] == "AAAAA"
    assert "gus" in shown["deck"]
    everywhere = [*shown["display"], *shown["deck"], *shown["discards"]]
    everywhere += [name.split(":")[0] for seat in shown["seats"] for name in seat["band"].values()]
    assert len(everywhere) == len(set(everywhere)) == 50


def unpack(pair):
    state, rules = pair
    return state[0], rules


def test_a_named_deck_is_the_whole_deck():
    shown = view(*unpack(start({"deck": ["nik"], "display": ["kay"]})))
    assert (shown["deck"], shown["display"], shown["discards"]) == (["nik"], ["kay"], [])


def test_artists_of_unused_boards_may_stay_in_the_box():
    options = {"unused_board_artists": "box"}
    shown = view(*unpack(start({}, options=options)))
    assert len(shown["deck"]) == 21
    assert "gwen" not in shown["deck"]


def test_boards_and_the_first_player_are_parameters():
    """MM-R036, MM-A64, MM-A65."""
    state, rules = start(variant={"players": 2, "boards": [3, 1], "first_player": 1})
    for text in single_chances(DEAL):
        happen(state, rules, parse_chance(state[0], rules, text))
    shown = view(state[0], rules)
    assert shown["turn"] == 1
    assert [seat["band"]["guitar"] for seat in shown["seats"]] == ["gwen", "gus"]


def test_a_finished_game_can_be_given():
    state, rules = start({"step": "over", "winner": 1})
    assert view(state[0], rules)["winner"] == 1
    assert not len(legal(state, rules))
    assert "seat 1 has won" in describe(state[0], rules)


def test_fame_of_a_given_has_a_source():
    """MM-R126: the fame by source adds up to the fame."""
    state, _ = start({"seats": [{"fame": 40}]})
    assert state[0].seat[0].fame_by.sum() == 40


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({"tern": 1}, "did you mean 'turn'"),
        ({"turn": 2}, "turn = 2: seats are 0 to 1"),
        ({"turn": "first"}, "whole number"),
        ({"step": "evnt"}, "did you mean 'event'"),
        ({"step": "set_up"}, "unknown step 'set_up'"),
        ({"winner": 0}, "only with step = 'over'"),
        ({"step": "over", "winner": 4}, "seats are 0 to 1"),
        ({"seats": [{}, {}, {}]}, "3 seats, but variant.players is 2"),
        ({"seats": 3}, "expected a list"),
        ({"seats": [3]}, r"seats\[0\]: expected a table"),
        ({"seats": [{"mony": 3}]}, "did you mean 'money'"),
        ({"seats": [{"money": -3}]}, "at least 0"),
        ({"seats": [{"fame": True}]}, "whole number"),
        ({"seats": [{"conditions": "AAX"}]}, "a letter an artist"),
        ({"seats": [{"conditions": "AAAAA"}]}, "the band has 4 artists"),
        ({"seats": [{"levels": {"performing": 1}}]}, "did you mean 'performance'"),
        ({"seats": [{"levels": {"recording": 4}}]}, "levels are 0 to 3"),
        ({"seats": [{"tokens": "PX"}]}, "letters of active tokens"),
        ({"seats": [{"tokens": "PP"}]}, "letters of active tokens"),
        ({"seats": [{"company": "hmrek"}]}, "did you mean 'hmrec'"),
        ({"seats": [{"company": "hmrec"}, {"company": "hmrec"}]}, "held by two seats"),
        ({"seats": [{"company": "hmrec"}], "companies": ["hmrec"]}, "named twice"),
        ({"seats": [{"band": {"gitar": "vic"}}]}, "did you mean 'guitar'"),
        ({"seats": [{"band": {"guitar": "gil"}}]}, "stands at"),
        ({"seats": [{"band": {"guitar": "uma"}}]}, "uma does not play the guitar"),
        ({"seats": [{"band": {"guitar": "vic:bass"}}]}, "nobody plays the bass there"),
        ({"seats": [{"band": {"fifth": "vic:guitar"}}]}, "unknown instrument of the fifth position"),
        ({"seats": [{"band": {"fifth": "uma"}}]}, "uma does not play the keyboard"),
        ({"display": ["kay", "kay"]}, "stands at"),
        ({"display": ["kay"], "discards": ["kay"]}, "stands at"),
        ({"deck": ["nikk"]}, "did you mean 'nik'"),
        ({"discards": "nik"}, "expected a list"),
    ],
)
def test_a_wrong_given_is_refused_with_the_right_word(table, says):
    with pytest.raises(UsageError, match=says):
        start(table)


@pytest.mark.parametrize(
    ("then", "says"),
    [
        ({"monney": 1}, "unknown key 'monney'"),
        ({"step": "chioce"}, "did you mean 'choice'"),
        ({"display": ["kayy"]}, "did you mean 'kay'"),
        ({"companies": ["hrek"]}, "unknown company"),
        ({"turn": "one"}, "whole number"),
        ({"seats": [{"conditions": "ATXA"}]}, "a letter an artist"),
        ({"seats": [{"band": {"guitar": "guss"}}]}, "did you mean 'gus'"),
        ({"seats": [{}, {}, {}]}, "3 seats, but 2 play"),
    ],
)
def test_a_wrong_expectation_is_refused_with_the_right_word(then, says):
    state, rules = start({})
    with pytest.raises(UsageError, match=says):
        expectation(state[0], rules, then, "then")


def test_expectations_are_written_as_they_are_shown():
    state, rules = start({"seats": [{"band": {"fifth": "vic:v_guitar"}}]})
    then = {
        "winner": "none",
        "seats": [
            {"tokens": "arp", "conditions": "aaaaa", "company": "none", "band": {"fifth": "Vic", "bass": "bob:bass"}}
        ],
    }
    assert expectation(state[0], rules, then, "then") == {
        "seats": [{"tokens": "PRA", "conditions": "AAAAA", "band": {"fifth": "vic:v_guitar", "bass": "bob"}}]
    }


def test_money_above_the_cap_cannot_be_given():
    with pytest.raises(UsageError, match="at most 99"):
        start({"seats": [{"money": 100}]}, options={"money_cap": "99"})


def test_the_text_of_a_position_says_what_is_asked():
    state, rules = start({"step": "action", "seats": [{"levels": {"performance": 2, "advertising": 1}}]})
    assert "waiting" not in describe(state[0], rules)
    _play(state, rules, "perform", "roll 2111")
    assert "seat 0 is asked: the performance dice show 1112" in describe(state[0], rules)
    _play(state, rules, "skip", "place 2111")
    assert "seat 0's fame changes by +5 for hits" in describe(state[0], rules)
    _play(state, rules, "skip", "beers")
    assert "waiting for 'beers' with 2 dice" in describe(state[0], rules)
    _play(state, rules, "beers 12")
    assert "gus's beers dice show 12" in describe(state[0], rules)


def test_the_text_of_an_event_roll_shows_its_shift():
    state, rules = start({})
    _play(state, rules, "event 23", "shift +1")
    assert "the event dice show 23, shifted by +1" in describe(state[0], rules)


def _play(state, rules, *texts):
    from tests.metalmania.test_notation import play

    play(state, rules, *texts)


def test_the_fixture_beside_the_scenarios_is_the_handed_one():
    folder = Path(__file__).parent.parent / "scenarios"
    own, handed = (folder / name / "metalmania-fixture.json" for name in ("metalmania", "handed"))
    assert own.read_text(encoding="utf-8") == handed.read_text(encoding="utf-8")
