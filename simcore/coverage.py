"""What there is to reach in a game: names for what happened, and the settings that between them reach it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Setting:
    """One way to set a game up.

    ``name``: as it is printed; ``variant``: without bands; ``overrides``: of rules, by path; ``branch``: the
    option value whose branch this setting is about ("" for none): it is compared with the setting called
    ``against``, which differs in nothing else.  Several settings may be about one branch.
    """

    name: str
    variant: Mapping[str, Any]
    overrides: Mapping[str, Any] = field(default_factory=dict)
    branch: str = ""
    against: str = ""


@dataclass(frozen=True)
class Coverage:
    """What a game says about its coverage.

    ``settings``: all ways to set it up; ``uses(rules, results, counts, tallies)``: how often each thing happened,
    group by group, as an array of shape (G,) a name (zeros for what did not happen); ``unreachable``: reasons by
    ``"group: name"`` why random or greedy play may never reach it; ``by_option``: the option value under which
    alone a thing happens, in the same way.
    """

    settings: tuple[Setting, ...]
    uses: Callable[[Any, np.ndarray, np.ndarray, np.ndarray], dict[str, dict[str, np.ndarray]]]
    unreachable: Mapping[str, str]
    by_option: Mapping[str, str] = field(default_factory=dict)
