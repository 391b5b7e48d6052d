"""The values of a game's rules by dotted path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simcore.errors import UsageError


def values_by_path(found: Any) -> dict[str, Any]:
    """Every value of the rules by path: where sources are kept, and all options.  Raises UsageError."""
    if not hasattr(found, "sources"):
        raise UsageError("rules: this game does not say where its values come from")
    tree = found.model.model_dump(mode="json", by_alias=True)
    values = {}
    for key in [*found.sources, *(f"options.{name}" for name in tree.get("options", {}))]:
        node: Any = tree
        for part in key.split("."):
            node = node.get(part) if isinstance(node, Mapping) else None
        if node is not None:
            values[key] = node
    return values
