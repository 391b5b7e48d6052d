"""Every value of every rule option makes a difference: some game comes out otherwise than by the default.

Each option is played where it matters: its mode, its bands, and, where the occasion is rare, data that make it
frequent.  Both rule sets play the same seeds with random agents, until the first game whose result differs.
"""

import pytest

from overdrive_sim.kernels.layout import BANDS
from overdrive_sim.kernels.rules import OPTIONS
from overdrive_sim.model import OPTION_TABLE
from overdrive_sim.ruleset import load_rules
from overdrive_sim.setup import deal_bands, make_setup
from tests.difference import first_difference

FOUR = {"players": 4, "bands": ["starssacration", "dead_and_death", "epic_gods", "illuminatti_you_2"]}
COPIES = {"players": 4, "bands": ["cover_bots", "tnshe", "shirtless_vikings", "powergirls"]}
TWO = {"players": 2, "bands": ["dead_and_death", "rebeldogs"]}
SOLO = {"players": 1, "mode": "solo", "difficulty": "metalgeddon", "bands": ["rebeldogs"]}
COOP = {"players": 3, "mode": "coop", "difficulty": "hardcore", "bands": ["rebeldogs", "tnshe", "epic_gods"]}
RICH = {"start.grana": [15, 15, 15, 15]}
#: Abilities from the start.
UNLOCKED = {"levels.a": 0, "levels.b": 0, "levels.c": 0}

#: (variant, overrides of both rule sets) in which an option is looked at; the others are played by FOUR.
WHERE = {
    "metallum_start": (SOLO, {}),
    "human_grana_from": (SOLO, {}),
    "track_cap": (FOUR, {"start.grana": [20, 20, 20, 20]}),  # A-TRK-1: whoever does not spend at once is at the cap
    "double_place": (TWO, {}),
    "void_allocation": (TWO, {}),
    "buy_occupied": (FOUR, RICH),
    "cards_in_battle": (FOUR, RICH),
    "protect_card": (FOUR, RICH),
    "card5": (FOUR, RICH),
    "ability_limit": (FOUR, UNLOCKED),
    "passive_limit": (FOUR, UNLOCKED),
    "battle_gain": (FOUR, UNLOCKED),
    "epic_b": (FOUR, UNLOCKED),
    "multi_track": (COPIES, UNLOCKED),
    "cover_choice": (COPIES, {}),
    "tnshe_faces": (COPIES, UNLOCKED),
    # A-BND-2: Dead & Death trade Fans away; one level of them already gives the second symbol.
    "unlock": (TWO, {**UNLOCKED, "levels.symbol": 1}),
    # A-END-1: one round without a battle, everybody with the same band, levels and Grana.
    "full_tie": (
        {"players": 2, "bands": ["tnshe", "tnshe"]},
        {"rounds.last": 1, "rounds.battles": [], "start.grana": [0, 0, 0, 0], "options.allow_same_bands": True},
    ),
    "metallum_buys": (SOLO, {}),
    "metallum_tie": (SOLO, {}),
    "metallum_cancel": (SOLO, {}),
    "metallum_attack": (COOP, {}),
    "metallum_scores": (SOLO, {}),
    "metallum_shield": (COOP, {"levels.shield": 1}),
    "coop_attacks": (COOP, {}),
}


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, values in OPTIONS.items() for v in values[1:]])
def test_every_value_changes_a_game(name, value):
    variant, base = WHERE.get(name, (FOUR, {}))
    assert first_difference("overdrive", variant, {f"options.{name}": value}, base) is not None


def test_every_option_is_looked_at():
    """All that the kernels read, and of the rest each in a test of its own below."""
    assert set(WHERE) <= set(OPTIONS)
    assert set(OPTION_TABLE) - set(OPTIONS) == {"hit_deck", "band_setup", "allow_same_bands"}


@pytest.mark.parametrize(
    "changed",
    [
        {"options.hit_deck": "rulebook10"},  # G-02
        {"options.resources": {"face": "skull"}},  # G-07
        {"options.resources": {"grana": 2}},  # G-07
        {"options.overdrive_points": {1: 1, 3: 2, 6: 4, 10: 5}},  # G-05
        {"options.overdrive_points": {1: 1, 3: 3, 6: 4, 10: 5}},  # G-05
    ],
    ids=str,
)
def test_every_choice_of_data_changes_a_game(changed):
    """G-02, G-05, G-07: the data that the rulings name beside the options."""
    assert first_difference("overdrive", FOUR, changed) is not None


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_another_first_player_changes_a_game(seat):
    """A-TURN-1."""
    assert first_difference("overdrive", FOUR, {}, changed_variant={**FOUR, "first_player": seat}) is not None


@pytest.mark.quick
@pytest.mark.parametrize("setup", ["random", "sheets"])
def test_band_setup_changes_who_plays(setup):
    """G-10: it acts before the game: the engine receives the bands, so nothing inside a game can differ."""
    pairs = [["rebeldogs", "tnshe"], ["epic_gods", "powergirls"], ["allienogenn", "cover_bots"]]
    free = deal_bands({"players": 3}, load_rules(), 0, pairs)
    rules = load_rules({"options.band_setup": setup})
    assert any(deal_bands({"players": 3}, rules, seed, pairs) != free for seed in range(20))


@pytest.mark.quick
def test_allow_same_bands_changes_only_what_is_accepted():
    """For tests alone: with different bands no game can differ, and equal ones are refused without it."""
    on = load_rules({"options.allow_same_bands": True})
    plain = load_rules()
    for name in on.packed.dtype.names:
        if name != "allow_same_bands":
            assert on.packed[name].tobytes() == plain.packed[name].tobytes()
    assert make_setup({"bands": [BANDS[0], BANDS[0]]}, on)[0]["seats"] == 2


def test_the_same_rules_never_differ():
    """The comparison itself: equal rules give equal games, seed by seed."""
    assert first_difference("overdrive", FOUR, {}, most=4) is None
