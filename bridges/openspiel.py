"""OpenSpiel: both games, registered when this module is imported, with explicit chance.

    import pyspiel
    import bridges.openspiel
    game = pyspiel.load_game("overdrive(players=2)")

``overdrive`` and ``metalmania`` are games of perfect information; ``overdrive_metallum`` (solo, co-op) hides
Metallum's cards.  An action is a word (see ``bridges.language``); forced moves happen by themselves.  A throw of m
dice is m chance nodes of six outcomes.  Player p sits in seat p, behind Metallum in seat p + 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pyspiel

from bridges import tiny
from bridges.kernels.position import ACTION, NOTHING_YET, OUTCOME
from bridges.language import language
from bridges.openspiel_seen import Observer
from bridges.openspiel_world import DEFAULTS, SIDES, World, is_throw, lend, whole, world
from overdrive_sim.kernels.layout import MODES, STANDARD
from simcore.protocol import SHARES
from simcore.seen import View
from simcore.streams import RNG, stream_key

_MOST_CARDS = 64  # outcomes of one chance node: a card among those unseen
_LONGEST = 500_000  # nodes of a game; far beyond any that makes progress


def from_view(view: View) -> tuple[Any, Any]:
    """(game, state): the position that a Python agent sees, under its own rules.  What came before is not known."""
    state, rules = view.state.copy(), view.rules
    row, name = state[0], view.game.name
    given: dict[str, Any] = {"rules": lend(rules)}
    if name == "overdrive" and row.mode != STANDARD:
        name = "overdrive_metallum"
        given.update(mode=MODES[int(row.mode)], players=int(row.seats) - 1)
    else:
        given["players"] = int(row[language(name).seats_field])
    game = pyspiel.load_game(name, given)
    found = game.new_initial_state()
    found.at = found.world.after(state, NOTHING_YET, 0, "")
    return game, found


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
        n = SIDES if is_throw(self.at.count) else self.at.count
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
        if is_throw(at.count):
            digits = (*at.digits, outcome)
            if SIDES ** len(digits) < at.count:
                self.at = replace(at, digits=digits)
                return
            outcome = whole(digits)
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
        if not is_throw(at.count):
            return f"{one.game.format_chance(at.row[0], one.rules, outcome)} ({outcome})"
        digits = (*at.digits, outcome)
        side = f"die {len(digits)}: side {outcome + 1}"
        if SIDES ** len(digits) < at.count:
            return side
        return f"{side}, {one.game.format_chance(at.row[0], one.rules, whole(digits))}"

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
        provides_observation_string=True, provides_observation_tensor=True, parameter_specification=DEFAULTS[name],
    )  # fmt: skip


class _Game(pyspiel.Game):
    """A game with its parameters; the subclasses say which."""

    kind: Any
    state: type[_State] = _State

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        name = self.kind.short_name
        one = World(name, {**DEFAULTS[name], **(params or {})})
        sums = {"utility_sum": 1.0} if self.kind.utility == pyspiel.GameType.Utility.CONSTANT_SUM else {}
        info = pyspiel.GameInfo(
            num_distinct_actions=one.spoken.words, max_chance_outcomes=_MOST_CARDS, num_players=one.players,
            min_utility=0.0, max_utility=1.0, max_game_length=_LONGEST, **sums,
        )  # fmt: skip
        super().__init__(self.kind, info, params or {})

    def new_initial_state(self) -> Any:
        """The start of a game."""
        return self.state(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What players see."""
        recall = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(world(str(self)), recall, params)


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
