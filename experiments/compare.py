"""Comparing a partial expectation with a state: only what is named counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

#: Lists that are compared by position; all others are compared as multisets.
BY_POSITION = ("order", "ranks", "scores", "seats")

#: ``same(key, expected, found)``: whether one value is what is expected; ``key`` is its dotted path
#: without positions (``seats.pool``, ``table.hits``).
Same = Callable[[str, Any, Any], bool]


def differences(expected: Any, found: Any, same: Same, key: str = "", path: str = "") -> list[str]:
    """Lines that say where ``found`` is not what is ``expected``; none if it is.

    Tables are partial; a list under one of BY_POSITION goes by position (``seats`` may stop early), any
    other as a multiset.
    """
    if isinstance(expected, Mapping):
        return _tables(expected, found, same, key, path)
    if isinstance(expected, Sequence) and not isinstance(expected, str):
        if not isinstance(found, Sequence) or isinstance(found, str):
            return [_line(path, expected, found)]
        if key.rpartition(".")[2] in BY_POSITION:
            return _positions(expected, found, same, key, path)
        return [] if _is_multiset(expected, found, same, key) else [_line(path, expected, found)]
    return [] if same(key, expected, found) else [_line(path, expected, found)]


def _line(path: str, expected: Any, found: Any) -> str:
    return f"{path}: expected {expected!r}, found {found!r}"


def _tables(expected: Mapping[str, Any], found: Any, same: Same, key: str, path: str) -> list[str]:
    if not isinstance(found, Mapping):
        return [_line(path, dict(expected), found)]
    lines = []
    for name, value in expected.items():
        inner = f"{path}.{name}" if path else str(name)
        if name not in found:
            lines.append(f"{inner}: expected {value!r}, found nothing")
            continue
        lines += differences(value, found[name], same, f"{key}.{name}".lstrip("."), inner)
    return lines


def _positions(expected: Sequence[Any], found: Sequence[Any], same: Same, key: str, path: str) -> list[str]:
    if len(expected) > len(found) or (key != "seats" and len(expected) < len(found)):
        return [_line(path, list(expected), list(found))]
    lines = []
    for k, value in enumerate(expected):
        lines += differences(value, found[k], same, key, f"{path}[{k}]")
    return lines


def _is_multiset(expected: Sequence[Any], found: Sequence[Any], same: Same, key: str) -> bool:
    """Whether the entries can be paired one to one: equal ones first, then those that count as the same."""
    left = list(found)
    rest = []
    for value in expected:
        if value in left:
            left.remove(value)
        else:
            rest.append(value)
    for value in rest:
        match = next((k for k, other in enumerate(left) if same(key, value, other)), None)
        if match is None:
            return False
        left.pop(match)
    return not left
