"""Friendly by habit: completion, colours, one-line errors with the nearest word, doctor, version."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from experiments import cli
from experiments.cli import completion
from experiments.cli.doctor import own_version
from tests.experiments.conftest import ROOT
from tests.experiments.test_cli import only_line

# ------------------------------------------------------------------ completion
OFFERED = [
    ("soundcheck bal", ["balance"]),
    ("soundcheck balance to", ["toy"]),
    ("soundcheck balance toy --agent ke", ["keep"]),
    ("soundcheck balance toy --agent=ke", ["keep"]),
    ("soundcheck balance toy --backend th", ["threads"]),
    ("soundcheck play toy --band d", ["dogs"]),
    ("soundcheck difficulty boss --bands cats,ap", ["cats,apes"]),
    ("soundcheck balance toy --agent mcts:iter", ["mcts:iterations="]),
    ("soundcheck balance toy --agent mcts:iterations=9,exploration=1,ra", []),
    ("soundcheck run ba", ["bands"]),
    ("soundcheck rules sh", ["show"]),
    ("soundcheck rules show overdrive options.fu", ["options.full_tie"]),
    ("soundcheck balance overdrive --set hits.back_in_box.pr", ["hits.back_in_box.price=4"]),
    ("soundcheck compare overdrive --set-b hits.back_in_box.pr", ["hits.back_in_box.price=4"]),
    ("soundcheck balance nothing --set hits.", []),
    ("soundcheck doctor ove", ["overdrive"]),
]


@pytest.fixture
def offers(monkeypatch, capsys):
    """What the completion of a shell gets for a line, through the variables of typer's scripts."""

    def ask(shell, line):
        words = line.split(" ")
        monkeypatch.setenv("_SOUNDCHECK_COMPLETE", f"complete_{shell}")
        if shell == "bash":  # which takes : and = for words of their own
            parts = [part for word in words for part in re.split(r"([:=]+)", word) if part]
            monkeypatch.setenv("COMP_WORDS", "\n".join(parts))
            monkeypatch.setenv("COMP_CWORD", str(len(parts) - 1))
        else:
            monkeypatch.setenv("_TYPER_COMPLETE_ARGS", line)
            monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
        assert cli.main([]) == 0
        return capsys.readouterr()

    return ask


@pytest.mark.parametrize(("line", "words"), OFFERED, ids=[line.split(" ", 1)[1] for line, _ in OFFERED])
def test_the_shell_offers(offers, line, words):
    said = offers("fish", line)
    assert said.err == ""
    assert [one.split("\t")[0] for one in said.out.split("\n") if one] == words
    last = re.split(r"[:=]", line.split(" ")[-1])[:-1]
    start = line.split(" ")[-1][: sum(len(part) + 1 for part in last)]
    said = offers("bash", line)
    assert [one for one in said.out.split("\n") if one] == [word.removeprefix(start) for word in words]
    said = offers("zsh", line)
    assert all(f'"{word}"'.replace(":", r"\\:") in said.out for word in words)


@pytest.mark.quick
def test_paths_are_offered_level_by_level():
    paths = ["a.x.one", "a.x.two", "b.c.d", "b.c.e.f"]
    assert completion.level(paths, "") == ["a.", "b."]
    assert completion.level(paths, "a") == ["a.x.one", "a.x.two"]
    assert completion.level(paths, "b.c.") == ["b.c.d", "b.c.e."]
    assert completion.level(paths, "b.c.e") == ["b.c.e.f"]
    assert completion.level(paths, "q") == []


@pytest.fixture
def shim(toy_env, tmp_path):
    """Environment in which ``soundcheck`` is a command, and the folder is empty."""
    folder = tmp_path / "bin"
    folder.mkdir()
    command = folder / "soundcheck"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m experiments "$@"\n')
    command.chmod(0o755)
    return {**toy_env, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


REAL = {
    "bash": """
eval "$(_SOUNDCHECK_COMPLETE=source_bash soundcheck)"
complete -p soundcheck > /dev/null || exit 1
COMP_WORDS=(soundcheck balance toy --agent ke); COMP_CWORD=4
_soundcheck_completion soundcheck; echo "${COMPREPLY[@]}"
""",
    "fish": """
env _SOUNDCHECK_COMPLETE=source_fish soundcheck | source
complete -C "soundcheck balance toy --agent ke"
""",
    "zsh": """
compdef() { print "$2 is completed by $1" >&2 }
_arguments() { print -r -- "$1" }
eval "$(_SOUNDCHECK_COMPLETE=source_zsh soundcheck)"
words=(soundcheck balance toy --agent ke); CURRENT=5
_soundcheck_completion
""",
}


@pytest.mark.parametrize("shell", REAL)
def test_in_a_real_shell(shim, tmp_path, shell):
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    done = subprocess.run(
        [shell, "-c", REAL[shell]], env=shim, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert re.findall(r"\w+", done.stdout.replace("*: :", "")) == ["keep"]


# ------------------------------------------------------------------ colours
#: Its tables show in red what never happened.
COLOURED = ("coverage", "boss", "--agent", "flip", "--games", "2", "--no-options", "--jobs", "1", "--players", "2")


def test_no_colours_in_pipes_even_where_something_forces_them(soundcheck):
    done = soundcheck(*COLOURED, env={"NO_COLOR": "", "FORCE_COLOR": "1", "TERM": "xterm-256color"})
    assert "\x1b" not in done.stdout + done.stderr
    assert "settings played (100 %)" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo terminals are a thing of Unix")
@pytest.mark.parametrize(("no_colour", "coloured"), [("", True), ("1", False)])
def test_colours_on_terminals_unless_refused(toy_env, tmp_path, no_colour, coloured):
    import pty

    ours, theirs = pty.openpty()
    env = {**toy_env, "NO_COLOR": no_colour, "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "experiments", *COLOURED, "--quiet"]
    running = subprocess.Popen(command, cwd=tmp_path, env=env, stdout=theirs, stderr=subprocess.PIPE)
    os.close(theirs)
    said = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # Linux says so when the other side has closed
            break
        if not part:
            break
        said += part
    os.close(ours)
    assert running.wait(60) == 0
    running.stderr.close()
    assert bool(re.search(rb"\x1b\[(?:\d+;)*3\d", said)) is coloured
    assert b"boss wins" in said


# ------------------------------------------------------------------ the nearest word
NEAREST = [
    (("balanc", "toy"), "no such command 'balanc'; did you mean 'balance'? (soundcheck --help)"),
    (("rules", "chek"), "no such command 'chek'; did you mean 'check'? (soundcheck rules --help)"),
    (("balance", "toy", "--playerz", "4"), "no such option --playerz; did you mean '--players'?"),
    (("balance", "toy", "--backend", "thread"), "'thread' is not one of 'threads', 'processes', 'dask'; did you mean"),
    (("metrics", "here", "--by", "bnd"), "'bnd' is not one of 'none', 'seat', 'band'; did you mean 'band'?"),
    (("balance", "toy", "--games", "many"), "invalid value 'many' for '--games': must be a whole number"),
    (("strength", "toy", "--blocks", "3"), "invalid value '3' for '--blocks': must be greater than or equal to 24"),
    (("balance",), "missing argument 'game' (soundcheck balance --help)"),
    (("balance", "toi"), "did you mean 'toy'?"),
    (("balance", "toy", "--agent", "kep"), "did you mean 'keep'?"),
    (("balance", "overdrive", "--agent", "mcts:iteratons=9"), "did you mean 'iterations'?"),
    (("play", "toy", "--agent", "keep", "--band", "dgos"), "did you mean 'dogs'?"),
    (("difficulty", "boss", "--agent", "flip", "--bands", "dgos"), "did you mean 'dogs'?"),
    (("balance", "overdrive", "--set", "hits.back_in_box.prise=3"), "did you mean 'hits.back_in_box.price'?"),
    (("balance", "overdrive", "--variant", "moed=solo"), "did you mean 'mode'?"),
    (("rules", "show", "overdrive", "hits.back_in_bux"), "did you mean 'hits.back_in_box'?"),
    (("run", "bandz"), "did you mean 'bands'?"),
    (("run", "my-pln"), "did you mean 'my-plan.toml'?"),
    (("run", "my-pln.toml"), "did you mean 'my-plan.toml'?"),
    (("run", "my-plan.toml"), "unknown key 'agentz'; did you mean 'agents'?"),
    (("balance", "overdrive", "--rules", "my-rule.toml"), "did you mean 'my-rules.toml'?"),
    (("rules", "check", "my-rulez.toml"), "did you mean 'my-rules.toml'?"),
    (("balance", "metalmania", "--cards", "my-crds.json"), "did you mean 'my-cards.json'?"),
    (("balance", "metalmania", "--cards", "asumed-long"), "did you mean 'assumed-long'?"),
    (("metrics", "rnu"), "not a run folder (manifest.json is missing); did you mean 'run'?"),
    (("play", "--run", "study"), "it is a plan's: name one of its cells, such as study/cells/one"),
    (("report", "rnu"), "did you mean 'run'?"),
    (("doctor", "toi"), "did you mean 'toy'?"),
]


@pytest.fixture(scope="module")
def workshop(tmp_path_factory):
    """A folder with things that may be misspelt."""
    folder = tmp_path_factory.mktemp("workshop")
    (folder / "my-plan.toml").write_text('game = "toy"\nagentz = ["flip"]\n')
    for name in ("my-rules.toml", "my-cards.json"):
        (folder / name).write_text("")
    for name in ("run", "study/cells/one"):
        (folder / name).mkdir(parents=True)
        (folder / name / "manifest.json").write_text("{}")
    return folder


@pytest.mark.parametrize(("arguments", "words"), NEAREST, ids=[" ".join(arguments) for arguments, _ in NEAREST])
def test_the_nearest_right_word(workshop, monkeypatch, capsys, arguments, words):
    monkeypatch.chdir(workshop)
    assert cli.main([*arguments]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


def test_a_bug_keeps_its_traceback(monkeypatch):
    monkeypatch.setattr("experiments.study.shipped_plans", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        cli.main(["run", "--list"])


# ------------------------------------------------------------------ doctor and version
@pytest.mark.quick
def test_version(capsys):
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"soundcheck {own_version()}\n"


def test_doctor_finds_nothing(capsys):
    assert cli.main(["doctor", "toy", "--quiet"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[-1] == "everything is in order"
    assert "toy: a game of two random players ended and came out the same again" in said.out
    assert said.err == ""
    assert cli.main(["doctor", "toy", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    checks = {one["name"]: one for one in found["checks"]}
    assert found["version"] == own_version()
    assert set(checks) == {"python", "libraries", "agents", "cores", "cache", "game"}
    assert checks["libraries"]["details"]["versions"]["numba"].count(".") >= 1
    assert checks["cores"]["details"]["usable"] >= 1
    assert checks["game"]["details"]["kernels_compiled"] == 0
    assert checks["agents"]["details"]["folder"] == str(ROOT / "agents")


def test_doctor_says_what_is_wrong(monkeypatch, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SOUNDCHECK_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(
        sys.modules["experiments.cli.doctor"], "_version", lambda name: None if name == "scipy" else "99"
    )
    assert cli.main(["doctor", "toy", "--json", "--quiet"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["good"] is False
    bad = {one["name"]: one["text"] for one in found["checks"] if not one["good"]}
    assert set(bad) == {"libraries", "cache"}
    assert "scipy>=1.13 (here: none)" in bad["libraries"]
    assert str(tmp_path / "file") in bad["cache"]
    assert cli.main(["doctor", "toy", "--quiet"]) == 1
    assert "2 of 6 checks failed: libraries, cache" in capsys.readouterr().out


def test_doctor_names_the_owner_of_agents(toy_env, tmp_path):
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "__init__.py").write_text("")
    env = {**toy_env, "PYTHONPATH": os.pathsep.join([str(tmp_path), toy_env["PYTHONPATH"]])}
    done = subprocess.run(
        [sys.executable, "-m", "experiments", "doctor", "toy"], env=env, cwd=ROOT / "docs", capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert re.search(r"^BAD +agents +the package 'agents' in .* is not soundcheck's", done.stdout, re.M)
    assert re.search(r"^BAD +game ", done.stdout, re.M)
    assert re.search(r"^good +cache ", done.stdout, re.M)


def test_help_of_a_command_that_is_misused(soundcheck):
    assert "soundcheck balance --help" in only_line(soundcheck("balance", "toy", "--nonsense", code=2))
