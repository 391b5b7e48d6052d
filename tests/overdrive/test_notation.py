"""The notation is one to one: every legal action and every chance outcome has a text that leads back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overdrive_sim.game import OVERDRIVE
from overdrive_sim.kernels.dice import throw
from simcore.errors import Ambiguous, UsageError
from simcore.position import Position

BANDS = OVERDRIVE.entrants(OVERDRIVE.rules())
RULES = {
    "printed": OVERDRIVE.rules(),
    "alternatives": OVERDRIVE.rules(
        {
            "options.void_allocation": "legal",
            "options.card5": "each_free",
            "options.protect_card": "reaction",
            "options.tnshe_faces": "set_face",
            "options.cover_choice": "each_round",
            "options.returned_dice": "reusable",
            "options.coop_attacks": "any",
            "options.metallum_tie": "human",
            "options.metallum_cancel": "human",
            "options.jam_die": "stays",
        }
    ),
}
MODES = [("standard", 2), ("standard", 3), ("standard", 4), ("solo", 1), ("coop", 2), ("coop", 3)]


@st.composite
def variants(draw: Any) -> dict[str, Any]:
    mode, players = draw(st.sampled_from(MODES))
    allowed = [band for band in BANDS if mode == "standard" or band != "cover_bots"]
    bands = draw(st.permutations(allowed))[:players]
    variant: dict[str, Any] = {"players": players, "mode": mode, "bands": bands}
    return variant if mode == "standard" else {**variant, "difficulty": draw(st.sampled_from(["poser", "metalgeddon"]))}


def rich(position: Position, luck: np.random.Generator) -> None:
    """Give the seats levels, Grana and cards, so that play meets every kind of action."""
    row = position.state[0]
    for seat in range(int(row.seats)):
        me = row.seat[seat]
        for track in ("fans", "fame", "grana", "overdrive"):
            me[track] += int(luck.integers(0, 8))
        for card in luck.permutation(32)[:6]:
            if int(row.pile) >> int(card) & 1:
                row.pile ^= 1 << int(card)
                me.hand |= 1 << int(card)


def chance_leads_back(position: Position, outcome: int) -> None:
    """The text of an outcome means an outcome that leads to the same state."""
    text = position.chance_text(outcome)
    smallest = position.game.parse_chance(position.state[0], position.rules, text)
    assert smallest <= outcome
    assert position.game.format_chance(position.state[0], position.rules, smallest) == text
    one, other = position.copy(), position.copy()
    one.chance(outcome)
    other.chance(smallest)
    assert one.view() == other.view()


def actions_lead_back(position: Position, legal: np.ndarray) -> None:
    """Texts are different, each means its action, and none changes the state."""
    before = position.state.tobytes()
    texts = [position.text(action) for action in legal]
    assert len(set(texts)) == len(texts)
    for action, text in zip(legal, texts, strict=True):
        assert OVERDRIVE.parse_action(position.state[0], position.rules, text, legal) == action
        assert text.split()[0] in OVERDRIVE.verbs
    assert position.state.tobytes() == before


@pytest.mark.quick
@settings(max_examples=12)
@given(variants(), st.sampled_from(sorted(RULES)), st.integers(0, 2**32 - 1))
def test_texts_lead_back(variant: dict[str, Any], which: str, seed: int):
    luck = np.random.default_rng(seed)
    position = Position.new(OVERDRIVE, variant, RULES[which])
    decisions = 0
    while not position.over and decisions < 150:
        n = position.chance_count()
        if n:
            outcome = int(luck.integers(n))
            chance_leads_back(position, outcome)
            position.chance(outcome)
            if decisions == 0 and position.legal().size:
                rich(position, luck)
            continue
        legal = position.legal()
        if len(legal) < 200 or decisions % 10 == 0:
            actions_lead_back(position, legal)
        position.step(int(luck.choice(legal)))
        decisions += 1
        assert position.view(viewer=0).keys() == position.view().keys()


def desk(**given_tables: Any) -> Position:
    """A position of two or three seats from a ``given``."""
    scenario = {"game": "overdrive", "variant": {"players": given_tables.pop("players", 2)}, "given": given_tables}
    scenario["options"] = given_tables.pop("options", {})
    state, rules, _ = OVERDRIVE.given(scenario)
    return Position(OVERDRIVE, state, rules)


def test_tolerant_texts_print_one_canonical_text():
    position = desk(
        players=3,
        turn=0,
        table={"hits": ["mini_lover"], "distortions": ["1:H", "1:S"]},
        spaces={"interview": ["1:ISC"], "viking_stage": ["2:SS"]},
        seats=[
            {"band": "rebeldogs", "grana": 12, "pool": "HHSC", "hand": [4, 9, "7:C"]},
            {"band": "tnshe"},
            {"band": "shirtless_vikings", "overdrive": 3},
        ],
    )
    for text, canonical in {
        "allocate intimidation S clear interview": "allocate opportunity S clear interview",
        "allocate opportunity S clear viking_stage@2": "allocate opportunity S clear viking_stage",
        "allocate rehearsal CHS": "allocate rehearsal HSC",
        "reroll CSHH": "reroll HHSC",
        "play 9 C>I S>I H>S": "play 9 H>I C>I",
        "play 7 S>I C>S": "play 7 C>I",
        "play 7:C C>S S>I": "play 7 C>I",
        "buy distortion 1": "buy distortion 1:S",
        "allocate jam_session S take I@1 interview": "allocate jam_session S take I@1 interview",
        "allocate jam_session S take I interview@1": "allocate jam_session S take I@1 interview",
    }.items():
        assert position.text(position.parse(text)) == canonical


def test_malformed_texts_are_errors_with_a_suggestion():
    position = desk(turn=0, seats=[{"band": "rebeldogs", "pool": "HHSC"}, {"band": "tnshe"}])
    for text, hint in {
        "alocate resources S": "allocate",
        "allocate resorces S": "resources",
        "allocate mini_lover HHH": "hit:mini_lover",
        "allocate resources X": "not a face",
        "allocate resources": "dice is missing",
        "allocate resources S now": "nothing may follow",
        "claim golden": "gold",
        "buy level fan": "fans",
        "play 15": "1 to 14",
        "set S>X": "S>I",
        "copy a rebelcats": "rebeldogs",
        "attack 9 S": "not a seat",
        "": "is missing",
    }.items():
        with pytest.raises(UsageError, match=hint):
            position.find(text)


def test_well_formed_but_impossible_texts_are_none():
    position = desk(turn=0, seats=[{"band": "rebeldogs", "pool": "HHSC"}, {"band": "tnshe"}])
    for text in ("buy level grana", "ability c", "attack 1 S", "play 13 S", "allocate resources +H", "raise none"):
        assert position.find(text) is None


def test_illegal_action_names_the_nearest_legal_text():
    position = desk(turn=0, seats=[{"band": "rebeldogs", "pool": "HHSC"}, {"band": "tnshe"}])
    with pytest.raises(UsageError, match="'allocate rehearsal HHS'"):
        position.play("allocate rehearsal HHHS")
    with pytest.raises(UsageError, match="not legal"):
        position.step(1)
    with pytest.raises(UsageError, match="no chance"):
        position.chance(0)


def test_an_open_text_is_ambiguous_unless_one_action_is_left():
    position = desk(
        turn=0, seats=[{"band": "rebeldogs", "overdrive": 1, "pool": "HSC", "hand": [12]}, {"band": "tnshe"}]
    )
    assert position.text(position.parse("play 12")) == "play 12 H>I"
    assert position.text(position.parse("ability a")) == "ability a S>H"
    with pytest.raises(Ambiguous, match="S H>I"):
        position.parse("allocate improvisation S")


def shielded(pool: str, protected: str, **keys: Any) -> Position:
    seats = [
        {"band": "tnshe", "fame": 5, "pool": pool, "shielded": protected, **keys},
        {"band": "rebeldogs", "pool": "SC"},
    ]
    return desk(round=3, phase="attacks", turn=0, seats=seats)


@pytest.mark.parametrize(
    ("text", "canonical", "pool", "protected"),
    [
        ("set S>I", "set S>I", "SCI", "S"),
        ("set S!>I", "set S!>I", "SCI", "I"),
        ("set C>I", "set C>I", "SSI", "S"),
        ("play 7 S>I S>I", "play 7 S>I S!>I", "CII", "I"),
        ("play 7 S!>I S>H", "play 7 S>H S!>I", "HCI", "I"),
        ("play 8", "play 8", "CCC", "C"),
    ],
)
def test_marks_tell_the_shielded_die(text: str, canonical: str, pool: str, protected: str):
    position = shielded("SSC", "S", grana=9, hand=[7, 8])
    assert position.text(position.parse(text)) == canonical
    position.play(text)
    found = position.view()["seats"][0]
    assert (found["pool"], found["shielded"]) == (pool, protected)


def test_a_lone_shielded_die_needs_no_mark():
    position = shielded("SC", "S", grana=9)
    assert position.parse("set S>I") == position.parse("set S!>I")
    assert position.text(position.parse("set S!>I")) == "set S>I"


def test_a_mixed_reroll_marks_what_the_shielded_die_shows():
    position = shielded("SSC", "S", grana=9)
    assert position.text(position.parse("reroll S!S")) == "reroll SS"
    assert position.parse("reroll S") != position.parse("reroll S!")
    position.play("reroll SS")
    texts = {position.chance_text(outcome) for outcome in range(36)}
    assert {"roll H!I", "roll HI!", "roll CC!"} <= texts
    with pytest.raises(UsageError, match="1 of the dice"):
        position.chance("roll H!I!")
    position.chance("roll IH!")
    seat = position.view()["seats"][0]
    assert (seat["pool"], seat["shielded"]) == ("HCI", "H")


def test_the_smallest_outcome_is_meant():
    position = desk(turn=0, seats=[{"band": "tnshe", "grana": 3, "pool": "SSC"}, {"band": "rebeldogs"}])
    position.play("reroll SS")
    outcomes = {
        text: position.game.parse_chance(position.state[0], position.rules, text) for text in ("roll SC", "roll CS")
    }
    assert outcomes["roll SC"] == outcomes["roll CS"]
    same = [o for o in range(36) if throw(o, 2) == throw(outcomes["roll SC"], 2)]
    assert min(same) == outcomes["roll SC"]
    with pytest.raises(UsageError, match="2 dice"):
        position.chance("roll SSC")
    with pytest.raises(UsageError, match="'roll' with 2 dice"):
        position.chance("hit mini_lover")
