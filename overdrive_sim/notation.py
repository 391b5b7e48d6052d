"""Overdrive's notation, both ways: actions and chance outcomes (what ``Overdrive`` offers as a Game)."""

from __future__ import annotations

from typing import Any

import numpy as np

from overdrive_sim.action_reading import VERBS, Words, find_action
from overdrive_sim.action_text import write
from overdrive_sim.kernels.dice import throw
from overdrive_sim.kernels.engine import ENGINE
from overdrive_sim.kernels.layout import (
    DRAW_METALLUM,
    FACE_LETTERS,
    FACES,
    NO_CHANCE,
    REVEAL_DISTORTION,
    REVEAL_HIT,
    ROLL_AGAIN,
    ROLL_BATTLE,
    ROLL_METALLUM,
    ROLL_TURN,
    SIDES,
)  # fmt: skip
from overdrive_sim.words import UNSEEN, Desk, bits, counts_of, dice_text, read_dice, row_of
from simcore.errors import UsageError, unknown

__all__ = ["VERBS", "format_action", "format_chance", "may_wait", "parse_action", "parse_chance", "unseen_chance"]

CHANCE_WORDS = ("roll", "hit", "distortion")


def format_action(state: Any, rules: Any, action: int) -> str:
    """The one canonical text of a legal action in this state."""
    return write(Desk(state, rules), action)


def parse_action(state: Any, rules: Any, text: str, legal: np.ndarray) -> int | None:
    """The id among ``legal`` (ascending int64) that ``text`` means here; None if it means no legal one.

    Raises UsageError when the text is not well formed, Ambiguous when it leaves a choice open.
    """
    return find_action(Desk(state, rules), text, legal)


def may_wait(state: Any, rules: Any) -> bool:
    """Whether the pending chance may stay pending: the roll that opens a turn, the rolls of a battle."""
    return int(row_of(state).chance) in (ROLL_TURN, ROLL_BATTLE, ROLL_METALLUM)


def _outcomes(state: Any, rules: Any) -> int:
    return int(ENGINE.chance_count(row_of(state), rules.packed[0]))


def _dice(state: Any, rules: Any) -> int:
    """How many dice the pending roll throws."""
    n, left = 0, _outcomes(state, rules)
    while left > 1:
        left //= 6
        n += 1
    return n


def _cards(desk: Desk) -> int:
    """Bits of the cards that a Distortion draw may show: the pile, or the discards when it is empty."""
    return int(desk.row.pile) or int(desk.row.discard)


def asked_for(state: Any, rules: Any) -> str:
    """What the engine asks chance for, in words."""
    row = row_of(state)
    if row.chance == REVEAL_HIT:
        return "'hit NAME'"
    if row.chance in (REVEAL_DISTORTION, DRAW_METALLUM):
        return "'distortion N'"
    return f"'roll' with {_dice(row, rules)} dice of seat {int(row.chance_seat)}"


def format_chance(state: Any, rules: Any, outcome: int) -> str:
    """The text of a chance outcome that the engine asks for in this state."""
    desk = Desk(state, rules, asked=0)
    if desk.row.chance == REVEAL_HIT:
        return f"hit {desk.hit_names[bits(desk.row.hit_pile)[outcome]]}"
    if desk.row.chance in (REVEAL_DISTORTION, DRAW_METALLUM):
        cards = _cards(desk)
        return f"distortion {desk.card_text(bits(cards)[outcome], cards)}"
    shielded = shielded_throws(desk)
    if not any(shielded):
        return f"roll {dice_text(counts_of(throw(outcome, _dice(state, rules))))}"
    dice = sorted((SIDES[outcome // 6**k % 6], mark) for k, mark in enumerate(shielded))
    return "roll " + "".join(FACE_LETTERS[face] + "!" * mark for face, mark in dice)


def unseen_chance(state: Any) -> str | None:
    """The text that stands for a card which Metallum draws face down (A-DST-12); None for any other chance."""
    return f"distortion {UNSEEN}" if row_of(state).chance == DRAW_METALLUM else None


def shielded_throws(desk: Desk) -> list[bool]:
    """Of a re-roll of shielded and other dice, which are shielded, in the order thrown; else none is.

    They are thrown in the order H S C I of the faces they showed, of one face the unshielded first; their
    texts mark what the shielded ones show with ``!`` (A-BND-1).
    """
    if desk.row.chance != ROLL_AGAIN:
        return []
    dice, shielded = counts_of(desk.row.detail[2]), counts_of(desk.row.detail[3])
    marks = [k >= dice[face] - shielded[face] for face in range(FACES) for k in range(dice[face])]
    return marks if any(marks) and not all(marks) else []


def parse_chance(state: Any, rules: Any, text: str) -> int:
    """The smallest outcome that ``text`` means here.  Raises UsageError, also where another is asked."""
    desk = Desk(state, rules, asked=0)
    words = Words(text)
    verb = words.take("a chance outcome")
    if verb not in CHANCE_WORDS:
        raise unknown(words.place, "chance outcome", verb, CHANCE_WORDS)
    kind = int(desk.row.chance)
    if kind == NO_CHANCE:
        raise UsageError(f"{words.place}: no chance is asked for now")
    wanted = "hit" if kind == REVEAL_HIT else "distortion" if kind in (REVEAL_DISTORTION, DRAW_METALLUM) else "roll"
    if verb != wanted:
        raise UsageError(f"{words.place}: the game asks for {asked_for(state, rules)}")
    if verb == "hit":
        outcome = _read_hit(desk, words)
    elif verb == "distortion":
        outcome = _read_card(desk, words)
    else:
        outcome = _read_roll(desk, words)
    words.finish()
    return outcome


def _read_hit(desk: Desk, words: Words) -> int:
    unseen = bits(desk.row.hit_pile)
    hit = desk.read_hit(words.take("a Hit"), words.place)
    if hit not in unseen:
        names = ", ".join(desk.hit_names[k] for k in unseen)
        raise UsageError(f"{words.place}: {desk.hit_names[hit]} is not in the pile (there: {names})")
    return unseen.index(hit)


def _read_card(desk: Desk, words: Words) -> int:
    cards = bits(_cards(desk))
    number, icon = desk.read_card(words.take("a card"), words.place)
    found = desk.copies(number, icon, _cards(desk))
    if not found:
        labels = ", ".join(desk.card_label(card) for card in cards)
        raise UsageError(f"{words.place}: that card is not in the pile (there: {labels})")
    return cards.index(found[0])


def _read_roll(desk: Desk, words: Words) -> int:
    dice = read_dice(words.take("dice"), words.place)
    n = _dice(desk.row, desk.rules)
    shielded = shielded_throws(desk)
    marked = [face for face, mark in dice if mark == "!"]
    if any(mark not in ("", "!") for _, mark in dice) or (marked and len(marked) != sum(shielded)):
        raise UsageError(f"{words.place}: {sum(shielded)} of the dice can be marked with '!', and none in another way")
    if len(dice) != n:
        raise UsageError(f"{words.place}: the game asks for {asked_for(desk.row, desk.rules)}")
    if not marked:
        return smallest_throw([face for face, _ in dice])
    sides = {
        True: sorted(map(SIDES.index, marked)),
        False: sorted(SIDES.index(face) for face, mark in dice if not mark),
    }
    return sum(sides[mark].pop() * 6**k for k, mark in enumerate(shielded))


def smallest_throw(faces: list[int]) -> int:
    """The smallest outcome of a throw with these faces: lowest sides, the highest in the lowest digits."""
    sides = sorted(map(SIDES.index, faces), reverse=True)
    return sum(side * 6**k for k, side in enumerate(sides))
