"""From texts to actions: the legal action whose effect a text means.

A text is read into its canonical form for the position (dice and pairs sorted, aliases and missing icons
filled in) and looked up among the canonical texts of the legal actions.  A text that is well formed but
names no legal action is no error here; one that is not well formed is, with the nearest word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from overdrive_sim.action_text import EACH_FREE, changed, play_effect, sorted_pairs, write
from overdrive_sim.kernels.layout import (
    ACOUSTIC,
    AWARDS,
    FACE_LETTERS,
    FACES,
    HIT,
    IMPROVISATION,
    JAM_SESSION,
    NEW_RIFF,
    OPPORTUNITY,
    SKULL,
    TRACKS,
)  # fmt: skip
from overdrive_sim.kernels.rules import CHOOSE_FACES, CLEAR_SPACE, EITHER_WAY, PROTECT, SKULLS_TO_ONE
from overdrive_sim.words import (
    NONE_WORD,
    Desk,
    ImpossibleError,
    band_names,
    dice_text,
    read_dice,
    read_face,
    read_name,
    read_pair,
)  # fmt: skip
from simcore.errors import Ambiguous, UsageError, unknown

#: What a text means: its canonical form, or the effect of #7 and #9 (card, pool, shielded).
Meaning = str | tuple[str, int, int] | None

VERBS = (
    "ability", "allocate", "attack", "buy", "claim", "copy", "end", "metallum", "pass", "play", "raise", "reroll",
    "set", "shield", "skip", "victim",
)  # fmt: skip


class Words:
    """The words of one text, taken one after another, each with an error that shows the whole text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = repr(text)
        self.left = text.split()

    def take(self, what: str) -> str:
        """The next word, which is to be ``what``.  Raises UsageError when there is none."""
        if not self.left:
            raise UsageError(f"{self.place}: {what} is missing")
        return self.left.pop(0)

    def expect(self, *allowed: str) -> str:
        """The next word, one of ``allowed``."""
        return read_name(self.take(" or ".join(allowed)), allowed, "word", self.place)

    def finish(self) -> None:
        """Nothing may follow.  Raises UsageError otherwise."""
        if self.left:
            raise UsageError(f"{self.place}: nothing may follow here, but {' '.join(self.left)!r} does")


def allocation_dice(word: str, place: str) -> str:
    """Dice of an allocation: own ones, then borrowed ones with their owners, then single-use faces."""
    own, borrowed, single = [0] * FACES, [], 0
    for face, mark in read_dice(word, place):
        if mark == "!":
            raise ImpossibleError(word)
        if mark == "+":
            single += 1
        elif mark:
            borrowed.append((face, int(mark[1:])))
        else:
            own[face] += 1
    lent = "".join(f"{FACE_LETTERS[face]}@{owner}" for face, owner in sorted(borrowed))
    return dice_text(own) + lent + "+H" * single


def _take(desk: Desk, words: Words) -> str:
    """``take C@1 appearance``: the owner may be left out where the words leave no doubt."""
    words.expect("take")
    die = words.take("a die (as in C@1)")
    dice = read_dice(die, words.place)
    target, _, seat = words.take("a space").partition("@")
    if target == "viking_stage" and seat:
        target, seat = f"{target}@{seat}", ""
    if len(dice) != 1 or dice[0][1] in ("!", "+"):
        raise UsageError(f"{words.place}: {die!r} is not one die with its owner (as in C@1)")
    face, mark = dice[0]
    owner = mark[1:] or seat
    where = desk.read_target(target, words.place)
    if not owner:
        owners = desk.owners_of(face, where)
        if not owners:
            raise ImpossibleError(words.text)
        if len(owners) > 1:
            raise Ambiguous(f"{words.place}: whose {die!r}? ({' or '.join(f'{die}@{seat}' for seat in owners)})")
        owner = str(owners[0])
    return f"take {FACE_LETTERS[face]}@{int(owner)} {desk.target_text(where)}"


def _clear(desk: Desk, words: Words) -> str:
    words.expect("clear")
    return f"clear {desk.target_text(desk.read_target(words.take('a space'), words.place))}"


def _allocate(desk: Desk, words: Words) -> Meaning:
    target = desk.read_target(words.take("a space"), words.place)
    head = f"allocate {desk.target_text(target)} {allocation_dice(words.take('dice'), words.place)}"
    if not words.left:
        return head
    if target >= HIT:
        words.expect("as")
        way = words.expect("1", "2")
        return head if desk.table.hit_ways[target - HIT] < 2 and way == "1" else f"{head} as {way}"
    if target == ACOUSTIC:
        return f"{head} {words.expect(*TRACKS)}"
    if target in (IMPROVISATION, NEW_RIFF):
        return f"{head} {desk.pair_wanted(words.take('a change'), words.place)}"
    if target == JAM_SESSION:
        return f"{head} {_take(desk, words)}"
    if target == OPPORTUNITY:
        return f"{head} {_clear(desk, words)}"
    return head


def _buy(desk: Desk, words: Words) -> Meaning:
    what = words.expect("level", "die", "hit", "distortion")
    if what == "die":
        return "buy die"
    if what == "level":
        return f"buy level {words.expect(*TRACKS)}"
    if what == "distortion":
        return f"buy distortion {desk.card_wanted(words.take('a card'), desk.row.row, words.place)}"
    head = f"buy hit {desk.hit_names[desk.read_hit(words.take('a Hit'), words.place)]}"
    if not words.left:
        return head
    words.expect("cancel")
    face = read_face(words.take("a face"), words.place, wild=True)
    return f"{head} cancel {(FACE_LETTERS + '?')[face]}"


def _play(desk: Desk, words: Words) -> Meaning:
    word = words.take("a card")
    number, _ = desk.read_card(word, words.place)
    card = desk.card_wanted(word, desk.me.hand, words.place)
    head = f"play {card}"
    kind = desk.table.effect_kind[number]
    if not words.left:
        return head
    if kind == CLEAR_SPACE:
        return f"{head} {_clear(desk, words)}"
    if kind == PROTECT:
        return f"{head} {FACE_LETTERS[read_face(words.take('a face'), words.place)]}"
    if kind == EITHER_WAY:
        origin, _, face = read_pair(words.take("a change"), words.place)
        return f"{head} {FACE_LETTERS[origin]}>{FACE_LETTERS[face]}"
    if kind not in (SKULLS_TO_ONE, CHOOSE_FACES):
        return head
    pairs = [read_pair(words.take("a change"), words.place) for _ in range(len(words.left))]
    if kind == SKULLS_TO_ONE:
        return _skulls(desk, head, pairs)
    return changed(desk, card, pairs) if len(pairs) <= desk.table.effect_amount[number] else None


def _skulls(desk: Desk, head: str, pairs: list[tuple[int, bool, int]]) -> Meaning:
    """#5: one change stands for all Skulls; with card5 = each_free every Skull may have its own."""
    if any(origin != SKULL for origin, _, _ in pairs):
        return None
    faces = [FACE_LETTERS[face] for _, _, face in pairs]
    if len(set(faces)) == 1:
        skulls = desk.open_dice()[SKULL] + desk.shielded()[SKULL]
        if len(faces) not in (1, skulls):
            return None
        faces = faces[:1] * (skulls if desk.table.option.card5 == EACH_FREE else 1)
    return f"{head} " + " ".join(sorted_pairs([f"{FACE_LETTERS[SKULL]}>{face}" for face in faces]))


def _ability(desk: Desk, words: Words) -> Meaning:
    head = f"ability {words.expect('a', 'b', 'c')}"
    if not words.left:
        return head
    if words.left[0] == "take":
        return f"{head} {_take(desk, words)}"
    if words.left[0] == "clear":
        return f"{head} {_clear(desk, words)}"
    word = words.take("a change or dice")
    if ">" in word:
        return f"{head} {desk.pair_wanted(word, words.place)}"
    return f"{head} {desk.hand_wanted(word, words.place)}"


def _seat_face(verb: str) -> Callable[[Desk, Words], Meaning]:
    def read(desk: Desk, words: Words) -> Meaning:
        seat = desk.read_seat(words.take("a seat"), words.place)
        return f"{verb} {seat} {FACE_LETTERS[read_face(words.take('a face'), words.place)]}"

    return read


def _shield(desk: Desk, words: Words) -> Meaning:
    word = words.take("a face or none")
    return f"shield {word if word == NONE_WORD else FACE_LETTERS[read_face(word, words.place)]}"


def _metallum(desk: Desk, words: Words) -> Meaning:
    if words.expect("hit", "cancel") == "hit":
        return f"metallum hit {desk.hit_names[desk.read_hit(words.take('a Hit'), words.place)]}"
    face = read_face(words.take("a face"), words.place, wild=True)
    return f"metallum cancel {(FACE_LETTERS + '?')[face]}"


_READERS: dict[str, Callable[[Desk, Words], Meaning]] = {
    "allocate": _allocate,
    "reroll": lambda desk, w: f"reroll {desk.hand_wanted(w.take('dice'), w.place)}",
    "set": lambda desk, w: f"set {desk.pair_wanted(w.take('a change'), w.place)}",
    "buy": _buy,
    "play": _play,
    "ability": _ability,
    "copy": lambda desk, w: f"copy {w.expect('a', 'b', 'c')} {w.expect(*band_names())}",
    "raise": lambda desk, w: f"raise {w.expect(*TRACKS, NONE_WORD)}",
    "claim": lambda desk, w: f"claim {w.expect(*AWARDS)}",
    "shield": _shield,
    "attack": _seat_face("attack"),
    "victim": _seat_face("victim"),
    "metallum": _metallum,
    "end": lambda desk, w: "end",
    "pass": lambda desk, w: "pass",
    "skip": lambda desk, w: "skip",
}


def read(desk: Desk, text: str) -> Meaning:
    """What ``text`` means at this desk; None where no legal action can mean it.  Raises UsageError."""
    words = Words(text)
    verb = words.take("an action")
    if verb not in _READERS:
        raise unknown(words.place, "action", verb, VERBS)
    try:
        meaning = _READERS[verb](desk, words)
    except ImpossibleError:
        return None
    words.finish()
    return meaning


class Offer:
    """The legal actions of one position by what they mean."""

    def __init__(self, desk: Desk, legal: Iterable[Any]) -> None:
        self.by_meaning: dict[Meaning, int] = {}
        for action in map(int, legal):
            self.by_meaning[write(desk, action)] = action
            effect = play_effect(desk, action)
            if effect is not None:
                self.by_meaning[effect] = action

    def find(self, meaning: Meaning, text: str) -> int | None:
        """The legal action, None if there is none.  Raises Ambiguous where parameters are left out."""
        if meaning is None:
            return None
        if meaning in self.by_meaning or not isinstance(meaning, str):
            return self.by_meaning.get(meaning)
        open_ends = [t for t in self.by_meaning if isinstance(t, str) and t.startswith(f"{meaning} ")]
        if len(open_ends) > 1:
            raise Ambiguous(f"{text!r} may mean {', '.join(repr(t) for t in open_ends[:6])}: name the rest")
        return self.by_meaning[open_ends[0]] if open_ends else None


#: The last position whose texts were looked up, (state, rules, legal) with its offer; replaced as a whole.
_last: tuple[tuple[bytes, str, bytes], Offer] | None = None


def find_action(desk: Desk, text: str, legal: np.ndarray) -> int | None:
    """The id among ``legal`` that ``text`` means, None if it means none.  Raises UsageError."""
    global _last  # noqa: PLW0603 (a cache of one entry: a scenario asks many texts of one position)
    meaning = read(desk, text)
    key = (desk.row.tobytes(), str(desk.rules.hash), np.asarray(legal).tobytes())
    last = _last
    if last is None or last[0] != key:
        last = _last = (key, Offer(desk, legal))
    return last[1].find(meaning, text)
