"""The documentation of agents says what the code has."""

from pathlib import Path

import pytest

from agents import catalogue
from agents.overdrive.kernels.weights import ABLATIONS
from agents.reference import TABLES, renew
from simcore import registry

pytestmark = pytest.mark.quick

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "agents.md"


def test_tables_of_features_are_those_of_the_code():
    """Renew them with ``python -m agents.reference docs/reference/agents.md``."""
    text = PAGE.read_text(encoding="utf-8")
    assert renew(text) == text
    for features in TABLES.values():
        assert all(f"| `{name}` |" in text for name in features)


def test_every_kind_and_ablation_is_described():
    text = PAGE.read_text(encoding="utf-8")
    for word in ABLATIONS:
        assert f"`{word}`" in text
    for name in ("random", "greedy"):
        described = registry.kind(name)
        assert described.name == name
        assert described.doc.endswith(".")
        assert f"| `{name}` |" in text
        assert all(parameter.doc for parameter in described.parameters.values())
    assert catalogue.RANDOM.games == ()
