"""What is generated from the rules data: the schema for editors and the tables of the reference page.

``python -m metalmania_sim.reference`` writes both anew; a test fails while they are not current.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from metalmania_sim.model import CONSTANT_TABLE, DATA, OPTION_TABLE
from metalmania_sim.ruleset import json_schema

SCHEMA = DATA / "schema.json"
PAGE = Path(__file__).parent.parent / "docs" / "reference" / "rules-metalmania.md"


def schema_text() -> str:
    """The JSON schema as the text of its file."""
    return json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n"


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
    """Write the schema and the page's tables."""
    SCHEMA.write_text(schema_text(), encoding="utf-8")
    PAGE.write_text(fill(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


__all__ = ["PAGE", "SCHEMA", "constant_table", "fill", "option_table", "schema_text", "write"]

if __name__ == "__main__":
    write()
