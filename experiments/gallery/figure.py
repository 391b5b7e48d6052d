"""A figure of a run: how it is drawn, what it is called, what it shows in words."""

from __future__ import annotations

from dataclasses import dataclass

from experiments.plots import Draw, Drawing

#: Every kind of figure, in the order of pages, with a line on what it shows.
KINDS = {
    "win-share": "win share of every band, seat and agent, and of what seats came by, with intervals",
    "panel": "the same as each agent of a plan sees it, with the range over the panel",
    "paired": "what a change of rules does to each win share, with paired intervals",
    "difficulty": "share of games that the humans win at each level, with intervals, over the target",
    "ladder": "skill ladder: how far each agent stands above the weakest",
    "styles": "style matrix: each agent at a table of each other",
    "seat-map": "win share of each band in each seat",
    "opponent-map": "win share of each band against each other at the table",
    "level-map": "share of games that the humans win with each band at each level",
    "scores": "where the points come from: mean score by part",
    "ratings": "strength of each band, seat and agent with all else taken out (Plackett-Luce), with intervals",
    "length": "how long games are",
    "rounds": "score by round with its spread, from games played again",
    "lead": "what a lead is worth: how often the leader after a round wins, from games played again",
    "comeback": "what a deficit costs: how often a seat so far behind still wins, from games played again",
    "uses": "how often spaces, cards and Hits are used, from games played again",
    "rates": "how often actions, bonuses and events happen, by winners and others",
    "taken": "what goes with winning: win share with each artist minus without",
    "picks": "how often each artist is taken when on offer",
}

#: Kinds that need games to be played again.
REPLAYED = ("rounds", "lead", "comeback", "uses")


@dataclass(frozen=True)
class Figure:
    """``kind``: one of KINDS; ``key``: tells those of a kind apart; ``caption``; ``words``: what it shows, for those
    who do not see it; ``height``: inches on a wide page; ``narrow``: on a phone (0: the same).
    """

    kind: str
    key: str
    caption: str
    words: str
    draw: Draw
    height: float
    narrow: float = 0

    @property
    def name(self) -> str:
        """Name of its file, and its id in a page."""
        return f"{self.kind}-{self.key}" if self.key else self.kind

    def drawing(self, remark: str = "") -> Drawing:
        """As it stands in a file of its own."""
        return Drawing(self.caption, self.draw, self.height, remark)


def rows_high(rows: int, row: float = 0.27, rest: float = 1.05) -> float:
    """Inches of a figure with so many rows."""
    return rest + row * rows


def listed(pairs: list[tuple[str, str]], most: int = 12) -> str:
    """Names with their values in a row, shortened to ``most``."""
    texts = [f"{name} {value}" for name, value in pairs[:most]]
    return ", ".join(texts) + (f" and {len(pairs) - most} more" if len(pairs) > most else "")
