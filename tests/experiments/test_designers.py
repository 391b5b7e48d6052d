"""The example of docs/reference/testing.md, dropped into a folder of somebody else, does what the page says."""

import os
import re
import subprocess
import sys

import pytest

from tests.experiments.conftest import ROOT

PAGE = (ROOT / "docs/reference/testing.md").read_text(encoding="utf-8")
EXAMPLE, OWN_RULE = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def run(folder, rules, example=EXAMPLE, examples=25):
    """What pytest says of the example beside a rules file, in a folder outside the project."""
    (folder / "my-rules.toml").write_text(rules, encoding="utf-8")
    # The first example that hypothesis tries is the smallest there is, so nothing is left to shrink.
    chosen = f"max_examples={examples}, derandomize=True, phases=(Phase.generate,)"
    text = example.replace("max_examples=25", chosen).replace("import given", "import Phase, given")
    (folder / "test_my_rules.py").write_text(text, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_my_rules.py"],
        cwd=folder, env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_example_has_ten_lines():
    assert len([line for line in EXAMPLE.splitlines() if line.strip()]) <= 10


def test_sound_rules_pass(tmp_path):
    done = run(tmp_path, "[hits.back_in_box]\nprice = 6\n", examples=2)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_endless_rules_fail_by_the_smallest_case(tmp_path):
    done = run(tmp_path, "[actions]\nreroll = 0\n", examples=1)
    assert done.returncode == 1
    assert "BrokenRuleError: endless: the game has not ended after 2,000 events" in done.stdout
    assert re.search(r"seat \d: reroll [HSCI]+", done.stdout)
    case = done.stdout.split("test_my_rules_hold(")[1]  # as hypothesis prints the smallest case
    assert "seed=0" in case


def test_rules_that_cannot_be_read_fail_before_a_game(tmp_path):
    done = run(tmp_path, "[actions]\nrerol = 0\n")
    assert done.returncode == 2
    assert "unknown rule 'actions.rerol'; did you mean 'actions.reroll'?" in done.stdout
