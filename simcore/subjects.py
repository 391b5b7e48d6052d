"""What actions are about: a space, a card, an artist.  Tools that know no game count uses by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, runtime_checkable

#: Kind of the actions that are about no thing of the game.
ACTION = "action"


class Subject(NamedTuple):
    """What an action is about, without dice, faces and amounts.

    ``kind``: a word such as "space" or "artist"; ``name``: which one; ``way``: what is done with it ("buy hit"),
    "" where the name says that ("reroll", of kind ACTION).
    """

    kind: str
    name: str
    way: str = ""

    @property
    def option(self) -> str:
        """In a few words; different subjects have different ones."""
        return f"{self.way} {self.name}" if self.way else self.name


@runtime_checkable
class TellsSubjects(Protocol):
    """A game that says what its actions are about.  Of other games the texts of the actions are read."""

    def subject(self, state: Any, rules: Any, action: int) -> Subject:
        """What a legal action is about; ``state``: one record."""

    def things(self, rules: Any) -> Mapping[str, tuple[str, ...]]:
        """Names of all things that a subject may name, by kind."""
