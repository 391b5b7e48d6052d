"""Gymnasium: thousands of games at once, each step one compiled call.

from bridges.table_env import TableEnv
envs = TableEnv("metalmania", 4096, players=2, opponents=["random"])
rows, info = envs.reset(seed=1)
rows, rewards, ended, given_up, info = envs.step(words)  # info["action_mask"]: (4096, words)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from bridges.games import Games, Setting
from bridges.seat_env import versus
from bridges.spaces import action_space
from simcore.agent import Agent
from simcore.errors import UsageError, unknown

#: What is written for every game: numbers in [0, 1], whole numbers, or nothing (then (count, 0)).
FORMS = ("vector", "rows", "none")


class TableEnv(VectorEnv):
    """``num_envs`` games of one setting; a finished game is followed by the next one in the same step.

    ``opponents``: as in ``SeatEnv``; None: all seats are played from outside, and ``info["seat"]`` says whose
    word each game asks for.  ``observation``: "vector" (float32 in [0, 1]), "rows" (int16, see ``named``), "none".
    The reward belongs to the seat that spoke: its win share when its word ended the game, plus ``shaping`` a point
    of lead; ``info["share"]`` (num_envs, seats) has all seats' shares where a game ended, ``info["score"]`` the
    scores with ``shaping``.  Game i plays the blocks i, i + num_envs, ... under the seed.

    Observations and what ``info`` holds are views that the next step overwrites, unless ``copy``; masks are read-only.
    ``observe`` says what is seen of the games that one asks for.

    The leanest way to step is ``observation="none", masks=False``: ``legal_words[i, :legal_counts[i]]`` (int32 and
    int64, written by every step anyway) are then the words that game i may be told, one for each action that is
    left, so that one of them drawn at random is a random action's.
    Raises UsageError naming the first game whose word may not be said.
    """

    def __init__(
        self, game: Any, num_envs: int, *, opponents: Sequence[str | Agent] | None = None, seat: int | None = None,
        rules: Any = None, observation: str = "vector", masks: bool = True, shaping: float = 0.0, copy: bool = False,
        **variant: Any,
    ) -> None:  # fmt: skip
        if observation not in FORMS:
            raise unknown("observation", "form", observation, FORMS)
        if num_envs < 1:
            raise UsageError(f"num_envs: {num_envs} is too small, at least 1 game is needed")
        self.seat: int | None = None
        if opponents is None:
            self.setting = Setting(game, variant, rules)
        else:
            self.setting, self.seat = versus(game, opponents, seat, rules, variant)
        if self.setting.asks:
            raise UsageError("opponents: only compiled agents play in a compiled call; SeatEnv takes Python agents too")
        self.num_envs, self.shaping, self.copy = num_envs, float(shaping), copy
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self.games = Games(
            self.setting, num_envs, masks=masks, seen=observation != "none", vectors=observation == "vector",
            shaping=self.shaping, auto=True,
        )  # fmt: skip
        self.form = observation
        self.single_action_space = action_space(self.setting)
        self.single_observation_space = self._space()
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._master: int | None = None
        self._block = 0
        self._nothing = np.zeros((num_envs, 0), np.float32)
        finals, seats = self.games.finals, self.setting.seats
        self._share, self._score = finals["share"][:, :seats], finals["score"][:, :seats]
        self.legal_words, self.legal_counts = self.games.spellings["word"], self.games.spellings["n"]
        self._mask = self.games.masks.view() if masks else None
        if self._mask is not None:
            self._mask.flags.writeable = False

    def _space(self) -> spaces.Box:
        low, high = self.games.low, self.games.high
        if self.form == "rows":
            return spaces.Box(low, high, dtype=np.int16)
        return spaces.Box(0.0, 1.0, (len(low) if self.form == "vector" else 0,), np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """(observations, info): every game anew, game i from block ``options["block"]`` (default 0) + i on."""
        super().reset(seed=seed)
        if seed is not None or self._master is None:
            self._master = int(self.np_random.integers(2**62)) if seed is None else int(seed)
            self._block = 0
        else:
            self._block = int(self.games.jobs["block"].max()) + 1
        self._block = int((options or {}).get("block", self._block))
        self.games.open(self._master, self._block)
        return self._seen(), self._info(np.zeros(self.num_envs, bool))

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Say one word in every game: (observations, rewards, terminated, truncated, info)."""
        games = self.games
        games.say(actions)
        reports = games.reports
        ended, given_up = reports["ended"].copy(), reports["given_up"].copy()
        return self._seen(), reports["reward"].copy(), ended, given_up, self._info(ended | given_up)

    def _seen(self) -> np.ndarray:
        if self.form == "none":
            return self._nothing
        found = self.games.vectors if self.form == "vector" else self.games.rows
        return found.copy() if self.copy else found

    def _info(self, over: np.ndarray) -> dict[str, Any]:
        info: dict[str, Any] = {"seat": self.games.seat, "_share": over, "share": self._share}
        if self._mask is not None:
            info["action_mask"] = self._mask
        if self.shaping:
            info["score"] = self._score
        return {key: np.array(value) for key, value in info.items()} if self.copy else info

    def observe(self, which: np.ndarray | None = None) -> np.ndarray:
        """What the seats that are asked see, float32 in [0, 1], a row for each of the games ``which`` (all), fresh.

        For ``observation="none"``: a game of which nobody wants to see anything then costs nothing.
        """
        games = np.arange(self.num_envs) if which is None else np.ascontiguousarray(which, np.int64)
        return self.games.look(games, self.games.seat[games])[1]

    def named(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """Rows of whole numbers as named arrays (views), shape (num_envs, ...)."""
        return self.games.named(rows)

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing to release."""
