"""Words: one meaning each, every action can be said, and what is seen keeps to its ranges and hides what is hidden."""

from __future__ import annotations

import numpy as np
import pytest

from bridges import reference
from bridges.games import Games, Setting
from bridges.language import LANGUAGES
from simcore.streams import RNG
from tests.bridges.configurations import CONFIGURATIONS, play, quiet

#: Rules under which actions carry more than usual.
_ODD_RULES = {
    "metalmania": {
        "options.die_bounds": "free", "options.judge": "natural_six_fails", "options.bonus_window": "both",
        "options.reassign": "own_turn", "options.voluntary_nonpayment": "true", "options.event6": "worsen",
        "options.bonus_amount": "split",
    },
    "overdrive": {
        "options.void_allocation": "legal", "options.card5": "each_free", "options.protect_card": "reaction",
        "options.tnshe_faces": "set_face", "options.cover_choice": "each_round", "options.unlock": "reached",
    },
}  # fmt: skip


def spelled(games: Games) -> dict[tuple[int, ...], int]:
    """Every action that may be chosen now, by the words that spell it (as the agents' side spells them)."""
    setting, slot = games.setting, games.slots[0]
    seat, rules = int(slot["seat"]), setting.rules.packed[0]
    found = {}
    for action in games.legal():
        words = tuple(
            int(setting.language.word(slot["state"][0], rules, int(action), seat, level))
            for level in range(setting.language.levels)
        )
        assert words not in found, f"{words} spells {found.get(words)} and {action}"
        found[words] = int(action)
    return found


@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_words_tell_all_actions_apart(name, odd):
    game, variant = CONFIGURATIONS[name]
    with quiet():
        games = Games(Setting(game, variant, _ODD_RULES[game] if odd else None))
    games.open(1)
    for k, now in enumerate(play(games, seed=1, most=250)):
        if now.reports[0]["level"] == 0 and k % 5 == 0:
            words = spelled(now)
            assert all(-1 <= word < now.setting.language.words for one in words for word in one)
            assert set(np.flatnonzero(now.masks[0])) == set(now.possible().tolist())


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_many_games_never_lack_a_word(name):
    game, variant = CONFIGURATIONS[name]
    with quiet():
        games = Games(Setting(game, variant), 64, auto=True, seen=False)
    games.open(2)
    random = np.random.default_rng(3)
    every = np.arange(64)
    for _ in range(400):
        games.say(games.spellings["word"][every, random.integers(games.spellings["n"])])


@pytest.mark.parametrize("game", LANGUAGES)
def test_every_word_has_a_name_of_its_own(game):
    games = Games(Setting(game, {"players": 2}))
    assert len(set(games.word_names)) == len(games.word_names) == games.setting.language.words


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_what_is_seen_keeps_to_its_ranges(name):
    game, variant = CONFIGURATIONS[name]
    with quiet():
        games = Games(Setting(game, variant))
    spoken, seats = games.setting.language, games.setting.seats
    low, high = spoken.ranges(seats)
    rows = np.zeros((1, len(low)), np.int16)
    games.open(6)
    for now in play(games, seed=4, most=300):
        rows[:] = 0
        state = now.slots[0]["state"][0]
        used = spoken.see(state, now.setting.rules.packed[0], int(now.reports[0]["seat"]), rows, 0)
        assert used == len(low) - spoken.levels
        outside = np.flatnonzero((rows[0] < low) | (rows[0] > high))
        assert not len(outside), [f.name for f in spoken.fields(seats) if f.start <= outside[0]][-1]
        assert ((now.vectors >= 0) & (now.vectors <= 1)).all()
        assert (now.rows[0] == now.seen_by(int(now.reports[0]["seat"]))[0]).all()


@pytest.mark.parametrize("name", ["overdrive-coop-2", "overdrive-coop-3", "overdrive-coop-4"])
def test_face_down_cards_are_in_no_observation(name):
    """A-DST-12: another deal of what is hidden looks the same to every player."""
    game, variant = CONFIGURATIONS[name]
    with quiet():
        games = Games(Setting(game, variant))
    games.open(3)
    rng, differed = np.zeros(1, RNG), 0
    for now in play(games, seed=1):
        for seat in now.setting.players:
            before, state = now.seen_by(seat), now.slots[0]["state"].copy()
            text = now.text(seat)
            now.setting.game.engine.kernels.hide(now.slots[0]["state"][0], now.setting.rules.packed[0], seat, rng[0])
            differed += now.slots[0]["state"].tobytes() != state.tobytes()
            assert all((a == b).all() for a, b in zip(before, now.seen_by(seat), strict=True))
            assert now.text(seat) == text
            now.slots[0]["state"][:] = state
    assert differed > 5


def test_named_parts_are_what_the_view_says():
    games = Games(Setting("overdrive", {"players": 3, "bands": ["tnshe", "rebeldogs", "epic_gods"]}))
    games.open(2)
    for now in play(games, seed=2, most=120):
        viewer = int(now.reports[0]["seat"])
        shown = now.setting.game.view(now.slots[0]["state"][0], now.setting.rules, viewer)
        parts = now.named(now.rows[0])
        for other in range(3):
            seat = shown["seats"][(viewer + other) % 3]
            assert [seat[k] for k in ("fans", "fame", "grana", "overdrive")] == parts["tracks"][other].tolist()
            assert "".join(face * n for face, n in zip("HSCI", parts["pool"][other], strict=True)) == seat["pool"]
            assert parts["hand"][other].sum() == len(seat["hand"])
        assert parts["offered"].sum() == len(shown["table"]["distortions"])
        assert parts["moment"][0] == shown["round"]
        dice = sum(len([c for c in lot.split(":")[1] if c in "HSCI"]) for v in shown["spaces"].values() for lot in v)
        assert parts["placed"].sum() == parts["owned"].sum() == dice


def test_named_parts_of_metal_mania_are_what_the_view_says():
    games = Games(Setting("metalmania", {"players": 4}))
    games.open(2)
    for now in play(games, seed=2, most=150):
        viewer = int(now.reports[0]["seat"])
        shown = now.setting.game.view(now.slots[0]["state"][0], now.setting.rules, viewer)
        parts = now.named(now.rows[0])
        for other in range(4):
            seat = shown["seats"][(viewer + other) % 4]
            assert [parts["fame"][other], parts["money"][other]] == [seat["fame"], seat["money"]]
            assert parts["levels"][other].tolist() == list(seat["levels"].values())
            assert parts["artists"][other].sum() == len(seat["conditions"])
        assert parts["display"].sum() == len(shown["display"])
        assert parts["turn"].argmax() == (shown["turn"] - viewer) % 4
        assert parts["asked"].argmax() == 0


def test_the_reference_is_current():
    """``python -m bridges.reference`` writes it anew."""
    assert reference.PAGE.read_text(encoding="utf-8") == "\n".join(reference.lines()) + "\n"
