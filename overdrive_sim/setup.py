"""Line-ups: who plays which band, in which variant, as the record that starts a game."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from overdrive_sim.kernels.layout import BANDS, DIFFICULTIES, METALLUM, MODES, NO_BAND, SETUP, STANDARD
from overdrive_sim.ruleset import Rules
from simcore.errors import UsageError, unknown
from simcore.ruledata import Mistakes, snake

#: Keys of a variant table with their defaults; None: none, or it depends on the others.
VARIANT_KEYS: dict[str, Any] = {
    "players": None,
    "mode": "standard",
    "difficulty": None,
    "speed_metal": False,
    "hall_of_fame": False,
    "free_falling": False,
    "bands": None,
    "first_player": 0,
}

_FLAGS = ("speed_metal", "hall_of_fame", "free_falling")

#: Where Metallum plays, its sheet and Cover Bots are out of reach of the humans (R-SOL-01, A-ABL-11).
NOT_WITH_METALLUM = ("cover_bots",)


def human_bands(mode: str) -> tuple[str, ...]:
    """Names of the bands that a human may play in ``mode``, in printed order (R-SET-02, R-SOL-01)."""
    barred = NOT_WITH_METALLUM if mode != "standard" else ()
    return tuple(name for name in BANDS if name != "metallum" and name not in barred)


def make_setup(variant: Mapping[str, Any], rules: Rules) -> np.ndarray:
    """Line-up and variant as an array of shape (1,), dtype SETUP.

    ``variant``: a table with the keys of VARIANT_KEYS, as in scenarios; without ``bands`` the humans get
    the bands in printed order (option band_setup = free only).  ``first_player`` is a seat.  Raises
    UsageError naming every mistake; warns about line-ups that the rules advise against.
    """
    full = _checked(variant, rules)
    metallum = full["mode"] != "standard"
    bands = [METALLUM] * metallum + [BANDS.index(name) for name in full["bands"]]
    packed = np.zeros(1, SETUP)
    setup = packed[0]
    setup["seats"] = len(bands)
    setup["first_player"] = full["first_player"]
    setup["band"] = NO_BAND
    setup["band"][: len(bands)] = bands
    setup["mode"] = MODES.index(full["mode"])
    setup["dice"] = getattr(rules.model.difficulties, full["difficulty"]) if metallum else 0
    for flag in _FLAGS:
        setup[flag] = full[flag]
    _warn(full)
    return packed


def deal_bands(
    variant: Mapping[str, Any], rules: Rules, seed: int, sheets: Sequence[Sequence[str]] | None = None
) -> list[str]:
    """Bands of the humans in seat order, drawn as the option band_setup says (R-SET-01, G-10).

    ``free``: the first ones in printed order; ``random``: any, but never two sides of one sheet;
    ``sheets``: the sheets are shuffled, each seat takes one and either of its sides.  ``sheets``: pairs of
    band names in place of those in the rules.  Raises UsageError when they do not suffice.
    """
    full = _checked({**variant, "bands": None}, rules, dealt=True)
    mode, players, how = full["mode"], full["players"], rules.option("band_setup")
    allowed = human_bands(mode)
    pairs = [tuple(map(snake, pair)) for pair in (rules.model.sheets if sheets is None else sheets)]
    if how == "free":
        return list(allowed[:players])
    draw = np.random.default_rng(seed)
    if how == "random":
        return _without_partners([allowed[k] for k in draw.permutation(len(allowed))], pairs, players, mode)
    open_sheets = [[s for s in pair if s in allowed] for pair in pairs if mode == "standard" or "metallum" not in pair]
    open_sheets = [sides for sides in open_sheets if sides]
    if len(open_sheets) < players:
        raise UsageError(
            f"option band_setup = sheets: {players} humans need {players} sheets, the rules name {len(open_sheets)}"
            ' (sheets = [["rebeldogs", "tnshe"], ...])'
        )
    taken = draw.permutation(len(open_sheets))[:players]
    return [open_sheets[k][int(draw.integers(len(open_sheets[k])))] for k in taken]


def _without_partners(order: list[str], pairs: list[tuple[str, ...]], players: int, mode: str) -> list[str]:
    chosen: list[str] = []
    for name in order:
        taken = {*chosen, "metallum"} if mode != "standard" else set(chosen)
        if len(chosen) < players and not any(name in pair and taken & set(pair) for pair in pairs):
            chosen.append(name)
    if len(chosen) < players:
        raise UsageError(f"sheets: only {len(chosen)} bands on different sheets for {players} humans")
    return chosen


def _checked(variant: Mapping[str, Any], rules: Rules, dealt: bool = False) -> dict[str, Any]:
    """The variant with defaults filled in.  Raises UsageError naming every mistake."""
    mistakes = Mistakes(str(unknown("variant", "key", key, VARIANT_KEYS)) for key in variant if key not in VARIANT_KEYS)
    full = {**VARIANT_KEYS, **{key: value for key, value in variant.items() if key in VARIANT_KEYS}}
    if full["mode"] not in MODES:
        mistakes.append(str(unknown("variant.mode", "mode", full["mode"], MODES)))
        mistakes.check()
    for flag in _FLAGS:
        if not isinstance(full[flag], bool):
            mistakes.append(f"variant.{flag} = {full[flag]!r} (allowed: true, false)")
    _check_difficulty(full, mistakes)
    _check_players(full, rules, mistakes)
    mistakes.check()
    if not dealt:
        _check_bands(full, rules, mistakes)
    _check_first(full, mistakes)
    mistakes.check()
    return full


def _check_difficulty(full: dict[str, Any], mistakes: Mistakes) -> None:
    if full["mode"] == "standard":
        if full["difficulty"] is not None:
            mistakes.append("variant.difficulty: only with mode = solo or coop, where Metallum plays")
        return
    if full["difficulty"] is None:
        full["difficulty"] = "normal"
    elif full["difficulty"] not in DIFFICULTIES:
        mistakes.append(str(unknown("variant.difficulty", "difficulty", full["difficulty"], DIFFICULTIES)))


def _check_players(full: dict[str, Any], rules: Rules, mistakes: Mistakes) -> None:
    allowed = getattr(rules.model.players, full["mode"])
    if full["players"] is None and isinstance(full["bands"], Sequence):
        full["players"] = len(full["bands"])
    if full["players"] is None and len(allowed) == 1:
        full["players"] = allowed[0]
    if full["players"] not in allowed or isinstance(full["players"], bool):
        given = "is missing" if full["players"] is None else f"= {full['players']!r}"
        mode = full["mode"]
        mistakes.append(
            f"variant.players {given}: the number of humans (allowed in {mode}: {', '.join(map(str, allowed))})"
        )


def _check_bands(full: dict[str, Any], rules: Rules, mistakes: Mistakes) -> None:
    mode, players = full["mode"], full["players"]
    if full["bands"] is None:
        if rules.option("band_setup") != "free":
            mistakes.append(
                f"variant.bands: missing; with band_setup = {rules.option('band_setup')} they are drawn before"
            )
        full["bands"] = list(human_bands(mode)[:players])
        return
    given = full["bands"]
    if isinstance(given, str) or not isinstance(given, Sequence):
        mistakes.append(f"variant.bands = {given!r}: a list of band names is needed")
        return
    full["bands"] = bands = [snake(name) for name in given]
    if len(bands) != players:
        mistakes.append(f"variant.bands: {len(bands)} bands for {players} humans")
    for name, text in zip(bands, given, strict=True):
        if name in NOT_WITH_METALLUM and mode != "standard":
            mistakes.append(f"variant.bands: {name} may not be used in {mode} (R-SOL-01)")
        elif name not in human_bands(mode):
            mistakes.append(str(unknown("variant.bands", "band", text, human_bands(mode))))
    if rules.option("allow_same_bands") == "off":
        twice = sorted({name for name in bands if bands.count(name) > 1})
        mistakes += [f"variant.bands: {name} stands twice, each band plays once" for name in twice]
    seated = {*bands, "metallum"} if mode != "standard" else set(bands)
    for one, other in rules.model.sheets:
        if one in seated and other in seated:
            mistakes.append(f"variant.bands: {one} and {other} are two sides of one sheet (G-10)")


def _check_first(full: dict[str, Any], mistakes: Mistakes) -> None:
    seats = full["players"] if full["mode"] == MODES[STANDARD] else 1
    first = full["first_player"]
    if isinstance(first, bool) or not isinstance(first, int | np.integer) or not 0 <= first < seats:
        why = "a seat" if full["mode"] == "standard" else "Metallum is the first player, R-SOL-03"
        mistakes.append(f"variant.first_player = {first!r}: {why} (allowed: {', '.join(map(str, range(seats)))})")


def _warn(full: Mapping[str, Any]) -> None:
    if full["speed_metal"] and full["players"] == 2:
        warnings.warn("Speed Metal is not recommended for two players (R-SPD-03)", stacklevel=3)
    if full["mode"] == "coop" and full["players"] == 4:
        warnings.warn("four humans and Metallum need a fifth colour of dice (G-14)", stacklevel=3)
