"""What the shell offers at the Tab key: games, agents and their parameters, bands, paths of rules, plans.

The scripts for bash, zsh and fish are typer's (``soundcheck --install-completion``).  What cannot be completed
gives nothing rather than an error.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import typer

#: What bash, unlike zsh and fish, takes for words of their own inside a word.
_BREAKS = re.compile(r"[:=]+")


def _harmless(complete: Callable[[Any, str], list[str]]) -> Callable[[typer.Context, str], list[str]]:
    """``complete`` that offers nothing where the line so far has a mistake (a game that is not there)."""

    def offered(ctx: typer.Context, incomplete: str) -> list[str]:
        from simcore.errors import SoundcheckError

        try:
            return complete(ctx.params.get("game") or _named_game(), incomplete)
        except SoundcheckError:
            return []

    offered.__annotations__ = {"ctx": typer.Context, "incomplete": str}
    offered.__doc__ = complete.__doc__
    return offered


def _named_game() -> str | None:
    """The game that the line names; the parser does not say once it has met an option that lacks its value."""
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    return next((word for word in line.split() if word in _names("games")), None)


def _names(group: str) -> list[str]:
    """Names of the entry points of ``group``; the registry itself would take numba along, which is slow."""
    from importlib.metadata import entry_points

    return sorted(one.name for one in entry_points(group=f"soundcheck.{group}"))


def games(incomplete: str) -> list[str]:
    """Games that are installed."""
    return _names("games")


@_harmless
def agents(game: Any, incomplete: str) -> list[str]:
    """Agents, and after the colon the parameters of one."""
    name, colon, given = incomplete.partition(":")
    if not colon:
        return _names("agents")
    from simcore import registry

    *before, _ = given.split(",")
    start = f"{name}:" + "".join(f"{part}," for part in before)
    taken = {part.partition("=")[0] for part in before}
    keys = [*registry.kind(name).parameters, *registry.RESTRICTIONS]
    return [f"{start}{key}=" for key in keys if key not in taken]


@_harmless
def bands(game: Any, incomplete: str) -> list[str]:
    """Bands of the game that the line names; in a list with commas, those that are not in it yet."""
    from simcore import registry

    there = registry.game(game)
    *before, _ = incomplete.split(",")
    start = "".join(f"{part}," for part in before)
    return [f"{start}{name}" for name in there.entrants(there.rules()) if name not in before]


@_harmless
def paths(game: Any, incomplete: str) -> list[str]:
    """Paths of the game's rules, level by level."""
    return level(_values(game), incomplete)


@_harmless
def settings(game: Any, incomplete: str) -> list[str]:
    """PATH=VALUE: paths level by level, a whole one with the value that it has now."""
    from simcore.ruledata import toml_text

    values = _values(game)
    found = []
    for path in level(values, incomplete.partition("=")[0]):
        text = toml_text(values[path]) if path in values else ""
        found.append(f"{path}={text}" if text and not re.search(r"[\s\"'{}\[\]]", text) else path)
    return found


def plans(incomplete: str) -> list[str]:
    """Plans that come along."""
    from experiments.study import shipped_plans

    return list(shipped_plans())


def _values(game: Any) -> dict[str, Any]:
    from experiments.values import values_by_path
    from simcore import registry

    return values_by_path(registry.game(game).rules())


def level(paths: Iterable[str], incomplete: str) -> list[str]:
    """The next level of dotted ``paths`` below ``incomplete``; deeper while there is only one way to go on."""
    found = [path for path in paths if path.startswith(incomplete)]
    dots = incomplete.count(".")
    while True:
        parts = list(dict.fromkeys(".".join(path.split(".")[: dots + 1]) for path in found))
        if len(parts) != 1 or parts[0] in found:
            return [part if part in found else f"{part}." for part in parts]
        dots += 1


@contextlib.contextmanager
def whole_words() -> Iterator[None]:
    """For bash, which breaks ``mcts:iterations=64`` into five words: join them, and answer for the last of them."""
    if os.environ.get("_SOUNDCHECK_COMPLETE") != "complete_bash":
        yield
        return
    words = os.environ.get("COMP_WORDS", "").split("\n")
    at = int(os.environ.get("COMP_CWORD", "0"))
    joined, start = _joined(words[: at + 1])
    os.environ |= {"COMP_WORDS": "\n".join(joined), "COMP_CWORD": str(len(joined) - 1)}
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            yield
    finally:
        sys.stdout.writelines(f"{line.removeprefix(start)}\n" for line in said.getvalue().splitlines())


def _joined(words: list[str]) -> tuple[list[str], str]:
    """``words`` with those around a break joined, and what of the last one bash does not replace."""
    joined: list[str] = []
    last_break = False
    for word in words:
        is_break = bool(_BREAKS.fullmatch(word))
        if joined and (is_break or last_break):
            joined[-1] += word
        else:
            joined.append(word)
        last_break = is_break
    last = joined[-1] if joined else ""
    own = "" if last_break else words[-1] if words else ""
    return joined, last[: len(last) - len(own)]
