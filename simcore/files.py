"""Words about files that are not there."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from simcore.errors import nearest


def nearest_path(path: str | Path, others: Iterable[str] = ()) -> str | None:
    """What ``path``, which does not exist, may have meant: a thing beside it of the same kind, or one of ``others``."""
    path = Path(path)
    try:
        beside = [one for one in sorted(path.parent.iterdir()) if one.suffix == path.suffix and one.name[0] != "."]
    except OSError:
        beside = []
    meant = {one.stem.lower(): str(one) for one in beside} | {one: one for one in others}
    found = nearest(path.stem, meant)
    return meant[found] if found else None


def guess(path: str | Path, others: Iterable[str] = ()) -> str:
    """``; did you mean '...'?`` for a path that does not exist; empty where nothing looks like it."""
    found = None if Path(path).exists() else nearest_path(path, others)
    return f"; did you mean {found!r}?" if found else ""
