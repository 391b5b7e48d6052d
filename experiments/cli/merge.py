"""``soundcheck merge``: runs of one plan made on several machines become one."""

from __future__ import annotations

import dataclasses
import shlex
from pathlib import Path
from typing import Annotated

import typer

from experiments.cli.options import Json, Quiet


def merge(
    into: Annotated[Path, typer.Argument(help="Folder of the result: new, or of the same plan.")],
    folders: Annotated[list[Path], typer.Argument(help="Folders to take in; they stay as they are.")],
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Join run folders of one plan; what does not belong together is refused with the reason."""
    from experiments.cli.console import Remarks, output, print_json
    from experiments.merging import merge as join

    merged = join(into, folders)
    if as_json:
        print_json({"folder": into, "runs": [dataclasses.asdict(one) for one in merged]})
        return
    console = output()
    for one in merged:
        lacks = ", ".join(f"{first} to {last - 1}" for first, last in one.gaps)
        tail = f"; blocks missing: {lacks}" if lacks else ""
        console.print(f"{one.name}: {one.games:,} of {one.of:,} games{tail}", markup=False, soft_wrap=True)
    if any(one.gaps for one in merged):
        Remarks(quiet).say(
            f"not whole yet: take in the other parts, or play what is missing with --out {shlex.quote(str(into))}"
        )
