"""Metal Mania's agents, compiled."""
