"""The pages of the files that users write, from the schemas that check them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from experiments.study import Study, shipped_plans
from generate.markdown import NOTE, code, table
from metalmania_sim import ruleset as metalmania
from overdrive_sim import ruleset as overdrive

PLANS = Path(__file__).resolve().parents[1] / "reference" / "plans.md"

_GAMES = {"overdrive": ("Overdrive", overdrive), "metalmania": ("Metal Mania", metalmania)}


# ------------------------------------------------------------------ plans
def meanings() -> dict[str, str]:
    """What each key of a plan means, from the table of the page on plans."""
    found = {}
    for names, says in re.findall(r"^\| (`[^|]+?`) \|[^|]*\| (.+?) \|$", PLANS.read_text(encoding="utf-8"), re.M):
        keys, parts = re.findall(r"`(\w+)`", names), says.split("; ")
        for number, key in enumerate(keys):  # several keys of one row have a part each
            found[key] = parts[number] if len(keys) == len(parts) else says
    return {key: re.sub(r"\]\((?=\w+\.md)", "](../", says) for key, says in found.items()}


def plan_page() -> str:
    """Keys of a plan file: type, default, limits, meaning."""
    schema, says = Study.model_json_schema(), meanings()
    rows = [
        (code(key), kind(one), _default(one), says.get(key, "")) for key, one in schema["properties"].items()
    ]  # fmt: skip
    shipped = "\n\n".join(
        f"### {name}\n\n```toml\n{path.read_text(encoding='utf-8')}```" for name, path in shipped_plans().items()
    )
    return (
        f"# Plan files\n\n{NOTE} How a plan becomes runs is on the page [Plans](../plans.md).\n\n"
        "Any other key is refused, with the nearest right word.\n\n"
        f"{table(('key', 'value', 'default', 'meaning'), rows)}\n## The plans that come along\n\n{shipped}\n"
    )


def _default(schema: Mapping[str, Any]) -> str:
    if "default" not in schema:
        return "required"
    value = schema["default"]
    return "" if value in (None, "", [], {}) else code(json.dumps(value))


def kind(schema: Mapping[str, Any]) -> str:
    """What a value may be, in words, from its JSON schema."""
    if "enum" in schema:
        words = (str(value).lower() if isinstance(value, bool) else value for value in schema["enum"])
        return ", ".join(dict.fromkeys(map(code, words)))
    if "const" in schema:
        return code(schema["const"])
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(kind(one) for one in schema["anyOf"] if one.get("type") != "null"))
    return _WORDS.get(str(schema.get("type")), lambda _: "anything")(schema)


def _number(word: str, schema: Mapping[str, Any]) -> str:
    limits = [
        f"{sign} {schema[key]:g}"
        for key, sign in (
            ("minimum", "at least"), ("exclusiveMinimum", "above"), ("maximum", "at most"),
            ("exclusiveMaximum", "below"),
        )
        if key in schema
    ]  # fmt: skip
    return ", ".join([word, *limits])


def _list(schema: Mapping[str, Any]) -> str:
    inside = schema.get("items", {})
    return f"list of: {kind(inside)}" if inside else "list"


def _object(schema: Mapping[str, Any]) -> str:
    inside = schema.get("additionalProperties")
    return f"table of: {kind(inside)}" if isinstance(inside, Mapping) and inside else "table"


_WORDS = {
    "string": lambda schema: f"text like {code(schema['pattern'])}" if "pattern" in schema else "text",
    "boolean": lambda _: "`true` or `false`",
    "integer": lambda schema: _number("whole number", schema),
    "number": lambda schema: _number("number", schema),
    "array": _list,
    "object": _object,
}


# ------------------------------------------------------------------ rules
_SHIPPED = re.compile(
    r"(?:(?P<says>.*?);? ?)shipped: (?P<value>.*?)(?: \((?P<source>(?:printed|public|house)[^()]*)\))?$"
)


def rules_page(game: str) -> str:
    """Every path of a rules file: what it may be, what is shipped and where that comes from, component by component."""
    title, module = _GAMES[game]
    parts = [
        f"# Rules file of {title}",
        f"{NOTE} How values are changed, and what their sources mean, is on the page "
        f"[{title}](../rules-{game}.md). `soundcheck rules check FILE` names every mistake of a file at once; "
        f"`{game}_sim/data/schema.json` is the same schema for editors. A star marks *house* values, which no "
        "rulebook prints. Any table may hold `source`, a label or a table of labels by key.",
    ]
    for name, one in module.json_schema()["properties"].items():
        if name != "source":
            parts += [f"## {name}", *_component(name, one)]
    return "\n\n".join(part.rstrip() for part in parts if part) + "\n"


def _component(name: str, schema: Mapping[str, Any]) -> list[str]:
    """A component in Markdown: its keys, and a row an entry where it holds entries of one kind."""
    said = str(schema.get("description", ""))
    inside = _tables(schema)
    entries = {key: one for key, one in inside.items() if "properties" in one}
    if len(entries) < 3 or len(entries) < len(inside):
        about = "" if _SHIPPED.match(said) else said
        heads = (
            ("path", "may be", "shipped", "source", "decides")
            if name == "options"
            else ("path", "may be", "shipped", "source")
        )
        return [about.replace("``", "`"), table(heads, (row[: len(heads)] for row in _rows(schema, name)))]
    first = str(next(iter(entries.values())).get("description", ""))
    keys: dict[str, Mapping[str, Any]] = {}
    for one in entries.values():
        keys = {**dict(_leaves(one, "")), **keys}
    described = [(code(f"{name}.NAME{key}"), kind(one)) for key, one in keys.items()]
    shown = [key for key in keys if any(_values(one, key) for one in entries.values())]
    values = [(code(key), *(_values(one, column) for column in shown)) for key, one in entries.items()]
    heads = ("NAME", *(key.lstrip(".") for key in shown))
    return [first.replace("``", "`"), table(("path", "may be"), described), "Shipped:", table(heads, values)]


def _tables(schema: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {key: one for key, one in schema.get("properties", {}).items() if "$ref" not in one}


def _leaves(schema: Mapping[str, Any], path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """(dotted path, schema) of every value below ``schema``; a table with a shipped value is one value."""
    if "properties" not in schema or _SHIPPED.match(str(schema.get("description", ""))):
        yield path, schema
        return
    for name, one in _tables(schema).items():
        yield from _leaves(one, f"{path}.{name}")


def _rows(schema: Mapping[str, Any], path: str) -> Iterator[tuple[str, ...]]:
    for place, one in _leaves(schema, path):
        found = _SHIPPED.match(str(one.get("description", "")))
        value, source, says = (found["value"], found["source"], found["says"]) if found else ("", "", "")
        yield code(place), kind(one), code(value), source or "", says or ""


def _values(entry: Mapping[str, Any], key: str) -> str:
    """The shipped value of one entry, with a star where it is house data."""
    found = _SHIPPED.match(str(dict(_leaves(entry, "")).get(key, {}).get("description", "")))
    if not found:
        return ""
    star = " \\*" if (found["source"] or "").startswith("house") else ""
    return code(found["value"]) + star
