"""The reference says everything there is, nothing that is not, and every link leads somewhere."""

import re
import sys
import tomllib

import pytest

from simcore import registry
from tests.docs.pages import ROOT, command_line, pages

sys.path.append(str(ROOT / "docs"))

import generate
from generate import rulings, schemas

GAMES = ("overdrive", "metalmania")
DOCS = ROOT / "docs"

#: Lines that name a command with what it takes, in consoles and in plain text.
COMMAND = re.compile(r"^(?:\$ |    )soundcheck ([a-z]+(?: (?:show|check))?)(.*(?:\n {30,}.*|\\\n.*)*)", re.M)


@pytest.fixture(scope="module")
def generated():
    return generate.pages()


def options_of(command, words):
    """The options of a command, and of the group that it stands in."""
    for word in words:
        command = command.commands[word]
    return {name for one in command.params for name in (*one.opts, *one.secondary_opts)} | {"--help"}


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_and_ruling_has_words(game):
    said = rulings.words(game)
    with (ROOT / "tests" / "rule_ids.toml").open("rb") as file:
        ids = tomllib.load(file)[game]
    found = {**said, "rules": [key for chapter in said["rules"].values() for key in chapter]}
    for kind in ("rules", "rulings", "missing"):
        wanted = [key for chapter in ids[kind].values() for key in chapter]
        assert sorted(found[kind]) == sorted(wanted)
    assert all(len(texts) == 2 and all(texts) for kind in ("rulings", "missing") for texts in said[kind].values())


@pytest.mark.parametrize("game", GAMES)
def test_every_option_stands_beside_its_ruling(game, generated):
    page = generated[f"rulings-{game}.md"]
    readings = page[: page.index("## Options")]
    options, _, table = rulings._OPTIONS[game]
    for name, row in options.items():
        assert f"| `{name}` |" in table
        if any(key in readings for key in re.findall(r"[A-Z][\w-]*\d", str(row["ruling"]))):
            assert f"`{name}`" in readings


@pytest.mark.parametrize("game", GAMES)
def test_every_value_of_the_rules_is_on_the_page_of_its_file(game, generated):
    page = generated[f"rules-file-{game}.md"]
    for part in schemas._GAMES[game][1].json_schema()["properties"]:
        assert part == "source" or f"\n## {part}\n" in page


def test_every_command_and_option_is_on_the_page(generated):
    page = generated["commands.md"]
    groups = [((), command_line())]
    while groups:
        words, group = groups.pop()
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                groups.append(((*words, name), command))
                continue
            assert f"## {' '.join(('soundcheck', *words, name))}\n" in page
            section = page.split(f"## {' '.join(('soundcheck', *words, name))}\n")[1].split("\n## ")[0]
            for option in options_of(group, [name]) - {"--help"}:
                assert not option.startswith("-") or f"`{option}`" in section, (words, name, option)


@pytest.mark.parametrize("path", pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_of_every_page_exist(path):
    top = command_line()
    for name, rest in COMMAND.findall(path.read_text(encoding="utf-8")):
        words = name.split()
        if len(words) == 2 and not hasattr(top.commands[words[0]], "commands"):
            words = words[:1]
        known = options_of(top, words)
        named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", rest.split("  #")[0]))
        assert named <= known, f"{name}: {', '.join(sorted(named - known))}"


def test_every_key_of_a_plan_has_a_meaning():
    assert set(schemas.meanings()) == set(schemas.Study.model_fields)


def test_the_notation_has_every_word():
    text = (DOCS / "reference" / "notation.md").read_text(encoding="utf-8")
    metal = (DOCS / "reference" / "rules-metalmania.md").read_text(encoding="utf-8")
    for game, page in (("overdrive", text), ("metalmania", metal)):
        one = registry.game(game)
        for word in (*one.verbs, *one.state_keys, *one.seat_keys):
            assert re.search(rf"`{word}\b|\b{word} ", page), (game, word)


@pytest.mark.parametrize("path", pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path, generated):
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.S)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if ":" in target:
            continue
        found = (path.parent / target).resolve()
        assert found.exists() or found.name in generated, f"{path.name}: {target}"


def test_shell_examples_are_consoles():
    """What a reader would type is run by the tests; indented lines are for the reference's summaries."""
    for path in pages():
        if path.parent.name in ("how-to", "tutorials") or path.name == "README.md":
            assert not re.findall(r"^    soundcheck .*", path.read_text(encoding="utf-8"), re.M), path
