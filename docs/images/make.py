"""The pictures that the documentation shows, made from a stored run: ``python docs/images/make.py RUN``.

RUN is the folder of ``soundcheck balance overdrive`` (``make balance`` makes it).  Needs playwright and a chromium:
the second picture is what a browser shows of the report.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from experiments.cli import main

HERE = Path(__file__).parent

#: Width and height of what is seen of the report, in CSS pixels.
WINDOW = {"width": 1200, "height": 1240}


def pictures(run: Path) -> None:
    """Write ``win-share.png`` and ``report.png`` (light) and ``report-dark.png`` beside this file."""
    main(["plot", str(run), "win-share-band", "--out", str(HERE / "win-share.png")])
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        main(["report", str(run), "--out", str(page)])
        for scheme, name in (("light", "report.png"), ("dark", "report-dark.png")):
            photograph(page, scheme, HERE / name)


def photograph(page: Path, scheme: str, out: Path) -> None:
    """What a browser shows of the first screen of ``page``."""
    with sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        shown = browser.new_page(viewport=WINDOW, color_scheme=scheme)
        shown.goto(page.resolve().as_uri())
        shown.screenshot(path=out)
        browser.close()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python docs/images/make.py RUN")
    pictures(Path(sys.argv[1]))
