"""RULES: every number of the rules that a kernel reads, as one record, filled by ``overdrive_sim.pack``.

Rule options are small integers in ``rules.option.NAME``: the position of the chosen value in OPTIONS.
The first value of each option is the default (rulings, section 2).
"""

from __future__ import annotations

from overdrive_sim.kernels.layout import (
    BOARD_SPACES,
    COVER_MOST,
    EFFECTS,
    FACES,
    MOST_AWARDS,
    MOST_CARDS,
    MOST_HITS,
    MOST_REQUIREMENTS,
    MULTISETS,
    SEATS,
)  # fmt: skip
from simcore.kernel import record

#: Options that kernels read, with their values, the default first.
OPTIONS = {
    "metallum_start": ("grana2", "all2", "all0"),  # G-12
    "human_grana_from": ("seat", "humans_only"),  # G-13
    "marker_moves": ("battle_start", "battle_end", "every_round"),  # A-TURN-4
    "track_cap": ("none", "20"),  # A-TRK-1
    "double_place": ("any", "different_bands"),  # A-SPC-4
    "void_allocation": ("illegal", "legal"),  # A-SPC-5
    "jam_die": ("moves", "stays"),  # A-SPC-6
    "returned_dice": ("spent", "reusable"),  # A-SPC-8
    "buy_occupied": ("stay", "return", "forbid"),  # A-HIT-6
    "cards_in_battle": ("own_turn", "protect_only"),  # A-DST-3
    "protect_card": ("shield_step", "reaction"),  # A-DST-4
    "card5": ("same_face", "each_free"),  # A-DST-6
    "ability_limit": ("round", "turn"),  # A-ABL-1
    "passive_limit": ("none", "round"),  # A-ABL-2
    "battle_gain": ("per_attribute", "per_die"),  # A-ABL-3
    "epic_b": ("per_gain", "per_level", "single_level_only"),  # A-ABL-7
    "multi_track": ("pooled", "per_track", "as_printed", "best_track"),  # A-ABL-8
    "cover_choice": ("permanent", "each_round"),  # A-ABL-11
    "tnshe_faces": ("virtual_die", "set_face"),  # A-ABL-12
    "unlock": ("current", "reached"),  # A-BND-2
    "full_tie": ("shared", "turn_order"),  # A-END-1
    "metallum_buys": ("affordable", "top_only"),  # A-SOL-1
    "metallum_tie": ("oldest", "human"),  # A-SOL-2
    "metallum_cancel": ("rarest", "none", "human"),  # A-SOL-3
    "metallum_attack": ("legal_rare_first", "rare_only", "unconditional"),  # A-SOL-4
    "metallum_scores": ("all", "no_symbols"),  # A-SOL-6
    "metallum_shield": ("off", "on"),  # A-SOL-9
    "coop_attacks": ("metallum_only", "any"),  # A-COP-1
}

OPTION = record([(name, "i4") for name in OPTIONS])

#: Columns of ``hit_need_row``: the face that is cancelled (HORNS .. INFLUENCE, ANY), or nothing.
NOTHING_CANCELLED = 5

# What an ability does (``ability_kind``); the numbers beside it are in ``ability_from/to``.
# A: CHANGE (from face or ANY, to face), RE_ROLL, EXTRA_GRANA.
# B: EXTRA_FANS, EXTRA_OVERDRIVE (one more of the gain's own track), FANS_TO_FAME (trade 1 Fans for 2 Fame),
#    FANS_GIVE_FAME (once a round), OVERDRIVE_GIVES_GRANA, STAGE (own space), TAKE, SINGLE_FACES, CLEAR,
#    FANS_GIVE_ANY.  COPY is Cover Bots'.
(
    NO_ABILITY, CHANGE, RE_ROLL, EXTRA_GRANA, EXTRA_FANS, EXTRA_OVERDRIVE, FANS_TO_FAME, FANS_GIVE_FAME,
    OVERDRIVE_GIVES_GRANA, STAGE, TAKE, SINGLE_FACES, CLEAR, FANS_GIVE_ANY, COPIES,
) = range(15)  # fmt: skip

# What a Distortion effect does (``effect_kind`` by effect number 1..14).
(
    NO_EFFECT, GAIN_FANS, GAIN_FAME, GAIN_OVERDRIVE, CLEAR_SPACE, SKULLS_TO_ONE, SKULLS_WILD, CHOOSE_FACES,
    ALL_TO, FACE_TO, EITHER_WAY, PROTECT,
) = range(12)  # fmt: skip

#: Sizes of the tables of what a hand may do; BLOCK_ROOM numbers more are read than belong to a run.
MOST_ROW_DICE, MOST_SPACE_CHOICES, ROW_COUNT_BITS, BLOCK_ROOM, WITH_BITS = 1 << 18, 1 << 16, 6, 8, 15

#: What a turn looks up of one hand, side by side: spread over tables, each would be a cache miss of its own.
#: ``choices``: lengths of the runs of board spaces, a byte each (see ``spaces.choices_on``); ``start[space]`` to that
#: of the next space: the run itself, of ``RULES.space_choice``.  Bits of what the hand can use at all: ``fits`` of
#: board spaces with a choice of its own, ``needs`` of those whose requirement it meets, ``hits[cancelled]`` of Hits by
#: cancelled face (NOTHING_CANCELLED: none).  ``parts``: parts of the hand without the empty one; ``changes``: ways to
#: change the face of one die.  ``row_count``: length of the run of each row, as in RULES.row_start.  ``spare`` fills
#: it up to whole lines of 64 bytes.
HAND = record(
    [
        ("choices", "i8"), ("start", "u2", (BOARD_SPACES + 1,)), ("fits", "u2"), ("needs", "u2"),
        ("parts", "u1"), ("changes", "u1"), ("hits", "i4", (FACES + 2,)), ("spare", "i4"),
        ("row_count", "u1", (MOST_REQUIREMENTS,)),
    ]
)  # fmt: skip

#: Single-use faces that join one allocation.
MOST_SINGLE_FACES = 3

#: Bits of the number of cancellable spaces in ``RULES.offer``.
OFFER_BITS = 8

RULES = record(
    [
        # What every hand may do, filled by ``overdrive_sim.hands``; index 0 as the dice lie, 1 with Skulls as
        # any face (#6).  First, so that its records begin where lines of the cache do.
        ("hand", HAND, (2, MULTISETS)),
        ("option", OPTION),
        ("rows", "i4"),  # distinct requirements: of spaces, Hits, Hits with a cancelled space
        ("need", "i4", (MOST_REQUIREMENTS, FACES + 1)),  # dice of each face, then "?", of each row
        # ``row_start[wild, hand, row]``: start << ROW_COUNT_BITS | count of a run of ``row_dice``, the numbers of the
        # parts of the hand that meet the requirement.  ``space_choice``: dice number << 8 | detail of every choice on
        # a space whose effect depends on the hand alone.
        ("row_start", "i4", (2, MULTISETS, MOST_REQUIREMENTS)), ("row_dice", "u1", (MOST_ROW_DICE,)),
        ("space_choice", "u2", (MOST_SPACE_CHOICES,)),
        # How many of a run hold a die of a face, WITH_BITS a face, as the dice lie: of ``row_dice`` by hand and
        # row, of ``space_choice`` by hand and space.
        ("row_with", "i8", (MULTISETS, MOST_REQUIREMENTS)), ("space_with", "i8", (MULTISETS, BOARD_SPACES)),
        # How many hold at least one, two, three Horns Up and another die besides, likewise packed.
        ("row_horns", "i8", (MULTISETS, MOST_REQUIREMENTS)), ("space_horns", "i8", (MULTISETS, BOARD_SPACES)),
        ("costly_spaces", "i4"),  # bits of spaces that cost Grana
        # Board spaces.
        ("space_row", "i4", (BOARD_SPACES,)),  # requirement row
        ("space_places", "i4", (BOARD_SPACES,)),
        ("space_reward", "i4", (BOARD_SPACES, 4)),  # levels of fans, fame, grana, overdrive
        ("space_cost", "i4", (BOARD_SPACES,)),  # Grana
        ("space_from_players", "i4", (BOARD_SPACES,)),  # open from so many players on (standard mode)
        ("stage_row", "i4"), ("stage_reward", "i4", (4,)),  # the Vikings' own space
        # Hits, by number in the component file.
        ("hits", "i4"),
        ("hit_price", "i4", (MOST_HITS,)), ("least_price", "i4"),  # the cheapest Hit's
        ("hit_symbol", "i4", (MOST_HITS,)),
        ("hit_ways", "i4", (MOST_HITS,)),  # 1, or 2 for Day Filler
        ("hit_reward", "i4", (MOST_HITS, 2, 4)),  # by way and track
        ("hit_row", "i4", (MOST_HITS, 2, 6)),  # requirement row by way and cancelled face (5: none)
        ("hit_cancels", "i4", (MOST_HITS, 5)),  # whether a space of that face can be cancelled
        ("cancel_list", "u1", (MOST_HITS, BLOCK_ROOM)),  # the same as a list
        # By number + 1: price << OFFER_BITS | how many spaces can be cancelled; 0 where there is no Hit (-1).
        ("offer", "i8", (MOST_HITS + 1,)),
        # Distortion cards in deck order, and effects by number.
        ("cards", "i4"),
        ("card_number", "i4", (MOST_CARDS,)), ("card_icon", "i4", (MOST_CARDS,)),
        ("card_twins", "i8", (MOST_CARDS,)),  # bits of earlier cards with the same number and icon
        ("effect_kind", "i4", (EFFECTS + 1,)), ("effect_amount", "i4", (EFFECTS + 1,)),
        ("effect_from", "i4", (EFFECTS + 1,)), ("effect_to", "i4", (EFFECTS + 1,)),
        # Awards.
        ("award_points", "i4", (MOST_AWARDS,)), ("award_target", "i4", (MOST_AWARDS, 4)),
        ("award_least", "i4", (4,)),  # levels below which no award is reached
        # Bands (Metallum last): symbols at the start and at Fans 5; abilities A and B; C's tracks.
        ("band_symbol", "i4", (12, 2)),  # -1 none
        ("stage_bands", "i4"),  # bits of the bands that may have the own stage: the Vikings, who copies them
        ("ability_acts", "i4", (2, 12)),  # bits of A, B that are actions, in the allocation turn and in a battle
        ("ability_kind", "i4", (12, 2)), ("ability_from", "i4", (12, 2)), ("ability_to", "i4", (12, 2)),
        ("special_tracks", "i4", (12, 4)),  # 1 for each track that ability C counts
        ("special_per", "i4", (12,)), ("special_most", "i4", (12,)),
        ("special_or", "i4", (12,)),  # 1 where the sheet joins the tracks with "or"
        ("unlock_level", "i4", (3,)), ("symbol_level", "i4"), ("shield_level", "i4"),
        # Prices and constants.
        ("price_reroll", "i4"), ("price_set", "i4"), ("price_level", "i4"), ("price_die", "i4"),
        ("start_grana", "i4", (SEATS + 1,)),  # by seat in turn order
        ("metallum_levels", "i4", (4,)),  # start levels of Metallum, by option metallum_start
        ("points_level", "i4", (8,)), ("points_value", "i4", (8,)), ("points_steps", "i4"),  # Overdrive points
        ("battle_track", "i4", (FACES,)), ("battle_levels", "i4", (FACES,)),  # bonus of a surviving face
        ("battle_dice", "i4"), ("start_dice", "i4"), ("extra_dice", "i4"),
        ("single_faces", "i4"), ("trade_cost", "i4"), ("trade_gain", "i4"),
        ("last_round", "i4"), ("battle_round", "i4", (9,)), ("speed_skips", "i4", (9,)),
        ("hit_points", "i4"), ("least_share", "i4"), ("row_size", "i4"), ("offer_size", "i4"),
        ("same_least", "i4"), ("different_least", "i4"),
        ("covered", "i1", ((COVER_MOST + 1) ** FACES,)),  # symbols.coverage_table(same_least, different_least)
        ("allow_same_bands", "i4"),  # test only: several seats may play one band
    ]
)  # fmt: skip
