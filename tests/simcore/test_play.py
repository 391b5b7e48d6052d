"""The play loop on the toy game: one game, however it is played; errors that name agent, game and seat."""

import numpy as np
import pytest

from simcore import registry, trace
from simcore.agent import PythonAgent
from simcore.errors import AgentError, UsageError
from simcore.kernel import kernel
from simcore.loop import JOB, OVER, UNFINISHED
from simcore.play import play_jobs
from tests.toy import COIN_FLIPPER, KEEPER, TEAMS, TOY, Chancer, Cheat

FLIP = COIN_FLIPPER.build("flip", TOY, {})
KEEP = KEEPER.build("keep", TOY, {})
RULES = TOY.rules()
SETUPS = TOY.setup({"players": 4, "bands": TEAMS[:4]}, RULES)


def jobs_for(games, *agents, first=0):
    jobs = np.zeros(games, JOB)
    jobs["block"] = np.arange(first, first + games)
    for seat, which in enumerate(agents):
        jobs["agent"][:, seat] = which
    return jobs


def play(jobs, *agents, **options):
    return play_jobs(TOY, [RULES], SETUPS, jobs, agents, 1, **options)


@pytest.mark.quick
def test_every_game_ends_and_is_counted():
    played = play(jobs_for(20), FLIP)
    assert (played.counts["status"] == OVER).all()
    assert (played.counts["decisions"].sum(1) + played.counts["forced"].sum(1) == 32).all()
    assert (played.counts["options"] == 2 * played.counts["decisions"]).all()
    assert (played.counts["events"] >= 32).all()


@pytest.mark.quick
def test_a_game_depends_on_its_block_alone():
    whole = play(jobs_for(30), FLIP)
    parts = [play(jobs_for(10, first=low), FLIP) for low in (0, 10, 20)]
    assert whole.results.tobytes() == b"".join(part.results.tobytes() for part in parts)
    assert whole.counts.tobytes() == b"".join(part.counts.tobytes() for part in parts)


@pytest.mark.quick
def test_a_trace_is_the_same_game():
    jobs = jobs_for(8, 0, 1, 0, 1)
    played = play(jobs, FLIP, KEEP)
    for job, result, counts in zip(jobs, played.results, played.counts, strict=True):
        last = []
        events = list(trace.events(TOY, RULES, SETUPS, job, [FLIP, KEEP], 1, last))
        assert [int(seat.points) for seat in last[0][0].seat] == result["points"].tolist()
        assert sum(event.kind == "chance" for event in events) == counts["events"]
        assert sum(event.options > 1 and event.kind == "decision" for event in events) == counts["decisions"].sum()


@pytest.mark.quick
def test_python_agents_sit_beside_compiled_ones_and_play_the_same_alone_or_among_many():
    chancer = registry.wrap("chancer", Chancer)
    jobs = jobs_for(300, 0, 1, 0, 1)
    together = play(jobs, FLIP, chancer)
    alone = [play(jobs[i : i + 1], FLIP, chancer) for i in range(0, 300, 37)]
    assert together.results[::37].tobytes() == b"".join(one.results.tobytes() for one in alone)


def test_a_batch_agent_answers_for_all_waiting_games():
    sizes = []

    class Batch:
        def choose_batch(self, views, legal):
            sizes.append(len(views))
            return np.array(
                [options[int(view.state[0].shown <= 2)] for view, options in zip(views, legal, strict=True)]
            )

    jobs = jobs_for(60)
    batch = play(jobs, registry.wrap("batch", Batch))
    assert max(sizes) == 60
    assert batch.results.tobytes() == play(jobs, registry.wrap("chancer", Chancer)).results.tobytes()


@pytest.mark.quick
def test_another_agent_does_not_change_what_anyone_rolls():
    """Each seat keeps every die, so its points are its rolls; seat 0 plays otherwise and uses more luck."""
    jobs = jobs_for(40, 1, 1, 1, 1)
    kept = play(jobs, FLIP, KEEP).results["points"]
    mixed = play(jobs_for(40, 0, 1, 1, 1), FLIP, KEEP).results["points"]
    assert (kept[:, 1:] == mixed[:, 1:]).all()
    assert (kept[:, 0] != mixed[:, 0]).any()


def test_the_turn_cap_is_an_outcome_of_its_own():
    played = play(jobs_for(3), FLIP, most_steps=5)
    assert (played.counts["status"] == UNFINISHED).all()
    assert (played.counts["steps"] == 5).all()


def test_a_stalled_game_names_agent_game_seat_and_state(monkeypatch):
    """At a cap of one decision the first seat has made all of them; at thirty nobody has, and games are unfinished."""
    monkeypatch.setattr(type(TOY), "most_steps", 1)
    with pytest.raises(AgentError, match=r"'keep' stalls the game: 1 of 1 .*game 50 \(block 0\), seat 0\n.*\"seats\""):
        play(jobs_for(2, 1, 0, 0, 0), FLIP, KEEP, first_index=50)
    monkeypatch.setattr(type(TOY), "most_steps", 30)
    assert (play(jobs_for(3), FLIP).counts["status"] == UNFINISHED).all()


def test_an_illegal_answer_names_agent_game_seat_and_state():
    with pytest.raises(AgentError, match=r"'cheat' answered 17.*game 100 \(block 0\), seat 2\n.*\"turn\": 2"):
        play(jobs_for(1, 0, 0, 1, 0), KEEP, registry.wrap("cheat", Cheat), first_index=100)


@pytest.mark.parametrize("answer", ["keep", 1.0, None, True, np.bool_(True)])
def test_only_whole_numbers_are_answers(answer):
    class Odd:
        def choose(self, view, legal):
            return answer

    with pytest.raises(AgentError, match="not one of the 2 legal ids"):
        play(jobs_for(1), registry.wrap("odd", Odd))


def test_what_an_agent_raises_is_told_with_the_state():
    class Broken:
        def choose(self, view, legal):
            raise ZeroDivisionError("oh")

    with pytest.raises(AgentError, match=r"'broken' raised ZeroDivisionError: oh: game 8, seat 0\n.*\"seats\""):
        play(jobs_for(2), registry.wrap("broken", Broken), first_index=8)


@kernel
def _nonsense(state, rules, legal, n, params, rng):
    return -7


@kernel
def _vandal(state, rules, legal, n, params, rng):
    for seat in range(4):
        state.seat[seat].points = 1000
    return legal.action[0]


def test_a_compiled_agent_that_cheats_is_named():
    nonsense = type(KEEP)("nonsense", _nonsense)
    with pytest.raises(AgentError, match=r"'nonsense' chose -7, which is not legal: game 3 \(block 3\), seat 1"):
        play(jobs_for(1, 0, 1, 0, 0, first=3), KEEP, nonsense, first_index=3)


@kernel
def _thrower(state, rules, legal, n, params, rng):
    if state.game_round == 2:
        raise ValueError("no idea")
    return legal.action[0]


@pytest.mark.quick
def test_what_a_compiled_agent_raises_is_told_with_game_and_seat():
    thrower = type(KEEP)("thrower", _thrower)
    with pytest.raises(AgentError, match=r"no idea.*game 5, seat [01], agent 'thrower'"):
        play(jobs_for(4), thrower, first_index=5)


def test_a_compiled_agent_cannot_damage_the_game():
    vandal = type(KEEP)("vandal", _vandal)
    jobs = jobs_for(10)
    assert play(jobs, vandal).results.tobytes() == play(jobs, KEEP).results.tobytes()


def test_a_view_is_read_only():
    class Scribbler:
        def choose(self, view, legal):
            view.state["turn"] = 3
            return int(legal[0])

    with pytest.raises(AgentError, match="read-only"):
        play(jobs_for(1), registry.wrap("scribbler", Scribbler))


def test_agents_are_named_by_text():
    assert isinstance(registry.agent("py:tests.toy:Chancer", TOY), PythonAgent)
    with pytest.raises(UsageError, match="did you mean 'random'"):
        registry.agent("randon", TOY)
    with pytest.raises(UsageError, match="did you mean 'Chancer'"):
        registry.agent("py:tests.toy:Chance", TOY)
    with pytest.raises(UsageError, match="cannot be imported"):
        registry.agent("py:no_such_module:Thing", TOY)
    with pytest.raises(UsageError, match="py:module:Attribute"):
        registry.agent("py:tests.toy", TOY)
    with pytest.raises(UsageError, match="neither choose"):
        registry.agent("py:tests.toy:TEAMS", TOY)


def test_games_are_named_by_text():
    with pytest.raises(UsageError, match="did you mean 'overdrive'"):
        registry.game("overdrve")
