"""One game held in Python: ask what is legal, play by number or by text, copy, look."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from simcore.errors import UsageError, nearest
from simcore.protocol import MAX_SEATS, SHARES, Game


class Position:
    """A game at one moment.  It changes in place: ``copy`` first where the old one is still wanted.

    ``game``: the Game; ``state``: array of shape (1,), dtype ``game.engine.state``; ``rules``: what
    ``game.rules`` gives.  Works with the compiler on or off.
    """

    def __init__(self, game: Game, state: np.ndarray, rules: Any) -> None:
        self.game = game
        self.state = state
        self.rules = rules
        self._kernels = game.engine.kernels
        self._options = np.zeros(1, game.engine.options)

    @classmethod
    def new(cls, game: Game, variant: Mapping[str, Any], rules: Any = None) -> Position:
        """A fresh game of this variant, at its first decision or chance event.  Raises UsageError."""
        rules = game.rules() if rules is None else rules
        state = game.engine.new_state()
        game.engine.kernels.reset(state[0], rules.packed[0], game.setup(variant, rules)[0])
        return cls(game, state, rules)

    def copy(self) -> Position:
        """The same position, independent of this one."""
        return Position(self.game, self.state.copy(), self.rules)

    # ---------------------------------------------------------------- what is asked

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._kernels.is_over(self.state[0]))

    def chance_count(self) -> int:
        """Equally likely outcomes of the chance event that is due; 0 where a seat decides or the game is over."""
        return 0 if self.over else int(self._kernels.chance_count(self.state[0], self.rules.packed[0]))

    def to_act(self) -> int:
        """The seat that decides.  Raises UsageError where nobody does."""
        if self.over or self.chance_count():
            raise UsageError("nobody decides now: " + ("the game is over" if self.over else "chance is asked"))
        return int(self._kernels.to_act(self.state[0]))

    def legal(self) -> np.ndarray:
        """Legal action ids, int64, ascending; empty where chance is due or the game is over."""
        if self.over or self.chance_count():
            return np.zeros(0, np.int64)
        n = int(self._kernels.legal(self.state[0], self.rules.packed[0], self._options[0]))
        if n < 0:
            raise UsageError(f"more than {self.game.engine.legal_capacity} legal actions")
        return self._options[0].action[:n].copy()

    def shares(self) -> np.ndarray:
        """Win share of each seat, float64, shape (MAX_SEATS,); all 0 while the game runs."""
        out = np.zeros(1, SHARES)
        self._kernels.returns(self.state[0], self.rules.packed[0], out[0])
        return out[0].share[:MAX_SEATS].copy()

    # ---------------------------------------------------------------- what happens

    def step(self, action: int) -> None:
        """A legal action happens.  Raises UsageError that names the nearest legal text for any other."""
        legal = self.legal()
        if int(action) not in legal:
            raise UsageError(f"action {int(action)} is not legal{self._hint(str(action), legal)}")
        self._kernels.step(self.state[0], self.rules.packed[0], int(action))

    def play(self, text: str) -> int:
        """The action that ``text`` means happens; returns its id.  Raises UsageError if it is not legal."""
        action = self.parse(text)
        self._kernels.step(self.state[0], self.rules.packed[0], action)
        return action

    def chance(self, outcome: int | str) -> int:
        """A chance outcome, by number or by text, happens; returns its number.  Raises UsageError."""
        n = self.chance_count()
        if n == 0:
            raise UsageError(f"no chance is asked for now, so {outcome!r} cannot happen")
        if isinstance(outcome, str):
            outcome = self.game.parse_chance(self.state[0], self.rules, outcome)
        if not 0 <= int(outcome) < n:
            raise UsageError(f"outcome {outcome} is not among 0 to {n - 1}")
        self._kernels.apply_chance(self.state[0], self.rules.packed[0], int(outcome))
        return int(outcome)

    # ---------------------------------------------------------------- texts

    def text(self, action: int) -> str:
        """The canonical text of a legal action."""
        return self.game.format_action(self.state[0], self.rules, int(action))

    def chance_text(self, outcome: int) -> str:
        """The text of an outcome of the chance event that is due."""
        return self.game.format_chance(self.state[0], self.rules, int(outcome))

    def find(self, text: str) -> int | None:
        """The legal action that ``text`` means, None if it is not legal.  Raises UsageError if malformed."""
        return self.game.parse_action(self.state[0], self.rules, text, self.legal())

    def parse(self, text: str) -> int:
        """The legal action that ``text`` means.  Raises UsageError naming the nearest legal text."""
        action = self.find(text)
        if action is None:
            raise UsageError(f"{text!r} is not legal{self._hint(text, self.legal())}")
        return action

    def view(self, viewer: int | None = None) -> dict[str, Any]:
        """The position as plain data with the scenario format's keys."""
        return self.game.view(self.state[0], self.rules, viewer)

    def __repr__(self) -> str:
        return f"<Position of {self.game.name}: {self}>"

    def __str__(self) -> str:
        return self.game.describe(self.state[0], self.rules)

    def _hint(self, text: str, legal: np.ndarray) -> str:
        """What is legal instead: the nearest texts, and how many there are."""
        if not len(legal):
            return ": " + ("the game is over" if self.over else "chance is asked, not a seat")
        texts = [self.text(action) for action in legal]
        guess = nearest(text, texts)
        shown = [guess] if guess else []
        shown += [t for t in texts if t != guess][: 8 - len(shown)]
        more = f" and {len(texts) - len(shown)} more" if len(texts) > len(shown) else ""
        return f"; seat {self.to_act()} may: {', '.join(map(repr, shown))}{more}"
