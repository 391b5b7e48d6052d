"""PettingZoo's own conformance suites, on every configuration; the same games as everywhere else."""

from __future__ import annotations

import copy
import re

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.save_obs_test import test_save_obs as save_obs

from bridges import aec
from bridges.kernels.table import ENDED
from bridges.seat_env import SeatEnv
from experiments.cli import main
from simcore import registry
from simcore.errors import UsageError
from simcore.loop import JOB
from simcore.trace import events
from tests.bridges.configurations import CONFIGURATIONS, quiet, words_of


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_its_own_suites_pass(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    game, variant = CONFIGURATIONS[name]
    with quiet():
        api_test(aec.env(game, **variant), num_cycles=60)
        seed_test(lambda: aec.env(game, **variant), num_cycles=30)
        render_test(lambda render_mode=None: aec.env(game, render_mode=render_mode, **variant))
        save_obs(aec.env(game, **variant))
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["metalmania-3", "overdrive-coop-2"])
def test_its_own_suites_pass_with_named_arrays_and_shaping(name):
    game, variant = CONFIGURATIONS[name]
    with quiet():
        api_test(aec.env(game, observation="named", shaping=0.01, **variant), num_cycles=60)
        seed_test(lambda: aec.env(game, observation="named", shaping=0.01, **variant), num_cycles=30)


@pytest.mark.quick
@pytest.mark.parametrize("name", ["metalmania-2", "overdrive-2", "overdrive-solo"])
def test_a_seed_names_the_game_that_play_prints(name):
    game_name, variant = CONFIGURATIONS[name]
    game = registry.game(game_name)
    rules, job = game.rules(), np.zeros(1, JOB)
    last: list[np.ndarray] = []
    happened = events(
        game, rules, game.setup(variant, rules), job[0], [registry.agent("random", game)], master=5, last=last
    )
    asked = [one for one in happened if one.kind == "decision" and one.options > 1]
    env = aec.env(game_name, **variant)
    env.reset(seed=5)
    for one in asked:
        assert env.agent_selection == f"player_{one.seat}"
        for word in words_of(env.games, one.number):
            env.step(word)
    assert all(env.terminations.values())
    assert (env.games.slots[0]["state"] == last[0]).all()


@pytest.mark.quick
def test_a_seed_names_the_game_that_the_command_prints(capsys):
    """Each random choice that ``soundcheck play`` prints is said here, and the end is the one that it prints."""
    assert main(["play", "metalmania", "--players", "2", "--seed", "5", "--agent", "random", "--quiet"]) == 0
    printed = capsys.readouterr().out
    env = aec.env("metalmania", players=2)
    env.reset(seed=5)
    game, rules = env.setting.game, env.setting.rules
    for seat, text, options in re.findall(r"^  seat (\d)    (.*?) +\(of (\d+)\)$", printed, re.MULTILINE):
        assert env.agent_selection == f"player_{seat}"
        state, legal = env.games.slots[0]["state"][0], env.games.legal()
        texts = [game.format_action(state, rules, int(action)) for action in legal]
        assert len(texts) == int(options)
        for word in words_of(env.games, int(legal[texts.index(text)])):
            env.step(word)
    assert env.games.status[0] == ENDED
    fame = env.games.slots[0]["state"][0]["seat"]["fame"][:2]
    assert re.findall(r": score (\d+),", printed) == [str(one) for one in fame]


@pytest.mark.parametrize("made", [aec.env, SeatEnv])
def test_positions_are_returned_or_printed_in_words(made, capsys):
    env = made("metalmania", players=2, render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert "fame" in text
    env = made("metalmania", players=2, render_mode="human")
    env.reset(seed=1)
    env.render()
    assert capsys.readouterr().out == text + "\n"
    env.step(int(env.games.possible()[0]))
    assert "fame" in capsys.readouterr().out
    env = made("metalmania", players=2)
    env.reset(seed=1)
    with pytest.raises(UsageError, match="made without render_mode"):
        env.render()


def test_observations_that_were_kept_do_not_change():
    for form in ("vector", "named"):
        env, kept = aec.env("overdrive", players=2, observation=form), []
        env.reset(seed=1)
        for _ in range(20):
            shown = env.last()[0]
            kept.append((shown, copy.deepcopy(shown)))
            env.step(int(env.games.possible()[0]))
        for shown, then in kept:
            assert (shown["action_mask"] == then["action_mask"]).all()
            now, before = shown["observation"], then["observation"]
            for name in now if form == "named" else [...]:
                assert (now[name] == before[name]).all()


def test_the_reward_is_the_share_of_the_win_and_shaping_the_lead():
    env = aec.env("metalmania", players=3, shaping=0.5)
    env.reset(seed=2)
    total = dict.fromkeys(env.possible_agents, 0.0)
    random = np.random.default_rng(1)
    for _ in env.agent_iter():
        _, _, ended, _, _ = env.last(observe=False)
        env.step(None if ended else random.choice(env.games.possible()))
        if not ended:
            for name, reward in env.rewards.items():
                total[name] += reward
    fame = env.games.slots[0]["state"][0]["seat"]["fame"][:3].astype(float)
    lead = fame - (fame.sum() - fame) / 2
    share = env.games.finals[0]["share"][:3]
    assert share.sum() == 1
    assert list(total.values()) == pytest.approx(list(share + 0.5 * lead))


def test_what_last_says_adds_up_to_the_rewards():
    env = aec.env("overdrive", players=2)
    env.reset(seed=3)
    said = dict.fromkeys(env.possible_agents, 0.0)
    for name in env.agent_iter():
        _, reward, ended, given_up, _ = env.last(observe=False)
        said[name] += reward
        env.step(None if ended or given_up else env.games.possible()[0])
    assert sum(said.values()) == 1


def test_agents_of_ours_sit_beside_those_outside():
    env = aec.env(
        "overdrive", players=3, agents={0: "greedy", 2: "py:agents.examples.fans_first:FansFirst"}
    )  # fmt: skip
    env.reset(seed=1)
    assert env.possible_agents == ["player_1"]
    for _ in env.agent_iter():
        _, _, ended, _, _ = env.last(observe=False)
        env.step(None if ended else env.games.possible()[-1])
    assert not env.agents


def test_the_next_reset_is_the_next_block():
    env = aec.env("metalmania", players=2)
    env.reset(seed=4)
    env.reset()
    second = env.games.slots[0]["state"].copy()
    env.reset(seed=4, options={"block": 1})
    assert (env.games.slots[0]["state"] == second).all()


def test_a_wrong_action_is_named_and_changes_nothing():
    env = aec.env("metalmania", players=2)
    env.reset(seed=1)
    before = env.games.slots.tobytes()
    wrong = int(np.argmin(env.last()[0]["action_mask"]))
    with pytest.raises(UsageError, match=rf"action {wrong} \(.*\) is not legal; seat 0 may: \d+ \("):
        env.step(wrong)
    assert env.games.slots.tobytes() == before
    assert env.last()[0]["action_mask"][wrong] == 0
    env.step(int(np.argmax(env.last()[0]["action_mask"])))
    assert env.games.slots.tobytes() != before


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"render_mode": "rgb"}, "render_mode: unknown mode 'rgb'"),
        ({"observation": "vectr"}, "did you mean 'vector'"),
        ({"agents": {5: "random"}}, "seat 5: nobody plays there"),
        ({"agents": {0: "random", 1: "random"}}, "every seat is taken"),
        ({"bands": ["x"]}, "bands"),
    ],
)
def test_bad_settings_are_named(given, message):
    with pytest.raises(UsageError, match=message):
        aec.env("metalmania", players=2, **given)


def test_a_game_without_words_is_refused():
    with pytest.raises(UsageError, match="unknown game"):
        aec.env("chess", players=2)
