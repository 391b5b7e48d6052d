"""The search: finds wins, knows won positions, is blind to what it cannot know, and has no knob without effect."""

import numpy as np
import pytest

from agents.mcts.kinds import EXPECTIMAX, FLAT, MCTS
from agents.mcts.work import NODE
from agents.sweep import KNOBS, SMALL
from metalmania_sim.game import METALMANIA
from overdrive_sim.game import OVERDRIVE
from simcore import registry
from simcore.errors import UsageError
from simcore.loop import JOB, OVER
from simcore.play import play_jobs
from simcore.streams import stream_key
from simcore.trace import events
from tests.agents.playing import line_ups, play, rules_of, win_shares
from tests.agents.searching import Search
from tests.difference import equal

GAMES = [OVERDRIVE, METALMANIA]
BOTH = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def _same(one, other):
    """Whether two arrays of results hold the same values; the padding of records is nobody's."""
    return equal(tuple(one.tolist()), tuple(other.tolist()))


def _positions(game, texts, masters, **variant):
    """Every decision of two or more options in games of these agents: (event, seat)."""
    agents = [registry.agent(text, game) for text in dict.fromkeys(texts)]
    job = np.zeros(1, JOB)
    for master in masters:
        setup = line_ups(game, len(texts), 1, **variant)
        for event in events(game, rules_of(game), setup, job[0], agents, master):
            if event.kind == "decision" and event.options > 1:
                yield event


def _ends(game, event):
    """Win share of the deciding seat by action, for the actions that end the game at once."""
    from simcore.protocol import SHARES

    kernels, rules = game.engine.kernels, rules_of(game).packed[0]
    found = {}
    for action in event.legal:
        state, shares = event.state.copy(), np.zeros(1, SHARES)
        kernels.step(state[0], rules, int(action))
        if kernels.is_over(state[0]):
            kernels.returns(state[0], rules, shares[0])
            found[int(action)] = float(shares[0]["share"][event.seat])
    return found


def _finds_the_win(search, event, key):
    """Whether the search takes a win in one, or an action that wins as surely, a step later."""
    wins = {action for action, share in _ends(search.game, event).items() if share == 1.0}
    chosen = search.decide(event.state, rules_of(search.game), key=key)
    return chosen in wins or search.children()[chosen][1][event.seat] > 0.999


WINS = [(OVERDRIVE, "random", players) for players in (2, 3, 4)]
WINS += [(METALMANIA, "greedy", players) for players in (2, 3, 4, 5)]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "who", "players"), WINS, ids=lambda one: getattr(one, "name", str(one)))
def test_a_win_in_one_is_found(game, who, players):
    """For every seat: late in games some action ends the game with a win and another does not win."""
    search, found = Search("mcts:iterations=128", game), set()
    for master in range(200):
        for event in list(_positions(game, [who] * players, [master]))[-3:]:
            ends = _ends(game, event)
            if 1.0 in ends.values() and any(ends.get(int(action), 0.0) < 1.0 for action in event.legal):
                assert _finds_the_win(search, event, master)
                found.add(event.seat)
        if len(found) == players:
            break
    assert found == set(range(players))


def test_won_positions_are_worth_one():
    """Metal Mania, all one fame before the end: a hire wins at once, and the root's value tends to 1."""
    seats = [{"fame": 65, "money": 13}, {"fame": 65}, {"fame": 65}]
    state, rules, _ = METALMANIA.given(
        {"variant": {"players": 3}, "given": {"turn": 0, "step": "choice", "seats": seats}}
    )
    values = []
    for iterations in (16, 128, 1024):
        search = Search(f"mcts:iterations={iterations},prior=random,rollout=random,turns=0", METALMANIA)
        won = 0.0
        for key in range(8):
            search.decide(state, rules, key)
            assert search.nodes[0]["visits"] == iterations
            won += search.nodes[0]["value"][0]
        values.append(won / iterations / 8)
    assert values == sorted(values)
    assert values[0] < 0.97
    assert values[-1] > 0.99


@BOTH
def test_equal_values_are_not_always_decided_for_the_first(game):
    """With a leaf that says 0 everywhere nothing tells actions apart: many of them are chosen."""
    event = next(one for one in _positions(game, ["random", "random"], [3]) if one.options >= 3)
    search = Search("mcts:iterations=8,leaf=none,turns=1,prior=random,widen=0", game)
    chosen = {search.decide(event.state, rules_of(game), key) for key in range(12)}
    assert len(chosen) > 2


def test_hidden_cards_change_neither_choice_nor_visits():
    """Solo Overdrive: two positions that differ in Metallum's face-down cards alone look the same to the search."""
    search, tried = Search("mcts:iterations=32", OVERDRIVE), 0
    setup = line_ups(OVERDRIVE, 1, 1, mode="solo", difficulty="normal")
    job, agents = np.zeros(1, JOB), [registry.agent("greedy", OVERDRIVE)]
    for event in events(OVERDRIVE, rules_of(OVERDRIVE), setup, job[0], agents, 5):
        metallum = event.state[0]["seat"][0]
        if event.kind != "decision" or event.options < 3 or not metallum["hand"]:
            continue
        other = event.state.copy()
        held, pile = int(metallum["hand"]) & -int(metallum["hand"]), int(other[0]["pile"]) & -int(other[0]["pile"])
        other[0]["seat"][0]["hand"] = int(metallum["hand"]) ^ held ^ pile
        other[0]["pile"] = int(other[0]["pile"]) ^ held ^ pile
        first = search.decide(event.state, rules_of(OVERDRIVE), key=tried)
        seen = {action: visits for action, (visits, _) in search.children().items()}
        assert search.decide(other, rules_of(OVERDRIVE), key=tried) == first
        assert {action: visits for action, (visits, _) in search.children().items()} == seen
        tried += 1
        if tried == 12:
            break
    assert tried == 12


@BOTH
def test_a_budget_moves_nobodys_dice(game):
    """The k-th throw of the seats beside a search is the same whatever its budget."""
    compared = 0
    throws = []
    for iterations in (2, 24):
        job = np.zeros(1, JOB)
        job["agent"][0, :3] = [0, 1, 1]
        agents = [registry.agent(f"mcts:iterations={iterations}", game), registry.agent("random", game)]
        found: dict[int, list[tuple[int, int]]] = {}
        for event in events(game, rules_of(game), line_ups(game, 3, 1), job[0], agents, 9):
            if event.kind == "chance":
                found.setdefault(event.stream, []).append((event.number, event.options))
        throws.append(found)
    for seat in range(3):
        for (first, n), (second, m) in zip(throws[0][seat], throws[1][seat], strict=False):
            if 6**6 % n == 0 and 6**6 % m == 0:
                assert first % min(n, m) == second % min(n, m)
                compared += 1
    assert compared > 15


def _mixed(word):
    """SplitMix64's finaliser in plain integers."""
    most = (1 << 64) - 1
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & most
    word = (word ^ word >> 27) * 0x94D049BB133111EB & most
    return word ^ word >> 31


@pytest.mark.quick
def test_the_streams_of_a_search_are_not_the_games():
    """Neither with the game's master seed as ``seed`` nor without does an iteration draw from a stream of the game."""
    gamma, most = 0x9E3779B97F4A7C15, (1 << 64) - 1
    for master in (1, 77):
        lucks = {int(stream_key(master, block, stream)) for block in range(20) for stream in range(64)}
        assert len(lucks) == 20 * 64
        for block in range(20):
            for seed in (0, master):
                word = _mixed(int(stream_key(master, block, 64)) + gamma & most)
                start = _mixed(word ^ (seed * gamma & most))
                assert not {_mixed(start + (i + 1) * gamma & most) for i in range(256)} & lucks


def test_a_search_seeded_like_the_game_plays_no_better():
    """The share of wins against greedy with the master seed as ``seed`` is within chance of that with another."""
    texts = [f"mcts:iterations=16,seed={seed}" for seed in (77, 78)]
    shares = [win_shares(METALMANIA, [text, "greedy"], 300, master=77)[text] for text in texts]
    assert abs(shares[0] - shares[1]) < 3.3 * np.sqrt(2 * 0.25 / 300)


#: What a search finds in one position, by its parameters; rewritten when the search or an engine changes.
TREES = {
    "": (17592186044592, [8, 4]),
    ",tree=full": (17592186044592, [9, 3]),
    ",rollout=random,prior=random,turns=6,mast=0.5,epsilon=0.2": (17592186044600, [5, 7]),
}
CHOICES = [
    ("flat:iterations=12,width=3", 17592186044592),
    ("expectimax:samples=1,width=3", 17592186044592),
]

ALL = [(kind, knob, *KNOBS[kind.name][knob]) for kind in (MCTS, FLAT, EXPECTIMAX) for knob in KNOBS[kind.name]]


@pytest.mark.quick
def test_every_parameter_is_tested():
    for kind in (MCTS, FLAT, EXPECTIMAX):
        assert {knob for one, knob, *_ in ALL if one is kind} == set(kind.parameters)


@BOTH
@pytest.mark.parametrize(("kind", "knob", "value", "needs"), ALL, ids=lambda x: getattr(x, "name", str(x)))
def test_every_parameter_changes_a_game(game, kind, knob, value, needs):
    assert str(kind.parameters[knob].default) != value
    base = f"{kind.name}:" + ",".join(filter(None, [SMALL[kind.name], needs]))
    one, _ = play(game, [base, "random", "greedy"], 6)
    other, _ = play(game, [f"{base},{knob}={value}", "random", "greedy"], 6)
    assert not _same(one.results, other.results)


@BOTH
def test_games_do_not_depend_on_their_neighbours(game):
    """The same games one by one, all in one call, and all at once beside a Python agent's window."""
    texts = ["mcts:iterations=12,per=turn", "py:agents.examples.last_in_list:LastInList"]
    agents = [registry.agent(text, game) for text in texts]
    jobs = np.zeros(6, JOB)
    jobs["block"] = np.arange(6) // 2
    jobs["agent"][:, :2] = [[0, 1], [1, 0]] * 3
    setups = line_ups(game, 2, 1)
    together = play_jobs(game, [rules_of(game)], setups, jobs, agents, 3)
    alone = [play_jobs(game, [rules_of(game)], setups, jobs[i : i + 1], agents, 3).results for i in range(6)]
    assert _same(together.results, np.concatenate(alone))
    jobs["agent"] = 0
    compiled = play_jobs(game, [rules_of(game)], setups, jobs, agents[:1], 3)
    windows = play_jobs(game, [rules_of(game)], setups, jobs, agents, 3)
    assert _same(compiled.results, windows.results)


@BOTH
def test_memory_is_bounded(game):
    """Nodes never exceed what was allocated before the first decision, however long the tree is kept."""
    search = Search("mcts:iterations=40", game)
    pools = [one for one in search.memory.keep if isinstance(one, np.ndarray) and one.dtype == NODE]
    assert [len(one) for one in pools] == [4 * 40 + 2] * 2
    assert NODE.itemsize == 104
    for event in list(_positions(game, ["greedy", "greedy"], [2]))[:40]:
        search.decide(event.state, rules_of(game))
        assert len(search.nodes) <= len(pools[0])
        visits = [visits for visits, _ in search.children().values()]
        assert sum(visits) == search.nodes[0]["visits"]


@pytest.mark.parametrize("tree", ["full", "own"])
def test_the_search_plays_solo_and_coop(tree):
    for mode, players in (("solo", 1), ("coop", 2)):
        played, _ = play(
            OVERDRIVE, [f"mcts:iterations=8,tree={tree}"] * players, 2, first_seat=1, mode=mode, difficulty="normal"
        )
        assert (played.counts["status"] == OVER).all()


@pytest.mark.quick
@pytest.mark.parametrize("more", ["", ",tree=full", ",rollout=random,prior=random,turns=6,mast=0.5,epsilon=0.2"])
def test_the_tree_is_the_same_with_the_compiler_off(more):
    """Visits of the root's children as the compiled search counts them, and what is chosen."""
    state, rules, _ = METALMANIA.given({"variant": {"players": 3}, "given": {"turn": 1, "step": "choice"}})
    search = Search("mcts:iterations=12" + more, METALMANIA)
    chosen = search.decide(state, rules)
    assert (chosen, [visits for visits, _ in search.children().values()]) == TREES[more]


@BOTH
@pytest.mark.parametrize("turns", [0, 3])
def test_random_playouts_are_the_same_without_lists(game, turns):
    """What is counted and picked in playouts by chance alone is what the listing playout draws."""
    search = Search(f"mcts:iterations=24,tree=full,rollout=random,prior=random,turns={turns},reuse=0", game)
    settings = search.memory.work["settings"][0]
    assert settings["strolls"] == 1
    for event in list(_positions(game, ["random"] * 3, [4]))[::12]:
        found = []
        for strolls in (1, 0):
            settings["strolls"] = strolls
            search.decide(event.state, rules_of(game))
            found.append([(a, v, *shares) for a, (v, shares) in search.children().items()])
        assert found[0] == found[1]


@pytest.mark.quick
@pytest.mark.parametrize(
    ("text", "strolls"),
    [
        ("mcts:tree=full,rollout=random", 1),
        ("mcts:rollout=random", 0),  # the others move by greedy
        ("mcts:rollout=random,opponent=random", 1),
        ("mcts:tree=full,rollout=random,epsilon=0.1", 0),
        ("mcts:tree=full,rollout=random,mast=0.1", 0),
        ("mcts:tree=full", 0),
        ("flat:rollout=random", 1),
        ("flat", 0),
    ],
)
def test_who_plays_on_by_chance_alone(text, strolls):
    assert Search(text, METALMANIA).memory.work["settings"][0]["strolls"][0] == strolls


@BOTH
@pytest.mark.parametrize("text", ["flat:iterations=32", "expectimax:samples=2"])
def test_the_other_searches_play_better_than_chance(game, text):
    assert win_shares(game, [text, "random"], 20)[text] > 0.9


@pytest.mark.quick
@pytest.mark.parametrize(("text", "action"), CHOICES)
def test_the_other_searches_choose_the_same_with_the_compiler_off(text, action):
    state, rules, _ = METALMANIA.given({"variant": {"players": 3}, "given": {"turn": 1, "step": "choice"}})
    assert Search(text, METALMANIA).decide(state, rules) == action


def test_what_cannot_be_is_refused():
    with pytest.raises(UsageError, match="Python agent"):
        registry.agent("mcts:rollout=py:agents.examples.fans_first:FansFirst", OVERDRIVE)
    with pytest.raises(UsageError, match="outside 1"):
        registry.agent("mcts:iterations=0", OVERDRIVE)
    with pytest.raises(UsageError, match="did you mean"):
        registry.agent("mcts:iteration=5", OVERDRIVE)


@pytest.mark.parametrize(("game", "least"), [(OVERDRIVE, 0.6), (METALMANIA, 0.45)], ids=["overdrive", "metalmania"])
def test_search_beats_greedy(game, least):
    assert win_shares(game, ["mcts:iterations=64", "greedy"], 100)["mcts:iterations=64"] > least
