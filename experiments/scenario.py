"""Running rule scenarios: files that say "in this situation, these decisions and this luck lead there".

``run_file`` and ``run_scenario`` give a Result a scenario; ``main`` prints a line each.  A scenario that
does not hold is a failed result; one that cannot be read (a key or word that nobody knows) is a
``UsageError``, never skipped.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from experiments.compare import differences
from experiments.scenario_form import check_form, read_file, texts
from simcore.errors import Ambiguous, UnknownWord, UsageError, unknown
from simcore.position import Position
from simcore.protocol import Game
from simcore.registry import game as game_named

#: Forced decisions in a row after which the runner says that the game does not move.
MOST_FORCED = 10_000


class ScenarioError(Exception):
    """A scenario that does not hold; the message says what was expected and what was found."""


@dataclass(frozen=True)
class Result:
    """What became of one scenario.  ``step``: number of the step that failed (from 1), 0 for none."""

    file: str
    id: str
    title: str
    cites: tuple[str, ...]
    ok: bool
    step: int
    message: str

    def __str__(self) -> str:
        place = f"{self.file}: " if self.file else ""
        if self.ok:
            return f"ok    {place}{self.id}: {self.title}"
        where = f", step {self.step}" if self.step else ""
        return f"FAIL  {place}{self.id}{where}: {self.message}"


# ------------------------------------------------------------------ running


class Run:
    """One scenario on its way: the position, the step that is taken, the steps that follow."""

    def __init__(self, scenario: Mapping[str, Any], place: str) -> None:
        self.place = place
        self.game: Game = game_named(scenario["game"])
        state, rules, _ = self.game.given(scenario)
        self.position = Position(self.game, state, rules)
        self.steps: list[Mapping[str, Any]] = list(scenario.get("step", []))
        self.number = 0

    def all_steps(self) -> None:
        """Take every step.  Raises ScenarioError where one does not hold."""
        for number, step in enumerate(self.steps, 1):
            self.number = number
            self._step(step)

    def _next(self) -> Mapping[str, Any] | None:
        return self.steps[self.number] if self.number < len(self.steps) else None

    def _step(self, step: Mapping[str, Any]) -> None:
        place = f"{self.place}, step {self.number}"
        luck = [one for text in texts(step.get("chance", []), place) for one in self.game.single_chances(text)]
        if "do" in step:
            self._reach(step)
        elif luck:
            self._before_luck()
        if "do" not in step and luck:
            self._settle(luck)
        self._inspect(step)
        if "do" in step:
            self._do(step, luck)
        if "then" in step:
            self.compare(step["then"], f"{place}: then")

    # ---------------------------------------------------------------- decisions

    def _reach(self, step: Mapping[str, Any]) -> None:
        """Go through responses and forced decisions that stand before the action of ``step``.

        Where that does not lead to the action, nothing happens.
        """
        before = self.position.state.copy()
        while not self._names(step, self.position.legal()):
            action = self._automatic(self.position.legal(), step)
            if action is None:
                self.position.state[:] = before
                return
            self.position.step(action)

    def _before_luck(self) -> None:
        """Go through responses and forced decisions that stand before a chance outcome."""
        while not self.position.chance_count() and not self.position.over:
            action = self._automatic(self.position.legal(), None)
            if action is None:
                raise ScenarioError(f"no chance is asked for; seat {self.position.to_act()} decides")
            self.position.step(action)

    def _automatic(self, legal: np.ndarray, following: Mapping[str, Any] | None) -> int | None:
        """What the runner decides itself before ``following``: a forced action, or to decline a response."""
        if len(legal) == 1:
            return int(legal[0])
        if not len(legal):
            return None
        declining = self.game.declines(self.position.state[0], self.position.rules, legal)
        if declining is None or (following is not None and self._stays(following, legal)):
            return None
        return declining

    def _stays(self, following: Mapping[str, Any], legal: np.ndarray) -> bool:
        """Whether ``following`` needs the response window that is open now."""
        if "seat" in following and following["seat"] != self.position.to_act():
            return False
        if "do" in following:
            return self._find(following["do"], legal) is not None
        return any(key in following for key in ("legal", "only", "illegal"))

    def _names(self, step: Mapping[str, Any] | None, legal: np.ndarray) -> bool:
        """Whether ``step`` names one of the ``legal`` actions (then the runner leaves it alone)."""
        if step is None or not len(legal):
            return False
        if "seat" in step and step["seat"] != self.position.to_act():
            return False
        named = [step["do"]] if "do" in step else []
        named += texts(step.get("legal", []), self.place) + texts(step.get("only", {}).get("are", []), self.place)
        return any(self._find(text, legal) is not None for text in named)

    def _find(self, text: str, legal: np.ndarray) -> int | None:
        """The legal action that ``text`` means; the first one where it leaves a choice open."""
        try:
            return self.game.parse_action(self.position.state[0], self.position.rules, text, legal)
        except Ambiguous:
            return int(legal[0])

    def _do(self, step: Mapping[str, Any], luck: list[str]) -> None:
        if self.position.over:
            raise ScenarioError(f"{step['do']!r} was to be done, but the game is over")
        if self.position.chance_count():
            raise ScenarioError(f"{step['do']!r} was to be done, but the game asks for {self._wanted_luck()}")
        if "seat" in step and step["seat"] != self.position.to_act():
            raise ScenarioError(f"seat {step['seat']} was to be asked, found seat {self.position.to_act()}")
        try:
            action = self.position.parse(step["do"])
        except Ambiguous:
            raise
        except UsageError as error:
            if self._is_well_formed(step["do"]):
                raise ScenarioError(str(error)) from error
            raise
        self.position.step(action)
        self._settle(luck)

    def _is_well_formed(self, text: str) -> bool:
        try:
            self.position.find(text)
        except UsageError:
            return False
        return True

    # ---------------------------------------------------------------- what follows a decision

    def _settle(self, luck: list[str]) -> None:
        """Chance in the order given, forced decisions and declined responses, until a seat truly decides."""
        left = [single for text in luck for single in self.game.single_chances(text)]
        for _ in range(MOST_FORCED):
            if self.position.over:
                break
            if self.position.chance_count():
                if not left:
                    if self.game.may_wait(self.position.state[0], self.position.rules):
                        return
                    raise ScenarioError(f"the game asks for {self._wanted_luck()}, which the step does not supply")
                self._chance(left.pop(0))
                continue
            legal = self.position.legal()
            following = self._next()
            if len(legal) == 1 and not left and self._names(following, legal):
                break
            action = self._automatic(legal, None if left else following or {})
            if action is None:
                break
            self.position.step(action)
        else:
            raise ScenarioError(f"{MOST_FORCED} forced decisions in a row")
        if left:
            raise ScenarioError(f"chance left unused: {', '.join(map(repr, left))}")

    def _chance(self, text: str) -> None:
        try:
            self.position.chance(text)
        except UnknownWord:
            raise
        except UsageError as error:
            raise ScenarioError(f"{error}; expected {text!r}, found that it asks for {self._wanted_luck()}") from error

    def _wanted_luck(self) -> str:
        """The kind of outcome that is asked for, by an example."""
        return f"chance such as {self.position.chance_text(0)!r}"

    # ---------------------------------------------------------------- looking

    def _inspect(self, step: Mapping[str, Any]) -> None:
        """``illegal``, ``legal`` and ``only`` of a step; the state is left as it is."""
        before = self.position.state.copy()
        if "do" not in step and "seat" in step and step["seat"] != self._asked():
            raise ScenarioError(f"seat {step['seat']} was to be asked, found {self._asked()}")
        for text in texts(step.get("illegal", []), self.place):
            if self._is_legal(text):
                raise ScenarioError(f"{text!r} was to be illegal, but it is legal")
        for text in texts(step.get("legal", []), self.place):
            if not self._is_legal(text):
                raise ScenarioError(f"{text!r} was to be legal; {self._offer()}")
        if "only" in step:
            self._only(step["only"])
        if not np.array_equal(before, self.position.state):
            raise ScenarioError("asking what is legal changed the state")

    def _asked(self) -> int | None:
        """The seat that decides now, None where nobody does."""
        return self.position.to_act() if len(self.position.legal()) else None

    def _is_legal(self, text: str) -> bool:
        try:
            return self.position.find(text) is not None
        except Ambiguous:
            return True

    def _offer(self) -> str:
        legal = self.position.legal()
        if self.position.over:
            return "found that the game is over"
        if not len(legal):
            return f"found that the game asks for {self._wanted_luck()}"
        shown = [self.position.text(action) for action in legal[:30]]
        more = f" and {len(legal) - len(shown)} more" if len(legal) > len(shown) else ""
        return f"seat {self.position.to_act()} may: {', '.join(shown)}{more}"

    def _only(self, only: Mapping[str, Any]) -> None:
        verb = only["verb"]
        first = verb.split()[0] if verb.split() else verb
        if self.game.verbs and first not in self.game.verbs:
            raise unknown(f"{self.place}, step {self.number}: only", "verb", verb, self.game.verbs)
        found = {}
        for action in map(int, self.position.legal()):
            text = self.position.text(action)
            if text == verb or text.startswith(f"{verb} "):
                found[action] = text
        wanted = {}
        for text in texts(only.get("are", []), self.place):
            meant = self.position.find(text)
            if meant is None or meant not in found:
                raise ScenarioError(f"only {verb}: {text!r} was to be legal; found {sorted(found.values())}")
            wanted[meant] = text
        more = [text for action, text in found.items() if action not in wanted]
        if more:
            raise ScenarioError(f"only {verb}: expected {sorted(wanted.values())}, found also {more}")

    def compare(self, then: Mapping[str, Any], place: str) -> None:
        """Raise ScenarioError where the state is not what ``then`` says; UsageError for an unknown word."""
        state, rules = self.position.state[0], self.position.rules
        expected = self.game.expectation(state, rules, then, place)
        lines = differences(expected, self.game.view(state, rules), self.game.same)
        if lines:
            raise ScenarioError("; ".join(lines))


def run_scenario(scenario: Mapping[str, Any], base_path: str | Path | None = None, file: str = "") -> Result:
    """Run one scenario (a table of a file, or a plain dict).

    ``base_path``: folder that ``data_file`` is relative to; ``file``: name for messages.  Raises UsageError
    for a scenario that cannot be read.
    """
    name = scenario.get("id", "?") if isinstance(scenario, Mapping) else "?"
    place = f"{file}: {name}" if file else str(name)
    check_form(scenario, place)
    read = dict(scenario)
    if "data_file" in read:
        read["data_file"] = str(Path(base_path or ".") / read["data_file"])
    step, message = 0, ""
    run = None
    try:
        run = Run(read, place)
        run.all_steps()
        run.number = 0
        if "then" in read:
            run.compare(read["then"], f"{place}: then")
    except ScenarioError as error:
        step, message = run.number if run else 0, str(error)
    except UsageError as error:
        where = f", step {run.number}" if run and run.number else ""
        text = str(error)
        raise UsageError(text if text.startswith(place) else f"{place}{where}: {text}") from error
    return Result(
        file, str(read["id"]), str(read.get("title", "")), tuple(read.get("cites", ())), not message, step, message
    )


def run_file(path: str | Path) -> list[Result]:
    """Run every scenario of a file, in order.  Raises UsageError for what cannot be read."""
    return [run_scenario(scenario, Path(path).parent, str(path)) for scenario in read_file(path)]


def main(files: Iterable[str | Path]) -> int:
    """Print a line a scenario; 0 when all hold, 1 when one fails, 2 when something cannot be read."""
    worst = 0
    held = total = 0
    for path in files:
        try:
            scenarios = read_file(path)
        except UsageError as error:
            print(f"ERROR {error}", file=sys.stderr)
            worst = 2
            continue
        for scenario in scenarios:
            total += 1
            try:
                result = run_scenario(scenario, Path(path).parent, str(path))
            except UsageError as error:
                print(f"ERROR {error}", file=sys.stderr)
                worst = 2
                continue
            print(result)
            held += result.ok
            worst = worst if result.ok else max(worst, 1)
    print(f"{held} of {total} scenarios hold")
    return worst
