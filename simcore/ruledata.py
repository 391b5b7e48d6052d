"""Rules data of any game: readable TOML, source labels, dotted overrides, every mistake named at once.

A game describes its data as one frozen pydantic model.  A *path* is the way to a value through that
model, joined by dots (``hits.back_in_box.price``); a *leaf* is where the model's tables end: a number,
a text, a list, or a table that is a value as a whole (``{fans = 3, fame = 3}``).  A path that goes on
into such a table (``awards.gold.target.fans``) changes that one entry of it.

A table of a file may hold the key ``source``: one label for all values below it, or a table of labels by
key (``"*"`` for the others); the nearest wins.  A label is ``printed``, ``public`` or ``house``, and may
be followed by the rulings that it rests on (``"house G-01"``).
"""

from __future__ import annotations

import copy
import hashlib
import json
import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pydantic

from simcore import files
from simcore.errors import UsageError, nearest
from simcore.ruletree import Data, Tree, all_paths, children, item_of, leaves, model_of

__all__ = [
    "LABELS", "Alias", "Data", "Editor", "Mistakes", "RulesError", "Tree", "all_paths", "children", "content_hash",
    "item_of", "leaves", "load_tree", "model_of", "parse_override", "parse_overrides", "parse_value", "read_toml",
    "snake", "toml_text", "validate",
]  # fmt: skip

#: Where a value comes from.
LABELS = ("printed", "public", "house")

#: What an alias stands for: another path, or a function from the given value to values by path.
Alias = str | Callable[[Any], Mapping[str, Any]]

_SOURCE = "source"
_M = TypeVar("_M", bound="Data")


class RulesError(UsageError):
    """Mistakes in rules data; ``lines`` names each of them."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = list(lines)
        head = [] if len(self.lines) == 1 else [f"{len(self.lines)} mistakes:"]
        super().__init__("\n  ".join([*head, *self.lines]))


class Mistakes(list[str]):
    """Lines, each naming one mistake."""

    def check(self) -> None:
        """Raise RulesError with every line, if there is one."""
        if self:
            raise RulesError(self)


def snake(text: str) -> str:
    """The name that a printed title gets: lower case, accents dropped, ``&`` read as and, all else runs of ``_``."""
    plain = unicodedata.normalize("NFKD", str(text).replace("&", " and ")).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_")


def parse_value(text: str) -> Any:
    """A value as TOML writes it; what is no TOML is a text (``turn``, ``IH?``)."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, KeyError):
        return text.strip()


def parse_override(text: str) -> tuple[str, Any]:
    """``path=value`` as (path, value).  Raises UsageError without a path or a ``=``."""
    path, equals, value = text.partition("=")
    if not equals or not path.strip() or not value.strip():
        raise UsageError(f"override {text!r}: expected path=value, such as options.ability_limit=turn")
    return path.strip(), parse_value(value)


def parse_overrides(texts: Iterable[str]) -> dict[str, Any]:
    """Overrides by path from ``path=value`` texts, naming every text that is none."""
    found, mistakes = {}, Mistakes()
    for text in texts:
        try:
            path, value = parse_override(text)
            found[path] = value
        except UsageError as error:
            mistakes.append(str(error))
    mistakes.check()
    return found


def read_toml(path: str | Path) -> dict[str, Any]:
    """The tables of a TOML file.  Raises UsageError that names the file (and the line of bad TOML)."""
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}){files.guess(path)}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: no valid TOML: {error}") from error


# ------------------------------------------------------------------ sources
def _label(specs: tuple[Any, ...], key: str) -> str | None:
    """The label that the nearest of ``specs`` (outermost first) gives to ``key``."""
    for spec in reversed(specs):
        if isinstance(spec, str):
            return spec
        if isinstance(spec, Mapping) and (key in spec or "*" in spec):
            return str(spec.get(key, spec.get("*")))
    return None


def _bad_labels(spec: Any) -> list[str]:
    texts = spec.values() if isinstance(spec, Mapping) else [spec]
    return [str(t) for t in texts if not isinstance(t, str) or t.partition(" ")[0] not in LABELS]


# ------------------------------------------------------------------ reading and changing a tree
class Editor:
    """Puts values into a tree by path and gathers the mistakes.

    ``tree``: changed in place.  ``model``: the class of the whole data.  ``origin``: what to call the
    place that the values come from.  ``aliases``: other names of paths.  ``grow``: whether a table of
    named items takes new names.
    """

    def __init__(
        self, tree: Tree, model: type[Data], origin: str, aliases: Mapping[str, Alias] | None = None, grow: bool = False
    ) -> None:
        self.tree, self.model, self.origin, self.grow = tree, model, origin, grow
        self.aliases = dict(aliases or {})
        self.mistakes = Mistakes()
        self.changed: dict[str, Any] = {}

    def put_all(self, given: Mapping[str, Any], path: tuple[str, ...] = (), specs: tuple[Any, ...] = ()) -> None:
        """Put every value of nested tables whose keys may be dotted paths."""
        if _SOURCE in given:
            for bad in _bad_labels(given[_SOURCE]):
                allowed = ", ".join(LABELS)
                self.mistakes.append(f"{self.origin}: {'.'.join([*path, _SOURCE])} = {bad!r} (allowed: {allowed})")
            specs = (*specs, given[_SOURCE])
        below = {snake(name) for name in self._below(path)}
        seen: dict[str, str] = {}
        for key, value in given.items():
            if key == _SOURCE:
                continue
            # A title may hold dots itself ("Dr. Feld Good").
            parts = (str(key),) if snake(key) in below or not self._is_path(key) else tuple(str(key).split("."))
            name = ".".join(map(snake, parts))
            if seen.setdefault(name, str(key)) != str(key):
                self.mistakes.append(f"{self.origin}: {key!r} and {seen[name]!r} would both be named {name!r}")
            self.put((*path, *parts), value, specs)

    @staticmethod
    def _is_path(key: Any) -> bool:
        """Whether a key is a dotted path rather than a title with dots, which have spaces after them."""
        return "." in str(key) and not re.search(r"\.(\s|$)", str(key))

    def _kind(self, path: tuple[str, ...]) -> Any:
        """The annotation of the table at ``path``."""
        kind: Any = self.model
        for n, key in enumerate(path):
            kind = (children(kind, self.tree.at(path[:n])) or {}).get(key) or item_of(kind)
        return kind

    def _below(self, path: tuple[str, ...]) -> Mapping[str, Any]:
        return children(self._kind(path), self.tree.at(path)) or {}

    def put(self, path: tuple[str, ...], value: Any, specs: tuple[Any, ...] = ()) -> None:
        """Put one value, or the values of one table, at ``path``."""
        alias = self._alias(path)
        if alias is not None:
            name, rest = alias
            target = self.aliases[name]
            if isinstance(target, str):
                self.put((*target.split("."), *rest), value, specs)
            else:
                self._expand(name, target, {".".join(rest): value} if rest else value, specs)
            return
        kind: Any = self.model
        real: tuple[str, ...] = ()
        for n, key in enumerate(path):
            below = children(kind, self.tree.at(real))
            if below is None:
                self._put_entry(real, path[n:], value, specs)
                return
            found = self._match(key, below, kind, real)
            if found is None:
                self._unknown(path, n, below)
                return
            real = (*real, found)
            kind = below[found] if found in below else item_of(kind)
        self._put_here(real, kind, value, specs)

    def _put_here(self, real: tuple[str, ...], kind: Any, value: Any, specs: tuple[Any, ...]) -> None:
        below = children(kind, self.tree.at(real))
        if below is None:
            self._set(real, value, specs)
        elif isinstance(value, Mapping):
            if self.tree.at(real) is None:
                self._set_raw(real, {})
            self.put_all(value, real, specs)
        else:
            keys = ", ".join(sorted(below))
            self.mistakes.append(
                f"{self.origin}: {'.'.join(real)} = {value!r}: is a table, name one of its keys: {keys}"
            )

    def _put_entry(self, real: tuple[str, ...], rest: tuple[str, ...], value: Any, specs: tuple[Any, ...]) -> None:
        present = self.tree.at(real)
        if not isinstance(present, Mapping) or len(rest) != 1:
            dotted = ".".join(real)
            self.mistakes.append(f"{self.origin}: {dotted}.{'.'.join(rest)}: {dotted} is one value, without parts")
            return
        self._set(real, {**present, rest[0]: value}, specs)

    def _alias(self, path: tuple[str, ...]) -> tuple[str, tuple[str, ...]] | None:
        parts = [snake(p) for p in path]
        for n in range(len(parts), 0, -1):
            name = ".".join(parts[:n])
            if name in self.aliases:
                return name, path[n:]
        return None

    def _expand(
        self, name: str, target: Callable[[Any], Mapping[str, Any]], value: Any, specs: tuple[Any, ...]
    ) -> None:
        try:
            given = target(value)
        except ValueError as error:
            self.mistakes.append(f"{self.origin}: {name} = {value!r}: {error}")
            return
        self.put_all(given, (), specs)

    def _match(self, key: str, below: Mapping[str, Any], kind: Any, real: tuple[str, ...]) -> str | None:
        wanted = snake(key)
        for name in below:
            if snake(name) == wanted:
                return name
        if self.grow and item_of(kind) and wanted:
            return wanted
        return None

    def _unknown(self, path: tuple[str, ...], n: int, below: Mapping[str, Any]) -> None:
        dotted = ".".join(path)
        known = [*all_paths(self.model, self.tree.values), *self.aliases]
        tables = {".".join(p.split(".")[:k]) for p in known for k in range(1, p.count(".") + 1)}
        guess = nearest(".".join(map(snake, path)), [*known, *tables])
        hint = f"; did you mean {guess!r}?" if guess else ""
        place = ".".join(path[:n])
        above = f" in {place}" if place else ""
        allowed = ", ".join(sorted(below, key=lambda k: (len(k), k) if k.isdigit() else (0, k)))
        self.mistakes.append(f"{self.origin}: unknown rule {dotted!r}{hint} (allowed{above}: {allowed})")

    def _set(self, real: tuple[str, ...], value: Any, specs: tuple[Any, ...]) -> None:
        dotted = ".".join(real)
        self._set_raw(real, copy.deepcopy(dict(value) if isinstance(value, Mapping) else value))
        self.changed[dotted] = value
        owner = model_of(self._kind(real[:-1]))
        for other in owner.replaces.get(real[-1], ()) if owner else ():
            if ".".join((*real[:-1], other)) not in self.changed:
                self.tree.at(real[:-1]).pop(other, None)
        self.tree.origin.pop(dotted, None)  # latest last
        self.tree.origin[dotted] = self.origin
        self.tree.source[dotted] = _label(specs, real[-1]) or LABELS[-1]

    def _set_raw(self, real: tuple[str, ...], value: Any) -> None:
        node = self.tree.values
        for key in real[:-1]:
            node = node.setdefault(key, {})
        node[real[-1]] = value


def load_tree(files: Iterable[Path], model: type[Data]) -> Tree:
    """The component files of a game as one tree.  Raises UsageError naming every mistake."""
    tree, mistakes = Tree(), Mistakes()
    for path in files:
        editor = Editor(tree, model, path.name, grow=True)
        editor.put_all(read_toml(path))
        mistakes += editor.mistakes
    mistakes.check()
    return tree


# ------------------------------------------------------------------ validating
def validate(model: type[_M], tree: Tree, before: Iterable[str] = ()) -> _M:
    """The tree as a frozen model.  Raises UsageError naming every mistake, those in ``before`` first."""
    mistakes = Mistakes(before)
    try:
        valid = model.model_validate(tree.values)
    except pydantic.ValidationError as error:
        mistakes += [_describe(model, tree, problem) for problem in error.errors()]
    mistakes.check()
    return valid


#: Pydantic's mistakes in the words of a rules file.
_ALLOWED = {
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "int_type": "must be a whole number",
    "string_type": "must be a text",
    "dict_type": "must be a table",
    "tuple_type": "must be a list",
    "string_too_short": "must have at least {min_length} letters",
    "string_too_long": "must have at most {max_length} letters",
    "too_short": "must have at least {min_length} entries",
    "too_long": "must have at most {max_length} entries",
}


def _describe(model: type[Data], tree: Tree, problem: Any) -> str:
    """One line about one mistake: file, key, value, what is allowed, the nearest right word."""
    keys = [str(part) for part in problem["loc"] if part != "[key]"]
    path = ".".join(keys)
    place = f"{tree.where(path)}: {path}" if path else "rules"
    kind, value, context = problem["type"], problem["input"], problem.get("ctx", {})
    if kind == "extra_forbidden":
        node: Any = model
        for key in keys[:-1]:
            node = (children(node, tree.at(())) or {}).get(key) or item_of(node)
        below = children(node, None) or {}
        return f"{place}: unknown key{_guess(keys[-1], below)} (allowed: {', '.join(below)})"
    if kind == "missing":
        return f"{place}: is missing"
    if kind == "literal_error":
        expected = re.findall(r"'([^']*)'", str(context["expected"]))
        return f"{place} = {value!r}: not allowed{_guess(value, expected)} (allowed: {', '.join(expected)})"
    message = str(context["error"]) if kind == "value_error" else _ALLOWED.get(kind, problem["msg"]).format(**context)
    shown = f" = {value!r}" if path and not isinstance(value, Mapping | pydantic.BaseModel) else ""
    return f"{place}{shown}: {message[:1].lower() + message[1:]}"


def _guess(word: Any, words: Iterable[str]) -> str:
    found = nearest(str(word), words)
    return f"; did you mean {found!r}?" if found else ""


def content_hash(content: Any) -> str:
    """Hex text (16 digits) that is equal for equal plain data, whatever the order of keys."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def toml_text(value: Any) -> str:
    """A value as TOML writes it, on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {toml_text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_text, value)) + "]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)
