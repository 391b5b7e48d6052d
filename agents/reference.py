"""The tables of features in ``docs/reference/agents.md``: ``python -m agents.reference FILE`` renews them there.

A table stands between the lines ``<!-- features: GAME -->`` and ``<!-- end -->``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path

from agents.metalmania.features import FEATURES as METALMANIA
from agents.overdrive.features import FEATURES as OVERDRIVE
from agents.overdrive.features import Feature

TABLES: Mapping[str, Mapping[str, Feature]] = {"overdrive": OVERDRIVE, "metalmania": METALMANIA}

_BLOCK = re.compile(r"(<!-- features: (\w+) -->\n).*?(<!-- end -->)", re.S)


def table(features: Mapping[str, Feature]) -> str:
    """Markdown table of weights, a line each."""
    lines = ["| parameter | default | unit | what it weighs |", "|---|---|---|---|"]
    lines += [f"| `{name}` | {one.weight:g} | {one.unit} | {one.doc} |" for name, one in features.items()]
    return "\n".join(lines) + "\n"


def renew(text: str) -> str:
    """``text`` with every table of features as the code has it now."""
    return _BLOCK.sub(lambda found: found[1] + table(TABLES[found[2]]) + found[3], text)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(renew(path.read_text(encoding="utf-8")), encoding="utf-8")
