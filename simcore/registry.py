"""Games and agents by text name, from this distribution and from any other that declares them.

Entry points: group ``soundcheck.games`` names Game instances, group ``soundcheck.agents`` AgentKind instances,
group ``soundcheck.leaves`` by a game's name what searches know of its positions (``agents.mcts.leaf.Leaf``),
group ``soundcheck.modifiers`` the function ``restrict`` (``agents.restricted``).

An agent's text is ``NAME`` or ``NAME:key=value,key=value``; ``py:module:Attribute`` is a Python agent (a class,
which is called without arguments, or an object).
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from simcore.agent import Agent, AgentKind, BatchChooser, Chooser, PythonAgent
from simcore.errors import UsageError, unknown
from simcore.protocol import Game

GAMES = "soundcheck.games"
AGENTS = "soundcheck.agents"
LEAVES = "soundcheck.leaves"
MODIFIERS = "soundcheck.modifiers"

#: Parameters that every agent has: what it never does, and what it does first wherever it can.
RESTRICTIONS = ("without", "first")


@functools.cache
def _entries(group: str) -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=group)}


def game_names() -> list[str]:
    """Names of all games that are installed."""
    return sorted(_entries(GAMES))


def agent_names() -> list[str]:
    """Names of all kinds of agents that are installed."""
    return sorted(_entries(AGENTS))


@functools.cache
def game(name: str) -> Game:
    """The game called ``name``.  Raises UsageError with the nearest right word."""
    entries = _entries(GAMES)
    if name not in entries:
        raise unknown("game", "game", name, entries)
    return entries[name].load()


@functools.cache
def kind(name: str) -> AgentKind:
    """The kind of agent called ``name``.  Raises UsageError with the nearest right word."""
    entries = _entries(AGENTS)
    if name not in entries:
        raise unknown("agent", "agent", name, [*entries, "py:module:Attribute"])
    return entries[name].load()


def leaf(for_game: Game) -> Any:
    """What searches know of the game's positions, None where no distribution says."""
    entry = _entries(LEAVES).get(for_game.name)
    return entry.load() if entry else None


def _python_agent(text: str, game: Game) -> Agent:
    """The agent that ``py:module:Attribute`` names, perhaps with restrictions behind another colon."""
    parts = text.split(":")
    if len(parts) not in (3, 4) or not all(parts):
        raise UsageError(f"agent {text!r}: a Python agent is written py:module:Attribute")
    _, module_name, attribute = parts[:3]
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise UsageError(f"agent {text!r}: module {module_name!r} cannot be imported: {error}") from error
    if not hasattr(module, attribute):
        public = [name for name in vars(module) if not name.startswith("_")]
        raise unknown(f"agent {text!r}", "attribute", attribute, public)
    made = wrap(text, getattr(module, attribute))
    given = _given(text, parts[3] if len(parts) == 4 else "", RESTRICTIONS)
    return _restricted(made, game, given)


def wrap(text: str, chooser: Any) -> PythonAgent:
    """A Python agent from a class or an object, under the name ``text``.  Raises UsageError."""
    if isinstance(chooser, type):
        chooser = chooser()
    if not isinstance(chooser, Chooser | BatchChooser):
        raise UsageError(f"agent {text!r}: neither choose(view, legal) nor choose_batch(views, legal) is there")
    return PythonAgent(text, chooser)


def _given(text: str, given: str, allowed: Iterable[str]) -> dict[str, str]:
    """What ``key=value,...`` says, by key.  Raises UsageError for a key that is not allowed."""
    found = {}
    for part in filter(None, given.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise UsageError(f"agent {text!r}: {part!r} is not key=value")
        if key not in allowed:
            raise unknown(f"agent {text!r}", "parameter", key, allowed)
        found[key] = value
    return found


def _restricted(made: Agent, game: Game, given: dict[str, str]) -> Agent:
    """The agent, with the restrictions that are given; the others of ``given`` are not looked at."""
    without, first = (given.get(key, "") for key in RESTRICTIONS)
    if not without and not first:
        return made
    entries = _entries(MODIFIERS)
    if "restrict" not in entries:
        raise UsageError(f"agent {made.text!r}: no installed distribution restricts agents")
    restricted: Agent = entries["restrict"].load()(made, game, without, first)
    return restricted


def _values(text: str, described: AgentKind, given: dict[str, str]) -> dict[str, Any]:
    """Every parameter's value: what is given, defaults otherwise.  Raises UsageError."""
    return {
        key: one.read(f"agent {text!r}: {key}", given[key]) if key in given else one.default
        for key, one in described.parameters.items()
    }


def parameters(text: str) -> dict[str, Any]:
    """Every parameter of the agent that ``text`` names, with its value; none for a Python agent.  Raises UsageError."""
    if text.startswith("py:"):
        return {}
    name, _, rest = text.partition(":")
    described = kind(name)
    given = _given(text, rest, [*described.parameters, *RESTRICTIONS])
    return {**{key: given[key] for key in RESTRICTIONS if key in given}, **_values(text, described, given)}


def agent(text: str, for_game: Game) -> Agent:
    """The agent that ``text`` names, built for a game.  Raises UsageError.

    Every agent may be told ``without`` and ``first``; a kind that has parameters of these names reads them itself.
    """
    if text.startswith("py:"):
        return _python_agent(text, for_game)
    name, _, rest = text.partition(":")
    described = kind(name)
    if described.games and for_game.name not in described.games:
        raise UsageError(f"agent {text!r} does not play {for_game.name} (it plays {', '.join(described.games)})")
    given = _given(text, rest, [*described.parameters, *RESTRICTIONS])
    made = described.build(text, for_game, _values(text, described, given))
    return _restricted(made, for_game, {key: one for key, one in given.items() if key not in described.parameters})
