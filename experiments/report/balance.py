"""The page of a balance run."""

from __future__ import annotations

from pathlib import Path

from experiments.balance import Finding, finding
from experiments.courses import SAMPLE
from experiments.gallery.balance import plural, win_shares
from experiments.gallery.pool import Pool
from experiments.report import sections as shared
from experiments.report.common import again_section, facts, house_section
from experiments.report.content import Cell, Page, Section, Table, count, interval, number, percent
from experiments.report.figures import pictures
from experiments.report.games import looks_section, worth_a_look
from experiments.report.usage import usage_sections
from experiments.statistics import MARGIN
from experiments.verdict import BALANCED, OFF, UNDECIDED, Verdict, closing, spoken

#: Words that the page may colour and mark a row by.
TONES = {BALANCED: "good", OFF: "bad", UNDECIDED: "open"}


def balance_page(folder: Path, margin: float = MARGIN, sample: int = SAMPLE, linked: bool = False) -> Page:
    """Everything that a stored balance run says; about ``sample`` games are played again.  Raises UsageError.

    ``linked``: the games worth a look stand as pages beside it.
    """
    found = finding(folder, margin)
    run = found.manifest["run"]
    pool = Pool((folder,), sample, found.summary)
    order = [one.name for one in found.verdicts[found.subject]]
    word = found.word(found.subject)
    sections = [*(_shares(found, factor) for factor in found.verdicts)]
    sections += shared.scores(pool, found.subject, order, word)
    sections += usage_sections(found)
    if pool.courses is not None:
        sections += shared.used(pool.courses)
    if found.subject == "band":
        sections += shared.maps(pool, order, word)
    sections += shared.strengths(pool)
    if pool.courses is not None:
        sections += shared.course(pool.courses)
    sections += shared.lengths(pool)
    looks = worth_a_look(folder, pool.courses)
    sections += [
        looks_section(looks, folder, linked),
        house_section(found.manifest),
        again_section(found.manifest, folder),
    ]
    said = shared.course_sentences(pool.courses) if pool.courses is not None else []
    return Page(
        title=f"Balance of {spoken(run['game'])}, {run['players']} players",
        subtitle=f"{found.summary.games:,} games, seats played by {', '.join(dict.fromkeys(run['agents']))}",
        findings=[*findings(found), *said],
        caveats=caveats(found),
        sections=sections,
        facts=facts(found.manifest, found.summary.games),
        tally=tally(found.verdicts[found.subject]),
        games=[one.game for one in looks] if linked else [],
        details=[one.sentence(found.summary.players) for one in found.verdicts[found.subject]],
    )


def tally(verdicts: list[Verdict]) -> list[tuple[str, int, str]]:
    """How many have which answer."""
    answers = [one.answer for one in verdicts]
    return [(tone, answers.count(answer), answer) for answer, tone in TONES.items()]


# ------------------------------------------------------------------ sentences
def findings(found: Finding) -> list[str]:
    """What the run says, the most important first, each with its uncertainty."""
    judged = found.verdicts[found.subject]
    widest = max(100 * (one.high - one.low) / 2 for one in judged)
    lines = [
        closing(judged, plural(found.word(found.subject))),
        f"The 95 % intervals of these shares reach {widest:.1f} points or less to either side; each is in the table of "
        f"{plural(found.word(found.subject))}.",
    ]
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
                Cell(named(factor, one)), count(one.games), percent(one.share, 2), interval(one.low, one.high, 2),
                number(100 * one.excess, 2, sign=True), number(row.get("mean_score", 0)),
                percent(row["forced_share"]), Cell(one.short),
            ]
            for one, row in zip(verdicts, records, strict=True)
        ],
        [TONES[one.answer] for one in verdicts],
    )  # fmt: skip
    return Section(f"by-{factor}", f"By {word}", [], pictures([win_shares(rows, factor, word)]), [table])
