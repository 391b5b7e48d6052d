"""The page of a difficulty run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from experiments.courses import SAMPLE
from experiments.curve import FALLS, ON_TARGET, RISES, CurveFinding, find_curve, order_sentence, overall_distance
from experiments.gallery import levels as gallery
from experiments.gallery.pool import Pool
from experiments.report import sections as shared
from experiments.report.common import again_section, facts, house_section
from experiments.report.content import Cell, Page, Section, Table, count, interval, number, p_value, percent
from experiments.report.figures import pictures
from experiments.report.games import looks_section, worth_a_look
from experiments.statistics import MARGIN
from experiments.verdict import spoken

_TONES = {FALLS: "good", RISES: "bad", ON_TARGET: "good"}


def difficulty_page(
    folder: Path, target: Sequence[float] | None = None, margin: float = MARGIN, sample: int = SAMPLE,
    linked: bool = False,
) -> Page:  # fmt: skip
    """Everything that a stored difficulty run says; ``target``: a share a level; about ``sample`` games are played
    again; ``linked``: the games worth a look stand as pages beside it.  Raises UsageError.
    """
    found = find_curve(folder, target, margin)
    pool = Pool((folder,), sample)
    seen = pool.courses
    run = found.manifest["run"]
    mode, games = run["variant"]["mode"], int(found.levels["games"].sum())
    agents = ", ".join(found.curve.agents)
    sections = [curve_section(found.levels, found.bands, target, compared(found))]
    sections += level_sections(found)
    if seen is not None:
        sections += [*shared.used(seen), *shared.course(seen, sides=True)]
    sections += shared.lengths(pool)
    looks = worth_a_look(folder, seen)
    sections += [looks_section(looks, folder, linked), house_section(found.manifest)]
    return Page(
        title=f"Difficulty of {spoken(run['game'])}, {mode}",
        subtitle=f"{games:,} games, {run['players']} human seat{'s' * (run['players'] > 1)}, played by {agents}",
        findings=[*curve_sentences(found), *(shared.course_sentences(seen) if seen is not None else [])],
        caveats=[
            f"All of this is true of {agents}. Intervals cover chance only; try other agents before changing a rule.",
            "Levels are compared on the same luck: every block is played at every level.",
        ],
        sections=[*sections, again_section(found.manifest, folder)],
        facts=facts(found.manifest, games),
        games=[one.game for one in looks] if linked else [],
    )


def curve_sentences(found: CurveFinding) -> list[str]:
    """What a curve says, agent by agent."""
    lines = []
    for agent, rows in found.levels.groupby("agent", sort=False):
        shares = ", ".join(
            f"{spoken(row['difficulty'])} {100 * row['win_share']:.1f} % "
            f"({100 * row['low']:.1f} to {100 * row['high']:.1f})"
            for row in rows.to_dict("records")
        )
        lines.append(f"{agent} wins: {shares}.")
        lines.append(f"{agent}: {order_sentence(found.neighbours[found.neighbours['agent'] == agent])}")
    if found.target is not None:
        for agent, rows in found.target.groupby("agent", sort=False):
            rms, largest = overall_distance(rows)
            lines.append(
                f"{agent}: {100 * rms:.1f} pp from the target (root mean square), {100 * largest:.1f} at most."
            )
    return lines


def curve_section(
    levels: pd.DataFrame, bands: pd.DataFrame, target: Sequence[float] | None, tables: Sequence[Table], key: str = "",
    part: str = "",
) -> Section:  # fmt: skip
    """Win share of the humans by level, with the tables that compare levels."""
    drawn = pictures([gallery.curve(levels, bands, target, key)])
    return Section(shared.anchored("curve", key), "The curve", [], drawn, tables, part=part)


def level_sections(found: CurveFinding, key: str = "", part: str = "") -> list[Section]:
    """Level by level and band by band, for each agent."""
    many = len(found.curve.agents) > 1
    sections = []
    for place, agent in enumerate(found.curve.agents):
        own = "-".join(filter(None, (key, str(place) if many else "")))
        sections += [_levels(found, agent, own, part), _bands(found, agent, own, part)]
    return sections


def compared(found: CurveFinding) -> list[Table]:
    """Neighbouring levels on the same luck, and the distance to the target."""
    tables = []
    for agent, rows in found.neighbours.groupby("agent", sort=False):
        records = rows.to_dict("records")
        tables.append(
            Table(
                f"Neighbouring levels on the same luck, {agent}",
                ["from", "to", "change, pp", "95 % interval", "blocks that differ", "p (Holm)", "answer"],
                [
                    [
                        Cell(row["easier"]), Cell(row["harder"]), number(100 * row["change"], 2, sign=True),
                        interval(row["low"], row["high"], 2), count(row["blocks_differ"]), p_value(row["p_holm"]),
                        Cell(row["answer"]),
                    ]
                    for row in records
                ],
                [_TONES.get(row["answer"], "open") for row in records],
            )
        )  # fmt: skip
    if found.target is not None:
        tables += [_target(rows, str(agent)) for agent, rows in found.target.groupby("agent", sort=False)]
    return tables


def _target(rows: pd.DataFrame, agent: str) -> Table:
    records = rows.to_dict("records")
    return Table(
        f"Distance to the target, {agent}",
        ["level", "target %", "humans win %", "distance, pp", "p (Holm)", "answer"],
        [
            [
                Cell(row["difficulty"]), percent(row["target"]), percent(row["win_share"], 2),
                number(100 * row["distance"], 2, sign=True), p_value(row["p_holm"]), Cell(row["answer"]),
            ]
            for row in records
        ],
        [_TONES.get(row["answer"], "open") for row in records],
    )  # fmt: skip


def _levels(found: CurveFinding, agent: str, key: str, part: str) -> Section:
    rows = found.levels[found.levels["agent"] == agent].to_dict("records")
    labels = [name.removeprefix("points_").replace("_", " ") for name in found.curve.columns]
    first = Table(
        f"Levels, humans played by {agent}",
        [
            "level", "games", "humans win %", "95 % interval", "margin", "opponent's sd", "opponent, 5 to 95 %",
            "unfinished %",
        ],
        [
            [
                Cell(row["difficulty"]), count(row["games"]), percent(row["win_share"], 2),
                interval(row["low"], row["high"], 2), number(row["margin"], 2, sign=True), number(row["boss_sd"]),
                Cell(f"{row['boss_p5']} to {row['boss_p95']}", float(row["boss_p5"])), percent(row["unfinished"], 2),
            ]
            for row in rows
        ],
        note="Margin: the humans' score minus the opponent's, mean over games.",
    )  # fmt: skip
    scores = Table(
        f"Mean scores and their parts, {agent}",
        ["level", "side", *labels],
        [
            [Cell(row["difficulty"]), Cell(title), *(number(row[f"{side}_{name}"]) for name in found.curve.columns)]
            for row in rows
            for side, title in (("humans", "human"), ("boss", "opponent"))
        ],
        folded=True,
    )
    parts = [name for name in found.curve.columns if name != "score"]
    levels = found.levels[found.levels["agent"] == agent]
    drawn = pictures([gallery.side_scores(levels, parts, agent, key)] if parts else [])
    return Section(
        shared.anchored("levels", key), f"Level by level, {agent}", [], drawn, [first, scores], part=part
    )  # fmt: skip


def _bands(found: CurveFinding, agent: str, key: str, part: str) -> Section:
    bands = found.bands[found.bands["agent"] == agent]
    rows = bands.to_dict("records")
    table = Table(
        f"Bands by level, {agent}",
        ["band", "level", "games", "win %", "95 % interval", "margin", "score", "opponent"],
        [
            [
                Cell(row["band"]), Cell(row["difficulty"]), count(row["games"]), percent(row["win_share"], 2),
                interval(row["low"], row["high"], 2), number(row["margin"], 2, sign=True),
                number(row["humans_score"]), number(row["boss_score"]),
            ]
            for row in rows
        ],
        folded=True,
    )  # fmt: skip
    drawn = pictures(gallery.level_map(bands, agent, key))
    return Section(shared.anchored("bands", key), f"Band by band, {agent}", [], drawn, [table], part=part)
