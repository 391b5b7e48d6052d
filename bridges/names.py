"""Names of words: what every index of a game's action space means."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from bridges.kernels import metalmania_words, overdrive_words
from metalmania_sim.kernels import layout as mania
from overdrive_sim.kernels import layout as overdrive
from overdrive_sim.words import dice_text, number_counts

#: How many chairs after the one who acts.
_CHAIRS = ("own", "next", "second", "third", "fourth")
_FACES = (*overdrive.FACE_LETTERS, "?")


def overdrive_targets(rules: Any) -> list[str]:
    """Names of the targets of an allocation; Viking stages by chair."""
    stages = [f"{chair} viking_stage" for chair in _CHAIRS]
    hits = [f"hit {k + 1}" for k in range(overdrive.MOST_HITS)]
    return [*overdrive.SPACES, *stages, *hits]


def _pairs() -> list[str]:
    marks = [face + mark for mark in ("", "!") for face in overdrive.FACE_LETTERS]
    return [f"{old}>{new}" for old, new in itertools.product(marks, overdrive.FACE_LETTERS)]


def _overdrive_what(rules: Any) -> Iterator[str]:
    targets = overdrive_targets(rules)
    cards = [f"card {k + 1} (#{rules.packed[0].card_number[k]})" for k in range(overdrive.MOST_CARDS)]
    hits = targets[overdrive.HIT :]
    chairs = [f"{chair} {face}" for chair in _CHAIRS for face in overdrive.FACE_LETTERS]
    details = {
        overdrive.ALLOCATE: targets, overdrive.SET_FACE: _pairs(), overdrive.BUY_LEVEL: overdrive.TRACKS,
        overdrive.BUY_HIT: hits, overdrive.METALLUM_HIT: hits, overdrive.BUY_DISTORTION: cards,
        overdrive.PLAY: cards, overdrive.ABILITY: "AB",
        overdrive.COPY: [f"{slot} of {band}" for slot in "ABC" for band in overdrive.BANDS],
        overdrive.RAISE: (*overdrive.TRACKS, "none"), overdrive.CLAIM: overdrive.AWARDS,
        overdrive.SHIELD: (*overdrive.FACE_LETTERS, "none"), overdrive.ATTACK: chairs, overdrive.VICTIM: chairs,
        overdrive.METALLUM_CANCEL: _FACES,
    }  # fmt: skip
    for verb, name in enumerate(overdrive.VERBS):
        if verb in details:
            yield from (f"{name} {detail}" for detail in details[verb])
        else:
            yield name


def overdrive_words_of(rules: Any) -> Iterator[str]:
    """Every word of Overdrive's seven levels."""
    yield from _overdrive_what(rules)
    yield from (f"how {k}" for k in range(256))
    yield from (f"then {k}" for k in range(33))
    yield from (f"last {k}" for k in range(33))
    yield from (f"dice {dice_text(number_counts(k)) or 'none'}" for k in range(overdrive.MULTISETS))
    yield from (f"single faces {k}" for k in range(4))
    yield from (f"borrowed dice {k:08b}" for k in range(256))


def overdrive_names(rules: Any) -> tuple[str, ...]:
    """Names of Overdrive's words, by index."""
    found = tuple(overdrive_words_of(rules))
    assert len(found) == overdrive_words.WORDS
    return found


def _orders(count: int) -> Iterator[str]:
    """Placements by rank: which die, 1 the lowest, lies on each position."""
    for order in itertools.permutations(range(1, count + 1)):
        yield "".join(map(str, order))


def _mania_details(rules: Any) -> dict[int, list[str]]:
    artists, change = rules.names.artists, range(-mania.MOST_LEVEL, mania.MOST_LEVEL + 1)
    hires = [f"{artist} {instrument}" for artist in artists for instrument in mania.INSTRUMENTS]
    places = [f"place {k + 1}" for k in range(8)]
    return {
        mania.SHIFT: ["-1", "+1"],
        mania.VICTIM: list(_CHAIRS),
        mania.DRINK: list(_CHAIRS),
        mania.TROUBLE: [f"{chair} {place}" for chair in _CHAIRS for place in places],
        mania.HEAL: list(mania.POSITIONS),
        **dict.fromkeys((mania.HIRE, mania.AUDITION, mania.ASSIGN), hires),
        mania.PLACE: [f"ranks {order}" for count in (5, 4) for order in _orders(count)],
        mania.USE_PERFORMANCE: [f"{k:+d}" for k in change],
        mania.USE_RECORDING: [f"dice {k:06b}" for k in range(1 << mania.MOST_DICE)],
        mania.USE_ADVERTISING: [f"die {k + 1} {by:+d}" for k in range(mania.MOST_DICE) for by in change],
        mania.UNPAID: [f"positions {k:05b}" for k in range(32)],
        mania.COMPANY: list(rules.names.companies[: mania.COMPANIES]),
    }


def metalmania_names(rules: Any) -> tuple[str, ...]:
    """Names of Metal Mania's words, by index."""
    details = _mania_details(rules)
    found: list[str] = []
    for verb, name in enumerate(mania.VERBS):
        found += [f"{name} {detail}" for detail in details[verb]] if verb in details else [name]
    assert len(found) == metalmania_words.WORDS
    return tuple(found)
