"""From content to one HTML file: no outside request, a strict content policy, every text escaped."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2

from experiments.courses import SAMPLE
from experiments.gallery.runs import DIFFICULTY, PLAN, kind_of
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
    sample: int = SAMPLE,
) -> Path:  # fmt: skip
    """Write the page of the finished run in ``folder``; returns its path (default: ``report.html`` in the folder).

    ``margin``: half width of "balanced" (a plan has its own); ``target``: win share a level, for difficulty runs;
    ``sample``: about so many games are played again to say how games go, 0: none.  Equal runs give equal bytes.
    Raises UsageError when there is no such run or the file cannot be written.
    """
    path = out or folder / NAME
    content = render(page_of(folder, margin, target, sample)).encode()
    if path.is_dir():
        raise UsageError(f"out: {path} is a folder; name a file")
    with replacing(path) as file:
        file.write(content)
    return path


def page_of(
    folder: Path, margin: float = MARGIN, target: Sequence[float] | None = None, sample: int = SAMPLE
) -> Page:  # fmt: skip
    """What the run in ``folder`` says, whatever its kind.  Raises UsageError."""
    kind = kind_of(folder)
    if target is not None and kind != DIFFICULTY:
        raise UsageError(f"target: {folder} is a {kind} run; only a difficulty run has levels with targets")
    if kind == DIFFICULTY:
        return difficulty_page(folder, target, margin, sample)
    return plan_page(folder, sample) if kind == PLAN else balance_page(folder, margin, sample)


def render(page: Page) -> str:
    """The HTML of a page, with its style and script inside."""
    return fill("experiments.report", page=page)


def fill(package: str, **content: Any) -> str:
    """The template ``page.html.j2`` of a package with ``content``, its ``page.css`` and ``page.js`` inside.

    The template also gets ``policy``, under which only this script runs and nothing is fetched; texts are escaped.
    """
    files = resources.files(package)
    style = files.joinpath("page.css").read_text(encoding="utf-8")
    script = files.joinpath("page.js").read_text(encoding="utf-8")
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    template = environment.from_string(files.joinpath("page.html.j2").read_text(encoding="utf-8"))
    return template.render(style=style, script=script, policy=_policy(script), **content)


def _policy(script: str) -> str:
    """Only this script runs, nothing is fetched; styles may stand beside what they style, as in drawings."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    rules = (
        "default-src 'none'",
        "style-src 'unsafe-inline'",
        f"script-src 'sha256-{digest}'",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return "; ".join(rules)
