"""Measurements, printed as tables: `python -m benchmarks.speed`, `python -m benchmarks.memory`."""
