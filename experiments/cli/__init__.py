"""The command line.  Nothing heavy is imported before a command needs it, so that --help answers at once.

Exit codes: 0 done; 1 a check failed (a scenario, a rules file); 2 bad usage or input, said in one line;
130 interrupted.  An unexpected exception keeps its traceback: it is a bug.
"""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from experiments.cli.balance import balance
from experiments.cli.compare import compare
from experiments.cli.completion import whole_words
from experiments.cli.coverage import coverage
from experiments.cli.dashboard import dashboard
from experiments.cli.difficulty import difficulty
from experiments.cli.doctor import check_agents_package, doctor, own_version
from experiments.cli.explain import explain
from experiments.cli.merge import merge
from experiments.cli.metrics import metrics
from experiments.cli.page import report_page
from experiments.cli.play import play
from experiments.cli.plot import plot
from experiments.cli.ratings import ladder, ratings, styles
from experiments.cli.replay import replay
from experiments.cli.rules import rules
from experiments.cli.run import run
from experiments.cli.scenario import scenario
from experiments.cli.strength import strength
from experiments.cli.usage import is_refusal, refusal
from simcore.errors import SoundcheckError

app = typer.Typer(
    name="soundcheck",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(asked: bool) -> None:
    if asked:
        print(f"soundcheck {own_version()}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """AI playtesting for tabletop games: play many games, get verdicts that can be trusted."""


app.command()(run)
app.command("app")(dashboard)
app.command()(balance)
app.command()(compare)
app.command()(coverage)
app.command()(difficulty)
app.command()(doctor)
app.command()(explain)
app.command()(merge)
app.command()(metrics)
app.command()(play)
app.command()(plot)
app.command()(ratings)
app.command("styles")(styles)
app.command("ladder")(ladder)
app.command()(replay)
app.command("report")(report_page)
app.add_typer(rules, name="rules")
app.command()(scenario)
app.command()(strength)


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
    completing = "_SOUNDCHECK_COMPLETE" in os.environ
    try:
        if given[:1] != ["doctor"]:  # which says what is wrong, and all the rest
            check_agents_package()
        with plain_warnings(completing or "--quiet" in given), whole_words():
            code = app(args=given, prog_name="soundcheck", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except SoundcheckError as error:
        print(f"soundcheck: {error}", file=sys.stderr)
        return 2
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 0
    except typer.Abort:
        return 130
    except BrokenPipeError:  # the reader (head, less) has seen enough
        sys.stderr.close()
        return 0
    except Exception as error:
        if not is_refusal(error):
            raise
        print(refusal(error), file=sys.stderr)
        return 2
