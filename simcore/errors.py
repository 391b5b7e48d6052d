"""Errors a user can act on: the place, the value, what is allowed and the nearest right word."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class SoundcheckError(Exception):
    """Base of every error that this library raises on purpose."""


class UsageError(SoundcheckError):
    """Bad usage or input: a file, an option, a name.  The command line exits with 2."""


class Ambiguous(UsageError):  # noqa: N818 (named by what it is)
    """A text that leaves out what tells several legal actions apart."""


class UnknownWord(UsageError):  # noqa: N818 (named by what it is)
    """A word that nobody knows, as ``unknown`` describes it."""


class AgentError(SoundcheckError):
    """An agent raised, cheated, or returned nonsense; the message names it, the game and the seat."""


class EngineError(SoundcheckError):
    """An engine broke its own protocol: a bug of this library, never of its user."""


def nearest(word: str, allowed: Iterable[str]) -> str | None:
    """The allowed word that looks most like ``word``, or None when none does."""
    found = difflib.get_close_matches(str(word).lower(), list(allowed), n=1, cutoff=0.5)
    return found[0] if found else None


def unknown(place: str, what: str, word: object, allowed: Iterable[str]) -> UnknownWord:
    """The error for a word that is not among ``allowed``: place, value, what is allowed, a guess."""
    words = sorted(map(str, allowed))
    guess = nearest(str(word), words)
    hint = f"; did you mean {guess!r}?" if guess else ""
    return UnknownWord(f"{place}: unknown {what} {str(word)!r}{hint} (allowed: {', '.join(words)})")
