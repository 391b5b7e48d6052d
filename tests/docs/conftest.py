"""The worked example of docs/how-to is installed, as its page says, for all tests of the documentation."""

import os
import subprocess
import sys

import pytest

from simcore import registry
from tests.docs.pages import ROOT

EXAMPLE = ROOT / "docs" / "how-to" / "examples" / "pig"


@pytest.fixture(scope="session", autouse=True)
def pig(tmp_path_factory):
    """A folder on the import path with the installed game and agent; child processes find it too."""
    folder = tmp_path_factory.mktemp("installed")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*install, "--no-build-isolation", "--target", str(folder), str(EXAMPLE)], check=True)
    before = os.environ.get("PYTHONPATH")
    sys.path.insert(0, str(folder))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(folder), before]))
    _forget()
    yield folder
    sys.path.remove(str(folder))
    os.environ.pop("PYTHONPATH")
    if before is not None:
        os.environ["PYTHONPATH"] = before
    _forget()


def _forget():
    for one in (registry._entries, registry.game, registry.kind):
        one.cache_clear()
