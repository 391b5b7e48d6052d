# %% [markdown]
# # A first game
#
# One game of Overdrive, event by event, and then the question that one game cannot answer: who plays better?
#
# A *plan* says what is played: the game, how many players, who decides for them, and a seed. Everything that happens
# follows from it: the same plan plays the same games, today and on another machine. `greedy` weighs every option by a
# list of prices; `fans_rush` is the same with a taste for fans.

# %%
import experiments
from experiments.plan import Plan, prepare
from simcore.play import play_jobs
from simcore.trace import events

plan = Plan(game="overdrive", players=2, agents=("greedy", "fans_rush"), seed=7)
prepared = prepare(plan)
prepared.compile()  # the first time in a new environment this takes a minute

# %% [markdown]
# Game number 0, its first events. Chance (dice, cards) stands to the right; what a player chose stands behind its
# name, with the number of options there were. Choices with one option are left out.

# %%
job, setup = prepared.one_game(0)
happened = list(events(prepared.game, prepared.rules, setup, job[0], prepared.agents, plan.seed))
for event in happened[:40]:
    if event.kind == "chance":
        print(f"{'':36}{event.text}")
    elif event.options > 1:
        print(f"{event.agent:>9}: {event.text} (of {event.options})")

# %% [markdown]
# The end of the same game: a row a seat, and what its score is made of.

# %%
played = play_jobs(prepared.game, [prepared.rules], setup, job, prepared.agents, plan.seed)
_, seats = prepared.tables(played, job, setup)
seats.insert(0, "agent", prepared.agent_names(job)[0])
seats[["agent", "band", "score", *(name for name in seats if name.startswith("points_")), "win_share"]]

# %% [markdown]
# Somebody won, but bands, seats, dice and cards all had a say in it. So both agents now play every pair of bands, in
# both seats and with both bands, on the same luck: a *block* is one luck with all its rotations. The interval comes
# from the differences between blocks.

# %%
table = experiments.run(
    {"game": "overdrive", "players": 2, "agents": [["greedy", "fans_rush"]], "games": 1500, "seeds": 7}
)
agents = table[table["table"] == "agent"].set_index("name")
agents[["games", "blocks", "win_share", "low", "high", "verdict", "mean_score"]]

# %% [markdown]
# ## Finding

# %%
better = agents["win_share"].idxmax()
row = agents.loc[better]
interval = f"{100 * row['low']:.1f} to {100 * row['high']:.1f} %"
print(f"{better} wins {100 * row['win_share']:.1f} % of {int(row['games']):,} games (95 % interval: {interval}).")
if row["low"] > row["fair"]:
    print(f"Even the lower limit lies above the fair share of {100 * row['fair']:.0f} %: {better} plays better here.")
else:
    print("The interval holds the fair share: these games do not tell the two apart.")
score = ", ".join(f"{name} {one:.1f}" for name, one in agents["mean_score"].items())
print(f"Mean scores: {score}. It is true of two players and of these rules, parts of which are house data:")
print(*(f"  {line}" for line in prepared.rules.house[:3]), sep="\n")
print(f"  and {max(0, len(prepared.rules.house) - 3)} more (soundcheck rules show overdrive)")
