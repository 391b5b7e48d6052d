"""``soundcheck play`` on Overdrive: what the reader of one game sees, and what is refused."""

import re

import pytest

from experiments.cli import main

SOLO = ("play", "overdrive", "--variant", "mode=solo", "--variant", "difficulty=brutal", "--seed", "3")


def play(capsys, *arguments, code=0):
    assert main([*arguments]) == code
    return capsys.readouterr()


def test_face_down_cards_are_shown_at_the_end_alone(capsys):
    """A-DST-12: a draw of Metallum's is a question mark until its cards are listed after the game."""
    text = play(capsys, *SOLO).out
    game, listed = text.split("\nface down until the end: ")
    drawn = listed.strip().split(", ")
    assert len(drawn) == game.count("            distortion ?\n") == game.count("buy distortion, face down") > 0
    assert all(re.fullmatch(r"distortion \d+(:[HSCI])?", one) for one in drawn)


def test_what_metallum_does_by_itself_is_told(capsys):
    """R-SOL-09, R-SOL-13: each purchase with the cancelled space, each award, in the seat of Metallum."""
    lines = play(capsys, *SOLO).out.splitlines()
    told = [line.split("(")[0].strip() for line in lines if line.endswith("(by itself)")]
    assert all(re.fullmatch(r"seat 0 +(buy (hit \w+ cancel [HSCI?]|distortion, face down)|claim \w+)", t) for t in told)
    (metallum,) = (line for line in lines if line.startswith("  seat 0: metallum (none): score"))
    hits = sum("buy hit" in t for t in told)
    assert f"hits {hits}," in metallum
    for k, line in enumerate(lines):
        if "buy hit" in line and "(by itself)" in line:
            assert re.match(r" +hit \w+$", lines[k + 1])


@pytest.mark.parametrize(
    ("variant", "words"),
    [
        (("players=4",), "variant.players: named beside the variant (--players N)"),
        (("mode=solo", "bands=cover_bots"), "variant.bands: named beside the variant (--band NAME"),
        (("mode=sol",), "unknown mode 'sol'; did you mean 'solo'?"),
        (("mode=solo", "difficulty=hard"), "did you mean 'hardcore'?"),
    ],
)
def test_a_variant_is_never_dropped_in_silence(capsys, variant, words):
    done = play(capsys, "play", "overdrive", *(part for one in variant for part in ("--variant", one)), code=2)
    assert words in done.err


@pytest.mark.parametrize(("band", "words"), [("cover_bots", "cover_bots may not be chosen with"), ("tnsh", "'tnshe'")])
def test_a_band_that_may_not_play(capsys, band, words):
    """R-SOL-01: the reason, not only the list."""
    assert words in play(capsys, *SOLO, "--band", band, code=2).err


def test_what_the_rules_advise_against_is_said_in_one_line(soundcheck):
    """R-SPD-03."""
    speed = ("play", "overdrive", "--players", "2", "--agent", "random", "--variant", "speed_metal=true")
    assert soundcheck(*speed).stderr == "warning: Speed Metal is not recommended for two players (R-SPD-03)\n"
    assert soundcheck(*speed, "--quiet").stderr == ""
