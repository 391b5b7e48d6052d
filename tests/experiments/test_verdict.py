"""Summaries of rows, and the three answers."""

import itertools

import numpy as np
import pandas as pd
import pytest

from experiments.statistics import games_for_equivalence
from experiments.summary import Group, Summary, length_table, parts, summarise
from experiments.verdict import BALANCED, OFF, UNDECIDED, assess, closing, frame, games_needed, spoken, tables
from tests.experiments.conftest import toy_plan


@pytest.fixture(scope="module")
def rows():
    games, seats = toy_plan(designs=30, bears=2).play(0, 150)
    return games.to_pandas(), seats.to_pandas()


def part(rows, first, last):
    games, seats = rows
    return summarise(games[games["block"].between(first, last - 1)], seats[seats["block"].between(first, last - 1)])


@pytest.mark.parametrize("cuts", [(0, 150), (0, 1, 150), (0, 7, 8, 100, 150)])
def test_merged_parts_are_the_whole(rows, cuts):
    merged = Summary(4)
    for first, last in itertools.pairwise(cuts):
        merged.add(part(rows, first, last))
    whole = summarise(*rows)
    assert merged == whole
    assert frame(merged, tables(merged)).equals(frame(whole, tables(whole)))


def test_a_summary_is_what_pandas_says(rows):
    games, seats = rows
    summary = summarise(games, seats)
    assert summary.games == len(games) == 600
    by_block = seats.groupby(["band", "block"])["win_share"].mean()
    for band, group in summary.groups["band"].items():
        means = group.means
        assert means.mean == pytest.approx(by_block[band].mean())
        assert means.variance == pytest.approx(by_block[band].var())
        assert means.blocks == by_block[band].size
        assert group.mean("score") == pytest.approx(seats.loc[seats["band"] == band, "score"].mean())
    assert summary.forced_share == pytest.approx(seats["forced"].sum() / (seats["forced"] + seats["decisions"]).sum())
    assert summary.share_of("tied") == pytest.approx(games["tied"].mean())
    assert parts(summary) == ["points_start", "points_dice"]
    length = length_table(summary).set_index("name").loc["steps"]
    assert (length["mean"], length["least"], length["most"]) == (32, 32, 32)


def test_unfinished_games_stay_in_the_denominator(rows):
    games, seats = rows[0].copy(), rows[1].copy()
    lost = games["game"] % 2 == 0
    games.loc[lost, "unfinished"] = True
    seats.loc[seats["game"] % 2 == 0, "win_share"] = 0.0
    summary = summarise(games, seats)
    shares = [group.means.mean for group in summary.groups["seat"].values()]
    assert sum(shares) == pytest.approx(0.5)
    assert summary.share_of("unfinished") == 0.5
    assert summary.games == 600


def test_ties_are_split_without_rounding():
    games, players = 6, 6
    seats = pd.DataFrame(
        {
            "game": np.repeat(np.arange(games), players), "block": 0, "seat": np.tile(np.arange(players), games),
            "win_share": 1 / 6, "score": 1, "decisions": 1, "forced": 0,
        }
    )  # fmt: skip
    summary = summarise(pd.DataFrame({"game": range(games), "block": 0, "tied": True}), seats)
    assert [group.means.mean for group in summary.groups["seat"].values()] == [1 / 6] * 6


def group(share, blocks, games=4, effect=1.0):
    """Sums of a band whose block means have this mean and this variance."""
    from experiments.summary import SHARE_UNIT

    unit = SHARE_UNIT * games
    mean, variance = share * unit, effect * share * (1 - share) / games * unit**2
    total = round(mean * blocks)
    return Group(blocks, blocks * games, total, round(variance * (blocks - 1) + total * total / blocks))


def answers(*shares, blocks, margin=0.02):
    found = assess({str(k): group(share, blocks) for k, share in enumerate(shares)}, 4, 4 * blocks, margin)
    return [one.answer for one in found]


def test_the_three_answers():
    assert answers(0.25, 0.312, blocks=10_000) == [BALANCED, OFF]
    assert answers(0.25, 0.27, blocks=200) == [UNDECIDED, UNDECIDED]


def test_a_real_but_small_difference_is_balance():
    assert answers(0.255, blocks=1_000_000) == [BALANCED]
    assert answers(0.255, blocks=1_000_000, margin=0.004) == [OFF]


def test_no_difference_found_is_not_balance():
    (one,) = assess({"x": group(0.25, 300)}, 4, 1200)
    assert one.p_value > 0.9
    assert one.answer == UNDECIDED
    assert one.needed > 1200


def test_holm_guards_against_many_bands():
    few, many = answers(0.27, blocks=500), answers(0.27, *[0.25] * 23, blocks=500)
    assert few[0] == OFF
    assert many[0] == UNDECIDED


def test_a_finding_reads_as_a_sentence():
    (one,) = assess({"dead_and_death": group(0.312, 5_600)}, 4, 20_000)
    assert one.sentence(4) == (
        "Dead and death win 31.2 % of 4-player games (95 %: 30.6 to 31.8; fair is 25): off by +6.2 pp"
    )
    (one,) = assess({"dead_and_death": group(0.25, 10_000)}, 4, 110_000)
    assert one.short == "balanced (within 2 pp)"
    (one,) = assess({"apes": group(0.265, 3_000)}, 4, 20_000)
    assert "perhaps by no more than the margin of 2 pp" in one.sentence(4)


def test_the_closing_names_everyone():
    found = assess({"a": group(0.3, 5_000), "b": group(0.25, 5_000), "c_d": group(0.262, 600)}, 4, 30_000)
    text = closing(found, "bands")
    assert "1 of 3 bands are off: A +5.0 pp." in text
    assert "Balanced within 2 pp: B." in text
    assert "Not enough games to tell: C d; about" in text
    calm = assess({"a": group(0.25, 50_000), "b": group(0.25, 50_000)}, 4, 200_000)
    assert closing(calm, "bands") == "All 2 bands are balanced within 2 pp."


def test_the_games_needed_decide():
    games = games_needed(0.0, 0.25, 0.02, 11, 1.0)
    assert games == games_for_equivalence(0.25, 0.02)
    assert answers(0.25, blocks=games // 4 + 1) == [BALANCED]
    assert games_needed(0.019, 0.25, 0.02, 1, 1.0) < games_for_equivalence(0.25, 0.02, 0.019)


@pytest.mark.parametrize(("gap", "expected"), [(0.0, 0.10), (0.025, 0.05)])
def test_false_verdicts_stay_at_their_nominal_rate(gap, expected):
    rng = np.random.default_rng(5)
    wrong = 0
    for _ in range(600):
        means = rng.binomial(4, 0.25 + gap, 600) / 4
        total = round(float(means.sum()) * 3360)
        squares = round(float((means**2).sum()) * 3360**2)
        (one,) = assess({"x": Group(600, 2400, total, squares)}, 4, 2400, margin=0.02)
        wrong += one.answer == (OFF if gap == 0 else BALANCED)
    assert wrong / 600 <= expected


def test_names_are_spoken():
    assert spoken("illuminatti_you_2") == "Illuminatti you 2"


def test_a_single_agent_is_not_compared_with_itself(rows):
    assert set(tables(summarise(*rows))) == {"band", "seat"}
    games, seats = toy_plan(designs=10, players=2, agents=("flip", "keep")).play(0, 100)
    summary = summarise(games.to_pandas(), seats.to_pandas())
    assert [one.name for one in tables(summary)["agent"]] in (["flip", "keep"], ["keep", "flip"])
    assert isinstance(summary, Summary)
