"""The command line.  Nothing heavy is imported before a command needs it, so that --help answers at once.

Exit codes: 0 done; 1 a check failed (a scenario, a rules file); 2 bad usage or input, said in one line;
130 interrupted.  An unexpected exception keeps its traceback: it is a bug.
"""

from __future__ import annotations

import contextlib
import importlib.util
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from experiments.cli.balance import balance
from experiments.cli.compare import compare
from experiments.cli.coverage import coverage
from experiments.cli.difficulty import difficulty
from experiments.cli.explain import explain
from experiments.cli.merge import merge
from experiments.cli.metrics import metrics
from experiments.cli.page import report_page
from experiments.cli.play import play
from experiments.cli.ratings import ladder, ratings, styles
from experiments.cli.replay import replay
from experiments.cli.rules import rules
from experiments.cli.run import run
from experiments.cli.scenario import scenario
from experiments.cli.strength import strength
from simcore.errors import SoundcheckError, UsageError

app = typer.Typer(
    name="soundcheck",
    help="AI playtesting for tabletop games: play many games, get verdicts that can be trusted.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command()(run)
app.command()(balance)
app.command()(compare)
app.command()(coverage)
app.command()(difficulty)
app.command()(explain)
app.command()(merge)
app.command()(metrics)
app.command()(play)
app.command()(ratings)
app.command("styles")(styles)
app.command("ladder")(ladder)
app.command()(replay)
app.command("report")(report_page)
app.add_typer(rules, name="rules")
app.command()(scenario)
app.command()(strength)

_SENTINEL = "SOUNDCHECK_SENTINEL"


def check_agents_package() -> None:
    """Make sure that ``agents`` is ours without importing it.  Raises UsageError that names the owner."""
    spec = importlib.util.find_spec("agents")
    origin = spec.origin if spec else None
    if origin and _SENTINEL in Path(origin).read_text(encoding="utf-8"):
        return
    from importlib.metadata import packages_distributions

    owners = [name for name in packages_distributions().get("agents", []) if name != "soundcheck-sim"]
    raise UsageError(
        f"the package 'agents' in {Path(origin).parent if origin else 'this environment'} is not soundcheck's: "
        f"it belongs to {', '.join(owners) or 'something else'}; install soundcheck into an environment of its own"
    )


@contextlib.contextmanager
def plain_warnings(quiet: bool) -> Iterator[None]:
    """What the rules advise against is said once, in one line, on stderr; not at all when ``quiet``."""
    said: set[str] = set()

    def say(message: Warning | str, *_: Any, **__: Any) -> None:
        if str(message) not in said and not quiet:
            print(f"warning: {message}", file=sys.stderr)
        said.add(str(message))

    before = warnings.showwarning
    warnings.showwarning = say
    try:
        yield
    finally:
        warnings.showwarning = before


def main(arguments: list[str] | None = None) -> int:
    """Run ``soundcheck`` with ``arguments`` (default: those of the process); returns the exit code."""
    if str(Path.cwd()) not in sys.path and "" not in sys.path:
        sys.path.append(str(Path.cwd()))  # py:module:Attribute may name a file beside the user
    given = sys.argv[1:] if arguments is None else arguments
    try:
        check_agents_package()
        with plain_warnings("--quiet" in given):
            app(args=given, prog_name="soundcheck")
    except SoundcheckError as error:
        print(f"soundcheck: {error}", file=sys.stderr)
        return 2
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 0
    except BrokenPipeError:  # the reader (head, less) has seen enough
        sys.stderr.close()
        return 0
    return 0
