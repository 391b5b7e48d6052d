"""The numeric RULES record against a plain reading of the rules: fit tables, Hits, cards, bands, constants."""

import itertools
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overdrive_sim.hands import row_lists
from overdrive_sim.kernels import rules as codes
from overdrive_sim.kernels.dice import CODE, COUNT, SIZE, SUBSET_START, SUBSETS
from overdrive_sim.kernels.layout import (
    BANDS,
    BOARD_SPACES,
    FACE_LETTERS,
    FACES,
    HORNS,
    MULTISETS,
    SPACES,
    TRACKS,
    UNIT,
)
from overdrive_sim.kernels.spaces import choices_on
from overdrive_sim.pack import LETTERS, cancel
from overdrive_sim.ruleset import load_rules
from simcore.errors import UsageError

pytestmark = pytest.mark.quick

SHIPPED = load_rules()
RULES = SHIPPED.packed[0]
HITS = SHIPPED.names.hits


def letters(code):
    """A dice code as letters."""
    return "".join(letter * (int(code) // unit % 7) for letter, unit in zip(FACE_LETTERS, UNIT, strict=True))


def fills(dice, spaces, wild):
    """Whether the dice can be laid on the spaces, one each: every order tried (R-ALL-08, R-DIE-05, R-DCD-06)."""
    if len(dice) != len(spaces):
        return False
    return any(
        all(space in ("?", die) or (wild and die == "S") for die, space in zip(order, spaces, strict=True))
        for order in set(itertools.permutations(dice))
    )


def spaces_of(row):
    """The requirement of a row as letters."""
    return "".join(letter * int(n) for letter, n in zip(LETTERS, RULES["need"][row], strict=True))


def parts_of(number, row, wild):
    """What the tables list of a hand for a requirement row, as letters."""
    run = int(RULES["row_start"][wild, number, row])
    start, count = run >> codes.ROW_COUNT_BITS, run & ((1 << codes.ROW_COUNT_BITS) - 1)
    return [letters(CODE[part]) for part in RULES["row_dice"][start : start + count]]


@pytest.mark.parametrize("wild", [0, 1])
def test_listed_parts_of_a_hand_are_what_laying_dice_one_by_one_says(wild):
    """R-ALL-08, R-DIE-05, R-DCD-06, A-DST-7: every row, every hand of the shipped rules."""
    meets = {}
    for row in range(RULES["rows"]):
        need = spaces_of(row)
        for number in range(MULTISETS):
            parts = [letters(code) for code in SUBSETS[SUBSET_START[number] : SUBSET_START[number + 1]]]
            for part in parts:
                if (need, part) not in meets:
                    meets[need, part] = fills(part, need, wild)
            assert parts_of(number, row, wild) == [part for part in parts if meets[need, part]]


def run_of(number, row):
    """Numbers of the parts of a hand that meet a requirement row, as the tables list them."""
    start = int(RULES["row_start"][0, number, row]) >> codes.ROW_COUNT_BITS
    return RULES["row_dice"][start : start + int(RULES["hand"][0, number]["row_count"][row])]


def with_faces(packed):
    """Counts by face of a number of ``row_with`` or ``space_with``."""
    return [int(packed) >> codes.WITH_BITS * face & ((1 << codes.WITH_BITS) - 1) for face in range(FACES)]


def with_horns(parts):
    """How many of these parts hold at least one, two, three Horns Up and another die, and none after them."""
    horns = [int(((COUNT[parts, HORNS] >= n) & (SIZE[parts] > n)).sum()) for n in (1, 2, 3)]
    return [*horns, 0]


def test_choices_that_hold_a_face_are_counted():
    """``row_count``, ``row_with`` and ``space_with`` are what the runs say that they count, of every hand."""
    for number in range(MULTISETS):
        known = RULES["hand"][0, number]
        for row in range(RULES["rows"]):
            parts = run_of(number, row)
            assert len(parts) == int(RULES["row_start"][0, number, row]) & ((1 << codes.ROW_COUNT_BITS) - 1)
            assert with_faces(RULES["row_with"][number, row]) == (COUNT[parts] > 0).sum(axis=0).tolist()
            assert with_faces(RULES["row_horns"][number, row]) == with_horns(parts)
        for space in range(BOARD_SPACES):
            parts = RULES["space_choice"][known["start"][space] : known["start"][space + 1]] >> 8
            assert with_faces(RULES["space_with"][number, space]) == (COUNT[parts] > 0).sum(axis=0).tolist()
            assert with_faces(RULES["space_horns"][number, space]) == with_horns(parts)


@pytest.mark.parametrize("wild", [0, 1])
def test_choices_on_any_set_of_spaces_are_counted_at_once(wild):
    """``choices_on`` against the runs one by one, of every hand and of spaces at random."""
    rnd = random.Random(wild)
    for number in range(MULTISETS):
        known = RULES["hand"][wild, number]
        lengths = np.diff(known["start"].astype(np.int64))
        for spaces in (rnd.randrange(1 << BOARD_SPACES) for _ in range(8)):
            assert choices_on(known, spaces) == sum(int(n) for k, n in enumerate(lengths) if spaces >> k & 1)


def test_parts_and_changes_of_a_hand():
    for number in range(MULTISETS):
        known = RULES["hand"][0, number]
        assert known["parts"] == SUBSET_START[number + 1] - SUBSET_START[number] - 1
        assert known["changes"] == 3 * (COUNT[number] > 0).sum()


@given(st.text("HSCI?", min_size=1, max_size=6), st.integers(0, MULTISETS - 1), st.booleans())
def test_lists_of_any_requirement(spaces, number, wild):
    """R-ALL-08, R-DCD-06."""
    counts, parts = row_lists(np.array([[spaces.count(letter) for letter in LETTERS]]), wild)
    start = counts[:number].sum()
    found = [letters(CODE[part]) for part in parts[start : start + counts[number, 0]]]
    subsets = SUBSETS[SUBSET_START[number] : SUBSET_START[number + 1]]
    assert found == [letters(code) for code in subsets if fills(letters(code), spaces, wild)]


def test_a_hand_meets_its_own_requirement_only_in_full():
    """R-ALL-08: its only part that does so is the whole hand."""
    counts, _ = row_lists(np.hstack([COUNT, np.zeros((MULTISETS, 1), int)]), wild=False)
    assert (counts.diagonal() == 1).all()


def test_rows_are_distinct():
    rows = [tuple(row) for row in RULES["need"][: RULES["rows"]].tolist()]
    assert len(set(rows)) == len(rows)
    assert not RULES["need"][RULES["rows"] :].any()


def test_too_many_requirements_are_refused(tmp_path):
    """A deck of the user's own may ask for more rows than the table has."""
    kinds = iter(["".join(k) for size in (6, 4) for k in itertools.combinations_with_replacement("HSCI?", size)][::3])
    text = [
        f'[hits.card_{n}]\nsymbol = "S"\nprice = 1\nways = [{{spaces = "{next(kinds)}", reward = {{}}}}, '
        f'{{spaces = "{next(kinds)}", reward = {{}}}}]\n'
        for n in range(24)
    ]
    deck = tmp_path / "deck.toml"
    deck.write_text("".join(text[:6]))
    assert load_rules({"options.hit_deck": str(deck)}).packed[0]["rows"] > 30
    deck.write_text("".join(text))
    with pytest.raises(UsageError, match=r"different requirements of dice \(at most 128\)"):
        load_rules({"options.hit_deck": str(deck)})


# ------------------------------------------------------------------ board
@pytest.mark.parametrize(
    ("name", "spaces", "places", "reward", "cost", "least"),
    [
        ("acoustic", "????", 1, (1, 1, 0, 1), 0, 3),  # R-SPC-01, A-SPC-11
        ("appearance", "C??", 1, (1, 0, 0, 0), 0, 2),  # R-SPC-02
        ("interview", "I??", 1, (0, 1, 0, 0), 0, 2),  # R-SPC-03
        ("rehearsal", "H??", 1, (0, 0, 0, 1), 0, 2),  # R-SPC-04
        ("improvisation", "S", 2, (0, 0, 0, 0), 0, 2),  # R-SPC-05, R-SPC-05a
        ("jam_session", "S", 1, (0, 0, 0, 0), 0, 2),  # R-SPC-06
        ("new_riff", "S", 2, (0, 0, 0, 0), 0, 2),  # R-SPC-07, R-SPC-07a
        ("new_member", "HSI", 1, (0, 0, 0, 0), 2, 2),  # R-SPC-08
        ("opportunity", "S", 1, (0, 0, 0, 0), 0, 3),  # R-SPC-09
        ("resources", "?", 0, (0, 0, 1, 0), 0, 2),  # R-BRD-04, G-07
    ],
)
def test_board_spaces(name, spaces, places, reward, cost, least):
    number = SPACES.index(name)
    assert spaces_of(RULES["space_row"][number]) == spaces
    assert tuple(RULES["space_reward"][number]) == reward
    assert RULES["space_places"][number] == places
    assert RULES["space_cost"][number] == cost
    assert RULES["space_from_players"][number] == least


# ------------------------------------------------------------------ Hits
@pytest.mark.parametrize("number", range(16))
def test_cancelled_spaces_of_every_hit(number):
    """R-HIT-06, R-HIT-07, A-HIT-1, A-HIT-2."""
    hit = SHIPPED.model.hits[HITS[number]]
    assert RULES["hit_ways"][number] == len(hit.all_ways())
    for way, use in enumerate(hit.all_ways()):
        assert spaces_of(RULES["hit_row"][number, way, codes.NOTHING_CANCELLED]) == use.spaces
        assert tuple(RULES["hit_reward"][number, way]) == tuple(use.reward.get(track, 0) for track in TRACKS)
        for face, letter in enumerate(LETTERS):
            on_card = any(letter in other.spaces for other in hit.all_ways())
            assert RULES["hit_cancels"][number, face] == on_card
            row = RULES["hit_row"][number, way, face]
            if not on_card:
                assert row == -1
            elif len(use.spaces) > 1:
                assert Counter(spaces_of(row)) == Counter(use.spaces) - Counter(letter)
    assert (RULES["hit_row"][number, len(hit.all_ways()) :] == -1).all()


def test_cancelled_skull_of_day_filler():
    """A-HIT-5: the two-Skull way then costs one, the one-Skull way stays at one."""
    number = HITS.index("day_filler")
    rows = RULES["hit_row"][number]
    assert [spaces_of(rows[way, LETTERS.index("S")]) for way in (0, 1)] == ["S", "S"]
    assert RULES["hit_reward"][number, :, TRACKS.index("grana")].tolist() == [2, 3]


def test_cancelled_influence_of_back_in_box():
    """The rulebook's own example: an Influence and any other die remain (R-HIT-08)."""
    row = RULES["hit_row"][HITS.index("back_in_box"), 0, LETTERS.index("I")]
    assert spaces_of(row) == "I?"


@given(st.text("HSCI?", min_size=1, max_size=6))
def test_a_requirement_never_falls_to_zero_dice(spaces):
    """A-HIT-2."""
    for face in spaces:
        assert len(cancel(spaces, face)) == max(1, len(spaces) - 1)


def test_prices_and_symbols_of_hits():
    for number, name in enumerate(HITS):
        assert RULES["hit_price"][number] == SHIPPED.model.hits[name].price
        assert LETTERS[RULES["hit_symbol"][number]] == SHIPPED.model.hits[name].symbol
    assert (RULES["hits"], RULES["hit_points"], RULES["least_share"]) == (16, 1, 1)  # R-HIT-11, R-HIT-12


# ------------------------------------------------------------------ cards and bands
@pytest.mark.parametrize(
    ("number", "kind", "amount", "start", "end"),
    [
        (1, codes.GAIN_FANS, 2, -1, -1),  # R-DCD-01
        (2, codes.GAIN_FAME, 1, -1, -1),  # R-DCD-02
        (3, codes.GAIN_OVERDRIVE, 1, -1, -1),  # R-DCD-03
        (4, codes.CLEAR_SPACE, 0, -1, -1),  # R-DCD-04
        (5, codes.SKULLS_TO_ONE, 0, -1, -1),  # R-DCD-05
        (6, codes.SKULLS_WILD, 0, -1, -1),  # R-DCD-06
        (7, codes.CHOOSE_FACES, 2, -1, -1),  # R-DCD-07
        (8, codes.ALL_TO, 0, -1, 2),  # R-DCD-08
        (9, codes.CHOOSE_FACES, 3, -1, -1),  # R-DCD-09
        (10, codes.FACE_TO, 0, 2, 0),  # R-DCD-10
        (11, codes.FACE_TO, 0, 2, 3),  # R-DCD-11
        (12, codes.EITHER_WAY, 0, 0, 3),  # R-DCD-12
        (13, codes.PROTECT, 0, -1, -1),  # R-DCD-13
        (14, codes.PROTECT, 0, -1, -1),  # R-DCD-14
    ],
)
def test_distortion_effects(number, kind, amount, start, end):
    found = [RULES[f"effect_{key}"][number] for key in ("kind", "amount", "from", "to")]
    assert found == [kind, amount, start, end]


def test_physical_cards_in_deck_order():
    """R-COM-04, G-06."""
    assert RULES["cards"] == 32
    found = zip(RULES["card_number"][:32].tolist(), RULES["card_icon"][:32].tolist(), strict=True)
    assert [(n, LETTERS[icon]) for n, icon in found] == list(SHIPPED.names.cards)


def test_icons_go_on_from_the_first_when_there_are_more_copies():
    cards = load_rules({"distortions.5.copies": 5}).names.cards
    assert [icon for n, icon in cards if n == 5] == list("SCSCS")


@pytest.mark.parametrize(
    ("band", "a", "b"),
    [
        ("starssacration", (codes.CHANGE, 4, 2), codes.EXTRA_FANS),  # R-ABL-01, R-ABL-02
        ("dead_and_death", (codes.CHANGE, 1, 3), codes.FANS_TO_FAME),  # R-ABL-04, R-ABL-05
        ("rebeldogs", (codes.CHANGE, 1, 0), codes.EXTRA_OVERDRIVE),  # R-ABL-07, R-ABL-08
        ("allienogenn", (codes.CHANGE, 4, 2), codes.FANS_GIVE_FAME),  # R-ABL-10, R-ABL-11
        ("illuminatti_you_2", (codes.EXTRA_GRANA, -1, -1), codes.OVERDRIVE_GIVES_GRANA),  # R-ABL-13, R-ABL-14
        ("shirtless_vikings", (codes.CHANGE, 4, 1), codes.STAGE),  # R-ABL-16, R-ABL-17
        ("arcane_possession", (codes.CHANGE, 4, 1), codes.TAKE),  # R-ABL-19, R-ABL-20
        ("cover_bots", (codes.COPIES, -1, -1), codes.COPIES),  # R-ABL-22, R-ABL-23
        ("tnshe", (codes.CHANGE, 1, 0), codes.SINGLE_FACES),  # R-ABL-25, R-ABL-26
        ("powergirls", (codes.CHANGE, 1, 3), codes.CLEAR),  # R-ABL-28, R-ABL-29
        ("epic_gods", (codes.RE_ROLL, -1, -1), codes.FANS_GIVE_ANY),  # R-ABL-31, R-ABL-32
        ("metallum", (codes.NO_ABILITY, -1, -1), codes.NO_ABILITY),  # G-11
    ],
)
def test_abilities(band, a, b):
    number = BANDS.index(band)
    assert tuple(RULES[f"ability_{key}"][number, 0] for key in ("kind", "from", "to")) == a
    assert RULES["ability_kind"][number, 1] == b


@pytest.mark.parametrize(
    ("band", "tracks", "per", "joined"),
    [
        ("starssacration", (1, 0, 0, 0), 2, 0),  # R-ABL-03
        ("dead_and_death", (1, 0, 0, 0), 1, 0),  # R-ABL-06
        ("rebeldogs", (0, 0, 0, 1), 2, 0),  # R-ABL-09
        ("allienogenn", (1, 1, 0, 0), 3, 0),  # R-ABL-12
        ("illuminatti_you_2", (0, 0, 1, 0), 2, 0),  # R-ABL-15
        ("shirtless_vikings", (1, 0, 0, 1), 3, 0),  # R-ABL-18
        ("arcane_possession", (1, 0, 1, 1), 4, 1),  # R-ABL-21
        ("tnshe", (0, 0, 0, 1), 2, 0),  # R-ABL-27
        ("powergirls", (1, 1, 0, 1), 4, 1),  # R-ABL-30
        ("epic_gods", (1, 1, 1, 1), 5, 1),  # R-ABL-33
    ],
)
def test_ability_c(band, tracks, per, joined):
    """A-ABL-8: the divisor is one more than the number of tracks, save for Dead & Death."""
    number = BANDS.index(band)
    assert tuple(RULES["special_tracks"][number]) == tracks
    assert (RULES["special_per"][number], RULES["special_most"][number]) == (per, 5)
    assert RULES["special_or"][number] == joined
    assert per == sum(tracks) + (band != "dead_and_death")


def test_parameters_of_abilities():
    """R-ABL-05, R-ABL-17, R-ABL-26."""
    assert (RULES["trade_cost"], RULES["trade_gain"], RULES["single_faces"]) == (1, 2, 2)
    assert spaces_of(RULES["stage_row"]) == "SS"
    assert RULES["stage_reward"].tolist() == [1, 0, 0, 0]


def test_two_bands_cannot_differ_in_what_the_record_holds_once():
    same = {"bands.tnshe.b": {"does": "stage", "faces": 2}}
    with pytest.raises(UsageError, match="takes reward, spaces"):
        load_rules(same)
    kind = "bands.powergirls.b"
    with pytest.raises(UsageError, match=r"powergirls.*shirtless_vikings"):
        load_rules({f"{kind}.does": "stage", f"{kind}.spaces": "SSS", f"{kind}.reward": {"fans": 1}})
    both = load_rules({f"{kind}.does": "stage", f"{kind}.spaces": "SS", f"{kind}.reward": {"fans": 1}})
    assert (both.packed[0]["ability_kind"][:, 1] == codes.STAGE).sum() == 2


# ------------------------------------------------------------------ constants
def test_constants():
    """R-SET-04 to R-SET-08, R-GRA-02 to R-GRA-06, R-BND-02 to R-BND-07, R-BAT-03, R-GAM-02, R-SYM-01."""
    one = {
        "price_reroll": 1, "price_set": 5, "price_level": 10, "price_die": 10, "start_dice": 4, "extra_dice": 2,
        "battle_dice": 4, "last_round": 8, "symbol_level": 5, "shield_level": 5, "offer_size": 3, "row_size": 3,
        "same_least": 3, "different_least": 3,
    }  # fmt: skip
    assert {name: int(RULES[name]) for name in one} == one
    assert RULES["unlock_level"].tolist() == [1, 3, 6]
    assert np.flatnonzero(RULES["battle_round"]).tolist() == [3, 6, 8]  # R-GAM-03, R-GAM-04
    assert np.flatnonzero(RULES["speed_skips"]).tolist() == [5, 6]  # R-SPD-01


def test_start_grana_goes_on_by_its_step():
    """R-SET-05 to R-SET-07, G-13."""
    assert RULES["start_grana"].tolist()[:5] == [1, 2, 3, 4, 5]
    assert load_rules({"start.grana": [2, 4, 6, 8]}).packed[0]["start_grana"][4] == 10
    assert load_rules({"start.grana": [2, 4, 6, 8, 3]}).packed[0]["start_grana"][4] == 3


def test_battle_bonuses():
    """R-BAT-17 to R-BAT-20, in the order H S C I."""
    assert [TRACKS[track] for track in RULES["battle_track"]] == ["overdrive", "grana", "fans", "fame"]
    assert RULES["battle_levels"].tolist() == [1, 3, 1, 1]


def test_overdrive_points_and_awards():
    """R-SCO-03, G-05; R-AWD-01, G-03."""
    steps = RULES["points_steps"]
    assert RULES["points_level"][:steps].tolist() == [1, 3, 6, 10]
    assert RULES["points_value"][:steps].tolist() == [1, 2, 3, 5]
    assert RULES["award_points"].tolist() == [2, 4, 6, 8]
    assert RULES["award_target"].tolist() == [[n, n, 0, 0] for n in (3, 5, 7, 9)]


@pytest.mark.parametrize(("start", "found"), [("grana2", [0, 0, 2, 0]), ("all2", [2] * 4), ("all0", [0] * 4)])
def test_metallum_levels(start, found):
    """R-SOL-02, G-12."""
    assert load_rules({"options.metallum_start": start}).packed[0]["metallum_levels"].tolist() == found


def test_symbols_of_sheets():
    """R-BND-05, R-BND-06, G-11."""
    for number, name in enumerate(BANDS):
        symbols = [LETTERS[s] for s in RULES["band_symbol"][number] if s >= 0]
        assert "".join(symbols) == SHIPPED.model.bands[name].symbols


def test_code_and_letters_agree():
    assert [letters(code) for code in CODE[:8]] == ["", "H", "HH", "HHH", "HHHH", "HHHHH", "HHHHHH", "S"]
