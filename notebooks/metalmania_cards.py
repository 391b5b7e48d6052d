# %% [markdown]
# # Metal Mania with your own cards
#
# Artists, boards and record companies of Metal Mania are cards, and the simulation comes with invented ones. This
# lesson writes a card file of its own, checks it, and asks what it does to the game.

# %%
import copy
import json
import tempfile
from pathlib import Path

import experiments
from metalmania_sim.cards import SHIPPED, read
from simcore import registry
from simcore.errors import UsageError

house = read(SHIPPED["house"])
print(house["label"])
house["boards"][3][0]  # the guitarist of board 4

# %% [markdown]
# Our own set: the singer of board 2 becomes a star, with one more point of charisma. Everything else stays, so that
# whatever changes comes from this one card.

# %%
own = copy.deepcopy(house)
own["label"] = "The house cards, with a star on board 2"
star = own["boards"][1][1]
star["charisma"] += 1
folder = Path(tempfile.mkdtemp())
cards = folder / "star.json"
cards.write_text(json.dumps(own))
print(star["name"], star)

# %% [markdown]
# A mistake in a card file is named with its place, so we make one on purpose, and then look at the real file.

# %%
wrong = copy.deepcopy(own)
wrong["boards"][1][1]["charism"] = 9
(folder / "wrong.json").write_text(json.dumps(wrong))
game = registry.game("metalmania")
try:
    game.rules({"cards": str(folder / "wrong.json")})
except UsageError as error:
    print(f"refused: {error}")
print(game.data_line(game.rules({"cards": str(cards)})))

# %% [markdown]
# Both card files play the same line-ups on the same luck. Which board a player starts with is rotated, so a fair share
# with three players is a third.

# %%
found = experiments.finding_of(
    {
        "game": "metalmania",
        "players": 3,
        "games": 2000,
        "rules": {"house": {"cards": "house"}, "star": {"cards": str(cards)}},
    }
)
boards = found.changes[found.changes["table"] == "band"]
boards[["name", "games", "share_a", "share_b", "change", "low", "high", "answer"]]

# %% [markdown]
# Does a star make the game shorter?

# %%
length = found.metrics[(found.metrics["table"] == "game") & (found.metrics["metric"] == "turns_a_player")]
length[["metric", "mean_a", "mean_b", "change", "low", "high"]]

# %% [markdown]
# ## Finding

# %%
own_board = boards[boards["name"] == "board_2"].iloc[0]
share_a, share_b, change, low, high = (100 * own_board[key] for key in ("share_a", "share_b", "change", "low", "high"))
print(f"With {star['name']} as a star board 2 goes from {share_a:.1f} to {share_b:.1f} % of its games:")
print(f"  {change:+.1f} pp (95 % interval {low:+.1f} to {high:+.1f}), which says: {own_board['answer']}.")
others = boards[(boards["name"] != "board_2") & (boards["answer"] == "changed")]["name"].tolist()
print(f"Other boards that are shown to change: {', '.join(others) or 'none'}.")
turns = length.iloc[0]
moved = "longer" if turns["low"] > 0 else "shorter" if turns["high"] < 0 else "not shown to be longer or shorter"
print(f"Games are {moved}: {turns['mean_a']:.2f} and {turns['mean_b']:.2f} turns a player,")
print(f"  a change of {turns['change']:+.2f} (95 % interval {turns['low']:+.2f} to {turns['high']:+.2f}).")
print("It is true of greedy players, and of invented cards. What these results rest on:")
print(*(f"  {line}" for line in found.house), sep="\n")
