"""Any other game's table: what its view says, as labels and texts; a panel for each seat that the view lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from experiments.replay.scene import Fact, Group, Panel, Turn
from experiments.verdict import spoken
from simcore.protocol import Game


class Plain:
    """The presenter of a game that has none of its own."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def seat_name(self, state: np.ndarray, rules: Any, seat: int) -> str:
        """The band of the view's seat, or the seat's number."""
        seats = self.game.view(state[0], rules).get("seats", [])
        named = seats[seat].get(self.game.entrant) if seat < len(seats) and isinstance(seats[seat], Mapping) else None
        return spoken(str(named)) if named else f"Seat {seat}"

    def turn(self, state: np.ndarray, rules: Any) -> Turn:
        """The view's round, and the seat in turn where it names one."""
        shown = self.game.view(state[0], rules)
        number, seat = shown.get("round"), shown.get("turn")
        section = f"Round {number}" if number is not None else ""
        whose = f"seat {seat}" if seat is not None else ""
        title = ", ".join(filter(None, (section, whose))) or "The game"
        return Turn((number, seat), title[:1].upper() + title[1:], section)

    def table(self, state: np.ndarray, rules: Any, viewer: int | None, names: Sequence[str]) -> list[Group]:
        """Everything in the view."""
        shown = self.game.view(state[0], rules, viewer)
        seats = shown.get("seats", [])
        rest = [Fact(spoken(str(key)), _text(value)) for key, value in shown.items() if key != "seats"]
        panels = [
            Panel(f"seat:{k}", name, _facts(seat), f"seat {k}", k)
            for k, (name, seat) in enumerate(zip(names, seats, strict=False))
        ]
        return [Group("Table", "large", [Panel("table", "The table", rest)]), Group("Seats", "large", panels)]

    def legend(self, rules: Any) -> list[tuple[str, str]]:
        """Nothing is known of this game's signs."""
        return []


def _facts(value: Any) -> list[Fact]:
    if isinstance(value, Mapping):
        return [Fact(spoken(str(key)), _text(one)) for key, one in value.items()]
    return [Fact("Holds", _text(value))]


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_text(one)}" for key, one in value.items()) or "none"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(_text, value)) or "none"
    return str(value)
