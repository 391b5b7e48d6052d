"""``--json`` and ``--quiet`` on every command that prints a table: JSON alone on stdout, house data named."""

import json

import numpy as np
import pyarrow.parquet as pq
import pytest

from experiments import cli
from experiments.cli.console import plain
from tests.experiments.test_cli_study import PLAN

FLIP = ("--agent", "flip")
TWO = ("toy", *FLIP, "--agent", "keep", "--players", "2", "--games", "40", "--jobs", "1")

#: A command each, and a key that its JSON holds.
TABLES = [
    (("balance", "toy", *FLIP, "--games", "40", "--jobs", "1"), "tables"),
    (("balance", "toy", *FLIP, "--games", "40", "--jobs", "1", "--against", "handicap.bears=3"), "against"),
    (("difficulty", "boss", *FLIP, "--games", "10", "--jobs", "1"), "levels"),
    (("coverage", "boss", *FLIP, "--games", "5", "--jobs", "1", "--no-options"), "uses"),
    (("compare", "toy", "--set-b", "handicap.bears=3", *FLIP, "--games", "40", "--jobs", "1"), "changes"),
    (("run", "plan.toml", "--games", "40", "--jobs", "1", "--out", "study"), "table"),
    (("metrics", "stored", "--games", "20"), "uses"),
    (("ratings", "stored"), "terms"),
    (("styles", *TWO), "alpha_rank"),
    (("ladder", *TWO), "steps"),
    (("strength", "toy", *FLIP, "--agent", "keep", "--blocks", "24", "--jobs", "1"), "rungs"),
    (("rules", "show", "overdrive", "hits"), "values"),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory, toy_distribution):
    """A folder with a plan and a stored run."""
    folder = tmp_path_factory.mktemp("machine")
    (folder / "plan.toml").write_text(PLAN)
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        arguments = [*TABLES[0][0], "--players", "2", "--set", "handicap.bears=2", "--out", "stored", "--quiet"]
        assert cli.main(arguments) == 0
    seats = pq.read_table(folder / "stored" / "seats.parquet")
    ranks = seats.to_pandas().groupby("game")["score"].rank(ascending=False, method="min")  # Dice Race stores none
    with_ranks = seats.append_column("rank", [ranks.to_numpy(int)]).replace_schema_metadata(seats.schema.metadata)
    pq.write_table(with_ranks, folder / "stored" / "seats.parquet")
    return folder


def only_json(text):
    """The one JSON value that ``text`` is; words that JSON does not know are refused."""

    def refuse(word):
        raise AssertionError(f"{word} is no JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.mark.parametrize(("arguments", "key"), TABLES, ids=[" ".join(words[:2]) for words, _ in TABLES])
def test_json_alone_on_stdout(place, monkeypatch, capsys, arguments, key):
    monkeypatch.chdir(place)
    assert cli.main([*arguments, "--json"]) == 0
    first = only_json(capsys.readouterr().out)
    assert first[key]
    assert isinstance(first["house"], list)
    assert cli.main([*arguments, "--json", "--quiet"]) == 0
    said = capsys.readouterr()
    assert only_json(said.out) == first
    assert said.err == ""


def test_house_data_are_named(place, monkeypatch, capsys):
    monkeypatch.chdir(place)
    assert cli.main(["metrics", "stored", "--games", "4", "--json", "--quiet"]) == 0
    assert any("handicap.bears" in line for line in only_json(capsys.readouterr().out)["house"])


def test_parts_and_their_merge(place, monkeypatch, capsys):
    monkeypatch.chdir(place)
    part = ["run", "plan.toml", "--games", "40", "--jobs", "1", "--part", "1/2", "--out", "part", "--json", "--quiet"]
    assert cli.main(part) == 0
    assert only_json(capsys.readouterr().out) == {"part": 1, "of": 2, "folder": "part"}
    assert cli.main(["merge", "whole", "part", "--json", "--quiet"]) == 0
    said = capsys.readouterr()
    merged = only_json(said.out)["runs"]
    assert sum(one["games"] for one in merged) < sum(one["of"] for one in merged)
    assert said.err == ""
    assert cli.main(["merge", "whole", "part", "--quiet"]) == 0
    said = capsys.readouterr()
    assert "blocks missing" in said.out
    assert said.err == ""


def test_shipped_plans_are_listed(capsys):
    assert cli.main(["run", "--list", "--json"]) == 0
    listed = {one["name"]: one["title"] for one in only_json(capsys.readouterr().out)["plans"]}
    assert listed["bands"].startswith("Is every band of Overdrive")


@pytest.mark.quick
def test_plain_data():
    data = {1: (np.float32(0.5), np.int64(3), float("nan"), float("-inf"), None, True, "é"), "many": np.arange(2)}
    assert plain(data) == {"1": [0.5, 3, None, None, None, True, "é"], "many": [0, 1]}
