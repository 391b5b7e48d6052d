"""The rules of Overdrive: A Batalha do Rock, and nothing of agents."""
