# %% [markdown]
# # A rule change compared
#
# Epic Gods win more than their share of Overdrive (see the notebook on the balance of the bands). Their third ability
# scores points at the end of the game: one for each 5 steps on a track, at most 5. Two ways to weaken it: at most 3
# points, or one for each 8 steps. What does each do, to them and to the others?

# %%
import matplotlib.pyplot as plt

import experiments
from experiments.plots import paired
from simcore import registry

changes = {
    "printed": {},
    "at most 3": {"bands.epic_gods.c.most": 3},
    "one per 8": {"bands.epic_gods.c.per": 8},
}
rules = registry.game("overdrive").rules()
epic = rules.model.model_dump()["bands"]["epic_gods"]["c"]
print({"tracks": epic["tracks"], "per": epic["per"], "most": epic["most"], "joined": epic["joined"]})

# %% [markdown]
# All three rule sets play the same line-ups with the same seeds and streams of luck. A game in which the ability never
# mattered comes out the same under all of them and adds no noise to the difference: that is what makes the comparison
# sharp. `gain` is how many times more games two separate runs would need for an interval as narrow.

# %%
found = experiments.finding_of({"game": "overdrive", "players": 3, "games": 3000, "rules": changes})
found.runs[["rules", "against", "games", "diverged", "other_winner"]]

# %%
bands = found.changes[found.changes["table"] == "band"]
bands[bands["name"] == "epic_gods"][["rules", "share_a", "share_b", "change", "low", "high", "gain", "answer"]]

# %% [markdown]
# Wins that one band loses go to the others. Where the answer is *not enough games*, neither a change nor its absence
# was shown.

# %%
figure, panels = plt.subplots(2, figsize=(8, 8), layout="constrained")
for axes, (name, rows) in zip(panels, bands.groupby("rules", sort=False), strict=True):
    paired(rows, axes)
    axes.set_title(f"{name}, against the printed rules, greedy, 3 players (house data)", pad=28)
plt.show()

# %% [markdown]
# ## Finding

# %%
fair = 100 / 3
for name, rows in bands.groupby("rules", sort=False):
    own = rows[rows["name"] == "epic_gods"].iloc[0]
    run = found.runs[found.runs["rules"] == name].iloc[0]
    interval = f"95 % interval {100 * own['low']:+.1f} to {100 * own['high']:+.1f}"
    print(f"{name}: Epic Gods go from {100 * own['share_a']:.1f} to {100 * own['share_b']:.1f} % of their games,")
    print(f"  {100 * own['change']:+.1f} pp ({interval}): {own['answer']}.")
    print(f"  {100 * run['diverged']:.0f} % of the {run['games']:,} games came out otherwise.")
    others = rows[(rows["name"] != "epic_gods") & (rows["answer"] == "changed")]["name"].tolist()
    print(f"  Other bands that are shown to change: {', '.join(others) or 'none'}.")
best = bands[bands["name"] == "epic_gods"].sort_values("share_b").iloc[0]
print(
    f"Fair is {fair:.1f} %. With '{best['rules']}', the stronger of the two changes, they stand "
    f"{100 * best['share_b'] - fair:+.1f} pp from it."
)
print("All of this is true of greedy players and rests on house data:")
print(*(f"  {line}" for line in found.house[:3]), sep="\n")
print(f"  and {max(0, len(found.house) - 3)} more (soundcheck rules show overdrive)")
