"""Printing one game: who sits where, every event in notation, the final table."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from experiments import manifest as manifests
from experiments.cli.console import Remarks
from experiments.plan import Prepared, engine_version
from experiments.store import stored_rows
from simcore.play import play_jobs
from simcore.trace import Event, events


def print_game(
    prepared: Prepared, number: int, run: Path | None, remarks: Remarks, bands: list[int] | None, stored_as: int
) -> None:
    """Print game ``number`` of a plan; of a stored ``run``, say whether it is the game stored as ``stored_as``.

    ``bands``: a line-up (one a player) instead of the one that the design gives.
    """
    job, setup = prepared.one_game(number, bands)
    played = play_jobs(prepared.game, [prepared.rules], setup, job, prepared.agents, prepared.plan.seed, watch=True)
    games, seats = prepared.tables(played, job, setup)
    seats["agent"] = prepared.agent_names(job)[0]
    _print_head(prepared, stored_as, seats)
    last: list[Any] = []
    happened = events(prepared.game, prepared.rules, setup, job[0], prepared.agents, prepared.plan.seed, last)
    unseen = _print_events(prepared, happened, last)
    _print_end(games, seats)
    if unseen:
        print(f"\nface down until the end: {', '.join(unseen)}")
    if run is not None:
        compare_with_stored(prepared, stored_as, run, seats, remarks)


def _print_head(prepared: Prepared, number: int, seats: pd.DataFrame) -> None:
    plan = prepared.plan
    kind = "".join(f", {key} {value}" for key, value in json.loads(plan.variant).items())
    players = f"{plan.players} player{'' if plan.players == 1 else 's'}"
    print(f"{prepared.game.title}, {players}{kind}, game {number}, seed {plan.seed}, rules {prepared.rules.hash}")
    for row in seats.to_dict("records"):
        print(f"  seat {row['seat']}: {row.get('band', '')} ({row['agent']})")
    if line := prepared.game.data_line(prepared.rules):
        print(line)


def _print_events(prepared: Prepared, happened: Iterable[Event], last: list[Any]) -> list[str]:
    """Print all events; returns the texts of those that nobody could see.  ``last`` then holds the final state."""
    game, rules = prepared.game, prepared.rules
    heading: Any = None
    before: Any = None
    unseen: list[str] = []
    for event in happened:
        _print_by_itself(prepared, before, event.state)
        before = event.state
        now = game.view(event.state[0], rules).get("round")
        if now is not None and now != heading:
            heading = now
            print(f"\nround {now}")
        if event.kind == "chance":
            shown = game.unseen_chance(event.state[0], rules)
            if shown is not None:
                unseen.append(event.text)
            print(f"            {shown or event.text}")
        else:
            note = "forced" if event.options == 1 else f"of {event.options}"
            print(f"  seat {event.seat}    {event.text:<44} ({note})")
    _print_by_itself(prepared, before, last[0])
    return unseen


def _print_by_itself(prepared: Prepared, before: Any, after: Any) -> None:
    """What a side without an agent did between two states (None before the first one)."""
    if before is not None:
        for seat, text in prepared.game.by_itself(before[0], after[0], prepared.rules):
            print(f"  seat {seat}    {text:<44} (by itself)")


def _print_end(games: pd.DataFrame, seats: pd.DataFrame) -> None:
    unfinished = bool(games["unfinished"].iloc[0])
    print("\nthe game did not end" if unfinished else "\nend of the game")
    numbers = ["score", *(name for name in seats.columns if name.startswith("points_"))]
    for row in seats.to_dict("records"):
        points = ", ".join(f"{name.removeprefix('points_')} {row[name]:g}" for name in numbers)
        won = f"  <- {row['win_share']:.3g} of the win" if row["win_share"] > 0 else ""
        print(f"  seat {row['seat']}: {row.get('band', '')} ({row['agent']}): {points}{won}")


def compare_with_stored(prepared: Prepared, number: int, run: Path, seats: pd.DataFrame, remarks: Remarks) -> None:
    """Say whether the game played now, whose rows of seats these are, is the stored one."""
    import pyarrow.compute as pc

    manifest = manifests.read(run)
    if manifest["run"]["engine"] != engine_version(prepared.game):
        remarks.say(
            "note: engine or agents have changed since the run, so this may be another game than the stored one"
        )
    rows = stored_rows(run, "seats", where=pc.field("game") == number).to_pandas()
    if rows.empty:
        remarks.say(f"game {number} is not stored yet, so there is nothing to compare it with")
        return
    shared = [name for name in rows.columns if name in seats.columns]
    same = all(rows[name].tolist() == seats[name].tolist() for name in shared)
    sys.stdout.flush()
    remarks.say("the stored rows of this game say the same" if same else "the stored rows of this game DIFFER")
