"""What a game says about its own columns, so that tools that know no game can lay out how often what happens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Rates:
    """A table of how often each of several things happens.

    ``columns``: of seats or of games (``of``), by what a designer calls them; ``per``: the column of the same
    table that rates are taken by, and one of it in words; ``whole``: the things are parts of a whole, so that
    the share of each says something.
    """

    title: str
    columns: Mapping[str, str]
    of: str = "seats"
    per: tuple[str, str] = ("turns", "turn")
    whole: bool = True


@dataclass(frozen=True)
class Taken:
    """Things that a seat may take when they are on offer: artists, cards.

    ``held``: prefix of the yes-or-no columns of seats, one a thing; ``offered`` and ``times``: prefixes of the
    columns of games that count offers and takings; ``verb``: what taking is called, in the past tense.
    """

    held: str
    offered: str
    times: str
    verb: str

    @property
    def prefixes(self) -> tuple[str, ...]:
        """Prefixes of all its columns."""
        return self.held, self.offered, self.times
