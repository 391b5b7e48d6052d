"""``soundcheck ratings``, ``styles`` and ``ladder``: strengths of bands and agents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from experiments.cli.options import Backend, GameName, Jobs, Json, Players, Quiet, Scheduler, Seed
from experiments.cli.run import Fresh, play_and_show

Rivals = Annotated[list[str], typer.Option("--agent", help="An agent; name two or more.")]
Games = Annotated[int, typer.Option(help="Games of each pair, at least; rounded up to whole designs.")]
Out = Annotated[Path | None, typer.Option(help="Folder of the runs.", show_default="runs/<name>")]


def ratings(
    run: Annotated[Path, typer.Argument(help="Folder of a stored run with rivals.")],
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """One strength a band, with seats and agents taken out (Plackett-Luce on the finishing order)."""
    from experiments import manifest as manifests
    from experiments.cli.console import output, print_house, print_json
    from experiments.ratings import rate_run

    found = rate_run(run)
    if as_json:
        data = {"games": found.games, "log_likelihood": found.log_likelihood, "terms": found.table.to_dict("records")}
        print_json(data | {"house": manifests.read(run)["house"]})
        return
    console = output()
    for factor, rows in found.table.groupby("factor", sort=False):
        table = _table(f"Strength of each {factor}", str(factor), "strength", "95 % interval", "wins among averages, %")
        for row in rows.sort_values("strength", ascending=False).to_dict("records"):
            table.add_row(
                row["name"], f"{row['strength']:+.3f}", f"{row['low']:+.3f} to {row['high']:+.3f}",
                f"{100 * row['win_share']:.1f}",
            )  # fmt: skip
        console.print(table)
    console.print(f"{found.games:,} finished games; strengths are log odds and sum to 0 in each table.", markup=False)
    print_house(manifests.read(run)["house"])


def styles(
    game: GameName,
    agents: Rivals,
    players: Players = None,
    games: Games = 2_000,
    seed: Seed = 1,
    out: Out = None,
    jobs: Jobs = None,
    backend: Backend = None,
    scheduler: Scheduler = "",
    fresh: Fresh = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Each agent against a table of each other: who beats whom, and how many styles are viable (alpha-rank)."""
    from experiments.cli.console import print_house, print_json
    from experiments.styles import matrix, pair_table, styles_study, viable

    study = styles_study(game, _several(agents), _seats(game, players), games, seed)

    def show(found: Any, folder: Path, console: Any) -> None:
        pairs = pair_table(found)
        shares, alive = matrix(pairs, agents), viable(pairs, agents)
        wins = shares.to_dict("index")
        if as_json:
            data: dict[str, Any] = {"matrix": wins, "alpha_rank": alive.ranks.to_dict()}
            data |= {"effective_number": alive.number, "low": alive.low, "high": alive.high}
            data |= {"pairs": pairs.to_dict("records"), "house": found.house, "folder": folder}
            print_json(data)
            return
        fair = 100 * pairs["fair"].iloc[0]
        table = _table(f"Win share of one, %, at a table of (fair is {fair:.3g})", "one", *agents, "alpha-rank")
        for agent in agents:
            cells = ["" if other == agent else f"{100 * float(wins[agent][other]):.1f}" for other in agents]
            table.add_row(agent, *cells, f"{alive.ranks[agent]:.3f}")
        console.print(table)
        limits = f"95 %: {alive.low:.2f} to {alive.high:.2f}"
        console.print(f"Effective number of styles: {alive.number:.2f} ({limits}) of {len(agents)}.", markup=False)
        print_house(found.house)

    play_and_show(study, out or _folder("styles", study), _how(jobs, backend, scheduler), fresh, False, quiet, show)


def ladder(
    game: GameName,
    agents: Rivals,
    players: Players = None,
    games: Games = 2_000,
    seed: Seed = 1,
    out: Out = None,
    jobs: Jobs = None,
    backend: Backend = None,
    scheduler: Scheduler = "",
    fresh: Fresh = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """A ladder of skill: each agent, weakest first, against a table of the one before it."""
    from experiments.cli.console import print_house, print_json
    from experiments.styles import ladder_study, ladder_table

    study = ladder_study(game, _several(agents), _seats(game, players), games, seed)

    def show(found: Any, folder: Path, console: Any) -> None:
        steps = ladder_table(found)
        if as_json:
            print_json({"steps": steps.to_dict("records"), "house": found.house, "folder": folder})
            return
        table = _table(
            "The ladder of skill", "rung", "at a table of", "wins %", "95 % interval", "step pp", "height pp", ""
        )
        for row in steps.to_dict("records"):
            table.add_row(
                row["rung"], row["below"], f"{100 * row['win_share']:.1f}",
                f"{100 * row['low']:.1f} to {100 * row['high']:.1f}", f"{100 * row['step']:+.1f}",
                f"{100 * row['height']:+.1f}", row["verdict"],
            )  # fmt: skip
        console.print(table)
        print_house(found.house)

    play_and_show(study, out or _folder("ladder", study), _how(jobs, backend, scheduler), fresh, False, quiet, show)


def _several(agents: list[str]) -> list[str]:
    from simcore.errors import UsageError

    if len(set(agents)) < 2 or len(set(agents)) < len(agents):
        raise UsageError(f"agent: {len(set(agents))} different of {len(agents)} named; name two or more, each once")
    return agents


def _seats(game: str, players: int | None) -> int:
    from simcore import registry

    return registry.game(game).usual_players({}) if players is None else players


def _how(jobs: int | None, backend: Any, scheduler: str) -> Any:
    from experiments.running import How

    return How(jobs, backend, None, scheduler)


def _folder(kind: str, study: Any) -> Path:
    from experiments.running import describe
    from experiments.study import cells

    return Path("runs") / f"{kind}-{study.game}-{describe(study, cells(study))['plan_hash'][:8]}"


def _table(title: str, *columns: str) -> Any:
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold", show_edge=False, pad_edge=False)
    for k, column in enumerate(columns):
        table.add_column(column, justify="left" if k == 0 else "right")
    return table
