"""The page of the notebooks: what each says of itself in its first cell."""

from __future__ import annotations

import json
import re
from pathlib import Path

from generate.markdown import NOTE

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


def page() -> str:
    """Every notebook with its title, what it is about, and its two files."""
    parts = [
        "# Notebooks",
        f"{NOTE} Notebooks lie in `notebooks/`, each beside the same as a plain Python file; they are stored without "
        "output, and the tests execute them.",
    ]
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        title, about = _first(path)
        parts.append(f"## {title}\n\n{about}\n\n{_files(path)}")
    return "\n\n".join(parts) + "\n"


def _first(path: Path) -> tuple[str, str]:
    """(title, first paragraph) of a notebook; its file's name where it has no title."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    found = re.match(r"# *(?P<title>.+)\n*(?P<about>(?:[^\n#].*\n?)*)", texts[0]) if texts else None
    return (found["title"], found["about"].strip()) if found else (path.stem.replace("_", " "), "")


def _files(path: Path) -> str:
    both = [path, *([path.with_suffix(".py")] if path.with_suffix(".py").exists() else [])]
    return ", ".join(f"{{download}}`{one.name} <../../../notebooks/{one.name}>`" for one in both)
