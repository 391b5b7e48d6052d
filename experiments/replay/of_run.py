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


def can_be_replayed(folder: Path) -> bool:
    """Whether the games of the stored run come out as they were: rules, engine and agents are the same."""
    manifest = manifests.read(folder)
    try:
        prepared, _ = replay_game(folder, 0)
    except UsageError:
        return False
    return bool(manifest["run"]["engine"] == engine_version(prepared.game))


def write_replays(
    folder: Path, numbers: Sequence[int], beside: Path, values: Values | None = QUICK,
    progress: Progress = lambda done, total: None,
) -> None:  # fmt: skip
    """Write the games ``numbers`` of the stored run in ``folder`` as pages, in FOLDER in the folder ``beside``.

    ``values``: how options are valued, where the game has a leaf model for searches.  Raises UsageError where the
    run's rules are no longer what they were; whether the games are: ``can_be_replayed``.
    """
    wanted = list(dict.fromkeys(numbers))
    if not wanted:
        return
    for done, number in enumerate(wanted):
        progress(done, len(wanted))
        prepared, there = replay_game(folder, number)
        known = values if registry.leaf(prepared.game) is not None else None
        write_replay(prepared, there, beside / address(number), number, None, known)
    progress(len(wanted), len(wanted))
