"""Reference pages made from what they describe: the command line, the schemas, the rulings.

``conf.py`` has them written at every build, into ``docs/reference/generated``, which is not kept under version
control: they cannot be older than the code.  ``python docs/make_reference.py`` writes them by hand.
"""

from __future__ import annotations

from pathlib import Path

from generate import commands, notebooks, protocol, rulings, schemas

FOLDER = Path(__file__).resolve().parents[1] / "reference" / "generated"


def pages() -> dict[str, str]:
    """Text of every generated page, by file name."""
    return {
        "commands.md": commands.page(),
        "notebooks.md": notebooks.page(),
        "protocol.md": protocol.page(),
        "plan-file.md": schemas.plan_page(),
        "rules-file-overdrive.md": schemas.rules_page("overdrive"),
        "rules-file-metalmania.md": schemas.rules_page("metalmania"),
        "rulings-overdrive.md": rulings.page("overdrive"),
        "rulings-metalmania.md": rulings.page("metalmania"),
    }


def write(folder: Path = FOLDER) -> None:
    """Write every page; what has not changed is left alone, so that a build has less to do."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
