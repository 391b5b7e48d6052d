"""Weights of the greedy player: their names, and their places in ``mind.number``.

What each means, its unit and its default stand in ``agents.overdrive.features``.
"""

from __future__ import annotations

WEIGHTS = (
    "w_fans", "w_fame", "w_overdrive", "w_step", "w_special", "w_award", "w_award_shape", "w_symbol", "w_symbol_now",
    "w_hit", "w_hit_use", "w_hit_share", "w_grana", "w_grana_room", "w_grana_last", "w_die", "w_ability_a",
    "w_ability_b", "w_shield", "w_marker", "w_gain_card", "w_dice_card", "w_clear_card", "w_protect_card",
    "w_single_face", "w_pool", "w_rival", "w_leader", "w_end",
)  # fmt: skip
(
    W_FANS, W_FAME, W_OVERDRIVE, W_STEP, W_SPECIAL, W_AWARD, W_AWARD_SHAPE, W_SYMBOL, W_SYMBOL_NOW,
    W_HIT, W_HIT_USE, W_HIT_SHARE, W_GRANA, W_GRANA_ROOM, W_GRANA_LAST, W_DIE, W_ABILITY_A,
    W_ABILITY_B, W_SHIELD, W_MARKER, W_GAIN_CARD, W_DICE_CARD, W_CLEAR_CARD, W_PROTECT_CARD,
    W_SINGLE_FACE, W_POOL, W_RIVAL, W_LEADER, W_END,
) = range(len(WEIGHTS))  # fmt: skip

#: What ``without`` may take away, as bits of ``mind.switch[0]``.
ABLATIONS = ("hits", "distortions", "awards", "attacks", "rerolls", "abilities", "members", "levels", "manipulation")
(
    NO_HITS, NO_DISTORTIONS, NO_AWARDS, NO_ATTACKS, NO_REROLLS, NO_ABILITIES, NO_MEMBERS, NO_LEVELS, NO_MANIPULATION,
) = (1 << k for k in range(len(ABLATIONS)))  # fmt: skip
