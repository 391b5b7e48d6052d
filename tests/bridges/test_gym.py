"""Gymnasium's own checker; many games at once are the same games as one at a time."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from bridges.games import Games, Setting
from bridges.seat_env import SeatEnv
from bridges.table_env import TableEnv
from simcore.errors import UsageError
from tests.bridges.configurations import CONFIGURATIONS, quiet


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_its_own_checker_passes(name):
    game, variant = CONFIGURATIONS[name]
    opponents = ["random"] if variant["players"] > 1 else []
    with quiet():
        check_env(SeatEnv(game, opponents=opponents, **variant))
        check_env(SeatEnv(game, opponents=opponents, observation="named", render_mode="ansi", shaping=0.1, **variant))


def finish(env: SeatEnv, seed: int) -> tuple[float, int]:
    """(sum of rewards, words) of one game in which the first word is always said."""
    _, info = env.reset(seed=seed)
    total, words, over = 0.0, 0, False
    while not over:
        _, reward, ended, given_up, info = env.step(int(np.argmax(info["action_mask"])))
        total, words, over = total + reward, words + 1, ended or given_up
    return total, words


def test_python_and_compiled_opponents_play():
    env = SeatEnv("overdrive", players=3, seat=1, opponents=["greedy", "py:agents.examples.fans_first:FansFirst"])
    assert finish(env, 3) == finish(env, 3)
    assert env.action_masks().sum() == 0


def test_a_wrong_word_loses_or_raises():
    env = SeatEnv("metalmania", players=2)
    _, info = env.reset(seed=1)
    wrong = int(np.argmin(info["action_mask"]))
    _, reward, ended, _, info = env.step(wrong)
    assert (reward, ended) == (-1.0, True)
    assert "is not legal" in info["illegal"]
    env = SeatEnv("metalmania", players=2, on_illegal="raise")
    env.reset(seed=1)
    with pytest.raises(UsageError, match="is not legal"):
        env.step(wrong)


@pytest.mark.parametrize("name", ["metalmania-3", "overdrive-2", "overdrive-coop-2"])
def test_many_games_are_the_same_as_one_at_a_time(name):
    game, variant = CONFIGURATIONS[name]
    count = 6
    envs = TableEnv(game, count, opponents=["random"], observation="rows", shaping=0.01, copy=True, **variant)
    rows, info = envs.reset(seed=9)
    singles = [SeatEnv(game, opponents=["random"], shaping=0.01, **variant) for _ in range(count)]
    masks = [
        single.reset(seed=9, options={"block": i})[1]["action_mask"] for i, single in enumerate(singles)
    ]  # fmt: skip
    blocks = list(range(count))
    for _ in range(700 if game == "metalmania" else 250):
        assert (info["action_mask"] == masks).all()
        for i, single in enumerate(singles):
            assert (rows[i] == single.games.rows[0]).all()
        words = info["action_mask"].shape[1] - 1 - info["action_mask"][:, ::-1].argmax(1)
        rows, rewards, ended, given_up, info = envs.step(words)
        for i, single in enumerate(singles):
            _, reward, over, stopped, one = single.step(int(words[i]))
            assert (rewards[i], ended[i], given_up[i]) == (pytest.approx(reward), over, stopped)
            if over:
                blocks[i] += count
                _, one = single.reset(seed=9, options={"block": blocks[i]})
            masks[i] = one["action_mask"]
    assert max(blocks) >= count


def test_all_seats_can_be_played_from_outside():
    envs = TableEnv("metalmania", 32, players=3)
    _, info = envs.reset(seed=1)
    shares = np.zeros(3)
    for _ in range(900):
        spoke = info["seat"].copy()
        _, rewards, ended, _, info = envs.step(info["action_mask"].argmax(1))
        shares += info["share"][ended].sum(axis=0)
        assert (rewards[ended] == info["share"][ended, spoke[ended]]).all()
        assert not rewards[~ended].any()
    assert shares.sum() == pytest.approx(round(shares.sum()))
    assert shares.sum() > 10


def test_observations_and_masks_can_be_left_out():
    envs = TableEnv("overdrive", 4, players=2, opponents=["random"], observation="none", masks=False)
    rows, info = envs.reset(seed=1)
    assert rows.shape == envs.observation_space.shape == (4, 0)
    assert "action_mask" not in info
    assert envs.games.masks.shape[0] == 0


def test_masks_are_the_listed_words_and_nobody_else_may_write_them():
    for game in ("metalmania", "overdrive"):
        envs = TableEnv(game, 5, players=2)
        _, info = envs.reset(seed=1)
        for k in range(400):
            for i in range(5):
                listed = set(envs.legal_words[i, : envs.legal_counts[i]].tolist())
                assert set(np.flatnonzero(info["action_mask"][i]).tolist()) == listed
            if k == 200:
                _, info = envs.reset()
            *_, info = envs.step(info["action_mask"].argmax(1))
        with pytest.raises(ValueError, match="read-only"):
            info["action_mask"][0, 0] = 1


def test_a_wrong_word_leaves_the_mask_as_it_was():
    env = SeatEnv("metalmania", players=2, on_illegal="raise")
    _, info = env.reset(seed=1)
    before = info["action_mask"]
    with pytest.raises(UsageError, match="is not legal"):
        env.step(int(np.argmin(before)))
    assert (env.action_masks() == before.astype(bool)).all()
    env.step(int(np.argmax(before)))


def test_single_games_can_be_looked_at():
    lean = TableEnv("overdrive", 6, players=3, observation="none", masks=False)
    full = TableEnv("overdrive", 6, players=3)
    lean.reset(seed=2)
    vectors, info = full.reset(seed=2)
    for _ in range(60):
        assert (lean.observe() == vectors).all()
        assert (lean.observe([4, 1]) == vectors[[4, 1]]).all()
        words = info["action_mask"].argmax(1)
        lean.step(words)
        vectors, *_, info = full.step(words)


def test_a_wrong_word_among_many_names_its_game():
    envs = TableEnv("metalmania", 8, players=2)
    _, info = envs.reset(seed=1)
    words = info["action_mask"].argmax(1)
    words[5] = int(np.argmin(info["action_mask"][5]))
    with pytest.raises(UsageError, match="game 5: action"):
        envs.step(words)
    assert not envs.games.status.any()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"opponents": ["random"] * 3}, "opponents: 3 for 1 seats"),
        ({"opponents": ["py:agents.examples.fans_first:FansFirst"]}, "only compiled agents"),
        ({"seat": 7, "opponents": ["random"]}, "nobody plays in seat 7"),
        ({"observation": "pixels"}, "observation: unknown form"),
        ({"num_envs": 0}, "num_envs: 0 is too small"),
    ],
)
def test_bad_settings_are_named(given, message):
    with pytest.raises(UsageError, match=message):
        TableEnv("overdrive", **{"num_envs": 2, "players": 2, **given})


def test_numbers_of_many_games_are_the_setting_s():
    games = Games(Setting("metalmania", {"players": 2}), 5)
    games.open(1, block=10)
    assert games.jobs["block"].tolist() == [10, 11, 12, 13, 14]
