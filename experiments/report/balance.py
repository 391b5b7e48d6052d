"""The page of a balance run."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pandas as pd
from matplotlib.axes import Axes

from experiments.balance import Finding, finding
from experiments.plots import win_share
from experiments.report.common import again_section, house_section
from experiments.report.content import Cell, Page, Picture, Section, Table, count, interval, number, percent
from experiments.report.crosses import as_matrix, read_crosses
from experiments.report.figures import score_parts, share_map, svg
from experiments.report.games import worth_a_look
from experiments.report.usage import usage_sections
from experiments.statistics import MARGIN
from experiments.summary import parts
from experiments.verdict import BALANCED, OFF, UNDECIDED, Verdict, closing, spoken

#: What the rows of each table are called, one and many; other factors take an s.
_PLURALS = {"company": "companies"}

#: Words that the page may colour a row by.
TONES = {BALANCED: "good", OFF: "bad", UNDECIDED: "open"}


def balance_page(folder: Path, margin: float = MARGIN) -> Page:
    """Everything that a stored balance run says.  Raises UsageError."""
    found = finding(folder, margin)
    run = found.manifest["run"]
    agents = ", ".join(dict.fromkeys(run["agents"]))
    sections = [*(_shares(found, factor) for factor in found.verdicts)]
    if parts(found.summary):
        sections.append(_scores(found))
    sections += usage_sections(found)
    if len(found.summary.groups["band"]) > 1:
        sections.append(_maps(found))
    sections += [_lengths(found), _looks(found), house_section(found.manifest), again_section(found.manifest, folder)]
    return Page(
        title=f"Balance of {spoken(run['game'])}, {run['players']} players",
        subtitle=f"{found.summary.games:,} games, seats played by {agents}",
        findings=findings(found),
        caveats=caveats(found),
        sections=sections,
    )


# ------------------------------------------------------------------ sentences
def findings(found: Finding) -> list[str]:
    """What the run says, the most important first, each with its uncertainty."""
    lines = [closing(found.verdicts[found.subject], plural(found.word(found.subject)))]
    for factor, verdicts in found.verdicts.items():
        if factor != found.subject:
            best, worst = max(verdicts, key=lambda one: one.share), min(verdicts, key=lambda one: one.share)
            lines.append(
                f"By {found.word(factor)}: {named(factor, best)} wins most ({_share(best)}), "
                f"{named(factor, worst)} least ({_share(worst)}); fair is {100 * best.fair:.3g} %."
            )
    tied, unfinished = found.summary.share_of("tied"), found.summary.share_of("unfinished")
    lines.append(
        f"{100 * tied:.2f} % of the games were shared victories; {100 * unfinished:.2f} % were not finished; "
        f"{100 * found.summary.forced_share:.1f} % of the decisions had a single legal action."
    )
    return lines


def caveats(found: Finding) -> list[str]:
    """What the findings depend on."""
    agents = sorted(set(found.manifest["run"]["agents"]))
    who = f"the agent {agents[0]}" if len(agents) == 1 else f"the agents {', '.join(agents)}"
    lines = [
        f"All of this is true of {who}. Intervals cover chance only; from here on the choice of agents is the larger "
        "error. Play the same design with others before changing a rule.",
        f"Balanced means within {100 * found.verdicts[found.subject][0].margin:g} percentage points of the fair share; "
        "Holm's method keeps false alarms over each whole table at 5 %.",
    ]
    if found.manifest["house"]:
        lines.append(f"{len(found.manifest['house'])} kinds of values are house data, listed below.")
    return lines


def _share(one: Verdict) -> str:
    return f"{100 * one.share:.1f} %, 95 %: {100 * one.low:.1f} to {100 * one.high:.1f}"


def plural(factor: str) -> str:
    """The word for several of a factor."""
    return _PLURALS.get(factor, f"{factor}s")


def named(factor: str, one: Verdict) -> str:
    """How a row is called in a sentence: a seat by its number, all else by name."""
    return f"seat {one.name}" if factor == "seat" else spoken(one.name)


# ------------------------------------------------------------------ sections
def _shares(found: Finding, factor: str) -> Section:
    verdicts, word = found.verdicts[factor], found.word(factor)
    rows = found.table[found.table["table"] == factor]
    records = rows.to_dict("records")
    table = Table(
        f"Win share per {word}",
        [word, "games", "win %", "95 % interval", "excess, pp", "mean score", "forced %", "verdict"],
        [
            [
                Cell(one.name), count(one.games), percent(one.share, 2), interval(one.low, one.high, 2),
                number(100 * one.excess, 2, sign=True), number(row.get("mean_score", 0)),
                percent(row["forced_share"]), Cell(one.short),
            ]
            for one, row in zip(verdicts, records, strict=True)
        ],
        [TONES[one.answer] for one in verdicts],
    )  # fmt: skip
    words = f"Win share per {word} with 95 % intervals: " + "; ".join(
        f"{named(factor, one)} {_share(one)}, {one.answer}" for one in verdicts
    )
    size = (9.0, 1.4 + 0.36 * len(rows))
    drawn = svg(lambda axes: win_share(rows, axes), f"share-{factor}", words, size)
    sentences = [one.sentence(found.summary.players) for one in verdicts] if factor == found.subject else []
    picture = Picture(f"Share of games won per {word}, with 95 % intervals from block means", drawn, words)
    return Section(f"by-{factor}", f"By {word}", sentences, [picture], [table])


def _scores(found: Finding) -> Section:
    names = parts(found.summary)
    groups = {str(name): group for name, group in found.summary.groups[found.subject].items()}
    order = [one.name for one in found.verdicts[found.subject]]
    labels = [name.removeprefix("points_").replace("_", " ") for name in names]
    means = {one: [groups[one].mean(name) for name in names] for one in order}
    frame = pd.DataFrame.from_dict(means, orient="index", columns=labels)
    rows = [[Cell(one), number(groups[one].mean("score")), *map(number, means[one])] for one in order]
    words = "Mean score by part: " + "; ".join(
        f"{spoken(one)} " + ", ".join(f"{label} {mean:.1f}" for label, mean in zip(labels, means[one], strict=True))
        for one in order
    )
    drawn = svg(lambda axes: score_parts(frame, axes), "scores", words, (9.0, 1.4 + 0.36 * len(order)))
    return Section(
        "scores", "Where the points come from", [],
        [Picture(f"Mean score per {found.word(found.subject)}, by part", drawn, words)],
        [Table("Mean score and its parts", [found.word(found.subject), "score", *labels], rows)],
    )  # fmt: skip


def _maps(found: Finding) -> Section:
    crosses = read_crosses(found.folder)
    order = [one.name for one in found.verdicts["band"]]
    word = found.word("band")
    fair = 1 / found.summary.players
    by_seat, by_other = as_matrix(crosses.seats, order), as_matrix(crosses.met, order)
    widest = max(
        100 * (high - low) / 2
        for group in [*crosses.seats.values(), *crosses.met.values()]
        for low, high in [group.means.interval()]
    )
    text = (
        f"Each number is a share of games won, in per cent; fair is {100 * fair:.3g}. The widest 95 % interval behind "
        f"a number of these maps reaches {widest:.1f} points to either side."
    )
    pictures, tables = [], []
    for name, title, table, label in (
        ("seats", f"{spoken(word)} by seat", by_seat, "seat (in turn order of the first round)"),
        (
            "met",
            f"{spoken(word)} by opponent: the row's share of the games in which the column's {word} also plays",
            by_other,
            "met",
        ),
    ):
        words = f"{title}: the numbers are in the table below."
        draw = _drawer(table, fair, label)
        pictures.append(Picture(title, svg(draw, name, words, (9.0, 1.6 + 0.34 * len(order))), words))
        tables.append(_map_table(title, table, word))
    return Section("maps", f"{spoken(word)} by seat, {word} by opponent", [text], pictures, tables)


def _drawer(table: pd.DataFrame, fair: float, label: str) -> Callable[[Axes], Axes]:
    return lambda axes: share_map(table, axes, fair, label)


def _map_table(title: str, table: pd.DataFrame, word: str) -> Table:
    def cell(share: float) -> Cell:
        return percent(share) if pd.notna(share) else Cell("", -1.0)

    rows = [
        [Cell(str(name)), *(cell(share) for share in row)]
        for name, row in zip(table.index, table.to_numpy(), strict=True)
    ]
    return Table(title, [word, *(str(column) for column in table.columns)], rows)


#: Columns of games that tell no length.
_NO_LENGTHS = ("players", "mode", "tied", "unfinished", "humans_win", "human_average", "metallum_dice", "first_player")


def _lengths(found: Finding) -> Section:
    rows = []
    for row in found.lengths.to_dict("records"):
        if row["name"] not in _NO_LENGTHS:
            numbers = [number(row[key], digits) for key, digits in (("mean", 2), ("sd", 2), ("least", 0), ("most", 0))]
            rows.append([Cell(str(row["name"]).replace("_", " ")), *numbers])
    table = Table("A game", ["number", "mean", "sd", "least", "most"], rows)
    return Section("length", "How long games are", [], tables=[table])


def _looks(found: Finding) -> Section:
    looks = worth_a_look(found.folder)
    place = shlex.quote(str(found.folder))
    rows = [[Cell(one.why), count(one.game), Cell(one.what)] for one in looks]
    return Section(
        "looks",
        "Games worth a look",
        ["Any of them can be read step by step with the command below."],
        tables=[Table("Games", ["why", "game", "what happened"], rows)],
        commands=[(one.why, f"soundcheck play --run {place} --game {one.game}") for one in looks],
    )
