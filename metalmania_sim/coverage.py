"""What there is to reach in Metal Mania: names for the counts of a tally and a result, and settings that reach them."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from metalmania_sim.kernels import layout as names
from metalmania_sim.kernels.layout import FIRST_EVENT, FROM_MIRACLES, LAST_EVENT
from metalmania_sim.kernels.rules import OPTIONS
from simcore.coverage import Coverage, Setting
from simcore.loop import UNFINISHED

Counts = dict[str, np.ndarray]

#: Why random or greedy play may never reach these ("group: name" by which they are printed).
UNREACHABLE = {
    "end: unfinished": "the cap on decisions is a safety net far beyond the games of players who make progress",
    "option branch: revelry_min=1": "no artist of the house cards has less Revelry than 1, with any company (A37)",
    "option branch: company_scope=tested": "the house companies change nothing but what actions test (A57)",
    "option branch: characteristic_max=6": "no characteristic of the house cards is above 6, with any company (A57)",
}

#: Things that happen only under a value of an option.
BY_OPTION = {
    "turn: artist moved (option reassign)": "reassign=on_audition or own_turn",
    "end: tie-break used": "win_check=end_of_turn or end_of_round",
    "end: shared victory": "tie_break=shared and win_check=end_of_turn or end_of_round",
}

#: Branches that show only beside another value of an option, and that value.
_BESIDE = {
    "tie_break=shared": ("win_check", "end_of_round"),
    "die_bounds=clamp": ("bonus_amount", "exact"),
    "money_cap=99": ("start_money", 98),
}

_ACTION_TESTS = ("degree", "inspiration", "charisma", "revelry", "reputation")


# ------------------------------------------------------------------ settings
def _bases() -> list[Setting]:
    settings = [Setting(f"{n} players", {"players": n}) for n in (2, 3, 4, 5)]
    for option, value in _BESIDE.values():
        if option not in OPTIONS:  # those are branches themselves
            name = f"3 players, {option}={value}"
            settings.append(Setting(name, {"players": 3}, {f"options.{option}": value}))
    return settings


def _branches() -> list[Setting]:
    """Each value but the default of each option, with three players, beside another option where it needs one."""
    settings = [_branch(option, value, value) for option, values in OPTIONS.items() for value in values[1:]]
    for throw in names.THROWS:
        settings.append(_branch("bonus_throws", throw, [throw]))
    for k, action in enumerate(names.EQUALIZERS):
        for test in _ACTION_TESTS:
            if test != _ACTION_TESTS[k]:  # the default
                settings.append(_branch(f"action_characteristic.{action}", test, test))
    return settings


def _branch(option: str, name: str, value: Any) -> Setting:
    branch, against = f"{option}={name}", "3 players"
    overrides = {f"options.{option}": {"true": True, "false": False}.get(name, value)}
    if branch in _BESIDE:
        other, needed = _BESIDE[branch]
        against = f"3 players, {other}={needed}"
        overrides[f"options.{other}"] = needed
    return Setting(f"{against}, {branch}", {"players": 3}, overrides, branch, against)


@functools.cache
def coverage() -> Coverage:
    """Everything that Metal Mania says about its coverage."""
    return Coverage((*_bases(), *_branches()), uses, UNREACHABLE, BY_OPTION)


# ------------------------------------------------------------------ names for counts
def uses(rules: Any, results: np.ndarray, counts: np.ndarray, tallies: np.ndarray) -> dict[str, Counts]:
    """How often each thing happened: group -> name -> array of shape (G,)."""
    done = tallies["verb"].sum(axis=1)
    verbs = {name: done[:, k] for k, name in enumerate(names.VERBS)}
    own, others = (tallies["bonus"][:, :, k].sum(axis=1) for k in range(2))
    companies = (results["company"][:, :, None] == np.arange(names.COMPANIES)).sum(axis=1)
    return {
        "action": {name: verbs[name] for name in ("perform", "record", "advertise", "audition", "funds", "beers")},
        "event": {str(n): tallies["event"][:, n] for n in range(FIRST_EVENT, LAST_EVENT + 1)},
        "event choice": {name: verbs[name] for name in ("victim", "trouble", "heal", "drink", "hire", "decline")},
        "paid shift": {"-1": tallies["shift"][:, 0], "+1": tallies["shift"][:, 1], "keep": verbs["keep"]},
        "bonus": {
            **{f"{name}, own throw": own[:, k] for k, name in enumerate(names.EQUALIZERS)},
            **{f"{name}, another's throw": others[:, k] for k, name in enumerate(names.EQUALIZERS)},
            "response skipped": verbs["skip"],
        },
        "placed dice": {"place": verbs["place"]},
        "hired for": {name: tallies["hired_for"][:, k] for k, name in enumerate(names.INSTRUMENTS)},
        "artist hired": {name: tallies["hired"][:, k] for k, name in enumerate(rules.names.artists)},
        "company": {
            "chosen": verbs["company"],
            **{name: companies[:, k] for k, name in enumerate(rules.names.companies)},
        },
        "level at the end": {
            f"{name} {n}": (results["level"][:, :, k] == n).sum(axis=1)
            for k, name in enumerate(names.EQUALIZERS)
            for n in range(1, names.MOST_LEVEL + 1)
        },
        "turn": {
            "miracle": (results["fame_by"][:, :, FROM_MIRACLES] > 0).sum(axis=1),
            **{f"{n} artist{'' if n == 1 else 's'} unpaid": tallies["short"][:, n] for n in range(1, names.BAND + 1)},
            "reshuffle": tallies["reshuffles"],
            "Step 3 skipped": results["skipped"].sum(axis=1),
            "artist moved (option reassign)": verbs["assign"],
        },
        "end": _ends(rules, results, counts),
    }


def _ends(rules: Any, results: np.ndarray, counts: np.ndarray) -> Counts:
    """How games ended, one of them each."""
    unfinished = counts["status"] == UNFINISHED
    finished = ~unfinished
    winners = (results["share"] > 0).sum(axis=1)
    top = results["fame"].max(axis=1, keepdims=True)
    level = (results["fame"] == top).sum(axis=1)
    turn = (results["first_player"] + results["turns"] - 1) % np.maximum(results["players"], 1)
    alone = finished & (winners == 1)
    own = results["winner"] == turn
    tie = alone & (level > 1)
    return {
        "win in the own turn": alone & ~tie & own,
        "win in another's turn": alone & ~tie & ~own,
        "tie-break used": tie,
        "shared victory": finished & (winners > 1),
        "unfinished": unfinished,
    }
