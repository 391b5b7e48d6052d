# %% [markdown]
# # A trajectory of OpenSpiel in our notation
#
# OpenSpiel keeps a game as a list of numbers: dice one by one, words of actions. Replayed on a fresh state, every
# whole action and every whole throw has a text, the one that scenarios and `soundcheck play` use.

# %%
import numpy as np
import pyspiel

import bridges.openspiel  # noqa: F401 (registers the games)

game = pyspiel.load_game("overdrive(players=2,bands=rebeldogs+epic_gods)")
random = np.random.RandomState(3)
state = game.new_initial_state()
while not state.is_terminal():
    if state.is_chance_node():
        state.apply_action(int(random.choice([outcome for outcome, _ in state.chance_outcomes()])))
    else:
        state.apply_action(int(random.choice(state.legal_actions())))
history = state.history()
print(f"{len(history)} numbers, returns {state.returns()}")


# %%
def trace(game, history):
    """A line for every throw, card and decision of an OpenSpiel history, in our notation."""
    state, lines = game.new_initial_state(), []
    for number in history:
        text = state.action_to_string(number)
        place, player = state.at, state.current_player()
        state.apply_action(number)
        is_whole = not (state.at.digits or state.at.said) or state.is_terminal()
        if not is_whole:
            continue
        if place.player == pyspiel.PlayerId.CHANCE:
            lines.append(f"            {text.split(', ')[-1]}")
        else:
            lines.append(f"  seat {player}    {text}")
    return lines, state


lines, end = trace(game, history)
print("\n".join([*lines[:25], "...", *lines[-5:]]))
print(end)

# %%
proof = str(end) == str(state) and any("roll" in line for line in lines) and any("allocate" in line for line in lines)
