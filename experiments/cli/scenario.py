"""``soundcheck scenario``: run rule scenarios."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer


def scenario(
    files: Annotated[list[Path], typer.Argument(help="TOML files of scenarios.", show_default=False)],
) -> None:
    """Run rule scenarios: a line each; exit code 1 when one does not hold, 2 when one cannot be read."""
    if "numba" not in sys.modules:
        # Scenarios are a few decisions each: the same kernels in plain Python are done in seconds, while
        # compiling them for the first time takes minutes.
        os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
    from experiments.scenario import main

    raise typer.Exit(main(files))
