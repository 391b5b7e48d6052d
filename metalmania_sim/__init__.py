"""The rules of Metal Mania, and nothing of agents."""
