"""Players that go without some actions, or take some first: any agent, shown only a part of its options.

``without=WORD+WORD`` forbids what the words name (a verb of the notation, a space, a card: the game's
``patterns``), ``first=WORD+WORD`` shows nothing else wherever something named is possible.  Where nothing would be
left, the agent sees all its options.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from agents.kernels.memory import address_of, function_reader, record_reader
from simcore.agent import Agent, CompiledAgent, PythonAgent
from simcore.errors import UsageError, unknown
from simcore.kernel import cache_key, kernel, record
from simcore.protocol import Engine, Game
from simcore.seen import View

#: Patterns of one agent.
MOST = 256


@functools.cache
def taste_dtype(engine: Engine) -> np.dtype:
    """What a restricted agent works with: its patterns, the base's kernel and mind, the list that is left."""
    return record(
        [
            ("whom", "i8"), ("mind", "i8"), ("forbidden", "i8"), ("preferred", "i8"),
            ("mask", "i8", (2, MOST)), ("bits", "i8", (2, MOST)), ("left", engine.options, (2,)),
        ]
    )  # fmt: skip


@kernel
def matches(taste, which, count, action):
    """Whether ``action`` belongs to one of the first ``count`` patterns of list ``which``."""
    found = False
    for k in range(count):
        found = found or action & taste.mask[which, k] == taste.bits[which, k]
    return found


@kernel
def narrow(taste, legal, n):
    """Write what the agent sees to ``taste.left[0]``; returns how many."""
    kept, left, first = 0, taste.left[0], taste.left[1]
    for k in range(n):
        if not matches(taste, 0, taste.forbidden, legal.action[k]):
            left.action[kept] = legal.action[k]
            kept += 1
    if kept == 0:
        for k in range(n):
            left.action[k] = legal.action[k]
        kept = n
    preferred = 0
    for k in range(kept):
        if matches(taste, 1, taste.preferred, left.action[k]):
            first.action[preferred] = left.action[k]
            preferred += 1
    if preferred > 0:
        for k in range(preferred):
            left.action[k] = first.action[k]
        kept = preferred
    return kept


@functools.cache
def restricted_of(engine: Engine) -> Any:
    """The agent's kernel for ``engine``."""
    module = engine.reset.__module__
    choose_at = function_reader(engine.signatures["choose"])
    mind_at, taste_at = record_reader(engine.mind), record_reader(taste_dtype(engine))

    @kernel(label=f"agents.restricted {module} {cache_key(module.partition('.')[0])}")
    def restricted(state, rules, legal, n, params, rng):
        """What the base chooses from the part that it is shown."""
        taste = taste_at(params.pool, 0)
        left = narrow(taste, legal, n)
        if left == 1:
            return taste.left[0].action[0]
        return choose_at(taste.whom)(state, rules, taste.left[0], left, mind_at(taste.mind, 0), rng)

    return restricted


def read_patterns(text: str, key: str, words: str, game: Game) -> np.ndarray:
    """(mask, value) of every pattern that the words name, shape (n, 2), int64.  Raises UsageError."""
    known = getattr(game, "patterns", None)
    if known is None:
        raise UsageError(f"agent {text!r}: {game.name} has no words for its actions")
    named = known(game.rules())
    found: list[tuple[int, int]] = []
    for word in filter(None, words.split("+")):
        if word not in named:
            raise unknown(f"agent {text!r}: {key}", "word", word, named)
        found += named[word]
    if len(found) > MOST:
        raise UsageError(f"agent {text!r}: {key}: {len(found)} patterns, at most {MOST}")
    return np.array(found, np.int64).reshape(-1, 2)


class _Narrowed:
    """A Python agent that is shown a part of its options."""

    def __init__(self, chooser: Any, forbidden: np.ndarray, preferred: np.ndarray) -> None:
        self.chooser, self.forbidden, self.preferred = chooser, forbidden, preferred

    def _shown(self, legal: np.ndarray) -> np.ndarray:
        for patterns, wanted in ((self.forbidden, False), (self.preferred, True)):
            named = ((legal[:, None] & patterns[None, :, 0]) == patterns[None, :, 1]).any(axis=1)
            if (named == wanted).any():
                legal = legal[named == wanted]
        return legal

    def choose(self, view: View, legal: np.ndarray) -> Any:
        """The base's choice from what it is shown."""
        shown = self._shown(legal)
        if len(shown) == 1:
            return int(shown[0])
        if hasattr(self.chooser, "choose_batch"):
            return self.chooser.choose_batch([view], [shown])[0]
        return self.chooser.choose(view, shown)


def restrict(agent: Agent, game: Game, without: str, first: str) -> Agent:
    """``agent`` under its own name, shown only what ``without`` and ``first`` leave.  Raises UsageError."""
    forbidden = read_patterns(agent.text, "without", without, game)
    preferred = read_patterns(agent.text, "first", first, game)
    if isinstance(agent, PythonAgent):
        return PythonAgent(agent.text, _Narrowed(agent.chooser, forbidden, preferred))
    base: CompiledAgent = agent
    engine = game.engine

    def prepare(mind: Any) -> Any:
        choose = engine.compile_agent(base.choose)
        taste, minds = np.zeros(1, taste_dtype(engine)), np.zeros(1, engine.mind)
        kept = base.prepare(minds[0])
        for which, patterns in enumerate((forbidden, preferred)):
            taste["mask"][0, which, : len(patterns)] = patterns[:, 0]
            taste["bits"][0, which, : len(patterns)] = patterns[:, 1]
        taste["forbidden"], taste["preferred"] = len(forbidden), len(preferred)
        taste["whom"] = address_of(choose, engine.signatures["choose"])
        taste["mind"] = minds.ctypes.data
        mind["pool"] = taste.ctypes.data
        return taste, minds, kept, choose

    return CompiledAgent(base.text, restricted_of(engine), prepare)
