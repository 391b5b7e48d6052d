"""What a search remembers: settings, positions, the pool of nodes.  All of it is allocated once an agent.

``work_dtype(engine)`` is one record; the nodes lie in an array of their own, ``settings.capacity`` of them.
Memory of an agent: nodes of 104 bytes, iterations + 2 of them, or twice 4 iterations + 2 where a tree is kept; and
the record (six states, three lists of actions, 0.15 MB for Overdrive).
"""

from __future__ import annotations

import functools

import numpy as np

from agents.kernels.memory import record_reader
from simcore.kernel import record
from simcore.protocol import MAX_SEATS, SHARES, Engine
from simcore.streams import RNG

#: Nodes of one path from the root; beyond it the playout begins.
LONGEST_PATH = 256

#: Different actions whose means MAST keeps, all seats together (a power of two).
MAST_SIZE = 8192

#: Actions of one playout that MAST learns from.
MAST_LOG = 2048

#: Candidates of one decision in a flat search and in expectimax.
WIDEST = 64

# settings.tree
FULL, OWN = range(2)
# settings.opponents
MAX_N, PARANOID = range(2)
# settings.final
VISITS, VALUE = range(2)

#: How a search thinks, one field a parameter (``kinds`` documents them); the addresses of kernels and of
#: their minds are 0 where there is none.  ``most_steps``: decisions after which a playout counts as unfinished.
SETTINGS = record(
    [
        ("iterations", "i8"), ("capacity", "i8"), ("tree", "i8"), ("opponents", "i8"), ("final", "i8"),
        ("exploration", "f8"), ("epsilon", "f8"), ("turns", "i8"), ("most_steps", "i8"), ("mast", "f8"),
        ("widen", "f8"), ("power", "f8"), ("bias", "f8"), ("reuse", "i8"), ("per", "i8"), ("seed", "i8"),
        ("samples", "i8"), ("width", "i8"), ("halving", "i8"),
        ("rollout", "i8"), ("rollout_mind", "i8"), ("prior", "i8"), ("prior_mind", "i8"),
        ("opponent", "i8"), ("opponent_mind", "i8"), ("features", "i8"), ("model", "i8"), ("clock", "i8"),
        ("legal", "i8"), ("step", "i8"), ("apply_chance", "i8"), ("returns", "i8"), ("hide", "i8"),
        ("count", "i8"), ("pick", "i8"), ("strolls", "i8"),
    ]
)  # fmt: skip

#: One node: the position after ``action`` of ``seat``, whatever the dice showed (an open loop).
#: ``value``: sum of win shares by seat over ``visits``; ``offered``: how often the action was legal when its
#: parent was visited; ``first``, ``next``: child and sibling (-1 none), siblings ascending by action;
#: ``order``: its place among its parent's children in the order of opening; ``children``: opened so far.
NODE = record(
    [
        ("action", "i8"), ("value", "f8", (MAX_SEATS,)), ("visits", "i4"), ("offered", "i4"),
        ("first", "i4"), ("next", "i4"), ("seat", "i4"), ("order", "i4"), ("children", "i4"), ("unused", "i4"),
    ]
)  # fmt: skip

#: Mean win share after an action, of one seat (MAST).
HABIT = record([("action", "i8"), ("seat", "i8"), ("total", "f8"), ("count", "f8")])

node_at = record_reader(NODE)
habit_at = record_reader(HABIT)


@functools.cache
def work_dtype(engine: Engine) -> np.dtype:
    """What a search of ``engine`` works with.

    ``nodes``, ``habits``: addresses; ``used``: nodes in use.  ``root``: the position searched; ``state``: the one
    that an iteration changes; ``kept``: where the tree that is kept belongs (``kept_node`` its root, -1 none,
    ``kept_key``, ``kept_ordinal`` the agent's stream then).  ``options``: legal actions of the state, those not
    yet opened, the ``count`` of the root as given.  ``luck``: the search's own chance.  ``path``: nodes of the
    iteration.
    ``log_action``, ``log_seat``: what a playout did.  ``after``, ``pick``, ``score``, ``best``: flat search's and
    expectimax's position, candidates of both levels, sums, shares of the best reply.
    """
    return record(
        [
            ("settings", SETTINGS, (1,)),
            ("nodes", "i8"), ("spare", "i8"), ("habits", "i8"), ("used", "i8"), ("depth", "i8"),
            ("done", "i8"), ("count", "i8"),
            ("root", engine.state, (1,)), ("state", engine.state, (1,)), ("kept", engine.state, (1,)),
            ("after", engine.state, (1,)), ("pick", "i8", (2, WIDEST)), ("score", "f8", (WIDEST,)),
            ("kept_node", "i8"), ("kept_key", "u8"), ("kept_ordinal", "i8"),
            ("options", engine.options, (3,)),
            ("shares", SHARES, (1,)), ("best", SHARES, (1,)), ("luck", RNG, (1,)),
            ("path", "i4", (LONGEST_PATH + 1,)),
            ("logged", "i8"), ("log_action", "i8", (MAST_LOG,)), ("log_seat", "i8", (MAST_LOG,)),
        ]
    )  # fmt: skip
