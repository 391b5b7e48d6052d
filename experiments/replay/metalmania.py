"""Metal Mania's table: the fame track, the dice that are thrown, the display, companies, and every band."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from experiments.replay.scene import Card, Cards, Dice, Die, Fact, Group, Level, Panel, Row, Turn
from experiments.verdict import spoken
from metalmania_sim.kernels.actions import value_of
from metalmania_sim.kernels.layout import (
    BAND,
    CHOOSE_SHIFT,
    EQUALIZERS,
    EVENT_THROW,
    FIFTH,
    FIRST_EVENT,
    INSTRUMENTS,
    LAST_EVENT,
    MOST_LEVEL,
    NO_COMPANY,
    NOBODY,
    PLACE_DICE,
    POSITIONS,
    RESPOND_DICE,
)  # fmt: skip
from metalmania_sim.setup import BOARD_NAMES
from metalmania_sim.text import describe
from metalmania_sim.words import bits, row_of

_STYLES = {"HR": "Hard Rock", "HM": "Heavy Metal", "EX": "Extreme Metal"}
_CONDITIONS = ("A active", "T troublesome", "I inactive")

#: Stages in which dice lie on the table.
_SHOWING_DICE = (RESPOND_DICE, CHOOSE_SHIFT, PLACE_DICE)


# ------------------------------------------------------------------ who and when
def seat_name(state: np.ndarray, rules: Any, seat: int) -> str:
    """The board that the band began with."""
    return spoken(BOARD_NAMES[int(row_of(state).seat[seat].board)])


def turn(state: np.ndarray, rules: Any) -> Turn:
    """A seat's turn; turns are counted over all seats, the deal comes before the first."""
    row = row_of(state)
    if row.winner >= 0:
        return Turn("over", "End of the game")
    if not row.turns:
        return Turn(0, "Deal")
    return Turn(int(row.turns), f"Turn {int(row.turns)}, {seat_name(state, rules, int(row.turn))}")


def legend(rules: Any) -> list[tuple[str, str]]:
    """Conditions and styles."""
    conditions = [tuple(text.split(" ", 1)) for text in _CONDITIONS]
    return [*((sign, meaning) for sign, meaning in conditions), *_STYLES.items()]


# ------------------------------------------------------------------ the table
def table(state: np.ndarray, rules: Any, viewer: int | None, names: Sequence[str]) -> list[Group]:
    """Fame, what is pending, display and companies, bands; nothing is hidden."""
    row = row_of(state)
    return [
        Group("Tracks", "medium", _tracks(row, rules, names)),
        Group("Table", "medium", [_pending(row, rules), _companies(row, rules), _piles(row, rules)]),
        Group("Display", "full", [_display(row, rules)]),
        Group("Bands", "large", [_band(row, rules, seat, name) for seat, name in enumerate(names)]),
    ]


def _tracks(row: Any, rules: Any, names: Sequence[str]) -> list[Panel]:
    """The fame track, and money beside it."""
    win, company = rules.option("win_fame"), rules.option("company_fame")
    seats = [row.seat[seat] for seat in range(len(names))]
    most = max(20, *(-(-int(me.money) // 10) * 10 for me in seats))
    fame = [Level(name, int(me.fame), win, seat) for seat, (name, me) in enumerate(zip(names, seats, strict=True))]
    money = [Level(name, int(me.money), most, seat) for seat, (name, me) in enumerate(zip(names, seats, strict=True))]
    return [
        Panel("track:fame", "Fame track", fame, f"a record company at {company}, {win} win"),
        Panel("track:money", "Money", money, "in dollars"),
    ]


def _pending(row: Any, rules: Any) -> Panel:
    """What the game waits for, in the words of its texts, and the dice that lie there."""
    _, _, waits = describe(row, rules).partition("\n")[0].partition(", ")
    rows: list[Row] = []
    if int(row.stage) in _SHOWING_DICE:
        rows.append(Dice("Dice", _thrown(row)))
        if int(row.throw_kind) == EVENT_THROW:
            rows.append(Fact("Event", _event(row, rules)))
    rows.append(Fact("Now", waits))
    return Panel("pending", "In play", rows)


def _event(row: Any, rules: Any) -> str:
    """What stands on the Event board for the dice and the shift so far."""
    number = sum(int(value_of(int(die))) for die in row.dice[: int(row.dice_count)]) + int(row.offset)
    if rules.option("event_shift") == "wrap":
        number = (number - FIRST_EVENT) % (LAST_EVENT - FIRST_EVENT + 1) + FIRST_EVENT
    number = min(max(number, FIRST_EVENT), LAST_EVENT)
    return f"{number}: {rules.model.events[str(number)].name}"


def _thrown(row: Any) -> list[Die]:
    """The dice of the pending throw; by position where they are placed."""
    seat = int(row.turn)
    dice = [int(die) for die in row.dice[: int(row.dice_count)]]
    found = []
    for place, die in enumerate(dice):
        value = int(value_of(die))
        mark = "fell as or was made a 6" if value != die else ""
        where = f" on {POSITIONS[place]}" if row.placed and place < BAND else ""
        found.append(Die(str(value), f"{value}{where}", seat, mark))
    return found


def _companies(row: Any, rules: Any) -> Panel:
    companies = list(rules.model.companies.values())
    cards = [_company(companies[k]) for k in bits(row.companies)]
    return Panel("companies", "Record companies", [Cards("On the table", cards, "none left")])


def _company(company: Any) -> Card:
    text = ", ".join(f"{name} {change:+d}" for name, change in company.modifiers.items() if change)
    return Card(company.name, f"{_STYLES[company.style]}: {text or 'no change'}")


def _piles(row: Any, rules: Any) -> Panel:
    names = [artist.name for artist in rules.model.artists.values()]
    gone = ", ".join(names[k] for k in bits(row.discard))
    rows = [Fact("Deck", f"{len(bits(row.deck))} artists"), Fact("Discarded", gone or "none")]
    return Panel("piles", "Artists not in play", rows)


def _display(row: Any, rules: Any) -> Panel:
    artists = list(rules.model.artists.values())
    cards = [_artist(artists[k], f"costs {artists[k].reputation}") for k in bits(row.display)]
    return Panel("display", "Artists on offer", [Cards("To hire", cards, "nobody")])


def _artist(artist: Any, badge: str, plays: str = "") -> Card:
    """An artist's card: what it plays (``plays``, or everything it can) and its characteristics."""
    played = plays or ", ".join(f"{spoken(name)} {degree}" for name, degree in artist.instruments.items())
    text = (
        f"{played}; {artist.style}, inspiration {artist.inspiration}, charisma {artist.charisma}, "
        f"revelry {artist.revelry}, reputation {artist.reputation}"
    )
    return Card(artist.name, text, badge)


# ------------------------------------------------------------------ bands
def _band(row: Any, rules: Any, seat: int, name: str) -> Panel:
    me = row.seat[seat]
    rows: list[Row] = [Fact("Fame and money", f"{int(me.fame)} fame, {int(me.money)} dollars")]
    rows.append(Cards("Artists", [_member(me, rules, p) for p in range(BAND) if me.artist[p] != NOBODY]))
    for k, equalizer in enumerate(EQUALIZERS):
        face = "token active" if me.token[k] else "token used"
        rows.append(Level(spoken(equalizer), int(me.level[k]), MOST_LEVEL, note=face))
    if me.company != NO_COMPANY:
        company = _company(list(rules.model.companies.values())[int(me.company)])
        rows.append(Cards("Record company", [company]))
    note = f"seat {seat}" + (", first player" if row.first_player == seat else "")
    if row.winner < 0 and row.turns and row.turn == seat:
        note += ", in turn"
    return Panel(f"seat:{seat}", name, rows, note + (", has won" if row.winner == seat else ""), seat)


def _member(me: Any, rules: Any, position: int) -> Card:
    """An artist of a band with the instrument that it plays there, and its condition."""
    artist = list(rules.model.artists.values())[int(me.artist[position])]
    instrument = INSTRUMENTS[int(me.fifth)] if position == FIFTH else POSITIONS[position]
    played = f"{spoken(instrument)} {artist.instruments.get(instrument, 0)}"
    return _artist(artist, _CONDITIONS[int(me.condition[position])], played)


__all__ = ["legend", "seat_name", "table", "turn"]
