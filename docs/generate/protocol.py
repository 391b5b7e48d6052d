"""The page of the protocol, from the docstring that engines are written against."""

from __future__ import annotations

import inspect

from generate.markdown import NOTE
from simcore import check, protocol

_AUTO = """```{{eval-rst}}
.. autoclass:: {name}
   :members:
```"""


def page() -> str:
    """The kernels, the two halves of a game, and what ``check_game`` looks at."""
    checks = "\n".join(f"| {name} | {says} |" for name, says in check.CHECKS.items())
    return f"""# The protocol of games

{NOTE} A worked example is on [Add a game](../../how-to/add-a-game.md), the reasons on
[Why chance is explicit](../../explanation/explicit-chance.md).

{inspect.cleandoc(protocol.__doc__ or "")}

## What is checked

`simcore.check.check_game(game)` plays a game at random and looks at each event.

| check | what has to hold |
|---|---|
{checks}

## The compiled half

{_AUTO.format(name="simcore.protocol.Engine")}

## The Python half

{_AUTO.format(name="simcore.protocol.Game")}
"""
