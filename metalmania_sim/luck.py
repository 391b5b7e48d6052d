"""Chance outcomes of Metal Mania as texts, both ways: throws, cards of the display, companies.

A throw's digits stand in the order rolled; a card or company is one of those that can still come.
"""

from __future__ import annotations

from typing import Any

from metalmania_sim.kernels.engine import ENGINE
from metalmania_sim.kernels.layout import (
    DRAW_CARD,
    DRAW_COMPANY,
    ROLL_ACTION,
    ROLL_AGAIN,
    ROLL_BEERS,
    ROLL_EVENT,
    ROLL_FUNDS,
)
from metalmania_sim.words import (
    artist_names,
    bits,
    company_names,
    read_artist,
    read_company,
    read_dice,
    row_of,
)
from simcore.errors import UsageError, unknown

_SIDES = 6

#: First word of a chance text by the stage that asks for it.
WORDS = {
    DRAW_CARD: "card", ROLL_EVENT: "event", ROLL_ACTION: "roll", ROLL_AGAIN: "reroll", ROLL_FUNDS: "funds",
    ROLL_BEERS: "beers", DRAW_COMPANY: "company",
}  # fmt: skip
#: Abbreviates the ``card`` draws of a fresh game.
DEAL = "deal"


def may_wait(state: Any, rules: Any) -> bool:
    """Whether the chance asked for is the roll that opens a turn, which may stay pending."""
    return bool(row_of(state).stage == ROLL_EVENT)


def single_chances(text: str) -> list[str]:
    """The texts of single outcomes that a text abbreviates: ``deal kay vic`` is two ``card`` draws."""
    word, *names = text.split() or [""]
    return [f"card {name}" for name in names] if word.lower() == DEAL else [text]


def format_chance(state: Any, rules: Any, outcome: int) -> str:
    """The text of a chance outcome that the engine asks for in this state."""
    row = row_of(state)
    stage = int(row.stage)
    if stage not in WORDS:
        raise UsageError("no chance is asked for now")
    if stage == DRAW_CARD:
        return f"card {artist_names(rules)[bits(row.deck)[outcome]]}"
    if stage == DRAW_COMPANY:
        return f"company {company_names(rules)[bits(row.companies)[outcome]]}"
    digits = [outcome // _SIDES**k % _SIDES + 1 for k in range(_dice(row, rules))]
    return f"{WORDS[stage]} {''.join(map(str, digits))}"


def parse_chance(state: Any, rules: Any, text: str) -> int:
    """The outcome that ``text`` means here.  Raises UsageError naming what is asked for."""
    row = row_of(state)
    stage = int(row.stage)
    word, *rest = text.split() or [""]
    place = f"chance {text!r}"
    if word.lower() not in (*WORDS.values(), DEAL):
        raise unknown(place, "word", word, (*WORDS.values(), DEAL))
    if stage not in WORDS:
        raise UsageError(f"{place}: no chance is asked for now")
    if word.lower() != WORDS[stage] or len(rest) != 1:
        raise UsageError(f"{place}: the game asks for {asked_for(row, rules)}")
    if stage == DRAW_CARD:
        return _among(read_artist(rules, rest[0], place), bits(row.deck), "is not in the deck", place)
    if stage == DRAW_COMPANY:
        return _among(read_company(rules, rest[0], place), bits(row.companies), "is not on the table", place)
    return _throw(rest[0], _dice(row, rules), place)


def asked_for(state: Any, rules: Any) -> str:
    """What the engine asks chance for, in words."""
    row = row_of(state)
    stage = int(row.stage)
    if stage in (DRAW_CARD, DRAW_COMPANY):
        return f"'{WORDS[stage]} NAME'"
    n = _dice(row, rules)
    return f"'{WORDS[stage]}' with {n} {'die' if n == 1 else 'dice'}"


def _dice(row: Any, rules: Any) -> int:
    """How many dice the pending throw takes."""
    n, left = 0, int(ENGINE.kernels.chance_count(row, rules.packed[0]))
    while left > 1:
        left //= _SIDES
        n += 1
    return n


def _among(number: int, numbers: list[int], missing: str, place: str) -> int:
    if number not in numbers:
        raise UsageError(f"{place}: {place.rsplit(maxsplit=1)[-1].strip(chr(39))} {missing}")
    return numbers.index(number)


def _throw(word: str, n: int, place: str) -> int:
    """Number of the outcome in which the dice show these digits, the first die lowest."""
    dice = read_dice(word, place)
    if len(dice) != n:
        raise UsageError(f"{place}: {n} {'die is' if n == 1 else 'dice are'} thrown, found {len(dice)}")
    if any(die < 1 or die > _SIDES for die in dice):
        raise UsageError(f"{place}: a die shows 1 to 6")
    return sum((die - 1) * _SIDES**k for k, die in enumerate(dice))
