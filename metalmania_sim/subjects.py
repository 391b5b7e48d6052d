"""What Metal Mania's actions are about: artists, record companies, Equalizer bonuses, events."""

from __future__ import annotations

from typing import Any

from metalmania_sim.kernels import actions, events
from metalmania_sim.kernels.layout import (
    AUDITION,
    COMPANY,
    EQUALIZERS,
    FIRST_EVENT,
    HIRE,
    KEEP,
    LAST_EVENT,
    SHIFT,
    USE_ADVERTISING,
    USE_PERFORMANCE,
    VERBS,
)
from metalmania_sim.ruleset import Rules
from simcore.subjects import ACTION, Subject


def subject(row: Any, rules: Rules, action: int) -> Subject:
    """What a legal action is about in the position ``row``; a shift of the event roll: the event that it leads to."""
    verb, detail = int(actions.verb_of(action)), int(actions.detail_of(action))
    if verb in (HIRE, AUDITION):
        return Subject("artist", rules.names.artists[int(actions.artist_of(action))], VERBS[verb])
    if verb == COMPANY:
        return Subject("company", rules.names.companies[detail], "choose")
    if USE_PERFORMANCE <= verb <= USE_ADVERTISING:
        return Subject("bonus", EQUALIZERS[verb - USE_PERFORMANCE], "use bonus")
    if verb in (SHIFT, KEEP):
        return Subject(
            "event", _event(row, rules, detail if verb == SHIFT else None), "shift to" if verb == SHIFT else "keep"
        )
    return Subject(ACTION, VERBS[verb].replace("_", " "))


def _event(row: Any, rules: Rules, up: int | None) -> str:
    """The event that stays (``up`` None) or that one more paid step leads to."""
    numeric = rules.packed[0]
    if up is None:
        return event_name(rules, int(events.number(row, numeric)))
    after = row.copy()
    events.shift(after, numeric, up)
    return event_name(rules, int(events.number(after, numeric)))


def event_name(rules: Rules, number: int) -> str:
    """Number and printed name of an event."""
    return f"{number} {rules.names.events[number]}"


def things(rules: Rules) -> dict[str, tuple[str, ...]]:
    """Names by kind."""
    return {
        "artist": tuple(rules.names.artists), "company": tuple(rules.names.companies), "bonus": tuple(EQUALIZERS),
        "event": tuple(event_name(rules, number) for number in range(FIRST_EVENT, LAST_EVENT + 1)),
    }  # fmt: skip
