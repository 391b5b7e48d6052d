"""Playthroughs as OpenSpiel's own tool writes them; ``python -m tests.bridges.playthroughs`` writes them anew."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent.parent / "golden" / "openspiel"

#: name of the file: the game.
PLAYTHROUGHS = {
    "metalmania-tiny": "metalmania(tiny=True)",
    "overdrive-tiny": "overdrive(tiny=True)",
}


def path(name: str) -> Path:
    """Where a playthrough is stored."""
    return FOLDER / f"{name}.txt"


def text(name: str, replay: bool = False) -> str:
    """One playthrough, with the stored one's actions (``replay``) or new ones."""
    from open_spiel.python.algorithms import generate_playthrough

    import bridges.openspiel  # noqa: F401

    actions = None
    if replay:
        lines = path(name).read_text(encoding="utf-8").splitlines()
        actions = [int(line.removeprefix("action: ")) for line in lines if line.startswith("action: ")]
    return str(generate_playthrough.playthrough(PLAYTHROUGHS[name], actions, seed=7))


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(exist_ok=True)
    for name in PLAYTHROUGHS:
        path(name).write_text(text(name), encoding="utf-8")


if __name__ == "__main__":
    main()
