"""Overdrive's agents, compiled."""
