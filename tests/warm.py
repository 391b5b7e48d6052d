"""Compile every game and agent once, so that parallel tests load them instead of compiling each for itself."""

from __future__ import annotations

import time

from simcore import registry
from simcore.agent import CompiledAgent
from simcore.loop import loop_of


def main() -> None:
    """Compile (or load) and say how long it took."""
    start = time.monotonic()
    for name in registry.game_names():
        game = registry.game(name)
        loop_of(game.engine)
        for kind in registry.agent_names():
            described = registry.kind(kind)
            if not described.games or name in described.games:
                agent = registry.agent(kind, game)
                if isinstance(agent, CompiledAgent):
                    game.engine.compile_agent(agent.choose)
        print(f"{name}: ready after {time.monotonic() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
