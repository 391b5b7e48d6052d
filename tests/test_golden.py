"""Golden playthroughs: playing them again gives the same lines, and the lines alone replay the game."""

import pytest

from simcore import registry
from simcore.position import Position
from tests.playthroughs import FOLDER, PLAYTHROUGHS, levels, lines

NAMES = sorted(PLAYTHROUGHS)


def stored(name):
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def test_every_file_is_declared():
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == NAMES


@pytest.mark.filterwarnings("ignore:Speed Metal is not recommended")  # one of them has every variant at once
@pytest.mark.parametrize("name", NAMES)
def test_the_game_is_played_as_before(name):
    for number, (now, before) in enumerate(zip(lines(name), stored(name), strict=True), 1):
        assert now == before, f"line {number}"


@pytest.mark.quick
@pytest.mark.parametrize("name", [name for name in NAMES if "random" in name])
def test_the_lines_alone_replay_the_game(name):
    """No agent and no stream is needed: chance and decisions are read from the text, one by one."""
    game_name, variant, _ = PLAYTHROUGHS[name]
    game = registry.game(game_name)
    rules = game.rules()
    position = Position.new(game, variant, rules)
    for line in stored(name):
        head, _, text = line.partition(": ")
        if line.startswith("#"):
            continue
        count = int(head.rsplit(" ", 1)[1])
        if head.startswith("chance"):
            assert position.chance_count() == count, line
            position.chance(game.parse_chance(position.state[0], rules, text))
        else:
            legal = position.legal()
            assert (len(legal), position.to_act()) == (count, int(head.split()[1])), line
            action = position.parse(text)
            assert position.text(action) == text
            position.step(action)
    assert position.over
    assert stored(name)[-1] == f"# end: {levels(game.view(position.state[0], rules))}"
