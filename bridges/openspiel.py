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
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyspiel
from numba import types

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
from overdrive_sim.kernels.layout import MODES, STANDARD
from simcore import registry
from simcore.errors import EngineError
from simcore.kernel import compiled, record_type
from simcore.protocol import SHARES
from simcore.ruledata import parse_overrides
from simcore.seen import View
from simcore.streams import RNG, stream_key

_SIDES = 6
_MOST_CARDS = 64  # outcomes of one chance node: a card among those unseen
_LONGEST = 500_000  # nodes of a game; far beyond any that makes progress


_NONE = np.zeros(0, np.int64)


def _none() -> np.ndarray:
    return _NONE


def _whole(digits: tuple[int, ...]) -> int:
    """The outcome of a throw whose dice show these sides, counted from 0; the first die is the lowest digit."""
    return sum(digit * _SIDES**k for k, digit in enumerate(digits))


_VARIANT = {"bands": "", "first_player": 0, "speed_metal": False, "hall_of_fame": False, "free_falling": False}
_COMMON = {"players": 2, "rules": "", "tiny": False}

#: Parameters of each registered game: ``rules`` as ``hits.back_in_box.price:6+options.unlock:reached``, ``bands`` (and
#: ``boards``) as ``rebeldogs+epic_gods``, ``tiny``: the variant of ``bridges.tiny``, whatever the others say.
_DEFAULTS: dict[str, dict[str, Any]] = {
    "overdrive": {**_COMMON, **_VARIANT},
    "metalmania": {**_COMMON, "first_player": 0, "boards": ""},
    "overdrive_metallum": {**_COMMON, **_VARIANT, "players": 1, "mode": "solo", "difficulty": "normal"},
}


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
        self.options = np.zeros(1, self.engine.options)
        self.packed = self.rules.packed
        self.move, self.spell = compiled_for(self.game)
        self.door, self.standing = engine_door(self.engine), np.zeros(1, STANDING)
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

    def after(self, row: np.ndarray, what: int, number: int, known: str) -> _Place:
        """Where the game stands after something happened and every forced move after it."""
        row = row.copy()
        self.move(self.door, row, self.packed, self.options, self.standing, what, number)
        over, count, n, seat = self.standing[0].tolist()
        if over:
            return _Place(row, pyspiel.PlayerId.TERMINAL, known=known)
        if count:
            return _Place(row, pyspiel.PlayerId.CHANCE, count, known=known)
        if n < 1:
            raise EngineError(f"no legal action\nstate: {self.game.describe(row[0], self.rules)}")
        actions = self.options["action"][0, :n].copy()
        words, level = self.next_words(row, actions, seat - self.first, 0)
        return _Place(row, seat - self.first, 0, (), actions, words, level, (), known)

    def next_words(self, row: np.ndarray, actions: np.ndarray, player: int, level: int) -> tuple[np.ndarray, int]:
        """(words, level): the next word of each of ``actions``, from ``level`` on."""
        words = np.empty(len(actions), np.int64)
        level = int(self.spell(row, self.packed, actions, words, player + self.first, level))
        if level < 0:
            state = self.game.describe(row[0], self.rules)
            raise EngineError(f"words do not tell two actions apart\nstate: {state}")
        return words, level


def _is_throw(count: int) -> bool:
    """Whether so many outcomes are those of a throw, which falls die by die."""
    while count > 1 and count % _SIDES == 0:
        count //= _SIDES
    return count == 1


#: Rules that no text describes, by hash.
_LENT: dict[str, Any] = {}
_LENT_WORD = "hash:"


def _rules(game: Any, text: str) -> Any:
    """The rules that a game's parameter names."""
    if text.startswith(_LENT_WORD):
        return _LENT[text.removeprefix(_LENT_WORD)]
    return game.rules(parse_overrides(_texts(text, ":", "=")))


def from_view(view: View) -> tuple[Any, Any]:
    """(game, state): the position that a Python agent sees, under its own rules.  What came before is not known."""
    state, rules = view.state.copy(), view.rules
    _LENT[rules.hash] = rules
    row, name = state[0], view.game.name
    given: dict[str, Any] = {"rules": _LENT_WORD + rules.hash}
    if name == "overdrive" and row.mode != STANDARD:
        name = "overdrive_metallum"
        given.update(mode=MODES[int(row.mode)], players=int(row.seats) - 1)
    else:
        given["players"] = int(row[language(name).seats_field])
    game = pyspiel.load_game(name, given)
    found = game.new_initial_state()
    found.at = found.world.after(state, NOTHING_YET, 0, "")
    return game, found


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
    return World(name, {**_DEFAULTS[name], **given})


@dataclass(slots=True)
class _Place:
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

    def __deepcopy__(self, memo: Any) -> _Place:
        return self


class _State(pyspiel.State):
    """A position: chance that is due, or a seat that says a word."""

    #: Whether some chance happens unseen; then what was seen is remembered in words.
    hides = False

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        # Nothing of the game itself may be kept: a state can outlive the Python half of its game.
        self.key = str(game)
        self.at = self.world.opening

    @property
    def world(self) -> World:
        """What all positions of this game share; looked up, so that it is never copied or stored with a state."""
        return world(self.key)

    # ---------------------------------------------------------------- OpenSpiel's questions

    def current_player(self) -> int:
        """Who says the next word."""
        return self.at.player

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(set(self.at.words.tolist())) if player == self.at.player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Equally likely outcomes: a die of the throw, or a card."""
        n = _SIDES if _is_throw(self.at.count) else self.at.count
        return [(k, 1.0 / n) for k in range(n)]

    def _apply_action(self, action: int) -> None:
        at, one = self.at, self.world
        if at.player == pyspiel.PlayerId.CHANCE:
            self._draw(action)
            return
        actions = at.actions[at.words == action]
        if len(actions) > 1:
            words, level = one.next_words(at.row, actions, at.player, at.level + 1)
            self.at = replace(at, actions=actions, words=words, level=level, said=(*at.said, action))
        else:
            chosen = int(actions[0])
            self.at = one.after(at.row, ACTION, chosen, f"{at.known}{at.player}:{chosen};")

    def _draw(self, outcome: int) -> None:
        at, one = self.at, self.world
        if _is_throw(at.count):
            digits = (*at.digits, outcome)
            if _SIDES ** len(digits) < at.count:
                self.at = replace(at, digits=digits)
                return
            outcome = _whole(digits)
        if not self.hides:
            token = str(outcome)
        elif self.is_hidden():
            token = "?"
        else:
            token = one.game.format_chance(at.row[0], one.rules, outcome)
        self.at = one.after(at.row, OUTCOME, outcome, f"{at.known}{token};")

    def is_hidden(self) -> bool:
        """Whether no player sees the chance that is due."""
        return False

    def _action_to_string(self, player: int, action: int) -> str:
        at, one = self.at, self.world
        if player == pyspiel.PlayerId.CHANCE:
            return self._chance_text(action)
        meant = at.actions[at.words == action] if player == at.player else []
        if len(meant) == 1:
            return one.game.format_action(at.row[0], one.rules, int(meant[0]))
        return one.spoken.word_names(one.rules)[action]

    def _chance_text(self, outcome: int) -> str:
        """The outcome in notation, with its number: different outcomes may look alike."""
        at, one = self.at, self.world
        if not _is_throw(at.count):
            return f"{one.game.format_chance(at.row[0], one.rules, outcome)} ({outcome})"
        digits = (*at.digits, outcome)
        side = f"die {len(digits)}: side {outcome + 1}"
        if _SIDES ** len(digits) < at.count:
            return side
        return f"{side}, {one.game.format_chance(at.row[0], one.rules, _whole(digits))}"

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.at.player == pyspiel.PlayerId.TERMINAL

    def returns(self) -> list[float]:
        """Win share of each player; 0 while the game runs."""
        one = self.world
        out = np.zeros(1, SHARES)
        if self.is_terminal():
            one.kernels.returns(self.at.row[0], one.packed[0], out[0])
        return out["share"][0, one.first : one.seats].tolist()

    def __str__(self) -> str:
        return self.text(None)

    def text(self, seat: int | None) -> str:
        """The position in words with what was thrown and said of it so far, as ``seat`` may know it (None: all)."""
        at, one = self.at, self.world
        text = one.spoken.describe(at.row[0], one.rules, seat)
        if at.digits:
            text += "\nthrown so far: " + " ".join(str(digit + 1) for digit in at.digits)
        names = one.spoken.word_names(one.rules)
        return text + "".join(f"\nsaid: {names[word]}" for word in at.said)

    # ---------------------------------------------------------------- what a player knows

    def known_history(self) -> str:
        """Everything that happened, without what is hidden: ``player:action id`` and chance."""
        at = self.at
        return at.known + "".join(f"die {digit + 1};" for digit in at.digits) + "".join(f"word {w};" for w in at.said)

    def resample_from_infostate(self, player: int, sampler: Any) -> _State:
        """A position that ``player`` cannot tell from this one (IS-MCTS): hidden cards are dealt anew."""
        one, other = self.world, self.clone()
        rng, row = np.zeros(1, RNG), self.at.row.copy()
        rng[0]["key"] = stream_key(int(sampler() * 2**53), 0, player)
        one.kernels.hide(row[0], one.packed[0], player + one.first, rng[0])
        other.at = replace(self.at, row=row)
        return other


class _Observer:
    """What a player sees, as the vector of every environment here; with perfect recall all that happened, in words
    alone.
    """

    def __init__(self, one: World, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observers take no parameters, found {params}")
        self.world, self.recalls = one, iig_obs_type.perfect_recall
        self.low, high = one.spoken.ranges(one.seats)
        self.width = high.astype(np.float32) - self.low
        self.tensor = np.zeros(0 if self.recalls else len(self.low), np.float32)
        parts = () if self.recalls else one.spoken.fields(one.seats)
        self.dict = {part.name: part.of(self.tensor) for part in parts}
        self._row = np.zeros((1, len(self.low)), np.int16)

    def set_from(self, state: _State, player: int) -> None:
        """Write what ``player`` sees to ``tensor``, of which ``dict`` holds views."""
        if self.recalls:
            return
        one = self.world
        self._row[:] = 0
        end = int(one.spoken.see(state.at.row[0], one.packed[0], player + one.first, self._row, 0))
        if player == state.at.player:
            said = [word + 1 for word in state.at.said]
            self._row[0, end : end + len(said)] = said
        cut = np.minimum(np.maximum(self._row[0], self.low), self.low + self.width.astype(np.int16))
        self.tensor[:] = (cut.astype(np.float32) - self.low) / self.width

    def string_from(self, state: _State, player: int) -> str:
        """The same in words."""
        if self.recalls:
            return f"player {player}: {state.known_history()}"
        return state.text(player + self.world.first)


class _MetallumState(_State):
    """A position of solo or co-op: Metallum draws its cards face down."""

    hides = True

    def is_hidden(self) -> bool:
        """Whether Metallum's draw is due."""
        return tiny.draws_face_down(self.at.row[0])


def _type_of(name: str, title: str, players: tuple[int, int], is_perfect: bool) -> Any:
    """What OpenSpiel is told of a game."""
    kind = pyspiel.GameType
    return kind(
        short_name=name, long_name=title, dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.PERFECT_INFORMATION if is_perfect else kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.CONSTANT_SUM if is_perfect else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL, min_num_players=players[0], max_num_players=players[1],
        provides_information_state_string=True, provides_information_state_tensor=False,
        provides_observation_string=True, provides_observation_tensor=True, parameter_specification=_DEFAULTS[name],
    )  # fmt: skip


class _Game(pyspiel.Game):
    """A game with its parameters; the subclasses say which."""

    kind: Any
    state: type[_State] = _State

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        name = self.kind.short_name
        one = World(name, {**_DEFAULTS[name], **(params or {})})
        sums = {"utility_sum": 1.0} if self.kind.utility == pyspiel.GameType.Utility.CONSTANT_SUM else {}
        info = pyspiel.GameInfo(
            num_distinct_actions=one.spoken.words, max_chance_outcomes=_MOST_CARDS, num_players=one.players,
            min_utility=0.0, max_utility=1.0, max_game_length=_LONGEST, **sums,
        )  # fmt: skip
        super().__init__(self.kind, info, params or {})

    def new_initial_state(self) -> Any:
        """The start of a game."""
        return self.state(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """What players see."""
        recall = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return _Observer(world(str(self)), recall, params)


class OverdriveGame(_Game):
    """Overdrive among humans."""

    kind = _type_of("overdrive", "Overdrive: A Batalha do Rock", (2, 4), is_perfect=True)


class MetalManiaGame(_Game):
    """Metal Mania."""

    kind = _type_of("metalmania", "Metal Mania", (2, 5), is_perfect=True)


class MetallumGame(_Game):
    """Overdrive, solo or co-op, against Metallum."""

    kind = _type_of("overdrive_metallum", "Overdrive against Metallum", (1, 4), is_perfect=False)
    state = _MetallumState


for _one in (OverdriveGame, MetalManiaGame, MetallumGame):
    pyspiel.register_game(_one.kind, _one)
