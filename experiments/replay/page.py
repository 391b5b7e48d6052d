"""From a game to one HTML file that needs nothing beside it: data for the script, and the notation as plain markup."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from experiments.closed_page import fill
from experiments.plan import Prepared
from experiments.replay import metalmania, overdrive
from experiments.replay.chances import SEARCH
from experiments.replay.course import CHANCE, FORCED, Course, Progress, Step, Values, course
from experiments.replay.plain import Plain
from experiments.replay.scene import Book, Presenter, Turn
from experiments.store import replacing
from simcore.errors import UsageError
from simcore.protocol import Game

#: Games with a table of their own.
PRESENTERS: dict[str, Presenter] = {"overdrive": overdrive, "metalmania": metalmania}

#: How options are valued unless something else is said: a search that takes a few hundredths of a second a decision.
VALUES = Values("mcts:iterations=256", 8)


def presenter_of(game: Game) -> Presenter:
    """What shows the game's table."""
    return PRESENTERS.get(game.name) or Plain(game)


def write_replay(
    prepared: Prepared, number: int, out: Path, stored_as: int | None = None, line_up: list[int] | None = None,
    values: Values | None = VALUES, progress: Progress = lambda done, total: None,
) -> Course:  # fmt: skip
    """Write game ``number`` of a plan as a page to ``out``; returns its course.  Equal games give equal bytes.

    ``stored_as``: its number in a stored run, if another; ``line_up``: see ``course``.  Raises UsageError where the
    file cannot be written.
    """
    if out.is_dir():
        raise UsageError(f"out: {out} is a folder; name a file")
    played = course(prepared, presenter_of(prepared.game), number, line_up, values, progress)
    content = render(prepared, played, number if stored_as is None else stored_as, values).encode()
    out.parent.mkdir(parents=True, exist_ok=True)
    with replacing(out) as file:
        file.write(content)
    return played


def render(prepared: Prepared, played: Course, number: int, values: Values | None) -> str:
    """The HTML of a game that was played."""
    data = page_data(prepared, played, values)
    turns = [
        {"title": turn["title"], "steps": [_entry(k, played.steps[k - 1], data["names"]) for k in turn["steps"]]}
        for turn in data["turns"]
    ]
    return fill(
        "experiments.replay",
        title=f"{prepared.game.title}, game {number}",
        facts=_facts(prepared, number),
        seats=_seats(played, data["names"]),
        house=prepared.rules.house,
        legend=presenter_of(prepared.game).legend(prepared.rules),
        turns=turns,
        last=len(played.steps),
        chances=played.chances,
        search=SEARCH,
        data=Markup(embedded(data)),
    )


def embedded(data: Any) -> str:
    """Plain data as JSON that may stand in a script element: nothing in it can end the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def page_data(prepared: Prepared, played: Course, values: Values | None) -> dict[str, Any]:
    """Everything that the page's script reads."""
    show, rules = presenter_of(prepared.game), prepared.rules
    seats = range(prepared.seats)
    names = [show.seat_name(played.states[0], rules, seat) for seat in seats]
    viewer = len(prepared.automata) or None
    book = Book()
    positions = [book.position(show.table(state, rules, viewer, names)) for state in played.states]
    turns, of_step = _turns(played.turns)
    return {
        "names": names,
        "turns": turns,
        "turnOf": of_step,
        "steps": [[one.kind, one.seat, one.text, one.options, one.by_itself] for one in played.steps],
        "movers": played.movers,
        "positions": positions,
        **book.data(),
        "scores": [[round(float(score), 2) for score in row] for row in played.scores],
        "chances": _chances(played, names),
        "options": {str(k): _options(one) for k, one in enumerate(played.steps, 1) if one.listed},
        "valuedBy": values.agent if values and values.most else "",
    }


def _turns(found: Sequence[Turn]) -> tuple[list[dict[str, Any]], list[int]]:
    """Turns in order with their steps (numbered from 1), and the turn of each step (the start is in the first)."""
    turns: list[dict[str, Any]] = []
    of_step, key = [0], None
    for k, turn in enumerate(found, 1):
        if not turns or turn.key != key:
            turns.append({"title": turn.title, "section": turn.section, "steps": []})
            key = turn.key
        turns[-1]["steps"].append(k)
        of_step.append(len(turns) - 1)
    return turns, of_step


def _chances(played: Course, names: Sequence[str]) -> dict[str, Any] | None:
    """Chances by side: seats that win together have one line.  None before the first decision of a position."""
    if played.chances is None:
        return None
    sides = sorted(set(played.chances.sides))
    members = [[seat for seat, side in enumerate(played.chances.sides) if side == one] for one in sides]
    rows = [[_rounded(float(row[seats].sum())) for seats in members] for row in played.chances.shares]
    return {"sides": members, "names": [" and ".join(names[seat] for seat in seats) for seats in members], "rows": rows}


def _options(step: Step) -> list[Any]:
    """[options, how many more], each option as text, visits, share, order of opening, marks."""
    rows = [[one.text, one.visits, _rounded(one.share), one.order, one.is_played, one.is_chosen] for one in step.listed]
    return [rows, step.left_out]


def _rounded(share: float | None) -> float | None:
    """A share as the page has it; None where there is none (JSON knows no NaN)."""
    return None if share is None or math.isnan(share) else round(share, 4)


# ------------------------------------------------------------------ plain markup
def _entry(number: int, step: Step, names: Sequence[str]) -> dict[str, Any]:
    """A step as the list of all of them shows it."""
    note = "chance" if step.kind == CHANCE else "forced" if step.kind == FORCED else f"one of {step.options}"
    return {
        "number": number, "seat": step.seat, "who": names[step.seat] if step.seat >= 0 else "", "text": step.text,
        "note": note, "by_itself": [f"{names[seat]}: {text}, by itself" for seat, text in step.by_itself],
    }  # fmt: skip


def _facts(prepared: Prepared, number: int) -> list[str]:
    """Which game it is: variant, seed, rules, cards."""
    plan = prepared.plan
    kind = [f"{key} {value}" for key, value in json.loads(plan.variant).items()]
    players = f"{plan.players} player{'' if plan.players == 1 else 's'}"
    facts = [", ".join([players, *kind]), f"game {number}, seed {plan.seed}, rules {prepared.rules.hash}"]
    changed = [f"{path} = {value}" for path, value in prepared.rules.overrides.items()]
    if changed:
        facts.append("changed values: " + ", ".join(changed))
    if line := prepared.game.data_line(prepared.rules):
        facts.append(line)
    return facts


def _seats(played: Course, names: Sequence[str]) -> list[dict[str, Any]]:
    """The end by seat: who played it, score, parts of the score, share of the win."""
    found = []
    for seat, record in enumerate(played.seats.to_dict("records")):
        row = {str(name): value for name, value in record.items()}
        parts = [
            f"{name.removeprefix('points_').replace('_', ' ')} {row[name]:g}"
            for name in row
            if name.startswith("points_") and row[name]
        ]
        found.append(
            {
                "seat": seat, "name": names[seat], "agent": row["agent"], "score": f"{row['score']:g}",
                "parts": ", ".join(parts), "win": f"{100 * row['win_share']:.3g} %",
            }
        )  # fmt: skip
    return found
