# %% [markdown]
# # A small policy for Metal Mania, with plain numpy
#
# `TableEnv` plays hundreds of games in one compiled call. A policy that weighs words by a few features learns
# from whole games (REINFORCE with the mean share as baseline) in less than a minute and then beats `random`.

# %%
import os
import time

import numpy as np

from bridges.table_env import TableEnv

quick = bool(os.environ.get("NOTEBOOK_QUICK"))
games, updates = (128, 8) if quick else (512, 24)
envs = TableEnv("metalmania", games, players=2, opponents=["random"], observation="none")
words = envs.single_action_space.n

# %% [markdown]
# Every word has one weight: the softmax of the weights of the words that may be said is the policy. That is a table of
# habits ("prefer hits on this rank", "audition rather than drink"), blind to the position, and still enough.


# %%
def choose(weights, mask, random):
    """A word for every game, drawn from the softmax over the words that may be said (Gumbel's trick)."""
    noise = -np.log(-np.log(random.random(mask.shape, np.float32) + 1e-12) + 1e-12)
    return np.where(mask, weights + noise, -np.inf).argmax(1)


def probabilities(weights, mask):
    """The softmax over the words that may be said."""
    raised = np.where(mask, np.exp(weights - weights.max()), 0.0)
    return raised / raised.sum(1, keepdims=True)


def play(weights, random, block):
    """Play one game each: (win shares, gradients of the log-probability of everything said)."""
    _, info = envs.reset(seed=1, options={"block": block})
    share, running = np.zeros(games), np.ones(games, bool)
    gradient = np.zeros((games, words), np.float32)
    every = np.arange(games)
    while running.any():
        mask = info["action_mask"].astype(bool)
        said = choose(weights, mask, random)
        step = -probabilities(weights, mask).astype(np.float32)
        step[every, said] += 1
        gradient[running] += step[running]
        _, reward, ended, given_up, info = envs.step(said)
        over = running & (ended | given_up)
        share[over] = reward[over]
        running &= ~over
    return share, gradient


# %%
random = np.random.default_rng(1)
weights, speed = np.zeros(words, np.float32), np.zeros(words, np.float32)
start = time.perf_counter()
for update in range(updates):
    share, gradient = play(weights, random, update * 100_000)
    direction = ((share - share.mean())[:, None] * gradient).mean(0)
    speed = 0.8 * speed + direction
    weights += 3.0 * speed / (np.abs(speed).max() + 1e-9) * 0.1
    if update % 10 == 0:
        print(f"update {update:3d}: win share {share.mean():.3f} after {time.perf_counter() - start:.0f} s")
print(f"trained in {time.perf_counter() - start:.0f} s")

# %% [markdown]
# Games that it has never seen, against `random`, seat 0 (1 / 2 would be no better than `random`):

# %%
tested = np.concatenate([play(weights, random, 10_000_000 + k * 100_000)[0] for k in range(1 if quick else 4)])
half = 1.96 * tested.std(ddof=1) / np.sqrt(len(tested))
print(f"win share {tested.mean():.3f} +- {half:.3f} over {len(tested)} games")
proof = tested.mean() - half > 0.5
