"""Compiled parts of the bridges: words of actions, observations, the table of many games."""
