"""Kinds of values in Overdrive's component files: dice, faces, levels, steps, checked one by one.

Dice are texts of face letters, kept in the order H S C I ?; a table of levels goes by track, without zeros.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from overdrive_sim.kernels.layout import FACE_LETTERS, MOST_DICE, SEATS, TRACKS
from simcore.errors import nearest


def _sorted_dice(letters: str) -> str:
    order = FACE_LETTERS + "?"
    text = str(letters).upper()
    if bad := [letter for letter in text if letter not in order]:
        raise ValueError(f"unknown face {bad[0]!r} (allowed: {', '.join(order)})")
    return "".join(sorted(text, key=order.index))


def _faces(letters: str) -> str:
    text = str(letters).upper()
    if bad := [letter for letter in text if letter not in FACE_LETTERS]:
        raise ValueError(f"unknown face {bad[0]!r} (allowed: {', '.join(FACE_LETTERS)})")
    return text


def _levels(levels: dict[str, int]) -> dict[str, int]:
    for track in levels:
        if track not in TRACKS:
            guess = nearest(track, TRACKS)
            hint = f"; did you mean {guess!r}?" if guess else ""
            raise ValueError(f"unknown track {track!r}{hint} (allowed: {', '.join(TRACKS)})")
    return {track: levels[track] for track in TRACKS if levels.get(track)}


def _one_track(levels: dict[str, int]) -> dict[str, int]:
    if len(levels) > 1:
        raise ValueError("a surviving face raises one track")
    return levels


#: What editors are told of a table of levels.
LEVELS_SCHEMA = {
    "type": "object",
    "properties": {track: {"type": "integer", "minimum": 0, "maximum": 1000} for track in TRACKS},
    "additionalProperties": False,
}

Count = Annotated[int, Field(strict=True, ge=0, le=1000)]
Dice = Annotated[str, Field(strict=True, min_length=1, max_length=MOST_DICE), AfterValidator(_sorted_dice)]
Face = Annotated[str, Field(strict=True, min_length=1, max_length=1), AfterValidator(_faces)]
Faces = Annotated[str, Field(strict=True), AfterValidator(_faces)]
AnyFace = Annotated[str, Field(strict=True, min_length=1, max_length=1), AfterValidator(_sorted_dice)]
Levels = Annotated[dict[str, Count], AfterValidator(_levels), WithJsonSchema(LEVELS_SCHEMA)]
OneTrack = Annotated[Levels, AfterValidator(_one_track)]
Round = Annotated[int, Field(strict=True, ge=1, le=8)]
Humans = Annotated[int, Field(strict=True, ge=1, le=SEATS - 1)]
Throw = Annotated[int, Field(strict=True, ge=1, le=MOST_DICE)]
Track = Literal["fans", "fame", "grana", "overdrive"]


def _level_table(table: dict[Any, int]) -> dict[str, int]:
    steps: dict[int, int] = {}
    for level, points in table.items():
        if not str(level).isdigit() or int(level) < 1:
            raise ValueError(f"{level!r} is no Overdrive level (1 or more)")
        steps[int(level)] = points
    if len(steps) > 8:
        raise ValueError("at most 8 steps")
    return {str(level): steps[level] for level in sorted(steps)}


Steps = Annotated[
    dict[str, Count],
    BeforeValidator(lambda t: {str(k): v for k, v in t.items()} if isinstance(t, dict) else t),
    AfterValidator(_level_table),
]
