"""Everything that ``make test`` runs, one stage after another: ``python -m tests.all [--lint]``.

Lint, types and import contracts; the documentation, built without warnings; the suite; the suite with
bounds checks; its quick part without the compiler.  Every stage runs even where an earlier one failed, and
the end says which did.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
BIN = Path(PYTHON).parent

LINT = {
    "lint": [PYTHON, "-m", "ruff", "check", "."],
    "format": [PYTHON, "-m", "ruff", "format", "--check", "."],
    "types": [PYTHON, "-m", "mypy"],
    "import contracts": [str(BIN / "lint-imports")],
}
PYTEST = [PYTHON, "-m", "pytest", "-n", str(min(4, os.cpu_count() or 1)), "--dist", "loadfile"]


def stages(lint_only: bool) -> list[tuple[str, list[str], dict[str, str]]]:
    """(name, command, extra environment) of each stage, in order."""
    checks = [(name, command, {}) for name, command in LINT.items()]
    if lint_only:
        return checks
    return [
        *checks,
        (
            "documentation",
            [PYTHON, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "docs", "docs/_build"],
            {},
        ),
        ("compiling once", [PYTHON, "-m", "tests.warm"], {}),
        ("suite", PYTEST, {}),
        ("compiling with bounds checks", [PYTHON, "-m", "tests.warm"], {"NUMBA_BOUNDSCHECK": "1"}),
        (
            "suite with bounds checks",
            [*PYTEST, "-m", "not slow"],
            {"NUMBA_BOUNDSCHECK": "1", "HYPOTHESIS_PROFILE": "quick"},
        ),
        (
            "quick part without the compiler",
            [*PYTEST, "-m", "quick"],
            {"NUMBA_DISABLE_JIT": "1", "HYPOTHESIS_PROFILE": "quick"},
        ),
    ]


def main() -> int:
    """Run the stages; 0 when all passed, 1 otherwise."""
    failed = []
    for name, command, extra in stages("--lint" in sys.argv[1:]):
        print(f"\n== {name}", flush=True)
        start = time.monotonic()
        code = subprocess.run(command, cwd=ROOT, env={**os.environ, **extra}, check=False).returncode
        print(
            f"== {name}: {'passed' if code == 0 else f'FAILED ({code})'} in {time.monotonic() - start:.0f} s",
            flush=True,
        )
        if code:
            failed.append(name)
    print(f"\n{'failed: ' + ', '.join(failed) if failed else 'all stages passed'}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
