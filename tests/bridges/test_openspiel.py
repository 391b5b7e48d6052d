"""OpenSpiel's own conformance suites, its algorithms, and exact values on the tiny variants."""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, ismcts, mcts, minimax
from open_spiel.python.tests import games_sim_test

import bridges.openspiel  # noqa: F401 (registers the games)
from bridges import tiny
from bridges.rollouts import CompiledRollouts
from simcore import registry
from simcore.errors import UsageError
from tests.bridges import playthroughs
from tests.bridges.configurations import quiet

#: Every player count and mode.
GAMES = [
    *(f"metalmania(players={n})" for n in range(2, 6)),
    "overdrive", "overdrive(players=3)", "overdrive(players=4,speed_metal=True)", "overdrive_metallum",
    *(f"overdrive_metallum(mode=coop,players={n},difficulty=brutal)" for n in range(2, 5)),
]  # fmt: skip
TINY = ["metalmania", "overdrive"]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_its_own_suites_pass(name):
    with quiet():
        game = pyspiel.load_game(name)
        pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)
        games_sim_test.GamesSimTest().sim_game(game)


@pytest.mark.parametrize("name", TINY)
def test_its_own_suites_pass_on_tiny_games(name):
    game = pyspiel.load_game(f"{name}(tiny=True)")
    pyspiel.random_sim_test(game, num_sims=20, serialize=True, verbose=False)
    games_sim_test.GamesSimTest().sim_game(game)


@pytest.mark.parametrize("name", playthroughs.PLAYTHROUGHS)
def test_its_playthroughs_are_as_stored(name):
    """``python -m tests.bridges.playthroughs`` writes them anew with OpenSpiel's own tool."""
    assert playthroughs.text(name, replay=True) == playthroughs.path(name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", TINY)
def test_values_of_tiny_games_are_exact_and_the_same_both_ways(name):
    """Ours: enumeration through the engine; theirs: expectiminimax over dice thrown one by one."""
    ours, positions = tiny.value(registry.game(name))
    assert ours.sum() == pytest.approx(1)
    assert 0 < ours[0] < 1
    assert positions > 100
    root = pyspiel.load_game(f"{name}(tiny=True)").new_initial_state()
    for player in range(2):
        theirs, _ = minimax.expectiminimax(root, 10_000, None, player)
        assert theirs == pytest.approx(ours[player])


@pytest.mark.parametrize("name", TINY)
def test_tabular_algorithms_find_the_value(name):
    game = pyspiel.load_game(f"{name}(tiny=True)")
    ours, _ = tiny.value(registry.game(name))
    solver = cfr.CFRPlusSolver(game)
    for _ in range(4):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    gap = exploitability.nash_conv(game, policy)
    assert gap < 0.1
    assert expected_game_score.policy_value(game.new_initial_state(), [policy] * 2) == pytest.approx(ours[:2], abs=gap)


def past_chance(state, seed: int = 1):
    random = np.random.RandomState(seed)
    while state.is_chance_node():
        state.apply_action(int(random.choice([outcome for outcome, _ in state.chance_outcomes()])))
    return state


@pytest.mark.parametrize("name", ["metalmania(tiny=True)", "overdrive(tiny=True)", "overdrive"])
def test_mcts_plays(name):
    game = pyspiel.load_game(name)
    state, random = past_chance(game.new_initial_state()), np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 12, mcts.RandomRolloutEvaluator(1, random), random_state=random)
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("name", ["metalmania", "metalmania(tiny=True)"])
def test_compiled_playouts_are_worth_what_openspiel_s_are(name):
    """The same random games, one node at a time and in one call; and the state stays as it is."""
    game, random = pyspiel.load_game(name), np.random.RandomState(3)
    state = past_chance(game.new_initial_state())
    before = state.history(), str(state)
    count = 40 if name == "metalmania" else 400
    ours, theirs = (
        np.array([one.evaluate(state) for _ in range(count)])
        for one in (CompiledRollouts(random), mcts.RandomRolloutEvaluator(1, random))
    )
    assert (state.history(), str(state)) == before
    assert ours.sum(axis=1) == pytest.approx(1)
    spread = np.sqrt((ours[:, 0].var() + theirs[:, 0].var()) / count)
    assert spread > 0
    assert abs(ours[:, 0].mean() - theirs[:, 0].mean()) < 4 * spread


def test_compiled_playouts_finish_what_is_half_said():
    game, random = pyspiel.load_game("overdrive"), np.random.RandomState(1)
    state, kinds = game.new_initial_state(), set()
    while not state.is_terminal():
        kinds.add((bool(state.at.digits), bool(state.at.said)))
        assert CompiledRollouts(random).evaluate(state).sum() == 1
        state.apply_action(int(random.choice(state.legal_actions())))
    assert kinds == {(False, False), (True, False), (False, True)}
    assert (CompiledRollouts(random).evaluate(state) == state.returns()).all()


@pytest.mark.parametrize("name", ["overdrive_metallum(difficulty=brutal)", "overdrive_metallum(players=2,mode=coop)"])
def test_is_mcts_plays(name):
    game = pyspiel.load_game(name)
    state, random = past_chance(game.new_initial_state()), np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, random), 1.4, 8, random_state=random)
    assert bot.step(state) in state.legal_actions()


def test_face_down_cards_are_in_no_information_state():
    """A-DST-12: which card Metallum draws is not told, before the end; that it draws one is."""
    game = pyspiel.load_game("overdrive_metallum(difficulty=metalgeddon)")
    random, drawn = np.random.RandomState(2), 0
    for _ in range(3):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = [outcome for outcome, _ in state.chance_outcomes()]
                if state.is_hidden() and len(outcomes) > 1:
                    one, other = state.child(outcomes[0]), state.child(outcomes[-1])
                    assert one.information_state_string(0) == other.information_state_string(0)
                    assert one.observation_string(0) == other.observation_string(0)
                    assert one.observation_tensor(0) == other.observation_tensor(0)
                    assert str(one) != str(other)
                    drawn += 1
                state.apply_action(int(random.choice(outcomes)))
            else:
                assert state.information_state_string(0) == state.resample_from_infostate(
                    0, random.random_sample
                ).information_state_string(0)
                state.apply_action(int(random.choice(state.legal_actions())))
    assert drawn > 3


def test_parameters_say_what_is_played():
    game = pyspiel.load_game(
        "overdrive(players=2,bands=tnshe+epic_gods,rules=hits.back_in_box.price:6+options.unlock:reached)"
    )
    one = game.new_initial_state().world
    assert one.rules.overrides == {"hits.back_in_box.price": 6, "options.unlock": "reached"}
    assert "tnshe" in str(game.new_initial_state())
    with pytest.raises(UsageError, match="did you mean 'tnshe'"):
        pyspiel.load_game("overdrive", {"bands": "tnshee+epic_gods"})
    with quiet():
        assert pyspiel.load_game("overdrive_metallum(mode=coop,players=4)").num_players() == 4
