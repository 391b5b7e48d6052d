"""Pieces of Markdown that several generated pages share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

NOTE = "This page is generated from the code when the documentation is built."


def cell(text: object) -> str:
    """``text`` as the cell of a table; ``<name>`` is no tag."""
    return re.sub(r"<(?=\w)", "&lt;", " ".join(str(text).split()).replace("|", "\\|"))


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; "" without rows."""
    lines = [f"| {' | '.join(map(cell, row))} |" for row in rows]
    if not lines:
        return ""
    return "\n".join([f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *lines]) + "\n"


def code(text: object) -> str:
    """``text`` as code, "" for nothing."""
    return f"`{text}`" if str(text) else ""
