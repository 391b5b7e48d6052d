"""Golden playthroughs: whole games as text, one event a line; ``python -m tests.playthroughs`` writes them anew.

A changed line in one of these files is a changed rule, agent or stream, and is reviewed as such.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from simcore import registry
from simcore.loop import JOB
from simcore.ruledata import toml_text
from simcore.trace import events

FOLDER = Path(__file__).parent / "golden"

#: name of the file: (game, variant, agents by seat).
PLAYTHROUGHS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "overdrive-2-random": ("overdrive", {"players": 2, "bands": ["epic_gods", "tnshe"]}, ["random"]),
    "overdrive-3-greedy": (
        "overdrive",
        {"players": 3, "bands": ["cover_bots", "shirtless_vikings", "arcane_possession"]},
        ["greedy"],
    ),
    "overdrive-4-mixed": (
        "overdrive",
        {"players": 4, "bands": ["rebeldogs", "dead_and_death", "illuminatti_you_2", "powergirls"], "first_player": 2},
        ["greedy", "random"],
    ),
    "overdrive-solo-normal": (
        "overdrive",
        {"players": 1, "mode": "solo", "difficulty": "normal", "bands": ["allienogenn"]},
        ["greedy"],
    ),
    "overdrive-coop-brutal": (
        "overdrive",
        {
            "players": 2, "mode": "coop", "difficulty": "brutal", "bands": ["starssacration", "rebeldogs"],
            "speed_metal": True, "hall_of_fame": True, "free_falling": True,
        },
        ["random"],
    ),
    "metalmania-2-random": ("metalmania", {"players": 2}, ["random"]),
    "metalmania-3-greedy": ("metalmania", {"players": 3}, ["greedy"]),
    "metalmania-5-mixed": ("metalmania", {"players": 5}, ["greedy", "random"]),
}  # fmt: skip

SEED = 7


def lines(name: str) -> Iterator[str]:
    """The text of one playthrough, made by playing it."""
    game_name, variant, texts = PLAYTHROUGHS[name]
    game = registry.game(game_name)
    rules = game.rules()
    setup = game.setup(variant, rules)
    agents = [registry.agent(text, game) for text in texts]
    job = np.zeros(1, JOB)
    job["agent"] = np.arange(job["agent"].shape[1]) % len(agents)
    yield f"# {game.title}, seed {SEED}, agents {' and '.join(texts)} in turn from seat 0"
    yield f"# {toml_text(variant)}"
    last: list[np.ndarray] = []
    seen = None
    for event in events(game, rules, setup, job[0], agents, SEED, last):
        view = game.view(event.state[0], rules)
        if view.get("round") != seen:
            seen = view.get("round")
            yield f"# round {seen}: {levels(view)}"
        if event.kind == "chance":
            yield f"chance of {event.options}: {event.text}"
        else:
            yield f"seat {event.seat} of {event.options}: {event.text}"
    yield f"# end: {levels(game.view(last[0][0], rules))}"


def levels(view: dict[str, Any]) -> str:
    """The tracks of every seat in a line."""
    names = ("fans", "fame", "grana", "overdrive", "money")
    return "; ".join(" ".join(f"{name} {seat[name]}" for name in names if name in seat) for seat in view["seats"])


def main() -> None:
    """Write all files."""
    for name in PLAYTHROUGHS:
        (FOLDER / f"{name}.txt").write_text("\n".join(lines(name)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
