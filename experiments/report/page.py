"""The page of a run of any kind, as one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from experiments.closed_page import fill
from experiments.courses import SAMPLE
from experiments.gallery.runs import DIFFICULTY, PLAN, kind_of
from experiments.replay.course import Progress
from experiments.replay.of_run import can_be_replayed, write_replays
from experiments.report.balance import balance_page
from experiments.report.content import Page
from experiments.report.difficulty import difficulty_page
from experiments.report.plan import plan_page
from experiments.statistics import MARGIN
from experiments.store import replacing
from simcore.errors import UsageError

#: Name of the page in a run folder.
NAME = "report.html"


def write_report(
    folder: Path, out: Path | None = None, margin: float = MARGIN, target: Sequence[float] | None = None,
    sample: int = SAMPLE, replays: bool = False, progress: Progress = lambda done, total: None,
) -> Path:  # fmt: skip
    """Write the page of the finished run in ``folder``; returns its path (default: ``report.html`` in the folder).

    ``margin``: half width of "balanced" (a plan has its own); ``target``: win share a level, for difficulty runs;
    ``sample``: about so many games are played again to say how games go, 0: none; ``replays``: games worth a
    look are written too, as pages to step through in a folder beside the page, unless the engine or the rules are
    others now (``progress`` counts them).  Equal runs give equal bytes.
    Raises UsageError when there is no such run or the file cannot be written.
    """
    path = out or folder / NAME
    if path.is_dir():
        raise UsageError(f"out: {path} is a folder; name a file")
    page = page_of(folder, margin, target, sample, replays and kind_of(folder) != PLAN and can_be_replayed(folder))
    write_replays(folder, page.games, path.parent, progress=progress)
    with replacing(path) as file:
        file.write(render(page).encode())
    return path


def page_of(
    folder: Path, margin: float = MARGIN, target: Sequence[float] | None = None, sample: int = SAMPLE,
    linked: bool = False,
) -> Page:  # fmt: skip
    """What the run in ``folder`` says, whatever its kind; ``linked``: see ``balance_page``.  Raises UsageError."""
    kind = kind_of(folder)
    if target is not None and kind != DIFFICULTY:
        raise UsageError(f"target: {folder} is a {kind} run; only a difficulty run has levels with targets")
    if kind == DIFFICULTY:
        return difficulty_page(folder, target, margin, sample, linked)
    return plan_page(folder, sample) if kind == PLAN else balance_page(folder, margin, sample, linked)


def render(page: Page) -> str:
    """The HTML of a page, with its style and script inside."""
    return fill("experiments.report", page=page)
