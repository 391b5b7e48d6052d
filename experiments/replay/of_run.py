"""Games of a stored run as pages beside the page of the run, so that it can point to them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from experiments import manifest as manifests
from experiments.difficulty import replay_game
from experiments.plan import engine_version
from experiments.replay.course import Progress, Values
from experiments.replay.page import write_replay
from simcore import registry
from simcore.errors import UsageError

#: Folder of the pages, beside the page that points to them.
FOLDER = "replays"

#: How options are valued in pages that nobody asked for one by one: good options from bad ones, in a second or two.
QUICK = Values("mcts:iterations=64", 6)


def address(number: int) -> str:
    """Address of game ``number``, from the page beside the folder."""
    return f"{FOLDER}/game-{number}.html"


def write_replays(
    folder: Path, numbers: Sequence[int], beside: Path, values: Values | None = QUICK,
    progress: Progress = lambda done, total: None,
) -> None:  # fmt: skip
    """Write the games ``numbers`` of the stored run in ``folder`` as pages, in FOLDER in the folder ``beside``.

    ``values``: how options are valued, where the game has a leaf model for searches.  Raises UsageError where the
    run's games can no longer be played as they were.
    """
    manifest = manifests.read(folder)
    wanted = list(dict.fromkeys(numbers))
    for done, number in enumerate(wanted):
        progress(done, len(wanted))
        prepared, there = replay_game(folder, number)
        if manifest["run"]["engine"] != engine_version(prepared.game):
            raise UsageError(f"{folder}: engine or agents have changed since this run; its games would be others")
        known = values if registry.leaf(prepared.game) is not None else None
        write_replay(prepared, there, beside / address(number), number, None, known)
    progress(len(wanted), len(wanted))
