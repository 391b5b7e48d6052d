# %% [markdown]
# # An agent in a cell
#
# Ten lines decide; the play loop asks all waiting games at once, beside compiled agents in the other seats.

# %%
import numpy as np

from agents.check import check_agent
from experiments.strength import share_of

# %% [markdown]
# An action id of Metal Mania is a verb and its details; `first_ids` of a legal list come first by verb, the last ones
# are Beers, Funds and auditions. This player takes the middle of the list.


# %%
class Middle:
    """Takes the middle of the list, wherever it is asked."""

    def choose_batch(self, views, legal):
        """The ids chosen, one a game."""
        return np.array([ids[len(ids) // 2] for ids in legal])


print(check_agent(Middle, "metalmania", players=2, games=2))

# %% [markdown]
# Ten thousand games against the random player, both in every seat on the same luck; its win share with a 95 % interval.

# %%
found = share_of("metalmania", Middle, "random", games=10_000)
interval = f"{100 * found.low:.1f} to {100 * found.high:.1f}"
print(f"{found.agent}: {100 * found.share:.1f} % of {found.games:,} games ({interval})")
