"""Metal Mania's texts: one for each action and outcome, read back as what they say."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metalmania_sim.notation import (
    VERBS,
    declines,
    format_action,
    format_chance,
    may_wait,
    parse_action,
    parse_chance,
    single_chances,
)
from simcore.errors import Ambiguous, UsageError
from tests.metalmania.tables import chances, do, happen, legal, options, playout, start

pytestmark = pytest.mark.quick


def read(state: Any, rules: Any, text: str) -> int | None:
    return parse_action(state[0], rules, text, legal(state, rules))


def play(state: Any, rules: Any, *texts: str) -> None:
    """Actions and chance outcomes, as the position asks for them."""
    for text in texts:
        if chances(state, rules):
            happen(state, rules, parse_chance(state[0], rules, text))
        else:
            action = read(state, rules, text)
            assert action is not None, text
            do(state, rules, action)


def offered(state: Any, rules: Any) -> list[str]:
    return [format_action(state[0], rules, action) for action in legal(state, rules)]


def shuffled(text: str, random: Random) -> str:
    """The same action with its names or dice in another order."""
    verb, *rest = text.split()
    if verb == "unpaid":
        random.shuffle(rest)
    elif text.startswith("use recording") and "[" not in rest[1] and "*" not in rest[1]:
        rest[1] = "".join(random.sample(rest[1], len(rest[1])))
    return "  ".join([verb.upper(), *rest])


@given(seed=st.integers(0, 2**32), players=st.integers(2, 5), chosen=options)
def test_every_action_and_outcome_has_one_text_that_means_it(seed, players, chosen):
    state, rules = start(variant={"players": players}, options=chosen)
    random = Random(seed)
    for ids, outcomes in playout(state, rules, seed, 40):
        texts = [format_action(state[0], rules, action) for action in ids]
        assert len(set(texts)) == len(texts)
        for action, text in zip(ids, texts, strict=True):
            assert text.split()[0] in VERBS
            assert parse_action(state[0], rules, text, ids) == action
            assert parse_action(state[0], rules, shuffled(text, random), ids) == action
        if outcomes:
            outcome = random.randrange(outcomes)
            assert parse_chance(state[0], rules, format_chance(state[0], rules, outcome)) == outcome


@given(seed=st.integers(0, 2**32), chosen=options)
def test_texts_of_other_positions_are_illegal_not_malformed(seed, chosen):
    """A canonical text is well formed everywhere: it is legal, or it is read as no legal action."""
    state, rules = start(options=chosen)
    seen: set[str] = set()
    for ids, _ in playout(state, rules, seed, 25):
        seen.update(format_action(state[0], rules, action) for action in ids[:20])
        for text in sorted(seen)[:40]:
            try:
                found = parse_action(state[0], rules, text, ids)
            except Ambiguous:
                continue
            assert found is None or found in ids


BOTH = {"levels": {"performance": 3, "recording": 3, "advertising": 3}}


def test_a_throw_may_be_changed_in_these_words():
    state, rules = start({"step": "action", "seats": [BOTH]})
    play(state, rules, "perform", "roll 6621")
    texts = offered(state, rules)
    assert {"use recording 6", "use recording 66", "use recording 126", "use advertising 1>4", "skip"} <= set(texts)
    assert "use recording 16" in texts
    assert read(state, rules, "use recording 61") == read(state, rules, "use recording 16")
    assert read(state, rules, "use recording 6621") is None
    assert read(state, rules, "use advertising 6>7") is None


def test_dice_on_artists_are_told_apart_by_name_where_they_show_the_same():
    state, rules = start({"step": "action", "seats": [BOTH]}, options={"bonus_window": "after_placement"})
    play(state, rules, "record", "roll 5531", "place 5531")
    texts = offered(state, rules)
    assert "use advertising 5>6 gus" in texts
    assert "use advertising 5>6 mia" in texts
    assert "use advertising 3>4" in texts
    assert "use recording 55" in texts
    assert "use recording 53 mia bob" in texts
    assert read(state, rules, "use recording 35 bob mia") == read(state, rules, "use recording 53 mia bob")
    assert read(state, rules, "use advertising 5>6") == read(state, rules, "use advertising 5>6 gus")
    assert read(state, rules, "use advertising 5>6 bob") is None
    assert read(state, rules, "use advertising 5>6 max") is None


def test_a_die_that_hides_a_natural_six_is_marked():
    state, rules = start(
        {"step": "action", "seats": [{"levels": {"advertising": 1}}]}, options={"judge": "natural_six_fails"}
    )
    play(state, rules, "perform", "roll 6521", "use advertising 6>5")
    texts = offered(state, rules)
    assert "place 5*521" in texts
    assert "place 55*21" in texts
    assert read(state, rules, "place 5*521") != read(state, rules, "place 55*21")


def test_dice_beyond_a_die_stand_in_brackets():
    state, rules = start({"step": "action", "seats": [BOTH]}, options={"die_bounds": "free"})
    play(state, rules, "perform", "roll 1111")
    assert "use advertising 1>[-2]" in offered(state, rules)
    play(state, rules, "use advertising 1>[-2]", "skip")
    assert "place [-2]111" in offered(state, rules)


def test_who_is_not_paid_is_printed_in_position_order():
    state, rules = start({"step": "wages", "seats": [{"money": 2}]})
    assert offered(state, rules)[0] == "unpaid gus mia"
    assert read(state, rules, "unpaid dan gus") == read(state, rules, "unpaid gus dan") is not None
    assert read(state, rules, "unpaid none") is None
    assert read(state, rules, "unpaid gus gil") is None


def test_the_instrument_may_be_left_out_where_one_is_possible():
    state, rules = start({"step": "choice"})
    assert read(state, rules, "audition uma") == read(state, rules, "audition uma microphone") is not None
    assert read(state, rules, "audition nik") is None
    with pytest.raises(Ambiguous, match="guitar, v_guitar"):
        read(state, rules, "audition vic")


def test_an_alias_of_a_printed_name_is_understood():
    state, rules = start({"step": "wages", "seats": [{"money": 3}]}, data_file="house")
    assert read(state, rules, "unpaid david_ellenson") == read(state, rules, "unpaid david_ellefson") is not None


def test_upper_case_and_spaces_do_not_matter():
    state, rules = start({"step": "choice"})
    assert read(state, rules, " AUDITION  Uma   Microphone ") == read(state, rules, "audition uma microphone")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("auditon uma microphone", "did you mean 'audition'"),
        ("audition umma microphone", "did you mean 'uma'"),
        ("audition uma microfone", "did you mean 'microphone'"),
        ("audition", "audition ARTIST INSTRUMENT"),
        ("", "unknown verb"),
        ("shift +2", r"\+1 or -1"),
        ("shift", "shift"),
        ("victim gus", "a number from 0 to 1"),
        ("place 32x1", "no run of dice"),
        ("use performance", "use recording 66"),
        ("use performence +2", "did you mean 'performance'"),
        ("use performance two", "effect on the fame"),
        ("use performance 0", "effect on the fame"),
        ("use advertising 4", "4>3"),
        ("use advertising 44>3", "4>3"),
        ("unpaid", "'none'"),
        ("unpaid gus gus", "named twice"),
        ("company hmrecs", "did you mean 'hmrec'"),
        ("keep it", "'keep'"),
    ],
)
def test_a_malformed_text_is_refused_with_the_right_word(text, says):
    state, rules = start({"step": "choice"})
    with pytest.raises(UsageError, match=says):
        read(state, rules, text)


@pytest.mark.parametrize(
    ("step", "text", "says"),
    [
        ("event", "evnt 23", "did you mean 'event'"),
        ("event", "event 2", "2 dice are thrown, found 1"),
        ("event", "event 27", "1 to 6"),
        ("event", "event", "'event' with 2 dice"),
        ("event", "roll 2345", "'event' with 2 dice"),
        ("action", "roll 2345", "no chance is asked for"),
    ],
)
def test_a_wrong_chance_text_is_refused(step, text, says):
    state, rules = start({"step": step})
    with pytest.raises(UsageError, match=says):
        parse_chance(state[0], rules, text)


def test_only_cards_of_the_deck_can_be_drawn():
    state, rules = start({"step": "choice"})
    play(state, rules, "audition uma microphone")
    assert format_chance(state[0], rules, 0) == "card gwen"
    with pytest.raises(UsageError, match="dex is not in the deck"):
        parse_chance(state[0], rules, "card dex")
    with pytest.raises(UsageError, match="did you mean 'nik'"):
        parse_chance(state[0], rules, "card nike")


def test_a_deal_is_the_cards_it_names():
    assert single_chances("deal kay vic") == ["card kay", "card vic"]
    assert single_chances("card kay") == ["card kay"]


def test_the_roll_of_a_turn_may_wait_and_no_other():
    state, rules = start({"step": "event"})
    assert may_wait(state[0], rules)
    state, rules = start({"step": "choice"})
    play(state, rules, "funds")
    assert not may_wait(state[0], rules)


def test_a_response_may_be_left_out_and_no_other_decision():
    state, rules = start({"step": "action", "seats": [BOTH]})
    assert declines(state[0], rules, legal(state, rules)) is None
    play(state, rules, "perform", "roll 1234")
    declined = declines(state[0], rules, legal(state, rules))
    assert declined == read(state, rules, "skip") is not None


def test_two_who_change_places_are_one_choice_that_either_may_name():
    table = {"step": "action", "seats": [{"band": {"fifth": "rex_voltage:v_guitar"}}]}
    state, rules = start(table, data_file="house", options={"reassign": "own_turn"})
    assert [text for text in offered(state, rules) if text.startswith("assign")] == ["assign kirk_hammer v_guitar"]
    assert read(state, rules, "assign rex_voltage guitar") == read(state, rules, "assign kirk_hammer v_guitar")
    assert read(state, rules, "assign rex_voltage keyboard") is None
    assert read(state, rules, "assign kirk_hammer bass") is None
    assert read(state, rules, "assign tove_stahl guitar") is None
    assert read(state, rules, "assign ragnar_flint guitar") is None
    play(state, rules, "assign rex_voltage guitar")
    assert [text for text in offered(state, rules) if text.startswith("assign")] == ["assign rex_voltage v_guitar"]
