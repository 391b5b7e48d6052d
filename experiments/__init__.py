"""Questions asked of games and agents: plans, fan-out, store, statistics, command line.

``run(plan)`` plays a plan and returns a table; ``finding_of(plan)`` returns everything that was found.
"""

from importlib import import_module
from typing import Any

__all__ = ["Study", "finding_of", "run"]

_HOMES = {"Study": "experiments.study", "finding_of": "experiments.running", "run": "experiments.running"}


def __getattr__(name: str) -> Any:
    """Public names, imported when first asked for: the command line must answer at once."""
    if name not in _HOMES:
        raise AttributeError(f"module 'experiments' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
