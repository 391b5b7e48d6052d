"""Words for sets of actions: which ids are a verb, a space, a Hit or a Distortion card.

A set is a list of (mask, value): an id belongs to it when ``id & mask == value``.
"""

from __future__ import annotations

from overdrive_sim.kernels.actions import ARGUMENT_BITS
from overdrive_sim.kernels.layout import (
    ALLOCATE,
    BUY_DISTORTION,
    BUY_HIT,
    DETAIL_BITS,
    HIT,
    PLAY,
    SPACES,
    TARGET_BITS,
    TARGET_SHIFT,
    VERB_SHIFT,
    VERBS,
)  # fmt: skip
from overdrive_sim.ruleset import Rules

Pattern = tuple[int, int]

#: Verbs that a player may do without; the others end something or answer a question.
FREE_VERBS = (
    "allocate", "reroll", "set", "buy_level", "buy_die", "buy_hit", "buy_distortion", "play", "ability", "raise",
    "claim", "shield", "attack",
)  # fmt: skip

_VERB = -1 << VERB_SHIFT
_TARGET = _VERB | ((1 << TARGET_BITS) - 1) << TARGET_SHIFT
_DETAIL = (1 << DETAIL_BITS) - 1
_CARD = _DETAIL >> ARGUMENT_BITS << ARGUMENT_BITS


def _verb(name: str) -> Pattern:
    return _VERB, VERBS.index(name) << VERB_SHIFT


def _target(verb: int, target: int) -> Pattern:
    return _TARGET, verb << VERB_SHIFT | target << TARGET_SHIFT


def patterns(rules: Rules) -> dict[str, list[Pattern]]:
    """Sets of actions by word: verbs, spaces, Hits, ``card_N`` for the Distortion cards with number N, groups."""
    found = {name: [_verb(name)] for name in FREE_VERBS}
    found |= {space: [_target(ALLOCATE, number)] for number, space in enumerate(SPACES)}
    for number, name in enumerate(rules.names.hits):
        found[name] = [_target(ALLOCATE, HIT + number), _target(BUY_HIT, HIT + number)]
    for card, (number, _) in enumerate(rules.names.cards):
        found.setdefault(f"card_{number}", []).extend(
            [
                (_VERB | _DETAIL, BUY_DISTORTION << VERB_SHIFT | card),
                (_VERB | _CARD, PLAY << VERB_SHIFT | card << ARGUMENT_BITS),
            ]
        )
    found["hits"] = [_verb("buy_hit"), *(_target(ALLOCATE, HIT + k) for k in range(len(rules.names.hits)))]
    found["distortions"] = [_verb("buy_distortion"), _verb("play")]
    return found
