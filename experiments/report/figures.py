"""Pictures of a page: drawings as inline SVG that takes its colours and letters from the page."""

from __future__ import annotations

import re
from collections.abc import Iterable

from experiments.gallery import Figure
from experiments.plots import NARROW, WIDE, as_svg
from experiments.plots.style import INK, LINE, MUTED, PALETTE, PAPER, SOFT
from experiments.report.content import Picture

#: Colours of drawings, and what the page has in their place: it knows whether it is dark.
_INKS = {
    INK: "currentColor", "#000000": "currentColor", "black": "currentColor", SOFT: "var(--axis)", LINE: "var(--grid)",
    MUTED: "var(--muted)", PAPER: "var(--paper)", **{colour: f"var(--c{k})" for k, colour in enumerate(PALETTE)},
}  # fmt: skip


def picture(figure: Figure) -> Picture:
    """A figure as a page shows it."""
    drawn: list[str] = []
    for size, width, height in (("w", WIDE, figure.height), ("n", NARROW, figure.narrow or figure.height)):
        drawn.append(embed(as_svg(figure.draw, (width, height)), f"{figure.name}-{size}", figure.words))
    return Picture(figure.caption, drawn[0], drawn[1], figure.words)


def pictures(figures: Iterable[Figure]) -> list[Picture]:
    """Figures as a page shows them."""
    return [picture(one) for one in figures]


def embed(text: str, name: str, words: str) -> str:
    """A saved SVG file as an element of a page: no header, own ids, the page's colours, a label."""
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r'<style type="text/css">.*?</style>', "", text, flags=re.S)
    text = re.sub(r"<!--.*?-->\n?", "", text, flags=re.S)
    name = re.sub(r"[^\w-]", "-", name)
    text = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', text)
    text = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", text)
    text = re.sub(r'href="#([^"]+)"', rf'href="#{name}-\1"', text)
    text = re.sub(r"font: (?:(\d+) )?([\d.]+)px [^;\"]+", r"font-size: \2px", text)  # the page's own letters
    for ink, own in _INKS.items():
        text = re.sub(rf": {ink}\b", f": {own}", text)
    head, rest = text.split(">", 1)
    head = re.sub(r'\s(width|height)="[^"]*"', "", head)
    label = words.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    return f'{head} role="img" aria-label="{label}">{rest}'
