"""From action ids to texts: the one canonical text of every action (table in ``kernels.actions``)."""

from __future__ import annotations

from collections.abc import Callable

from overdrive_sim.kernels.actions import (
    ARGUMENT_BITS,
    PAIR_BASE,
    borrowed_of,
    detail_of,
    dice_of,
    target_of,
    verb_of,
    virtual_of,
)  # fmt: skip
from overdrive_sim.kernels.layout import (
    ABILITY,
    ACOUSTIC,
    ALLOCATE,
    ATTACK,
    AWARDS,
    BANDS,
    BUY_DIE,
    BUY_DISTORTION,
    BUY_HIT,
    BUY_LEVEL,
    CLAIM,
    COPY,
    COVER_BOTS,
    END,
    FACE_LETTERS,
    FACES,
    HIT,
    IMPROVISATION,
    JAM_SESSION,
    METALLUM_CANCEL,
    METALLUM_HIT,
    NEW_RIFF,
    NO_BAND,
    OPPORTUNITY,
    PASS,
    PLAY,
    RAISE,
    REROLL,
    SET_FACE,
    SHIELD,
    SKIP,
    SKULL,
    TRACKS,
    VICTIM,
)  # fmt: skip
from overdrive_sim.kernels.rules import (
    CHANGE,
    CHOOSE_FACES,
    CLEAR,
    CLEAR_SPACE,
    EITHER_WAY,
    FANS_TO_FAME,
    NO_ABILITY,
    PROTECT,
    RE_ROLL,
    SINGLE_FACES,
    SKULLS_TO_ONE,
    TAKE,
)  # fmt: skip
from overdrive_sim.words import ANY_LETTERS, NONE_WORD, Desk, code_of, dice_text, number_counts

EACH_FREE = 1  # of option card5
#: Pairs that #7 and #9 can hold.
MOST_PAIRS = 3


def unpack_pair(code: int) -> tuple[int, bool, int]:
    """Face before, whether shielded, face after, of a pair code."""
    return code // 4 % 4, code // 4 >= FACES, code % 4


def pairs_of(argument: int) -> list[tuple[int, bool, int]]:
    """The changes that the argument of #7 or #9 packs."""
    digits = [argument // PAIR_BASE**k % PAIR_BASE for k in range(MOST_PAIRS)]
    return [unpack_pair(digit - 1) for digit in digits if digit]


def take_text(desk: Desk, code: int) -> str:
    """A die on the board that is taken: ``take C@1 appearance``."""
    owner, face = code // 4 % 8, code % 4
    return f"take {FACE_LETTERS[face]}@{owner} {desk.target_text(code // 32)}"


def borrowed_text(desk: Desk, mask: int) -> str:
    """The borrowed dice of a bit set over the seat's ``locked`` list, by face and owner."""
    entries = [int(desk.me.locked[k]) for k in range(8) if mask >> k & 1]
    return "".join(f"{FACE_LETTERS[e % 4]}@{e // 4}" for e in sorted(entries, key=lambda e: (e % 4, e // 4)))


def pool_text(desk: Desk, number: int, shielded: int) -> str:
    """Dice of the pool: the multiset ``number``, of which the multiset ``shielded`` is shielded."""
    return desk.hand_text(number_counts(number), number_counts(shielded))


def _allocate(desk: Desk, action: int) -> str:
    target, detail = target_of(action), detail_of(action)
    dice = dice_text(number_counts(dice_of(action))) + borrowed_text(desk, borrowed_of(action))
    words = f"allocate {desk.target_text(target)} {dice}" + "+H" * virtual_of(action)
    if target >= HIT:
        return words if desk.table.hit_ways[target - HIT] < 2 else f"{words} as {detail + 1}"
    if target == ACOUSTIC:
        return f"{words} {TRACKS[detail]}"
    if not detail:
        return words
    if target in (IMPROVISATION, NEW_RIFF):
        return f"{words} {desk.pair_text(*unpack_pair(detail - 1))}"
    if target == JAM_SESSION:
        return f"{words} {take_text(desk, detail - 1)}"
    if target == OPPORTUNITY:
        return f"{words} clear {desk.target_text(detail - 1)}"
    return words


def source_band(desk: Desk, slot: int) -> int:
    """The band whose ability ``slot`` (0 A, 1 B, 2 C) the asked seat uses; NO_BAND for an open copy."""
    band = int(desk.me.band)
    return int(desk.me.copies[slot]) if band == COVER_BOTS else band


def ability_kind(desk: Desk, slot: int) -> int:
    """What ability A (0) or B (1) of the asked seat does."""
    band = source_band(desk, slot)
    return NO_ABILITY if band == NO_BAND else int(desk.table.ability_kind[band, slot])


def _ability(desk: Desk, action: int) -> str:
    slot, detail = target_of(action), detail_of(action)
    head = f"ability {'abc'[slot]}"
    kind = ability_kind(desk, slot)
    if kind == RE_ROLL:
        return f"{head} {pool_text(desk, dice_of(action), detail)}"
    if kind in (CHANGE, SINGLE_FACES):
        return f"{head} {desk.pair_text(*unpack_pair(detail))}"
    if kind == TAKE:
        return f"{head} {take_text(desk, detail)}"
    if kind == CLEAR:
        return f"{head} clear {desk.target_text(detail)}"
    if kind == FANS_TO_FAME:
        return head
    return f"{head} {detail}"


def _play(desk: Desk, action: int) -> str:
    card, argument = divmod(detail_of(action), 1 << ARGUMENT_BITS)
    head = f"play {desk.card_text(card, desk.me.hand)}"
    kind = desk.table.effect_kind[desk.table.card_number[card]]
    if kind == CLEAR_SPACE:
        return f"{head} clear {desk.target_text(argument)}"
    if kind == SKULLS_TO_ONE:
        if desk.table.option.card5 != EACH_FREE:
            return f"{head} {FACE_LETTERS[SKULL]}>{FACE_LETTERS[argument]}"
        return head + "".join(f" {FACE_LETTERS[SKULL]}>{face}" for face in dice_text(number_counts(argument)))
    if kind == CHOOSE_FACES:
        return f"{head} " + " ".join(sorted_pairs([desk.pair_text(*pair) for pair in pairs_of(argument)]))
    if kind == EITHER_WAY:
        return f"{head} {FACE_LETTERS[argument // 4 % 4]}>{FACE_LETTERS[argument % 4]}"
    if kind == PROTECT:
        return f"{head} {FACE_LETTERS[argument]}"
    return head


def sorted_pairs(pairs: list[str]) -> list[str]:
    """Texts of changes in the order of the faces H S C I, unmarked before marked."""
    return sorted(pairs, key=lambda p: (FACE_LETTERS.index(p[0]), "!" in p, FACE_LETTERS.index(p[-1])))


def _seat_face(word: str) -> Callable[[Desk, int], str]:
    return lambda desk, action: f"{word} {detail_of(action) // 4} {FACE_LETTERS[detail_of(action) % 4]}"


def _plain(word: str) -> Callable[[Desk, int], str]:
    return lambda desk, action: word


#: "none" stands last, where NO_SHIELD and NO_RAISE point.
_FACE_OR_NONE = (*FACE_LETTERS, NONE_WORD)
_TRACK_OR_NONE = (*TRACKS, NONE_WORD)

_WRITERS: dict[int, Callable[[Desk, int], str]] = {
    ALLOCATE: _allocate,
    REROLL: lambda desk, a: f"reroll {pool_text(desk, dice_of(a), detail_of(a))}",
    SET_FACE: lambda desk, a: f"set {desk.pair_text(*unpack_pair(detail_of(a)))}",
    BUY_LEVEL: lambda desk, a: f"buy level {TRACKS[detail_of(a)]}",
    BUY_DIE: _plain("buy die"),
    BUY_HIT: lambda desk, a: f"buy hit {desk.hit_names[target_of(a) - HIT]} cancel {ANY_LETTERS[detail_of(a)]}",
    BUY_DISTORTION: lambda desk, a: f"buy distortion {desk.card_text(detail_of(a), desk.row.row)}",
    PLAY: _play,
    ABILITY: _ability,
    COPY: lambda desk, a: f"copy {'abc'[target_of(a)]} {BANDS[detail_of(a)]}",
    RAISE: lambda desk, a: f"raise {_TRACK_OR_NONE[detail_of(a)]}",
    CLAIM: lambda desk, a: f"claim {AWARDS[detail_of(a)]}",
    SHIELD: lambda desk, a: f"shield {_FACE_OR_NONE[detail_of(a)]}",
    ATTACK: _seat_face("attack"),
    VICTIM: _seat_face("victim"),
    END: _plain("end"),
    PASS: _plain("pass"),
    SKIP: _plain("skip"),
    METALLUM_HIT: lambda desk, a: f"metallum hit {desk.hit_names[target_of(a) - HIT]}",
    METALLUM_CANCEL: lambda desk, a: f"metallum cancel {ANY_LETTERS[detail_of(a)]}",
}


def write(desk: Desk, action: int) -> str:
    """The canonical text of a legal action at this desk."""
    return _WRITERS[int(verb_of(int(action)))](desk, int(action))


def play_effect(desk: Desk, action: int) -> tuple[str, int, int] | None:
    """What a legal ``play`` of #7 or #9 leads to (card, pool, shielded), None for any other action."""
    if verb_of(action) != PLAY:
        return None
    card, argument = divmod(detail_of(action), 1 << ARGUMENT_BITS)
    if desk.table.effect_kind[desk.table.card_number[card]] != CHOOSE_FACES:
        return None
    return changed(desk, desk.card_text(card, desk.me.hand), pairs_of(argument))


def changed(desk: Desk, card: str, pairs: list[tuple[int, bool, int]]) -> tuple[str, int, int] | None:
    """``card`` with the pool and the shielded dice after these changes; None if the dice are not there.

    The faces on the left are those before the card; an unmarked one takes the unshielded die first.
    """
    free, shielded = desk.open_dice(), desk.shielded()
    after: list[tuple[int, bool]] = []
    for origin, marked, face in sorted(pairs, key=lambda p: not p[1]):
        takes_shielded = marked or free[origin] <= 0
        source = shielded if takes_shielded else free
        source[origin] -= 1
        if source[origin] < 0 or origin == face:
            return None
        after.append((face, takes_shielded))
    for face, is_shielded in after:
        (shielded if is_shielded else free)[face] += 1
    pool = [f + s for f, s in zip(free, shielded, strict=True)]
    return card, code_of(pool), code_of(shielded)
