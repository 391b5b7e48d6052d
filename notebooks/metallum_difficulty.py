# %% [markdown]
# # How hard is Metallum?
#
# Overdrive can be played alone against Metallum, a boss with six levels of difficulty. A designer wants each level to
# be harder than the one before it, and has a curve in mind: nearly everybody beats the first, few beat the last.

# %%
import matplotlib.pyplot as plt
import pandas as pd

import experiments
from experiments.curve import order_sentence, overall_distance
from experiments.plots import difficulty_curve

wanted = [0.9, 0.75, 0.6, 0.4, 0.25, 0.1]
found = experiments.finding_of(
    {"game": "overdrive", "modes": "solo", "agents": ["greedy", "random"], "games": 100, "target": wanted}
)
curves = {curve.curve.agents[0]: curve for _, curve in found.cells}

# %% [markdown]
# Every band plays every level with both agents, on the *same luck*: whatever differs between two levels of a block is
# the level. `greedy` stands for somebody who has understood the game, `random` for somebody who has not.

# %%
greedy = curves["greedy"]
greedy.levels[["difficulty", "games", "win_share", "low", "high", "humans_score", "boss_score"]]

# %%
figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
difficulty_curve(pd.concat([curve.levels for curve in curves.values()]), axes, wanted)
axes.set_title("Alone against Metallum (house data)", pad=28)
plt.show()

# %% [markdown]
# Two questions about such a curve. Does it fall from level to level? Each block was played at both levels, so the
# change has an interval of its own, narrower than two separate runs would give.

# %%
greedy.neighbours[["easier", "harder", "change", "low", "high", "answer"]]

# %% [markdown]
# And how far is it from what was wanted?

# %%
greedy.target[["difficulty", "win_share", "target", "distance", "answer"]]

# %% [markdown]
# ## Finding

# %%
for agent, curve in curves.items():
    rms, largest = overall_distance(curve.target)
    print(f"{agent}: {order_sentence(curve.neighbours)}")
    print(f"  {100 * rms:.0f} pp from the wanted curve on average (root mean square), {100 * largest:.0f} pp at most.")
for answer, rows in greedy.target.groupby("answer", sort=False):
    shares = [f"{one.difficulty} ({100 * one.win_share:.1f} %)" for one in rows.itertuples()]
    print(f"For greedy {answer}: {', '.join(shares)}.")
widest = (greedy.levels["high"] - greedy.levels["low"]).max() / 2
gap = (greedy.levels["win_share"] - curves["random"].levels["win_share"]).abs().max()
print(
    f"greedy's shares are known to within {100 * widest:.1f} pp, the two agents differ by up to {100 * gap:.0f} pp:\n"
    "who plays is the larger uncertainty, and people may be stronger than either. These results rest on house data:"
)
print(*(f"  {line}" for line in found.house[:3]), sep="\n")
print(f"  and {max(0, len(found.house) - 3)} more (soundcheck rules show overdrive)")
