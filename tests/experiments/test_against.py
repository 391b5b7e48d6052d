"""The same games under two rule sets: paired differences, and the command line that asks for them."""

import json
import shutil

import pandas as pd
import pytest

from experiments.against import CHANGED, OPEN, SAME, against
from experiments.balance import open_store, play_run
from experiments.plan import Plan, as_text, prepare
from metalmania_sim.cards import SHIPPED, read
from simcore.errors import UsageError


def stored(folder, game="metalmania", designs=15, agents=("random",), players=2, **changes):
    prepared = prepare(
        Plan(game=game, players=players, agents=agents, designs=designs, overrides=as_text({**changes}))
    )  # fmt: skip
    store = open_store(prepared, folder)
    play_run(prepared, store, 1)
    store.close()
    return folder


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    changes = {
        "now": {},
        "again": {},
        "later": {"options.win_check": "end_of_round"},
        "short": {"options.win_fame": 20},
    }
    return {name: stored(folder / name, **values) for name, values in changes.items()}


def test_differences_are_those_of_the_rows(runs):
    """MM-A59: whole rounds take wins from the first seat and give them to the last."""
    table = against(runs["now"], runs["later"], ["turns"]).set_index(["table", "name"])
    before, after = (pd.read_parquet(runs[name] / "seats.parquet") for name in ("now", "later"))
    for seat in (0, 1):
        row = table.loc["seat", str(seat)]
        assert row["before"] == pytest.approx(before.loc[before["seat"] == seat, "win_share"].mean())
        assert row["after"] == pytest.approx(after.loc[after["seat"] == seat, "win_share"].mean())
        assert row["change"] == pytest.approx(row["after"] - row["before"])
        assert row["low"] <= row["change"] <= row["high"]
    assert table.loc["seat", "0"]["change"] == pytest.approx(-table.loc["seat", "1"]["change"])
    assert table.loc["seat", "0"]["change"] < 0
    games = [pd.read_parquet(runs[name] / "games.parquet")["turns"] for name in ("now", "later")]
    assert table.loc["game", "turns"]["change"] == pytest.approx(games[1].mean() - games[0].mean())
    assert table.loc["game", "turns"]["low"] > 0
    assert {name for kind, name in table.index if kind == "band"} == {f"board_{k}" for k in range(1, 6)}


def test_equal_rules_change_nothing_but_few_games_do_not_show_it(runs):
    table = against(runs["now"], runs["again"])
    assert (table["change"] == 0).all()
    assert (table["p_value"] == 1).all()
    assert set(table["verdict"]) <= {SAME, OPEN}


def test_a_large_change_is_found(runs, tmp_path):
    found = against(runs["now"], runs["short"], ["turns"]).set_index(["table", "name"])
    assert found.loc["game", "turns"]["high"] < 0
    both = [stored(tmp_path / str(n), "toy", 40, ("flip",), 4, **{"handicap.bears": n}) for n in (0, 30)]
    bands = against(*both).set_index(["table", "name"]).loc["band"]
    assert bands.loc["bears"]["verdict"] == CHANGED
    assert bands.loc["bears"]["low"] > 0


def test_other_games_are_refused(runs, tmp_path):
    with pytest.raises(UsageError, match="players differs"):
        against(runs["now"], stored(tmp_path / "three", players=3, designs=1))


# ------------------------------------------------------------------ the command line
def test_balance_of_metal_mania_with_cards_of_ones_own(soundcheck, tmp_path):
    """Cards named in every output, the whole artist table in its file, another rule on the same games, a replay."""
    content = read(SHIPPED["house"])
    content["label"] = "cards of the test"
    (tmp_path / "mine.json").write_text(json.dumps(content))
    command = ("balance", "metalmania", "--players", "2", "--agent", "random", "--games", "40", "--cards", "mine.json")
    done = soundcheck(*command, "--out", "run", "--against", "options.win_check=end_of_round")
    for words in (
        "Win share per board", "Win share per seat", "Win share per company", "Where fame comes from", "Per artist",
        "Events (after the paid shift)", "Cards: mine.json (cards of the test)", "artists.csv",
        "The same games with options.win_check=end_of_round",
    ):  # fmt: skip
        assert words in done.stdout
    assert len(pd.read_csv(tmp_path / "run" / "artists.csv")) == 50
    assert set(pd.read_csv(tmp_path / "run" / "against.csv")["table"]) == {"band", "seat", "game"}
    (tmp_path / "mine.json").unlink()  # the run keeps its cards
    shutil.move(tmp_path / "run", tmp_path / "moved")
    again = soundcheck("play", "--run", "moved", "--game", "7")
    assert "the stored rows of this game say the same" in again.stderr
    assert "(cards of the test)" in again.stdout


def test_a_bad_card_file_names_every_mistake(soundcheck, tmp_path):
    """MM-R002, MM-R009, MM-R011: unknown instrument, missing style, 49 cards, two artists of one name."""
    content = read(SHIPPED["house"])
    content["pool"].pop()
    content["pool"][0]["instruments"] = {"gitar": 3}
    del content["pool"][1]["style"]
    content["pool"][3]["name"] = content["pool"][2]["name"]
    (tmp_path / "bad.json").write_text(json.dumps(content))
    for command, code in ((("balance", "metalmania"), 2), (("rules", "check"), 1)):
        done = soundcheck(*command, "--cards", "bad.json", code=code)
        said = done.stdout + done.stderr
        for words in ("did you mean 'guitar'", "style is missing", "stands twice", "49 artists (needed: 50"):
            assert words in said
    refused = soundcheck("balance", "toy", "--agent", "flip", "--cards", "bad.json", code=2)
    assert "toy has no card files" in refused.stderr
    same = soundcheck("balance", "metalmania", "--against", "options.win_check=immediate", code=2)
    assert "changes nothing" in same.stderr
