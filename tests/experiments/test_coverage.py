"""Coverage runs: counts against a plain oracle, what never happens, the check; both games reach what they should."""

import json

import numpy as np
import pytest

from experiments.coverage import BRANCH, find_coverage
from simcore import registry
from simcore.errors import UsageError
from simcore.kernel import COMPILER_OFF
from tests.experiments.conftest import ROOT  # noqa: F401 (the fixture that declares the games)


def counts(found):
    return found.table.set_index(["group", "name"])


def test_counts_add_up_over_settings_and_agents():
    found = find_coverage("boss", ("flip", "keep"), 6)
    table = counts(found)
    assert found.played == 6 * 2 * 4
    assert found.settings == ("solo", "coop", "strong", "the same")
    # Eight rounds; a six may not be gambled but is kept all the same.
    assert table.loc[("choice", slice(None)), "flip"].sum() == 6 * 8 * (1 + 2 + 1 + 1)
    assert table.loc[("choice", "keep"), "keep"] == 6 * 8 * 5
    assert table.loc[("choice", "gamble"), "keep"] == 0
    assert table.loc[("choice", "keep"), "games"] == 48
    assert table.loc[("end", "boss wins"), "uses"] == 12


def test_a_branch_counts_games_that_come_out_otherwise():
    table = counts(find_coverage("boss", ("flip",), 6))
    assert table.loc[(BRANCH, "strength=90"), "uses"] == 6
    assert table.loc[(BRANCH, "strength=2"), "uses"] == 0


def test_what_never_happened_with_and_without_a_reason():
    found = find_coverage("boss", ("flip",), 6)
    assert found.never["name"].tolist() == ["sing", "unfinished", "strength=2"]
    assert found.unexplained["name"].tolist() == ["sing", "strength=2"]


def test_workers_do_not_matter():
    one, two = (find_coverage("boss", ("flip",), 5, jobs=jobs).table for jobs in (1, 3))
    assert one.equals(two)
    assert not one.equals(find_coverage("boss", ("flip",), 5, seed=2).table)


def test_players_and_options_choose_the_settings():
    assert find_coverage("boss", ("keep",), 1, players=(2,)).settings == ("coop",)
    assert find_coverage("boss", ("keep",), 1, branches=False).settings == ("solo", "coop")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"name": "toy"}, "toy does not say what there is to reach"),
        ({"games": 0}, "games: 0 is too few"),
        ({"jobs": 0}, "jobs: 0 is too few"),
        ({"players": (7,)}, r"players: 7 fit no setting \(allowed: 1, 2\)"),
        ({"overrides": {"strength.esy": 1}}, "did you mean 'strength.easy'"),
    ],
)
def test_what_is_refused(arguments, words):
    with pytest.raises(UsageError, match=words):
        find_coverage(**{"name": "boss", "agents": ("flip",), "games": 1, **arguments})


def test_the_command(soundcheck):
    done = soundcheck("coverage", "boss", "--agent", "flip", "--games", "5", "--quiet", "--check", code=1)
    lines = done.stdout.splitlines()
    assert lines[0] == "boss: 20 games in 4 settings, all seats played by one of: flip"
    assert lines[2] == "Never happened (3 of 7):"
    assert lines[3] == "  choice: sing (NO REASON DECLARED)"
    assert "  end: unfinished (may be: it has eight rounds)" in lines
    assert soundcheck("coverage", "boss", "--agent", "flip", "--games", "5", "--quiet").stdout == done.stdout


def test_json(soundcheck):
    done = soundcheck("coverage", "boss", "--agent", "flip", "--games", "5", "--quiet", "--json", "--players", "2")
    data = json.loads(done.stdout)
    assert data["unexplained"] == ["choice: sing", "end: boss wins"]
    assert data["never"] == ["choice: sing", "end: boss wins", "end: unfinished"]
    assert {row["name"] for row in data["uses"]} == {"keep", "gamble", "sing", "boss wins", "unfinished"}


# ------------------------------------------------------------------ the games
@pytest.mark.parametrize("name", ["overdrive", "metalmania"])
def test_every_reason_names_something_that_is_counted(name):
    game = registry.game(name)
    told = game.coverage()
    rules = game.rules()
    one = told.settings[0]
    engine = game.engine
    groups = told.uses(rules, np.zeros(1, engine.result), np.zeros(1, [("status", "i8")]), np.zeros(1, engine.tally))
    known = {f"{group}: {thing}" for group, things in groups.items() for thing in things}
    known |= {f"{BRANCH}: {setting.branch}" for setting in told.settings if setting.branch}
    assert set(told.unreachable) <= known
    names = [setting.name for setting in told.settings]
    assert len(set(names)) == len(names)
    assert one.name in names
    assert {setting.against for setting in told.settings if setting.branch} <= set(names)


@pytest.mark.filterwarnings("ignore:four humans and Metallum")
@pytest.mark.parametrize("name", ["overdrive", "metalmania"])
def test_settings_can_all_be_set_up(name):
    game = registry.game(name)
    for setting in game.coverage().settings:
        rules = game.rules(setting.overrides)
        bands = game.entrants(rules, setting.variant)
        line_up = {"bands": list(bands[: setting.variant["players"]])} if bands else {}
        assert len(game.setup({**setting.variant, **line_up}, rules)) == 1


@pytest.mark.skipif(COMPILER_OFF, reason="some ten thousand games: an hour without the compiler")
@pytest.mark.parametrize(("name", "games"), [("overdrive", 40), ("metalmania", 60)])
def test_random_and_greedy_play_reach_everything_that_they_ought_to(name, games):
    """Every space, card, ability, event, option branch and end happens, or a reason is declared why it may not."""
    found = find_coverage(name, ("random", "greedy"), games)
    assert found.unexplained[["group", "name"]].to_numpy().tolist() == []
