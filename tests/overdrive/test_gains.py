"""Gains and the passives they set off: one event at a time."""

import pytest

from overdrive_sim.game import OVERDRIVE as GAME
from overdrive_sim.kernels import gains
from overdrive_sim.kernels.layout import (
    BANDS,
    CHOOSE_COPY_A,
    CHOOSE_COPY_B,
    CHOOSE_COPY_C,
    CHOOSE_RAISE,
    FAME,
    FANS,
    GRANA,
    NO_BAND,
    OVERDRIVE,
)  # fmt: skip
from overdrive_sim.kernels.rules import EXTRA_FANS, NO_ABILITY, STAGE
from tests.overdrive.tables import fresh

pytestmark = pytest.mark.quick

TRACKS = {"fans": FANS, "fame": FAME, "grana": GRANA, "overdrive": OVERDRIVE}


def after(band, start, events, options=None, other="dead_and_death", copies=()):
    """(levels, used abilities, pending choices) of a band after events, all levels 0 but those of ``start``."""
    rules = GAME.rules({f"options.{name}": value for name, value in (options or {}).items()})
    state = fresh({"players": 2, "bands": [band, other]}, rules)
    me = state.seat[0]
    me.grana = 0
    for name, level in start.items():
        me[name] = level
    for slot, name in enumerate(copies):
        me.copies[slot] = BANDS.index(name)
    for track, amount in events:
        gains.gain(state, rules.packed[0], 0, TRACKS[track], amount)
    levels = {name: int(me[name]) for name in TRACKS if me[name]}
    choices = [int(kind) for kind in state.choice_kind[: state.choices]]
    assert all(int(me.most[track]) >= levels.get(name, 0) for name, track in TRACKS.items() if name not in start)
    return levels, int(me.abilities_used), choices


@pytest.mark.parametrize(
    ("band", "start", "events", "levels", "used"),
    [
        # A gain of nothing is no event.
        ("starssacration", {"overdrive": 3}, [("fans", 0)], {"overdrive": 3}, 0),
        # R-ABL-02: one more for each gain, whatever its size.
        ("starssacration", {"overdrive": 3}, [("fans", 2), ("fans", 1)], {"fans": 5, "overdrive": 3}, 0),
        ("starssacration", {"overdrive": 2}, [("fans", 2)], {"fans": 2, "overdrive": 2}, 0),
        # R-ABL-08, A-ABL-4: the raise that unlocks does not trigger.
        ("rebeldogs", {"overdrive": 3}, [("overdrive", 2), ("overdrive", 1)], {"overdrive": 8}, 0),
        ("rebeldogs", {"overdrive": 2}, [("overdrive", 1), ("overdrive", 1)], {"overdrive": 5}, 0),
        # R-ABL-11: once a round.
        ("allienogenn", {"overdrive": 3}, [("fans", 3), ("fans", 1)], {"fans": 4, "fame": 1, "overdrive": 3}, 2),
        # R-ABL-13, R-ABL-14, A-ABL-5.
        ("illuminatti_you_2", {"overdrive": 1}, [("grana", 2), ("grana", 1)], {"grana": 5, "overdrive": 1}, 0),
        ("illuminatti_you_2", {"overdrive": 3}, [("overdrive", 2)], {"grana": 3, "overdrive": 5}, 0),
        ("illuminatti_you_2", {"overdrive": 2}, [("overdrive", 2)], {"overdrive": 4}, 0),
        # Passives of other tracks stay out of it.
        ("starssacration", {"overdrive": 3}, [("fame", 1), ("grana", 2)], {"fame": 1, "grana": 2, "overdrive": 3}, 0),
    ],
)
def test_passives(band, start, events, levels, used):
    assert after(band, start, events) == (levels, used, [])


def test_epic_gods_choose_once_a_gain():
    """R-ABL-32, A-ABL-7."""
    start = {"overdrive": 3}
    assert after("epic_gods", start, [("fans", 3), ("fans", 1)])[2] == [CHOOSE_RAISE, CHOOSE_RAISE]
    assert after("epic_gods", start, [("fans", 3)], {"epic_b": "per_level"})[2] == [CHOOSE_RAISE] * 3
    assert after("epic_gods", start, [("fans", 3)], {"epic_b": "single_level_only"})[2] == []
    assert after("epic_gods", start, [("fans", 1)], {"epic_b": "single_level_only"})[2] == [CHOOSE_RAISE]
    assert after("epic_gods", {"overdrive": 2}, [("fans", 1)])[2] == []


def test_passive_limit_of_a_round():
    """A-ABL-2."""
    limit = {"passive_limit": "round"}
    assert after("starssacration", {"overdrive": 3}, [("fans", 1), ("fans", 1)], limit)[:2] == (
        {"fans": 3, "overdrive": 3},
        2,
    )
    assert after("illuminatti_you_2", {"overdrive": 1}, [("grana", 1), ("grana", 1)], limit)[:2] == (
        {"grana": 3, "overdrive": 1},
        1,
    )
    assert after("epic_gods", {"overdrive": 3}, [("fans", 1), ("fans", 1)], limit)[2] == [CHOOSE_RAISE]


def test_track_cap():
    """A-TRK-1: at the cap nothing is gained, so nothing is set off."""
    cap = {"track_cap": 20}
    assert after("allienogenn", {"overdrive": 3, "fans": 20}, [("fans", 2)], cap)[:2] == (
        {"fans": 20, "overdrive": 3},
        0,
    )
    assert after("rebeldogs", {"overdrive": 19}, [("overdrive", 1)], cap)[0] == {"overdrive": 20}
    assert after("illuminatti_you_2", {"overdrive": 19}, [("overdrive", 3)], cap)[0] == {"overdrive": 20, "grana": 2}
    assert after("illuminatti_you_2", {"overdrive": 25}, [("overdrive", 1)])[0] == {"overdrive": 26, "grana": 2}


def test_cover_bots_are_asked_for_every_slot_they_reach():
    """R-ABL-22 to R-ABL-24, A-ABL-11."""
    assert after("cover_bots", {}, [("overdrive", 3)])[2] == [CHOOSE_COPY_A, CHOOSE_COPY_B]
    assert after("cover_bots", {"overdrive": 3}, [("overdrive", 2)])[2] == []
    assert after("cover_bots", {"overdrive": 5}, [("overdrive", 1)])[2] == [CHOOSE_COPY_C]


def test_cover_bots_use_what_they_copied():
    """A-ABL-11: own levels, own counters."""
    copies = ("illuminatti_you_2", "allienogenn")
    assert after("cover_bots", {"overdrive": 3}, [("grana", 1), ("fans", 1), ("fans", 1)], copies=copies)[:2] == (
        {"grana": 2, "fans": 2, "fame": 1, "overdrive": 3},
        2,
    )
    assert after("cover_bots", {"overdrive": 2}, [("fans", 1)], copies=copies)[0] == {"fans": 1, "overdrive": 2}


def test_what_a_seat_has_unlocked():
    """R-BND-02 to R-BND-04, R-TRK-07, R-TRK-08, A-BND-2."""
    rules = GAME.rules()
    state = fresh({"players": 3, "bands": ["starssacration", "shirtless_vikings", "cover_bots"]}, rules)
    table = rules.packed[0]
    for level, kind in ((2, NO_ABILITY), (3, EXTRA_FANS)):
        state.seat[0].overdrive = level
        assert gains.ability(state, table, 0, 1) == kind
    state.seat[2].overdrive = 6
    assert gains.ability_band(state, table, 2, 2) == NO_BAND
    state.seat[2].copies[1] = BANDS.index("shirtless_vikings")
    assert gains.ability(state, table, 2, 1) == STAGE
    me = state.seat[1]
    me.fans, me.fame = 5, 4
    assert gains.has_second_symbol(state, table, 1)
    assert not gains.has_shield(state, table, 1)
    me.fans, me.most[FANS], me.fame = 4, 5, 5
    assert not gains.has_second_symbol(state, table, 1)
    assert gains.has_shield(state, table, 1)
    reached = GAME.rules({"options.unlock": "reached"}).packed[0]
    assert gains.has_second_symbol(state, reached, 1)


def test_choices_are_answered_first_in_first_out():
    rules = GAME.rules()
    state = fresh({"players": 2, "bands": ["cover_bots", "epic_gods"]}, rules)
    for kind, seat in ((CHOOSE_COPY_A, 0), (CHOOSE_RAISE, 1), (CHOOSE_COPY_B, 0)):
        gains.push_choice(state, kind, seat)
    seen = []
    while state.choices:
        seen.append((int(state.choice_kind[0]), int(state.choice_seat[0])))
        gains.pop_choice(state)
    assert seen == [(CHOOSE_COPY_A, 0), (CHOOSE_RAISE, 1), (CHOOSE_COPY_B, 0)]
