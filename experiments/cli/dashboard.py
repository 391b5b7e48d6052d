"""``soundcheck app``: stored runs as a page on this machine."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

#: Nobody but this machine is served.
ADDRESS = "127.0.0.1"


def dashboard(
    runs: Annotated[list[Path], typer.Argument(help="Run folders, plans' folders, or folders that hold them.")],
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port on this machine.")] = 8501,
    headless: Annotated[bool, typer.Option("--headless", help="Do not open a browser.")] = False,
) -> None:
    """Open a local page to filter stored runs, compare them and step through their games (extra: app)."""
    from experiments.app.runs import find_runs
    from simcore.errors import UsageError

    if importlib.util.find_spec("streamlit") is None:
        raise UsageError("app: Streamlit is not installed; pip install 'soundcheck-sim[app]' brings it")
    find_runs(runs)
    from streamlit.web import cli

    raise typer.Exit(cli.main(["run", *flags(port, headless), "--", *map(str, runs)], standalone_mode=False) or 0)


def flags(port: int, headless: bool) -> list[str]:
    """The page's file and how it is served: to this machine alone, telling nobody anything."""
    page = importlib.util.find_spec("experiments.app.page")
    assert page is not None
    settings = {
        "server.address": ADDRESS, "server.port": port, "server.headless": headless, "server.showEmailPrompt": False,
        "server.fileWatcherType": "none", "browser.serverAddress": ADDRESS, "browser.gatherUsageStats": False,
        "client.toolbarMode": "minimal", "global.developmentMode": False,
    }  # fmt: skip
    return [str(page.origin), *(f"--{key}={str(value).lower()}" for key, value in settings.items())]
