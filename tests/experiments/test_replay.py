"""``soundcheck replay``: one game as a page that needs nothing beside it; its numbers are those of other commands."""

import base64
import dataclasses
import hashlib
import html
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from agents.mcts.leaf import FEATURES, MODEL, features_signature, shares_of
from experiments import balance
from experiments.cli import main
from experiments.plan import Plan, as_text, prepare
from experiments.replay.course import Values, course
from experiments.replay.page import embedded, page_data, presenter_of, render, write_replay
from simcore import registry
from simcore.errors import UsageError
from simcore.kernel import compiled, kernel, record
from simcore.protocol import MAX_SEATS
from tests.experiments.conftest import toy_plan

FEW = Values("mcts:iterations=16", 3)


@kernel
def _judge(model, cell):
    """As a search asks: for shares that lie in a record."""
    shares_of(model, cell.shares)


def plan(game, players, agents=("greedy",), **variant):
    return prepare(Plan(game=game, players=players, agents=agents, variant=as_text(variant)))


def played(prepared, number=0, values=None):
    return course(prepared, presenter_of(prepared.game), number, None, values)


def embedded_data(text):
    """What the script of a page reads."""
    return json.loads(re.search(r'<script type="application/json" id="game">(.*?)</script>', text, re.S).group(1))


@pytest.fixture(scope="module")
def overdrive():
    prepared = plan("overdrive", 4)
    found = played(prepared, values=FEW)
    return prepared, found, page_data(prepared, found, FEW)


VARIANTS = [
    ("overdrive", 3, {"speed_metal": True, "hall_of_fame": True, "free_falling": True}),
    ("overdrive", 1, {"mode": "solo", "difficulty": "hardcore"}),
    ("overdrive", 2, {"mode": "coop", "difficulty": "poser"}),
    ("metalmania", 2, {}),
    ("metalmania", 5, {}),
]


@pytest.mark.parametrize(("game", "players", "variant"), VARIANTS)
def test_every_kind_of_game_can_be_written(game, players, variant):
    prepared = plan(game, players, **variant)
    found = played(prepared)
    data = page_data(prepared, found, None)
    steps = len(found.steps)
    assert len(data["positions"]) == len(data["scores"]) == len(data["turnOf"]) == len(data["movers"]) == steps + 1
    numbered = [k for turn in data["turns"] for k in turn["steps"]]
    assert numbered == list(range(1, steps + 1)), "every step is in one turn, in order"
    assert [data["turnOf"][k] for k in numbered] == [t for t, turn in enumerate(data["turns"]) for _ in turn["steps"]]
    assert data["scores"][-1] == found.seats["score"].tolist()
    assert data["scores"][0] != data["scores"][-1]
    text = render(prepared, found, 0, None)
    assert len(text) < 1_000_000
    assert embedded_data(text) == json.loads(json.dumps(data))
    sides = data["chances"]["sides"]
    assert sorted(seat for side in sides for seat in side) == list(range(prepared.seats))
    assert len(sides) == (2 if "mode" in variant else players)
    for row in data["chances"]["rows"]:
        assert row == [None] * len(sides) or sum(row) == pytest.approx(1, abs=0.001)
    ends = [sum(found.seats["win_share"][seat] for seat in side) for side in sides]
    assert data["chances"]["rows"][-1] == pytest.approx(ends, abs=0.001)


def test_steps_are_the_events_that_play_prints(overdrive, capsys):
    _, found, data = overdrive
    assert main(["play", "overdrive"]) == 0
    printed = capsys.readouterr().out.splitlines()
    told = [line.removesuffix("(forced)").strip() for line in printed if re.match(r"^ {12}\w|^  seat \d {4}", line)]
    told = [re.sub(r"^seat \d +|\s+\(of \d+\)$", "", line) for line in told]
    assert [step[2] for step in data["steps"]] == told
    assert [step.seat for step in found.steps] == [step[1] for step in data["steps"]]


def test_asking_the_leaf_model_leaves_its_kernel_open_for_searches(overdrive):
    assert overdrive[1].chances is not None, "the model was asked"
    model = np.zeros(1, MODEL)
    cell = np.zeros(1, record([("shares", np.float64, (MAX_SEATS,))]))
    _judge(model[0], cell[0])
    assert np.isfinite(cell["shares"]).all()


def test_chances_are_those_of_the_leaf_model_where_another_seat_begins_to_decide(overdrive):
    prepared, found, _ = overdrive
    leaf = registry.leaf(prepared.game)
    seen = np.zeros(1, FEATURES)
    assert not found.chances.is_searched
    asked, before = 0, -1
    for k, mover in enumerate(found.movers[:-1]):
        if mover >= 0 and mover != before:
            before, asked = mover, asked + 1
            compiled(leaf.features, features_signature(prepared.game.engine))(
                found.states[k][0], prepared.rules.packed[0], seen[0]
            )
            one = seen[0]
            worth = np.exp(one["number"][:4] @ leaf.weights[int(one["table"]), int(one["stage"])])
            assert found.chances.shares[k] == pytest.approx(worth / worth.sum())
    assert asked > 20
    assert np.isnan(found.chances.shares[0]).all(), "nothing is said before the first decision"


def test_solo_games_are_valued_by_the_model():
    prepared = plan("overdrive", 1, mode="solo", difficulty="brutal")
    found = played(prepared)
    assert not found.chances.is_searched
    assert found.chances.sides == (0, 1)
    assert len(np.unique(found.chances.shares[~np.isnan(found.chances.shares[:, 0]), 0])) > 5
    assert "fitted on games of the greedy agent" in render(prepared, found, 0, None)


def test_where_the_model_knows_nothing_a_search_is_asked(monkeypatch):
    """A model without weights after the first stage."""
    prepared = plan("overdrive", 1, mode="solo", difficulty="brutal")
    leaf = registry.leaf(prepared.game)
    weights = leaf.weights.copy()
    weights[:, 1:] = 0.0
    monkeypatch.setattr(registry, "leaf", lambda _: dataclasses.replace(leaf, weights=weights))
    found = played(prepared)
    assert found.chances.is_searched
    assert found.chances.sides == (0, 1)
    assert len(np.unique(found.chances.shares[~np.isnan(found.chances.shares[:, 0]), 0])) > 3
    assert "there is no model of every stage" in render(prepared, found, 0, None)


def test_options_are_valued_as_explain_values_them(overdrive, capsys):
    _, found, data = overdrive
    decision = 11
    step = next(step for step in found.steps if step.decision == decision)
    assert main(["explain", "overdrive", "--decision", str(decision), "--agent", FEW.agent, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    rows, left = data["options"][str(found.steps.index(step) + 1)]
    assert len(rows) + left == step.options == len(told["options"])
    by_text = {one["action"]: one for one in told["options"]}
    for text, visits, share, order, is_played, is_chosen in rows:
        one = by_text[text]
        assert (visits, order, is_played, is_chosen) == (one["visits"], one["prior"], one["played"], one["chosen"])
        assert share is None if not visits else share == pytest.approx(one["shares"][step.seat], abs=1e-4)
    assert [row[0] for row in rows[:3]] == [one["action"] for one in told["options"][:3]]


def test_every_decision_names_what_was_played(overdrive):
    _, found, data = overdrive
    decisions = [k for k, step in enumerate(found.steps, 1) if step.kind == "choice"]
    assert {int(k) for k in data["options"]} == set(decisions)
    for k in decisions:
        rows, _ = data["options"][str(k)]
        assert [row[0] for row in rows if row[4]] == [found.steps[k - 1].text]
        assert sum(row[5] for row in rows) == 1
        assert len(rows) <= FEW.most + 2
        assert [row[1] for row in rows] == sorted((row[1] for row in rows), reverse=True)


def test_the_page_is_closed_to_the_outside_and_to_its_data(overdrive):
    prepared, found, _ = overdrive
    text = render(prepared, found, 0, FEW)
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1))
    assert "default-src 'none'" in policy
    scripts = re.findall(r"<script>(.*?)</script>", text, re.S)
    assert len(scripts) == 1
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert not re.findall(r"(?:src|href)=\"(?!#)", text)
    assert set(re.findall(r"https?://[^\s\"']+", text)) == {"http://www.w3.org/2000/svg"}
    evil = "</script><script>alert(1)</script>\u2028"
    assert "<" not in embedded(evil)
    assert json.loads(embedded({"name": evil})) == {"name": evil}
    assert text.count("<li value=") == len(found.steps), "every step stands in the page without a script"


def test_equal_games_give_equal_bytes(tmp_path):
    prepared = plan("metalmania", 2)
    one, other = tmp_path / "a.html", tmp_path / "deeper" / "b.html"
    for file in (one, other):
        write_replay(prepared, 1, file, values=None)
    assert one.read_bytes() == other.read_bytes()
    assert "game 1" in one.read_text()
    with pytest.raises(UsageError, match="is a folder"):
        write_replay(prepared, 1, tmp_path, values=None)


def test_a_game_of_anybodys_can_be_stepped_through(tmp_path):
    write_replay(toy_plan(), 2, tmp_path / "game.html", values=None)
    text = (tmp_path / "game.html").read_text()
    data = embedded_data(text)
    assert data["chances"] is None
    assert data["options"] == {}
    assert "chance to win" not in text
    assert len(data["positions"]) == len(data["steps"]) + 1


# ------------------------------------------------------------------ the command
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "name either a game (soundcheck replay overdrive) or a stored run"),
        (("overdrive", "--options", "some"), "'some' is not a number of options"),
        (("overdrive", "--agent", "greedy"), "only a tree search can be explained"),
        (("overdrive", "--game", "-1"), "-1 is too small"),
        (("overdriv",), "did you mean 'overdrive'?"),
        (("--run", "x", "--played-by", "random"), "--played-by cannot be changed for a game of a stored run"),
        (("--run", "x", "--variant", "mode=solo"), "--variant cannot be changed for a game of a stored run"),
    ],
)
def test_what_cannot_be_shown_is_refused(capsys, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    assert main(["replay", *arguments, "--quiet"]) == 2
    assert words in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_game_of_a_run_is_the_stored_one(tmp_path, capsys):
    prepared, folder = toy_plan(designs=10), tmp_path / "run"
    store = balance.open_store(prepared, folder)
    balance.play_run(prepared, store, 1)
    store.close()
    assert main(["replay", "--run", str(folder), "--game", "77", "--options", "off"]) == 0
    told = capsys.readouterr()
    said = told.out.strip()
    assert "the stored rows of this game say the same" in told.err
    assert said == str(folder / "replays" / "game-77.html")
    data = embedded_data(Path(said).read_text())
    stored = pd.read_parquet(folder / "seats.parquet").query("game == 77")
    assert data["scores"][-1] == stored.sort_values("seat")["score"].tolist()
    assert main(["replay", "--run", str(folder), "--game", "99999"]) == 2
    assert f"is not in {folder} (allowed: 0 to" in capsys.readouterr().err
