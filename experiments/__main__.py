"""``python -m experiments``: the same as ``soundcheck``."""

import sys

from experiments.cli import main

sys.exit(main())
