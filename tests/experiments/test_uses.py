"""Offers and picks by what they are about, against counts by hand and the engines' own tallies."""

import numpy as np
import pandas as pd
import pytest

from experiments.metrics import collect
from experiments.plan import Plan, prepare
from experiments.rates import rate_table, with_limits
from experiments.records import Choice, record_game, things_of
from experiments.statistics import clopper_pearson
from experiments.summary import summarise_run
from experiments.uses import band_table, never_offered, use_table
from simcore.subjects import ACTION, Subject
from tests.experiments.conftest import toy_plan
from tests.experiments.test_metrics import course
from tests.experiments.test_sameness import play


def test_offers_and_picks_by_hand():
    choices = [
        Choice(0, 1, "keep", ("keep", "gamble"), 2, "keep"), Choice(0, 2, "gamble", ("keep", "gamble"), 2, "gamble"),
        Choice(1, 1, "keep", ("keep",), 1, "keep"),
    ]  # fmt: skip
    rows = collect([course([0, 0], [1, 0], number=k, choices=choices) for k in range(3)]).uses
    table = use_table(rows).set_index("option")
    assert table.loc["keep", ["offered", "picked", "used_in"]].tolist() == [1.5, 1.0, 1.0]
    assert table.loc["gamble", ["offered", "picked", "used_in", "first_round"]].tolist() == [1.0, 0.5, 0.5, 2.0]
    assert table.loc["gamble", "pick_rate"] == 0.5
    assert table.loc["gamble", ["users_win", "users_high"]].tolist() == [1, 1]
    assert table.loc["gamble", "users_low"] == pytest.approx(clopper_pearson(3, 3, 3)[0])
    split = use_table(rows, "seat").set_index(["option", "seat"])
    assert split.loc[("keep", 1), "offered"] == 1
    assert split.loc[("keep", 1), "seats"] == 3


def test_what_is_never_taken_has_limits_all_the_same():
    choices = [Choice(0, 1, "keep", ("keep", "gamble"), 2, "keep")]
    table = use_table(collect([course([0, 0], [1, 0], number=k, choices=choices) for k in range(20)]).uses)
    row = table.set_index("option").loc["gamble"]
    assert (row["pick_rate"], row["low"]) == (0, 0)
    assert row["high"] == pytest.approx(clopper_pearson(0, 0, 20)[1])
    assert np.isnan(row[["users_win", "users_low", "users_high"]].astype(float)).all()


def test_limits_of_a_pick_rate_cover():
    # Blocks of four games; the chance to take an offer and the number of offers differ from block to block.
    rng = np.random.default_rng(3)
    covered = []
    for _ in range(150):
        offered = rng.integers(1, 6, (40, 4))
        picked = rng.binomial(offered, rng.beta(4, 6, (40, 1)))
        uses = pd.DataFrame(
            {
                "game": np.arange(160), "block": np.repeat(np.arange(40), 4), "seat": 0, "band": "a", "option": "x",
                "kind": ACTION, "name": "x", "way": "", "offered": offered.ravel(), "picked": picked.ravel(),
                "first_round": 1, "win_share": 0.5,
            }
        )  # fmt: skip
        row = use_table(uses).iloc[0]
        covered.append(row["low"] <= 0.4 <= row["high"])
    assert 0.9 <= np.mean(covered) <= 0.99


def test_bands_by_hand():
    rows = collect([course([0, 0], [1, 0], number=k, choices=[Choice(s, 1, "x", ("x",), 1, "x") for s in (0, 1)])
                    for k in range(4)]).uses  # fmt: skip
    table = band_table(rows).set_index("band")
    assert table.loc["a", ["seats", "games_share", "win_share"]].tolist() == [4, 1, 1]
    assert table.loc["b", "win_share"] == 0
    assert (table["high"] > table["low"]).all()


def test_a_game_that_says_nothing_is_read_by_its_texts():
    prepared = toy_plan(designs=1)
    record = record_game(prepared, 0)
    assert record.subjects["keep"] == Subject(ACTION, "keep")
    assert things_of(prepared.game, prepared.rules) == {}


def played(game, players, agent):
    prepared = prepare(Plan(game, players, (agent,)))
    records = [record_game(prepared, number) for number in range(prepared.design.games_per_block)]
    games, seats = (table.to_pandas() for table in prepared.play(0, 1))
    return prepared, collect(records).uses, games, seats


def picks(uses, kind, way=None):
    """Picks a name of a kind (and way), all games and seats together."""
    at = uses[(uses["kind"] == kind) & (uses["picked"] > 0) & ((uses["way"] == way) if way else True)]
    return at.groupby("name")["picked"].sum()


def test_metal_mania_by_subject_agrees_with_its_tally():
    prepared, uses, games, seats = played("metalmania", 2, "greedy")
    for name, times in picks(uses, "artist").items():
        assert times == games[f"hires_{name}"].sum()
    assert picks(uses, "artist").sum() == seats["auditions"].sum() > 0
    offered = uses[uses["kind"] == "artist"].groupby("name")["offered"].sum()
    assert {name: games[f"offered_{name}"].sum() > 0 for name in offered.index} == dict.fromkeys(offered.index, True)
    for bonus, times in picks(uses, "bonus").items():
        assert times == seats[[f"own_{bonus}", f"other_{bonus}"]].to_numpy().sum()
    assert picks(uses, "event", "shift to").sum() == games[["shifts_down", "shifts_up"]].to_numpy().sum() > 0
    for event, times in picks(uses, "event", "keep").items():  # events that nobody could shift happen unasked
        assert times <= games[f"event_{event.split()[0]}"].sum()
    assert picks(uses, "company").sum() == (seats["company"] != "none").sum()
    things = things_of(prepared.game, prepared.rules)
    assert all(set(uses[uses["kind"] == kind]["name"]) <= set(names) for kind, names in things.items())
    assert len(things["event"]) == 11
    assert never_offered(uses, {"artist": ("nobody",), "bonus": things["bonus"]})["artist"] == ["nobody"]


def test_overdrive_by_subject_agrees_with_what_seats_own():
    prepared, uses, _, seats = played("overdrive", 2, "greedy")
    bought = uses[(uses["way"] == "buy hit") & (uses["picked"] > 0)].groupby(["game", "seat"])["picked"].sum()
    owned = seats.set_index(["game", "seat"])["hits"]
    assert (bought == owned[bought.index]).all()
    assert bought.sum() == owned.sum() > 0
    claimed = set(uses[(uses["kind"] == "award") & (uses["picked"] > 0)].set_index(["game", "seat", "name"]).index)
    assert {key for key in seats.set_index(["game", "seat", "award"]).index if key[2] != "none"} <= claimed
    used = uses[(uses["way"] == "play card") & (uses["picked"] > 0)].groupby(["game", "seat"])["picked"].sum()
    assert used.sum() == seats["cards_used"].sum()
    things = things_of(prepared.game, prepared.rules)
    for kind in ("space", "hit", "card", "award"):
        assert set(uses[uses["kind"] == kind]["name"]) <= set(things[kind])
    abilities = uses[uses["way"] == "use ability"]
    assert {name.rpartition(" ")[0] for name in abilities["name"]} <= set(prepared.bands)
    assert set(abilities["name"]) <= set(things["ability"])
    assert len(things["space"]) == 11


@pytest.mark.parametrize("game", ["overdrive", "metalmania"])
def test_different_subjects_have_different_options(game):
    prepared = prepare(Plan(game, 2, ("random",)))
    for number in range(2):
        record = record_game(prepared, number)
        assert all(about.option == option for option, about in record.subjects.items())
        assert len(set(record.subjects.values())) == len(record.subjects)
        assert {choice.picked for choice in record.choices} <= set(record.subjects)


def test_rates_of_a_run_have_limits(tmp_path):
    prepared = prepare(Plan("metalmania", 2, ("random",), designs=5))
    folder = play(tmp_path / "run", prepared, 1, 1000)
    events = next(one for one in prepared.game.rates(prepared.rules) if one.title.startswith("Events"))
    table = with_limits(rate_table(summarise_run(folder), events), folder, events)
    assert len(table) == 11
    games = pd.read_parquet(folder / "games.parquet")
    sums = games.groupby("block")[["event_7", "turns"]].sum()
    ratio = sums["event_7"].sum() / sums["turns"].sum()
    seven = table[table["name"].str.startswith("7 ")].iloc[0]
    assert seven["rate"] == pytest.approx(ratio)
    assert seven["low"] < ratio < seven["high"]
    # The same limits from the residuals of the ratio, block by block.
    rest = (sums["event_7"] - ratio * sums["turns"]) / sums["turns"].mean()
    error = rest.std(ddof=1) / np.sqrt(len(rest))
    assert (seven["high"] - seven["low"]) / 2 == pytest.approx(2.0096 * error, rel=1e-3)
    assert len(sums) == 50
