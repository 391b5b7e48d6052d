"""A state as text for people: a few lines that say what lies where and who is asked."""

from __future__ import annotations

from typing import Any

from overdrive_sim.kernels.layout import AWARDS, METALLUM
from overdrive_sim.view import view
from overdrive_sim.words import Desk, bits, row_of

_LEVELS = ("fans", "fame", "grana", "overdrive")
_DICE = ("pool", "locked", "spent", "shielded")
_CARDS = ("hand", "used", "hits", "used_abilities")


def describe(state: Any, rules: Any, viewer: int | None = None) -> str:
    """The state in lines of text; ``viewer`` hides what that seat cannot see (None: nothing)."""
    shown = view(state, rules, viewer)
    table = shown["table"]
    lines = [
        f"round {shown['round']}, {shown['phase']}, turn of seat {shown['turn']}"
        f" (first player {shown['marker']}, order {' '.join(map(str, shown['order']))})",
        f"Hits: {_list(table['hits'])}; Distortion: {_list(table['distortions'])}; awards: {_list(table['awards'])}",
        f"board: {_board(shown['spaces'])}" + (f"; closed: {_list(shown['closed'])}" if shown["closed"] else ""),
    ]
    lines += [_seat(number, seat) for number, seat in enumerate(shown["seats"])]
    if "scores" in shown:
        lines += _end(shown)
    return "\n".join(lines)


def _list(entries: Any) -> str:
    return ", ".join(map(str, entries)) or "none"


def _board(spaces: dict[str, list[str]]) -> str:
    held = [f"{name} {' '.join(lots)}" for name, lots in spaces.items() if lots]
    return ", ".join(held) or "empty"


def _seat(number: int, seat: dict[str, Any]) -> str:
    parts = [f"seat {number} {seat['band']}: " + ", ".join(f"{track} {seat[track]}" for track in _LEVELS)]
    if seat["extra_dice"]:
        parts.append(f"{seat['extra_dice']} extra dice")
    parts += [f"{key} {_run(seat[key])}" for key in _DICE if seat[key]]
    parts += [f"{key.replace('_', ' ')} {_list(seat[key])}" for key in _CARDS if seat[key]]
    if seat["award"] != "none":
        parts.append(f"award {seat['award']}")
    if seat["copies"]:
        parts.append("copies " + ", ".join(f"{slot} of {band}" for slot, band in seat["copies"].items()))
    if seat["single_faces"]:
        parts.append(f"{seat['single_faces']} single-use faces")
    if seat["skulls_wild"]:
        parts.append("Skulls are wild")
    return "; ".join(parts)


def _run(dice: Any) -> str:
    return dice if isinstance(dice, str) else " ".join(dice)


def _end(shown: dict[str, Any]) -> list[str]:
    lines = []
    for number, (score, rank) in enumerate(zip(shown["scores"], shown["ranks"], strict=True)):
        parts = ", ".join(f"{key} {points}" for key, points in score.items() if key != "total" and points)
        lines.append(f"seat {number}: rank {rank}, {score['total']} points" + (f" ({parts})" if parts else ""))
    if "humans_win" in shown:
        lines.append("the humans win" if shown["humans_win"] else "Metallum wins")
    return lines


def by_itself(before: Any, after: Any, rules: Any) -> list[tuple[int, str]]:
    """(seat, text) of what Metallum bought and claimed between two states (R-SOL-09 to R-SOL-13)."""
    then, desk = row_of(before).seat[0], Desk(after, rules)
    now = desk.row.seat[0]
    if now.band != METALLUM:
        return []
    done = [f"buy hit {desk.owned_text(hit)}" for hit in bits(int(now.hits) & ~int(then.hits))]
    if now.bought_distortion > then.bought_distortion:
        done.append("buy distortion, face down")
    if now.award != then.award:
        done.append(f"claim {AWARDS[now.award]}")
    return [(0, text) for text in done]
