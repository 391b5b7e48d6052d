"""Win shares with and without something: sums against plain pandas, intervals against simulation, rates."""

import numpy as np
import pandas as pd
import pytest

from experiments.balance import finding, open_store, play_run, write_summary
from experiments.holdings import (
    ALIKE,
    FEWER,
    MORE,
    NOTHING,
    UNDECIDED,
    Split,
    held_splits,
    holding_table,
    merge,
    taken_splits,
    taken_table,
)
from experiments.plan import Plan, prepare
from experiments.rates import rate_table
from experiments.report.usage import usage_sections
from experiments.summary import Summary, by_blocks, summarise
from metalmania_sim.game import METALMANIA
from simcore.usage import Rates, Taken

CARD = Taken("took_", "shown_", "takes_", "took")
PLAYERS = 3


def rows(blocks, seed, gap=0.0, a_block=2):
    """Games of one winner each; who holds the card wins more often by ``gap``; luck is shared within a block."""
    rng = np.random.default_rng(seed)
    games = blocks * a_block
    block = np.repeat(np.arange(blocks), a_block)
    takes = rng.random((games, PLAYERS)) < np.repeat(rng.uniform(0.1, 0.7, blocks), a_block)[:, None]
    weight = 1 + 3 * gap * takes + np.repeat(rng.random((blocks, PLAYERS)), a_block, axis=0)
    winner = (np.cumsum(weight, axis=1) / weight.sum(axis=1)[:, None] < rng.random((games, 1))).sum(axis=1)
    seats = pd.DataFrame(
        {
            "game": np.repeat(np.arange(games), PLAYERS),
            "block": np.repeat(block, PLAYERS),
            "seat": np.tile(np.arange(PLAYERS), games),
            "win_share": (np.arange(PLAYERS) == winner[:, None]).ravel().astype(float),
            "took_ace": takes.ravel(),
            "label": np.where(takes.ravel(), "red", rng.choice(["blue", NOTHING], games * PLAYERS)),
        }
    )
    shown = takes.sum(axis=1) + rng.integers(0, 2, games)
    return pd.DataFrame({"block": block, "shown_ace": shown, "takes_ace": takes.sum(axis=1)}), seats


def test_sums_are_those_of_the_rows():
    games, seats = rows(60, 1)
    one = taken_splits(games, seats, CARD)["ace"]
    offered = np.repeat(games["shown_ace"].to_numpy() > 0, PLAYERS)
    took = seats["took_ace"].to_numpy()
    assert one.share == pytest.approx(seats.loc[took, "win_share"].mean())
    assert one.other == pytest.approx(seats.loc[offered & ~took, "win_share"].mean())
    assert one.sums[2] == (offered & ~took).sum()
    assert (one.blocks, one.held) == (60, seats.loc[took, "block"].nunique())
    assert (one.offers, one.times) == (games["shown_ace"].sum(), games["takes_ace"].sum())
    held = held_splits(seats, "label")
    assert set(held) == {"red", "blue", NOTHING}
    assert held["blue"].share == pytest.approx(seats.loc[seats["label"] == "blue", "win_share"].mean())
    assert held["red"].pooled == pytest.approx(seats.loc[seats["label"] != NOTHING, "win_share"].mean())


def test_errors_are_those_of_a_jackknife():
    """The linearised error against leaving out one block at a time (Cochran 1977, 6.17)."""
    games, seats = rows(150, 2, gap=0.3)
    one = taken_splits(games, seats, CARD)["ace"]
    without = []
    for block in range(150):
        here = seats["block"] != block
        without.append(taken_splits(games[games["block"] != block], seats[here], CARD)["ace"])
    for value, error in (("share", one.error), ("pooled", None)):
        jack = np.array([getattr(split, value) for split in without])
        expected = np.sqrt(149 / 150 * ((jack - jack.mean()) ** 2).sum())
        if error is not None:
            assert error == pytest.approx(expected, rel=0.03)
    gaps = np.array([split.share - split.other for split in without])
    assert one.difference_error == pytest.approx(np.sqrt(149 / 150 * ((gaps - gaps.mean()) ** 2).sum()), rel=0.03)
    gaps = np.array([split.share - split.pooled for split in without])
    assert one.excess_error == pytest.approx(np.sqrt(149 / 150 * ((gaps - gaps.mean()) ** 2).sum()), rel=0.03)


@pytest.mark.slow
def test_intervals_cover_the_truth():
    """Without any effect the interval of the difference holds 0 in 93 to 97 of 100 runs, the answers stay open."""
    inside, answers = 0, []
    for seed in range(400):
        table = taken_table("card", taken_splits(*rows(120, 1000 + seed), CARD))
        inside += bool(table["excess_low"][0] <= 0 <= table["excess_high"][0])
        answers.append(table["verdict"][0])
    assert 0.93 <= inside / 400 <= 0.97
    assert sum(answer in (MORE, FEWER) for answer in answers) < 400 * 0.08


def test_answers():
    assert taken_table("card", taken_splits(*rows(2000, 3, gap=0.5), CARD))["verdict"].tolist() == [MORE]
    assert taken_table("card", taken_splits(*rows(2000, 3, gap=-0.3), CARD))["verdict"].tolist() == [FEWER]
    assert taken_table("card", taken_splits(*rows(12_000, 5), CARD))["verdict"].tolist() == [ALIKE]
    few = taken_table("card", taken_splits(*rows(5, 4), CARD))
    assert few["verdict"].tolist() == [UNDECIDED]
    assert (few["excess_low"][0], few["excess_high"][0]) == (-1, 1)
    nobody = Split(10, sums=np.array([0, 0, 20, 840 * 5]))
    assert np.isnan(nobody.interval()).all()
    judged = holding_table("label", held_splits(rows(400, 6, gap=0.5)[1], "label"))
    assert judged["name"].tolist() == ["red", "blue"]
    assert judged["verdict"].tolist() == ["off", "off"]


def test_parts_add_up_to_the_whole():
    """Also where a value stands in one part alone."""
    games, seats = rows(80, 7)
    seats.loc[seats["block"] < 30, "label"] = seats["label"].replace("blue", "red")
    whole = {**held_splits(seats, "label"), **taken_splits(games, seats, CARD)}
    merged = {}
    for low, high in ((0, 30), (30, 31), (31, 80)):
        here = seats["block"].between(low, high - 1)
        merge(merged, held_splits(seats[here], "label"))
    cards = {}
    for low, high in ((0, 30), (30, 80)):
        at, here = (table["block"].between(low, high - 1) for table in (games, seats))
        merge(cards, taken_splits(games[at], seats[here], CARD))
    for name, one in whole.items():
        other = {**merged, **cards}[name]
        assert (one.blocks, one.held, one.offers, one.times) == (other.blocks, other.held, other.offers, other.times)
        assert (one.sums == other.sums).all()
        assert (one.products == other.products).all()


# ------------------------------------------------------------------ a run of Metal Mania
@pytest.fixture(scope="module")
def run(tmp_path_factory):
    prepared = prepare(Plan(game="metalmania", players=3, agents=("greedy",), designs=3))
    folder = tmp_path_factory.mktemp("run")
    store = open_store(prepared, folder)
    play_run(prepared, store, 1)
    store.close()
    return folder


def test_a_run_of_metal_mania_shows_boards_companies_and_artists(run):
    found = finding(run)
    assert found.subject == "band"
    assert {one.name for one in found.verdicts["band"]} == {f"board_{k}" for k in range(1, 6)}
    assert {one.games for one in found.verdicts["band"]} == {found.summary.games * 3 // 5}
    seats = pd.read_parquet(run / "seats.parquet")
    assert found.holdings["company"]["games"].sum() == (seats["company"] != NOTHING).sum()
    artists = found.takings["artist"]
    assert len(artists) == 50
    assert artists["times"].sum() == seats["auditions"].sum()
    assert artists["games"].sum() == seats.filter(like="hired_").to_numpy().sum()
    assert write_summary(found)
    assert not write_summary(found)
    assert len(pd.read_csv(run / "artists.csv")) == 50
    assert set(pd.read_csv(run / "summary.csv")["table"]) == {"band", "seat", "company", "game"}


def test_rates_are_those_of_the_rows(run):
    """Fame by source is all fame; a turn has one event; Steps 3 done, skipped and cut short are all turns."""
    found, seats = finding(run), pd.read_parquet(run / "seats.parquet")
    tables = {rates.title: rate_table(found.summary, rates) for rates in METALMANIA.rates(METALMANIA.rules())}
    fame = tables["Where fame comes from"]
    assert fame["a_game"].sum() == pytest.approx(seats["score"].sum() / found.summary.games)
    assert fame["share"].sum() == pytest.approx(1)
    won = seats[seats["win_share"] > 0]
    assert fame["winners"].sum() == pytest.approx(won["score"].sum() / won["turns"].sum())
    assert tables["Events (after the paid shift)"]["rate"].sum() == pytest.approx(1, abs=0.001)
    assert (
        seats[["did_perform", "did_record", "did_advertise", "skipped", "early_end"]].sum(axis=1) == seats["turns"]
    ).all()
    assert (seats["early_end"] >= 0).all()
    empty = rate_table(found.summary, Rates("nothing", {"a": "no_such_column"}))
    assert empty.empty


def test_the_page_shows_them(run):
    sections = {section.anchor: section for section in usage_sections(finding(run))}
    assert set(sections) == {"by-company", "by-artist", "rates"}
    assert len(sections["by-artist"].tables[0].rows) == len(finding(run).takings["artist"].dropna(subset=["excess"]))
    assert sections["rates"].tables[0].caption == "Where fame comes from"


def test_means_of_games_have_intervals_from_blocks(run):
    found, games = finding(run), pd.read_parquet(run / "games.parquet")
    blocks = games.groupby("block")["turns"].mean()
    row = found.lengths.set_index("name").loc["turns"]
    assert row["mean"] == pytest.approx(games["turns"].mean())
    assert row["high"] - row["low"] == pytest.approx(2 * 2.04523 * blocks.std() / len(blocks) ** 0.5, rel=1e-4)
    parts = Summary(3)
    for piece in zip(by_blocks(run, "games", 7), by_blocks(run, "seats", 7), strict=True):
        parts.add(summarise(*piece, METALMANIA))
    assert parts.lengths["turns"] == found.summary.lengths["turns"]
    assert parts.winners == found.summary.winners
    for name, one in found.summary.splits["company"].items():
        assert (one.products == parts.splits["company"][name].products).all()


def test_boards_that_are_named_are_not_judged(tmp_path):
    plan = Plan(game="metalmania", players=2, agents=("random",), designs=2, variant='{"boards": [4, 2]}')
    prepared = prepare(plan)
    store = open_store(prepared, tmp_path)
    play_run(prepared, store, 1)
    store.close()
    found = finding(tmp_path)
    assert found.subject == "seat"
    assert "band" not in found.verdicts
    seats = pd.read_parquet(tmp_path / "seats.parquet")
    assert (seats["band"] == np.tile(["board_4", "board_2"], len(seats) // 2)).all()
