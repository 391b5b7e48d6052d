"""PettingZoo: both games as AEC environments, for all player counts and modes.

from bridges import aec
env = aec.env("overdrive", players=2, bands=["rebeldogs", "epic_gods"])
env.reset(seed=1)  # the dice of: soundcheck play overdrive --seed 1 --band rebeldogs --band epic_gods
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from bridges.games import Games, Setting
from bridges.kernels.table import ENDED, GIVEN_UP, WAITS
from bridges.spaces import action_space, check_form, lead, mask_space, seen, seen_space
from simcore.errors import UsageError, unknown

_RENDERING = ("human", "ansi")


class GameEnv(AECEnv):
    """One game, a word at a time.  Agents are called ``player_SEAT``; seats that play by themselves are none.

    ``game``, ``rules``, ``agents``, variant keys: see ``bridges.games.Setting``; a seat with an agent of ours is
    played by it.  ``observation``: "vector" or "named".  ``shaping``: reward for each point by which
    the lead over the mean of the others grows; 0 leaves the win shares alone.  Observations are
    {"observation": ..., "action_mask": int8}.  Raises UsageError for bad arguments and for an action that is not legal.
    """

    def __init__(
        self, game: Any, *, rules: Any = None, agents: Mapping[int, Any] | None = None, observation: str = "vector",
        shaping: float = 0.0, render_mode: str | None = None, **variant: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        if render_mode is not None and render_mode not in _RENDERING:
            raise unknown("render_mode", "mode", render_mode, _RENDERING)
        self.setting = setting = Setting(game, variant, rules, agents)
        self.form, self.shaping, self.render_mode = check_form(observation), float(shaping), render_mode
        self.metadata = {
            "name": f"{setting.game.name}_v0", "render_modes": list(_RENDERING), "is_parallelizable": False,
            "render_fps": 1,
        }  # fmt: skip
        self.games = Games(setting, vectors=self.form == "vector", shaping=self.shaping)
        self.seat_of = {f"player_{seat}": seat for seat in setting.asked_outside}
        if not self.seat_of:
            raise UsageError("agents: every seat is taken, so nobody is left to play from outside")
        self._name_of = {seat: name for name, seat in self.seat_of.items()}
        self.possible_agents = list(self.seat_of)
        mask, words = mask_space(setting), setting.language.words
        self._no_mask = np.zeros(words, np.int8)
        self.observation_spaces = {
            name: spaces.Dict({"observation": seen_space(setting, self.form), "action_mask": mask})
            for name in self.possible_agents
        }
        self.action_spaces = {name: action_space(setting) for name in self.possible_agents}
        self._seed: int | None = None
        self._block = 0
        self._word = np.zeros(1, np.int64)

    def observation_space(self, agent: str) -> spaces.Space:
        """The space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        """The space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game: the first under a master ``seed`` (or block ``options["block"]`` of it), else the next one."""
        if seed is not None or self._seed is None:
            self._seed = secrets.randbits(62) if seed is None else int(seed)
            self._block = 0
        else:
            self._block += 1
        self._block = int((options or {}).get("block", self._block))
        self.games.open(self._seed, self._block)
        self.games.ask_agents()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self.agent_selection = self.agents[0]
        self._scores = self.games.finals[0]["now"].copy()
        self._settle()

    def step(self, action: Any) -> None:
        """Say one word (int; None for an agent whose game is over)."""
        name = self.agent_selection
        if self.terminations[name] or self.truncations[name]:
            self._was_dead_step(action)
            return
        self._word[0] = action
        games = self.games
        if games.count_faults(self._word):
            raise games.refusal(int(action))
        self._cumulative_rewards[name] = 0.0
        if self.setting.asks:
            games.ask_agents()
        self._settle()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _settle(self) -> None:
        """Who is asked now, what the last word earned, whether the game is over."""
        games = self.games
        if self.shaping:
            score = games.finals[0]["score"]
            gained = lead(score - self._scores, self.setting)
            self._scores[:] = score
            self.rewards = {name: self.shaping * float(gained[seat]) for name, seat in self.seat_of.items()}
        status = games.status[0]
        if status == WAITS:
            self.agent_selection = self._name_of[int(games.seat[0])]
            return
        share = games.finals[0]["share"]
        for name, seat in self.seat_of.items():
            self.rewards[name] += float(share[seat])
            self.terminations[name] = bool(status == ENDED)
            self.truncations[name] = bool(status == GIVEN_UP)
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        """What ``agent`` sees, and the words it may say (none where it is not asked).

        Nothing else writes to these arrays later; named ones are views of one row.
        """
        seat = self.seat_of[agent]
        asked = self.games.status[0] == WAITS and self.games.seat[0] == seat
        mask = self.games.masks[0] if asked else self._no_mask
        return {"observation": seen(self.games, self.form, seat), "action_mask": mask.copy()}

    def render(self) -> str | None:
        """The position in words, as the agent to act may know it: returned ("ansi") or printed ("human")."""
        if self.render_mode is None:
            raise UsageError("render: the environment was made without render_mode (allowed: human, ansi)")
        text = self.games.text(self.seat_of[self.agent_selection])
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing to release."""


def env(game: Any, **settings: Any) -> GameEnv:
    """The environment; see ``GameEnv``.  It checks order and actions itself and wears no wrapper."""
    return GameEnv(game, **settings)
