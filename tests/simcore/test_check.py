"""``check_game`` passes games that keep the protocol, and names what a broken one does."""

from dataclasses import replace

import pytest

from simcore.agent import CompiledAgent
from simcore.check import CHECKS, check_game
from simcore.kernel import kernel
from simcore.protocol import MAX_SEATS
from tests.toy import GAMBLE, KEEP, TOY, Toy, choose_random

VARIANT = {"players": 2, "bands": ["apes", "cats"]}
RANDOM = CompiledAgent("flip", choose_random)

pytestmark = pytest.mark.quick


def found_in(game):
    return check_game(game, [VARIANT], games=1, agent=RANDOM)


@pytest.fixture(scope="module")
def sound():
    return found_in(TOY)


def test_a_sound_game_passes(sound):
    assert sound
    assert not sound.problems
    assert str(sound) == f"toy keeps the protocol ({len(CHECKS)} checks)"


class Careless(Toy):
    """Says one word for two actions, and takes any path of the rules."""

    def rules(self, overrides=None, file=None):
        return super().rules()

    def format_action(self, state, rules, action):
        return "keep"

    def tables(self, results, counts, jobs, setups):
        games, seats = super().tables(results, counts, jobs, setups)
        return games, seats.drop(columns="score")


def test_what_the_python_half_does_wrong_is_named():
    found = found_in(Careless())
    assert not found
    assert set(found.problems) == {"rules", "notation", "tables"}
    assert "no.such.path" in found.problems["rules"]
    assert "called keep" in found.problems["notation"]
    assert "score" in found.problems["tables"]
    assert "toy fails 3 of" in str(found)


@kernel
def double_legal(state, rules, out):
    out.action[0] = GAMBLE
    out.action[1] = KEEP
    return 2


@kernel
def revealing_hide(state, rules, viewer, rng):
    state.seat[viewer].points += 1


@kernel
def greedy_returns(state, rules, out):
    for seat in range(MAX_SEATS):
        out.share[seat] = 1.0


@pytest.mark.parametrize(
    ("broken", "names", "seen"),
    [
        ({"legal": double_legal}, {"legal"}, "not ascending"),
        ({"hide": revealing_hide}, {"hiding"}, "sees something else"),
        ({"returns": greedy_returns}, {"shares"}, "sum to 8"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_what_the_compiled_half_does_wrong_is_named(broken, names, seen):
    game = Toy()
    game.engine = replace(TOY.engine, **broken)
    found = found_in(game)
    assert names <= set(found.problems)
    assert seen in found.problems[next(iter(names))]


def test_a_state_that_asking_changes_is_found():
    class Nosy(Toy):
        def view(self, state, rules, viewer=None):
            state.shown += 1
            return super().view(state, rules, viewer)

    assert "looking" in found_in(Nosy()).problems


def test_a_game_without_an_end_is_found():
    class Endless(Toy):
        most_steps = 5

    assert "no end after 5 events" in found_in(Endless()).problems["finishes"]
