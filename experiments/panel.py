"""The panel of agents that a balance number is given for, in one place.

At a million games chance is no longer the error of a win rate: the agents are.  A panel has a weak agent, a
heuristic, three styles and a search, so that what holds for all of them is worth believing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from simcore.errors import UsageError

#: Word that stands for the default panel in a list of agents.
PANEL = "panel"


@dataclass(frozen=True)
class Member:
    """An agent of a panel, and what it stands there for."""

    text: str
    role: Literal["weak", "heuristic", "style", "search"]


def _panel(*styles: str) -> tuple[Member, ...]:
    return (
        Member("random", "weak"), Member("greedy", "heuristic"), *(Member(style, "style") for style in styles),
        Member("mcts:iterations=32", "search"),
    )  # fmt: skip


#: By game.  A search costs some hundred times what a heuristic does, so its budget is small, and a plan lets it play
#: fewer games (``search_games``).
DEFAULT_PANEL: dict[str, tuple[Member, ...]] = {
    "overdrive": _panel("fame_climber", "hit_collector", "battle_fighter"),
    "metalmania": _panel("performer", "star_hirer", "miser"),
}


def panel(game: str) -> tuple[Member, ...]:
    """The default panel of a game.  Raises UsageError where there is none."""
    if game not in DEFAULT_PANEL:
        raise UsageError(f"agents: {game} has no default panel; name its agents")
    return DEFAULT_PANEL[game]


def seated(agents: Sequence[str | Sequence[str]], game: str) -> list[tuple[str, ...]]:
    """Agents as cells have them: one for all seats, or one a seat; ``panel`` is replaced by its members.

    Raises UsageError.
    """
    found: dict[tuple[str, ...], None] = {}
    for one in agents:
        if one == PANEL:
            found.update({(member.text,): None for member in panel(game)})
        elif isinstance(one, str):
            found[(one,)] = None
        else:
            found[tuple(one)] = None
    return list(found)


def searching(agents: Sequence[str | Sequence[str]], game: str) -> set[tuple[str, ...]]:
    """Those of ``seated`` that search and are there as members of the panel alone, not by their own name."""
    found: set[tuple[str, ...]] = set()
    if PANEL in agents:
        found.update((member.text,) for member in panel(game) if member.role == "search" and member.text not in agents)
    return found
