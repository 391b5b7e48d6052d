"""Card files: artists, boards and record companies as TOML or JSON, and the longer profile made from them.

A file holds ``label`` (what the cards are), ``boards`` (five lists of four artists: guitar, microphone,
bass, drums), ``pool`` (the other artists) and ``companies``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pydantic

from metalmania_sim.kernels.layout import ARTISTS, BASIC, BOARDS, COMPANIES, POSITIONS
from metalmania_sim.model import DATA, Artist, Company
from simcore.errors import UsageError, nearest
from simcore.ruledata import LABELS, Data, Mistakes, read_toml, snake, toml_text

#: Card files that are shipped, by name.
SHIPPED = {"house": DATA / "house.toml", "assumed-long": DATA / "assumed_long.toml"}

_KEYS = ("label", "source", "boards", "pool", "companies")
_CUTS = 2  # points that every card of the longer profile loses


def read(path: str | Path) -> dict[str, Any]:
    """The tables of a card file.  Raises UsageError when it cannot be read or is no TOML or JSON."""
    if Path(path).suffix.lower() != ".json":
        return read_toml(path)
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: no valid JSON: {error}") from error
    if not isinstance(content, dict):
        raise UsageError(f"{path}: a table with the keys {', '.join(_KEYS)} is needed")
    return content


def load_cards(path: str | Path) -> tuple[dict[str, Any], str]:
    """Cards of a file as values of the rules (label, artists, boards, companies), and their source label.

    Raises UsageError naming every mistake of the file.
    """
    content = read(path)
    lines = _Lines(str(Path(path).name))
    lines.keys(content)
    boards, pool = lines.rows(content, "boards"), lines.rows(content, "pool")
    artists: dict[str, Any] = {}
    seats: list[list[str]] = []
    for number, board in enumerate(boards, 1):
        rows = board if isinstance(board, list) else []
        if len(rows) != BASIC:
            lines.add(f"board {number}: {len(rows)} artists (needed: {BASIC}, {', '.join(POSITIONS[:BASIC])})")
        seats.append([lines.card(Artist, row, f"board {number}", k, artists) for k, row in enumerate(rows, 1)])
        lines.basic_positions(rows, number)
    for k, row in enumerate(pool, 1):
        lines.card(Artist, row, "pool", k, artists)
    companies: dict[str, Any] = {}
    for k, row in enumerate(lines.rows(content, "companies"), 1):
        lines.card(Company, row, "companies", k, companies)
    lines.counts(boards, artists, companies)
    lines.mistakes.check()
    label = str(content.get("label", Path(path).name))
    values = {"label": label, "artists": artists, "boards": seats, "companies": companies}
    return values, str(content.get("source", "house"))


class _Lines:
    """Mistakes of one card file."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.mistakes = Mistakes()
        self.seen = 0

    def add(self, text: str) -> None:
        self.mistakes.append(f"{self.origin}: {text}")

    def keys(self, content: Mapping[str, Any]) -> None:
        for key in content:
            if key not in _KEYS:
                self.add(f"unknown key {key!r}{_guess(key, _KEYS)} (allowed: {', '.join(_KEYS)})")
        source = str(content.get("source", "house"))
        if source.partition(" ")[0] not in LABELS:
            self.add(f"source = {source!r} (allowed: {', '.join(LABELS)})")

    def rows(self, content: Mapping[str, Any], key: str) -> list[Any]:
        rows = content.get(key)
        if isinstance(rows, list):
            return rows
        self.add(f"{key} is missing" if rows is None else f"{key}: a list is needed")
        return []

    def card(self, model: type[Data], row: Any, place: str, k: int, taken: dict[str, Any]) -> str:
        """Check one card and put it into ``taken`` under its snake name, which is returned."""
        self.seen += model is Artist
        printed = str(row.get("name", "")) if isinstance(row, Mapping) else ""
        where = f"{place}, number {k}" + (f" ({printed})" if printed else "")
        try:
            model.model_validate(row)
        except pydantic.ValidationError as error:
            for problem in error.errors():
                self.add(f"{where}: {_say(problem, model)}")
        name = snake(printed)
        if name in taken:
            other = taken[name]["name"]
            why = "stands twice" if other == printed else f"and {other!r} would both be named {name!r}"
            self.add(f"{where}: {printed!r} {why}")
        elif name:
            taken[name] = dict(row)
        elif printed:
            self.add(f"{where}: {printed!r} has no letter or digit to be named by")
        return name

    def basic_positions(self, rows: list[Any], number: int) -> None:
        for row, position in zip(rows, POSITIONS[:BASIC], strict=False):
            plays = row.get("instruments") if isinstance(row, Mapping) else None
            if isinstance(plays, Mapping) and position not in plays:
                self.add(f"board {number}: {row.get('name')} stands at the {position} and does not play it")

    def counts(self, boards: list[Any], artists: Mapping[str, Any], companies: Mapping[str, Any]) -> None:
        if len(boards) != BOARDS:
            self.add(f"{len(boards)} boards (needed: {BOARDS}, MM-R001)")
        if self.seen != ARTISTS:
            self.add(f"{self.seen} artists (needed: {ARTISTS}, MM-R002)")
        if len(companies) != COMPANIES:
            self.add(f"{len(companies)} record companies (needed: {COMPANIES}, MM-R001)")


def _guess(word: Any, words: Iterable[str]) -> str:
    found = nearest(str(word), words)
    return f"; did you mean {found!r}?" if found else ""


def _say(problem: Any, model: type[Data]) -> str:
    """One mistake of a card: key, value, what is allowed."""
    path = ".".join(str(part) for part in problem["loc"] if part != "[key]")
    kind, value = problem["type"], problem["input"]
    if kind == "missing":
        return f"{path} is missing"
    if kind == "extra_forbidden":
        known = list(model.model_fields)
        return f"unknown key {path!r}{_guess(path, known)} (allowed: {', '.join(known)})"
    if kind == "literal_error":
        allowed = re.findall(r"'([^']*)'", str(problem["ctx"]["expected"]))
        what = f"unknown key {path}" if problem["loc"][-1] == "[key]" else f"{path} = {value!r}"
        return f"{what}{_guess(value, allowed)} (allowed: {', '.join(allowed)})"
    return f"{path} = {value!r}: {problem['msg'].lower()}" if path else problem["msg"].lower()


# ------------------------------------------------------------------ the longer profile
def longer(content: Mapping[str, Any]) -> dict[str, Any]:
    """The profile ``assumed-long`` of a card file's content: every artist loses two points (rulings, 3.5).

    Twice, 1 is taken from the largest of Inspiration, Charisma and best degree (the first in that order on
    ties); a degree is lowered on every instrument, but not below 1.
    """
    return {
        **content,
        "label": f"{content['label']}; longer profile: every artist two points weaker",
        "boards": [[_weaker(row) for row in board] for board in content["boards"]],
        "pool": [_weaker(row) for row in content["pool"]],
    }


def _weaker(row: Mapping[str, Any]) -> dict[str, Any]:
    artist = {**row, "instruments": dict(row["instruments"])}
    for _ in range(_CUTS):
        best = max(artist["instruments"].values())
        values = {"inspiration": artist["inspiration"], "charisma": artist["charisma"], "degree": best}
        largest = max(values, key=lambda key: values[key])
        if largest == "degree":
            artist["instruments"] = {name: max(degree - 1, 1) for name, degree in artist["instruments"].items()}
        else:
            artist[largest] -= 1
    return artist


def cards_toml(content: Mapping[str, Any], head: str) -> str:
    """A card file as TOML text, a card a line, under the comment ``head``."""
    lines = [f"# {line}".rstrip() for line in head.splitlines()]
    lines += [
        "",
        f"label = {toml_text(content['label'])}",
        f"source = {toml_text(content['source'])}",
        "",
        "boards = [",
    ]
    for board in content["boards"]:
        lines += ["  [", *(f"    {toml_text(row)}," for row in board), "  ],"]
    lines.append("]")
    for key in ("pool", "companies"):
        lines += ["", f"{key} = [", *(f"  {toml_text(row)}," for row in content[key]), "]"]
    return "\n".join(lines) + "\n"


LONG_HEAD = """The profile assumed-long: the house set with every artist two points weaker, for longer games.

Made from house.toml by metalmania_sim.cards.longer (inspiration + charisma + best degree = 6 + reputation)."""


def long_text() -> str:
    """Text of the shipped file ``assumed_long.toml``."""
    return cards_toml(longer(read(SHIPPED["house"])), LONG_HEAD)
