"""``soundcheck compare``: rules A against rules B, game for game on the same luck."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from experiments.cli import completion
from experiments.cli.options import (
    Agents,
    Backend,
    GameName,
    Jobs,
    Json,
    Players,
    Quiet,
    Scheduler,
    Seed,
    Unit,
    Variant,
)
from experiments.cli.run import Fresh, play_and_show


def _file(letter: str) -> Any:
    return typer.Option(f"--{letter}", help=f"TOML file of the rules {letter.upper()}.", show_default="shipped rules")


def _set(letter: str) -> Any:
    return typer.Option(
        f"--set-{letter}", metavar="PATH=VALUE", help=f"Change a value of {letter.upper()}; may be repeated.",
        show_default=False, autocompletion=completion.settings,
    )  # fmt: skip


def compare(
    game: GameName,
    a: Annotated[Path | None, _file("a")] = None,
    b: Annotated[Path | None, _file("b")] = None,
    set_a: Annotated[list[str] | None, _set("a")] = None,
    set_b: Annotated[list[str] | None, _set("b")] = None,
    players: Players = None,
    agents: Agents = None,
    games: Annotated[int, typer.Option(help="At least so many games of each; rounded up to whole designs.")] = 20_000,
    seed: Seed = 1,
    variant: Variant = None,
    out: Annotated[Path | None, typer.Option(help="Folder of both runs.", show_default="runs/<name>")] = None,
    margin: Annotated[float, typer.Option(help="Half width of 'no change', in percentage points.")] = 2.0,
    jobs: Jobs = None,
    backend: Backend = None,
    scheduler: Scheduler = "",
    unit: Unit = None,
    fresh: Fresh = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play both rule sets on the same seeds and streams: every band's change with its paired interval.

    Also says which share of the games came out otherwise, and how many more games unpaired runs would need.
    """
    from experiments.cli.study_report import print_comparison
    from experiments.running import How
    from experiments.study import FILE, read_study
    from simcore.errors import UsageError
    from simcore.ruledata import parse_overrides

    sets: dict[str, dict[str, Any]] = {}
    for letter, file, texts in (("a", a, set_a), ("b", b, set_b)):
        sets[letter] = parse_overrides(texts or [])
        if file is not None:
            sets[letter][FILE] = str(file)
    if sets["a"] == sets["b"]:
        raise UsageError("compare: A and B are the same rules; change one with --set-b PATH=VALUE or --b FILE")
    kind = parse_overrides(variant or [])
    mode = str(kind.pop("mode", "standard"))
    texts = agents or ["greedy"]
    alike = len(set(texts)) == 1
    study = read_study(
        {
            "game": game, "title": f"{game}: rules A against rules B", "modes": [mode], "variant": kind,
            "players": players if players is not None else len(texts) if len(texts) > 1 else None,
            "agents": texts[:1] if alike else [texts], "rules": sets, "seeds": [seed], "games": games, "margin": margin,
        }
    )  # fmt: skip
    how = How(jobs, backend, unit, scheduler)
    play_and_show(study, out or Path("runs") / _name(study), how, fresh, as_json, quiet, print_comparison)


def _name(study: Any) -> str:
    from experiments.running import describe
    from experiments.study import cells

    return f"compare-{study.game}-{describe(study, cells(study))['plan_hash'][:8]}"
