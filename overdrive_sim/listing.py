"""A rule set as text: every value, with house values and changes marked."""

from __future__ import annotations

from typing import Any

from overdrive_sim.model import OPTION_TABLE, RulesModel
from overdrive_sim.ruleset import Rules
from simcore.ruledata import leaves, toml_text

HOUSE_MARK, CHANGE_MARK = "*", "!"


def show(rules: Rules) -> str:
    """All rules in use as lines of text; ``*`` marks house values, ``!`` what was changed."""
    data = rules.model.model_dump(mode="json", by_alias=True, exclude_none=True)
    data["hits"] = {name: data["hits"][name] for name in rules.names.hits}
    lines = [
        f"Overdrive, rules {rules.hash}",
        f"{HOUSE_MARK} house value, not printed in the rulebook    {CHANGE_MARK} changed from what is shipped",
    ]
    tables: dict[str, dict[str, list[str]]] = {}
    for path, value in leaves(RulesModel, data):
        if path[0] not in ("options", "decks") and path[-1] != "title":
            row = ".".join(path[1:-1]) if len(path) > 2 else path[-1]
            text = f"{path[-1]} " if len(path) > 2 else ""
            tables.setdefault(path[0], {}).setdefault(row, []).append(f"{text}{_plain(value)}{_mark(rules, path)}")
    for name, rows in tables.items():
        lines += ["", f"{name} ({len(rows)})" if name in ("hits", "board", "bands", "awards") else name]
        width = max(map(len, rows))
        lines += [f"  {row.ljust(width)}  {'  '.join(cells)}" for row, cells in rows.items()]
    return "\n".join([*lines, "", "options", *_options(rules), ""])


def _plain(value: Any) -> str:
    return value if isinstance(value, str) and value else toml_text(value)


def _mark(rules: Rules, path: tuple[str, ...]) -> str:
    dotted = ".".join(path)
    above = [".".join(path[:n]) for n in range(1, len(path) + 1)]
    if any(part in rules.overrides for part in above):
        return CHANGE_MARK
    return HOUSE_MARK if rules.sources.get(dotted, "").startswith("house") else ""


def _options(rules: Rules) -> list[str]:
    width = max(map(len, OPTION_TABLE))
    lines = []
    for name, row in OPTION_TABLE.items():
        value = rules.option(name)
        mark = "" if value == row["values"][0] else CHANGE_MARK
        others = ", ".join(v for v in row["values"] if v != value)
        lines.append(f"  {name.ljust(width)}  {value}{mark}  (or {others}; {row['ruling']}: {row['says']})")
    return lines
