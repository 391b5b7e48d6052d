"""``soundcheck plot``: the figures of a stored run as SVG or PNG files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from experiments.cli.options import Quiet


def plot(
    run: Annotated[Path | None, typer.Argument(help="Run folder, or that of a plan.", show_default=False)] = None,
    kind: Annotated[
        str | None,
        typer.Argument(help="A kind of figure, or one by its name; none: list what RUN has.", show_default=False),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="File; its ending says .svg or .png.", show_default="KIND.svg here")
    ] = None,
    everything: Annotated[
        Path | None,
        typer.Option("--all", metavar="DIR", help="Draw every figure of RUN into DIR, as SVG and PNG.",
                     show_default=False),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(help="About so many games are played again for figures that need it.", show_default="240"),
    ] = None,
    margin: Annotated[float, typer.Option(help="Half width of 'balanced', in percentage points.")] = 2.0,
    target: Annotated[
        str | None, typer.Option(help="Wanted win share of each level of a difficulty run.", show_default=False)
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List every kind of figure.")] = False,
    quiet: Quiet = False,
) -> None:  # fmt: skip
    """Draw the figures of a run.  With RUN alone: list the figures that it has."""
    from simcore.errors import UsageError

    if listed:
        _print_kinds()
        return
    if run is None:
        raise UsageError("plot: name a run folder (soundcheck plot RUN KIND), or list the kinds with --list")
    if kind is not None and everything is not None:
        raise UsageError("all: draws every kind; leave KIND out, or --all")
    if margin <= 0:
        raise UsageError(f"margin: {margin:g} is too small; it must be above 0 percentage points")
    if games is not None and games < 1:
        raise UsageError(f"games: {games} is too few; at least 1 is needed")
    from experiments.cli.difficulty import shares
    from experiments.courses import SAMPLE
    from experiments.gallery import KINDS, figures, remark

    sample, wanted = SAMPLE if games is None else games, shares(target) if target is not None else None
    kinds = None if kind is None else {kind} if kind in KINDS else _kinds_like(kind)
    found = figures(run, kinds, margin / 100, sample, wanted)
    if everything is not None:
        _draw_all(found, everything, remark(run), quiet)
    elif kind is None:
        width = max(len(one.name) for one in found)
        for one in found:
            print(f"{one.name:{width}}  {one.caption}")
    else:
        _draw_kind(found, kind, run, out, remark(run))


def _print_kinds() -> None:
    from experiments.gallery import KINDS

    width = max(map(len, KINDS))
    for name, line in KINDS.items():
        print(f"{name:{width}}  {line}")


def _kinds_like(name: str) -> set[str]:
    """The kinds that a figure of this name may be of.  Raises UsageError."""
    from experiments.gallery import KINDS
    from simcore.errors import unknown

    kinds = {kind for kind in KINDS if name.startswith(f"{kind}-")}
    if not kinds:
        raise unknown("plot", "kind of figure", name, KINDS)
    return kinds


def _draw_kind(found: list, kind: str, run: Path, out: Path | None, said: str) -> None:
    """All figures of a kind one above the other, or the one of that name."""
    from experiments.gallery import KINDS
    from experiments.plots import save
    from simcore.errors import UsageError, unknown

    chosen = [one for one in found if kind in (one.kind, one.name)]
    if not chosen and kind in KINDS:
        raise UsageError(f"plot: {run} has no figure of the kind {kind!r} (soundcheck plot {run} lists what it has)")
    if not chosen:
        raise unknown("plot", "figure", kind, [one.name for one in found])
    last = len(chosen) - 1
    print(save([one.drawing(said if k == last else "") for k, one in enumerate(chosen)], out or Path(f"{kind}.svg")))


def _draw_all(found: list, folder: Path, said: str, quiet: bool) -> None:
    """A file each figure and format."""
    from experiments.plots import FORMATS, save
    from experiments.store import plainly

    with plainly(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for one in found:
        paths = [save([one.drawing(said)], folder / f"{one.name}.{kind}") for kind in FORMATS]
        if not quiet:
            print(*paths)
