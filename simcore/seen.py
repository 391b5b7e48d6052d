"""What a Python agent sees: a read-only, redacted position."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.streams import draw

if TYPE_CHECKING:
    from simcore.protocol import Game


class View:
    """One position as its seat may know it.

    ``view["seats"]`` and the other keys of the scenario format read the state as plain data (made on
    first use); ``view.state`` is the same as a read-only numpy record array of shape (1,), ``view.rules``
    the rules in force.  ``view.text(action)`` is an action in notation, ``view.draw(n)`` the next number
    in [0, n) of the agent's own random stream: the only randomness that makes a run repeatable.
    """

    def __init__(self, game: Game, rules: Any, state: np.ndarray, seat: int, rng: Any) -> None:
        self.game = game
        self.rules = rules
        self.seat = int(seat)
        self.state = state
        self.state.flags.writeable = False
        self._rng = rng

    @functools.cached_property
    def data(self) -> dict[str, Any]:
        """The state as plain data, with the keys of the scenario format."""
        # A record of a read-only array cannot be passed to kernels, so that data is read from a copy.
        return self.game.view(self.state.copy()[0], self.rules, self.seat)

    def __getitem__(self, key: str) -> Any:
        """One key of ``data``."""
        return self.data[key]

    def text(self, action: int) -> str:
        """``action`` in notation."""
        return self.game.format_action(self.state.copy()[0], self.rules, int(action))

    def draw(self, n: int) -> int:
        """The next number in [0, n) of this agent's own stream."""
        return int(draw(self._rng, int(n)))
