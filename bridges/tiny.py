"""Tiny variants: one round (or its end) with few dice and cards, small enough to be enumerated to the last leaf."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from overdrive_sim.kernels.layout import DRAW_METALLUM, SPACES
from simcore import registry
from simcore.errors import UsageError
from simcore.position import Position
from simcore.protocol import Game

#: Spaces of the tiny board; the others are closed.
_OPEN = ("appearance", "rehearsal")


def overdrive() -> dict[str, Any]:
    """A whole game of one round: two bands with one die each, two spaces, no cards, a Final Battle of one die."""
    return {
        "variant": {"players": 2, "bands": ["rebeldogs", "dead_and_death"]},
        "data": {
            "start.dice": 1, "battle.dice": 1, "rounds.last": 1,
            "board.appearance.spaces": "?", "board.rehearsal.spaces": "S",
        },
        "given": {
            "round": 1, "turn": 0, "closed": [space for space in SPACES if space not in _OPEN],
            "seats": [
                {"band": "rebeldogs", "pool": "S", "fans": 1, "fame": 1},
                {"band": "dead_and_death", "fame": 2},
            ],
        },
    }  # fmt: skip


def metalmania() -> dict[str, Any]:
    """The end of a round: the last seat's Step 4 with one artist on display and one in the deck, then the greater
    fame wins.  Both seats may touch changes of fame; only two artists drink.
    """
    rules = registry.game("metalmania").rules()
    names, boards = rules.names.artists, rules.packed[0].board
    pool = [name for k, name in enumerate(names) if k not in boards]
    thirst = dict(zip(boards[1], (2, 1, 0, 0), strict=True))
    return {
        "variant": {"players": 2},
        "data": {
            "options.win_check": "end_of_round", "options.win_fame": 1, "options.deck_exhaustion": "shrink",
            "options.unused_board_artists": "box",
            **{f"artists.{names[artist]}.revelry": dice for artist, dice in thirst.items()},
        },
        "given": {
            "turn": 1, "step": "choice", "display": pool[:1], "deck": pool[1:2], "discards": pool[2:],
            "seats": [
                {"fame": 5, "levels": {"performance": 2}, "tokens": "P"},
                {"fame": 3, "levels": {"performance": 1, "advertising": 1}, "tokens": "PA"},
            ],
        },
    }  # fmt: skip


POSITIONS: dict[str, Callable[[], dict[str, Any]]] = {"overdrive": overdrive, "metalmania": metalmania}


def position(game: Game) -> tuple[dict[str, Any], np.ndarray, Any]:
    """(variant, state of shape (1,), rules) of the tiny variant of ``game``.  Raises UsageError if it has none."""
    if game.name not in POSITIONS:
        raise UsageError(f"{game.name}: there is no tiny variant")
    scenario = POSITIONS[game.name]()
    state, rules, _ = game.given(scenario)
    return dict(scenario["variant"]), state, rules


def value(game: Game) -> tuple[np.ndarray, int]:
    """(win share of each seat, positions): the tiny variant's value where every seat maximises its own share.

    Found by enumeration of every chance and every decision through the engine alone; equal positions are
    looked at once.  Ties between actions go to the first.
    """
    _, state, rules = position(game)
    known: dict[bytes, np.ndarray] = {}

    def worth(here: Position) -> np.ndarray:
        key = here.state.tobytes()
        if key not in known:
            known[key] = _worth(here, worth)
        return known[key]

    return worth(Position(game, state, rules)), len(known)


def _worth(here: Position, worth: Callable[[Position], np.ndarray]) -> np.ndarray:
    """Shares of one position, from those behind it."""
    if here.over:
        return here.shares()
    n = here.chance_count()
    if n:
        return np.mean([worth(_after(here, "chance", outcome)) for outcome in range(n)], axis=0)
    seat = here.to_act()
    behind = [worth(_after(here, "step", int(action))) for action in here.legal()]
    return max(behind, key=lambda shares: float(shares[seat]))


def _after(here: Position, what: str, number: int) -> Position:
    there = here.copy()
    getattr(there, what)(number)
    return there


def draws_face_down(state: Any) -> bool:
    """Whether the chance that is due is a card that Metallum takes without showing it (A-DST-12)."""
    return bool(state.chance == DRAW_METALLUM)
