"""The features of Overdrive's greedy player: what it weighs, in which unit, and how much.

The worth of a position is the sum of its features times their weights, in victory points (VP) expected at
the end of the game.  A persona is another vector of weights over the same features: ``greedy:w_fame=1.6``.
The kernels that compute the features are in ``agents.overdrive.kernels``.
"""

from __future__ import annotations

from dataclasses import dataclass

from agents.overdrive.kernels.weights import WEIGHTS


@dataclass(frozen=True)
class Feature:
    """A weight: what one unit of the feature is, what it stands for, the default."""

    unit: str
    doc: str
    weight: float


FEATURES: dict[str, Feature] = {
    "w_fans": Feature("VP a level", "Fans on the track (R-SCO-01)", 1.0),
    "w_fame": Feature("VP a level", "Fame on the track (R-SCO-02)", 1.0),
    "w_overdrive": Feature("VP a point", "points of the Overdrive steps reached (R-SCO-03)", 1.0),
    "w_step": Feature("share", "credit for standing on the way to the next step of Overdrive", 0.8),
    "w_special": Feature("share", "credit for ability C's tracks while Overdrive is below its level (R-BND-04)", 0.4),
    "w_award": Feature("share", "credit for the best award on the way, in proportion to the levels reached", 0.6),
    "w_award_shape": Feature("0 to 1", "0: each level towards an award counts alike; 1: the last ones count most", 0.8),
    "w_symbol": Feature("VP a symbol", "a symbol for the collection, whatever its face", 0.85),
    "w_symbol_now": Feature(
        "share",
        "how much of a symbol's worth is what it adds to the present collection; divided by turns left + 1",
        0.8,
    ),
    "w_hit": Feature("VP a point", "the point of an owned Hit (R-SCO-05)", 2.2),
    "w_hit_use": Feature("uses a turn", "playing the own Hit later, if one throw shows what it needs", 0.7),
    "w_hit_share": Feature("VP a turn", "shares of an own Hit that others play (R-HIT-10)", 0.15),
    "w_grana": Feature("VP a Grana", "the first Grana; each further one counts less", 1.1),
    "w_grana_room": Feature(
        "Grana a turn", "Grana that a turn to come can spend well: sets how fast it loses worth", 6.0
    ),
    "w_grana_last": Feature("Grana", "the same for the turn that is being played and the battles", 3.0),
    "w_die": Feature("VP a turn", "one extra die in every turn to come (R-SPC-08)", 1.0),
    "w_ability_a": Feature("VP a turn", "ability A unlocked", 0.1),
    "w_ability_b": Feature("VP a turn", "ability B unlocked", 0.25),
    "w_shield": Feature("VP a battle", "the shield at Fame 5 (R-BAT-13)", 0.25),
    "w_marker": Feature("VP", "being first in Fame before a battle (R-BAT-02)", 0.1),
    "w_gain_card": Feature("share", "credit for the levels that a Distortion card on offer gives", 1.0),
    "w_dice_card": Feature("VP a card", "a card in hand that changes dice", 0.4),
    "w_clear_card": Feature("VP a card", "a card in hand that clears a space", 0.2),
    "w_protect_card": Feature("VP a card", "a card in hand that protects a die", 0.3),
    "w_single_face": Feature("VP a face", "a single-use face that is not yet used (R-ABL-26)", 0.4),
    "w_pool": Feature("share", "the dice in hand, at their best use on what is open this turn", 1.0),
    "w_rival": Feature("VP a VP", "a point of an average rival (solo and co-op: Metallum's always count 1)", 0.2),
    "w_leader": Feature("VP a VP and point", "more for a rival who stands above the table's mean, less below", 0.03),
    "w_end": Feature("VP", "ending the turn: above 0 it leaves worthless actions alone", 0.0),
}

#: Default weights in the order of the kernels.
DEFAULTS = [FEATURES[name].weight for name in WEIGHTS]
