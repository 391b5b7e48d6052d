"""The features of Metal Mania's greedy player: what it weighs, in which unit, and how much.

The worth of a position is the sum of its features times their weights, in fame expected until the end of
the game.  The kernels that compute them are in ``agents.metalmania.kernels``.
"""

from __future__ import annotations

from agents.metalmania.kernels.weights import WEIGHTS
from agents.overdrive.features import Feature

FEATURES: dict[str, Feature] = {
    "v_trouble": Feature("fame", "what it costs that an artist turns troublesome, beside the fame it then misses", 1.0),
    "v_inactive": Feature("fame", "what it costs that an artist turns inactive: Step 3 is lost (MM-R060)", 5.0),
    "v_money": Feature("fame a $", "a dollar that will be needed", 0.45),
    "v_reserve": Feature(
        "$ a turn", "money that a turn to come can use beyond wages; above it a dollar counts a third", 2.5
    ),
    "v_hire": Feature("share", "how much of a better band's fame a turn lasts through the turns to come", 0.75),
    "v_performance": Feature("fame a turn", "one more level of Performance", 0.9),
    "v_recording": Feature("fame a turn", "one more level of Recording", 0.7),
    "v_advertising": Feature("fame a turn", "one more level of Advertising", 0.8),
    "v_choice": Feature("fame", "the second Step 4 that a skipped Step 3 gives (MM-R061)", 2.5),
    "v_rate": Feature("fame a turn", "pace of the leader, from which the turns left are estimated", 10.0),
    "v_discard": Feature("share", "credit for the fame of a discarded artist (MM-R099)", 1.0),
    "v_rival": Feature("fame a fame", "a rival's loss by an event, the leader's first", 0.2),
    "v_attack": Feature(
        "fame", "least gain for which a left-over bonus is used against the leader; above 90 never", 0.5
    ),
    "v_final": Feature("fame", "missing fame from which on only the fame of this turn counts", 9.0),
}

#: Default weights in the order of the kernels.
DEFAULTS = [FEATURES[name].weight for name in WEIGHTS]
