"""What a page is made of: sentences, tables whose cells know how they sort, pictures with their words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby


@dataclass(frozen=True)
class Cell:
    """One value of a table: as it is read, and the number it sorts by (None: by its text); ``href``: a page beside
    this one that it leads to ("": none).
    """

    text: str
    value: float | None = None
    href: str = ""


@dataclass(frozen=True)
class Table:
    """A table with real headings.  ``tone``: a word a row that the page may colour and mark, or nothing;
    ``folded``: shown on demand (the numbers of a picture), and in print.
    """

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    tone: Sequence[str] = ()
    note: str = ""
    folded: bool = False


@dataclass(frozen=True)
class Picture:
    """Inline SVGs, for a wide page and for a phone.  ``words``: what they show, for those who do not see them."""

    caption: str
    wide: str
    narrow: str
    words: str


@dataclass(frozen=True)
class Section:
    """A part of the page under its own heading; ``anchor``: its id; ``part``: what several sections share."""

    anchor: str
    title: str
    paragraphs: Sequence[str] = ()
    pictures: Sequence[Picture] = ()
    tables: Sequence[Table] = ()
    commands: Sequence[tuple[str, str]] = ()
    part: str = ""


@dataclass(frozen=True)
class Page:
    """Everything that one page says.  ``findings``: sentences, the most important first; ``facts``: what was played,
    each with its name; ``tally``: (tone, number, answer) of what was judged; ``details``: sentences that are
    shown on demand; ``games``: that it leads to, each a page beside this one.
    """

    title: str
    subtitle: str
    findings: Sequence[str]
    caveats: Sequence[str]
    sections: Sequence[Section] = field(default_factory=list)
    facts: Sequence[tuple[str, str]] = ()
    tally: Sequence[tuple[str, int, str]] = ()
    details: Sequence[str] = ()
    games: Sequence[int] = ()

    @property
    def parts(self) -> list[tuple[str, list[Section]]]:
        """Sections by what they share, in order."""
        return [(part, list(own)) for part, own in groupby(self.sections, lambda one: one.part)]


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
