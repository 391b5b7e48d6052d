"""A JSON schema for editors, made from a rules model and the shipped values.

Every table may be given in part, so nothing is required; every leaf shows its shipped value and source.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simcore.ruledata import LABELS, Data, Tree, children, toml_text

_LABEL = {"type": "string", "pattern": f"^({'|'.join(LABELS)})( .*)?$"}

#: What ``source`` may say: one label for all values below, or a label by key.
SOURCE = {
    "description": "where the values come from: printed, public or house; one label, or one by key",
    "anyOf": [_LABEL, {"type": "object", "additionalProperties": _LABEL}],
}


def json_schema(model: type[Data], tree: Tree, title: str, extra: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """JSON schema (draft 2020-12) of a file of rules.

    ``tree``: the shipped values.  ``extra``: schemas of further keys by dotted path, such as aliases.
    """
    full = model.model_json_schema()
    schema = _table(model, full, full.get("$defs", {}), tree, ())
    for path, more in (extra or {}).items():
        node = schema
        *above, key = path.split(".")
        for part in above:
            node = node["properties"][part]
        node["properties"][key] = {**more, **node["properties"].get(key, {})} if "anyOf" not in more else dict(more)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        **schema,
        # A quoted key with dots is a path from the top.
        "patternProperties": {"\\.": {}},
        "$defs": {"source": SOURCE},
    }


def _resolve(node: Any, defs: Mapping[str, Any]) -> Any:
    """``node`` with every reference replaced by what it stands for, without titles."""
    if isinstance(node, list):
        return [_resolve(item, defs) for item in node]
    if not isinstance(node, Mapping):
        return node
    if "$ref" in node:
        return _resolve(
            {**defs[node["$ref"].rsplit("/", 1)[1]], **{k: v for k, v in node.items() if k != "$ref"}}, defs
        )
    # Inside ``properties`` the keys are names of the data, also where one is called "title".
    return {
        key: {name: _resolve(item, defs) for name, item in value.items()}
        if key == "properties"
        else _resolve(value, defs)
        for key, value in node.items()
        if not (key == "title" and isinstance(value, str))
    }


def _target(node: Mapping[str, Any], defs: Mapping[str, Any]) -> Mapping[str, Any]:
    """The table behind a reference or an optional."""
    options = [item for item in node.get("anyOf", [node]) if item.get("type") != "null"]
    found = options[0]
    return defs[found["$ref"].rsplit("/", 1)[1]] if "$ref" in found else found


def _table(
    kind: Any, node: Mapping[str, Any], defs: Mapping[str, Any], tree: Tree, path: tuple[str, ...]
) -> dict[str, Any]:
    below = children(kind, tree.at(path))
    if below is None:
        return _leaf(node, defs, tree, path)
    node = _target(node, defs)
    properties = {}
    for key, child in below.items():
        inner = node["properties"][key] if "properties" in node else node["additionalProperties"]
        properties[key] = _table(child, inner, defs, tree, (*path, key))
    out: dict[str, Any] = {"type": "object"}
    if node.get("description"):
        out["description"] = node["description"]
    return {**out, "properties": {**properties, "source": {"$ref": "#/$defs/source"}}, "additionalProperties": False}


def _leaf(node: Mapping[str, Any], defs: Mapping[str, Any], tree: Tree, path: tuple[str, ...]) -> dict[str, Any]:
    out = dict(_resolve(node, defs))
    out.pop("default", None)
    shipped, source = tree.at(path), tree.source.get(".".join(path))
    if shipped is not None:
        note = f"shipped: {toml_text(shipped)}" + (f" ({source})" if source else "")
        out["description"] = f"{out['description']}; {note}" if out.get("description") else note
    return out
