"""``soundcheck merge``: runs of one plan made on several machines become one."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer


def merge(
    into: Annotated[Path, typer.Argument(help="Folder of the result: new, or of the same plan.")],
    folders: Annotated[list[Path], typer.Argument(help="Folders to take in; they stay as they are.")],
) -> None:
    """Join run folders of one plan; what does not belong together is refused with the reason."""
    from experiments.cli.console import output
    from experiments.merging import merge as join

    console = output()
    merged = join(into, folders)
    for one in merged:
        lacks = ", ".join(f"{first} to {last - 1}" for first, last in one.gaps)
        tail = f"; blocks missing: {lacks}" if lacks else ""
        console.print(f"{one.name}: {one.games:,} of {one.of:,} games{tail}", markup=False, soft_wrap=True)
    if any(one.gaps for one in merged):
        console.print(
            f"not whole yet: take in the other parts, or play what is missing with --out {shlex.quote(str(into))}",
            markup=False, soft_wrap=True,
        )  # fmt: skip
