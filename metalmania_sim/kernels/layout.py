"""Numbers and record types: how Metal Mania's state, rules, line-up and actions are stored.

Artists, companies and boards are numbers in file order (boards' artists first: board b holds 4b .. 4b + 3,
then the pool).  Sets of artists are bits of an int64.  Dice are their values.  With the option
``judge = natural_six_fails`` ``NATURAL_SIX`` is added to a die of an action throw whose face hides how it
fell: a 6 that was made another number, or another number that was made a 6.
"""

from __future__ import annotations

from simcore.kernel import record

SEATS = 5
ARTISTS = 50  # MM-R002
COMPANIES = 5  # MM-R001
BOARDS = 5

# Instruments.  The first four are the basic positions of the same number, the last two share the fifth.
INSTRUMENTS = ("guitar", "microphone", "bass", "drums", "keyboard", "v_guitar")
GUITAR, MICROPHONE, BASS, DRUMS, KEYBOARD, V_GUITAR = range(6)
POSITIONS = ("guitar", "microphone", "bass", "drums", "fifth")
BASIC = 4
BAND = 5
FIFTH = 4
NOBODY = -1

STYLES = ("HR", "HM", "EX")

# Conditions of an artist (MM-R069, MM-R070): a fail adds one, INACTIVE is the worst.
ACTIVE, TROUBLESOME, INACTIVE = range(3)
CONDITION_LETTERS = "ATI"

# Equalizers and their actions of Step 3.
EQUALIZERS = ("performance", "recording", "advertising")
PERFORMANCE, RECORDING, ADVERTISING = range(3)
TOKEN_LETTERS = "PRA"
MOST_LEVEL = 3  # MM-R016

NO_COMPANY = -1

#: Highest printed Reputation that an artist may have: what a hire costs at most.
MOST_PRICE = 20

# Dice.
MOST_DICE = 6  # one throw never takes more (checked against the cards)
NATURAL_SIX = 64
DIE_OFFSET = 16  # added to a die in an action id, so that no value is negative (die_bounds = free)

# Kinds of throws, as bits of the option ``bonus_throws``.
THROWS = ("event", "action", "funds", "beers")
EVENT_THROW, ACTION_THROW, FUNDS_THROW, BEERS_THROW = range(4)

# Sources of fame.
SOURCES = ("hits", "bonuses", "auditions", "miracles", "events")
FROM_HITS, FROM_BONUSES, FROM_AUDITIONS, FROM_MIRACLES, FROM_EVENTS = range(5)

# Events are numbered as printed, 2 to 12.
FIRST_EVENT, LAST_EVENT = 2, 12

# Phases, as the scenarios call the steps; SET_UP is the deal of a fresh game.
PHASES = ("event", "action", "choice", "wages", "over", "set_up")
EVENT, ACTION, CHOICE, WAGES, FINISHED, SET_UP = range(6)

# Stages: what the game waits for, or does next.
# Chance: the card of the display, the event dice, the action dice, dice rolled again, the Funds die, one
# artist's Beers dice, a company.
DRAW_CARD, ROLL_EVENT, ROLL_ACTION, ROLL_AGAIN, ROLL_FUNDS, ROLL_BEERS, DRAW_COMPANY = range(7)
LAST_CHANCE = DRAW_COMPANY
# Decisions (of the seat ``asked``): respond to a throw, to a change of fame; shift the event; its choices;
# Step 3; place the dice; Step 4; who is not paid; the company; a new position (option reassign).
(
    RESPOND_DICE, RESPOND_FAME, CHOOSE_SHIFT, CHOOSE_VICTIM, CHOOSE_TROUBLE, CHOOSE_HEAL, CHOOSE_DRINK, CHOOSE_HIRE,
    CHOOSE_ACTION, PLACE_DICE, CHOOSE_STEP4, CHOOSE_UNPAID, CHOOSE_COMPANY, CHOOSE_ASSIGN, OVER,
) = range(LAST_CHANCE + 1, LAST_CHANCE + 16)  # fmt: skip
# Between them, never seen from outside: the engine goes on by itself from these.
(
    OPEN_DICE_WINDOW, NEXT_DICE_RESPONSE, AFTER_DICE_WINDOW, OPEN_FAME_WINDOW, NEXT_FAME_RESPONSE, BOOK_FAME,
    AFTER_FAME, JUDGE, NEXT_BEERS, AFTER_BEERS, REFILL, AFTER_REFILL, AFTER_AUDITION, START_ACTION, PAY_WAGES,
    END_TURN, PASS_TURN, START_TURN,
) = range(OVER + 1, OVER + 19)  # fmt: skip

# Chance streams: a seat's dice, the artists' deck, the companies (option company_choice = random).
DECK_STREAM = SEATS
COMPANY_STREAM = SEATS + 1
STREAMS = SEATS + 2

#: Most legal actions of one decision (300 hires, 30 assignments and 2 more are the bound of Step 4).
LEGAL_CAPACITY = 512

# ------------------------------------------------------------------ action ids (see ``actions``)
VERBS = (
    "shift", "keep", "victim", "trouble", "heal", "drink", "hire", "decline", "perform", "record", "advertise",
    "place", "use_performance", "use_recording", "use_advertising", "skip", "audition", "funds", "beers",
    "unpaid", "company", "assign",
)  # fmt: skip
(
    SHIFT, KEEP, VICTIM, TROUBLE, HEAL, DRINK, HIRE, DECLINE, PERFORM, RECORD, ADVERTISE,
    PLACE, USE_PERFORMANCE, USE_RECORDING, USE_ADVERTISING, SKIP, AUDITION, FUNDS, BEERS,
    UNPAID, COMPANY, ASSIGN,
) = range(22)  # fmt: skip
VERB_SHIFT = 40
DIE_BITS = 7  # of one die in ``place``

# ------------------------------------------------------------------ state
#: One seat.  ``artist``, ``condition``: by position, NOBODY where the fifth is empty; ``fifth``: its
#: instrument (KEYBOARD or V_GUITAR; -1 empty).  ``token``: 1 while the active face shows, ``points``: points
#: of it already spent (option bonus_amount = split).  ``fame_by``: fame by source, its sum is ``fame``.
SEAT = record(
    [
        ("money", "i4"), ("fame", "i4"), ("fame_by", "i4", (5,)),
        ("turns", "i2"), ("auditions", "i2"), ("skipped", "i2"),  # own turns, hires, Steps 3 skipped
        ("artist", "i1", (BAND,)), ("condition", "i1", (BAND,)), ("members", "i1"), ("fifth", "i1"),
        ("level", "i1", (3,)), ("token", "i1", (3,)), ("points", "i1", (3,)),
        ("company", "i1"), ("board", "i1"),
        ("free_wages", "i1"),  # the next Step 5 is not paid (option miracle_offturn)
    ]
)  # fmt: skip

STATE = record(
    [
        ("seat", SEAT, (SEATS,)),
        ("deck", "i8"), ("display", "i8"), ("discard", "i8"),  # bits of artists
        ("turns", "i4"),  # begun in the game
        ("players", "i1"), ("first_player", "i1"), ("turn", "i1"), ("asked", "i1"),
        ("phase", "i1"), ("stage", "i1"), ("winner", "i1"),  # winner: -1 before the end
        ("companies", "i1"),  # bits of companies on the table
        # The chance that is waited for: its number of outcomes (0 where a seat decides) and its stream.
        ("outcomes", "i4"), ("luck", "i1"),
        ("choices_left", "i1"),  # Steps 4 still to make, the pending one included
        ("equalizer", "i1"),  # that Step 3's throw belongs to
        # The pending throw: its kind, its dice (ascending values, or by position when ``placed``).
        ("throw_kind", "i1"), ("dice_count", "i1"), ("placed", "i1"), ("dice", "i1", (MOST_DICE,)),
        ("offset", "i1"),  # paid shift of the event roll
        ("again", "i1"),  # bits of the dice that are rolled again
        # Bits of the seats whose tokens could change dice, or a fame, now (see ``bonuses.note``).
        ("dice_seats", "i1"), ("fame_seats", "i1"),
        # The pending response window.
        ("window_seat", "i1"), ("passes", "i1"),  # next seat to ask, seats in a row that did nothing
        ("touched", "i1"),  # bits of seats that have used Performance on the pending change (A19)
        ("gift", "i1"),  # equalizer + 1 whose bonus the active seat may use at once (option levelup_bonus)
        # The pending change of fame: whose, why, as it was made and as it is now.
        ("fame_seat", "i1"), ("source", "i1"), ("printed_change", "i4"), ("change", "i4"),
        ("rises", "i1"),  # levels to go up after the fame of a throw
        # Beers: who drinks in order, whose turn it is, which position rolls next.
        ("drinker", "i1", (SEATS,)), ("drinkers", "i1"), ("drink_index", "i1"), ("position", "i1"),
        ("miracle", "i1"),  # the active seat had one in this turn
        ("miracle_fame", "i4"),  # of the drinker, collected; -1 without a miracle
        ("draws", "i1"),  # cards that still refill the display
        ("hiring", "i1"), ("leaving", "i1"),  # the artist hired last, and the one discarded (-1 none)
    ]
)  # fmt: skip

#: The line-up of one game: board of each seat (0 to 4), and the seat that begins.
SETUP = record([("players", "i4"), ("first_player", "i4"), ("board", "i4", (SEATS,))])
