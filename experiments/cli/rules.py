"""``soundcheck rules``: show rules with their sources, check a rules file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from experiments.cli import completion
from experiments.cli.options import Cards, GameName, Json, Overrides, Quiet, RulesFile, changes

rules = typer.Typer(help="Show or check rules data.", no_args_is_help=True, rich_markup_mode=None)


@rules.command()
def show(
    game: GameName,
    path: Annotated[
        str,
        typer.Argument(help="Only values below this path, such as hits.back_in_box.", autocompletion=completion.paths),
    ] = "",
    overrides: Overrides = None,
    rules_file: RulesFile = None,
    cards: Cards = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print every value of the rules, with its source: `*` marks house data, `!` changed values."""
    from experiments.cli.console import output, print_json
    from experiments.values import values_by_path
    from simcore import registry
    from simcore.errors import unknown
    from simcore.ruledata import toml_text

    found = registry.game(game).rules(changes(game, overrides, cards), str(rules_file) if rules_file else None)
    values = values_by_path(found)
    shown = {key: value for key, value in values.items() if key == path or key.startswith(f"{path}.") or not path}
    if not shown:
        tops = {".".join(key.split(".")[: path.count(".") + 1]) for key in values}
        raise unknown(f"rules of {game}", "path", path, tops)
    if as_json:
        rows = [{"path": key, "value": value, "source": found.sources.get(key, "")} for key, value in shown.items()]
        data = {"game": game, "hash": found.hash, "data": registry.game(game).data_line(found), "values": rows}
        print_json(data | {"house": found.house})
        return
    console = output()
    for key, value in shown.items():
        source = found.sources.get(key, "")
        mark = "!" if key in found.overrides else "*" if source.startswith("house") else " "
        console.print(f"{mark} {key} = {toml_text(value)}  [{source or 'option'}]", markup=False, soft_wrap=True)
    if line := registry.game(game).data_line(found):
        console.print(f"\n{line}", markup=False)
    console.print(f"\n* house data (not printed in the rulebook), ! changed. Rules hash {found.hash}.", markup=False)


@rules.command()
def check(
    file: Annotated[
        Path | None, typer.Argument(help="TOML file of rules (not with --cards alone).", show_default=False)
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            help="The game whose rules it changes.",
            show_default="overdrive; metalmania with --cards",
            autocompletion=completion.games,
        ),
    ] = None,
    cards: Cards = None,
) -> None:
    """Check a rules file or a card file: every mistake in one go; exit code 1 when there is any."""
    from simcore import registry
    from simcore.errors import UsageError
    from simcore.files import guess

    files = [one for one in (file, cards) if one is not None]
    if not files:
        raise UsageError("rules check: name a rules file, or a card file with --cards")
    for one in files:
        if not one.is_file():
            raise UsageError(f"{one}: no such file{guess(one)}")
    named = game or ("overdrive" if cards is None else "metalmania")
    try:
        found = registry.game(named).rules(changes(named, None, cards), str(file) if file else None)
    except UsageError as error:
        print(error)
        raise typer.Exit(1) from None
    number = len(found.overrides)
    print(f"{files[0]}: good; {number} {'value' if number == 1 else 'values'} changed, rules hash {found.hash}")
    if line := registry.game(named).data_line(found):
        print(line)
    for path, value in found.overrides.items():
        print(f"  {path} = {value}")
