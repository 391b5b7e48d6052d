"""Personas do what their line says; restricted agents never do what they go without."""

import numpy as np
import pytest

from agents.personas import PERSONAS
from metalmania_sim.game import METALMANIA
from metalmania_sim.kernels.layout import VERBS as METALMANIA_VERBS
from overdrive_sim.game import OVERDRIVE
from overdrive_sim.kernels.layout import JAM_SESSION, OPPORTUNITY
from overdrive_sim.kernels.layout import VERBS as OVERDRIVE_VERBS
from simcore import registry
from simcore.errors import UsageError
from simcore.loop import JOB, OVER
from simcore.play import Played, play_jobs
from tests.agents.playing import line_ups, rules_of


def _played(game, text: str, games: int = 40) -> Played:
    """Games in which seat 0 plays ``text`` among two greedy players, with tallies."""
    jobs = np.zeros(games, JOB)
    jobs["block"] = jobs["setup"] = np.arange(games)
    jobs["agent"][:, 1:] = 1
    agents = [registry.agent(text, game), registry.agent("greedy", game)]
    return play_jobs(game, [rules_of(game)], line_ups(game, 3, games), jobs, agents, 3, watch=True)


def _level(name):
    return lambda played: played.results["seat"][name][:, 0].mean()


def _did(*verbs):
    places = [OVERDRIVE_VERBS.index(verb) for verb in verbs]
    return lambda played: played.tallies["seat"]["verb"][:, 0, places].sum(axis=1).mean()


def _chose(verb):
    return lambda played: (
        played.tallies["verb"][:, 0, METALMANIA_VERBS.index(verb)] / played.results["turns_of"][:, 0]
    ).mean()


def _sabotage(played):
    return played.tallies["seat"]["space"][:, 0][:, [JAM_SESSION, OPPORTUNITY]].sum(axis=1).mean()


#: What each persona has more of than greedy.
MORE = {
    "fans_rush": _level("fans"), "fame_climber": _level("fame"), "overdrive_virtuoso": _level("overdrive"),
    "hit_collector": _level("hits"), "distortion_hoarder": _level("cards"), "battle_fighter": _did("attack"),
    "award_hunter": _level("award_points"), "saboteur": _sabotage,
    "performer": _chose("perform"), "studio_band": _chose("record"), "advertiser": _chose("advertise"),
    "star_hirer": _chose("audition"), "party_band": _chose("beers"), "miser": lambda p: p.results["money"][:, 0].mean(),
    "spoiler": lambda played: played.tallies["bonus"][:, 0, 1].sum(axis=1).mean(),
}  # fmt: skip


@pytest.mark.parametrize("persona", PERSONAS, ids=lambda one: one.name)
def test_a_persona_does_what_its_line_says(persona):
    game = registry.game(persona.games[0])
    # Greedy takes nearly all awards that there are: little can be added.
    games, factor = (120, 1.03) if persona.name == "award_hunter" else (40, 1.1)
    own, greedy = _played(game, persona.name, games), _played(game, "greedy", games)
    assert (own.counts["status"] == OVER).all()
    assert MORE[persona.name](own) > factor * MORE[persona.name](greedy)


@pytest.mark.quick
def test_each_game_has_seven_personas_with_a_line():
    for name in ("overdrive", "metalmania"):
        assert sum(one.games == (name,) for one in PERSONAS) >= 7
    for one in PERSONAS:
        assert registry.kind(one.name) is one
        assert one.doc.endswith(".")
        assert set(one.weights) <= set(one.parameters)


def test_weights_of_a_persona_are_parameters():
    one, other = _played(OVERDRIVE, "fans_rush", 10), _played(OVERDRIVE, "fans_rush:w_fans=0.1,w_fame=4", 10)
    assert other.results["seat"]["fame"][:, 0].mean() > one.results["seat"]["fame"][:, 0].mean()


@pytest.mark.parametrize("base", ["random", "greedy", "mcts:iterations=4", "py:agents.examples.fans_first:FansFirst"])
def test_any_agent_can_go_without(base):
    """What is forbidden is not done; the same agent without restriction does it, but for the Python one."""
    words = "without=reroll+attack+buy_hit"
    played = _played(OVERDRIVE, f"{base}{',' if ':i' in base else ':'}{words}", 6)
    assert _did("reroll", "attack", "buy_hit")(played) == 0
    if not base.startswith("py:"):
        assert _did("reroll", "attack", "buy_hit")(_played(OVERDRIVE, base, 6)) > 0


def test_first_is_done_wherever_it_can_be():
    played = _played(METALMANIA, "greedy:first=beers", 6)
    assert _chose("beers")(played) > 0.9


def test_spaces_hits_cards_and_artists_have_words():
    words = OVERDRIVE.patterns(rules_of(OVERDRIVE))
    assert {"jam_session", "back_in_box", "card_7", "distortions"} <= set(words)
    played = _played(OVERDRIVE, "random:without=jam_session+opportunity", 10)
    assert _sabotage(played) == 0
    assert _sabotage(_played(OVERDRIVE, "random", 10)) > 0
    artists = rules_of(METALMANIA).names.artists
    played = _played(METALMANIA, "random:without=" + "+".join(artists), 10)
    assert played.results["auditions"][:, 0].sum() == 0


def test_words_are_checked():
    with pytest.raises(UsageError, match="did you mean 'reroll'"):
        registry.agent("random:without=rerol", OVERDRIVE)
    with pytest.raises(UsageError, match="did you mean 'without'"):
        registry.agent("random:withot=reroll", OVERDRIVE)
