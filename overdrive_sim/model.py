"""The rules of Overdrive as frozen pydantic models: what each component file may say.

Dice are texts of face letters (``"IH?"``), kept in the order H S C I ?; rewards and targets are tables of
levels by track, without zeros.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, create_model, model_validator

from overdrive_sim.kernels.layout import (
    AWARDS,
    BANDS,
    EFFECTS,
    MOST_CARDS,
    MOST_DICE,
    MOST_HITS,
    MOST_PLACES,
    SEATS,
    SPACES,
)
from overdrive_sim.values import (
    AnyFace,
    Count,
    Dice,
    Face,
    Faces,
    Humans,
    Levels,
    OneTrack,
    Round,
    Steps,
    Throw,
    Track,
)  # fmt: skip
from simcore.ruledata import Data

DATA = Path(__file__).parent / "data"

#: Component files, in the order in which they are read.
COMPONENTS = ("board", "bands", "hits", "distortions", "awards", "actions", "battle", "variants", "scoring")

#: Option by name as ``options.toml`` declares it: values (the default first), ruling, says.
OPTION_TABLE: dict[str, dict[str, Any]] = tomllib.loads((DATA / "options.toml").read_text(encoding="utf-8"))

#: Value of ``hit_deck`` while a deck of the user's own is in use.
USER_DECK = "user"

#: Spaces whose effect is no reward.
OTHER_EFFECT = ("improvisation", "jam_session", "new_riff", "new_member", "opportunity")


def _option_text(value: Any) -> Any:
    """On/off options may be booleans, numbers may be numbers; all are kept as texts."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) if isinstance(value, int | str) else value


#: What abilities A and B may do: the active ones fit both, a passive has its place.
_ACTIVE = ("change", "re_roll", "fans_to_fame", "take", "clear")
SLOTS = {
    "a": (*_ACTIVE, "extra_grana"),
    "b": (
        *_ACTIVE, "extra_fans", "extra_overdrive", "fans_give_fame", "overdrive_gives_grana", "stage", "single_faces",
        "fans_give_any",
    ),
}  # fmt: skip


class Space(Data):
    """An allocation space of the board (R-SPC)."""

    title: str
    spaces: Dice
    places: Annotated[int, Field(strict=True, ge=0, le=MOST_PLACES)]
    reward: Levels
    cost: Count
    from_players: Annotated[int, Field(strict=True, ge=2, le=5)]


class Table(Data):
    """Cards on offer (R-SET-11, R-SET-14)."""

    hits: Annotated[int, Field(strict=True, ge=1, le=3)]
    distortions: Annotated[int, Field(strict=True, ge=1, le=3)]


class Ability(Data):
    """Ability A or B of a sheet (R-ABL); which other keys it has depends on ``does``."""

    replaces = {"does": ("from", "to", "cost", "gain", "faces", "spaces", "reward")}  # noqa: RUF012 - a frozen model's

    does: Literal[
        "change", "re_roll", "extra_grana", "extra_fans", "extra_overdrive", "fans_to_fame", "fans_give_fame",
        "overdrive_gives_grana", "stage", "take", "single_faces", "clear", "fans_give_any", "copies",
    ]  # fmt: skip
    from_: AnyFace | None = Field(None, alias="from")
    to: Face | None = None
    cost: Count | None = None
    gain: Count | None = None
    faces: Annotated[int, Field(strict=True, ge=0, le=3)] | None = None
    spaces: Dice | None = None
    reward: Levels | None = None

    @model_validator(mode="after")
    def _has_its_keys(self) -> Ability:
        wanted = {
            "change": {"from_", "to"},
            "fans_to_fame": {"cost", "gain"},
            "stage": {"spaces", "reward"},
            "single_faces": {"faces"},
        }.get(self.does, set())
        present = {name for name in type(self).model_fields if getattr(self, name) is not None} - {"does"}
        if present != wanted:
            needed = ", ".join(sorted(name.rstrip("_") for name in wanted)) or "no other key"
            raise ValueError(f"{self.does!r} takes {needed}")
        return self


class Special(Data):
    """Ability C: a victory point for every ``per`` levels on ``tracks``, at most ``most``."""

    tracks: tuple[Track, ...] = Field(min_length=1)
    per: Annotated[int, Field(strict=True, ge=1, le=1000)]
    most: Count
    joined: Literal["and", "or"] = "and"


class Band(Data):
    """A band sheet: symbols at the start and at Fans 5, abilities."""

    title: str
    symbols: Annotated[Faces, Field(max_length=2)]
    a: Ability | None = None
    b: Ability | None = None
    c: Special | None = None


class SheetLevels(Data):
    """Levels at which a sheet gives something (R-BND)."""

    a: Count
    b: Count
    c: Count
    symbol: Count
    shield: Count


class Way(Data):
    """One way to use a Hit."""

    spaces: Dice
    reward: Levels


class Hit(Data):
    """A Hit card (R-HCD): ``spaces`` and ``reward``, or two ``ways``."""

    replaces = {"ways": ("spaces", "reward"), "spaces": ("ways",), "reward": ("ways",)}  # noqa: RUF012

    title: str = ""
    spaces: Dice | None = None
    reward: Levels | None = None
    ways: tuple[Way, ...] | None = Field(None, min_length=1, max_length=2)
    symbol: Face
    price: Count

    @model_validator(mode="after")
    def _one_kind(self) -> Hit:
        single = (self.spaces is not None) + (self.reward is not None)
        if single != (0 if self.ways else 2):
            raise ValueError("a Hit has spaces and reward, or ways")
        return self

    def all_ways(self) -> tuple[Way, ...]:
        """Its one or two ways."""
        return self.ways or (Way(spaces=self.spaces or "", reward=self.reward or {}),)


class Distortion(Data):
    """A Distortion card by its number (R-DCD): effect, copies in the deck and their icons."""

    replaces = {"effect": ("track", "amount", "from", "to")}  # noqa: RUF012

    effect: Literal[
        "gain", "clear_space", "skulls_to_one", "skulls_wild", "choose_faces", "all_to", "face_to", "either_way",
        "protect",
    ]  # fmt: skip
    track: Literal["fans", "fame", "overdrive"] | None = None
    amount: Count | None = None
    from_: Face | None = Field(None, alias="from")
    to: Face | None = None
    copies: Count
    icons: Annotated[Faces, Field(min_length=1)]

    @model_validator(mode="after")
    def _has_its_keys(self) -> Distortion:
        wanted = {
            "gain": {"track", "amount"},
            "choose_faces": {"amount"},
            "all_to": {"to"},
            "face_to": {"from_", "to"},
            "either_way": {"from_", "to"},
        }.get(self.effect, set())
        present = {name for name in ("track", "amount", "from_", "to") if getattr(self, name) is not None}
        if present != wanted:
            needed = ", ".join(sorted(name.rstrip("_") for name in wanted)) or "no other key"
            raise ValueError(f"{self.effect!r} takes {needed}")
        if self.effect == "choose_faces" and self.amount not in (1, 2, 3):
            raise ValueError("choose_faces takes an amount of 1 to 3")
        return self


class Award(Data):
    """An award: victory points, and the levels that must all be reached (R-AWD)."""

    title: str
    points: Count
    target: Levels


class Actions(Data):
    """Prices of the free actions in Grana (R-GRA)."""

    reroll: Count
    set_face: Count
    level: Count
    die: Count


class Start(Data):
    """What a band starts with (R-SET); ``grana`` by place in the turn order, a fifth one may be left out."""

    grana: tuple[Count, ...] = Field(min_length=SEATS - 1, max_length=SEATS)
    dice: Throw
    extra_dice: Annotated[int, Field(strict=True, ge=0, le=MOST_DICE)]


class Battle(Data):
    """Bonus of each surviving face, and the dice rolled (R-BAT)."""

    H: OneTrack
    S: OneTrack
    C: OneTrack
    I: OneTrack  # noqa: E741 - the face's letter
    dice: Throw


class Rounds(Data):
    """The last round, and those with a battle (R-GAM)."""

    last: Round
    battles: tuple[Round, ...]


class SpeedMetal(Data):
    """Rounds that Speed Metal leaves out (R-SPD)."""

    skips: tuple[Round, ...]


class Players(Data):
    """Numbers of human players by mode."""

    standard: tuple[Humans, ...]
    solo: tuple[Humans, ...]
    coop: tuple[Humans, ...]


class Scoring(Data):
    """Victory points of Hits and collections (R-SCO, R-SYM), the owner's least share (R-HIT-11)."""

    hit: Count
    owner_least: Count
    identical: Annotated[int, Field(strict=True, ge=1, le=4)]
    different: Annotated[int, Field(strict=True, ge=1, le=5)]


class Decks(Data):
    """Names of the Hits of each deck, in the order of their numbers (G-02); ``user`` is a deck from a file."""

    house16: tuple[str, ...]
    rulebook10: tuple[str, ...]
    user: tuple[str, ...] = ()


class Difficulties(Data):
    """Dice that Metallum rolls (R-SOL-04)."""

    poser: Throw
    moleza: Throw
    normal: Throw
    hardcore: Throw
    brutal: Throw
    metalgeddon: Throw


def _option_schema(name: str, values: tuple[str, ...]) -> dict[str, Any]:
    allowed: list[Any] = [value for value in values if value != USER_DECK]
    allowed += [value == "on" for value in allowed if value in ("on", "off")]
    allowed += [int(value) for value in allowed if isinstance(value, str) and value.isdigit()]
    schema: dict[str, Any] = {"enum": allowed}
    return {"anyOf": [schema, {"type": "string", "pattern": "\\.toml$"}]} if name == "hit_deck" else schema


def _option_field(name: str, row: dict[str, Any]) -> Any:
    values = (*row["values"], USER_DECK) if name == "hit_deck" else tuple(row["values"])
    text = BeforeValidator(_option_text)
    kind = Annotated[Literal[values], text, WithJsonSchema(_option_schema(name, values))]  # type: ignore[valid-type]
    return kind, Field(values[0], description=f"{row['says']} ({row['ruling']})")


Options = create_model(
    "Options", __base__=Data, **{name: _option_field(name, row) for name, row in OPTION_TABLE.items()}
)
Options.__doc__ = "Rule options by name."


def _exactly(what: str, found: Any, wanted: Any) -> list[str]:
    missing, surplus = [w for w in wanted if w not in found], [f for f in found if f not in wanted]
    lines = [f"{what}.{name} is missing" for name in missing]
    return lines + [f"{what}.{name} is unknown (allowed: {', '.join(wanted)})" for name in surplus]


class RulesModel(Data):
    """All rules data of Overdrive."""

    board: dict[str, Space]
    table: Table
    sheets: tuple[tuple[str, str], ...]
    levels: SheetLevels
    bands: dict[str, Band]
    decks: Decks
    hits: dict[str, Hit]
    distortions: dict[str, Distortion]
    awards: dict[str, Award]
    actions: Actions
    start: Start
    battle: Battle
    rounds: Rounds
    difficulties: Difficulties
    speed_metal: SpeedMetal
    players: Players
    overdrive_points: Steps
    scoring: Scoring
    options: Options

    @model_validator(mode="after")
    def _is_whole(self) -> RulesModel:
        numbers = [str(n) for n in range(1, EFFECTS + 1)]
        lines = _exactly("board", self.board, SPACES) + _exactly("bands", self.bands, BANDS)
        lines += _exactly("awards", self.awards, AWARDS)
        lines += _exactly("distortions", self.distortions, numbers)
        lines += self._card_mistakes() + self._sheet_mistakes() + self._space_mistakes()
        if self.start.dice + self.start.extra_dice > MOST_DICE:
            lines.append(f"start.dice + start.extra_dice is above {MOST_DICE}")
        if lines:
            raise ValueError("\n  ".join(lines))
        return self

    def option(self, name: str) -> str:
        """The chosen value of an option."""
        return str(getattr(self.options, name))

    def deck(self) -> tuple[str, ...]:
        """Names of the Hits in the deck, by number."""
        return tuple(getattr(self.decks, self.option("hit_deck")))

    def cards(self) -> list[tuple[int, str]]:
        """(number, icon) of every physical Distortion card, in deck order."""
        rows = ((int(n), card) for n, card in self.distortions.items())
        return [(n, c.icons[k % len(c.icons)]) for n, c in sorted(rows, key=lambda r: r[0]) for k in range(c.copies)]

    def _card_mistakes(self) -> list[str]:
        lines = []
        for deck, names in self.decks:
            if deck == USER_DECK and not names:
                continue
            if deck != USER_DECK and self.decks.user:
                continue  # its Hits are replaced
            lines += [f"decks.{deck}: unknown Hit {name!r}" for name in names if name not in self.hits]
            lines += [f"decks.{deck}: {name!r} stands twice" for name in set(names) if names.count(name) > 1]
            if not 3 <= len(names) <= MOST_HITS:
                lines.append(f"decks.{deck}: {len(names)} Hits (allowed: 3 to {MOST_HITS})")
        if not 3 <= len(self.cards()) <= MOST_CARDS:
            lines.append(f"distortions: {len(self.cards())} cards (allowed: 3 to {MOST_CARDS})")
        return lines

    def _sheet_mistakes(self) -> list[str]:
        lines = []
        for name, band in self.bands.items():
            if name == "metallum":
                if band.symbols or band.a or band.b or band.c:
                    lines.append("bands.metallum has no symbols and no abilities (G-11)")
                continue
            if len(band.symbols) != 2 or band.a is None or band.b is None:
                lines.append(f"bands.{name} needs two symbols and the abilities a and b")
            if (band.c is None) != (name == "cover_bots"):
                lines.append(f"bands.{name}.c " + ("is missing" if band.c is None else "is what Cover Bots copy"))
            for slot, ability in (("a", band.a), ("b", band.b)):
                allowed = ("copies",) if name == "cover_bots" else SLOTS[slot]
                if ability is not None and ability.does not in allowed:
                    words = ", ".join(allowed)
                    lines.append(f"bands.{name}.{slot}.does = {ability.does!r}: no ability {slot} (allowed: {words})")
        sides = [side for pair in self.sheets for side in pair]
        lines += [f"sheets: unknown band {side!r}" for side in sides if side not in BANDS]
        lines += [f"sheets: {side!r} stands twice" for side in sorted(set(sides)) if sides.count(side) > 1]
        return lines

    def _space_mistakes(self) -> list[str]:
        lines = [
            f"board.{name}.reward: this space has an effect of its own"
            for name in OTHER_EFFECT
            if name in self.board and self.board[name].reward
        ]
        if "acoustic" in self.board and self.board["acoustic"].reward.get("grana"):
            lines.append("board.acoustic.reward: Grana is no choice here (A-SPC-11)")
        return lines


__all__ = ["COMPONENTS", "DATA", "OPTION_TABLE", "USER_DECK", "Options", "RulesModel"]
