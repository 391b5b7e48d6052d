"""Metallum's face-down cards: two states that differ in nothing else look alike to every agent, and play alike."""

from collections import Counter

import numpy as np
import pytest

from overdrive_sim.game import OVERDRIVE
from simcore import registry
from simcore.agent import PythonAgent
from simcore.play import Table, see
from simcore.protocol import Engine
from simcore.seen import View
from simcore.streams import RNG
from tests.overdrive.positions import at

ENGINE: Engine = OVERDRIVE.engine
AGENTS = ("random", "greedy", "py:agents.examples.fans_first:FansFirst", "py:agents.examples.last_in_list:LastInList")
HANDS = (["5:S", "9:C"], ["13:S", "2:I"])


def solo(hand, **more):
    """The human's turn with cards, Grana and choices; ``hand`` lies before Metallum face down."""
    return at(
        {
            "round": 5,
            "turn": 1,
            "table": {"hits": ["mini_lover", "crazy_ticket"], "distortions": [1, 7]},
            "seats": [
                {"band": "metallum", "fans": 4, "fame": 2, "hand": hand},
                {"band": "rebeldogs", "fans": 3, "grana": 12, "overdrive": 3, "pool": "SSCI", "hand": [10]},
            ],
            **more,
        },
        players=1,
        mode="solo",
        difficulty="normal",
    )


def slot_at(position, table, key):
    """A slot of the loop that stands at ``position``, with streams that depend on ``key`` alone."""
    from simcore.loop import slot_dtype

    slots = np.zeros(1, slot_dtype(ENGINE))
    slots[0]["state"][0] = position.state[0]
    for seat in range(2):
        slots[0]["rng"][seat]["key"] = 1000 + key
        slots[0]["hide_rng"][seat]["key"] = 2000 + key
    return slots[0]


def view_of(position, table, key, seat=1) -> View:
    return see(table, position.rules, slot_at(position, table, key), seat)


def choice(agent, position, key):
    """What ``agent`` chooses in the human's seat, with the streams of ``key``."""
    table = Table(OVERDRIVE, [agent])
    view = view_of(position, table, key)
    legal = position.legal()
    if isinstance(agent, PythonAgent):
        chooser = agent.chooser
        if hasattr(chooser, "choose_batch"):
            return int(chooser.choose_batch([view], [legal])[0])
        return int(chooser.choose(view, legal))
    options = np.zeros(1, ENGINE.options)
    options[0]["action"][: len(legal)] = legal
    rng = np.zeros(1, RNG)
    rng[0]["key"] = 1000 + key
    seen = view.state.copy()
    return int(
        ENGINE.compile_agent(agent.choose)(
            seen[0], position.rules.packed[0], options[0], len(legal), table.minds[0], rng[0]
        )
    )


@pytest.mark.quick
@pytest.mark.parametrize("key", range(5))
def test_the_view_is_the_same(key):
    """A-DST-12: state, plain data and legal actions of a viewer do not depend on what lies face down."""
    one, other = (solo(hand) for hand in HANDS)
    assert one.state.tobytes() != other.state.tobytes()
    assert one.view() != other.view()
    table = Table(OVERDRIVE, [registry.agent("random", OVERDRIVE)])
    views = [view_of(position, table, key) for position in (one, other)]
    assert views[0].state.tobytes() == views[1].state.tobytes()
    assert views[0].data == views[1].data
    assert views[0].data["seats"][0]["hand"] == ["?", "?"]
    assert one.legal().tolist() == other.legal().tolist()


@pytest.mark.parametrize("text", AGENTS)
def test_every_agent_chooses_the_same(text):
    """A-DST-12: with the same streams, in twenty positions that differ in the streams."""
    agent = registry.agent(text, OVERDRIVE)
    one, other = (solo(hand) for hand in HANDS)
    choices = [(choice(agent, one, key), choice(agent, other, key)) for key in range(20)]
    assert all(a == b for a, b in choices)
    assert {a for a, _ in choices} <= set(one.legal().tolist())
    if text == "random":
        assert len({a for a, _ in choices}) > 1  # the streams are read at all


@pytest.mark.quick
def test_pairs_of_hidden_cards_are_uniform():
    """A-DST-12: every pair of unseen cards is equally likely, whatever really lies there."""
    position = solo(HANDS[0], piles={"distortions": ["3:H", "4:C", "6:H"]})
    before = position.state.copy()
    rng = np.zeros(1, RNG)
    hands: Counter[int] = Counter()
    for _ in range(2000):
        position.state[:] = before
        ENGINE.kernels.hide(position.state[0], position.rules.packed[0], 1, rng[0])
        hands[int(position.state[0].seat[0].hand)] += 1
    assert len(hands) == 10  # two of five
    assert sum((n - 200) ** 2 / 200 for n in hands.values()) < 33.7  # chi-square, 9 degrees of freedom, 1 in 10,000


@pytest.mark.quick
def test_a_card_that_is_known_is_never_hidden_behind():
    """Own cards, the row, the discards and played cards are seen by all: hiding never moves them."""
    position = solo(HANDS[0], piles={"discard": ["8:H"]})
    known = int(position.state[0].row) | int(position.state[0].discard) | int(position.state[0].seat[1].hand)
    rng = np.zeros(1, RNG)
    for _ in range(200):
        ENGINE.kernels.hide(position.state[0], position.rules.packed[0], 1, rng[0])
        state = position.state[0]
        assert (int(state.pile) | int(state.seat[0].hand)) & known == 0
        assert int(state.row) | int(state.discard) | int(state.seat[1].hand) == known


@pytest.mark.quick
def test_the_human_cannot_buy_differently():
    """What the human may do names no card of Metallum's hand."""
    texts = [[p.text(a) for a in p.legal()] for p in (solo(hand) for hand in HANDS)]
    assert texts[0] == texts[1]
    assert any(text.startswith("buy distortion") for text in texts[0])
