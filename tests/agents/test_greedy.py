"""The greedy agents: stronger than chance, the same game for the same seed, legal everywhere, blind to the future."""

import numpy as np
import pytest

from agents.metalmania.features import FEATURES as METALMANIA_FEATURES
from agents.metalmania.kernels.weights import WEIGHTS as METALMANIA_WEIGHTS
from agents.overdrive.features import FEATURES as OVERDRIVE_FEATURES
from agents.overdrive.kernels.weights import ABLATIONS
from agents.overdrive.kernels.weights import WEIGHTS as OVERDRIVE_WEIGHTS
from metalmania_sim.game import METALMANIA
from overdrive_sim.game import OVERDRIVE
from overdrive_sim.kernels.layout import DIFFICULTIES, HIT, VERBS
from overdrive_sim.kernels.rules import OPTIONS
from simcore import registry
from simcore.errors import UsageError
from simcore.loop import JOB, OVER
from simcore.play import play_jobs
from simcore.trace import events
from tests.agents.playing import line_ups, play, rules_of, win_shares

#: Turns a player that the rulings measured for a strong greedy policy (Metal Mania, section 3.4).
STRONG = {2: 6.57, 3: 6.25, 4: 6.05, 5: 5.98}


@pytest.mark.quick
def test_weights_have_a_feature_each_in_the_order_of_the_kernels():
    assert tuple(OVERDRIVE_FEATURES) == OVERDRIVE_WEIGHTS
    assert tuple(METALMANIA_FEATURES) == METALMANIA_WEIGHTS
    assert not set(OVERDRIVE_FEATURES) & set(METALMANIA_FEATURES)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_overdrive_greedy_beats_random(players):
    """At least 85 of 100 games from a seat among random players (chance: 100 / players)."""
    shares = win_shares(OVERDRIVE, ["greedy"] + ["random"] * (players - 1), 240)
    assert shares["greedy"] > 0.95


def test_metal_mania_greedy_beats_random():
    assert win_shares(METALMANIA, ["greedy", "random", "random"], 150)["greedy"] > 0.95


@pytest.mark.parametrize("players", STRONG)
def test_metal_mania_greedy_plays_as_long_as_a_strong_player(players):
    """Within 15 % of the rulings' strong greedy policy."""
    played, _ = play(METALMANIA, ["greedy"] * players, 300)
    assert abs(played.results["turns"].mean() / players / STRONG[players] - 1) < 0.15


@pytest.mark.parametrize("game", [OVERDRIVE, METALMANIA], ids=lambda game: game.name)
def test_the_same_seed_gives_the_same_games(game):
    first, _ = play(game, ["greedy", "random", "greedy"], 24)
    again, _ = play(game, ["greedy", "random", "greedy"], 24)
    other, _ = play(game, ["greedy", "random", "greedy"], 24, master=12)
    assert first.results.tobytes() == again.results.tobytes()
    assert first.results.tobytes() != other.results.tobytes()


@pytest.mark.parametrize("mode", ["solo", "coop"])
@pytest.mark.parametrize("difficulty", DIFFICULTIES[::2])
def test_overdrive_greedy_plays_against_metallum(mode, difficulty):
    """Every choice is legal (the loop would stop otherwise), and the humans score more than at random."""
    players = 1 if mode == "solo" else 3
    means = {}
    for agent in ("greedy", "random"):
        played, _ = play(OVERDRIVE, [agent] * players, 24, first_seat=1, mode=mode, difficulty=difficulty)
        assert (played.counts["status"] == OVER).all()
        means[agent] = played.results["human_average"].mean()
    assert means["greedy"] > means["random"] + 10


@pytest.mark.parametrize(
    "variant", [{"speed_metal": True}, {"hall_of_fame": True}, {"free_falling": True}], ids=lambda v: next(iter(v))
)
def test_overdrive_greedy_plays_the_variants(variant):
    played, _ = play(OVERDRIVE, ["greedy"] * 4, 40, **variant)
    assert (played.counts["status"] == OVER).all()


@pytest.mark.slow
@pytest.mark.parametrize("option", OPTIONS)
def test_overdrive_greedy_plays_every_reading_of_the_rules(option):
    for value in OPTIONS[option][1:]:
        rules = OVERDRIVE.rules({f"options.{option}": value})
        for texts, more in ((["greedy"] * 3, {}), (["greedy"] * 2, {"mode": "coop", "first_seat": 1})):
            played, _ = play(OVERDRIVE, texts, 20, rules=rules, **more)
            assert (played.counts["status"] == OVER).all()


def _verbs(text: str, games: int = 30) -> np.ndarray:
    """How often each verb was chosen in ``games`` games of four such agents."""
    jobs = np.zeros(games, JOB)
    jobs["block"] = np.arange(games)
    setups = line_ups(OVERDRIVE, 4, games)
    jobs["setup"] = jobs["block"]
    played = play_jobs(OVERDRIVE, [rules_of(OVERDRIVE)], setups, jobs, [registry.agent(text, OVERDRIVE)], 3, watch=True)
    return played.tallies["seat"]["verb"].sum(axis=(0, 1))


def test_ablations_take_verbs_away():
    """``without`` names what is never done; the whole player does all of it."""
    verbs = {
        "hits": ["buy_hit"], "distortions": ["buy_distortion", "play"], "awards": ["claim"], "attacks": ["attack"],
        "rerolls": ["reroll"], "abilities": ["ability"], "members": ["buy_die"], "levels": ["buy_level"],
    }  # fmt: skip
    whole = _verbs("greedy")
    for word in ("hits", "distortions", "awards", "attacks", "rerolls", "abilities"):
        for verb in verbs[word]:
            assert whole[VERBS.index(verb)] > 0, verb
    less = _verbs("greedy:without=" + "+".join(verbs))
    for names in verbs.values():
        for verb in names:
            assert less[VERBS.index(verb)] == 0, verb


def test_parameters_are_checked():
    with pytest.raises(UsageError, match="did you mean 'hits'"):
        registry.agent("greedy:without=hit", OVERDRIVE)
    with pytest.raises(UsageError, match="did you mean 'w_fame'"):
        registry.agent("greedy:w_fam=2", OVERDRIVE)
    with pytest.raises(UsageError, match="metalmania: unknown parameter 'w_fame'"):
        registry.agent("greedy:w_fame=2", METALMANIA)
    with pytest.raises(UsageError, match="is not a number"):
        registry.agent("greedy:w_fame=much", OVERDRIVE)
    assert len(ABLATIONS) == len(set(ABLATIONS))
    assert HIT > 0


def test_weights_change_play():
    """A player for whom Fame is worth three times as much ends with more of it."""
    fame = {}
    for text in ("greedy", "greedy:w_fame=3"):
        played, _ = play(OVERDRIVE, [text] * 4, 60)
        fame[text] = played.results["seat"]["fame"][:, :4].mean()
    assert fame["greedy:w_fame=3"] > fame["greedy"] + 2


def _throws(game, names: list[str], master: int) -> dict[int, list[tuple[int, int]]]:
    """Outcomes and their numbers of one game, by stream of chance, in order."""
    job = np.zeros(1, JOB)
    order = list(dict.fromkeys(names))
    job["agent"][0, : len(names)] = [order.index(name) for name in names]
    setup = line_ups(game, len(names), 1)
    agents = [registry.agent(name, game) for name in order]
    found: dict[int, list[tuple[int, int]]] = {}
    for event in events(game, rules_of(game), setup, job[0], agents, master):
        if event.kind == "chance":
            found.setdefault(event.stream, []).append((event.number, event.options))
    return found


@pytest.mark.parametrize("game", [OVERDRIVE, METALMANIA], ids=lambda game: game.name)
def test_luck_does_not_depend_on_who_plays(game):
    """Another agent in seat 0 leaves the k-th throw of every seat as it was (its first dice, where sizes differ)."""
    compared = 0
    for master in (1, 2):
        one = _throws(game, ["random", "random", "random"], master)
        other = _throws(game, ["greedy", "random", "random"], master)
        for seat in range(3):
            for (first, n), (second, m) in zip(one[seat], other[seat], strict=False):
                if 6**6 % n == 0 and 6**6 % m == 0:
                    assert first % min(n, m) == second % min(n, m)
                    compared += 1
    assert compared > 30
