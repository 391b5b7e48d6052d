"""Options that several commands share, in one wording."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from experiments.cli import completion

Backend = Annotated[
    Literal["threads", "processes", "dask"] | None,
    typer.Option(help="How workers run.", show_default="threads; processes for Python agents"),
]
Scheduler = Annotated[
    str, typer.Option(help="Address of a Dask scheduler (--backend dask).", show_default="workers started here")
]
Jobs = Annotated[
    int | None, typer.Option(help="Workers side by side; results do not depend on it.", show_default="all cores")
]
Unit = Annotated[
    int | None, typer.Option(help="Games of a work unit; results do not depend on it.", show_default="2,000 or more")
]
PartOf = Annotated[str, typer.Option(help="K/N: play the share of machine K of N; soundcheck merge joins them.")]

GameName = Annotated[
    str,
    typer.Argument(
        help="The game: overdrive, metalmania, or one that is installed beside them.", autocompletion=completion.games
    ),
]
Players = Annotated[
    int | None,
    typer.Option(help="Players (default: as many as agents, or 4; 1 in solo, 3 in co-op).", show_default=False),
]
Agents = Annotated[
    list[str] | None,
    typer.Option(
        "--agent",
        help="NAME or NAME:key=value,...  or py:module:Attribute; once for all seats, or once a seat.",
        show_default="greedy",
        autocompletion=completion.agents,
    ),
]
PlayedBy = Annotated[
    list[str] | None,
    typer.Option(
        "--played-by",
        help="Who plays; once for all, or once a seat.",
        show_default="greedy",
        autocompletion=completion.agents,
    ),
]
Bands = Annotated[
    list[str] | None,
    typer.Option("--band", help="Band, once a seat.", show_default="those of --game", autocompletion=completion.bands),
]
OneGame = Annotated[
    str | None,
    typer.Argument(help="The game (not with --run).", show_default=False, autocompletion=completion.games),
]
GameNumber = Annotated[int, typer.Option("--game", help="Number of the game in its run or design.")]
StoredRun = Annotated[Path | None, typer.Option("--run", help="Folder of a stored run.", show_default=False)]
Seed = Annotated[int, typer.Option(help="Master seed: equal seeds play equal games.")]
Overrides = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="PATH=VALUE",
        help="Change a value of the rules; may be repeated.",
        show_default=False,
        autocompletion=completion.settings,
    ),
]
RulesFile = Annotated[
    Path | None, typer.Option("--rules", help="TOML file of rules, laid over the shipped ones.", show_default=False)
]
Cards = Annotated[
    Path | None,
    typer.Option(
        "--cards", help="Card file (TOML or JSON), or the name of a shipped one; Metal Mania only.", show_default=False
    ),
]
Variant = Annotated[
    list[str] | None,
    typer.Option("--variant", metavar="KEY=VALUE", help="Variant, such as speed_metal=true.", show_default=False),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for other programs instead of tables.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress, no remarks.")]


def check_unit(games: int | None) -> None:
    """Raises UsageError for a work unit (``--unit``) that holds no game."""
    from simcore.errors import UsageError

    if games is not None and games < 1:
        raise UsageError(f"unit: {games} is too few; at least 1 game is needed")


def changes(game: str, overrides: list[str] | None, cards: Path | None = None) -> dict[str, Any]:
    """Changed values of the rules of ``game`` by path, from ``--set`` and ``--cards``.  Raises UsageError."""
    from simcore import registry
    from simcore.errors import UsageError
    from simcore.protocol import Game
    from simcore.ruledata import parse_overrides

    changed = parse_overrides(overrides or [])
    if cards is not None:
        if type(registry.game(game)).data_line is Game.data_line:
            raise UsageError(f"cards: {game} has no card files; change its cards with --set or --rules")
        if "cards" in changed:
            raise UsageError("cards: given with --set as well as with --cards; name one file")
        changed["cards"] = str(cards)
    return changed


def seats_for(players: int | None, agents: list[str], game: str, variant: Mapping[str, Any]) -> int:
    """Number of players: what was asked for, else one an agent, else what is usual in this variant."""
    if players is not None:
        return players
    if len(agents) > 1:
        return len(agents)
    from simcore import registry

    return registry.game(game).usual_players(variant)


def one_for_all(agents: list[str], players: int) -> tuple[str, ...]:
    """The agents as a plan has them: the same agent named once a seat is one agent for all seats."""
    alike = len(set(agents)) == 1 and len(agents) == players
    return tuple(agents[:1] if alike else agents)
