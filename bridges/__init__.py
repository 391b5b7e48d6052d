"""The games in the languages of other tools: PettingZoo, Gymnasium, OpenSpiel.

Nothing of the core imports this package; of the tools each module imports its own alone.
"""
