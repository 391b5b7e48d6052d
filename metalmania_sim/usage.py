"""What a balance run shows of Metal Mania beside win shares: fame and actions a turn, events, artists, companies.

``used`` makes columns of the tally that the loop kept; ``rates`` says how to read them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metalmania_sim.kernels.layout import ARTISTS, EQUALIZERS, FIRST_EVENT, LAST_EVENT, SOURCES, VERBS
from simcore.usage import Rates, Taken

#: Actions of Step 3 and of Step 4, by their verbs, with their names in the rulebook.
STEP3 = {"perform": "Performance", "record": "Recording", "advertise": "Advertising"}
STEP4 = {"audition": "Audition", "funds": "Funds", "beers": "Beers"}

#: Artists, as things that a seat hires from the display.
ARTIST = Taken("hired_", "offered_", "hires_", "hired")

#: Stands for a seat without a record company.
NO_COMPANY = "none"


def used(results: np.ndarray, tallies: np.ndarray, rules: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
    """(columns of games, columns of seats), row by row those of ``game.tables``.

    Games: ``event_N`` (after the paid shift), ``shifts_down``, ``shifts_up``, ``reshuffles``, ``unpaid``
    (artists), ``offered_ARTIST`` (decisions at which it could be hired), ``hires_ARTIST``.  Seats: ``company``
    (a name or "none"), ``did_ACTION``, ``early_end`` (turns that ended before Step 3), ``own_EQUALIZER`` and
    ``other_EQUALIZER`` (bonuses used in own and in other seats' turns), ``hired_ARTIST`` (yes or no).
    """
    names = rules.names
    in_play = np.arange(results["share"].shape[1])[None, :] < results["players"][:, None]
    return _games(tallies, names), _seats(results, tallies, in_play, names)


def _games(tallies: np.ndarray, names: Any) -> pd.DataFrame:
    short = tallies["short"]
    return pd.DataFrame(
        {
            **{f"event_{n}": tallies["event"][:, n].astype(np.int16) for n in range(FIRST_EVENT, LAST_EVENT + 1)},
            **{f"shifts_{way}": tallies["shift"][:, k].astype(np.int16) for k, way in enumerate(("down", "up"))},
            "reshuffles": tallies["reshuffles"].astype(np.int16),
            "unpaid": (short * np.arange(short.shape[1])).sum(axis=1).astype(np.int16),
            **{f"offered_{name}": tallies["offered"][:, k].astype(np.int16) for k, name in enumerate(names.artists)},
            **{f"hires_{name}": tallies["hired"][:, k].astype(np.int16) for k, name in enumerate(names.artists)},
        }
    )


def _seats(results: np.ndarray, tallies: np.ndarray, in_play: np.ndarray, names: Any) -> pd.DataFrame:
    done = tallies["verb"][in_play].astype(np.int16)
    bonus = tallies["bonus"][in_play].astype(np.int16)
    hired = (tallies["hired_by"][in_play][:, None] >> np.arange(ARTISTS)) & 1 == 1
    acted = done[:, [VERBS.index(verb) for verb in STEP3]].sum(axis=1)
    missed = results["turns_of"][in_play] - acted - results["skipped"][in_play]
    return pd.DataFrame(
        {
            "company": np.array([*names.companies, NO_COMPANY], object)[results["company"][in_play]],
            **{f"did_{verb}": done[:, VERBS.index(verb)] for verb in (*STEP3, *STEP4)},
            "early_end": missed.astype(np.int16),
            **{f"own_{name}": bonus[:, 0, k] for k, name in enumerate(EQUALIZERS)},
            **{f"other_{name}": bonus[:, 1, k] for k, name in enumerate(EQUALIZERS)},
            **{f"hired_{name}": hired[:, k] for k, name in enumerate(names.artists)},
        }
    )


def rates(rules: Any) -> tuple[Rates, ...]:
    """Tables of a balance run: fame by source, actions, bonuses, what is skipped, events."""
    events = {f"{n} {name}": f"event_{n}" for n, name in sorted(rules.names.events.items())}
    bonuses = {
        f"{name.capitalize()}, {whose} turn": f"{prefix}_{name}"
        for prefix, whose in (("own", "own"), ("other", "another's"))
        for name in EQUALIZERS
    }
    return (
        Rates("Where fame comes from", {name.capitalize(): f"points_{name}" for name in SOURCES}),
        Rates("Step 3", {printed: f"did_{verb}" for verb, printed in STEP3.items()}),
        Rates("Step 4", {printed: f"did_{verb}" for verb, printed in STEP4.items()}),
        Rates("Equalizer bonuses used", bonuses),
        Rates(
            "Skipped and short",
            {
                "Step 3 skipped (an artist inactive)": "skipped",
                "ended before Step 3 (miracle or win)": "early_end",
                "hires, event 7 included": "auditions",
            },
            whole=False,
        ),
        Rates("Events (after the paid shift)", events, of="games"),
        Rates(
            "Money and cards",
            {"shifts by -1": "shifts_down", "shifts by +1": "shifts_up", "artists unpaid": "unpaid",
             "reshuffles": "reshuffles"},
            of="games", whole=False,
        ),
    )  # fmt: skip


__all__ = ["ARTIST", "NO_COMPANY", "rates", "used"]
