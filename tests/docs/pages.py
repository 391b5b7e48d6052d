"""The examples of the documentation, found and run: Python, consoles, and the files that they need.

In a page

* a ``python`` block is run, its doctest prompts are compared; the blocks of a page share their names;
* a block below ``<!-- file: NAME -->`` is written to that file;
* a ``console`` block is run, line by line (``$ ``).  What is printed below a line has to be what the command says, with
  ``...`` for anything; a command without any output below it is run with few games;
* ``<!-- skip: next "reason" -->`` leaves the next block out.

Everything happens in a folder of the page's own.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from sybil import Document, Example, Region, Sybil
from sybil.parsers.myst import CodeBlockParser, PythonCodeBlockParser, SkipParser

from experiments import cli

ROOT = Path(__file__).resolve().parents[2]

#: What makes a command quick whose output is not shown; games are rounded up to whole designs.
_SMALL = {"--games": "4", "--blocks": "4", "--options": "off"}

_FILE = re.compile(r"^<!-- file: (?P<name>\S+) -->\n```\S*\n(?P<text>.*?)^```$", re.M | re.S)
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def pages() -> list[Path]:
    """Every page whose examples are run, the README first."""
    found = [path for path in (ROOT / "docs").rglob("*.md") if not {"_build", "generated"} & set(path.parts)]
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(found)]


# ------------------------------------------------------------------ consoles
def command_line() -> Any:
    """The whole command line, as typer reads it."""
    return typer.main.get_command(cli.app)


@dataclass(frozen=True)
class Command:
    """A line of a console and the output shown below it, "" for none."""

    line: str
    shown: str


def commands(block: str) -> Iterator[Command]:
    """The commands of a console block; a line that ends with a backslash goes on in the next."""
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        head = re.match(r"(?:.*\\\n)*.*(?:\n|$)", part)
        line = head[0] if head else part
        yield Command(re.sub(r"\\\n\s*", "", line).strip(), part[len(line) :].strip("\n"))


def run(command: Command) -> str:
    """Run a command in this folder and return what it says (stdout, then stderr)."""
    words = shlex.split(command.line, comments=True)
    if words[0] == "soundcheck":
        return _run_here(words[1:] if command.shown else fewer(words[1:]))
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    packages = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        command.line, shell=True, capture_output=True, text=True, check=False,
        env={**os.environ, "PATH": path, "PYTHONPATH": packages},
    )  # fmt: skip
    return done.stdout + (done.stderr if done.returncode else "") + _left(done.returncode)


def _run_here(arguments: list[str]) -> str:
    said, remarks = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(remarks):
        code = cli.main(arguments)
    return said.getvalue() + (remarks.getvalue() if code else "") + _left(code)


def _left(code: int) -> str:
    return f"(exit code {code})\n" if code else ""


def fewer(arguments: list[str]) -> list[str]:
    """The arguments of a command with few games, where it plays some."""
    command = command_line()
    known = getattr(command, "commands", {}).get(arguments[0])
    options = {name for one in getattr(known, "params", []) if not getattr(one, "is_flag", False) for name in one.opts}
    for name, value in _SMALL.items():
        if name in options:
            while name in arguments:
                at = arguments.index(name)
                arguments = arguments[:at] + arguments[at + 2 :]
            arguments = [*arguments, name, value]
    return [one for one in arguments if one != "--open"]  # nobody is there to look


def evaluate_console(example: Example) -> str | None:
    """Run a console block; the first difference as text, None where there is none."""
    for command in commands(example.parsed):
        found = run(command)
        if command.shown:
            if not doctest.OutputChecker().check_output(command.shown + "\n", found, _FLAGS):
                return f"$ {command.line}\nshown:\n{command.shown}\nfound:\n{found}"
        elif "(exit code" in found:
            return f"$ {command.line}\n{found}"
    return None


# ------------------------------------------------------------------ files and Python
def _files(document: Document) -> Iterable[Region]:
    for found in _FILE.finditer(document.text):
        yield Region(found.start(), found.end(), found, _write)


def _write(example: Example) -> None:
    path = Path(example.parsed["name"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(example.parsed["text"], encoding="utf-8")


def _outside_files(parser: PythonCodeBlockParser | CodeBlockParser) -> object:
    """The parser without the blocks that are files."""

    def parse(document: Document) -> Iterable[Region]:
        taken = [(found.start(), found.end()) for found in _FILE.finditer(document.text)]
        for region in parser(document):
            if not any(first <= region.start < last for first, last in taken):
                yield region

    return parse


def read(path: Path) -> Document:
    """A page with its examples."""
    parsers = [
        SkipParser(), _files, _outside_files(PythonCodeBlockParser(doctest_optionflags=doctest.ELLIPSIS)),
        _outside_files(CodeBlockParser("console", evaluate_console)),
    ]  # fmt: skip
    return Sybil(parsers=parsers, path=str(path.parent)).parse(path)
