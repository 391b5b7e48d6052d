"""Who decides: random, heuristic and search agents for every game."""

#: The command line looks for this line: another distribution also calls itself ``agents``.
SOUNDCHECK_SENTINEL = "soundcheck-sim"
