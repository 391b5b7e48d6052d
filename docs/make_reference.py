"""Write the generated reference pages: ``python docs/make_reference.py`` (a build does it by itself)."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent), str(Path(__file__).resolve().parent)]

import generate  # noqa: E402 (found through the line above)

if __name__ == "__main__":
    generate.write()
