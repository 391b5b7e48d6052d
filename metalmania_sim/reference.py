"""The tables of the reference page that are made from the rules data.

``python -m metalmania_sim.reference`` writes them anew; a test fails while they are not current.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from metalmania_sim.model import CONSTANT_TABLE, OPTION_TABLE

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "rules-metalmania.md"


def option_table() -> str:
    """Markdown table of every option: name, values, ruling, meaning."""
    lines = ["| option | values, the default first | ruling | decides |", "|---|---|---|---|"]
    lines += [f"| `{name}` | {_values(row)} | {row['ruling']} | {row['says']} |" for name, row in OPTION_TABLE.items()]
    return "\n".join(lines)


def _values(row: Mapping[str, Any]) -> str:
    if "set" in row:
        return f"any of {', '.join(f'`{value}`' for value in row['set'])} (default: all)"
    if "map" in row:
        pairs = ", ".join(f"`{key} = {value}`" for key, value in row["map"].items())
        return f"{pairs}; each of {', '.join(f'`{value}`' for value in row['values'])}"
    return ", ".join(f"`{value}`" for value in row["values"])


def constant_table() -> str:
    """Markdown table of every constant: name, printed value, range, rule, meaning."""
    lines = ["| constant | printed | allowed | rule | is |", "|---|---|---|---|---|"]
    lines += [
        f"| `{name}` | {row['value']} | {row['least']} to {row['most']} | {row['rule']} | {row['says']} |"
        for name, row in CONSTANT_TABLE.items()
    ]
    return "\n".join(lines)


def fill(page: str) -> str:
    """The page with the text between ``<!-- begin X -->`` and ``<!-- end X -->`` made anew."""
    for name, table in (("options", option_table()), ("constants", constant_table())):
        pattern = rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)"
        page, n = re.subn(pattern, lambda m, t=table: f"{m[1]}{t}\n{m[2]}", page, flags=re.S)  # type: ignore[misc]
        if n != 1:
            raise ValueError(f"the page has {n} places for {name}, not one")
    return page


def write() -> None:
    """Write the page's tables."""
    PAGE.write_text(fill(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


__all__ = ["PAGE", "constant_table", "fill", "option_table", "write"]

if __name__ == "__main__":
    write()
