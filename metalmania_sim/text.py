"""A position of Metal Mania as text for people: error messages, traces, the prompt of a human player."""

from __future__ import annotations

from typing import Any

from metalmania_sim.kernels.layout import (
    ACTION_THROW,
    BEERS_THROW,
    CHOOSE_SHIFT,
    EQUALIZERS,
    FROM_AUDITIONS,
    FROM_EVENTS,
    FROM_HITS,
    FROM_MIRACLES,
    LAST_CHANCE,
    PLACE_DICE,
    RESPOND_DICE,
    RESPOND_FAME,
    THROWS,
)
from metalmania_sim.luck import asked_for
from metalmania_sim.view import view
from metalmania_sim.words import artist_names, dice_text, row_of

_SHOWING_DICE = (RESPOND_DICE, CHOOSE_SHIFT, PLACE_DICE)
_WHY = {FROM_HITS: "hits", FROM_EVENTS: "an event", FROM_AUDITIONS: "a discarded artist", FROM_MIRACLES: "a miracle"}


def describe(state: Any, rules: Any, viewer: int | None = None) -> str:
    """The whole state as lines of text; ``viewer`` is there for the protocol, nothing is hidden."""
    shown = view(state, rules, viewer)
    lines = [f"seat {shown['turn']}'s turn, step {shown['step']}{_pending(row_of(state), rules)}"]
    lines += [_seat(number, seat) for number, seat in enumerate(shown["seats"])]
    lines.append(f"on display: {', '.join(shown['display']) or 'nobody'}")
    lines.append(f"deck: {len(shown['deck'])} artists; discards: {', '.join(shown['discards']) or 'none'}")
    lines.append(f"companies on the table: {', '.join(shown['companies']) or 'none'}")
    if "winner" in shown:
        lines.append(f"seat {shown['winner']} has won")
    return "\n".join(lines)


def _seat(number: int, seat: dict[str, Any]) -> str:
    band = ", ".join(
        f"{position} {name} ({condition})"
        for (position, name), condition in zip(seat["band"].items(), seat["conditions"], strict=True)
    )
    levels = " ".join(
        f"{name} {level}{'' if name[0].upper() in seat['tokens'] else ' (used)'}"
        for name, level in seat["levels"].items()
    )
    company = f"; company {seat['company']}" if "company" in seat else ""
    return f"seat {number}: {seat['fame']} fame, {seat['money']}$; {band}; {levels}{company}"


def _pending(row: Any, rules: Any) -> str:
    """What the game waits for, with the dice or the change of fame that it is about."""
    stage = int(row.stage)
    if stage <= LAST_CHANCE:
        return f", waiting for {asked_for(row, rules)}"
    if stage in _SHOWING_DICE:
        return f", seat {int(row.asked)} is asked: {_throw(row, rules)}"
    if stage == RESPOND_FAME:
        change, why = int(row.change), _WHY[int(row.source)]
        return f", seat {int(row.asked)} is asked: seat {int(row.fame_seat)}'s fame changes by {change:+d} for {why}"
    return f", seat {int(row.asked)} is asked" if row.winner < 0 else ""


def _throw(row: Any, rules: Any) -> str:
    kind = int(row.throw_kind)
    dice = dice_text(row.dice[: int(row.dice_count)])
    if kind == ACTION_THROW:
        return f"the {EQUALIZERS[int(row.equalizer)]} dice show {dice}"
    if kind == BEERS_THROW:
        drinker = int(row.drinker[row.drink_index])
        artist = artist_names(rules)[int(row.seat[drinker].artist[row.position])]
        return f"{artist}'s beers dice show {dice}"
    shift = f", shifted by {int(row.offset):+d}" if row.offset and row.stage == CHOOSE_SHIFT else ""
    return f"the {THROWS[kind]} dice show {dice}{shift}"
