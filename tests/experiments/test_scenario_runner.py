"""The scenario runner itself: what does not hold fails, what nobody knows is an error."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from experiments.scenario import main, run_file, run_scenario
from simcore.errors import UsageError

TURN = {
    "round": 2,
    "turn": 0,
    "seats": [{"band": "rebeldogs", "grana": 1, "fans": 2, "pool": "CSIH"}, {"band": "epic_gods"}],
}


def scenario(*steps: dict[str, Any], **keys: Any) -> dict[str, Any]:
    base = {"id": "x", "game": "overdrive", "variant": {"players": 2}, "given": TURN}
    return {**base, "step": list(steps), **keys}


def test_a_plain_dict_runs():
    result = run_scenario(
        scenario(
            {"do": "allocate appearance ICS", "then": {"spaces": {"appearance": ["0:SCI"]}}},
            {"do": "end", "chance": "roll HCSS", "then": {"turn": 1}},
            then={"seats": [{"fans": 3}]},
        )
    )
    assert result.ok
    assert str(result).startswith("ok")


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ({"do": "allocate appearance SIH"}, "not legal"),
        ({"do": "end", "seat": 1, "chance": "roll HHHH"}, "seat 1 was to be asked, found seat 0"),
        ({"illegal": "end"}, "'end' was to be illegal"),
        ({"illegal": ["allocate appearance SIH", "allocate resources H"]}, "'allocate resources H' was to be illegal"),
        ({"legal": ["end", "buy die"]}, "'buy die' was to be legal; seat 0 may"),
        ({"only": {"verb": "allocate resources", "are": ["allocate resources S"]}}, "found also"),
        ({"only": {"verb": "reroll", "are": ["reroll SS"]}}, "'reroll SS' was to be legal"),
        ({"only": {"verb": "set", "are": ["end"]}}, "'end' was to be legal"),
        ({"do": "reroll S"}, "which the step does not supply"),
        ({"do": "reroll S", "chance": ["roll H", "roll S"]}, "chance left unused: 'roll S'"),
        ({"do": "reroll S", "chance": "roll HH"}, "'roll' with 1 dice"),
        ({"chance": "roll HHHH"}, "no chance is asked for"),
        ({"then": {"seats": [{"fans": 3}]}}, r"seats\[0\].fans: expected 3, found 2"),
        ({"then": {"seats": [{}, {}, {}]}}, "expected"),
        ({"then": {"order": [1, 0]}}, "order"),
        ({"then": {"table": {"awards": ["bronze"]}}}, "table.awards"),
        ({"then": {"seats": [{"pool": "CSI"}]}}, "pool: expected 'SCI', found 'HSCI'"),
        ({"then": {"spaces": {"appearance": ["0:CSS"]}}}, "spaces.appearance"),
        ({"then": {"seats": [{"hand": [7]}]}}, "hand"),
        ({"then": {"scores": [{"total": 1}]}}, "scores: expected .* found nothing"),
        ({"do": "end", "chance": "roll HHHH", "then": {"turn": 0}}, "turn: expected 0, found 1"),
    ],
)
def test_wrong_expectations_fail(step: dict[str, Any], message: str):
    result = run_scenario(scenario(step))
    assert not result.ok
    assert result.step == 1
    assert re.search(message, result.message), result.message
    assert str(result).startswith("FAIL  x, step 1: ")


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"then": {"seats": [{"fan": 3}]}}, "fans"),
        ({"then": {"rond": 3}}, "round"),
        ({"then": {"spaces": {"apearance": []}}}, "appearance"),
        ({"then": {"spaces": {"appearance": ["CSI"]}}}, "SEAT:DICE"),
        ({"then": {"seats": [{"pool": "CSX"}]}}, "not a face"),
        ({"then": {"seats": [{"band": "rebelcats"}]}}, "rebeldogs"),
        ({"then": {"seats": [{"award": "golden"}]}}, "gold"),
        ({"then": {"phase": "atacks"}}, "attacks"),
        ({"then": {"table": {"hits": ["mini_lovers"]}}}, "mini_lover"),
        ({"then": {"piles": {"discards": []}}}, "discard"),
        ({"then": {"scores": [{"totl": 3}]}}, "total"),
        ({"stpe": []}, "step"),
        ({"game": "overdriv"}, "overdrive"),
        ({"variant": {"players": 2, "mod": "solo"}}, "mode"),
        ({"variant": {"players": 9}}, "players"),
        ({"options": {"abillity_limit": "turn"}}, "ability_limit"),
        ({"options": {"ability_limit": "turns"}}, "turn"),
        ({"data": {"hits.back_in_bx.price": 4}}, "back_in_box"),
        ({"given": {"rond": 1}}, "round"),
        ({"given": {"seats": [{"band": "rebelcats"}]}}, "rebeldogs"),
        ({"given": {"seats": [{"bnd": "rebeldogs"}]}}, "band"),
        ({"given": {"turn": 2}}, "0 to 1"),
        ({"given": {"order": [0, 0]}}, "every seat"),
        ({"given": {"round": 9}}, "1 to 8"),
        ({"given": {"phase": "alocation"}}, "allocation"),
        ({"given": {"seats": [{}, {}, {}]}}, "2 are in play"),
        ({"given": {"seats": [{"fans": -1}]}}, "fans"),
        ({"given": {"seats": [{"fans": "3"}]}}, "fans"),
        ({"given": {"seats": [{"pool": "CCSIH"}]}}, "5 dice are named, but the seat owns 4"),
        ({"given": {"seats": [{"pool": "CCS"}], "spaces": {"interview": ["0:IS"]}}}, "5 dice are named"),
        ({"given": {"seats": [{"pool": "CC", "shielded": "S"}]}}, "part of the pool"),
        ({"given": {"seats": [{"extra_dice": 3}]}}, "extra_dice"),
        ({"given": {"table": {"distortions": ["1:I"]}}}, "no copy of 1:I"),
        ({"given": {"table": {"distortions": [1, 1]}, "seats": [{"hand": [1, 1]}]}}, "no copy of 1"),
        ({"given": {"table": {"hits": ["day_filler"]}, "seats": [{"hits": ["day_filler cancel S"]}]}}, "lies already"),
        ({"given": {"seats": [{"hits": ["day_filler cancel C"]}]}}, "no space C"),
        ({"given": {"seats": [{"award": "gold"}, {"award": "gold"}]}}, "held by another"),
        ({"given": {"spaces": {"hit:day_filler": ["0:S"]}}}, "neither on the table"),
        ({"given": {"spaces": {"interview": ["0:I", "1:I"]}}}, "allowed: 1"),
        ({"given": {"spaces": {"viking_stage": ["0:SS"]}}}, "no Viking stage"),
        ({"given": {"seats": [{"copies": {"a": "tnshe"}}]}}, "only cover_bots"),
        ({"given": {"seats": [{"locked": ["C@0"]}]}}, "not a die of another seat"),
        ({"given": {"scores": []}}, "unknown key 'scores'"),
    ],
)
def test_unknown_words_and_impossible_states_are_errors(keys: dict[str, Any], message: str):
    with pytest.raises(UsageError) as error:
        run_scenario(scenario(**keys))
    assert message in str(error.value)
    assert str(error.value).startswith("x")


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ({"doo": "end"}, "do"),
        ({"seat": 1}, "nothing to do"),
        ({"do": ["end"]}, "one action"),
        ({"do": "end", "seat": "1"}, "a number"),
        ({"illegal": 3}, "a text or a list"),
        ({"only": {"verb": "atack", "are": []}}, "attack"),
        ({"only": {"are": []}}, "verb is missing"),
        ({"only": {"verb": "attack", "is": []}}, "are"),
        ({"do": "alocate resources S"}, "allocate"),
        ({"illegal": "allocate resorces S"}, "resources"),
        ({"legal": "claim golden"}, "gold"),
        ({"do": "end", "chance": "rol HHHH"}, "roll"),
        ({"do": "end", "chance": "roll HHHX"}, "not a face"),
    ],
)
def test_malformed_steps_are_errors(step: dict[str, Any], message: str):
    with pytest.raises(UsageError) as error:
        run_scenario(scenario(step))
    assert message in str(error.value)
    assert "step 1" in str(error.value)


def test_missing_keys_are_errors():
    with pytest.raises(UsageError, match="id is missing"):
        run_scenario({"game": "overdrive"})
    with pytest.raises(UsageError, match="game is missing"):
        run_scenario({"id": "x"})


def test_forced_end_is_taken_unless_named():
    given = {"turn": 0, "seats": [{"band": "tnshe", "pool": "CSS"}, {"band": "rebeldogs"}]}
    taken = scenario({"do": "allocate appearance CSS", "then": {"turn": 1}}, given=given)
    named = scenario(
        {"do": "allocate appearance CSS", "then": {"turn": 0}}, {"do": "end", "then": {"turn": 1}}, given=given
    )
    listed = scenario({"do": "allocate appearance CSS", "then": {"turn": 0}}, {"legal": "end"}, given=given)
    for case in (taken, named, listed):
        assert run_scenario(case).ok


def test_a_forced_decision_before_the_first_step_is_taken():
    given = {"turn": 0, "seats": [{"band": "tnshe"}, {"band": "rebeldogs"}]}
    assert run_scenario(scenario({"chance": "roll SSCC", "then": {"turn": 1}}, given=given)).ok


def test_a_new_game_needs_its_set_up_chance():
    case = {"id": "x", "game": "overdrive", "variant": {"players": 2, "bands": ["tnshe", "rebeldogs"]}}
    assert not run_scenario({**case, "step": [{"chance": "hit mini_lover"}]}).ok
    wrong = run_scenario({**case, "step": [{"chance": "distortion 1"}]})
    assert not wrong.ok
    assert "'hit NAME'" in wrong.message


FILE = """
[[scenario]]
id = "good"
game = "overdrive"
variant = {players = 2}
given = {turn = 0, seats = [{band = "tnshe", pool = "S"}, {band = "rebeldogs"}]}
then = {turn = 0}

[[scenario]]
id = "bad"
title = "a wrong one"
game = "overdrive"
variant = {players = 2}
given = {turn = 0, seats = [{band = "tnshe", pool = "S"}, {band = "rebeldogs"}]}
then = {turn = 1}
"""


def test_main_prints_a_line_each_and_exits_by_the_worst(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "some.toml"
    path.write_text(FILE)
    assert [result.ok for result in run_file(path)] == [True, False]
    assert main([path]) == 1
    out = capsys.readouterr().out.splitlines()
    assert re.match(r"ok .*some\.toml: good", out[0])
    assert re.match(r"FAIL .*some\.toml: bad: turn: expected 1, found 0", out[1])
    assert out[2] == "1 of 2 scenarios hold"
    path.write_text(FILE.split('[[scenario]]\nid = "bad"', maxsplit=1)[0])
    assert main([path]) == 0


def test_main_exits_with_2_for_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for name, content, message in (
        ("broken.toml", "[[scenario]", "no valid TOML"),
        ("empty.toml", "", "no [[scenario]]"),
        ("twice.toml", FILE.replace('"bad"', '"good"'), "used twice"),
        ("other.toml", 'title = "x"', "unknown key 'title'"),
        ("words.toml", FILE.replace("turn = 1", "trun = 1"), "turn"),
    ):
        path = tmp_path / name
        path.write_text(content)
        assert main([path]) == 2
        assert message in capsys.readouterr().err
    assert main([tmp_path / "absent.toml"]) == 2
