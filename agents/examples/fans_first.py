"""An agent in plain Python: it prefers what raises Fans, and otherwise plays at random.

Use it beside compiled agents: ``--agent py:agents.examples.fans_first:FansFirst --agent greedy``.
"""

from __future__ import annotations

import numpy as np

from simcore.seen import View


class FansFirst:
    """Takes Fans wherever a text of an action promises them."""

    WORDS = ("appearance", "crazy_ticket", "born_to_be", "all_along", "buy level fans", "play 1", "raise fans")

    def choose(self, view: View, legal: np.ndarray) -> int:
        """An action that raises Fans, if there is one; else any."""
        fans = [action for action in legal if any(word in view.text(action) for word in self.WORDS)]
        options = fans or list(legal)
        return int(options[view.draw(len(options))])
