"""Figures: functions of a table and axes, one style, files from the command line; courses as the games went."""

import json
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas

from experiments import courses, gallery, plots
from experiments.balance import open_store, play_run
from experiments.gallery.plans import duels
from experiments.metrics import Rows, round_table
from experiments.plan import Plan, prepare
from experiments.plots.style import MARKS, NARROW, PALETTE, WIDE, style
from experiments.records import record_game
from experiments.running import CELLS, finding_of
from experiments.styles import ladder_study, rungs_of, styles_of, styles_study
from simcore.errors import UsageError
from tests.experiments.conftest import toy_plan

SHARES = pd.DataFrame(
    {
        "name": ["apes", "bears", "cats"], "win_share": [0.4, 0.26, 0.2], "low": [0.38, 0.25, 0.1],
        "high": [0.42, 0.27, 0.3], "fair": 0.25, "margin": 0.02, "verdict": ["off", "balanced", "not enough games"],
    }
)  # fmt: skip


@pytest.fixture
def axes():
    with plots.canvas((6, 4)) as figure:
        yield figure.add_subplot()


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plots") / "run"
    prepared = toy_plan(designs=4, bears=9, agents=("flip", "flip", "keep", "keep"))
    store = open_store(prepared, folder)
    play_run(prepared, store, 1)
    store.close()
    return folder


def places(axes):
    """Where the dots are: (x, y) by label."""
    return {
        line.get_label(): list(zip(*line.get_data(), strict=True)) for line in axes.lines if line.get_marker() in MARKS
    }


def test_dots_stand_where_the_numbers_say(axes):
    assert plots.win_share(SHARES, axes) is axes
    found = places(axes)
    assert found["off"] == [(40.0, 0)]
    assert found["balanced"] == [(26.0, 1)]
    assert found["not enough games"] == [(20.0, 2)]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["Apes", "Bears", "Cats"]
    limits = [tuple(segment[:, 0]) for one in axes.collections if hasattr(one, "get_segments")
              for segment in one.get_segments()]  # fmt: skip
    assert sorted(limits) == [pytest.approx(pair) for pair in [(10, 30), (25, 27), (38, 42)]]
    assert axes.yaxis_inverted()


def test_no_colour_is_the_only_sign(axes):
    assert len(set(zip(PALETTE, MARKS, strict=True))) == len(set(MARKS)) == len(set(PALETTE)) == 8
    plots.win_share(SHARES, axes)
    marks = [line.get_marker() for line in axes.lines if line.get_marker() in MARKS]
    assert len(set(marks)) == 3


def test_every_figure_returns_its_axes_and_needs_no_style():
    levels = pd.DataFrame(
        {"agent": "flip", "difficulty": ["easy", "hard"], "win_share": [0.9, 0.2], "low": [0.8, 0.1], "high": [1, 0.3]}
    )
    rounds = pd.DataFrame(
        {"round": [0, 1, 2], "mean": [0, 2, 4], "p5": [0, 1, 2], "p25": [0, 1, 3], "p75": [0, 3, 5], "p95": [0, 4, 6],
         "best": [0, 3, 5], "worst": [0, 1, 3], "leader_wins": [np.nan, 0.5, 1], "low": [np.nan, 0.3, 0.8],
         "high": [np.nan, 0.7, 1]}
    )  # fmt: skip
    behind = pd.DataFrame(
        {"round": [1, 2, 1], "from": [0, 0, 5], "to": [5, 5, np.inf], "seats": [30, 30, 3], "win_share": [0.2, 0.1, 0],
         "low": 0.0, "high": 0.4}
    )  # fmt: skip
    square = pd.DataFrame([[np.nan, 0.6], [0.4, np.nan]], ["apes", "bears"], ["apes", "bears"])
    ladder = pd.DataFrame(
        {"rung": ["keep"], "below": ["flip"], "win_share": [0.6], "low": [0.5], "high": [0.7], "height": [0.35]}
    )
    rated = pd.DataFrame({"name": ["0", "1"], "strength": [0.2, -0.2], "low": [0.1, -0.3], "high": [0.3, -0.1],
                          "win_share": [0.3, 0.2]})  # fmt: skip
    panel = pd.concat([SHARES.assign(agents="flip"), SHARES.assign(agents="keep", win_share=[0.3, 0.3, 0.3])])
    changes = SHARES.assign(change=[0.1, 0.0, -0.2], answer=["changed", "no change", "not enough games"])
    used = pd.DataFrame({"name": ["stage"], "times": [2.0], "low": [1.0], "high": [3.0], "users_win": [np.nan]})
    taken = pd.DataFrame({"name": ["drum"], "offers": [9], "pick": [0.4], "excess": [0.1], "excess_low": [0.0],
                          "excess_high": [0.2], "verdict": ["more wins"]})  # fmt: skip
    drawn = [
        lambda at: plots.win_share_panel(panel, at), lambda at: plots.paired(changes, at),
        lambda at: plots.win_share_runs(panel.rename(columns={"agents": "run"}), at),
        lambda at: plots.difficulty_curve(levels, at, [0.8, 0.4]), lambda at: plots.score_by_round(rounds, at),
        lambda at: plots.lead_curve(rounds, at, 0.5), lambda at: plots.comeback_curve(behind, at, 0.25),
        lambda at: plots.share_map(square, at, 0.5, "met"), lambda at: plots.style_matrix(square, at, 0.5),
        lambda at: plots.skill_ladder(ladder, at), lambda at: plots.ratings(rated, at),
        lambda at: plots.uses(used, at), lambda at: plots.excesses(taken, at), lambda at: plots.picks(taken, at),
        lambda at: plots.rates(pd.DataFrame({"name": ["jam"], "rate": [1.0], "winners": [2.0], "others": [0.5]}), at),
        lambda at: plots.score_parts(pd.DataFrame({"hits": [3.0], "fame": [4.0]}, ["apes"]), at),
        lambda at: plots.game_length(pd.DataFrame({"value": [8, 9], "games": [3, 1]}), at, "rounds"),
    ]  # fmt: skip
    named = {name for name in plots.__all__ if callable(getattr(plots, name))}
    assert len(drawn) + 1 == len(named - {"Draw", "Drawing", "as_svg", "canvas", "save", "style"})
    for draw in drawn:
        figure = Canvas()
        FigureCanvasAgg(figure)
        at = figure.add_subplot()
        assert draw(at) is at
        assert at.get_xlabel() or at.get_ylabel()
        figure.canvas.draw()
    comeback = places(plots.comeback_curve(behind, Canvas().add_subplot(), 0.25))
    assert all(label != "over 5 behind" for label in comeback), "three seats say nothing"


def test_the_style_is_one_file():
    assert style()["svg.fonttype"] == "none"
    with plots.canvas((6, 4)) as figure:
        assert not figure.add_subplot().spines["top"].get_visible()


def test_runs_stand_side_by_side_and_fair_is_drawn_only_where_it_is_one(axes):
    table = pd.concat([SHARES.assign(run="a"), SHARES.iloc[1:].assign(run="b", win_share=[0.5, 0.1])])
    shown = plots.win_share_runs(table, axes)
    assert [one.get_text() for one in shown.get_yticklabels()] == ["Apes", "Bears", "Cats"]
    assert {"a", "b", "fair (25 %)"} <= set(shown.get_legend_handles_labels()[1])
    with plots.canvas((6, 4)) as figure:
        other = plots.win_share_runs(table.assign(fair=[0.25, 0.25, 0.25, 0.5, 0.5]), figure.add_subplot())
        assert {"a", "b"} == set(other.get_legend_handles_labels()[1])


def test_long_names_lose_their_middle_beside_an_axis():
    name = "py:bridges.examples:" + "OpenSpiel" * 5
    for width, most in ((WIDE, 40), (NARROW, 20)):
        with plots.canvas((width, 3)) as figure:
            shown = plots.win_share(SHARES.assign(name=[name, "bears", "cats"]), figure.add_subplot())
            labels = [one.get_text() for one in shown.get_yticklabels()]
            assert labels[1:] == ["Bears", "Cats"]
            assert len(labels[0]) == most
            assert labels[0].startswith("Py:br")
            assert labels[0].endswith("OpenSpiel")


def test_a_course_is_the_game_that_was_played(run):
    prepared = toy_plan(designs=4, bears=9, agents=("flip", "flip", "keep", "keep"))
    with np.errstate(over="ignore"):
        player = courses.Player(prepared)
        for number in (0, 5, 23):
            fast, slow = player.course(number), record_game(prepared, number, offers=False)
            assert fast.choices == [replace(one, text="") for one in slow.choices]
            assert fast.subjects == slow.subjects
            assert np.array_equal(fast.scores, slow.scores)
            assert fast.win_share.tolist() == slow.win_share.tolist()
            assert fast.seats.equals(slow.seats)


def test_a_course_has_the_rounds_of_its_record_where_the_clock_starts_with_the_first_turn():
    prepared = prepare(Plan(game="metalmania", players=2, agents=("greedy",)))
    with np.errstate(over="ignore"):
        course, record = courses.Player(prepared).course(0), record_game(prepared, 0, offers=False)
    assert len(course.scores) == len(record.scores) > 3
    assert course.scores[-1].tolist() == record.scores[-1].tolist()


def test_courses_are_of_stored_games_and_whole_blocks(run):
    found = courses.courses(run, 40)
    stored = pd.read_parquet(run / "seats.parquet").set_index(["game", "seat"])
    last = found.seats[found.seats["round"] == found.seats.groupby("game")["round"].transform("max")]
    assert found.games == last["game"].nunique()
    assert (found.rows.games.groupby("block").size() == found.rows.games.groupby("block").size().max()).all()
    for row in last.to_dict("records"):
        assert row["score"] == stored.loc[(row["game"], row["seat"]), "score"]
    table = courses.score_table(found.seats)
    assert table["mean"].iloc[-1] == pytest.approx(last["score"].mean())
    assert (table["best"] - table["worst"]).to_list() == pytest.approx(round_table(found.rows)["spread"].to_list())


def test_sides_that_play_together_have_a_row_each():
    rows = [
        {
            "game": 0,
            "block": 0,
            "round": 1,
            "seat": seat,
            "score": score,
            "deficit": 0.0,
            "win_share": share,
            "side": side,
        }
        for seat, score, share, side in ((0, 5, 0.0, "opponent"), (1, 9, 0.5, "humans"), (2, 3, 0.5, "humans"))
    ]
    found = courses._two_sides(pd.DataFrame(rows))
    assert found["score"].tolist() == [6, 5], "the mean of the humans, the opponent"
    assert found["deficit"].tolist() == [-1, 1]
    assert found["win_share"].tolist() == [1, 0]


def test_uses_fall_into_groups_by_what_they_are_about():
    rows = [
        {"game": game, "block": game, "seat": 0, "kind": kind, "way": way, "name": name, "picked": picked,
         "first_round": 2, "win_share": 1.0 - game}
        for game in (0, 1) for kind, way, name, picked in (
            ("space", "allocate", "stage", 3 + game), ("space", "allocate", "studio", 1),
            ("space", "allocate", "bar", 2), ("action", "", "pass", 9), ("hit", "buy hit", "one", 1),
        )
    ]  # fmt: skip
    uses = pd.DataFrame([row for row in rows if (row["name"], row["game"]) != ("bar", 1)])
    (group,) = courses.use_groups(Rows(uses[:0], uses[:0], uses))
    assert group.title == "Spaces, by dice sets placed"
    table = group.table.set_index("name")
    assert table["times"].to_dict() == {"stage": 3.5, "bar": 1.0, "studio": 1.0}
    assert table.loc["bar", ["used_in", "users_win"]].tolist() == [0.5, 1.0]


def test_a_run_has_figures_of_many_kinds_with_words(run):
    found = gallery.figures(run, sample=16)
    names = [one.name for one in found]
    assert len(set(names)) == len(names)
    assert {"win-share-band", "win-share-agent", "seat-map", "opponent-map", "scores", "rounds"} <= set(names)
    assert {one.kind for one in found} <= set(gallery.KINDS)
    assert all(len(one.words) > 30 and one.height > 1 for one in found)
    assert {one.kind for one in gallery.figures(run, {"length"})} <= {"length"}
    with pytest.raises(UsageError, match="unknown kind of figure 'lenght'; did you mean 'length'"):
        gallery.figures(run, {"lenght"})


@pytest.mark.parametrize("make", [ladder_study, styles_study])
def test_agents_against_agents(make, tmp_path):
    found = finding_of(make("toy", ["flip", "keep"], 3, 60), tmp_path / "run", jobs=1)
    kinds = [one.kind for one in duels(found)]
    assert kinds == (["ladder"] if make is ladder_study else ["styles"])
    assert rungs_of(found.study) == (["flip", "keep"] if make is ladder_study else [])
    assert styles_of(found.study) == ([] if make is ladder_study else ["flip", "keep"])
    assert {"ladder", "styles"} & {one.kind for one in gallery.figures(tmp_path / "run", {"ladder", "styles"})}
    assert (tmp_path / "run" / CELLS).exists()


def test_files_are_whole_and_the_same_again(run, tmp_path):
    drawing = plots.Drawing("Shares", lambda at: plots.win_share(SHARES, at), 2, "of <a test>")
    for name in ("a.svg", "a.png"):
        first = plots.save([drawing, drawing], tmp_path / name).read_bytes()
        assert plots.save([drawing, drawing], tmp_path / name).read_bytes() == first
    texts = [text for element in ET.parse(tmp_path / "a.svg").iter() if (text := element.text) and text.strip()]
    assert texts.count("Shares") == 2
    assert "of <a test>" in texts
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(UsageError, match=r"unknown kind of picture .* 'sgv'; did you mean 'svg'"):
        plots.save([drawing], tmp_path / "a.sgv")


def test_the_command_draws_lists_and_refuses(soundcheck, tmp_path):
    soundcheck("balance", "toy", "--agent", "flip", "--games", "120", "--out", "run", "--quiet")
    listed = soundcheck("plot", "run", "--games", "8").stdout
    assert "win-share-band" in listed
    kinds = soundcheck("plot", "--list").stdout.splitlines()
    assert [line.split()[0] for line in kinds] == list(gallery.KINDS)
    assert soundcheck("plot", "run", "win-share", "--out", "one.png").stdout.strip() == "one.png"
    assert soundcheck("plot", "run", "seat-map").stdout.strip() == "seat-map.svg"
    assert "b.svg" in soundcheck("plot", "run", "--all", "all", "--games", "8").stdout.replace("-map.svg", "b.svg")
    drawn = {path.stem for path in (tmp_path / "all").glob("*.svg")}
    assert drawn == {path.stem for path in (tmp_path / "all").glob("*.png")}
    assert drawn == {line.split()[0] for line in listed.splitlines()}
    assert "did you mean 'lead'" in soundcheck("plot", "run", "leed", code=2).stderr
    assert "no figure of the kind 'ladder'" in soundcheck("plot", "run", "ladder", code=2).stderr
    assert json.loads((tmp_path / "run" / "manifest.json").read_text())["run"]["game"] == "toy"


def test_levels_are_drawn_over_their_target(soundcheck, tmp_path):
    soundcheck("difficulty", "boss", "--agent", "flip", "--games", "8", "--out", "run", "--quiet")
    levels = len(json.loads((tmp_path / "run" / "manifest.json").read_text())["run"]["levels"])
    target = ",".join(["0.5"] * levels)
    soundcheck("plot", "run", "--all", "all", "--games", "8", "--target", target, "--quiet")
    drawn = {path.stem for path in (tmp_path / "all").glob("*.svg")}
    assert {"difficulty", "scores", "rounds", "lead"} <= drawn
    assert ">target<" in (tmp_path / "all" / "difficulty.svg").read_text()
