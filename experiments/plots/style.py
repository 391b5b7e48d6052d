"""The look of all figures: one style file, a palette with a mark for each colour, legends, and files of a drawing."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import chain
from pathlib import Path
from textwrap import fill
from typing import Any

from matplotlib import RcParams, rc_context, rc_params_from_file
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from experiments.store import replacing
from experiments.verdict import BALANCED, OFF, UNDECIDED, spoken
from simcore.errors import UsageError, unknown

#: Draws one figure on axes and returns them.
Draw = Callable[[Axes], Axes]

STYLE_FILE = resources.files("experiments.plots").joinpath("soundcheck.mplstyle")

#: Width of a figure in inches: in a file and on a wide page, and on a phone.
WIDE, NARROW = 7.4, 4.0

#: What a file may be, and what keeps equal tables from giving different bytes.
FORMATS: dict[str, dict[str, Any]] = {
    "svg": {"metadata": {"Date": None, "Creator": "soundcheck"}},
    "png": {"metadata": {"Software": "soundcheck"}},
}


@cache
def style() -> RcParams:
    """The settings of the style file alone."""
    with resources.as_file(STYLE_FILE) as path:
        return rc_params_from_file(path, use_default_template=False)


def _cycle(key: str) -> tuple[str, ...]:
    return tuple(style()["axes.prop_cycle"].by_key()[key])


#: Colours in the order of the style file, each with its mark.
PALETTE = tuple(f"#{colour.lstrip('#').lower()}" for colour in _cycle("color"))
MARKS = _cycle("marker")
BLUE, VERMILLION = PALETTE[:2]

#: For areas: hatching tells them apart without colour.
HATCHES = ("", "//", "..", "\\\\", "xx", "--", "oo", "++")

#: Text, lines that stand back, and the paper, in the colours of the style file.
INK, SOFT, LINE, PAPER = (
    f"#{str(style()[key]).lstrip('#')}" for key in ("text.color", "axes.edgecolor", "grid.color", "figure.facecolor")
)

#: Words of less weight.
MUTED = "#5b6472"

#: Inches that a title takes.
_TITLE = 0.45

#: Colour and mark of each answer.
VERDICTS = {BALANCED: (BLUE, "o"), OFF: (VERMILLION, "s"), UNDECIDED: (SOFT, "D")}


def is_narrow(axes: Axes) -> bool:
    """Whether the figure is as narrow as a phone."""
    return float(axes.get_figure(root=True).get_figwidth()) < (WIDE + NARROW) / 2  # type: ignore[union-attr]


def legend(axes: Axes, most: int = 4) -> None:
    """A legend above the axes, in as many columns as fit."""
    handles, labels = axes.get_legend_handles_labels()
    if not handles:
        return
    letters = 44 if is_narrow(axes) else 100
    columns = max(1, min(most, len(labels), letters // (max(map(len, labels)) + 6)))
    # Read along rows, not down columns as matplotlib fills them.
    handles, labels = (list(chain.from_iterable(one[k::columns] for k in range(columns))) for one in (handles, labels))
    axes.legend(handles, labels, loc="lower left", bbox_to_anchor=(-0.01, 1.0), ncols=columns)


def below(axes: Axes, text: str) -> None:
    """The label below the axes, in two lines where the figure is narrow."""
    axes.set_xlabel(fill(text, 40) if is_narrow(axes) else text)


def named(axes: Axes, name: object) -> str:
    """``name`` as it stands beside an axis: a long one (agents of other packages) loses its middle."""
    text, most = spoken(str(name)), 20 if is_narrow(axes) else 40
    return text if len(text) <= most else f"{text[: most // 3]}\u2026{text[len(text) - most + most // 3 + 1 :]}"


def rows_on(axes: Axes, names: Sequence[str], size: Any = None) -> None:
    """``names`` as rows from top to bottom."""
    axes.set_yticks(range(len(names)), [named(axes, name) for name in names], fontsize=size)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(axis="x")


@dataclass(frozen=True)
class Drawing:
    """A figure to be drawn: ``title`` above it, ``remark`` below it, ``height`` in inches at the width WIDE."""

    title: str
    draw: Draw
    height: float
    remark: str = ""


@contextmanager
def canvas(size: tuple[float, float]) -> Iterator[Figure]:
    """An empty figure in the style of the project; ``size`` in inches.  Needs no screen."""
    with rc_context(style()):
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        yield figure


def as_svg(draw: Draw, size: tuple[float, float]) -> str:
    """The drawing as an SVG file, without paper behind it."""
    with canvas(size) as figure:
        draw(figure.add_subplot())
        file = io.StringIO()
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return file.getvalue()


def save(draws: Sequence[Drawing], path: Path) -> Path:
    """Draw each of ``draws`` one above the other into ``path``, whose ending says SVG or PNG; returns ``path``.

    Equal tables give equal bytes.  Raises UsageError for another ending and when the file cannot be written.
    """
    kind = path.suffix.lower().lstrip(".")
    if kind not in FORMATS:
        raise unknown("out", "kind of picture (the ending of the file)", kind or path.name, FORMATS)
    if path.is_dir():
        raise UsageError(f"out: {path} is a folder; name a file that ends in .svg or .png")
    heights = [one.height + _TITLE for one in draws]
    with canvas((WIDE, sum(heights))) as figure:
        parts = figure.subfigures(len(draws), 1, squeeze=False, height_ratios=heights)[:, 0]
        for one, part in zip(draws, parts, strict=True):
            one.draw(part.add_subplot())
            part.suptitle(one.title, x=0.012, ha="left", fontsize=12, fontweight="bold")
            if one.remark:
                part.supxlabel(one.remark, x=0.012, ha="left", fontsize=8, color=MUTED)
        with replacing(path) as file:
            figure.savefig(file, format=kind, **FORMATS[kind])
    return path
