"""Does a game keep the protocol: ``check_game(game)`` plays it a little and says what is wrong with it.

    from simcore.check import check_game
    print(check_game("overdrive"))

What a game's rules mean is not looked at: only what the play loop, agents, traces and scenarios rely on.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore import registry
from simcore.agent import Agent
from simcore.errors import SoundcheckError, UsageError
from simcore.loop import JOB, OVER, UNFINISHED
from simcore.play import play_jobs
from simcore.position import Position
from simcore.protocol import MAX_SEATS, Game, uncounted
from simcore.streams import RNG, stream_key

#: What is checked, in this order, and what each means.
CHECKS = {
    "rules": "rules made twice are equal, and a path that does not exist is refused",
    "legal": "legal ids are ascending without duplicates, at least one, and fit the capacity that the engine names; "
    "what is counted and picked is the list",
    "chance": "a chance event has at least one outcome, a stream that the engine has, and every outcome can happen",
    "looking": "asking changes no state: chance, legal actions, shares, results, views and texts",
    "deterministic": "the same choices and outcomes lead to the same state",
    "notation": "every legal action has a text of its own that is read back; so has every outcome, as the first alike",
    "hiding": "what is resampled changes nothing that the seat sees, nor what it may do",
    "shares": "win shares are all 0 until the end and then sum to 1, in the seats in play",
    "finishes": "games that are played at random end",
    "tables": "the rows of seats and games have the columns that every question relies on",
}


@dataclass(frozen=True)
class GameChecked:
    """What ``check_game`` found; true if nothing is wrong.  ``problems``: by check, what was seen."""

    game: str
    problems: dict[str, str]

    def __bool__(self) -> bool:
        return not self.problems

    def __str__(self) -> str:
        if self:
            return f"{self.game} keeps the protocol ({len(CHECKS)} checks)"
        lines = [f"  {name}: {seen}\n    (wanted: {CHECKS[name]})" for name, seen in self.problems.items()]
        return "\n".join([f"{self.game} fails {len(self.problems)} of {len(CHECKS)} checks:", *lines])


class _BrokenError(Exception):
    """A check failed; the message says what was seen."""


def _want(holds: Any, seen: str) -> None:
    if not holds:
        raise _BrokenError(seen)


def check_game(
    game: str | Game, variants: list[Mapping[str, Any]] | None = None, games: int = 3, seed: int = 1, agent: Any = None
) -> GameChecked:
    """Play ``games`` games of each variant at random and return what is wrong; each check names its first fault.

    ``variants``: tables as ``game.setup`` takes them; default: the usual number of players, with the first
    entrants.  ``agent``: plays the games of the last check, "random" if None.  Raises UsageError for a name that nobody
    knows, or a variant that the game refuses.
    """
    there = registry.game(game) if isinstance(game, str) else game
    chosen = list(variants) if variants is not None else _usual(there)
    problems: dict[str, str] = {}
    _try(problems, "rules", lambda: _check_rules(there))
    rules = there.rules()
    for variant in chosen:
        for number in range(games):
            position = Position.new(there, variant, rules)
            _walk(position, there.automata(variant), np.random.default_rng([seed, number]), problems)
    player = agent if agent is not None else registry.agent("random", there)
    _try(problems, "tables", lambda: _check_tables(there, rules, chosen, player, seed))
    return GameChecked(there.name, {name: problems[name] for name in CHECKS if name in problems})


def _usual(game: Game) -> list[Mapping[str, Any]]:
    names, players = game.entrants(game.rules()), game.usual_players({})
    return [{"players": players, **({"bands": list(names[:players])} if names else {})}]


def _try(problems: dict[str, str], name: str, check: Callable[[], object]) -> None:
    """Run a check that has not failed yet; an exception of the game is a fault as well."""
    if name in problems:
        return
    try:
        check()
    except _BrokenError as broken:
        problems[name] = str(broken)
    except Exception as error:
        problems[name] = f"{type(error).__name__}: {error}"


# ------------------------------------------------------------------ rules and tables
def _check_rules(game: Game) -> None:
    one, other = game.rules(), game.rules({})
    _want(one.hash == other.hash, "two sets of the shipped rules have different hashes")
    _want(one.packed.shape == (1,) and one.packed.dtype == game.engine.rules, "packed: not one record of engine.rules")
    try:
        game.rules({"no.such.path": 1})
    except UsageError:
        return
    raise _BrokenError("the path no.such.path is taken without a word")


def _check_tables(game: Game, rules: Any, variants: list[Mapping[str, Any]], agent: Agent, seed: int) -> None:
    for variant in variants:
        setups, jobs = game.setup(variant, rules), np.zeros(4, JOB)
        jobs["block"] = np.arange(len(jobs))
        played = play_jobs(game, [rules], setups, jobs, [agent], seed)
        games, seats = game.tables(played.results, played.counts, jobs, setups)
        _want(len(games) == len(jobs), f"{len(games)} rows of games for {len(jobs)} jobs")
        _want({"unfinished", "tied"} <= set(games), f"games without unfinished or tied: {', '.join(map(str, games))}")
        needed = {"seat", "win_share", "score", *(["band"] if game.entrants(rules, variant) else [])}
        _want(needed <= set(seats), f"seats lack {', '.join(sorted(needed - set(seats)))}")
        for_each = len(seats) // len(jobs)
        shares = seats["win_share"].to_numpy(np.float64).reshape(len(jobs), for_each).sum(axis=1)
        finished = played.counts["status"] == OVER
        _want((games["unfinished"].to_numpy() == (played.counts["status"] == UNFINISHED)).all(), "unfinished is wrong")
        _want(np.allclose(shares[finished], 1), f"win shares of a game sum to {shares[finished].tolist()}")


# ------------------------------------------------------------------ a game, event by event
def _walk(position: Position, automata: Sequence[str], draw: np.random.Generator, problems: dict[str, str]) -> None:
    """Play ``position`` to its end, checking every event."""
    for _ in range(position.game.most_steps):
        if position.over:
            break
        n = position.chance_count()
        for name, check in (_CHANCE if n else _DECISION).items():
            _try(problems, name, functools.partial(check, position))
        _try(problems, "hiding", lambda: _check_hiding(position, automata))
        try:
            position.chance(int(draw.integers(n))) if n else position.step(int(draw.choice(position.legal())))
        except (SoundcheckError, ValueError) as error:
            problems.setdefault("legal" if not n else "chance", str(error))
            return
    _try(problems, "finishes", lambda: _want(position.over, f"no end after {position.game.most_steps:,} events"))
    _try(problems, "shares", lambda: _check_shares(position))


def _check_legal(position: Position) -> None:
    legal = position.legal()
    _want(len(legal) > 0, f"nothing is legal for seat {position.to_act()}: {position}")
    _want((np.diff(legal) > 0).all(), f"not ascending, or twice: {legal.tolist()}")
    _want(0 <= position.to_act() < MAX_SEATS, f"seat {position.to_act()} is asked")
    engine, state, rules = position.game.engine, position.state[0], position.rules.packed[0]
    if engine.count is not uncounted:
        notes = np.zeros(1, engine.options)
        n = int(engine.kernels.count(state, rules, notes[0]))
        picked = [int(engine.kernels.pick(state, rules, notes[0], k)) for k in range(n)]
        _want(n < 0 or picked == legal.tolist(), f"counted and picked {picked}, legal are {legal.tolist()}")


def _check_chance(position: Position) -> None:
    engine, state, rules = position.game.engine, position.state[0], position.rules.packed[0]
    stream = int(engine.kernels.chance_stream(state, rules))
    _want(0 <= stream < engine.streams, f"stream {stream} of {engine.streams}")
    for outcome in _some(position.chance_count()):
        position.copy().chance(outcome)


def _check_looking(position: Position) -> None:
    engine, before = position.game.engine, position.state.tobytes()
    result = np.zeros(1, engine.result)
    engine.kernels.outcome(position.state[0], position.rules.packed[0], result[0])
    position.chance_count(), position.legal(), position.shares(), position.view(), str(position)
    for seat in _seats(position):
        position.view(seat)
    _want(position.state.tobytes() == before, f"asked, it changed: {position}")


def _check_same(position: Position) -> None:
    number = position.chance_count() or len(position.legal())
    ends = []
    for one in (position.copy(), position.copy()):
        one.chance(number - 1) if one.chance_count() else one.step(int(one.legal()[number - 1]))
        ends.append(one.state)
    # By value: a copy does not take the padding of a record along.
    _want((ends[0] == ends[1]).all(), f"two states after the same event: {position}")


def _check_action_texts(position: Position) -> None:
    legal = position.legal().tolist()
    texts = [position.text(action) for action in legal]
    double = {text for text in texts if texts.count(text) > 1}
    _want(not double, f"several actions are called {', '.join(sorted(double))}")
    for action, text in zip(legal, texts, strict=True):
        _want(position.find(text) == action, f"{text!r} is action {action}, and is read as {position.find(text)}")


def _check_outcome_texts(position: Position) -> None:
    for outcome in _some(position.chance_count()):
        text = position.chance_text(outcome)
        first = position.game.parse_chance(position.state[0], position.rules, text)
        _want(first <= outcome, f"outcome {outcome} is called {text!r}, which is read as {first}")
        _want(position.chance_text(first) == text, f"{text!r} is read as {first}, which has another text")


def _check_hiding(position: Position, automata: Sequence[str]) -> None:
    rng = np.zeros(1, RNG)
    rng[0]["key"] = stream_key(1, 0, 0)
    asked = -1 if position.chance_count() else position.to_act()
    for seat in _seats(position):
        if seat < len(automata):
            continue  # nobody looks from there
        other = position.copy()
        other.game.engine.kernels.hide(other.state[0], other.rules.packed[0], seat, rng[0])
        _want(other.view(seat) == position.view(seat), f"seat {seat} sees something else after hide: {position}")
        if seat == asked:
            _want(
                (other.legal() == position.legal()).all(), f"seat {seat} may do something else after hide: {position}"
            )


def _check_shares(position: Position) -> None:
    shares = position.shares()
    wanted = 1.0 if position.over else 0.0
    _want(abs(shares.sum() - wanted) < 1e-9, f"shares {shares.tolist()} sum to {shares.sum()}, not {wanted:g}")
    _want((shares >= 0).all(), f"shares {shares.tolist()}")


def _seats(position: Position) -> Iterator[int]:
    """Seats that the position shows."""
    yield from range(len(position.view().get("seats", [])))


def _some(n: int, most: int = 40) -> list[int]:
    """All of ``n`` outcomes while they are few, otherwise some, the first and the last among them."""
    return list(range(n)) if n <= most else [int(one) for one in np.linspace(0, n - 1, most)]


_CHANCE: dict[str, Callable[[Position], None]] = {
    "chance": _check_chance,
    "looking": _check_looking,
    "deterministic": _check_same,
    "notation": _check_outcome_texts,
    "shares": _check_shares,
}
_DECISION: dict[str, Callable[[Position], None]] = {
    "legal": _check_legal,
    "looking": _check_looking,
    "deterministic": _check_same,
    "notation": _check_action_texts,
    "shares": _check_shares,
}
