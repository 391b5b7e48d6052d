"""Players made for other tools, in a seat of ours.

Write a class of your own that hands its player to one of these, and name it by text, ``py:module:Class``
(``bridges/examples.py`` holds one of each kind):

* ``PolicySeat``: a PettingZoo policy, ``policy({"observation": vector, "action_mask": mask}, "player_1") -> word``;
* ``PredictSeat``: an object with ``predict(vector, action_masks=mask, deterministic=...) -> (word, state)``, as
  models of stable-baselines have;
* ``OpenSpielSeat``: ``make_bot(game, player, random_state)`` that returns an object with ``step(state) -> word``.

Each is asked word by word, sees what a Python agent sees (``view``), and what it draws from ``random_state``
is the agent's own stream, so that games can be repeated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from bridges.language import Language, language
from simcore.seen import View


class _Speaker:
    """One decision being spelled: the actions left, the words that may be said, and what is seen."""

    def __init__(self, view: View, legal: np.ndarray) -> None:
        self.view, self.left = view, np.asarray(legal, np.int64)
        self.spoken: Language = language(view.game.name)
        self.row = view.state.copy()
        self.seats = int(self.row[0][self.spoken.seats_field])
        self.said: list[int] = []
        self.level = 0
        self.words = self._next()

    def _next(self) -> np.ndarray:
        """The next word of each action left, at the first level that tells them apart."""
        state, rules, seat = self.row[0], self.view.rules.packed[0], self.view.seat
        while self.level < self.spoken.levels:
            words = np.array([self.spoken.word(state, rules, int(a), seat, self.level) for a in self.left])
            if (words != words[0]).any():
                return words
            self.level += 1
        return np.zeros(len(self.left), np.int64)

    def say(self, word: int) -> bool:
        """Keep the actions that go on with ``word``; whether one alone is left.  Raises ValueError."""
        kept = self.left[self.words == word]
        if not len(kept):
            allowed = ", ".join(map(str, np.unique(self.words)[:8]))
            raise ValueError(f"word {word} may not be said here (allowed: {allowed}, ...)")
        self.left = kept
        self.said.append(int(word))
        if len(kept) > 1:
            self.level += 1
            self.words = self._next()
        return len(kept) == 1

    def mask(self) -> np.ndarray:
        """1 for every word that may be said, int8."""
        mask = np.zeros(self.spoken.words, np.int8)
        mask[self.words] = 1
        return mask

    def vector(self) -> np.ndarray:
        """What is seen, in [0, 1], as in the environments."""
        low, high = self.spoken.ranges(self.seats)
        rows = np.zeros((1, len(low)), np.int16)
        end = self.spoken.see(self.row[0], self.view.rules.packed[0], self.view.seat, rows, 0)
        said = [word + 1 for word in self.said]
        rows[0, end : end + len(said)] = said
        cut = np.clip(rows[0], low, high).astype(np.float32)
        scale = (1 / (high.astype(np.float32) - low.astype(np.float32))).astype(np.float32)
        return (cut - low.astype(np.float32)) * scale


class PolicySeat:
    """A PettingZoo policy function in a seat."""

    def __init__(self, policy: Callable[[dict[str, Any], str], Any]) -> None:
        self.policy = policy

    def choose(self, view: View, legal: np.ndarray) -> int:
        """The action that the policy spells."""
        speaker, name = _Speaker(view, legal), f"player_{view.seat}"
        while not speaker.say(int(self.policy({"observation": speaker.vector(), "action_mask": speaker.mask()}, name))):
            pass
        return int(speaker.left[0])


class Predicts(Protocol):
    """What models of stable-baselines (with masks) offer."""

    def predict(self, observation: np.ndarray, *, action_masks: np.ndarray, deterministic: bool) -> tuple[Any, Any]:
        """(word, state of the model)."""


class PredictSeat:
    """An object with ``predict`` in a seat."""

    def __init__(self, model: Predicts, deterministic: bool = True) -> None:
        self.model, self.deterministic = model, deterministic

    def choose(self, view: View, legal: np.ndarray) -> int:
        """The action that the model predicts, word by word."""
        speaker = _Speaker(view, legal)
        while True:
            mask = speaker.mask().astype(bool)
            word, _ = self.model.predict(speaker.vector(), action_masks=mask, deterministic=self.deterministic)
            if speaker.say(int(word)):
                return int(speaker.left[0])


class OpenSpielSeat:
    """A bot of OpenSpiel in a seat; ``make_bot(game, player, random_state)`` makes a new one for every decision."""

    def __init__(self, make_bot: Callable[[Any, int, np.random.RandomState], Any]) -> None:
        self.make_bot = make_bot

    def choose(self, view: View, legal: np.ndarray) -> int:
        """The action that the bot says, word by word."""
        from bridges import openspiel  # noqa: PLC0415 (OpenSpiel is an extra)

        game, state = openspiel.from_view(view)
        bot = self.make_bot(game, state.current_player(), np.random.RandomState(view.draw(2**31)))
        left = np.asarray(legal, np.int64)
        while len(left) > 1:
            word = int(bot.step(state))
            left = state.at.actions[state.at.words == word]
            if not len(left):
                raise ValueError(f"word {word} may not be said here (allowed: {state.legal_actions()})")
            if len(left) > 1:
                state.apply_action(word)
        return int(left[0])
