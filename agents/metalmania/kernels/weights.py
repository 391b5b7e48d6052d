"""Weights of the greedy player: their names, and their places in ``mind.number``.

What each means, its unit and its default stand in ``agents.metalmania.features``.
"""

from __future__ import annotations

WEIGHTS = (
    "v_trouble", "v_inactive", "v_money", "v_reserve", "v_hire", "v_performance", "v_recording", "v_advertising",
    "v_choice", "v_rate", "v_discard", "v_rival", "v_attack", "v_final",
)  # fmt: skip
(
    V_TROUBLE, V_INACTIVE, V_MONEY, V_RESERVE, V_HIRE, V_PERFORMANCE, V_RECORDING, V_ADVERTISING,
    V_CHOICE, V_RATE, V_DISCARD, V_RIVAL, V_ATTACK, V_FINAL,
) = range(len(WEIGHTS))  # fmt: skip
