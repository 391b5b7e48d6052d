"""Rules data as a tree of paths: the model's classes, the values that fill them, and the ways to each.

A *leaf* is where the model's tables end: a number, a text, a list, or a table that is one value.
"""

from __future__ import annotations

import copy
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pydantic


class Data(pydantic.BaseModel):
    """A frozen piece of rules data that knows all its keys.

    ``replaces``: keys that lose their value when a key is changed, such as those of another kind of card.
    """

    replaces: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


@dataclass
class Tree:
    """Values as nested tables; ``source`` and ``origin`` (label; file or command line) by dotted leaf path."""

    values: dict[str, Any] = field(default_factory=dict)
    source: dict[str, str] = field(default_factory=dict)
    origin: dict[str, str] = field(default_factory=dict)

    def at(self, path: Iterable[str]) -> Any:
        """The value or table at ``path``, None if there is none."""
        node: Any = self.values
        for key in path:
            node = node.get(key) if isinstance(node, Mapping) else None
        return node

    def where(self, path: str) -> str:
        """The origin of a path: of the leaf that it lies in, or of the latest change below it."""
        parts = path.split(".")
        for n in range(len(parts), 0, -1):
            above = ".".join(parts[:n])
            if above in self.origin:
                return self.origin[above]
            below = [origin for leaf, origin in self.origin.items() if leaf.startswith(above + ".")]
            if below:
                return below[-1]
        return "rules"

    def copy(self) -> Tree:
        """A tree of its own."""
        return Tree(copy.deepcopy(self.values), dict(self.source), dict(self.origin))


def _bare(annotation: Any) -> Any:
    """An annotation without Annotated and Optional."""
    while True:
        origin = typing.get_origin(annotation)
        if origin is typing.Annotated:
            annotation = typing.get_args(annotation)[0]
        elif origin in (typing.Union, types.UnionType):
            rest = [a for a in typing.get_args(annotation) if a is not type(None)]
            if len(rest) != 1:
                return annotation
            annotation = rest[0]
        else:
            return annotation


def model_of(annotation: Any) -> type[Data] | None:
    """The model class of an annotation that is one."""
    bare = _bare(annotation)
    return bare if isinstance(bare, type) and issubclass(bare, Data) else None


def item_of(annotation: Any) -> type[Data] | None:
    """The model class of the items of an annotation like ``dict[str, Hit]``."""
    bare = _bare(annotation)
    if typing.get_origin(bare) is dict:
        return model_of(typing.get_args(bare)[1])
    return None


def children(annotation: Any, node: Any) -> dict[str, Any] | None:
    """Annotations by key below a table of the model, None at a leaf; ``node`` holds the values there."""
    if model := model_of(annotation):
        return {f.alias or name: f.annotation for name, f in model.model_fields.items()}
    if item := item_of(annotation):
        return dict.fromkeys(node or {}, item)
    return None


def leaves(annotation: Any, node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """(path, value) of every leaf that ``node`` holds, in the order of the model."""
    below = children(annotation, node)
    if below is None or not isinstance(node, Mapping):
        yield path, node
        return
    for key, kind in below.items():
        if key in node:
            yield from leaves(kind, node[key], (*path, key))


def all_paths(annotation: Any, node: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Dotted path of every leaf that may be set, also of those that have no value yet."""
    below = children(annotation, node)
    if below is None:
        yield ".".join(path)
        return
    for key, kind in below.items():
        child = node.get(key) if isinstance(node, Mapping) else None
        yield from all_paths(kind, child, (*path, key))
