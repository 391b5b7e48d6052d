"""What is generated from the rules data: the schema for editors and the tables of the reference page.

``python -m overdrive_sim.reference`` writes both anew; a test fails while they are not current.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from overdrive_sim.model import COMPONENTS, DATA, OPTION_TABLE, RulesModel
from overdrive_sim.ruleset import json_schema, load_rules
from simcore.ruledata import all_paths

SCHEMA = DATA / "schema.json"
PAGE = Path(__file__).parent.parent / "docs" / "reference" / "rules-overdrive.md"

#: Words of the reference page for the names that a path runs over.
_NAMES = {"board": "SPACE", "bands": "BAND", "hits": "NAME", "distortions": "N", "awards": "NAME"}


def schema_text() -> str:
    """The JSON schema as the text of its file."""
    return json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n"


def _pattern(path: str) -> str:
    first, *rest = path.split(".")
    return ".".join([first, _NAMES[first], *rest[1:]]) if first in _NAMES else path


def path_table() -> str:
    """Markdown table of every path: pattern, component file, source labels."""
    rules = load_rules()
    files = {key: name for name in COMPONENTS for key in _top_keys(DATA / f"{name}.toml")}
    values = rules.model.model_dump(by_alias=True)
    labels: dict[str, set[str]] = {}
    for path in all_paths(RulesModel, values):
        if not path.startswith("options."):
            found = labels.setdefault(_pattern(path), set())
            found |= {rules.sources[path]} if path in rules.sources else set()
    lines = ["| path | file | source |", "|---|---|---|"]
    for pattern, found in labels.items():
        lines.append(
            f"| `{pattern}` | `{files[pattern.split('.')[0]]}.toml` | {', '.join(sorted(found)) or 'not set'} |"
        )
    return "\n".join(lines)


def _top_keys(path: Path) -> set[str]:
    text = path.read_text(encoding="utf-8")
    tables = set(re.findall(r"^\[(\w+)", text, re.M))
    return tables | set(re.findall(r"^(\w+) =", text.split("\n[")[0], re.M)) - {"source"}


def option_table() -> str:
    """Markdown table of every option: name, values, ruling, meaning."""
    lines = ["| option | values, the default first | ruling | decides |", "|---|---|---|---|"]
    for name, row in OPTION_TABLE.items():
        values = ", ".join(f"`{value}`" for value in row["values"])
        lines.append(f"| `{name}` | {values} | {row['ruling']} | {row['says']} |")
    return "\n".join(lines)


def fill(page: str) -> str:
    """The page with the text between ``<!-- begin X -->`` and ``<!-- end X -->`` made anew."""
    for name, table in (("paths", path_table()), ("options", option_table())):
        pattern = rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)"
        page, n = re.subn(pattern, lambda m, t=table: f"{m[1]}{t}\n{m[2]}", page, flags=re.S)  # type: ignore[misc]
        if n != 1:
            raise ValueError(f"the page has {n} places for {name}, not one")
    return page


def write() -> None:
    """Write the schema, and the page's tables where the page is there."""
    SCHEMA.write_text(schema_text(), encoding="utf-8")
    if PAGE.exists():
        PAGE.write_text(fill(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


__all__ = ["PAGE", "SCHEMA", "fill", "option_table", "path_table", "schema_text", "write"]

if __name__ == "__main__":
    write()
