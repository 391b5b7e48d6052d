"""Gymnasium: one seat of a game against named agents.

from bridges.seat_env import SeatEnv
env = SeatEnv("metalmania", players=3, opponents=["greedy"])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from bridges.games import Games, Setting
from bridges.kernels.table import ENDED, GIVEN_UP, WAITS
from bridges.spaces import action_space, check_form, lead, seen, seen_space
from simcore.agent import Agent
from simcore.errors import UsageError, unknown

_RENDERING = ("human", "ansi")
_ILLEGAL = ("end", "raise")


def versus(
    game: Any, opponents: Sequence[str | Agent], seat: int | None, rules: Any, variant: dict[str, Any]
) -> tuple[Setting, int]:
    """(setting, seat): ``opponents`` (one for all, or one a seat) in every players' seat but ``seat``.

    ``seat``: the first players' seat where it is None.  Raises UsageError.
    """
    alone = Setting(game, variant, rules)
    mine = alone.players[0] if seat is None else int(seat)
    if mine not in alone.players:
        raise UsageError(f"seat: nobody plays in seat {mine} (allowed: {', '.join(map(str, alone.players))})")
    others = [one for one in alone.players if one != mine]
    given = list(opponents)
    if len(given) == 1:
        given *= len(others)
    if len(given) != len(others):
        raise UsageError(f"opponents: {len(given)} for {len(others)} seats (one for all, or one a seat)")
    return Setting(alone.game, variant, alone.rules, dict(zip(others, given, strict=True))), mine


class SeatEnv(gymnasium.Env):
    """You in ``seat`` against ``opponents`` (texts of agents, compiled or Python); a step is one word.

    ``observation``: "vector" (Box in [0, 1]) or "named" (Dict of int16 arrays); ``shaping`` as in ``bridges.aec``.
    The reward is your win share at the end.  ``info["action_mask"]`` and ``action_masks()`` say what may be said.
    ``on_illegal``: "end" makes a word that may not be said lose the game with reward -1, "raise" a
    UsageError.
    """

    def __init__(
        self, game: Any, *, opponents: Sequence[str | Agent] = ("random",), seat: int | None = None, rules: Any = None,
        observation: str = "vector", shaping: float = 0.0, on_illegal: str = "end", render_mode: str | None = None,
        **variant: Any,
    ) -> None:  # fmt: skip
        if render_mode is not None and render_mode not in _RENDERING:
            raise unknown("render_mode", "mode", render_mode, _RENDERING)
        if on_illegal not in _ILLEGAL:
            raise unknown("on_illegal", "word", on_illegal, _ILLEGAL)
        self.setting, self.seat = versus(game, opponents, seat, rules, variant)
        self.metadata = {"render_modes": list(_RENDERING), "render_fps": 1}
        self.form, self.shaping, self.render_mode = check_form(observation), float(shaping), render_mode
        self.ends_illegal = on_illegal == "end"
        self.games = Games(self.setting, vectors=self.form == "vector", shaping=self.shaping)
        self.observation_space = seen_space(self.setting, self.form)
        self.action_space = action_space(self.setting)
        self._master: int | None = None
        self._block = 0
        self._word = np.zeros(1, np.int64)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """(observation, info) of a new game, named as in ``bridges.aec``."""
        super().reset(seed=seed)
        if seed is not None or self._master is None:
            self._master = int(self.np_random.integers(2**62)) if seed is None else int(seed)
            self._block = 0
        else:
            self._block += 1
        self._block = int((options or {}).get("block", self._block))
        self.games.open(self._master, self._block)
        self.games.ask_agents()
        self._scores = self.games.finals[0]["now"].copy()
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Say one word: (observation, reward, terminated, truncated, info)."""
        games = self.games
        if games.status[0] != WAITS:
            raise UsageError("step: the game is over, reset starts the next one")
        self._word[0] = action
        if games.count_faults(self._word):
            if not self.ends_illegal:
                raise games.refusal(int(action))
            return self._seen(), -1.0, True, False, {**self._info(), "illegal": games.wrong_word(int(action))}
        if self.setting.asks:
            games.ask_agents()
        status, final = games.status[0], games.finals[0]
        reward = float(final["share"][self.seat]) if status in (ENDED, GIVEN_UP) else 0.0
        if self.shaping:
            reward += self.shaping * float(lead(final["score"] - self._scores, self.setting)[self.seat])
            self._scores[:] = final["score"]
        if self.render_mode == "human":
            self.render()
        return self._seen(), reward, bool(status == ENDED), bool(status == GIVEN_UP), self._info()

    def action_masks(self) -> np.ndarray:
        """Words that may be said, bool, shape (words,); none once the game is over."""
        return self._mask().astype(bool)

    def _mask(self) -> np.ndarray:
        waits = self.games.status[0] == WAITS
        return self.games.masks[0].copy() if waits else np.zeros_like(self.games.masks[0])

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask()}

    def _seen(self) -> Any:
        return seen(self.games, self.form, self.seat)

    def render(self) -> str | None:
        """The position in words, as your seat may know it: returned ("ansi") or printed ("human")."""
        if self.render_mode is None:
            raise UsageError("render: the environment was made without render_mode (allowed: human, ansi)")
        text = self.games.text(self.seat)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None
