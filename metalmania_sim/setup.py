"""Line-ups: how many play, on which boards, who begins, as the record that starts a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from metalmania_sim.kernels.layout import BOARDS, SEATS, SETUP
from metalmania_sim.ruleset import Rules
from simcore.errors import unknown
from simcore.ruledata import Mistakes

#: Numbers of players (MM-D09).
PLAYERS = range(2, SEATS + 1)

#: Keys of a variant table with their defaults.
VARIANT_KEYS: dict[str, Any] = {"players": None, "first_player": 0, "boards": None, "bands": None}

#: Names of the boards, as the bands that a line-up is chosen from.
BOARD_NAMES = tuple(f"board_{number}" for number in range(1, BOARDS + 1))


def make_setup(variant: Mapping[str, Any], rules: Rules) -> np.ndarray:
    """Line-up and variant as an array of shape (1,), dtype SETUP.

    ``variant``: ``players`` (2 to 5), ``first_player`` (a seat, MM-A65), ``boards`` (a number 1 to 5 a seat,
    MM-A64; without it seat i has board i + 1) or the same by name as ``bands`` (``board_2``).  Raises UsageError
    naming every mistake.
    """
    mistakes = Mistakes(str(unknown("variant", "key", key, VARIANT_KEYS)) for key in variant if key not in VARIANT_KEYS)
    full = {**VARIANT_KEYS, **{key: value for key, value in variant.items() if key in VARIANT_KEYS}}
    boards = _named(full["bands"], mistakes) if full["boards"] is None else full["boards"]
    if full["boards"] is not None and full["bands"] is not None:
        mistakes.append("variant: boards and bands both say who has which board; name one of them")
    if full["players"] is None and isinstance(boards, Sequence):
        full["players"] = len(boards)
    players = full["players"]
    if not _is_whole(players) or players not in PLAYERS:
        given = "is missing" if players is None else f"= {players!r}"
        mistakes.append(f"variant.players {given}: the number of players (allowed: 2 to {SEATS}, MM-D09)")
        mistakes.check()
    _check_boards(boards, players, mistakes)
    first = full["first_player"]
    if not _is_whole(first) or not 0 <= first < players:
        mistakes.append(f"variant.first_player = {first!r}: a seat (allowed: {', '.join(map(str, range(players)))})")
    mistakes.check()
    packed = np.zeros(1, SETUP)
    setup = packed[0]
    setup["players"], setup["first_player"] = players, first
    setup["board"] = -1
    setup["board"][:players] = range(players) if boards is None else [number - 1 for number in boards]
    return packed


def _named(bands: Any, mistakes: Mistakes) -> Any:
    """Numbers of boards that are given by name."""
    if bands is None or isinstance(bands, str) or not isinstance(bands, Sequence):
        return bands
    for name in bands:
        if name not in BOARD_NAMES:
            mistakes.append(str(unknown("variant.bands", "board", name, BOARD_NAMES)))
    return [BOARD_NAMES.index(name) + 1 for name in bands if name in BOARD_NAMES]


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _check_boards(boards: Any, players: int, mistakes: Mistakes) -> None:
    if boards is None:
        return
    if isinstance(boards, str) or not isinstance(boards, Sequence):
        mistakes.append(f"variant.boards = {boards!r}: a list of board numbers is needed")
        return
    if len(boards) != players:
        mistakes.append(f"variant.boards: {len(boards)} boards for {players} players")
    for number in boards:
        if not _is_whole(number) or not 1 <= number <= BOARDS:
            mistakes.append(f"variant.boards: {number!r} (allowed: 1 to {BOARDS})")
    twice = sorted({number for number in boards if list(boards).count(number) > 1}, key=str)
    mistakes += [f"variant.boards: board {number} stands twice, there is one of each (MM-R001)" for number in twice]
