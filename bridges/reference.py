"""Writes docs/reference/peers-words.md: words and observations of both games; ``python -m bridges.reference``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bridges.kernels import metalmania_words, overdrive_words
from bridges.language import LANGUAGES, Language
from metalmania_sim.kernels.layout import VERBS as METALMANIA_VERBS
from overdrive_sim.kernels.layout import VERBS as OVERDRIVE_VERBS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "peers-words.md"

_FIRST = {
    "overdrive": (overdrive_words.WHAT_START, OVERDRIVE_VERBS),
    "metalmania": (metalmania_words.WHAT_START, METALMANIA_VERBS),
}
_LATER = (
    "a number besides: a track, a pair, a target, a face, dice (rerolled and shielded)",
    "the second part: owner and face of a die that is taken, the second pair",
    "the third pair",
    "multiset of own dice",
    "single-use faces",
    "borrowed dice, a bit each",
)


def lines() -> Iterator[str]:
    """The page, line by line."""
    yield "# Words and observations"
    yield ""
    yield "Written by `python -m bridges.reference`. A word's own name: `Games.word_names`. Seats count from the seat"
    yield "that acts or looks: 0 itself, 1 the next chair."
    for spoken in LANGUAGES.values():
        yield from _words(spoken)
        yield from _fields(spoken)


def _words(spoken: Language) -> Iterator[str]:
    starts, verbs = _FIRST[spoken.game]
    yield from ("", f"## {spoken.game}: {spoken.words} words", "", "| words | verb |", "|---|---|")
    for verb, name in enumerate(verbs):
        yield f"| {starts[verb]} to {starts[verb + 1] - 1} | {name} |"
    if spoken.game == "overdrive":
        yield from ("", "After the first word, where several actions begin so:", "", "| words | meaning |", "|---|---|")
        for level, meaning in enumerate(_LATER, start=1):
            first, last = overdrive_words.START[level], overdrive_words.START[level + 1] - 1
            yield f"| {first} to {last} | {meaning} |"


def _fields(spoken: Language) -> Iterator[str]:
    yield from ("", f"## {spoken.game}: what is seen", "", "| part | shape | least | most | meaning |")
    yield "|---|---|---|---|---|"
    per_seat = [(name, f"seats, {shape}", *rest) for name, shape, *rest in spoken.seat_fields]
    for name, shape, low, high, doc in (*per_seat, *spoken.table_fields):
        text = str(shape).replace("'", "").replace("(", "").replace(")", "").removesuffix(", 1")
        yield f"| `{name}` | {text} | {low} | {high} | {doc} |"
    yield f"| `said` | {spoken.levels} | 0 | {spoken.words} | 1 + the words of this decision that were said, 0 none |"


def main() -> None:
    """Write the page."""
    PAGE.write_text("\n".join(lines()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
