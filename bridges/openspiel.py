"""OpenSpiel: both games, registered when this module is imported, with explicit chance.

    import pyspiel
    import bridges.openspiel
    game = pyspiel.load_game("overdrive(players=2)")

``overdrive`` and ``metalmania`` are games of perfect information; ``overdrive_metallum`` (solo, co-op) hides
Metallum's cards.  An action is a word (see ``bridges.language``); forced moves happen by themselves.  A throw of m
dice is m chance nodes of six outcomes.  Player p sits in seat p, behind Metallum in seat p + 1.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel

from bridges import tiny
from bridges.kernels.position import (
    ACTION,
    ENGINE_DOOR,
    NOTHING_YET,
    OUTCOME,
    STANDING,
    engine_door,
    make_move,
    make_spell,
)  # fmt: skip
from bridges.language import Language, language
from simcore import registry
from simcore.errors import EngineError
from simcore.kernel import compiled, record_type
from simcore.protocol import SHARES
from simcore.ruledata import parse_overrides
from simcore.streams import RNG, stream_key

_SIDES = 6
_MOST_CARDS = 64  # outcomes of one chance node: a card among those unseen
_LONGEST = 500_000  # nodes of a game; far beyond any that makes progress


_NONE = np.zeros(0, np.int64)


def _whole(digits: list[int]) -> int:
    """The outcome of a throw whose dice show these sides, counted from 0; the first die is the lowest digit."""
    return sum(digit * _SIDES**k for k, digit in enumerate(digits))


class World:
    """What all positions of one game share: rules, line-up, kernels."""

    def __init__(self, name: str, parameters: tuple[tuple[str, Any], ...]) -> None:
        given = dict(parameters)
        self.game = registry.game("metalmania" if name == "metalmania" else "overdrive")
        self.spoken: Language = language(self.game.name)
        if given.pop("tiny"):
            self.variant, self.start, self.rules = tiny.position(self.game)
        else:
            self.rules = self.game.rules(parse_overrides(_texts(given.pop("rules"), ":", "=")))
            self.variant = {key: value for key, value in given.items() if value not in ("", 0, False)}
            for key in ("bands", "boards"):
                if key in self.variant:
                    words = self.variant[key].split("+")
                    self.variant[key] = [int(word) for word in words] if key == "boards" else words
            self.start = self._fresh()
        self.first = len(self.game.automata(self.variant))
        row = self.start[0]
        self.seats = int(row["seats"] if "seats" in self.start.dtype.names else row["players"])
        self.kernels, self.engine = self.game.engine.kernels, self.game.engine
        self.options = np.zeros(1, self.engine.options)
        self.packed = self.rules.packed
        self.move, self.spell = compiled_for(self.game)
        self.door, self.standing = engine_door(self.engine), np.zeros(1, STANDING)

    def _fresh(self) -> np.ndarray:
        state = self.game.engine.new_state()
        setup = self.game.setup(self.variant, self.rules)
        self.game.engine.kernels.reset(state[0], self.rules.packed[0], setup[0])
        return state

    @property
    def players(self) -> int:
        """Number of players, without Metallum."""
        return self.seats - self.first


def _texts(text: str, old: str, new: str) -> list[str]:
    """``a:1+b:2`` as ``["a=1", "b=2"]``: OpenSpiel keeps "=" and "," for itself."""
    return [part.replace(old, new, 1) for part in filter(None, text.split("+"))]


@functools.cache
def compiled_for(game: Any) -> tuple[Any, Any]:
    """(move, spell) of ``game``, compiled for the one signature that they are called with."""
    from numba import types

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
def world(name: str, parameters: tuple[tuple[str, Any], ...]) -> World:
    """The world of a game's name and parameters."""
    return World(name, parameters)


def _parameters(game: Any, defaults: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """All parameters of a game, given or not."""
    return tuple(sorted({**defaults, **game.get_parameters()}.items()))


class _State(pyspiel.State):
    """A position: chance that is due, or a seat that says a word."""

    short_name: str
    defaults: Mapping[str, Any]
    #: Whether some chance happens unseen; then what was seen is remembered in words.
    hides = False

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        # Nothing of the game itself may be kept: a state can outlive the Python half of its game.
        self.key = (self.short_name, _parameters(game, self.defaults))
        self.row = self.world.start.copy()
        self.digits: list[int] = []
        self.tokens: list[str] = []
        self.said: list[int] = []
        self.actions = np.zeros(0, np.int64)
        self.words = np.zeros(0, np.int64)
        self.level = 0
        self.count = 0
        self.player = pyspiel.PlayerId.CHANCE
        self._settle()

    @property
    def world(self) -> World:
        """What all positions of this game share; looked up, so that it is never copied or stored with a state."""
        return world(*self.key)

    # ---------------------------------------------------------------- where the game stands

    def _settle(self, what: int = NOTHING_YET, number: int = 0) -> None:
        """Let something happen and every forced move after it, then find out what is asked."""
        one = self.world
        one.move(one.door, self.row, one.packed, one.options, one.standing, what, number)
        over, self.count, n, seat = one.standing[0].tolist()
        self.said = []
        self.actions = _NONE
        if over:
            self.player = pyspiel.PlayerId.TERMINAL
        elif self.count:
            self.player = pyspiel.PlayerId.CHANCE
        elif n < 1:
            raise EngineError(f"no legal action\nstate: {self}")
        else:
            self.player = seat - one.first
            self.actions = one.options["action"][0, :n].copy()
            self._spell(0)

    def _spell(self, level: int) -> None:
        one = self.world
        self.words = np.empty(len(self.actions), np.int64)
        self.level = one.spell(self.row, one.packed, self.actions, self.words, self.player + one.first, level)
        if self.level < 0:
            raise EngineError(f"words do not tell two actions apart\nstate: {self}")

    def _happen(self, outcome: int) -> None:
        """A chance outcome; who cannot see it reads "?" instead of its text."""
        if self.hides:
            one = self.world
            text = one.game.format_chance(self.row[0], one.rules, outcome)
            self.tokens.append(f"?{text}" if self.is_hidden() else text)
        else:
            self.tokens.append(str(outcome))
        self._settle(OUTCOME, outcome)

    def is_hidden(self) -> bool:
        """Whether no player sees the chance that is due."""
        return False

    # ---------------------------------------------------------------- OpenSpiel's questions

    def current_player(self) -> int:
        """Who says the next word."""
        return self.player

    def _legal_actions(self, player: int) -> list[int]:
        return [int(word) for word in np.unique(self.words)] if player == self.player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Equally likely outcomes: a die of the throw, or a card."""
        n = _SIDES if self._is_throw() else self.count
        return [(k, 1.0 / n) for k in range(n)]

    def _is_throw(self) -> bool:
        n = self.count
        while n % _SIDES == 0:
            n //= _SIDES
        return n == 1

    def _apply_action(self, action: int) -> None:
        if self.player == pyspiel.PlayerId.CHANCE:
            self._draw(action)
            return
        self.actions = self.actions[self.words == action]
        self.said.append(action)
        if len(self.actions) > 1:
            self._spell(self.level + 1)
            return
        action = int(self.actions[0])
        self.tokens.append(f"{self.player}:{action}")
        self._settle(ACTION, action)

    def _draw(self, outcome: int) -> None:
        if self._is_throw():
            self.digits.append(outcome)
            if _SIDES ** len(self.digits) < self.count:
                return
            outcome = _whole(self.digits)
            self.digits = []
        self._happen(outcome)

    def _action_to_string(self, player: int, action: int) -> str:
        one = self.world
        if player == pyspiel.PlayerId.CHANCE:
            if not self._is_throw():
                return f"{one.game.format_chance(self.row[0], one.rules, action)} ({action})"
            digits = [*self.digits, action]
            side = f"die {len(digits)}: side {action + 1}"
            if _SIDES ** len(digits) < self.count:
                return side
            return f"{side}, {one.game.format_chance(self.row[0], one.rules, _whole(digits))}"
        meant = self.actions[self.words == action] if player == self.player else []
        if len(meant) == 1:
            return one.game.format_action(self.row[0], one.rules, int(meant[0]))
        return one.spoken.word_names(one.rules)[action]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.player == pyspiel.PlayerId.TERMINAL

    def returns(self) -> list[float]:
        """Win share of each player; 0 while the game runs."""
        one = self.world
        out = np.zeros(1, SHARES)
        one.kernels.returns(self.row[0], one.packed[0], out[0])
        return [float(share) for share in out[0].share[one.first : one.seats]]

    def __str__(self) -> str:
        return self._text(None)

    def _text(self, seat: int | None) -> str:
        """The position in words with what was thrown and said of it so far, as ``seat`` may know it."""
        one = self.world
        text = one.spoken.describe(self.row[0], one.rules, seat)
        if self.digits:
            text += "\nthrown so far: " + " ".join(str(digit + 1) for digit in self.digits)
        names = one.spoken.word_names(one.rules)
        return text + "".join(f"\nsaid: {names[word]}" for word in self.said)

    # ---------------------------------------------------------------- what a player knows

    def known_history(self) -> str:
        """Everything that happened, without what is hidden: ``seat:action id`` and chance."""
        shown = ["?" if token.startswith("?") and not self.is_terminal() else token for token in self.tokens]
        pending = [f"die {digit + 1}" for digit in self.digits] + [f"word {word}" for word in self.said]
        return "; ".join([*shown, *pending])

    def resample_from_infostate(self, player: int, sampler: Any) -> _State:
        """A position that ``player`` cannot tell from this one (IS-MCTS): hidden cards are dealt anew."""
        one, other = self.world, self.clone()
        rng = np.zeros(1, RNG)
        rng[0]["key"] = stream_key(int(sampler() * 2**53), 0, player)
        one.kernels.hide(other.row[0], one.packed[0], player + one.first, rng[0])
        return other


class _Observer:
    """What a player sees, as the vector of every environment here; with perfect recall, all that happened."""

    def __init__(self, one: World, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observers take no parameters, found {params}")
        self.world, self.recalls = one, iig_obs_type.perfect_recall
        self.low, high = one.spoken.ranges(one.seats)
        self.width, self.scale = high.astype(np.float32) - self.low, 0
        self.tensor = np.zeros(len(self.low), np.float32)
        self.dict = {field.name: field.of(self.tensor) for field in one.spoken.fields(one.seats)}
        self._row = np.zeros((1, len(self.low)), np.int16)

    def set_from(self, state: _State, player: int) -> None:
        """Write what ``player`` sees to ``tensor``, of which ``dict`` holds views."""
        one = self.world
        self._row[:] = 0
        end = int(one.spoken.see(state.row[0], one.packed[0], player + one.first, self._row, 0))
        if player == state.player:
            said = [word + 1 for word in state.said]
            self._row[0, end : end + len(said)] = said
        cut = np.minimum(np.maximum(self._row[0], self.low), self.low + self.width.astype(np.int16))
        self.tensor[:] = (cut.astype(np.float32) - self.low) / self.width

    def string_from(self, state: _State, player: int) -> str:
        """The same in words."""
        if self.recalls:
            return f"player {player}: {state.known_history()}"
        return state._text(player + self.world.first)


def _register(
    name: str, title: str, defaults: dict[str, Any], players: tuple[int, int], is_perfect: bool, base: type
) -> None:
    """Make the classes of one game and register them."""
    kind = pyspiel.GameType
    game_type = kind(
        short_name=name, long_name=title, dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.PERFECT_INFORMATION if is_perfect else kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.CONSTANT_SUM if is_perfect else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL, min_num_players=players[0], max_num_players=players[1],
        provides_information_state_string=True, provides_information_state_tensor=False,
        provides_observation_string=True, provides_observation_tensor=True, parameter_specification=defaults,
    )  # fmt: skip

    class State(base):  # type: ignore[misc, valid-type]
        """A position of this game."""

    State.defaults, State.short_name = defaults, name  # type: ignore[attr-defined]

    class Game(pyspiel.Game):
        """This game with its parameters."""

        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            one = world(name, tuple(sorted({**defaults, **(params or {})}.items())))
            sums = {"utility_sum": 1.0} if is_perfect else {}
            info = pyspiel.GameInfo(
                num_distinct_actions=one.spoken.words, max_chance_outcomes=_MOST_CARDS, num_players=one.players,
                min_utility=0.0, max_utility=1.0, max_game_length=_LONGEST, **sums,
            )  # fmt: skip
            super().__init__(game_type, info, params or {})

        def new_initial_state(self) -> Any:
            """The start of a game."""
            return State(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
            """What players see."""
            kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
            return _Observer(world(name, _parameters(self, defaults)), kind, params)

    pyspiel.register_game(game_type, Game)


class _MetallumState(_State):
    hides = True

    def is_hidden(self) -> bool:
        """Metallum draws its cards face down."""
        return tiny.draws_face_down(self.row[0])


_VARIANT = {"bands": "", "first_player": 0, "speed_metal": False, "hall_of_fame": False, "free_falling": False}
_COMMON = {"players": 2, "rules": "", "tiny": False}
_register("overdrive", "Overdrive: A Batalha do Rock", {**_COMMON, **_VARIANT}, (2, 4), True, _State)
_register("metalmania", "Metal Mania", {**_COMMON, "first_player": 0, "boards": ""}, (2, 5), True, _State)
_register(
    "overdrive_metallum", "Overdrive against Metallum",
    {**_COMMON, **_VARIANT, "players": 1, "mode": "solo", "difficulty": "normal"}, (1, 4), False, _MetallumState,
)  # fmt: skip
