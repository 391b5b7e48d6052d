"""The words of Overdrive's texts: faces, dice, spaces, cards, and what they name in one position.

A ``Desk`` is a position as its texts need it: who is asked, which cards lie where, which names are unique
here.  Everything that reads or writes a text asks the desk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from overdrive_sim.kernels.dice import CODE, COUNT
from overdrive_sim.kernels.layout import (
    BANDS,
    BOARD_SPACES,
    COVER_BOTS,
    FACE_LETTERS,
    FACES,
    HIT,
    METALLUM,
    MOST_PLACES,
    SEATS,
    SHIRTLESS_VIKINGS,
    SPACES,
    UNIT,
    VIKING_STAGE,
)  # fmt: skip
from simcore.errors import UnknownWord, UsageError, unknown

ALIASES = {"intimidation": "opportunity"}
STAGE_WORD = "viking_stage"
NONE_WORD = "none"
UNSEEN = "?"  # stands for a card that nobody may see yet
ANY_LETTERS = FACE_LETTERS + "?"

#: A die of a throw or a hand, with its mark (``!`` shielded) or its owner (``@1``), or a single-use face.
_DIE = re.compile(r"\+?[A-Za-z](?:!|@\d+)?")
_PAIR = re.compile(r"^([HSCI])(!|@\d+)?>([HSCI])$")


class ImpossibleError(Exception):
    """A text that is well formed, but that no action can ever mean."""


def row_of(state: Any) -> Any:
    """The state record of ``state``: itself, or the only entry of an array of shape (1,)."""
    return state[0] if getattr(state, "shape", ()) == (1,) else state


def bits(mask: Any) -> list[int]:
    """The set bits of an int64 mask, ascending."""
    mask = int(mask)
    return [k for k in range(mask.bit_length()) if mask >> k & 1]


def counts_of(code: Any) -> list[int]:
    """Dice of each face (H S C I) of a dice code."""
    return [int(code) // unit % 7 for unit in UNIT]


def code_of(counts: Iterable[int]) -> int:
    """Dice code of counts in the order H S C I."""
    return sum(n * unit for n, unit in zip(counts, UNIT, strict=True))


def dice_text(counts: Iterable[int]) -> str:
    """Counts as a run of letters in the order H S C I."""
    return "".join(letter * int(n) for letter, n in zip(FACE_LETTERS, counts, strict=True))


def number_counts(number: int) -> list[int]:
    """Dice of each face of the multiset with this number (0..209)."""
    return [int(n) for n in COUNT[number]]


def number_code(number: int) -> int:
    """Dice code of the multiset with this number (0..209)."""
    return int(CODE[number])


def read_face(word: str, place: str, *, wild: bool = False) -> int:
    """Number of a face letter (``?`` is 4 where ``wild``).  Raises UsageError."""
    letters = ANY_LETTERS if wild else FACE_LETTERS
    if len(word) == 1 and word.upper() in letters:
        return letters.index(word.upper())
    raise UnknownWord(f"{place}: {word!r} is not a face (allowed: {', '.join(letters)})")


def read_dice(word: str, place: str) -> list[tuple[int, str]]:
    """The dice of a run of letters: face and mark (``""``, ``"!"``, ``"@1"`` or ``"+"``) of each."""
    found = _DIE.findall(word)
    if "".join(found) != word or not found:
        raise UsageError(f"{place}: {word!r} is not a run of dice (letters {', '.join(FACE_LETTERS)}, as in 'CCSI')")
    dice = []
    for die in found:
        single = die.startswith("+")
        letter, mark = die.lstrip("+")[0], die.lstrip("+")[1:]
        if single and (letter.upper() != "H" or mark):
            raise UsageError(f"{place}: {die!r} is not a single-use face (allowed: +H)")
        dice.append((read_face(letter, place), "+" if single else mark))
    return dice


def read_counts(word: str, place: str) -> list[int]:
    """Counts of a run of plain letters; an empty text is no dice."""
    counts = [0] * FACES
    for face, mark in read_dice(word, place) if word else []:
        if mark:
            raise UsageError(f"{place}: {word!r} names {mark!r}, but only plain faces can stand here")
        counts[face] += 1
    return counts


def read_pair(word: str, place: str) -> tuple[int, bool, int]:
    """Face before, whether the shielded die is named, face after, of a change such as ``S!>I``.

    A borrowed die (``C@1>I``) is never changed: Impossible.
    """
    found = _PAIR.match(word.upper())
    if not found:
        raise UsageError(f"{place}: {word!r} is not a change of a face (as in 'S>I')")
    if (found[2] or "").startswith("@"):
        raise ImpossibleError(word)
    return FACE_LETTERS.index(found[1]), bool(found[2]), FACE_LETTERS.index(found[3])


def read_name(word: str, allowed: Iterable[str], what: str, place: str) -> str:
    """``word`` if it is allowed.  Raises UsageError with the nearest word."""
    names = list(allowed)
    if word in names:
        return word
    raise unknown(place, what, word, names)


class Desk:
    """One position for its texts.  ``row``: the state record, ``table``: the packed rules record."""

    def __init__(self, state: Any, rules: Any, asked: int | None = None) -> None:
        self.row = row_of(state)
        self.rules = rules
        self.table = rules.packed[0]
        self.hit_names: tuple[str, ...] = tuple(rules.names.hits)
        self.asked = self._asked() if asked is None else asked

    def _asked(self) -> int:
        """The seat that owes a choice, else the seat in turn."""
        return int(self.row.choice_seat[0]) if self.row.choices else int(self.row.turn)

    @property
    def me(self) -> Any:
        """The seat record of who is asked."""
        return self.row.seat[self.asked]

    # ---------------------------------------------------------------- spaces

    def stages(self) -> list[int]:
        """Seats that have a Viking stage of their own (A-ABL-10, A-ABL-11), or dice left on one."""
        found = []
        for seat in range(int(self.row.seats)):
            mine = self.row.seat[seat]
            copied = mine.band == COVER_BOTS and mine.copies[1] == SHIRTLESS_VIKINGS
            if mine.band == SHIRTLESS_VIKINGS or copied or self.row.busy[VIKING_STAGE + seat]:
                found.append(seat)
        return found

    def target_text(self, target: int) -> str:
        """The word of a target, as seen by the asked seat."""
        if target < BOARD_SPACES:
            return SPACES[target]
        if target >= HIT:
            return f"hit:{self.hit_names[target - HIT]}"
        seat = target - VIKING_STAGE
        return STAGE_WORD if seat == self.asked or self.stages() == [seat] else f"{STAGE_WORD}@{seat}"

    def target_key(self, target: int) -> str:
        """The word of a target as a state key: stages carry their seat where there are two."""
        if VIKING_STAGE <= target < HIT:
            return STAGE_WORD if len(self.stages()) < 2 else f"{STAGE_WORD}@{target - VIKING_STAGE}"
        return self.target_text(target)

    def read_target(self, word: str, place: str) -> int:
        """Target of a word; a stage without a seat is the asked seat's own, else the only one.

        A stage that nobody has is the asked seat's: well formed, but no legal action names it.
        """
        word = ALIASES.get(word, word)
        if word.startswith("hit:"):
            return HIT + self.hit_names.index(read_name(word[4:], self.hit_names, "Hit", place))
        name, _, seat = word.partition("@")
        if name == STAGE_WORD:
            stages = self.stages()
            if seat:
                return VIKING_STAGE + self.read_seat(seat, place)
            owner = self.asked if self.asked in stages or not stages else stages[0]
            return VIKING_STAGE + owner
        hits = [f"hit:{name}" for name in self.hit_names]
        if word in self.hit_names:
            raise UsageError(f"{place}: unknown space {word!r}; did you mean 'hit:{word}'?")
        return SPACES.index(read_name(word, [*SPACES, STAGE_WORD, *ALIASES, *hits], "space", place))

    def owners_of(self, face: int, target: int) -> list[int]:
        """Other seats that have a die of ``face`` on ``target``."""
        found = []
        for seat in range(int(self.row.seats)):
            me = self.row.seat[seat]
            lying = [int(entry) for entry in me.board[: int(me.on_board)]]
            if seat != self.asked and any(e % FACES == face and e // (32 * MOST_PLACES) == target for e in lying):
                found.append(seat)
        return found

    def read_seat(self, word: str, place: str) -> int:
        """Number of a seat.  Raises UsageError when it is none."""
        if not word.isdigit() or int(word) >= SEATS:
            raise UsageError(f"{place}: {word!r} is not a seat (0 to {int(self.row.seats) - 1})")
        return int(word)

    def read_hit(self, word: str, place: str) -> int:
        """Number of a Hit's name (``hit:`` before it is allowed)."""
        return self.hit_names.index(read_name(word.removeprefix("hit:"), self.hit_names, "Hit", place))

    def owned_text(self, hit: int) -> str:
        """A Hit with the space that is cancelled on it, if any."""
        face = int(self.row.cancelled[hit])
        return self.hit_names[hit] + (f" cancel {ANY_LETTERS[face]}" if face >= 0 else "")

    # ---------------------------------------------------------------- cards

    def card_label(self, card: int) -> str:
        """The full text of a physical Distortion card: ``N:ICON``."""
        return f"{int(self.table.card_number[card])}:{FACE_LETTERS[int(self.table.card_icon[card])]}"

    def card_text(self, card: int, among: Any) -> str:
        """``N``, or ``N:ICON`` where the copies in the set ``among`` (bits) show different icons."""
        number = int(self.table.card_number[card])
        icons = {int(self.table.card_icon[c]) for c in self.copies(number, None, among)}
        return self.card_label(card) if len(icons) > 1 else str(number)

    def copies(self, number: int, icon: int | None, among: Any) -> list[int]:
        """Cards of the set ``among`` (bits) with this number and, where given, icon; in deck order."""
        return [
            card
            for card in bits(among)
            if self.table.card_number[card] == number and icon in (None, int(self.table.card_icon[card]))
        ]

    def read_card(self, word: str, place: str) -> tuple[int, int | None]:
        """Number and icon (None where not named) of ``N`` or ``N:ICON``.  Raises UsageError."""
        number, colon, icon = str(word).partition(":")
        numbers = sorted({int(n) for n in self.table.card_number[: int(self.table.cards)]})
        if not number.isdigit() or int(number) not in numbers:
            raise UsageError(f"{place}: {word!r} is not a Distortion card (allowed: {numbers[0]} to {numbers[-1]})")
        return int(number), read_face(icon, place) if colon else None

    def card_wanted(self, word: str, among: Any, place: str) -> str:
        """The text that the card ``word`` has among the cards of a set: the first copy in deck order."""
        number, icon = self.read_card(word, place)
        found = self.copies(number, icon, among)
        if found:
            return self.card_text(found[0], among)
        return str(number) if icon is None else f"{number}:{FACE_LETTERS[icon]}"

    # ---------------------------------------------------------------- dice of the asked seat

    def shielded(self) -> list[int]:
        """Shielded dice of the asked seat by face."""
        return counts_of(self.me.shielded)

    def open_dice(self) -> list[int]:
        """Unshielded dice of the asked seat's pool by face."""
        return [n - s for n, s in zip(counts_of(self.me.pool), self.shielded(), strict=True)]

    def pair_text(self, origin: int, is_shielded: bool, target: int) -> str:
        """A change of one die; ``!`` where a shielded and another die show the face (A-BND-1)."""
        both = self.open_dice()[origin] > 0 and self.shielded()[origin] > 0
        return f"{FACE_LETTERS[origin]}{'!' if is_shielded and both else ''}>{FACE_LETTERS[target]}"

    def pair_wanted(self, word: str, place: str) -> str:
        """The text of the change that ``word`` means: unmarked, the unshielded die where there is one."""
        origin, marked, target = read_pair(word, place)
        shielded = self.shielded()[origin] > 0
        if marked and not shielded:
            return f"{FACE_LETTERS[origin]}!>{FACE_LETTERS[target]}"
        return self.pair_text(origin, marked or (shielded and not self.open_dice()[origin]), target)

    def hand_text(self, counts: list[int], marked: list[int]) -> str:
        """Dice of the pool, ``marked`` of them shielded: marks where the plain text would mean others.

        Without marks, n dice of a face are the unshielded ones first.
        """
        parts = []
        for face, (n, k, free) in enumerate(zip(counts, marked, self.open_dice(), strict=True)):
            letter = FACE_LETTERS[face]
            parts.append(letter * n if k == max(0, n - free) else letter * (n - k) + f"{letter}!" * k)
        return "".join(parts)

    def hand_wanted(self, word: str, place: str) -> str:
        """The text of the dice of the pool that ``word`` means; borrowed ones and single-use faces: Impossible."""
        counts, marked = [0] * FACES, [0] * FACES
        for face, mark in read_dice(word, place):
            if mark not in ("", "!"):
                raise ImpossibleError(word)
            counts[face] += 1
            marked[face] += mark == "!"
        free, shielded = self.open_dice(), self.shielded()
        for face in range(FACES):
            fits = marked[face] <= shielded[face]
            over = max(0, counts[face] - free[face])
            marked[face] = max(marked[face], over) if fits else marked[face]
        return self.hand_text(counts, marked)


def band_names(*, playable: bool = True) -> tuple[str, ...]:
    """Names of the bands, Metallum last where it is wanted."""
    return BANDS[:METALLUM] if playable else BANDS
