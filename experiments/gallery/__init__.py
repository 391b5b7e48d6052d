"""Every figure that a stored run has, by kind: what the command line draws and what pages show."""

from experiments.gallery.figure import KINDS, Figure
from experiments.gallery.pool import Pool
from experiments.gallery.runs import figures, kind_of, remark

__all__ = ["KINDS", "Figure", "Pool", "figures", "kind_of", "remark"]
