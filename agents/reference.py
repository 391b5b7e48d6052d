"""The tables in ``docs/reference/agents.md``: ``python -m agents.reference FILE`` renews them there.

A table stands between the lines ``<!-- features: GAME -->`` or ``<!-- parameters: AGENT -->`` (or
``<!-- personas -->``) and ``<!-- end -->``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path

from agents.mcts.kinds import EXPECTIMAX, FLAT, MCTS, SEARCH
from agents.metalmania.features import FEATURES as METALMANIA
from agents.overdrive.features import FEATURES as OVERDRIVE
from agents.overdrive.features import Feature
from agents.personas import PERSONAS
from agents.tuned import TUNED, untuned
from agents.weights import stored
from simcore.agent import AgentKind

TABLES: Mapping[str, Mapping[str, Feature]] = {"overdrive": OVERDRIVE, "metalmania": METALMANIA}

KINDS: Mapping[str, AgentKind] = {
    "mcts": MCTS, "search": SEARCH, "flat": FLAT, "expectimax": EXPECTIMAX, "tuned": TUNED,
}  # fmt: skip

_BLOCK = re.compile(r"(<!-- (features|parameters|personas|tuned|tests):? ?(\w*) -->\n).*?(<!-- end -->)", re.S)


def table(features: Mapping[str, Feature]) -> str:
    """Markdown table of weights, a line each."""
    lines = ["| parameter | default | unit | what it weighs |", "|---|---|---|---|"]
    lines += [f"| `{name}` | {one.weight:g} | {one.unit} | {one.doc} |" for name, one in features.items()]
    return "\n".join(lines) + "\n"


def parameters(kind: AgentKind) -> str:
    """Markdown table of an agent's parameters, a line each."""
    lines = ["| parameter | default | what it does |", "|---|---|---|"]
    for name, one in kind.parameters.items():
        allowed = f" ({', '.join(one.allowed)})" if one.allowed else ""
        lines.append(f"| `{name}` | {one.default} | {one.doc}{allowed} |")
    return "\n".join(lines) + "\n"


def personas() -> str:
    """Markdown table of the personas with what differs from greedy."""
    lines = ["| persona | game | what such a player does | differs from greedy by |", "|---|---|---|---|"]
    for one in PERSONAS:
        differs = [f"{name} {weight:g}" for name, weight in one.weights.items()]
        differs += [f"{key}={words}" for key, words in (("first", one.first), ("without", one.without)) if words]
        lines.append(f"| `{one.name}` | {one.games[0]} | {one.doc} | {', '.join(differs)} |")
    return "\n".join(lines) + "\n"


def tuned(game: str) -> str:
    """Markdown table of the tuned weights beside greedy's, a line each."""
    tables = stored(game, "tuned")["tables"]
    players = [f"{one['players']} players" for one in tables]
    lines = ["| parameter | greedy | " + " | ".join(players) + " |", "|---" * (2 + len(tables)) + "|"]
    for name, weight in untuned(game).items():
        own = " | ".join(f"{one['weights'][name]:g}" for one in tables)
        lines.append(f"| `{name}` | {weight:g} | {own} |")
    return "\n".join(lines) + "\n"


def tests(game: str) -> str:
    """Markdown table of what fresh games said of the tuned weights, a line a rival, with the commands."""
    lines = ["| players | against | win % | standard error | games | command | date |", "|---" * 7 + "|"]
    for one in stored(game, "tuned")["tables"]:
        for row in one["test"]:
            lines.append(
                f"| {one['players']} | `{row['against']}` | {100 * row['share']:.1f} | {100 * row['error']:.1f} | "
                f"{row['games']:,} | `{one['command']}` | {one['date']} |"
            )
    return "\n".join(lines) + "\n"


def _filled(found: re.Match[str]) -> str:
    """One block with its table as the code has it."""
    if found[2] == "personas":
        made = personas()
    elif found[2] == "parameters":
        made = parameters(KINDS[found[3]])
    else:
        made = {"tuned": tuned, "tests": tests, "features": lambda game: table(TABLES[game])}[found[2]](found[3])
    return found[1] + made + found[4]


def renew(text: str) -> str:
    """``text`` with every table as the code has it now."""
    return _BLOCK.sub(_filled, text)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(renew(path.read_text(encoding="utf-8")), encoding="utf-8")
