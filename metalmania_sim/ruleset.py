"""Loading the rules: shipped events and constants, a card file, a file of the user's, overrides by path."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from metalmania_sim.cards import SHIPPED, load_cards
from metalmania_sim.kernels.layout import EQUALIZERS, INSTRUMENTS, POSITIONS
from metalmania_sim.model import CONSTANT_TABLE, DATA, OPTION_TABLE, RulesModel
from metalmania_sim.pack import pack_rules
from simcore import files
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
)  # fmt: skip
from simcore.ruleschema import json_schema as make_schema

#: Key, in a rules file or among overrides, that names the card file: ``house``, ``assumed-long`` or a path.
CARDS = "cards"


@dataclass(frozen=True)
class Names:
    """Names by number; ``aliases`` maps other spellings of artists to their numbers (MM-D10)."""

    artists: tuple[str, ...]
    companies: tuple[str, ...]
    events: Mapping[int, str]
    aliases: Mapping[str, int]
    boards: tuple[tuple[int, ...], ...]
    instruments: tuple[str, ...] = INSTRUMENTS
    positions: tuple[str, ...] = POSITIONS
    equalizers: tuple[str, ...] = EQUALIZERS


@dataclass(frozen=True, eq=False)
class Rules:
    """Validated rules of Metal Mania.

    ``packed``: array of shape (1,), dtype RULES.  ``hash``: hex text, equal for equal rules.  ``house``:
    lines that name house data, changed values and options in use.  ``overrides``: changed values by
    path.  ``model``: everything as frozen objects.  ``sources``: label of every value by path.  ``cards``: the
    card file by its name.
    """

    packed: np.ndarray
    hash: str
    house: tuple[str, ...]
    overrides: Mapping[str, Any]
    model: RulesModel
    names: Names
    sources: Mapping[str, str] = field(repr=False)
    cards: str = "house"

    def option(self, name: str) -> Any:
        """The chosen value of an option or constant (texts, numbers, a tuple of words, a map)."""
        return self.model.option(name)


def _shipped(cards: str | Path) -> Tree:
    """Shipped events and options with the cards of one file; read once where the cards are shipped too."""
    return _shipped_cards(str(cards)) if str(cards) in SHIPPED else _with_cards(cards)


@functools.cache
def _shipped_cards(name: str) -> Tree:
    return _with_cards(name)


def _with_cards(cards: str | Path) -> Tree:
    tree = load_tree([DATA / "events.toml"], RulesModel)
    values, source = load_cards(SHIPPED.get(str(cards), Path(cards)))
    tree.values.update(values)
    for parts, _ in leaves(RulesModel, tree.values):
        tree.source.setdefault(".".join(parts), source)
    options: dict[str, Any] = {name: _first(row) for name, row in OPTION_TABLE.items()}
    tree.values["options"] = options | {name: row["value"] for name, row in CONSTANT_TABLE.items()}
    tree.source.update({f"options.{name}": "printed" for name in CONSTANT_TABLE})
    return tree


def _first(row: Mapping[str, Any]) -> Any:
    if "set" in row:
        return list(row["set"])
    return dict(row["map"]) if "map" in row else row["values"][0]


def load_rules(
    overrides: Mapping[str, Any] | None = None, file: str | Path | None = None, cards: str | Path | None = None
) -> Rules:
    """Rules of Metal Mania: shipped data, then ``file`` (TOML), then ``overrides`` by dotted path.

    ``cards``: a card file (TOML or JSON, structure of ``data/house.toml``), or the name of a shipped one
    (``house``, ``assumed-long``); a key ``cards`` in ``file`` (relative to it) or ``overrides`` does the same.
    Raises UsageError naming every mistake: place, path, value, what is allowed, the nearest word.
    """
    given = read_toml(file) if file is not None else {}
    named = _card_file(given, file, overrides, cards)
    shipped = _shipped(named)
    tree, mistakes, changed = shipped.copy(), Mistakes(), dict[str, Any]()
    for origin, table in ((str(file), given), ("overrides", overrides or {})):
        editor = Editor(tree, RulesModel, origin, _aliases(shipped))
        editor.put_all({key: value for key, value in table.items() if key != CARDS})
        mistakes += editor.mistakes
        changed.update(editor.changed)
    model = validate(RulesModel, tree, mistakes)
    before = validate(RulesModel, shipped) if changed else model
    real = {path: value for path, value in changed.items() if _value(model, path) != _value(before, path)}
    overridden = real if named == "house" else {CARDS: str(named), **real}
    house = (*_house_cards(model, tree, named), *_choices(model), *_changes(shipped, real))
    return Rules(
        pack_rules(model),
        content_hash(_content(model)),
        house,
        overridden,
        model,
        _names(model),
        tree.source,
        Path(named).name,
    )


def check(file: str | Path) -> list[str]:
    """Every mistake of a rules file, a line each; empty where it is good."""
    try:
        load_rules(file=file)
    except RulesError as error:
        return error.lines
    except UsageError as error:
        return [str(error)]
    return []


def _card_file(
    given: Mapping[str, Any], file: str | Path | None, overrides: Mapping[str, Any] | None, cards: str | Path | None
) -> str | Path:
    """The card file in force: argument, override, key of the rules file, or the house set."""
    named, base = cards, None
    if named is None and overrides and CARDS in overrides:
        named = overrides[CARDS]
    elif named is None and CARDS in given:
        named, base = given[CARDS], Path(file).parent if file is not None else None
    if named is None or named == "house":
        return "house"
    if not isinstance(named, str | Path):
        raise UsageError(f"{CARDS} = {named!r}: the name or the path of a card file is needed")
    if str(named) in SHIPPED:
        return str(named)
    path = Path(named) if base is None else base / named
    if not path.exists():
        hint = files.guess(path, SHIPPED)
        raise UsageError(f"{CARDS} = {str(named)!r}: no such file{hint} (allowed: a file, {', '.join(SHIPPED)})")
    return path


def _aliases(tree: Tree) -> dict[str, Alias]:
    """Other names of paths: second spellings of artists, constants without ``options`` before them."""
    rows = tree.values["artists"].items()
    aliases: dict[str, Alias] = {
        f"artists.{snake(row['alias'])}": f"artists.{name}" for name, row in rows if row.get("alias")
    }
    return aliases | {name: f"options.{name}" for name in CONSTANT_TABLE}


def _names(model: RulesModel) -> Names:
    order = list(model.artists)
    return Names(
        artists=tuple(order),
        companies=tuple(model.companies),
        events={int(n): event.name for n, event in model.events.items()},
        aliases={snake(card.alias): k for k, card in enumerate(model.artists.values()) if card.alias},
        boards=tuple(tuple(order.index(name) for name in board) for board in model.boards),
    )


def _content(model: RulesModel) -> dict[str, Any]:
    """What makes two rule sets equal: all data but the printed spellings; artists have an order."""
    content = model.model_dump(mode="json", exclude={"label", "artists", "companies"})
    for event in content["events"].values():
        del event["name"]
    for key, rows in (("artists", model.artists), ("companies", model.companies)):
        content[key] = [[name, row.model_dump(mode="json", exclude={"name", "alias"})] for name, row in rows.items()]
    return content


def _value(model: RulesModel, path: str) -> Any:
    node: Any = model
    for key in path.split("."):
        node = node.get(key) if isinstance(node, Mapping) else getattr(node, key, None)
    return node


# ------------------------------------------------------------------ what was assumed
def _house_cards(model: RulesModel, tree: Tree, named: str | Path) -> list[str]:
    labels = {tree.source.get(path, "") for path in (".".join(p) for p, _ in leaves(RulesModel, tree.values))}
    if not any(label.startswith("house") for label in labels):
        return []
    return [f"house data: artists, boards and companies of {Path(named).name} ({model.label})"]


def _choices(model: RulesModel) -> list[str]:
    lines = []
    default = model.options.__class__()
    for name, row in OPTION_TABLE.items():
        value, usual = model.option(name), getattr(default, name)
        if value != usual:
            lines.append(f"option {name} = {_shown(value)} (default {_shown(usual)}, {row['ruling']})")
    return lines


def _shown(value: Any) -> str:
    if hasattr(value, "model_dump"):
        return toml_text(value.model_dump())
    return value if isinstance(value, str) else toml_text(value)


def _changes(shipped: Tree, changed: Mapping[str, Any]) -> list[str]:
    lines = []
    for path, value in changed.items():
        if path.removeprefix("options.") not in OPTION_TABLE and not path.startswith("options.action_"):
            before = shipped.at(path.split("."))
            was = "new" if before is None else f"shipped {toml_text(before)}, {shipped.source.get(path, 'house')}"
            lines.append(f"changed: {path} = {toml_text(value)} ({was})")
    return lines


def json_schema() -> dict[str, Any]:
    """JSON schema, for editors, of a rules file."""
    extra = {CARDS: {"type": "string", "description": "card file: house, assumed-long, or a path from here"}}
    return make_schema(RulesModel, _shipped("house"), "Metal Mania rules", extra)


__all__ = ["CARDS", "Names", "Rules", "check", "json_schema", "load_rules"]
