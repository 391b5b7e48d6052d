"""The conformance suite passes what is sound and names what is wrong."""

import random

import pytest

from agents.check import CHECKS, check_agent
from simcore import registry


@pytest.mark.parametrize(
    ("agent", "game"),
    [
        ("random", "overdrive"), ("greedy", "overdrive"), ("mcts:iterations=4,per=turn", "overdrive"),
        ("flat:iterations=8,width=2", "overdrive"), ("saboteur", "overdrive"),
        ("py:agents.examples.fans_first:FansFirst", "overdrive"),
        ("random", "metalmania"), ("greedy", "metalmania"), ("mcts:iterations=4", "metalmania"),
        ("expectimax:samples=1,width=2", "metalmania"), ("spoiler", "metalmania"),
        ("py:agents.examples.last_in_list:LastInList", "metalmania"),
    ],
)  # fmt: skip
def test_shipped_agents_are_sound(agent, game):
    found = check_agent(agent, game, players=2, games=2)
    assert found, str(found)


class Sound:
    def choose(self, view, legal):
        return int(legal[view.draw(len(legal))])


class Illegal(Sound):
    def choose(self, view, legal):
        return -5


class Raises(Sound):
    def choose(self, view, legal):
        raise RuntimeError("no idea")


class Unseeded(Sound):
    def choose(self, view, legal):
        return int(random.choice(list(legal)))


class Counts(Sound):
    """Remembers how often it was asked, over all its games and seats."""

    def __init__(self):
        self.asked = 0

    def choose(self, view, legal):
        self.asked += 1
        return int(legal[self.asked % len(legal)])


class Unpicklable(Sound):
    def __init__(self):
        self.memory = lambda: 0


class Peeks(Sound):
    """Looks into the frames of its callers for the true state, where Metallum's cards lie."""

    def choose(self, view, legal):
        import inspect

        for frame in inspect.stack():
            slot = frame.frame.f_locals.get("slot")
            if slot is not None and getattr(slot.dtype, "names", None) and "seen" in slot.dtype.names:
                # The hand is the first field of the first seat: Metallum's, where it plays.
                hand = int(slot.state[0]["seat"][0]["hand"])
                return int(legal[hand % 9973 % len(legal)])
        return int(legal[0])


class NotAnAgent:
    pass


@pytest.mark.parametrize(
    ("agent", "fails"),
    [
        (Sound, set()), (Illegal, {"legal"}), (Raises, {"legal"}), (Unseeded, {"deterministic"}),
        (Counts, {"stateless", "seat-independent"}), (Unpicklable, {"pickling"}), (Peeks, {"no peeking"}),
    ],
)  # fmt: skip
def test_each_fault_is_named(agent, fails):
    found = check_agent(agent, "overdrive", players=2, games=3)
    assert fails <= set(found.problems)
    assert bool(found) == (not fails)
    assert set(found.problems) <= set(CHECKS)
    for name in fails:
        assert name in str(found)
    if agent is Illegal:
        assert "-5" in str(found)
        assert "seat" in str(found)
        assert "state:" in str(found)
    if agent is Raises:
        assert "no idea" in str(found)


def test_what_is_no_agent_is_refused():
    with pytest.raises(registry.UsageError, match="neither choose"):
        check_agent(NotAnAgent(), "overdrive")


def test_objects_are_checked_too():
    assert check_agent(Sound(), "metalmania", players=2, games=2)
