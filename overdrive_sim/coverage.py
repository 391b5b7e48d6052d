"""What there is to reach in Overdrive: names for the counts of a tally and a result, and settings that reach them."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from overdrive_sim.kernels import layout as names
from overdrive_sim.kernels.layout import BANDS, COVER_BOTS, DIFFICULTIES, METALLUM, STANDARD
from overdrive_sim.kernels.rules import OPTIONS
from simcore.coverage import Coverage, Setting
from simcore.loop import UNFINISHED

Counts = dict[str, np.ndarray]

#: Options about Metallum: played where it plays.
_METALLUM_OPTIONS = ("human_grana_from", "coop_attacks")

#: Why random or greedy play may never reach these ("group: name" by which they are printed).
UNREACHABLE = {
    "end: unfinished": "a game has eight rounds at most, and every turn ends; the cap is a safety net",
    "Epic Gods raise: fans": "the extra level is one of another track (R-ABL-32)",
    "end: shared victory": "needs equal points, Fame, Fans, Grana and Overdrive (R-END-03)",
    "option branch: full_tie=turn_order": "needs equal points, Fame, Fans, Grana and Overdrive (A-END-1)",
    "option branch: unlock=reached": "shows only once the fifth level of Fans was traded away (A-BND-2)",
}

#: Things that happen only under a value of an option.
BY_OPTION = {
    "battle: reaction: card": "protect_card=reaction",
    "battle: reaction: skip": "protect_card=reaction",
    "Metallum: Hit chosen by a human": "metallum_tie=human",
    "Metallum: space cancelled by a human": "metallum_cancel=human",
}


# ------------------------------------------------------------------ settings
def _bases() -> list[Setting]:
    settings = [Setting(f"{n} players", {"players": n}) for n in (2, 3, 4)]
    for flag in ("speed_metal", "hall_of_fame", "free_falling"):
        settings.append(Setting(f"3 players, {flag}", {"players": 3, flag: True}))
    for level in DIFFICULTIES:
        settings.append(Setting(f"solo, {level}", {"players": 1, "mode": "solo", "difficulty": level}))
    for k, level in enumerate(DIFFICULTIES):
        kind = {"players": 2 + k // 2, "mode": "coop", "difficulty": level}
        settings.append(Setting(f"co-op, {2 + k // 2} players, {level}", kind))
    return settings


def _branches(bases: list[Setting]) -> list[Setting]:
    """Each value but the default of each option, in a game of rivals and in co-op, or where Metallum plays."""
    by_name = {one.name: one for one in bases}
    settings = []
    for option, values in {"hit_deck": ("house16", "rulebook10"), **OPTIONS}.items():
        about_metallum = option.startswith("metallum") or option in _METALLUM_OPTIONS
        for against in ("co-op, 3 players, hardcore", "solo, normal" if about_metallum else "4 players"):
            for value in values[1:]:
                branch = f"{option}={value}"
                variant = by_name[against].variant
                settings.append(Setting(f"{against}, {branch}", variant, {f"options.{option}": value}, branch, against))
    return settings


@functools.cache
def coverage() -> Coverage:
    """Everything that Overdrive says about its coverage."""
    bases = _bases()
    return Coverage((*bases, *_branches(bases)), uses, UNREACHABLE, BY_OPTION)


# ------------------------------------------------------------------ names for counts
def uses(rules: Any, results: np.ndarray, counts: np.ndarray, tallies: np.ndarray) -> dict[str, Counts]:
    """How often each thing happened: group -> name -> array of shape (G,)."""
    seats = tallies["seat"]
    human = results["seat"]["band"] != METALLUM
    mine = {name: _of(seats[name], human) for name in ("verb", "level", "claim", "attack", "shield", "raised", "lost")}
    hits = _of(seats["hit"], human), _of(seats["hit_bought"], human)
    verbs = {name: mine["verb"][:, k] for k, name in enumerate(names.VERBS)}
    cards, bought = _of(seats["card"], human), _of(seats["card_bought"], human)
    spaces = _of(seats["space"], human)
    effects = range(1, names.EFFECTS + 1)
    return {
        "space": {name: spaces[:, k] for k, name in enumerate((*names.SPACES, "viking_stage"))},
        "Hit used": {name: hits[0][:, k] for k, name in enumerate(rules.names.hits)},
        "Hit bought": {name: hits[1][:, k] for k, name in enumerate(rules.names.hits)},
        "Distortion effect": {f"{n}": cards[:, n] for n in effects},
        "Distortion card bought": {f"{n}": bought[:, n] for n in effects},
        "ability": _abilities(results, seats),
        "copied by Cover Bots": _copied(seats),
        "Epic Gods raise": {name: mine["raised"][:, k] for k, name in enumerate((*names.TRACKS, "none"))},
        "Grana action": {
            **{
                name.replace("_", " "): verbs[name]
                for name in ("reroll", "set", "buy_die", "buy_hit", "buy_distortion")
            },
            **{f"buy level {name}": mine["level"][:, k] for k, name in enumerate(names.TRACKS) if name != "grana"},
        },
        "award": {name: mine["claim"][:, k] for k, name in enumerate(names.AWARDS)},
        "battle": {
            **{f"shield {face}": mine["shield"][:, k] for k, face in enumerate((*names.FACE_LETTERS, "none"))},
            **{f"attack {face}": mine["attack"][:, k] for k, face in enumerate(names.FACE_LETTERS)},
            "card that protects": _of(seats["protected"], human),
            "reaction: card": _of(seats["reaction"], human)[:, 1],
            "reaction: skip": _of(seats["reaction"], human)[:, 0],
            "pass": verbs["pass"],
        },
        "Metallum": _metallum(results, seats),
        "end": _ends(results, counts),
    }


def _of(values: np.ndarray, which: np.ndarray) -> np.ndarray:
    """Sum of ``values`` (shape (G, seats, ...)) over the seats in ``which`` (shape (G, seats))."""
    mask = which.reshape(*which.shape, *(1,) * (values.ndim - 2))
    total: np.ndarray = np.where(mask, values, 0).sum(axis=1, dtype=np.int64)
    return total


def _abilities(results: np.ndarray, seats: np.ndarray) -> Counts:
    """Uses of abilities A and B (decisions, passives set off), games in which C scored, by the seat's band."""
    stage = seats["space"][:, :, -1]
    used = {
        "a": seats["ability"][:, :, 0] + seats["passive"][:, :, 0],
        "b": seats["ability"][:, :, 1] + seats["passive"][:, :, 1] + seats["single_faces"] + stage,
        "c": (results["seat"]["special_points"] > 0).astype(np.int64),
    }
    found = {}
    for k, band in enumerate(BANDS):
        if k != METALLUM:
            for letter, values in used.items():
                found[f"{band} {letter}"] = _of(values, results["seat"]["band"] == k)
    return found


def _copied(seats: np.ndarray) -> Counts:
    total = seats["copied"].sum(axis=1, dtype=np.int64)
    return {
        f"{letter} of {band}": total[:, slot, k]
        for slot, letter in enumerate("abc")
        for k, band in enumerate(BANDS)
        if k not in (COVER_BOTS, METALLUM)
    }


def _metallum(results: np.ndarray, seats: np.ndarray) -> Counts:
    """What Metallum did: what it owns at the end, whom it attacked, what a human decided for it."""
    plays = results["mode"] != STANDARD
    boss, tally = results["seat"][:, 0], seats[:, 0]
    verbs = {name: k for k, name in enumerate(names.VERBS)}

    def of(values: np.ndarray) -> np.ndarray:
        return np.where(plays, values, 0)

    return {
        "Hit bought": of(boss["hits"]),
        "Distortion card bought": of(boss["cards"]),
        **{f"award {name}": of(boss["award"] == k) for k, name in enumerate(names.AWARDS)},
        **{f"{name} raised": of(boss[name] > 0) for name in ("fans", "fame", "overdrive")},
        **{f"attack {face}": of(tally["attack"][:, k]) for k, face in enumerate(names.FACE_LETTERS)},
        **{f"loses {face}": of(tally["lost"][:, k]) for k, face in enumerate(names.FACE_LETTERS)},
        "Hit chosen by a human": of(tally["verb"][:, verbs["metallum_hit"]]),
        "space cancelled by a human": of(tally["verb"][:, verbs["metallum_cancel"]]),
    }


def _ends(results: np.ndarray, counts: np.ndarray) -> Counts:
    """How games ended, one of them each."""
    unfinished = counts["status"] == UNFINISHED
    rivals = (results["mode"] == STANDARD) & ~unfinished
    seats = results["seat"]
    first = (seats["rank"] == 1).sum(axis=1)
    in_play = np.arange(seats.shape[1])[None, :] < results["seats"][:, None]
    total = np.where(in_play, seats["total"], np.iinfo(np.int32).min)
    level = (total == total.max(axis=1, keepdims=True)).sum(axis=1)
    return {
        "one winner by points": rivals & (level == 1),
        "tie-break used": rivals & (first == 1) & (level > 1),
        "shared victory": rivals & (first > 1),
        "humans win": results["humans_win"] == 1,
        "humans lose": results["humans_win"] == 0,
        "unfinished": unfinished,
    }
