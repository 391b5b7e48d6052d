"""Agents in plain Python, short enough to copy: ``py:agents.examples.fans_first:FansFirst``."""
