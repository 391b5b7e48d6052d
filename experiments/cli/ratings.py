"""``soundcheck ratings``, ``styles`` and ``ladder``: strengths of bands and agents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from experiments.cli import completion
from experiments.cli.options import Backend, GameName, Jobs, Json, Players, Quiet, Scheduler, Seed, Unit
from experiments.cli.run import Fresh, play_and_show

Rivals = Annotated[
    list[str] | None, typer.Option("--agent", help="An agent; name two or more.", autocompletion=completion.agents)
]
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
    house = manifests.read(run)["house"]
    if as_json:
        data = {"games": found.games, "log_likelihood": found.log_likelihood, "terms": found.table.to_dict("records")}
        print_json(data | {"house": house})
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
    print_house(house)


def _tournament(
    study_of: str, data: Callable[[Any, list[str]], dict[str, Any]], tell: Callable[..., None],
    unnamed: Callable[..., None] | None = None,
) -> Any:  # fmt: skip
    """The command that plays ``agents`` against each other.

    ``study_of``: function of ``experiments.styles`` that says which pairs; ``data``: what was found, as plain data;
    ``tell``: prints the same; ``unnamed``: what is done where no agent is named.
    """

    def command(
        game: GameName,
        rivals: Rivals = None,
        players: Players = None,
        games: Games = 2_000,
        seed: Seed = 1,
        out: Out = None,
        jobs: Jobs = None,
        backend: Backend = None,
        scheduler: Scheduler = "",
        unit: Unit = None,
        fresh: Fresh = False,
        as_json: Json = False,
        quiet: Quiet = False,
    ) -> None:
        from experiments import styles
        from experiments.cli.console import print_house, print_json
        from experiments.running import How

        if not rivals and unnamed is not None:
            unnamed(game, players, seed, out, jobs, as_json, quiet)
            return
        agents = _several(rivals or [])
        study = getattr(styles, study_of)(game, agents, _seats(game, players), games, seed)

        def show(found: Any, folder: Path, console: Any) -> None:
            told = data(found, agents)
            if as_json:
                print_json(told | {"house": found.house, "folder": folder})
                return
            tell(told, agents, console)
            print_house(found.house)

        folder = out or _folder(study_of.partition("_")[0], study)
        play_and_show(study, folder, How(jobs, backend, unit, scheduler), fresh, False, quiet, show)

    return command


def _styles_data(found: Any, agents: list[str]) -> dict[str, Any]:
    from experiments.styles import matrix, pair_table, viable

    pairs = pair_table(found)
    alive = viable(pairs, agents)
    return {
        "matrix": matrix(pairs, agents).to_dict("index"), "alpha_rank": alive.ranks.to_dict(),
        "effective_number": alive.number, "low": alive.low, "high": alive.high, "pairs": pairs.to_dict("records"),
    }  # fmt: skip


def _tell_styles(told: dict[str, Any], agents: list[str], console: Any) -> None:
    fair = 100 * told["pairs"][0]["fair"]
    table = _table(f"Win share of one, %, at a table of (fair is {fair:.3g})", "one", *agents, "alpha-rank")
    for agent in agents:
        cells = ["" if other == agent else f"{100 * told['matrix'][agent][other]:.1f}" for other in agents]
        table.add_row(agent, *cells, f"{told['alpha_rank'][agent]:.3f}")
    console.print(table)
    limits = f"95 %: {told['low']:.2f} to {told['high']:.2f}"
    console.print(
        f"Effective number of styles: {told['effective_number']:.2f} ({limits}) of {len(agents)}.", markup=False
    )


def _ladder_data(found: Any, agents: list[str]) -> dict[str, Any]:
    from experiments.styles import ladder_table

    return {"steps": ladder_table(found).to_dict("records")}


def _tell_ladder(told: dict[str, Any], agents: list[str], console: Any) -> None:
    table = _table(
        "The ladder of skill", "rung", "at a table of", "wins %", "95 % interval", "step pp", "height pp", ""
    )
    for row in told["steps"]:
        table.add_row(
            row["rung"], row["below"], f"{100 * row['win_share']:.1f}",
            f"{100 * row['low']:.1f} to {100 * row['high']:.1f}", f"{100 * row['step']:+.1f}",
            f"{100 * row['height']:+.1f}", row["verdict"],
        )  # fmt: skip
    console.print(table)


styles = _tournament("styles_study", _styles_data, _tell_styles)
styles.__doc__ = (
    "Each agent against a table of each other: who beats whom, and how many styles are viable (alpha-rank)."
)


def _prove(
    game: str, players: int | None, seed: int, out: Path | None, jobs: int | None, as_json: bool, quiet: bool
) -> None:
    """Climb the ladder of proof, each rung until its sequential test decides."""
    from experiments.cli.strength import strength

    file = (out or Path("runs") / f"ladder-{game}") / "blocks.jsonl"
    strength(game, players=players or 2, seed=seed, jobs=jobs, keep=file, as_json=as_json, quiet=quiet)


ladder = _tournament("ladder_study", _ladder_data, _tell_ladder, _prove)
ladder.__doc__ = """A ladder of skill: each agent, weakest first, against a table of the one before it.

Without --agent: random, greedy, tuned, search at 64, 256 and 1024 iterations; each rung is played until a sequential
test tells fair share from 5 pp more, and what was played is kept: the same command goes on where it was interrupted.
"""


def _several(agents: list[str]) -> list[str]:
    from simcore.errors import UsageError

    if len(set(agents)) < 2 or len(set(agents)) < len(agents):
        raise UsageError(f"agent: {len(set(agents))} different of {len(agents)} named; name two or more, each once")
    return agents


def _seats(game: str, players: int | None) -> int:
    from simcore import registry

    return registry.game(game).usual_players({}) if players is None else players


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
