"""Agents' kernels that know no game."""
