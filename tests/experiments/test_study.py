"""Plan files: what they say, the cells and seeds that follow, running, resuming, refusing what changed."""

import itertools
import json
import re
import time

import pandas as pd
import pytest

import experiments
from experiments.design import named_design
from experiments.findings import FLIPS, HOLDS, OPEN, panel_table
from experiments.panel import DEFAULT_PANEL, Member, seated
from experiments.plan import prepare
from experiments.running import CELLS, How, Part, play_study, raw, stored_study
from experiments.study import Study, cells, read_study, shipped_plans
from simcore import registry
from simcore.errors import UsageError

BASE = {"game": "toy", "agents": ["flip"], "players": 4, "games": 200}


def study(**changes):
    return read_study({**BASE, **changes})


def test_cells_are_all_combinations():
    found = cells(
        study(players=[2, 3], agents=["flip", "keep"], rules={"a": {}, "b": {"handicap.bears": 1}}, seeds=[1, 2])
    )
    assert len(found) == len({cell.name for cell in found}) == 16
    assert {cell.axes["rules"] for cell in found} == {"a", "b"}


def test_adding_a_cell_changes_no_other():
    few = {cell.name: cell.base for cell in cells(study(agents=["flip"]))}
    many = {cell.name: cell.base for cell in cells(study(agents=["keep", "flip"], players=[2, 4], seeds=[1, 9]))}
    assert few.items() <= many.items()
    seeds = [plan.seed for plan in many.values()]
    assert len(set(seeds)) == len(seeds)


def test_a_longer_cell_starts_with_the_same_games():
    short, long = (cells(study(games=games))[0] for games in (100, 1000))
    assert short.base.seed == long.base.seed


def test_paired_axes_share_their_luck():
    rules = {"a": {}, "b": {"handicap.bears": 1}}
    seeds = {
        (cell.axes["rules"], cell.axes["agents"]): cell.base.seed
        for cell in cells(study(rules=rules, agents=["flip", "keep"]))
    }
    assert seeds["a", "flip"] == seeds["b", "flip"] != seeds["a", "keep"]
    alone = {cell.axes["rules"]: cell.base.seed for cell in cells(study(rules=rules, paired=[]))}
    assert alone["a"] != alone["b"]
    together = cells(study(agents=["flip", "keep"], paired=["agents"]))
    assert together[0].base.seed == together[1].base.seed


def test_a_grid_is_every_combination_of_its_values():
    sets = study(grid={"handicap.bears": [0, 1], "handicap.cats": [2, 3]}).rule_sets
    assert list(sets) == ["bears=0 cats=2", "bears=0 cats=3", "bears=1 cats=2", "bears=1 cats=3"]
    assert sets["bears=1 cats=2"] == {"handicap.bears": 1, "handicap.cats": 2}
    on_top = study(rules={"hard": {"handicap.apes": 5}}, grid={"handicap.bears": [7]}).rule_sets
    assert on_top == {"hard bears=7": {"handicap.apes": 5, "handicap.bears": 7}}


def test_precision_says_how_many_games():
    (cell,) = cells(study(games=None, precision=1.0))
    prepared = cell.prepare()
    own = prepared.games * 4 / 5  # five teams, four seats
    assert own == pytest.approx(0.25 * 0.75 * 196**2, rel=0.01)


def test_named_bands_and_line_ups():
    (cell,) = cells(study(players=2, bands=["cats", "apes", "eels"]))
    assert cell.prepare().bands == ("apes", "cats", "eels")
    assert cell.prepare().design.blocks == 3
    (cell,) = cells(study(players=2, line_ups=[["eels", "apes"], ["cats", "dogs"]]))
    prepared = cell.prepare()
    seats = prepared.play(0, 8)[1].to_pandas()
    played = {frozenset(group) for _, group in seats.groupby("game")["band"]}
    assert played == {frozenset({"eels", "apes"}), frozenset({"cats", "dogs"})}
    assert not prepared.design.is_complete
    with pytest.raises(UsageError, match="2 different bands"):
        named_design([[0, 0]], 3, 2)


def test_rules_files_are_found_beside_the_plan(tmp_path):
    (tmp_path / "plan.toml").write_text('game = "overdrive"\ngames = 10\n[rules.mine]\nfile = "mine.toml"\n')
    (tmp_path / "mine.toml").write_text("[hits.back_in_box]\nprice = 7\n")
    (cell,) = cells(read_study(tmp_path / "plan.toml"))
    assert cell.base.rules_file == str(tmp_path / "mine.toml")
    seed = cell.base.seed
    (tmp_path / "mine.toml").write_text("[hits.back_in_box]\nprice = 6\n")
    assert cells(read_study(tmp_path / "plan.toml"))[0].base.seed == seed  # rules share their luck


MISTAKES = [
    ({"gamess": 3}, "unknown key 'gamess'; did you mean 'games'?"),
    ({"games": 0}, "games = 0"),
    ({"games": None}, "either games or precision"),
    ({"precision": 1.0}, "either games or precision"),
    ({"until": "bored"}, "until = 'bored'"),
    ({"agents": []}, "agents: none"),
    ({"agents": ["flip", "flip"]}, "named twice"),
    ({"grid": {"handicap.bears": []}}, "grid.handicap.bears: no value"),
    ({"baseline": "c", "rules": {"b": {}}}, "unknown rule set 'c'"),
    ({"bands": ["cats"], "line_ups": [["cats", "dogs"]]}, "exclude each other"),
    ({"modes": ["solo"], "until": "decided"}, "solo and co-op"),
    ({"modes": ["solo"], "agents": ["keep", ["flip", "keep"]]}, "['flip', 'keep']: in solo one agent plays for all"),
    ({"modes": ["solo", "coop"], "line_ups": [["cats", "dogs"]]}, "in solo and coop every band plays every level"),
    ({"modes": ["coop"], "factors": ["band"]}, "they mean nothing in coop"),
    ({"target": [0.5]}, "belong to solo and co-op (modes: standard)"),
    ({"search_games": 0}, "search_games = 0"),
]


@pytest.mark.parametrize(("change", "words"), MISTAKES, ids=range(len(MISTAKES)))
def test_mistakes_are_named(change, words):
    with pytest.raises(UsageError, match=re.escape(words)):
        study(**change)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"agents": ["flop"]}, "did you mean 'flip'"),
        ({"players": 9}, "9 do not play"),
        ({"bands": ["bats"]}, "did you mean 'cats'"),
        ({"rules": {"x": {"handicap.bear": 1}}}, "handicap.bears"),
        ({"agents": ["panel"]}, "no default panel"),
        ({"game": "boss", "players": [1], "modes": ["solo"], "target": [0.5]}, "target: 1 shares, one a level"),
    ],
)
def test_what_cannot_be_played_is_named(change, words):
    with pytest.raises(UsageError, match=words):
        cells(study(**change))


def test_several_mistakes_are_named_at_once():
    with pytest.raises(UsageError) as caught:
        read_study({"gamess": 3, "margin": -1})
    assert all(word in str(caught.value) for word in ("gamess", "margin", "game is missing"))


@pytest.mark.parametrize("name", list(shipped_plans()))
def test_shipped_plans_can_be_played(name):
    plan = read_study(name)
    assert plan.title.endswith(("?", ")"))
    for cell in cells(plan):
        assert cell.prepare().games > 0


def test_the_six_usual_questions_are_shipped():
    assert list(shipped_plans()) == ["bands", "companies", "difficulty", "prices", "rules", "seats"]


def test_the_panel_has_a_weak_agent_three_styles_and_a_search():
    for game, members in DEFAULT_PANEL.items():
        for member in members:
            registry.agent(member.text, registry.game(game))
        roles = [member.role for member in members]
        assert roles.count("weak") >= 1
        assert roles.count("style") >= 3
        assert roles.count("search") >= 1
        assert len({member.text for member in members}) == len(members)
    assert seated(["panel", "greedy", ["random", "greedy"]], "overdrive")[-1] == ("random", "greedy")


@pytest.fixture
def toy_panel(monkeypatch):
    """A panel of Dice Race whose second member counts as a search."""
    monkeypatch.setitem(DEFAULT_PANEL, "toy", (Member("flip", "weak"), Member("keep", "search")))
    monkeypatch.setitem(DEFAULT_PANEL, "boss", DEFAULT_PANEL["toy"])


def test_a_search_of_the_panel_plays_fewer_games_and_says_so(toy_panel):
    asked = {**BASE, "agents": ["panel"], "games": 2000, "search_games": 110}
    flip, keep = cells(read_study(asked))
    assert (flip.base.designs, flip.is_cut) == (100, False)
    assert (keep.base.designs, keep.is_cut) == (5, True)  # designs of 20 games; never more than was allowed
    assert cells(read_study({**asked, "search_games": 1}))[1].base.designs == 1
    (_, whole) = cells(read_study({**asked, "agents": ["panel", "keep"]}))
    assert (whole.base.designs, whole.is_cut) == (100, False)
    assert whole.base.seed == keep.base.seed  # it begins with the same games
    found = experiments.finding_of(asked, jobs=1)
    assert found.notes == [
        "keep searches, which is slow: it played 100 games a cell (search_games), so its intervals are wider than "
        "those of the others"
    ]
    assert found.table.groupby("agents")["games"].max().to_dict() == {"flip": 2000, "keep": 100}


def test_a_search_plays_fewer_games_at_every_level_too(toy_panel):
    asked = {"game": "boss", "modes": ["solo"], "agents": ["panel"], "games": 100, "search_games": 60}
    flip, keep = (cell.prepare() for cell in cells(read_study(asked)))
    assert keep.games <= 60 < flip.games


def test_run_returns_a_table_with_the_axes():
    table = experiments.run({**BASE, "agents": ["flip", "keep"], "rules": {"a": {}, "b": {"handicap.bears": 9}}})
    bears = table[(table["table"] == "band") & (table["name"] == "bears")].set_index(["rules", "agents"])
    assert bears.loc[("b", "keep"), "win_share"] > bears.loc[("a", "keep"), "win_share"] == 0.25
    assert set(bears["verdict"]) <= {"balanced", "off", "not enough games"}
    assert (table.groupby("cell")["seed"].nunique() == 1).all()


def test_a_study_object_in_a_notebook(tmp_path):
    plan = experiments.Study(game="toy", agents=("flip",), players=(4,), games=100)
    first = experiments.run(plan, tmp_path / "kept", jobs=1)
    start = time.perf_counter()
    pd.testing.assert_frame_equal(experiments.run(plan, tmp_path / "kept"), first)
    assert time.perf_counter() - start < 5
    assert stored_study(tmp_path / "kept") == read_study(plan)


def test_reading_never_drops_a_column(tmp_path):
    plan = read_study({**BASE, "modes": ["standard"], "agents": ["flip", "keep"]})
    play_study(plan, tmp_path / "s")
    seats = raw(tmp_path / "s", "seats")
    one = pd.read_parquet(tmp_path / "s" / CELLS / cells(plan)[0].name / "seats.parquet")
    assert set(one.columns) <= set(seats.columns)
    assert len(seats) == 2 * len(one)


def test_a_changed_plan_is_refused_with_the_difference(tmp_path):
    play_study(study(), tmp_path / "s")
    with pytest.raises(UsageError, match="holds another plan") as caught:
        play_study(study(margin=1.0, rules={"printed": {"handicap.bears": 2}}), tmp_path / "s")
    assert "margin: 2.0 there, 1.0 now" in str(caught.value)
    assert "rules.printed.handicap.bears: absent there, 2 now" in str(caught.value)


def test_a_changed_rules_file_is_refused(tmp_path):
    (tmp_path / "mine.toml").write_text("[options]\nfast = 1\n")
    plan = study(game="overdrive", agents=["random"], rules={"mine": {"file": str(tmp_path / "mine.toml")}})
    (tmp_path / "mine.toml").write_text("[hits.back_in_box]\nprice = 7\n")
    from experiments.running import open_folder

    open_folder(plan, cells(plan), tmp_path / "s")
    (tmp_path / "mine.toml").write_text("[hits.back_in_box]\nprice = 6\n")
    with pytest.raises(UsageError, match=r"rules_files\.mine"):
        open_folder(plan, cells(plan), tmp_path / "s")


def test_a_folder_of_other_things_is_refused(tmp_path):
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "letter.txt").write_text("dear")
    with pytest.raises(UsageError, match=r"no study\.json"):
        play_study(study(), tmp_path / "s")
    (tmp_path / "s" / "study.json").write_text("{")
    with pytest.raises(UsageError, match="not the description of a plan"):
        play_study(study(), tmp_path / "s")


def test_an_interrupt_loses_the_units_under_way_and_the_rest_goes_on(tmp_path):
    plan = study(agents=["flip", "keep"], games=400)

    def stop(cell, number, of):
        def progress(done, total):
            if number == 1 and done >= 200:
                raise KeyboardInterrupt

        return progress

    with pytest.raises(KeyboardInterrupt):
        play_study(plan, tmp_path / "s", How(jobs=1, unit_games=40), progress=stop)
    play_study(plan, tmp_path / "s", How(jobs=2, unit_games=100))
    play_study(plan, tmp_path / "whole")
    for cell in cells(plan):
        for name in ("games", "seats"):
            file = f"{CELLS}/{cell.name}/{name}.parquet"
            assert (tmp_path / "s" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()


def test_parts_are_the_whole():
    for blocks in (1, 7, 100):
        for of in (1, 2, 3, 9):
            parts = [Part(k, of).blocks(blocks) for k in range(1, of + 1)]
            assert parts[0][0] == 0
            assert parts[-1][1] == blocks
            assert all(one[1] == other[0] for one, other in itertools.pairwise(parts))
    for text in ("3/2", "0/2", "a/b", "2", "1/0"):
        with pytest.raises(UsageError, match="K/N"):
            Part.read(text)


def test_manifests_say_what_was_played_with_what(tmp_path):
    plan = study(game="overdrive", agents=["greedy:without=hits"], games=1)
    (cell,) = cells(plan)
    from experiments.running import cell_store

    store = cell_store(cell, tmp_path / "c", plan.margin)
    store.close()
    manifest = json.loads((tmp_path / "c" / "manifest.json").read_text())
    assert manifest["agents"]["greedy:without=hits"]["without"] == "hits"
    assert manifest["agents"]["greedy:without=hits"]["w_die"] > 0
    assert manifest["sources"]["house"] > 0 < manifest["sources"]["printed"]
    assert len(manifest["plan_hash"]) == 16
    assert {"rules_hash", "engine", "seed"} <= set(manifest["run"])


# ------------------------------------------------------------------ the panel
def rows(*answers):
    table = pd.DataFrame(
        [
            {
                "mode": "standard", "players": 4, "rules": "printed", "seed": 1, "agents": f"agent {k}",
                "table": "band", "name": "bears", "games": 100,
                "win_share": 0.25 + excess, "low": 0.2, "high": 0.3, "fair": 0.25,
                "excess": excess, "verdict": verdict,
            }
            for k, (verdict, excess) in enumerate(answers)
        ]
    )  # fmt: skip
    (row,) = panel_table(table).to_dict("records")
    return row


def test_the_panel_says_what_flips():
    assert rows(("off", 0.05), ("off", 0.02))["flips"] == HOLDS
    assert rows(("balanced", 0.0), ("balanced", 0.01))["flips"] == HOLDS
    assert rows(("off", 0.05), ("balanced", 0.0))["flips"] == FLIPS
    assert rows(("off", 0.05), ("off", -0.05))["flips"] == FLIPS
    assert rows(("off", 0.05), ("not enough games", 0.01))["flips"] == OPEN
    assert rows(("off", 0.05), ("not enough games", 0.01))["decided"] == 1
    assert rows(("off", 0.05), ("balanced", 0.0), ("not enough games", 0.01))["flips"] == FLIPS
    row = rows(("off", 0.05), ("balanced", -0.01))
    assert (row["least"], row["most"]) == (pytest.approx(0.24), pytest.approx(0.30))
    assert (row["least_agent"], row["most_agent"]) == ("agent 1", "agent 0")


def test_what_prepares_a_plan_is_kept():
    (cell,) = cells(study())
    assert cell.prepare() is prepare(cell.plan)
    assert isinstance(study(), Study)
