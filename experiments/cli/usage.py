"""Bad usage in one line: what typer's parser refuses, said as all other mistakes are, with the nearest right word."""

from __future__ import annotations

import re
from typing import Any

from simcore.errors import nearest

_KINDS = {"integer": "a whole number", "number": "a number"}


def is_refusal(error: Exception) -> bool:
    """Whether this is what typer's parser raises for bad usage (its class has no public name in all versions)."""
    return hasattr(error, "format_message") and getattr(error, "exit_code", 0) == 2


def refusal(error: Any) -> str:
    """One line for an error of the parser (it has ``format_message``), naming where help is."""
    if type(error).__name__ == "NoArgsIsHelpError":
        return str(error.format_message())  # the help page
    text = " ".join(error.format_message().split()).rstrip(".")
    text = re.sub(r"^(Invalid value for '[^']*': )Value error, ", r"\1", text)
    text = re.sub(r"Input should be a valid (integer|number).*", lambda found: f"must be {_KINDS[found[1]]}", text)
    text = text.replace("Input should be", "must be")
    if hasattr(error.__cause__, "errors") and " is not one of " not in text:  # pydantic, which knows the value
        text = text.replace("Invalid value for", f"Invalid value {error.__cause__.errors()[0]['input']!r} for")
    text = re.sub(r"^No such option:? ('?)([^' ]+)\1.*$", r"No such option \2", text)
    text = re.sub(r"[.]? Did you mean (?:one of )?'?([^'?]+)'?\?$", "", text)
    words = _allowed(error, text)
    found = nearest(_given(text), words) if words else None
    text += f"; did you mean {found!r}?" if found else ""
    command = getattr(getattr(error, "ctx", None), "command_path", "soundcheck")
    return f"soundcheck: {text[:1].lower()}{text[1:]} ({command} --help)"


def _given(text: str) -> str:
    """The word that was refused: the last one of the message that is not a list of what is allowed."""
    found = re.search(r"'([^']*)' is not one of |No such command '([^']*)'|No such option (\S+)", text)
    return next((one for one in found.groups() if one is not None), "") if found else ""


def _allowed(error: Any, text: str) -> list[str]:
    """What might have been written instead of the refused word."""
    context = getattr(error, "ctx", None)
    if " is not one of " in text:
        return re.findall(r"'([^']*)'", text.split(" is not one of ")[1])
    if context is None:
        return []
    if text.startswith("No such command"):
        return list(context.command.list_commands(context))
    if text.startswith("No such option"):
        return [name for one in context.command.get_params(context) for name in (*one.opts, *one.secondary_opts)
                if name.startswith("-")]  # fmt: skip
    return []
