"""The page on scale: it shows what the benchmark prints, every agent among it, and its times follow from its costs."""

import re

import pytest

from benchmarks import scale
from simcore import registry

TEXT = scale.PAGE.read_text(encoding="utf-8")
MEASURED = TEXT.partition(scale.BEGIN)[2].partition(scale.END)[0]


def tables():
    """The tables of the page, each a list of rows of cells, the head first."""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", MEASURED, flags=re.MULTILINE):
        rows = [[cell.strip(" `") for cell in line.strip().strip("|").split("|")] for line in block.splitlines()]
        found.append([rows[0], *rows[2:]])
    return found


def test_every_agent_is_measured():
    costs = tables()[0]
    measured = [(line.game, line.players, line.agent) for line in scale.lines()]
    shown = [(row[0], int(row[1]), row[2]) for row in costs[1:]]
    assert shown == measured
    kinds = {agent.partition(":")[0] for _, _, agent in measured}
    ours = {name for name in registry.agent_names() if registry.kind(name).__module__.startswith("agents.")}
    assert ours <= kinds


def test_times_of_whole_runs_follow_from_the_printed_costs():
    costs, fan_out, many, fewer = tables()
    ms = {tuple(row[:3]): float(row[3].replace(",", "")) + (0 if row[4] == "as greedy" else float(row[4]))
          for row in costs[1:]}  # fmt: skip
    assert [row[0] for row in fan_out[1:]] == ["threads", "processes", "dask"]
    for table, games in ((many, scale.MANY), (fewer, scale.FEWER)):
        for row in table[1:]:
            seconds = games * ms[tuple(row[:3])] / 1e3 / 8
            assert row[3:] == [scale.span(seconds / n) for n in scale.MACHINES]
    assert {tuple(row[:3]) for row in (*many[1:], *fewer[1:])} == {key for key in ms if "py:" not in key[2]}


def test_what_is_measured_goes_between_its_marks(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{scale.BEGIN}\nold\n{scale.END}\nafter\n")
    for _ in range(2):
        scale.write("new\n", page)
        assert page.read_text() == f"before\n{scale.BEGIN}\nnew\n{scale.END}\nafter\n"


def test_one_line_is_measured():
    cost = scale.cost(scale.Line("overdrive", 2, "random"), 0.01)
    assert 0 < cost.play < 1e4
    assert cost.rows >= 0
    assert 20 < cost.size < 500


@pytest.mark.quick
def test_figures_and_times_are_written_shortly():
    assert [scale.figure(ms) for ms in (0.0349, 1.234, 45.67, 1433.4)] == ["0.035", "1.23", "45.7", "1,433"]
    assert [scale.span(s) for s in (7.4, 119, 120, 3_600, 7_200, 86_400 * 2)] == [
        "7 s", "119 s", "2.0 min", "60 min", "2.0 h", "2.0 days",
    ]  # fmt: skip
