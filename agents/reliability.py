"""Is the leaf model's win probability what it says?  A reliability plot and Brier scores on games nobody was fitted on.

    python -m agents.reliability overdrive --games 1000 --seed 7 --plot reliability.svg

For every kind of line-up that has weights of its own: positions are put into tenths by the share that the model says,
and what it says is held against the share that came of them (Murphy, "A New Vector Partition of the Probability
Score", Journal of Applied Meteorology 12, 1973).  The Brier score is the mean squared error of a side's share.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from agents.fit import add_play_options, judge, play, variants
from agents.weights import stored
from simcore import registry
from simcore.errors import UsageError
from simcore.protocol import Game

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Added to the seed: games of fits and of their own tests have other numbers.
FRESH = 5_000_011


def measure(game: Game, games: int, seed: int, policy: str, epsilon: float) -> dict[str, dict[str, Any]]:
    """Brier score and reliability (``agents.fit.judge``) of the stored model by kind of line-up.  Raises UsageError."""
    leaf = registry.leaf(game)
    if leaf is None or not stored(game.name, "leaf"):
        raise UsageError(f"{game.name} has no leaf model")
    found = {}
    for name, line_ups in variants(game):
        positions = play(game, leaf, line_ups, games, seed + FRESH, policy, epsilon)
        found[name] = judge(leaf.weights[int(positions.table[0])], positions)
    return found


def reliability(table: pd.DataFrame, axes: Axes) -> Axes:
    """Share that came over the share that was said; ``table``: as ``judge`` has it (``said``, ``came``, ``n``).

    Areas go by the number of positions.  Returns ``axes``.
    """
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    axes.scatter(table["said"], table["came"], s=4 + 120 * table["n"] / table["n"].max(), color="tab:blue", alpha=0.8)
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="share said", ylabel="share that came", aspect="equal")
    return axes


def draw(found: Mapping[str, Mapping[str, Any]], title: str, file: Path) -> None:
    """The reliability plot: a panel a kind of line-up, areas of the dots by number of positions."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    columns = min(4, len(found))
    rows = -(-len(found) // columns)
    figure = Figure(figsize=(3 * columns, 3.2 * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    for one in axes.flat[len(found) :]:
        one.set_axis_off()
    for (name, judged), one in zip(found.items(), axes.flat, strict=False):
        reliability(pd.DataFrame(judged["reliability"]), one)
        one.set_title(f"{name}: Brier {judged['brier']:.3f}", fontsize=9)
    figure.suptitle(title, fontsize=10)
    # The same numbers give the same file; text stays text.
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "reliability"}):
        figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, print, plot."""
    parser = argparse.ArgumentParser(description="check a game's win probabilities on fresh games")
    add_play_options(parser, 1_000)
    parser.add_argument("--plot", type=Path, help="file of the reliability plot (svg, png, pdf)")
    options = parser.parse_args(arguments)
    game = registry.game(options.game)
    found = measure(game, options.games, options.seed, options.policy, options.epsilon)
    for name, judged in found.items():
        print(f"{name}: Brier {judged['brier']:.4f} (equal shares: {judged['brier_of_equal_shares']:.4f})")
        for row in judged["reliability"]:
            print(f"    said {row['said']:.3f}  came {row['came']:.3f}  {row['n']:>7} positions")
    if options.plot:
        draw(found, f"{game.title}: {options.games} fresh games each, seed {options.seed}", options.plot)
        print(f"plotted to {options.plot}")


if __name__ == "__main__":
    main()
