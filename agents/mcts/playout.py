"""From a position to win shares: the game is played on by fast policies, to its end or to a leaf."""

from __future__ import annotations

from typing import Any

from agents.kernels.memory import function_reader
from agents.mcts.leaf import features_reader, make_turn_of, model_at, shares_of
from agents.mcts.policies import habitual, make_ask, note, wants_habit, wants_random
from agents.mcts.work import OWN
from simcore.kernel import kernel
from simcore.protocol import MAX_SEATS, Engine
from simcore.streams import bounded, draw, word_at


class Parts:
    """The kernels that searches of one engine share.

    The heavy kernels of the engine are called by address: bound directly, they would be compiled once more for
    each kernel here.  ``luck`` draws what the game would: from the search's own stream.
    """

    def __init__(self, engine: Engine, label: str) -> None:
        self.engine, self.label = engine, label
        self.legal_at = function_reader(engine.signatures["legal"])
        self.step_at = function_reader(engine.signatures["step"])
        self.chance_at = function_reader(engine.signatures["apply_chance"])
        self.returns_at = function_reader(engine.signatures["returns"])
        self.hide_at = function_reader(engine.signatures["hide"])
        self.ask = make_ask(engine, label)
        self.turn_of = make_turn_of(engine, label)
        self.judge = _make_judge(engine, label)
        self.fast = _make_fast(self)
        self.stroll = _make_stroll(self)
        self.playout = _make_playout(self)


def _make_judge(engine: Engine, label: str) -> Any:
    """The kernel that values a position without playing on."""
    features_at = features_reader(engine)

    @kernel(label=label)
    def judge(work, settings, state, rules):
        """Write the leaf model's win shares of ``state`` to ``work.shares``; all 0 without a model."""
        shares = work.shares[0].share
        if settings.features == 0:
            for seat in range(MAX_SEATS):
                shares[seat] = 0.0
            return
        model = model_at(settings.model, 0)
        features_at(settings.features)(state, rules, model.seen[0])
        shares_of(model, shares)

    return judge


def _make_fast(parts: Parts) -> Any:
    """The kernel that moves for a seat in a playout."""
    ask = parts.ask

    @kernel(label=parts.label)
    def fast(work, settings, state, rules, seat, root_seat, options, n):
        """The action of ``seat``: by chance, by habit, by the opponents' or the rollout's policy."""
        rng = work.luck[0]
        if n == 1:
            return options.action[0]
        if wants_random(settings, rng):
            return options.action[draw(rng, n)]
        if wants_habit(settings, rng):
            return habitual(work, seat, options, n, rng)
        if seat != root_seat and settings.tree == OWN:
            return ask(settings.opponent, settings.opponent_mind, state, rules, options, n, rng)
        return ask(settings.rollout, settings.rollout_mind, state, rules, options, n, rng)

    return fast


def _near(parts: Parts, name: str) -> Any:
    """A kernel ``(address, ...)`` that calls the engine's kernel ``name``, as fast as it can be called.

    Where the engine's kernels become part of their callers, so does this one: random playouts do little between
    calls, which take a fifth of their time. All others are called at their addresses (see ``Parts``).
    """
    function, at = getattr(parts.engine, name), function_reader(parts.engine.signatures[name])
    if getattr(function, "targetoptions", {}).get("forceinline"):

        @kernel(label=f"{parts.label} {name}", inline=True)
        def near(address, *arguments):
            return function(*arguments)

    else:

        @kernel(label=f"{parts.label} {name}", inline=True)
        def near(address, *arguments):
            return at(address)(*arguments)

    return near


def _make_stroll(parts: Parts) -> Any:
    """The kernel that plays on at random."""
    engine, judge, turn_of = parts.engine, parts.judge, parts.turn_of
    is_over, chance_count, to_act = engine.is_over, engine.chance_count, engine.to_act
    legal_at, returns_at = parts.legal_at, parts.returns_at
    step, chance, count, pick = (_near(parts, name) for name in ("step", "apply_chance", "count", "pick"))

    @kernel(label=parts.label)
    def stroll(work, settings, state, rules):
        """What ``playout`` does where every seat moves at random (``settings.strolls``), with the same draws.

        Nobody looks at what is legal: it is counted and picked where the engine can (decision 5). The next word of
        the stream is always drawn already: it need not wait for what the last one does.
        """
        options, rng = work.options[0], work.luck[0]
        legal = legal_at(settings.legal)
        key, ordinal = rng.key, rng.ordinal
        word = word_at(key, ordinal)
        most_turns, most_steps = settings.turns, settings.most_steps
        turn, turns, steps = -1, 0, 0
        while not is_over(state):
            n = chance_count(state, rules)
            if n > 0:
                outcome = bounded(word, n)
                ordinal += 1
                word = word_at(key, ordinal)
                chance(settings.apply_chance, state, rules, outcome)
                continue
            if most_turns > 0:
                now = turn_of(settings, state, to_act(state))
                turns += int(now != turn and turn >= 0)
                turn = now
                if turns == most_turns:
                    rng.ordinal = ordinal
                    judge(work, settings, state, rules)
                    return
            if steps == most_steps:
                break
            steps += 1
            n = count(settings.count, state, rules, options)
            is_counted = n > 0
            if not is_counted:
                n = legal(state, rules, options)
                if n <= 0:
                    break
            # A list of one takes no draw: which is worked out without a branch.
            where = bounded(word, n)
            ordinal += int(n > 1)
            word = word_at(key, ordinal)
            action = pick(settings.pick, state, rules, options, where) if is_counted else options.action[where]
            step(settings.step, state, rules, action)
        rng.ordinal = ordinal
        returns_at(settings.returns)(state, rules, work.shares[0])

    return stroll


def _make_playout(parts: Parts) -> Any:
    """The kernel that plays on."""
    engine, judge, fast, stroll, turn_of = parts.engine, parts.judge, parts.fast, parts.stroll, parts.turn_of
    is_over, chance_count, to_act = engine.is_over, engine.chance_count, engine.to_act
    legal_at, step_at, chance_at, returns_at = parts.legal_at, parts.step_at, parts.chance_at, parts.returns_at

    @kernel(label=parts.label)
    def playout(work, settings, state, rules, root_seat):
        """Play ``state`` on (in place) and write the win shares of its end, or of a leaf, to ``work.shares``.

        A leaf is reached when the deciding seat has changed ``settings.turns`` times (0: never), or the turn of a
        seat that decides alone; a game that is too long counts as unfinished, with shares of 0, as in the play loop.
        """
        if settings.strolls:
            stroll(work, settings, state, rules)
            return
        options, rng = work.options[0], work.luck[0]
        legal, step, chance = legal_at(settings.legal), step_at(settings.step), chance_at(settings.apply_chance)
        turn, turns, steps = -1, 0, 0
        while True:
            if is_over(state):
                returns_at(settings.returns)(state, rules, work.shares[0])
                return
            n = chance_count(state, rules)
            if n > 0:
                chance(state, rules, draw(rng, n))
                continue
            seat = to_act(state)
            now = turn_of(settings, state, seat)
            if now != turn:
                if turn >= 0:
                    turns += 1
                    if turns == settings.turns:
                        judge(work, settings, state, rules)
                        return
                turn = now
            n = legal(state, rules, options)
            if n <= 0 or steps == settings.most_steps:
                returns_at(settings.returns)(state, rules, work.shares[0])
                return
            action = fast(work, settings, state, rules, seat, root_seat, options, n)
            if settings.mast > 0.0 and n > 1:
                note(work, seat, action)
            steps += 1
            step(state, rules, action)

    return playout
