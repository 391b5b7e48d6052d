"""Players of other tools in our seats, by text name; the notebooks run."""

from __future__ import annotations

import runpy
from pathlib import Path

import jupytext
import numpy as np
import pytest

from bridges import aec, openspiel
from bridges.seats import OpenSpielSeat, PolicySeat
from simcore import registry
from simcore.errors import AgentError
from simcore.loop import JOB
from simcore.play import play_jobs
from simcore.registry import wrap

NOTEBOOKS = Path(__file__).parent.parent.parent / "notebooks"
VARIANTS = {
    "metalmania": {"players": 2},
    "overdrive": {"players": 2},
    "overdrive-coop": {"players": 2, "mode": "coop"},
}


def shares(name: str, agents: list[object], count: int = 2, rules: dict[str, object] | None = None) -> np.ndarray:
    """Win shares of ``count`` games, agents by seat."""
    game = registry.game(name.partition("-")[0])
    data = game.rules(rules)
    seated = [registry.agent(one, game) if isinstance(one, str) else wrap("test", one) for one in agents]
    jobs = np.zeros(count, JOB)
    jobs["block"] = np.arange(count)
    first = len(game.automata(VARIANTS[name]))
    jobs["agent"][:, first : first + len(seated)] = np.arange(len(seated))
    setup = game.setup(VARIANTS[name], data)
    played = play_jobs(game, [data], setup, jobs, seated, master=3)
    _, seats = game.tables(played.results, played.counts, jobs, setup)
    return seats["win_share"].to_numpy().reshape(count, -1)


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("agent", ["FirstWord", "LastWord"])
def test_examples_play_by_name(name, agent):
    text = f"py:bridges.examples:{agent}"
    assert shares(name, [text, "random"]).sum(axis=1) == pytest.approx(1)
    assert (shares(name, [text, "random"]) == shares(name, [text, "random"])).all()


def test_a_policy_sees_what_the_environment_shows():
    seen = []

    def policy(shown, name):
        seen.append((shown["observation"], shown["action_mask"], name))
        return int(np.argmax(shown["action_mask"]))

    shares("overdrive", [PolicySeat(policy), PolicySeat(policy)], count=1)
    env = aec.env("overdrive", players=2)
    env.reset(seed=3)
    for vector, mask, name in seen:
        shown, *_ = env.last()
        assert env.agent_selection == name
        assert (shown["action_mask"] == mask).all()
        assert (shown["observation"] == vector).all()
        env.step(int(np.argmax(mask)))
    assert all(env.terminations.values())


class _FirstOfOpenSpiel(OpenSpielSeat):
    """Says the first legal word that OpenSpiel lists, and draws from the stream it is given."""

    def __init__(self) -> None:
        super().__init__(lambda game, player, random: self)
        self.texts: set[str] = set()

    def step(self, state):
        self.texts.add(str(state.get_game()))
        return state.legal_actions()[0]


@pytest.mark.parametrize("name", VARIANTS)
def test_a_bot_of_openspiel_sees_the_same_words(name):
    bot = _FirstOfOpenSpiel()
    first = PolicySeat(lambda shown, who: int(np.argmax(shown["action_mask"])))
    assert (shares(name, [bot, "random"]) == shares(name, [first, "random"])).all()
    assert len(bot.texts) == 1


def test_a_bot_plays_under_the_rules_of_its_game():
    bot = _FirstOfOpenSpiel()
    shares("metalmania", [bot, "random"], count=1, rules={"options.win_fame": 20})
    (text,) = bot.texts
    assert openspiel.world(text).rules.overrides == {"options.win_fame": 20}


def test_a_word_that_may_not_be_said_is_the_player_s_mistake():
    with pytest.raises(AgentError, match="word 3 may not be said here"):
        shares("metalmania", [PolicySeat(lambda shown, name: 3), "random"])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["train_a_policy", "replay_openspiel"])
def test_notebooks_are_paired_stripped_and_run(name, monkeypatch, capsys):
    both = [jupytext.read(NOTEBOOKS / f"{name}.{end}") for end in ("ipynb", "py")]
    assert [cell.source for cell in both[0].cells] == [cell.source for cell in both[1].cells]
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in both[0].cells)
    monkeypatch.setenv("NOTEBOOK_QUICK", "1")
    found = runpy.run_path(str(NOTEBOOKS / f"{name}.py"))
    assert found["proof"]
    assert capsys.readouterr().out
