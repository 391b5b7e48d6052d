"""Questions asked of games and agents: plans, fan-out, store, statistics, command line."""
