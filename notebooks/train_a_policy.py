# %% [markdown]
# # A small policy for Metal Mania, with plain numpy
#
# `TableEnv` plays hundreds of games in one compiled call. A policy that weighs words learns from whole games
# (REINFORCE with the mean share as baseline) in less than ten seconds of processor time and then beats `random`.

# %%
import os
import time

import numpy as np

from bridges.table_env import TableEnv

quick = bool(os.environ.get("NOTEBOOK_QUICK"))
games, updates = (128, 8) if quick else (512, 20)
envs = TableEnv("metalmania", games, players=2, opponents=["random"], observation="none", masks=False)
words = envs.single_action_space.n

# %% [markdown]
# Every word has one weight: the softmax of the weights of the words that may be said is the policy. That is a table of
# habits ("prefer hits on this rank", "audition rather than drink"), blind to the position, and still enough.
#
# The environment is asked for nothing but the words that may be said: `legal_words`, of which the first
# `legal_counts` count. They are few, so that looking at them alone is much cheaper than at masks of all words.


# %%
def legal():
    """Words that may be said, shape (games, most); behind each game's own stands a word that nobody says."""
    counts = envs.legal_counts
    listed = envs.legal_words[:, : counts.max()]
    return np.where(np.arange(listed.shape[1]) < counts[:, None], listed, words)


def softmax(weights):
    """Shares that sum to 1 in every row."""
    raised = np.exp(weights - weights.max(1, keepdims=True))
    return raised / raised.sum(1, keepdims=True)


def play(weights, random, block):
    """Play one game each: (win shares, gradients of the log-probability of everything said)."""
    envs.reset(seed=1, options={"block": block})
    share, running = np.zeros(games), np.ones(games, bool)
    gradient = np.zeros((games, words + 1), np.float32)
    every = np.arange(games)
    while running.any():
        listed = legal()
        weighed = weights[listed]
        noise = -np.log(-np.log(random.random(listed.shape) + 1e-12) + 1e-12)  # Gumbel's: draws from the softmax
        said = listed[every, (weighed + noise).argmax(1)]
        gradient[every[:, None], listed] -= softmax(weighed) * running[:, None]
        gradient[every, said] += running
        _, reward, ended, given_up, _ = envs.step(said)
        over = running & (ended | given_up)
        share[over] = reward[over]
        running &= ~over
    return share, gradient[:, :words]


# %%
random = np.random.default_rng(1)
weights, speed = np.zeros(words + 1, np.float32), np.zeros(words, np.float32)
weights[words] = -np.inf
clock, start = time.perf_counter(), time.process_time()
for update in range(updates):
    share, gradient = play(weights, random, update * 100_000)
    direction = ((share - share.mean())[:, None] * gradient).mean(0)
    speed = 0.8 * speed + direction
    weights[:words] += 0.3 * speed / (np.abs(speed).max() + 1e-9)
    if update % 5 == 0:
        print(f"update {update:3d}: win share {share.mean():.3f} after {time.process_time() - start:.1f} s")
trained = time.process_time() - start
print(f"trained in {trained:.1f} s of processor time, {time.perf_counter() - clock:.1f} s on the clock")

# %% [markdown]
# Games that it has never seen, against `random`, seat 0 (1 / 2 would be no better than `random`):

# %%
tested = np.concatenate([play(weights, random, 10_000_000 + k * 100_000)[0] for k in range(1 if quick else 4)])
half = 1.96 * tested.std(ddof=1) / np.sqrt(len(tested))
print(f"win share {tested.mean():.3f} +- {half:.3f} over {len(tested)} games")
proof = tested.mean() - half > 0.5
