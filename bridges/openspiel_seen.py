"""What OpenSpiel's players see of a position: the vector of every environment here, and words."""

from __future__ import annotations

from typing import Any

import numpy as np

from bridges.openspiel_world import World


class Observer:
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

    def set_from(self, state: Any, player: int) -> None:
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

    def string_from(self, state: Any, player: int) -> str:
        """The same in words."""
        if self.recalls:
            return f"player {player}: {state.known_history()}"
        return state.text(player + self.world.first)
