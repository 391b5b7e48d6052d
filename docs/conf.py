"""Sphinx settings of the documentation: ``python -m sphinx -W --keep-going -b html docs docs/_build`` builds it."""

from __future__ import annotations

import re
import sys
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

project = "Soundcheck"
author = "the authors of Soundcheck"
copyright = author  # noqa: A001 (the name that Sphinx reads)
release = version = installed_version("soundcheck-sim")

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
]
exclude_patterns = ["_build"]

# Pages are Markdown; examples are executed by the tests (tests/docs), which also compare what they print.
myst_enable_extensions = ["deflist", "colon_fence"]
myst_heading_anchors = 3
nb_execution_mode = "off"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["tables.css"]
html_title = "Soundcheck"
html_copy_source = False
html_show_copyright = False


def list_the_rest(app: Any, name: str, source: list[str]) -> None:
    """Pages of a folder that its index does not name stand in a last table of contents, so that none is lost."""
    folder, _, page = name.rpartition("/")
    if page != "index" or not folder:
        return
    named = set(re.findall(r"^[\w/-]+$", source[0], re.M))
    rest = [path.stem for path in sorted((ROOT / "docs" / folder).glob("*.md")) if path.stem not in {*named, "index"}]
    if rest:
        lines = ["```{toctree}", *([":caption: More"] if named else []), ":maxdepth: 1", "", *rest, "```"]
        source[0] += "\n" + "\n".join(lines) + "\n"


def setup(app: Any) -> None:
    """The generated reference pages are written before anything is read."""
    import generate  # noqa: PLC0415 (found through the path set above)

    generate.write()
    app.connect("source-read", list_the_rest)
