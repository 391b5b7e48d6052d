"""Metrics of play: lead changes, comebacks, runaway round, closeness, offers and picks, functions of the user's."""

import json
import math

import numpy as np
import pandas as pd
import pytest

from experiments import metrics
from experiments.metrics import (
    collect,
    comeback_table,
    ending,
    game_table,
    leads,
    metric,
    round_table,
    runaway_round,
)
from experiments.records import GameRecord, option_of, record_game, records, spread_games
from simcore.errors import UsageError
from tests.experiments.conftest import toy_plan
from tests.experiments.test_cli import SMALL, only_line, run_folder
from tests.experiments.test_sameness import play


def course(*scores, share=None, number=0, choices=()):
    """A made-up game by the scores after each round."""
    table = np.array(scores, float)
    if share is None:
        best = table[-1] == table[-1].max()
        share = best / best.sum()
    seats = pd.DataFrame({"seat": range(table.shape[1]), "band": list("abcd")[: table.shape[1]]})
    return GameRecord(number, number, list(choices), [], table, np.array(share, float), seats, [])


def test_lead_changes_by_hand():
    assert leads(course([0, 0], [1, 0], [1, 1], [2, 1], [2, 3]))["lead_changes"] == 1
    assert leads(course([0, 0], [1, 0], [1, 2], [3, 2]))["lead_changes"] == 2
    assert leads(course([0, 0], [0, 0]))["lead_changes"] == 0
    found = leads(course([0, 0], [1, 0], [1, 2], [1, 3], [1, 4]))
    assert found["led_from"] == 2
    assert found["winner_was_last"]
    assert math.isnan(leads(course([0, 0], [1, 1]))["led_from"])


def test_endings_by_hand():
    found = ending(course([0, 0, 0], [5, 9, 2]))
    assert (found["gap_second"], found["gap_last"], found["shared_win"], found["completed"]) == (4, 7, 0, 1)
    assert ending(course([0, 0], [3, 3]))["shared_win"] == 1
    assert ending(course([0, 0], [3, 1], share=[0, 0]))["completed"] == 0


def test_closeness_is_one_over_the_root_of_the_mean_square():
    rows = collect([course([0, 0], [3, 0], number=0), course([0, 0], [5, 1], number=1)])
    table = game_table(rows).set_index("metric")
    assert table.loc["closeness", "mean"] == pytest.approx(1 / math.sqrt((9 + 16) / 2))
    assert table.loc["gap_second", "mean"] == 3.5


def test_runaway_and_comebacks_by_hand():
    # Forty games: the leader after round 1 wins half of them, after round 2 all of them.
    games = []
    for k in range(40):
        second = [2, 5] if k % 2 else [5, 2]
        games.append(course([0, 0], [2, 1], second, [s * 2 for s in second], number=k))
    rows = collect(games)
    table = round_table(rows)
    assert table["leader_wins"].tolist()[1:] == [0.5, 1, 1]
    assert runaway_round(table) == 2
    behind = comeback_table(rows).set_index("round")
    assert behind.loc[1, "win_share"] == 0.5
    assert behind.loc[2, "win_share"] == 0
    assert behind.loc[1, "low"] < 0.5 < behind.loc[1, "high"]
    never = collect([course([0, 0], [2, 1], [3, 4] if k % 2 else [4, 3], number=k) for k in range(10)])
    assert math.isnan(runaway_round(round_table(never)))


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("allocate appearance CSI", "allocate appearance"), ("end", "end"),
        ("allocate improvisation S C>I", "allocate improvisation"), ("play 7 S>I S>I", "play 7"),
        ("raise grana", "raise grana"), ("use performance +2", "use performance"), ("set S>I", "set"),
        ("copy a starssacration", "copy a starssacration"),
    ],
)  # fmt: skip
def test_options_are_texts_without_dice(text, option):
    assert option_of(text) == option


def test_a_record_is_the_stored_game(tmp_path):
    prepared = toy_plan(designs=2, bears=3)
    folder = play(tmp_path / "run", prepared, 1, 1000)
    stored = pd.read_parquet(folder / "seats.parquet")
    for record in records(folder, [0, 17]):
        rows = stored[stored["game"] == record.number]
        assert record.scores[-1].tolist() == rows["score"].tolist()
        assert record.win_share.tolist() == rows["win_share"].tolist()
        assert record.scores[0].tolist() == [3.0 * (band == "bears") for band in rows["band"]]
        assert record.rounds == 8
        assert len(record.choices) == 32
        assert sum(choice.actions > 1 for choice in record.choices) == rows["decisions"].sum()
        assert (np.diff(record.scores, axis=0) >= 0).all()
    assert record_game(prepared, 0, offers=False).choices[0].offered == ()


def test_games_are_spread_in_whole_blocks(tmp_path):
    folder = play(tmp_path / "run", toy_plan(designs=4), 1, 1000)
    numbers = spread_games(folder, 12)
    assert len(numbers) == 12
    assert all(number // 4 * 4 in numbers for number in numbers)
    assert numbers[-1] == 79
    assert len(spread_games(folder, 10**6)) == 80


def test_metrics_of_the_users_own():
    def rolls(record):
        return {"first_score": record.scores[1, 0]}

    rows = collect([course([0, 0], [7, 0])], [rolls])
    assert rows.games["first_score"].tolist() == [7.0]

    def broken(record):
        return {"x": record.nothing}

    with pytest.raises(UsageError, match=r"broken: AttributeError.*game 0"):
        collect([course([0, 0], [7, 0])], [broken])
    assert metric("experiments.metrics:leads") is metrics.leads
    for text, words in (
        ("leads", "module:function"),
        ("nowhere:x", "imported"),
        ("experiments.metrics:leeds", "leeds"),
    ):
        with pytest.raises(UsageError, match=words):
            metric(text)


def test_metrics_from_the_command_line(soundcheck, tmp_path):
    soundcheck(*SMALL)
    (tmp_path / "mine.py").write_text("def total(record):\n    return {'total': record.scores[-1].sum()}\n")
    folder = run_folder(tmp_path)
    done = soundcheck("metrics", folder, "--games", "40", "--metric", "mine:total")
    for words in ("lead_changes", "closeness", "total", "leader wins", "gamble", "ablate it"):
        assert words in done.stdout, words
    seen = pd.read_parquet(folder / "metrics_games.parquet")
    assert len(seen) == 40
    data = json.loads(soundcheck("metrics", folder, "--games", "40", "--by", "band", "--json", "--quiet").stdout)
    assert {row["band"] for row in data["uses"]} == {"apes", "bears", "cats", "dogs", "eels"}
    assert "not a run folder" in only_line(soundcheck("metrics", "nowhere", "--quiet", code=2))
    assert "module:function" in only_line(soundcheck("metrics", folder, "--metric", "x", "--quiet", code=2))
