"""RULES: every number of the rules that a kernel reads, as one record, filled by ``metalmania_sim.pack``.

Rule options are small integers in ``rules.option.NAME``: the position of the chosen value in OPTIONS.
The first value of each option is the default (rulings, section 2).  On/off options have TRUE and FALSE.
"""

from __future__ import annotations

from metalmania_sim.kernels.layout import ARTISTS, BASIC, BOARDS, COMPANIES, INSTRUMENTS, LAST_EVENT, MOST_PRICE
from simcore.kernel import record

#: Values of on/off options, as they are packed.
TRUE, FALSE = 1, 0

_ON, _OFF = ("true", "false"), ("false", "true")

#: Options that kernels read, with their values, the default first.
OPTIONS = {
    "placement": ("choice", "rolled_in_order"),  # A04
    "judge": ("final", "natural_six_fails"),  # A07
    "troublesome_hits_count": _ON,  # A08
    "hit_fame": ("per_hit", "only_with_two_hits"),  # A09
    "levelup_timing": ("after_fame", "before_fame"),  # A11
    "levelup_bonus": ("token", "immediate", "both"),  # A12
    "levelup_face": ("keep", "activate"),  # A13
    "levels_per_action": ("one", "per_two_hits"),  # A14
    "bonus_amount": ("up_to", "exact", "split"),  # A15
    "die_bounds": ("legal_only", "clamp", "free"),  # A16
    "bonus_window": ("before_placement", "after_placement", "both"),  # A17
    "fame_bonus_scope": ("any_change", "throws", "hits"),  # A19
    "response_order": ("active_first", "active_last"),  # A20
    "event_shift": ("bounded", "wrap"),  # A22
    "event_order": ("bonus_then_pay", "any"),  # A23
    "event_target": ("other", "any"),  # A25
    "event6": ("opponent_active", "opponent_any", "any_player", "worsen"),  # A26
    "event7": ("optional", "forced"),  # A27
    "event7_price": ("pay", "free"),  # A27
    "miracle_turn": ("end_turn", "skip_pay_only"),  # A32
    "miracle_rolls": ("stop", "roll_all"),  # A33
    "miracle_offturn": ("none", "skip_next_pay"),  # A35
    "revelry_min": ("0", "1"),  # A37
    "audition_fame": ("discarded", "hired"),  # A40
    "fifth_slot": ("shared", "same_instrument_only"),  # A41
    "reassign": ("never", "on_audition", "own_turn"),  # A43
    "hire_condition": ("active", "inherit"),  # A44
    "refill": ("immediate", "end_of_turn"),  # A45
    "deck_exhaustion": ("reshuffle", "shrink"),  # A46
    "voluntary_nonpayment": _OFF,  # A50
    "company_choice": ("choose", "random", "row"),  # A53
    "company_keep": _ON,  # A55
    "company_scope": ("printed", "tested"),  # A57: all modifiers, or those of the three tested ones
    "characteristic_max": ("none", "5", "6"),  # A57
    "win_check": ("immediate", "end_of_turn", "end_of_round"),  # A59
    "tie_break": ("turn_order", "shared"),  # A61, A76
    "unused_board_artists": ("deck", "box"),  # A63
    "money_cap": ("none", "99"),  # D06
}

#: Constants that a designer may set, under ``options`` by these names, with their printed values.
CONSTANTS = {
    "start_money": 13,  # R027
    "win_fame": 66,  # R119
    "company_fame": 15,  # R117
    "display_size": 9,  # R032
    "shift_price": 2,  # R044
    "wage": 1,  # R113
    "funds_bonus": 6,  # R105
    "miracle_two": 5,  # R109
    "miracle_three": 10,  # R110
    "miracle_4plus": 10,  # A36
    "hits_needed": 2,  # R080
}

OPTION = record([(name, "i4") for name in OPTIONS])

# Columns of ``tested``: the degree on each instrument (0 to 5), then these.
INSPIRATION, CHARISMA, REVELRY, REPUTATION = 6, 7, 8, 9
COLUMNS = 10
DEGREE = -1  # in ``action_tests``: the degree on the instrument that is played

# What an event asks for after its own gains (``event_kind``).
(NO_CHOICE, PICK_VICTIM, PICK_TROUBLE, PICK_HIRE, PICK_HEAL, PICK_DRINKER, ALL_DRINK) = range(7)

RULES = record(
    [
        ("option", OPTION),
        ("bonus_throws", "i4"),  # bits of THROWS in which dice may be changed (A18)
        *((name, "i4") for name in CONSTANTS),
        ("most_money", "i4"),
        ("action_tests", "i4", (3,)),  # column of ``tested`` by equalizer, or DEGREE (A02)
        # Characteristics as they count for the band of a seat: by company + 1 (0: none), artist, column.
        ("tested", "i1", (COMPANIES + 1, ARTISTS, COLUMNS)),
        ("price", "i4", (ARTISTS,)),  # printed Reputation: price, and fame on discard
        ("within", "i8", (MOST_PRICE + 1,)),  # bits of the artists that so much money pays
        ("plays", "i4", (ARTISTS,)),  # bits of instruments
        ("players", "i8", (len(INSTRUMENTS),)),  # bits of the artists that play an instrument
        ("board", "i4", (BOARDS, BASIC)),  # artists in position order
        # Events by their number: own money and fame, the others' money, then a choice and its amount.
        ("event_money", "i4", (LAST_EVENT + 1,)), ("event_fame", "i4", (LAST_EVENT + 1,)),
        ("event_others", "i4", (LAST_EVENT + 1,)), ("event_kind", "i4", (LAST_EVENT + 1,)),
        ("event_victim_money", "i4", (LAST_EVENT + 1,)), ("event_victim_fame", "i4", (LAST_EVENT + 1,)),
    ]
)  # fmt: skip
