"""The one game that a command is about: a new one, or one of a stored run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.cli.options import changes, one_for_all, seats_for

if TYPE_CHECKING:
    from experiments.plan import Prepared


@dataclass(frozen=True)
class Chosen:
    """What plays the game, its ``number`` there, and a line-up instead of the design's (None: the design's)."""

    prepared: Prepared
    number: int
    line_up: list[int] | None


def chosen_game(
    command: str, game: str | None, run: Path | None, number: int, *, agents: list[str] | None, players: int | None,
    bands: list[str] | None, seed: int, overrides: list[str] | None, rules_file: Path | None, cards: Path | None,
    variant: list[str] | None, agents_option: str = "--agent",
) -> Chosen:  # fmt: skip
    """Game ``number`` of ``run``, or of the design of ``game``.  Raises UsageError."""
    from experiments.difficulty import replay_game
    from experiments.plan import Plan, as_text, prepare
    from simcore.errors import UsageError
    from simcore.ruledata import parse_overrides

    if (game is None) == (run is None):
        raise UsageError(
            f"{command}: name either a game (soundcheck {command} overdrive) or a stored run (--run DIR --game N)"
        )
    if run is not None:
        given = {agents_option: agents, "--players": players, "--band": bands, "--set": overrides,
                 "--rules": rules_file, "--cards": cards, "--variant": variant}  # fmt: skip
        for option, value in given.items():
            if value:
                raise UsageError(f"{command}: {option} cannot be changed for a game of a stored run")
        return Chosen(*replay_game(run, number), None)
    kind, texts = parse_overrides(variant or []), agents or ["greedy"]
    seats = seats_for(players, texts, str(game), kind)
    prepared = prepare(
        Plan(
            game=str(game), players=seats, agents=one_for_all(texts, seats), seed=seed,
            overrides=as_text(changes(str(game), overrides, cards)), variant=as_text(kind),
            rules_file=str(rules_file) if rules_file else "",
        )
    )  # fmt: skip
    if number < 0:
        raise UsageError(f"game: {number} is too small; games are numbered from 0")
    return Chosen(prepared, number, _line_up(prepared, bands or []))


def _line_up(prepared: Prepared, bands: list[str]) -> list[int] | None:
    """Numbers of the named bands, None for those of the design.  Raises UsageError."""
    from experiments.plan import no_such_band
    from simcore.errors import UsageError

    if not bands:
        return None
    found: list[Any] = []
    for band in bands:
        if band not in prepared.bands:
            raise no_such_band(prepared, "band", band)
        found.append(prepared.bands.index(band))
    if len(found) != prepared.plan.players:
        raise UsageError(f"band: {len(found)} named, one a seat is needed ({prepared.plan.players})")
    return found
