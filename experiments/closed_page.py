"""From content to one HTML file: no outside request, a strict content policy, every text escaped."""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from typing import Any

import jinja2


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
