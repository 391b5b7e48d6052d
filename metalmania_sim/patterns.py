"""Words for sets of actions: which ids are a verb, a hire of an artist, the choice of a company, a bonus.

A set is a list of (mask, value): an id belongs to it when ``id & mask == value``.
"""

from __future__ import annotations

from typing import Any

from metalmania_sim.kernels.layout import AUDITION, COMPANIES, COMPANY, HIRE, VERB_SHIFT, VERBS

Pattern = tuple[int, int]

#: Verbs that a player may do without; the others end something, place dice or answer a question.
FREE_VERBS = (
    "shift", "hire", "perform", "record", "advertise", "use_performance", "use_recording", "use_advertising",
    "audition", "funds", "beers",
)  # fmt: skip

_VERB = -1 << VERB_SHIFT
_ARTIST = _VERB | ((1 << VERB_SHIFT) - 1) >> 3 << 3


def _verb(name: str) -> Pattern:
    return _VERB, VERBS.index(name) << VERB_SHIFT


def patterns(rules: Any) -> dict[str, list[Pattern]]:
    """Sets of actions by word: verbs, artists (to hire), companies (to choose), ``bonuses``, ``hires``."""
    found = {name: [_verb(name)] for name in FREE_VERBS}
    for number, name in enumerate(rules.names.artists):
        found[name] = [(_ARTIST, verb << VERB_SHIFT | number << 3) for verb in (AUDITION, HIRE)]
    for number, name in enumerate(rules.names.companies[:COMPANIES]):
        found[name] = [(-1, COMPANY << VERB_SHIFT | number)]
    found["bonuses"] = [_verb(name) for name in FREE_VERBS if name.startswith("use_")]
    found["hires"] = [_verb("audition"), _verb("hire")]
    return found
