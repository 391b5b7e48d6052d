"""Every player count and mode of both games, as the conformance suites see them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from bridges.games import Games

CONFIGURATIONS: dict[str, tuple[str, dict[str, Any]]] = {
    **{f"metalmania-{n}": ("metalmania", {"players": n}) for n in range(2, 6)},
    **{f"overdrive-{n}": ("overdrive", {"players": n}) for n in range(2, 5)},
    "overdrive-solo": ("overdrive", {"players": 1, "mode": "solo", "difficulty": "poser"}),
    **{
        f"overdrive-coop-{n}": ("overdrive", {"players": n, "mode": "coop", "difficulty": difficulty})
        for n, difficulty in ((2, "brutal"), (3, "normal"), (4, "metalgeddon"))
    },
    "overdrive-variants": (
        "overdrive",
        {
            "players": 3, "speed_metal": True, "hall_of_fame": True, "free_falling": True,
            "bands": ["cover_bots", "tnshe", "shirtless_vikings"],
        },
    ),
}  # fmt: skip


@contextmanager
def quiet() -> Iterator[None]:
    """Without the remarks that board games always get (masks beside the observation, text as picture) and ours on
    four humans.
    """
    with warnings.catch_warnings():
        for message in (
            "Observation is not a NumPy array", "Observation space for each agent probably", "four humans and Metallum",
            "Action mask numpy array is all zeros", "Not able to test alternative render modes",
            ".*Not able to test alternative render modes", "Observation numpy array is all zeros",
        ):  # fmt: skip
            warnings.filterwarnings("ignore", message)
        yield


def words_of(games: Games, action: int) -> Iterator[int]:
    """The words that spell ``action`` from where game 0 stands; each is to be said before the next is asked for."""
    while True:
        left = games.legal()
        word = int(games.spellings[0]["word"][: len(left)][left == action][0])
        is_last = int((games.spellings[0]["word"][: len(left)] == word).sum()) == 1
        yield word
        if is_last:
            return


def play(games: Games, seed: int, most: int = 10**9) -> Iterator[Games]:
    """Play game 0 with random words, yielding before each of them."""
    random = np.random.default_rng(seed)
    while games.reports[0]["status"] == 0 and most:
        yield games
        games.say(random.choice(games.possible(), 1))
        most -= 1
