# %% [markdown]
# # Are the bands of Overdrive equally strong?
#
# A question of balance from beginning to end: what is asked, what is played for it, what the numbers say, and what
# they do not say.
#
# **The question.** With three players a band is balanced when it wins a third of its games, give or take a margin. We
# take 2 percentage points: two games in a hundred.

# %%
import matplotlib.pyplot as plt

import experiments
from experiments.plots import win_share

plan = {
    "game": "overdrive",
    "players": 3,
    "agents": ["greedy", "random"],
    "games": 3000,
    "margin": 2,
}

# %% [markdown]
# **What is played.** Every line-up of three of the bands, each in every seat: nobody gains from a good seat or from
# weak neighbours. `greedy` plays all seats of a game, and then `random` does: a finding that holds for both is more
# than a habit of one of them.

# %%
found = experiments.finding_of(plan)
bands = found.table[found.table["table"] == "band"]
greedy = bands[bands["agents"] == "greedy"]
greedy[["name", "games", "win_share", "low", "high", "verdict", "games_needed"]]

# %% [markdown]
# Three verdicts are possible. *balanced*: shown to lie within the margin. *off*: shown to differ from a third.
# *not enough games*: neither, with about how many games would decide. A difference that was not found is not balance.

# %%
figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
win_share(greedy, axes)
axes.set_title(f"greedy, 3 players, {plan['games']:,} games or a few more (house data)")
plt.show()

# %% [markdown]
# **Who plays matters.** The panel puts both agents side by side: the least and the most that a band wins with one of
# them, and whether the verdict holds.

# %%
panel = found.panel[found.panel["table"] == "band"]
panel[["name", "least", "least_agent", "most", "most_agent", "flips"]]

# %% [markdown]
# ## Finding

# %%
off = greedy[greedy["verdict"] == "off"]
strong, weak = off[off["excess"] > 0], off[off["excess"] < 0]
undecided = greedy[greedy["verdict"] == "not enough games"]


def named(rows):
    """Bands with their win share and its interval."""
    shares = (100 * rows[["win_share", "low", "high"]]).round(1)
    return (
        ", ".join(
            f"{name} {share} % ({low} to {high})"
            for name, (share, low, high) in zip(rows["name"], shares.to_numpy(), strict=True)
        )
        or "none"
    )


print(f"With greedy in all seats, {len(off)} of {len(greedy)} bands are off.")
print(f"Too strong: {named(strong)}.")
print(f"Too weak: {named(weak)}.")
if len(undecided):
    print(f"Undecided: {named(undecided)}; up to {undecided['games_needed'].max():,.0f} games of such a run would do.")
holds = panel[panel["flips"] == "holds for all"]["name"].tolist()
print(f"Random players give the same verdict for: {', '.join(holds) or 'none'}. For the others it depends on who")
print("plays or is not decided: ask a stronger agent before changing a number. These results rest on house data:")
print(*(f"  {line}" for line in found.house[:3]), sep="\n")
print(f"  and {max(0, len(found.house) - 3)} more (soundcheck rules show overdrive)")
