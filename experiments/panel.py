"""The panel of agents that a balance number is given for, in one place.

At a million games chance is no longer the error of a win rate: the agents are.  A panel has at least one weak
agent and several styles, so that what holds for all of them is worth believing.
"""

from __future__ import annotations

from collections.abc import Sequence

from simcore.errors import UsageError

#: Word that stands for the default panel in a list of agents.
PANEL = "panel"

#: By game: one weak agent, a strong one, and styles that go without something or weigh it otherwise.
DEFAULT_PANEL: dict[str, tuple[str, ...]] = {
    "overdrive": (
        "random",
        "greedy",
        "greedy:without=hits",
        "greedy:without=attacks",
        "greedy:without=distortions+awards",
    ),
    "metalmania": ("random", "random:as=rulings", "greedy", "greedy:v_attack=99", "greedy:v_money=0.2,v_hire=1.5"),
}


def panel(game: str) -> tuple[str, ...]:
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
            found.update({(text,): None for text in panel(game)})
        elif isinstance(one, str):
            found[(one,)] = None
        else:
            found[tuple(one)] = None
    return list(found)
