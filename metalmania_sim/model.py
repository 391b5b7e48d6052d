"""The rules of Metal Mania as frozen pydantic models: cards, events, options and constants."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, create_model, model_validator

from metalmania_sim.kernels.layout import (
    ARTISTS,
    BOARDS,
    COMPANIES,
    EQUALIZERS,
    FIRST_EVENT,
    INSTRUMENTS,
    LAST_EVENT,
    MOST_DICE,
    MOST_PRICE,
    POSITIONS,
)  # fmt: skip
from simcore.ruledata import Data

DATA = Path(__file__).parent / "data"


def _table(name: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))


#: Options by name as ``options.toml`` declares them: values (or set, or map), ruling, says.
OPTION_TABLE = _table("options")
#: Constants by name as ``constants.toml`` declares them: value, least, most, rule, says.
CONSTANT_TABLE = _table("constants")

#: What a company may modify (MM-R013, MM-A57).
CHARACTERISTICS = ("inspiration", "charisma", "performance", "revelry", "reputation")

Style = Literal["HR", "HM", "EX"]
Points = Annotated[int, Field(strict=True, ge=0, le=MOST_PRICE)]
Modifier = Annotated[int, Field(strict=True, ge=-20, le=20)]
Dollars = Annotated[int, Field(strict=True, ge=-1000, le=1000)]


def _schema(allowed: tuple[str, ...]) -> WithJsonSchema:
    values = {key: {"type": "integer", "minimum": -20, "maximum": 20} for key in allowed}
    return WithJsonSchema({"type": "object", "properties": values, "additionalProperties": False})


Instruments = Annotated[dict[Literal[INSTRUMENTS], Points], Field(min_length=1), _schema(INSTRUMENTS)]  # type: ignore[valid-type]
Modifiers = Annotated[dict[Literal[CHARACTERISTICS], Modifier], _schema(CHARACTERISTICS)]  # type: ignore[valid-type]


class Artist(Data):
    """An artist card (MM-R004 to MM-R010); ``alias`` is another spelling of the name (MM-D10)."""

    name: Annotated[str, Field(strict=True, min_length=1)]
    alias: str = ""
    style: Style
    inspiration: Points
    charisma: Points
    revelry: Annotated[int, Field(strict=True, ge=0, le=MOST_DICE)]
    reputation: Points
    instruments: Instruments


class Company(Data):
    """A record company (MM-R012 to MM-R014)."""

    name: Annotated[str, Field(strict=True, min_length=1)]
    style: Style
    modifiers: Modifiers


class Event(Data):
    """An event of the board (MM-R047 to MM-R058)."""

    name: str
    money: Dollars = 0
    fame: Dollars = 0
    others_money: Dollars = 0
    choice: Literal["none", "victim", "trouble", "hire", "heal", "drink", "all_drink"] = "none"
    victim_money: Dollars = 0
    victim_fame: Dollars = 0

    @model_validator(mode="after")
    def _is_one_thing(self) -> Event:
        if self.fame and self.choice != "none":
            raise ValueError("an event gives fame or asks for a choice, not both")
        if (self.victim_money or self.victim_fame) and self.choice != "victim":
            raise ValueError('victim_money and victim_fame need choice = "victim"')
        return self


# ------------------------------------------------------------------ options
def _text(value: Any) -> Any:
    """On/off options may be booleans, numbers may be numbers; all are kept as texts."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else value


def _choice(row: dict[str, Any]) -> tuple[Any, Any]:
    values = tuple(row["values"])
    allowed: list[Any] = [*values, *(v == "true" for v in values if v in ("true", "false"))]
    allowed += [int(v) for v in values if v.isdigit()]
    kind = Annotated[Literal[values], BeforeValidator(_text), WithJsonSchema({"enum": allowed})]  # type: ignore[valid-type]
    return kind, values[0]


def _in_order(values: tuple[str, ...]) -> AfterValidator:
    return AfterValidator(lambda given: tuple(v for v in values if v in given))


def _option(row: dict[str, Any]) -> Any:
    """Field of an option: one of its values, a set of them, or a map to them."""
    text = f"{row['says']} ({row['ruling']})"
    if "set" in row:
        values = tuple(row["set"])
        return Annotated[tuple[Literal[values], ...], _in_order(values)], Field(values, description=text)  # type: ignore[valid-type]
    if "map" in row:
        word = Literal[tuple(row["values"])]  # type: ignore[valid-type]
        keys = {key: (word, value) for key, value in row["map"].items()}
        model = create_model("Map", __base__=Data, **keys)  # type: ignore[call-overload]
        return model, Field(model(), description=text)
    kind, default = _choice(row)
    return kind, Field(default, description=text)


def _constant(row: dict[str, Any]) -> Any:
    number = Annotated[int, Field(strict=True, ge=row["least"], le=row["most"])]
    return number, Field(row["value"], description=f"{row['says']} ({row['rule']})")


Options = create_model(
    "Options",
    __base__=Data,
    **{name: _option(row) for name, row in OPTION_TABLE.items()},
    **{name: _constant(row) for name, row in CONSTANT_TABLE.items()},
)
Options.__doc__ = "Rule options and constants by name."


class RulesModel(Data):
    """All rules data of Metal Mania.  ``artists`` stand in the order of their numbers, boards first."""

    label: str
    artists: dict[str, Artist]
    boards: tuple[tuple[str, str, str, str], ...]
    companies: dict[str, Company]
    events: dict[str, Event]
    options: Options

    @model_validator(mode="after")
    def _is_whole(self) -> RulesModel:
        lines = []
        if len(self.artists) != ARTISTS:
            lines.append(f"{len(self.artists)} artists (needed: {ARTISTS}, MM-R002)")
        if len(self.boards) != BOARDS:
            lines.append(f"{len(self.boards)} boards (needed: {BOARDS}, MM-R001)")
        if len(self.companies) != COMPANIES:
            lines.append(f"{len(self.companies)} companies (needed: {COMPANIES}, MM-R001)")
        numbers = [str(n) for n in range(FIRST_EVENT, LAST_EVENT + 1)]
        lines += [f"events.{n} is missing" for n in numbers if n not in self.events]
        lines += [f"events.{n} is unknown (allowed: 2 to 12)" for n in self.events if n not in numbers]
        lines += self._board_mistakes() + self._dice_mistakes()
        if lines:
            raise ValueError("\n  ".join(lines))
        return self

    def option(self, name: str) -> Any:
        """The chosen value of an option or a constant."""
        return getattr(self.options, name)

    def _board_mistakes(self) -> list[str]:
        lines = []
        for number, board in enumerate(self.boards, 1):
            for name, position in zip(board, POSITIONS, strict=False):
                if name not in self.artists:
                    lines.append(f"board {number}: unknown artist {name!r}")
                elif position not in self.artists[name].instruments:
                    lines.append(f"board {number}: {name} does not play {position}, the {position} stands there")
        return lines

    def _dice_mistakes(self) -> list[str]:
        lines = []
        for name, company in self.companies.items():
            more = company.modifiers.get("revelry", 0)
            for who, artist in self.artists.items():
                if artist.style == company.style and artist.revelry + more > MOST_DICE:
                    lines.append(f"{who} under {name} would roll {artist.revelry + more} dice (at most {MOST_DICE})")
        return lines


__all__ = [
    "CHARACTERISTICS", "CONSTANT_TABLE", "DATA", "EQUALIZERS", "OPTION_TABLE", "Artist", "Company", "Event", "Options",
    "RulesModel",
]  # fmt: skip
