"""What Overdrive's actions are about: spaces, Hits, Distortion cards, abilities, awards."""

from __future__ import annotations

from typing import Any

from overdrive_sim.kernels.actions import ARGUMENT_BITS, detail_of, target_of, verb_of
from overdrive_sim.kernels.engine import to_act
from overdrive_sim.kernels.layout import (
    ABILITY,
    ALLOCATE,
    AWARDS,
    BANDS,
    BUY_DISTORTION,
    BUY_HIT,
    BUY_LEVEL,
    CLAIM,
    COPY,
    COVER_BOTS,
    HIT,
    NO_BAND,
    PLAY,
    RAISE,
    SPACES,
    TRACKS,
    VERBS,
    VIKING_STAGE,
)  # fmt: skip
from overdrive_sim.kernels.rules import CHANGE, CLEAR, FANS_TO_FAME, RE_ROLL, SINGLE_FACES, TAKE
from overdrive_sim.ruleset import Rules
from overdrive_sim.words import NONE_WORD, STAGE_WORD
from simcore.subjects import ACTION, Subject

#: What abilities do that are used by an action of their own; the others happen by themselves.
_USED = (CHANGE, RE_ROLL, FANS_TO_FAME, TAKE, SINGLE_FACES, CLEAR)

_LETTERS = "abc"


def subject(row: Any, rules: Rules, action: int) -> Subject:
    """What a legal action is about in the position ``row``.

    An ability is called by the band whose it is, also where Cover Bots use it.
    """
    verb, target, detail = int(verb_of(action)), int(target_of(action)), int(detail_of(action))
    if verb == ALLOCATE and target < HIT:
        return Subject("space", SPACES[target] if target < VIKING_STAGE else STAGE_WORD, "allocate")
    if verb in (ALLOCATE, BUY_HIT):
        return Subject("hit", rules.names.hits[target - HIT], "play hit" if verb == ALLOCATE else "buy hit")
    if verb in (BUY_DISTORTION, PLAY):
        card = detail >> ARGUMENT_BITS if verb == PLAY else detail
        return Subject("card", str(rules.names.cards[card][0]), "play card" if verb == PLAY else "buy card")
    if verb == ABILITY:
        return Subject("ability", f"{BANDS[_owner(row, target)]} {_LETTERS[target]}", "use ability")
    if verb == COPY:
        return Subject("ability", f"{BANDS[detail]} {_LETTERS[target]}", "copy ability")
    if verb == CLAIM:
        return Subject("award", AWARDS[detail], "claim")
    name = VERBS[verb].replace("_", " ")
    if verb in (BUY_LEVEL, RAISE):
        name += f" {(*TRACKS, NONE_WORD)[detail]}"
    return Subject(ACTION, name)


def _owner(row: Any, slot: int) -> int:
    """The band whose ability ``slot`` the deciding seat uses."""
    me = row.seat[int(to_act(row))]
    copied = int(me.copies[slot]) if me.band == COVER_BOTS else NO_BAND
    return int(me.band) if copied == NO_BAND else copied


def things(rules: Rules) -> dict[str, tuple[str, ...]]:
    """Names by kind; of abilities those that are used by an action."""
    kinds = rules.packed["ability_kind"][0]
    abilities = [
        f"{band} {_LETTERS[slot]}" for k, band in enumerate(BANDS) for slot in range(2) if int(kinds[k, slot]) in _USED
    ]
    cards = dict.fromkeys(str(number) for number, _ in rules.names.cards)
    return {
        "space": (*SPACES, STAGE_WORD), "hit": tuple(rules.names.hits), "card": tuple(cards),
        "ability": tuple(abilities), "award": tuple(AWARDS),
    }  # fmt: skip
