"""The page of a plan: what every cell says, what holds over the agents, what its rule sets change."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from experiments import manifest as manifests
from experiments.balance import Finding
from experiments.courses import SAMPLE
from experiments.curve import CurveFinding
from experiments.findings import FLIPS, HOLDS, StudyFinding, panel_sentences, study_finding, verdict_words
from experiments.gallery import balance as gallery
from experiments.gallery import plans
from experiments.gallery.pool import Pool
from experiments.report import sections as shared
from experiments.report.common import house_section
from experiments.report.content import Cell, Page, Section, Table, count, interval, number, percent
from experiments.report.difficulty import compared, curve_section, curve_sentences, level_sections
from experiments.report.figures import pictures
from experiments.running import CELLS, read_manifest, stored_study
from experiments.study import Study
from experiments.styles import ladder_table, matrix, pair_table, rungs_of, styles_of, viable
from experiments.verdict import BALANCED, OFF, UNDECIDED, closing, spoken

_TONES = {BALANCED: "good", HOLDS: "good", OFF: "bad", FLIPS: "bad", UNDECIDED: "open", "changed": "bad",
          "no change": "good", "stronger": "good", "weaker": "bad"}  # fmt: skip


#: Sentences on more cells than this are shown on demand.
_FEW = 3


def plan_page(folder: Path, sample: int = SAMPLE) -> Page:
    """Everything that a stored plan says; about ``sample`` games are played again.  Raises UsageError."""
    study = stored_study(folder)
    found = study_finding(study, folder / CELLS)
    every = plans.places(found)
    pools = [
        Pool(tuple(folder / CELLS / cell.name for cell, _ in place.cells), max(1, sample // len(every)) * bool(sample))
        for place in every
    ]
    sections = [*_changes(found), *_duels(found)]
    for place, pool in zip(every, pools, strict=True):
        make = _levels if place.is_levels else _rivals
        sections += make(found, place, pool)
    games = sum(manifests.read(folder / CELLS / cell.name)["design"]["games"] for cell, _ in found.cells)
    agents = list(dict.fromkeys(str(cell.axes["agents"]) for cell, _ in found.cells))
    return Page(
        title=study.title or f"A plan of {spoken(study.game)}",
        subtitle=f"{games:,} games in {len(found.cells)} cells, seats played by {', '.join(agents)}",
        findings=_findings(found, every),
        details=_cell_sentences(found, every) if len(found.cells) > _FEW else [],
        caveats=_caveats(found, agents),
        sections=[*sections, _house(found, folder), _again(found, folder)],
        facts=_facts(study, games, agents, found),
    )


# ------------------------------------------------------------------ sentences
def _findings(found: StudyFinding, every: Sequence[plans.Place]) -> list[str]:
    """What the plan says, the most important first."""
    lines = [*_change_sentences(found), *_duel_sentences(found), *panel_sentences(found)]
    lines += [line for place in every for line in _range_sentences(found, place)]
    if len(found.cells) <= _FEW:
        lines += _cell_sentences(found, every)
    return [*lines, *found.notes]


def _range_sentences(found: StudyFinding, place: plans.Place) -> list[str]:
    """Who wins most and least over the panel, with the range and all intervals; nothing where one agent plays."""
    first = place.cells[0][1]
    if not isinstance(first, Finding) or len(place.cells) < 2 or not len(found.panel):
        return []
    rows = plans.rows_of(found, place)
    axes = [*plans.PLACE, "table"]
    own = found.panel.merge(rows.loc[rows["table"] == first.subject, axes].drop_duplicates(), on=axes)
    if not len(own) or own["fair"].isna().any():
        return []
    ordered = own.assign(middle=own["least"] + own["most"]).sort_values("middle", ascending=False).to_dict("records")
    said = [
        f"{gallery.called(row['name'])} {word}, {100 * row['least']:.1f} to {100 * row['most']:.1f} % over "
        f"{row['agents']} agents (all 95 % intervals: {100 * row['low']:.1f} to {100 * row['high']:.1f})"
        for word, row in (("win most", ordered[0]), ("least", ordered[-1]))
    ]
    return [
        (f"{place.title}: " if place.title else "") + ", ".join(said) + f"; fair is {100 * ordered[0]['fair']:.3g}."
    ]


def _cell_sentences(found: StudyFinding, every: Sequence[plans.Place]) -> list[str]:
    """What each cell says."""
    lines = []
    for place in every:
        for cell, one in place.cells:
            where = ", ".join(filter(None, (place.title, cell.axes["agents"] if len(place.cells) > 1 else "")))
            before = f"{where}: " if where else ""
            if isinstance(one, CurveFinding):
                lines += [f"{before}{line}" for line in curve_sentences(one)]
            elif not (rungs_of(found.study) or styles_of(found.study)):
                subject = one.subject
                lines.append(before + closing(one.verdicts[subject], gallery.plural(one.word(subject))))
    return lines


def _change_sentences(found: StudyFinding) -> list[str]:
    lines = []
    for cell in dict.fromkeys(found.changes["cell"]) if len(found.changes) else ():
        rows = found.changes[found.changes["cell"] == cell]
        run = found.runs[found.runs["cell"] == cell].iloc[0]
        shown = rows[rows["table"] == rows["table"].iloc[0]]
        moved = shown[shown["answer"] == "changed"].sort_values("change")
        what = ", ".join(
            f"{gallery.called(row['name'])} {100 * row['change']:+.1f} pp "
            f"({100 * row['low']:+.1f} to {100 * row['high']:+.1f})"
            for row in moved.to_dict("records")
        )
        still = int((shown["answer"] == "no change").sum())
        players = f", {run['players']} players" if found.changes["players"].nunique() > 1 else ""
        lines.append(
            f"{run['rules']} against {run['against']} ({run['agents']}{players}): "
            f"{len(moved)} of {len(shown)} win shares change{f': {what}' if what else ''}; {still} do not. "
            f"{100 * run['other_winner']:.1f} % of the pairs of games have another winner."
        )
    return lines


def _duel_sentences(found: StudyFinding) -> list[str]:
    lines = []
    if rungs_of(found.study):
        for row in ladder_table(found).to_dict("records"):
            lines.append(
                f"{row['rung']} at a table of {row['below']} wins {100 * row['win_share']:.1f} % "
                f"(95 %: {100 * row['low']:.1f} to {100 * row['high']:.1f}; fair is {100 * row['fair']:.3g}): "
                f"{row['verdict']}."
            )
    elif agents := styles_of(found.study):
        alive = viable(pair_table(found), agents)
        best = str(alive.ranks.idxmax())
        lines.append(
            f"Of {len(agents)} styles as many are viable as {alive.number:.2f} equally good ones would be (95 %: "
            f"{alive.low:.2f} to {alive.high:.2f}); {best} holds {100 * alive.ranks[best]:.0f} % of the population."
        )
    return lines


def _caveats(found: StudyFinding, agents: Sequence[str]) -> list[str]:
    who = f"the agent {agents[0]}" if len(agents) == 1 else f"the agents {', '.join(agents)}"
    lines = [
        f"All of this is true of {who}. Intervals cover chance only; the choice of agents is the larger error, and "
        "the range over the panel says how large.",
        f"Balanced means within {found.study.margin:g} percentage points of the fair share; Holm's method keeps false "
        "alarms over each whole table at 5 %.",
    ]
    if len(found.changes):
        lines.append("Rule sets are compared game for game on the same luck, with intervals of paired differences.")
    if any(len(place.cells) > 1 for place in plans.places(found)):
        lines.append("Pictures of points, maps, lengths and courses take the games of all agents together.")
    if found.house:
        lines.append(f"{len(found.house)} kinds of values are house data, listed below.")
    return lines


def _facts(study: Study, games: int, agents: Sequence[str], found: StudyFinding) -> list[tuple[str, str]]:
    players = sorted({cell.axes["players"] for cell, _ in found.cells})
    return [
        ("Games", f"{games:,}"), ("Cells", str(len(found.cells))), ("Players", ", ".join(map(str, players))),
        ("Agents", ", ".join(agents)), ("Rule sets", ", ".join(study.rule_sets)),
        ("House data", f"{len(found.house)} kinds" if found.house else "none"),
        ("Seed", ", ".join(map(str, study.seeds))),
    ]  # fmt: skip


# ------------------------------------------------------------------ rule sets and duels
def _changes(found: StudyFinding) -> list[Section]:
    """What each rule set changes."""
    if not len(found.changes):
        return []
    tables = []
    for (cell, name), rows in found.changes.groupby(["cell", "table"], sort=False):
        run = found.runs[found.runs["cell"] == cell].iloc[0]
        tables.append(
            Table(
                f"{run['rules']} against {run['against']}, {run['agents']}, {run['players']} players: per {name}",
                [str(name), "before %", "after %", "change, pp", "95 % interval", "answer"],
                [
                    [
                        Cell(gallery.called(row["name"])), percent(row["share_a"], 2), percent(row["share_b"], 2),
                        number(100 * row["change"], 2, sign=True), interval(row["low"], row["high"], 2),
                        Cell(row["answer"]),
                    ]
                    for row in rows.to_dict("records")
                ],
                [_TONES.get(row["answer"], "open") for row in rows.to_dict("records")],
            )
        )  # fmt: skip
    numbers = found.metrics[
        found.metrics["metric"].isin([*found.study.metrics, "rounds", "turns_a_player", "decisions"])
        & found.metrics["table"].isin(["game", "band"])
    ]
    others = Table(
        "Paired changes of other numbers",
        ["rules", "agents", "number", "of", "before", "after", "change", "95 % interval"],
        [
            [
                Cell(str(row["rules"])), Cell(str(row["agents"])), Cell(str(row["metric"]).replace("_", " ")),
                Cell(spoken(str(row["name"]))), number(row["mean_a"], 3), number(row["mean_b"], 3),
                number(row["change"], 3, sign=True),
                Cell(f"{row['low']:+.3f} to {row['high']:+.3f}", float(row["low"])),
            ]
            for row in numbers.to_dict("records")
        ],
        folded=True,
    )  # fmt: skip
    text = "The same games under both rule sets: an interval is that of the paired differences of blocks."
    return [Section("changes", "What the rules change", [text], pictures(plans.paired(found)), [*tables, others])]


def _duels(found: StudyFinding) -> list[Section]:
    """Agents against agents."""
    figures = plans.duels(found)
    if not figures:
        return []
    rows = pair_table(found).to_dict("records")
    table = Table(
        "One at a table of others", ["one", "others", "games", "wins %", "95 % interval", "excess, pp"],
        [
            [
                Cell(row["challenger"]), Cell(row["others"]), count(row["games"]), percent(row["win_share"]),
                interval(row["low"], row["high"]), number(100 * row["excess"], 1, sign=True),
            ]
            for row in rows
        ],
    )  # fmt: skip
    tables = [table]
    if agents := styles_of(found.study):
        pairs = pair_table(found)
        ranks = viable(pairs, agents).ranks
        tables.append(shared.matrix("Win share of the row at a table of the column", matrix(pairs, agents), "agent"))
        tables.append(Table("Share of an evolving population (alpha-rank)", ["agent", "share %"],
                            [[Cell(agent), percent(ranks[agent])] for agent in agents]))  # fmt: skip
    return [Section("duels", "Agents against agents", [], pictures(figures), tables)]


# ------------------------------------------------------------------ places
def _rivals(found: StudyFinding, place: plans.Place, pool: Pool) -> list[Section]:
    """Everything about the cells of one place whose bands are rivals."""
    first = place.cells[0][1]
    assert isinstance(first, Finding)
    sections = _places_shares(found, place, first)
    order = [one.name for one in first.verdicts[first.subject]]
    word, key, part = first.word(first.subject), place.key, place.title
    sections += shared.scores(pool, first.subject, order, word, key, part)
    if pool.courses is not None:
        sections += shared.used(pool.courses, key, part)
    if first.subject == "band":
        sections += shared.maps(pool, order, word, key, part)
    if "agents" not in found.study.paired:
        sections += shared.strengths(pool, key, part)
    if pool.courses is not None:
        sections += shared.course(pool.courses, key=key, part=part)
    return sections + shared.lengths(pool, key, part)


def _places_shares(found: StudyFinding, place: plans.Place, first: Finding) -> list[Section]:
    rows = plans.rows_of(found, place)
    sections = []
    for factor, table in rows.groupby("table", sort=False):
        if factor == "agent" and (rungs_of(found.study) or styles_of(found.study)):
            continue
        word = first.word(str(factor))
        several = table["agents"].nunique() > 1 and factor != "agent"
        if several:
            figures = [plans.panel(table, str(factor), word, place)]
        else:
            figures = [
                gallery.win_shares(own, plans.slug(str(factor), place.key, str(agents)), word)
                for agents, own in table.groupby("agents", sort=False)
            ]
        tables = [_panel_table(found, table, word)] if several else []
        tables.append(_share_table(table, word, folded=several))
        anchor = shared.anchored(f"by-{factor}", place.key)
        title = f"By {word}" + (", over the panel" if several else "")
        sections.append(Section(anchor, title, [], pictures(figures), tables, part=place.title))
    return sections


def _panel_table(found: StudyFinding, rows: pd.DataFrame, word: str) -> Table:
    axes = [*plans.PLACE, "table"]
    own = found.panel.merge(rows[axes].drop_duplicates(), on=axes)
    return Table(
        f"The range over the panel, per {word}",
        [word, "games", "least %", "with", "most %", "with", "over all intervals", "answer"],
        [
            [
                Cell(gallery.called(row["name"])), count(row["games"]), percent(row["least"]), Cell(row["least_agent"]),
                percent(row["most"]), Cell(row["most_agent"]), interval(row["low"], row["high"]), Cell(row["flips"]),
            ]
            for row in own.to_dict("records")
        ],
        [_TONES.get(row["flips"], "open") for row in own.to_dict("records")],
    )  # fmt: skip


def _share_table(rows: pd.DataFrame, word: str, folded: bool) -> Table:
    records = rows.to_dict("records")
    return Table(
        f"Win share per {word}, agent by agent" if folded else f"Win share per {word}",
        [word, "agents", "games", "win %", "95 % interval", "excess, pp", "verdict"],
        [
            [
                Cell(gallery.called(row["name"])), Cell(str(row["agents"])), count(row["games"]),
                percent(row["win_share"], 2), interval(row["low"], row["high"], 2),
                number(100 * row["excess"], 2, sign=True), Cell(verdict_words(row)),
            ]
            for row in records
        ],
        [_TONES.get(row["verdict"], "open") for row in records],
        folded=folded,
    )  # fmt: skip


def _levels(found: StudyFinding, place: plans.Place, pool: Pool) -> list[Section]:
    """Everything about the cells of one place in which humans play together."""
    curves = [one for _, one in place.cells if isinstance(one, CurveFinding)]
    key, part = place.key, place.title
    levels, bands = place.levels()
    tables = [table for one in curves for table in compared(one)]
    sections = [curve_section(levels, bands, found.study.target or None, tables, key, part)]
    for place_, one in enumerate(curves):
        own = "-".join(filter(None, (key, str(place_) if len(curves) > 1 else "")))
        sections += level_sections(one, own, part)
    if pool.courses is not None:
        sections += [*shared.used(pool.courses, key, part), *shared.course(pool.courses, True, key, part)]
    return sections + shared.lengths(pool, key, part)


# ------------------------------------------------------------------ the end
def _house(found: StudyFinding, folder: Path) -> Section:
    first = manifests.read(folder / CELLS / found.cells[0][0].name)
    return house_section({**first, "house": found.house})


def _again(found: StudyFinding, folder: Path) -> Section:
    """Commands, seeds and hashes of every cell."""
    rows, commands = [], dict[str, None]()
    for cell, _ in found.cells:
        manifest = manifests.read(folder / CELLS / cell.name)
        run = manifest["run"]
        own = [cell.name, str(run["seed"]), run["rules_hash"], manifests.fingerprint(manifest)]
        rows.append([*map(Cell, own), count(manifest["design"]["games"])])
        if manifest.get("command"):
            commands.setdefault(manifest["command"])
        engine, versions = run["engine"], manifest.get("versions", {})
    facts = [("plan", read_manifest(folder)["plan_hash"]), ("engine (sources, numba, numpy, Python)", engine),
             *versions.items()]  # fmt: skip
    tables = [
        Table("The plan", ["what", "value"], [[Cell(name), Cell(str(value))] for name, value in facts]),
        Table("The cells", ["cell", "seed", "rules", "run", "games"], rows),
    ]
    text = "Equal seed, rules and engine play equal games, on any machine and with any number of workers."
    return Section("again", "How to reproduce it", [text], tables=tables,
                   commands=[("This plan again", command) for command in commands])  # fmt: skip
