"""What a page is made of: sentences, tables whose cells know how they sort, pictures with their words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Cell:
    """One value of a table: as it is read, and the number it sorts by (None: by its text)."""

    text: str
    value: float | None = None


@dataclass(frozen=True)
class Table:
    """A table with real headings.  ``tone``: a word a row that the page may colour, or nothing."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    tone: Sequence[str] = ()
    note: str = ""


@dataclass(frozen=True)
class Picture:
    """An inline SVG.  ``words``: what it shows, for those who do not see it."""

    caption: str
    svg: str
    words: str


@dataclass(frozen=True)
class Section:
    """A part of the page under its own heading; ``anchor``: its id."""

    anchor: str
    title: str
    paragraphs: Sequence[str] = ()
    pictures: Sequence[Picture] = ()
    tables: Sequence[Table] = ()
    commands: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Page:
    """Everything that one page says.  ``findings``: sentences, the most important first."""

    title: str
    subtitle: str
    findings: Sequence[str]
    caveats: Sequence[str]
    sections: Sequence[Section] = field(default_factory=list)


def number(value: float, digits: int = 2, sign: bool = False) -> Cell:
    """A number with thousands separated; ``sign``: with + or -."""
    return Cell(f"{value:{'+' if sign else ''},.{digits}f}", float(value))


def p_value(value: float) -> Cell:
    """A p-value, with what is too small to tell as such."""
    return Cell("< 0.0001" if value < 0.0001 else f"{value:.4f}", float(value))


def percent(share: float, digits: int = 1) -> Cell:
    """A share as per cent."""
    return number(100 * share, digits)


def interval(low: float, high: float, digits: int = 1) -> Cell:
    """An interval of shares as per cent; sorts by its lower end."""
    return Cell(f"{100 * low:.{digits}f} to {100 * high:.{digits}f}", 100 * float(low))


def count(value: int) -> Cell:
    """A whole number."""
    return number(value, 0)
