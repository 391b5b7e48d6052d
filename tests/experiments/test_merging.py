"""Runs of one plan made on several machines become one; what does not belong together is refused."""

import shutil

import pyarrow.parquet as pq
import pytest

from experiments.balance import open_store
from experiments.merging import merge
from experiments.running import CELLS, How, Part, play_study
from experiments.store import TABLES
from experiments.study import cells, read_study
from simcore.errors import UsageError
from tests.experiments.conftest import toy_plan
from tests.experiments.test_store import content, finish

PLAN = read_study({"game": "toy", "agents": ["flip", "keep"], "players": [2, 4], "games": 230})


def part(folder, number, of, plan=PLAN, unit=40):
    play_study(plan, folder, How(jobs=1, unit_games=unit, part=Part(number, of)))
    return folder


def study_content(folder, plan=PLAN):
    return [(folder / CELLS / cell.name / f"{t}.parquet").read_bytes() for cell in cells(plan) for t in TABLES]


def test_three_machines_give_the_bytes_of_one(tmp_path):
    parts = [part(tmp_path / f"part{k}", k, 3, unit=20 * k) for k in (1, 2, 3)]
    play_study(PLAN, tmp_path / "whole")
    merged = merge(tmp_path / "all", parts)
    assert all(not one.gaps and one.games == one.of for one in merged)
    assert len(merged) == 4
    assert study_content(tmp_path / "all") == study_content(tmp_path / "whole")
    assert merge(tmp_path / "all", parts) == merged
    play_study(PLAN, tmp_path / "all")  # it is an ordinary folder of the plan


def test_a_missing_part_is_said_and_can_come_later(tmp_path):
    first, second = part(tmp_path / "1", 1, 2), part(tmp_path / "2", 2, 2)
    merged = merge(tmp_path / "all", [second])
    assert all(one.gaps for one in merged)
    assert all(not one.gaps for one in merge(tmp_path / "all", [first]))
    play_study(PLAN, tmp_path / "whole")
    assert study_content(tmp_path / "all") == study_content(tmp_path / "whole")


def test_what_is_missing_can_be_played_into_the_result(tmp_path):
    merge(tmp_path / "all", [part(tmp_path / "2", 2, 3)])
    play_study(PLAN, tmp_path / "all")
    play_study(PLAN, tmp_path / "whole")
    assert study_content(tmp_path / "all") == study_content(tmp_path / "whole")


def run_with(folder, ranges, prepared=None):
    prepared = prepared or toy_plan()
    store = open_store(prepared, folder)
    for first, last in ranges:
        store.add(first, last, *prepared.play(first, last))
    store.close()
    return folder


def test_single_runs_may_overlap(tmp_path):
    one, other = run_with(tmp_path / "1", [(0, 8), (15, 20)]), run_with(tmp_path / "2", [(3, 12), (12, 17)])
    (merged,) = merge(tmp_path / "all", [one, other])
    assert not merged.gaps
    finish(toy_plan(), tmp_path / "whole")
    assert content(tmp_path / "all") == content(tmp_path / "whole")


def test_a_finished_run_and_a_part_merge(tmp_path):
    finish(toy_plan(), tmp_path / "whole")
    (merged,) = merge(tmp_path / "all", [run_with(tmp_path / "1", [(2, 9)]), tmp_path / "whole"])
    assert not merged.gaps
    assert content(tmp_path / "all") == content(tmp_path / "whole")


def test_another_run_is_refused_with_what_differs(tmp_path):
    one, other = run_with(tmp_path / "1", [(0, 5)]), run_with(tmp_path / "2", [(5, 9)], toy_plan(seed=2, bears=1))
    with pytest.raises(UsageError, match="do not belong together") as caught:
        merge(tmp_path / "all", [one, other])
    assert "seed: 1 there, 2 now" in str(caught.value)
    assert "overrides.handicap.bears: absent there, 1 now" in str(caught.value)
    assert not (tmp_path / "all").exists()


def test_another_plan_is_refused(tmp_path):
    other = read_study({**PLAN.model_dump(), "games": 330})
    with pytest.raises(UsageError, match="games: 230 there, 330 now"):
        merge(tmp_path / "all", [part(tmp_path / "1", 1, 2), part(tmp_path / "2", 2, 2, other)])
    with pytest.raises(UsageError, match="holds a plan with its cells"):
        merge(tmp_path / "all", [tmp_path / "1", run_with(tmp_path / "3", [(0, 5)])])


def test_rows_that_differ_are_refused(tmp_path):
    one, other = run_with(tmp_path / "1", [(0, 8)]), run_with(tmp_path / "2", [(3, 12)])
    path = next((other / "units").glob("seats-*"))
    table = pq.read_table(path)
    scores = table["score"].to_pylist()
    scores[0] += 1
    at = table.column_names.index("score")
    changed = table.set_column(at, table.schema.field(at), [scores])
    pq.write_table(changed.replace_schema_metadata(table.schema.metadata), path)
    with pytest.raises(UsageError, match="their seats of the blocks 3 to 7 differ"):
        merge(tmp_path / "all", [one, other])


def test_a_damaged_part_is_named(tmp_path):
    one = run_with(tmp_path / "1", [(0, 8)])
    path = next((one / "units").glob("games-*"))
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(UsageError, match=f"{path.name}: damaged"):
        merge(tmp_path / "all", [one])
    shutil.rmtree(tmp_path / "all")


def test_bad_usage(tmp_path):
    one = run_with(tmp_path / "1", [(0, 8)])
    with pytest.raises(UsageError, match="at least one"):
        merge(tmp_path / "all", [])
    with pytest.raises(UsageError, match="among the folders"):
        merge(one, [one])
    with pytest.raises(UsageError, match="not a run folder"):
        merge(tmp_path / "all", [tmp_path / "nowhere"])
