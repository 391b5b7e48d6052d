"""What all positions of one of OpenSpiel's games share, and where a game stands."""

from __future__ import annotations

import functools
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyspiel
from numba import types

from bridges import tiny
from bridges.kernels.position import (
    ENGINE_DOOR,
    NOTHING_YET,
    STANDING,
    engine_door,
    make_move,
    make_spell,
)  # fmt: skip
from bridges.language import Language, language
from simcore import registry
from simcore.errors import EngineError
from simcore.kernel import compiled, record_type
from simcore.protocol import Engine
from simcore.ruledata import parse_overrides

SIDES = 6
_NONE = np.zeros(0, np.int64)


def _none() -> np.ndarray:
    return _NONE


def whole(digits: tuple[int, ...]) -> int:
    """The outcome of a throw whose dice show these sides, counted from 0; the first die is the lowest digit."""
    return sum(digit * SIDES**k for k, digit in enumerate(digits))


_VARIANT = {"bands": "", "first_player": 0, "speed_metal": False, "hall_of_fame": False, "free_falling": False}
_COMMON = {"players": 2, "rules": "", "tiny": False}

#: Parameters of each registered game: ``rules`` as ``hits.back_in_box.price:6+options.unlock:reached``, ``bands`` (and
#: ``boards``) as ``rebeldogs+epic_gods``, ``tiny``: the variant of ``bridges.tiny``, whatever the others say.
DEFAULTS: dict[str, dict[str, Any]] = {
    "overdrive": {**_COMMON, **_VARIANT},
    "metalmania": {**_COMMON, "first_player": 0, "boards": ""},
    "overdrive_metallum": {**_COMMON, **_VARIANT, "players": 1, "mode": "solo", "difficulty": "normal"},
}


class _Room(threading.local):
    """Where kernels write to, one for each thread: they run side by side."""

    def __init__(self, engine: Engine) -> None:
        self.options, self.standing = np.zeros(1, engine.options), np.zeros(1, STANDING)


class World:
    """What all positions of one game share: rules, line-up, kernels."""

    def __init__(self, name: str, parameters: Mapping[str, Any]) -> None:
        given = dict(parameters)
        self.game = registry.game("metalmania" if name == "metalmania" else "overdrive")
        self.spoken: Language = language(self.game.name)
        if given.pop("tiny"):
            self.variant, self.start, self.rules = tiny.position(self.game)
        else:
            self.rules = _rules(self.game, given.pop("rules"))
            self.variant = {key: value for key, value in given.items() if value not in ("", 0, False)}
            for key in ("bands", "boards"):
                if key in self.variant:
                    words = self.variant[key].split("+")
                    self.variant[key] = [int(word) for word in words] if key == "boards" else words
            self.start = self._fresh()
        self.setup = self.game.setup(self.variant, self.rules)
        self.first = len(self.game.automata(self.variant))
        self.seats = int(self.start[0][self.spoken.seats_field])
        self.kernels, self.engine = self.game.engine.kernels, self.game.engine
        self.packed = self.rules.packed
        self.move, self.spell = compiled_for(self.game)
        self.door, self.room = engine_door(self.engine), _Room(self.engine)
        self.opening = self.after(self.start, NOTHING_YET, 0, "")

    def _fresh(self) -> np.ndarray:
        state = self.game.engine.new_state()
        setup = self.game.setup(self.variant, self.rules)
        self.game.engine.kernels.reset(state[0], self.rules.packed[0], setup[0])
        return state

    @property
    def players(self) -> int:
        """Number of players, without Metallum."""
        return self.seats - self.first

    def after(self, row: np.ndarray, what: int, number: int, known: str) -> Place:
        """Where the game stands after something happened and every forced move after it."""
        row, room = row.copy(), self.room
        self.move(self.door, row, self.packed, room.options, room.standing, what, number)
        over, count, n, seat = room.standing[0].tolist()
        if over:
            return Place(row, pyspiel.PlayerId.TERMINAL, known=known)
        if count:
            return Place(row, pyspiel.PlayerId.CHANCE, count, known=known)
        if n < 1:
            raise EngineError(f"no legal action\nstate: {self.game.describe(row[0], self.rules)}")
        actions = room.options["action"][0, :n].copy()
        words, level = self.next_words(row, actions, seat - self.first, 0)
        return Place(row, seat - self.first, 0, (), actions, words, level, (), known)

    def next_words(self, row: np.ndarray, actions: np.ndarray, player: int, level: int) -> tuple[np.ndarray, int]:
        """(words, level): the next word of each of ``actions``, from ``level`` on."""
        words = np.empty(len(actions), np.int64)
        level = int(self.spell(row, self.packed, actions, words, player + self.first, level))
        if level < 0:
            state = self.game.describe(row[0], self.rules)
            raise EngineError(f"words do not tell two actions apart\nstate: {state}")
        return words, level


def is_throw(count: int) -> bool:
    """Whether so many outcomes are those of a throw, which falls die by die."""
    while count > 1 and count % SIDES == 0:
        count //= SIDES
    return count == 1


#: Rules that no text describes, by hash.
_LENT: dict[str, Any] = {}
_LENT_WORD = "hash:"


def _rules(game: Any, text: str) -> Any:
    """The rules that a game's parameter names."""
    if text.startswith(_LENT_WORD):
        return _LENT[text.removeprefix(_LENT_WORD)]
    return game.rules(parse_overrides(_texts(text, ":", "=")))


def lend(rules: Any) -> str:
    """The text under which a game's parameter ``rules`` finds these very rules, as long as the process lives."""
    _LENT[rules.hash] = rules
    return _LENT_WORD + rules.hash


def _texts(text: str, old: str, new: str) -> list[str]:
    """``a:1+b:2`` as ``["a=1", "b=2"]``: OpenSpiel keeps "=" and "," for itself."""
    return [part.replace(old, new, 1) for part in filter(None, text.split("+"))]


@functools.cache
def compiled_for(game: Any) -> tuple[Any, Any]:
    """(move, spell) of ``game``, compiled for the one signature that they are called with."""
    engine, spoken, number = game.engine, language(game.name), types.int64
    state, rules, options, door, standing = (
        types.Array(record_type(one), 1, "C")
        for one in (engine.state, engine.rules, engine.options, ENGINE_DOOR, STANDING)
    )
    ids = types.Array(number, 1, "C")
    return (
        compiled(make_move(engine, spoken.label), types.void(door, state, rules, options, standing, number, number)),
        compiled(make_spell(spoken.word, spoken.levels, spoken.label), number(state, rules, ids, ids, number, number)),
    )


@functools.lru_cache(maxsize=32)
def world(key: str) -> World:
    """The world of a game, by OpenSpiel's text of it."""
    given = pyspiel.game_parameters_from_string(key)
    name = given.pop("name")
    return World(name, {**DEFAULTS[name], **given})


@dataclass(slots=True)
class Place:
    """Where a game stands; never changed, so that a copied state shares it.

    ``player``: who says a word, or OpenSpiel's ids of chance and the end; ``count``: outcomes of the chance that is
    due; ``digits``: sides of the dice thrown so far; ``actions``: ids that begin with the words ``said``; ``words``:
    the next word of each, at ``level``; ``known``: all that happened, without what nobody saw.
    """

    row: np.ndarray
    player: int
    count: int = 0
    digits: tuple[int, ...] = ()
    actions: np.ndarray = field(default_factory=_none)
    words: np.ndarray = field(default_factory=_none)
    level: int = 0
    said: tuple[int, ...] = ()
    known: str = ""

    def __deepcopy__(self, memo: Any) -> Place:
        return self
