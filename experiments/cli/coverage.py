"""``soundcheck coverage``: what happens in play, and what never does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from experiments.cli import completion
from experiments.cli.options import Cards, GameName, Json, Overrides, Quiet, RulesFile, Seed, changes

if TYPE_CHECKING:
    from rich.console import Console

    from experiments.coverage import CoverageFinding

#: The panel where no agent is named.
PANEL = ("random", "greedy")


def coverage(
    game: GameName,
    games: Annotated[int, typer.Option(help="Games of each agent in each setting.")] = 100,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            help="Plays all seats; may be repeated.",
            show_default=" and ".join(PANEL),
            autocompletion=completion.agents,
        ),
    ] = None,
    players: Annotated[
        list[int] | None, typer.Option(help="Only settings with so many players; may be repeated.", show_default="all")
    ] = None,
    options: Annotated[bool, typer.Option(help="Also play a rule set for each value of each option.")] = True,
    seed: Seed = 1,
    jobs: Annotated[
        int | None, typer.Option(help="Workers side by side; results do not depend on it.", show_default="all cores")
    ] = None,
    overrides: Overrides = None,
    rules_file: RulesFile = None,
    cards: Cards = None,
    check: Annotated[
        bool, typer.Option("--check", help="Exit with 1 if something never happened without a declared reason.")
    ] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play all modes and variants with a panel of agents and list how often each thing happened, the never first."""
    from experiments.cli.console import Remarks, output, print_json
    from experiments.coverage import compile_panel, find_coverage
    from simcore import registry

    remarks = Remarks(quiet)
    panel = agents or PANEL
    changed, file = changes(game, overrides, cards), str(rules_file) if rules_file else ""
    rules = registry.game(game).rules(changed, file or None)
    data = registry.game(game).data_line(rules)
    with remarks.compiling(registry.game(game)):
        compile_panel(game, panel)
    with remarks.progress("settings played") as progress:
        found = find_coverage(game, panel, games, seed, players or (), options, changed, file, jobs, progress)
    if as_json:
        print_json(as_data(found) | {"data": data, "house": rules.house})
    else:
        print_coverage(found, output(), data)
    if check and len(found.unexplained):
        raise typer.Exit(1)


def as_data(found: CoverageFinding) -> dict[str, object]:
    """The finding as plain data (``--json``)."""
    return {
        "game": found.game,
        "agents": list(found.agents),
        "seed": found.seed,
        "games": found.played,
        "settings": list(found.settings),
        "never": [f"{row['group']}: {row['name']}" for row in found.never.to_dict("records")],
        "unexplained": [f"{row['group']}: {row['name']}" for row in found.unexplained.to_dict("records")],
        "uses": found.table.to_dict("records"),
    }


def print_coverage(found: CoverageFinding, console: Console, data: str = "") -> None:
    """What never happened, then everything by group; ``data``: the line that says which cards were played."""
    from rich.table import Table

    console.print(
        f"{found.game}: {found.played:,} games in {len(found.settings)} settings, all seats played by one of: "
        f"{', '.join(found.agents)}",
        markup=False, soft_wrap=True,
    )  # fmt: skip
    if data:
        console.print(data, markup=False, soft_wrap=True)
    never = found.never.to_dict("records")
    console.print()
    if never:
        console.print(f"Never happened ({len(never)} of {len(found.table)}):", style="bold")
        for row in sorted(never, key=lambda row: row["reason"] != ""):
            why = f"may be: {row['reason']}" if row["reason"] else "NO REASON DECLARED"
            console.print(f"  {row['group']}: {row['name']} ({why})", markup=False, soft_wrap=True)
    else:
        console.print(f"Everything happened ({len(found.table)} things).", style="bold")
    for group, rows in found.table.groupby("group", sort=False):
        console.print()
        table = Table(title=str(group), title_justify="left", title_style="bold", show_edge=False, pad_edge=False)
        for column in ("name", "times", "games", *found.agents):
            table.add_column(column, justify="left" if column == "name" else "right")
        for row in sorted(rows.to_dict("records"), key=lambda row: row["uses"] > 0):
            numbers = [row["uses"], row["games"], *(row[agent] for agent in found.agents)]
            table.add_row(str(row["name"]), *(f"{n:,}" for n in numbers), style=None if row["uses"] else "red")
        console.print(table)
