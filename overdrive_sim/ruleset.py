"""Loading the rules: shipped component files, then a file of the user's, then overrides by path."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from overdrive_sim.kernels.layout import AWARDS, BANDS, SPACES, TRACKS
from overdrive_sim.model import COMPONENTS, DATA, OPTION_TABLE, USER_DECK, RulesModel
from overdrive_sim.pack import pack_rules
from simcore.errors import UsageError
from simcore.ruledata import (
    Alias,
    Editor,
    Mistakes,
    RulesError,
    Tree,
    content_hash,
    leaves,
    load_tree,
    read_toml,
    snake,
    toml_text,
    validate,
)
from simcore.ruleschema import json_schema as make_schema

_FACES = {"horns_up": "H", "horns": "H", "skull": "S", "chord": "C", "influence": "I"}


@dataclass(frozen=True)
class Names:
    """Names by number: ``cards`` holds (number, icon letter) of each physical Distortion card."""

    hits: tuple[str, ...]
    cards: tuple[tuple[int, str], ...]
    bands: tuple[str, ...] = BANDS
    awards: tuple[str, ...] = AWARDS
    spaces: tuple[str, ...] = SPACES
    tracks: tuple[str, ...] = TRACKS


@dataclass(frozen=True, eq=False)
class Rules:
    """Validated rules of Overdrive.

    ``packed``: array of shape (1,), dtype RULES.  ``hash``: hex text, equal for equal rules.  ``house``:
    lines that name house data, changed values and options in use.  ``overrides``: changed values by
    path.  ``model``: everything as frozen objects.  ``sources``: label of every value by path.
    """

    packed: np.ndarray
    hash: str
    house: tuple[str, ...]
    overrides: Mapping[str, Any]
    model: RulesModel
    names: Names
    sources: Mapping[str, str] = field(repr=False)

    def option(self, name: str) -> str:
        """The chosen value of an option."""
        return self.model.option(name)


@functools.cache
def _shipped() -> Tree:
    tree = load_tree([DATA / f"{name}.toml" for name in COMPONENTS], RulesModel)
    tree.values["options"] = {name: row["values"][0] for name, row in OPTION_TABLE.items()}
    return tree


def _resources(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or not value or set(value) - {"face", "grana"}:
        raise ValueError('expected {face = "any", grana = 1}')
    given: dict[str, Any] = {}
    if "face" in value:
        face = snake(value["face"]) or "any"
        given["board.resources.spaces"] = {"any": "?", **_FACES}.get(face, face)
    if "grana" in value:
        given["board.resources.reward"] = {"grana": value["grana"]}
    return given


_ALIASES: dict[str, Alias] = {
    "options.overdrive_points": "overdrive_points",
    "options.resources": _resources,
    "board.intimidation": "board.opportunity",
    **{f"battle.{word}": f"battle.{letter}" for word, letter in _FACES.items()},
}


def json_schema() -> dict[str, Any]:
    """JSON schema, for editors, of a rules file and of the component files."""
    extra = {
        "options.overdrive_points": {"type": "object", "description": "the same as overdrive_points (G-05)"},
        "options.resources": {
            "type": "object",
            "description": "what Resources takes and gives (G-07)",
            "properties": {"face": {"type": "string"}, "grana": {"type": "integer", "minimum": 0}},
            "additionalProperties": False,
        },
    }
    return make_schema(RulesModel, _shipped(), "Overdrive rules", extra)


def check(file: str | Path) -> list[str]:
    """Every mistake of a rules file, a line each; empty where it is good."""
    try:
        load_rules(file=file)
    except RulesError as error:
        return error.lines
    except UsageError as error:
        return [str(error)]
    return []


def _is_file(value: Any) -> bool:
    return isinstance(value, str) and value.endswith(".toml")


def _take_deck(tree: Tree, base: Path | None, mistakes: Mistakes) -> None:
    """Replace the Hits by those of the file that the option hit_deck names."""
    named = tree.values["options"]["hit_deck"]
    if not _is_file(named):
        return
    path = Path(named) if base is None or Path(named).is_absolute() else base / named
    try:
        content = read_toml(path)
    except UsageError as error:
        mistakes.append(f"options.hit_deck: {error}")
        return
    tree.values["hits"] = {}
    tree.values["options"]["hit_deck"] = USER_DECK
    editor = Editor(tree, RulesModel, str(named), grow=True)
    editor.put_all({key: value for key, value in content.items() if key in ("hits", "source")})
    mistakes += editor.mistakes
    mistakes += [f"{named}: unknown table {key!r} (allowed: hits)" for key in content if key not in ("hits", "source")]
    tree.values["decks"][USER_DECK] = list(tree.values["hits"])
    for title, hit in zip(list(content.get("hits", {})), tree.values["hits"].values(), strict=False):
        hit.setdefault("title", title)


def load_rules(overrides: Mapping[str, Any] | None = None, file: str | Path | None = None) -> Rules:
    """Rules of Overdrive: the shipped data, then ``file`` (TOML), then ``overrides`` by dotted path.

    Raises UsageError naming every mistake: place, path, value, what is allowed, the nearest word.
    """
    tree, mistakes, changed = _shipped().copy(), Mistakes(), dict[str, Any]()
    if file is not None:
        _apply(tree, read_toml(file), str(file), Path(file).parent, mistakes, changed)
    if overrides:
        _apply(tree, overrides, "overrides", None, mistakes, changed)
    model = validate(RulesModel, tree, mistakes)
    names = Names(hits=model.deck(), cards=tuple(model.cards()))
    shipped = _shipped()
    real = {path: value for path, value in changed.items() if _differs(model, shipped, path)}
    tree.source.update({path: shipped.source[path] for path in changed.keys() - real.keys() if path in shipped.source})
    house = (*_house_data(tree, model, real), *_choices(model), *_changes(shipped, real))
    return Rules(pack_rules(model), content_hash(_content(model)), house, real, model, names, tree.source)


def _apply(
    tree: Tree, given: Mapping[str, Any], origin: str, base: Path | None, mistakes: Mistakes, changed: dict[str, Any]
) -> None:
    """Put ``given`` into ``tree``; a deck file is read first, so that its Hits may be changed too."""
    deck = given.get("options.hit_deck", (given.get("options") or {}).get("hit_deck"))
    if _is_file(deck):
        tree.values["options"]["hit_deck"] = deck
        _take_deck(tree, base, mistakes)
        changed["options.hit_deck"] = deck
    editor = Editor(tree, RulesModel, origin, _ALIASES)
    editor.put_all(_without_deck(given) if _is_file(deck) else given)
    mistakes += editor.mistakes
    changed.update(editor.changed)


def _without_deck(given: Mapping[str, Any]) -> dict[str, Any]:
    rest = {key: value for key, value in given.items() if key != "options.hit_deck"}
    if isinstance(rest.get("options"), Mapping):
        rest["options"] = {key: value for key, value in rest["options"].items() if key != "hit_deck"}
    return rest


def _content(model: RulesModel) -> dict[str, Any]:
    """What makes two rule sets equal: all data but titles and the Hits outside the deck."""
    content = model.model_dump(mode="json", by_alias=True, exclude={"decks", "hits", "options"})
    for table in ("board", "bands", "awards"):
        for row in content[table].values():
            del row["title"]
    content["hits"] = [[name, model.hits[name].model_dump(mode="json", exclude={"title"})] for name in model.deck()]
    content["options"] = model.options.model_dump(exclude={"hit_deck"})
    return content


def _value(model: RulesModel, path: str) -> Any:
    node: Any = model
    for key in path.split("."):
        if isinstance(node, Mapping):
            node = node.get(key)
        else:
            node = getattr(node, "from_" if key == "from" else key)
    return node


@functools.cache
def _shipped_model() -> RulesModel:
    return validate(RulesModel, _shipped())


def _differs(model: RulesModel, shipped: Tree, path: str) -> bool:
    if path.startswith("hits.") and path.split(".")[1] not in shipped.values["hits"]:
        return True
    return bool(_value(model, path) != _value(_shipped_model(), path))


def _house_data(tree: Tree, model: RulesModel, changed: Mapping[str, Any]) -> list[str]:
    """A line for each kind of house value in use, such as ``hits.*.price``."""
    rows: dict[tuple[str, str], list[str]] = {}
    for parts, _ in leaves(RulesModel, tree.values):
        path = ".".join(parts)
        label = tree.source.get(path, "")
        if not label.startswith("house") or path in changed or _unused(parts, model):
            continue
        pattern = f"{parts[0]}.*.{parts[-1]}" if len(parts) == 3 else path
        rows.setdefault((pattern, label.removeprefix("house").strip()), []).append(parts[1] if len(parts) > 1 else path)
    return [
        f"house data: {pattern}" + (f" ({len(names)} values, {ruling})" if len(names) > 1 else f" ({ruling})")
        for (pattern, ruling), names in rows.items()
    ]


def _unused(parts: tuple[str, ...], model: RulesModel) -> bool:
    """Whether a value plays no part: Hits outside the deck, decks not chosen, titles, no sheets."""
    if parts[0] == "hits":
        return parts[1] not in model.deck() or parts[-1] == "title"
    if parts[0] == "decks":
        return parts[1] != model.option("hit_deck")
    return parts[-1] == "title" or (parts[0] == "sheets" and not model.sheets)


def _choices(model: RulesModel) -> list[str]:
    lines = []
    for name, row in OPTION_TABLE.items():
        value = model.option(name)
        if value != row["values"][0]:
            lines.append(f"option {name} = {value} (default {row['values'][0]}, {row['ruling']})")
    return lines


def _changes(shipped: Tree, changed: Mapping[str, Any]) -> list[str]:
    lines = []
    for path, value in changed.items():
        if not path.startswith("options."):
            before = shipped.at(path.split("."))
            was = "new" if before is None else f"shipped {toml_text(before)}, {shipped.source.get(path, 'house')}"
            lines.append(f"changed: {path} = {toml_text(value)} ({was})")
    return lines


__all__ = ["Names", "Rules", "check", "json_schema", "load_rules"]
