"""``soundcheck scenario``: run rule scenarios."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def scenario(
    files: Annotated[list[Path], typer.Argument(help="TOML files of scenarios.", show_default=False)],
) -> None:
    """Run rule scenarios: a line each; exit code 1 when one does not hold, 2 when one cannot be read."""
    from experiments.scenario import main

    raise typer.Exit(main(files))
