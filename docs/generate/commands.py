"""The page of the command line: every command with its arguments and options, from the functions that define them."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import typer
from typer.models import ArgumentInfo, OptionInfo

from experiments.cli import app
from generate.markdown import NOTE, code, table

_VALUES = {"int": "number", "float": "number", "str": "text", "Path": "file"}


def page() -> str:
    """Every command, groups opened."""
    parts = [
        "# Commands and options",
        f"{NOTE} What the tables that a command prints mean, and how it decides, is on the page "
        "[Command line](../cli.md). `--help` on a command says the same as this page.",
        *(_section(words, function) for words, function in sorted(_commands(app, ("soundcheck",)), key=_name)),
    ]
    return "\n\n".join(parts) + "\n"


def _name(command: tuple[tuple[str, ...], object]) -> tuple[str, ...]:
    return command[0]


def _commands(group: typer.Typer, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Callable[..., Any]]]:
    """(words to type, function) of each command below ``group``, and of ``group`` itself where it has options."""
    own = group.registered_callback
    if own is not None and own.callback is not None and any(_rows(own.callback)):
        yield words, own.callback
    for one in group.registered_commands:
        if one.callback is not None and not one.hidden:
            yield (*words, one.name or one.callback.__name__.replace("_", "-")), one.callback
    for inside in group.registered_groups:
        if inside.typer_instance is not None:
            yield from _commands(inside.typer_instance, (*words, str(inside.name)))


def _section(words: tuple[str, ...], function: Callable[..., Any]) -> str:
    rows = list(_rows(function))
    arguments = [names.strip("`") for names, *_ in rows if not names.startswith("`-")]
    usage = " ".join([*words, *(["[OPTIONS]"] if len(rows) > len(arguments) else []), *arguments])
    said = re.sub(r"``(.+?)``", r"`\1`", inspect.getdoc(function) or "")
    shown = table(("", "value", "default", "meaning"), rows).rstrip()
    return "\n\n".join(filter(None, [f"## {' '.join(words)}", f"    {usage}", said, shown]))


def _rows(function: Callable[..., Any]) -> Iterator[tuple[str, str, str, str]]:
    """(names, value, default, meaning) of each argument and option."""
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        if get_origin(hints.get(name)) is not Annotated:
            continue
        kind, *notes = get_args(hints[name])
        for info in notes:
            if isinstance(info, OptionInfo | ArgumentInfo) and not info.hidden:
                yield _row(name, parameter.default, kind, info)


def _row(name: str, default: Any, kind: Any, info: OptionInfo | ArgumentInfo) -> tuple[str, str, str, str]:
    kind, is_list = _plain(kind)
    if isinstance(info, ArgumentInfo):
        names = code((info.metavar or name).upper() + ("..." if is_list else ""))
    else:
        # Within Annotated the first name stands where a default would.
        given = [one for one in (info.default, *(info.param_decls or ())) if isinstance(one, str) and one[:1] == "-"]
        plain = name.replace("_", "-")
        own = [f"--{plain}", f"--no-{plain}"] if kind is bool else [f"--{plain}"]
        names = ", ".join(map(code, [part for one in given for part in one.split("/")] or own))
    value = "" if kind is bool or isinstance(info, ArgumentInfo) else _value(kind, info)
    more = " (may be repeated)" if is_list and isinstance(info, OptionInfo) else ""
    return names, value + more, _default(default, kind, info), info.help or ""


def _plain(kind: Any) -> tuple[Any, bool]:
    """(type of one value, whether there may be several), without None."""
    if get_origin(kind) in (Union, types.UnionType):
        kind = next(one for one in get_args(kind) if one is not type(None))
    return (get_args(kind)[0], True) if get_origin(kind) is list else (kind, False)


def _value(kind: Any, info: OptionInfo) -> str:
    if info.metavar:
        return code(info.metavar)
    if get_origin(kind) is Literal:
        return ", ".join(map(code, get_args(kind)))
    return _VALUES.get(getattr(kind, "__name__", ""), "text")


def _default(default: Any, kind: Any, info: OptionInfo | ArgumentInfo) -> str:
    if isinstance(info.show_default, str):
        return info.show_default
    if default is inspect.Parameter.empty:
        return "required"
    if info.show_default is False or default is None or kind is bool or default == "":
        return ""
    return f"{default:,}" if isinstance(default, int) else str(default)
