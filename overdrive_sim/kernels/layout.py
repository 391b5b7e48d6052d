"""Numbers and record types: how Overdrive's state, rules, line-up and actions are stored.

Dice of one face are interchangeable, so dice in hand are a *dice code*: ``H + 7 S + 49 C + 343 I`` with
the count of each face (0 to 6).  Codes add and subtract like the dice they stand for.  Dice on the board
are entries of their owner's list (``board``), each with its place, its face and the seat that placed it.
"""

from __future__ import annotations

from simcore.kernel import record

# Faces, in the order of the sides of a die: H S S C C I.
HORNS, SKULL, CHORD, INFLUENCE = range(4)
FACES = 4
FACE_BITS = FACES - 1  # of an entry that ends in a face
ANY = 4  # a "?" on a space
FACE_LETTERS = "HSCI"
SIDES = (HORNS, SKULL, SKULL, CHORD, CHORD, INFLUENCE)

#: Dice code of one die of each face; a multiset's code is the sum.
UNIT = (1, 7, 49, 343)
CODES = 7**4

# Seats: four players, or Metallum (seat 0) and up to four humans.
SEATS = 5
MOST_DICE = 6
MOST_LOCKED = 8  # borrowed dice in one pool

# Tracks.
FANS, FAME, GRANA, OVERDRIVE = range(4)
TRACKS = ("fans", "fame", "grana", "overdrive")

# Bands; Metallum stands last and is nobody's choice.
BANDS = (
    "starssacration", "dead_and_death", "rebeldogs", "allienogenn", "illuminatti_you_2", "shirtless_vikings",
    "arcane_possession", "cover_bots", "tnshe", "powergirls", "epic_gods", "metallum",
)  # fmt: skip
(
    STARSSACRATION, DEAD_AND_DEATH, REBELDOGS, ALLIENOGENN, ILLUMINATTI_YOU_2, SHIRTLESS_VIKINGS,
    ARCANE_POSSESSION, COVER_BOTS, TNSHE, POWERGIRLS, EPIC_GODS, METALLUM,
) = range(12)  # fmt: skip
NO_BAND = -1

# Targets of an allocation: board spaces, each seat's Viking stage, Hits.
SPACES = (
    "acoustic", "appearance", "interview", "rehearsal", "improvisation", "jam_session", "new_riff",
    "new_member", "opportunity", "resources",
)  # fmt: skip
(
    ACOUSTIC, APPEARANCE, INTERVIEW, REHEARSAL, IMPROVISATION, JAM_SESSION, NEW_RIFF, NEW_MEMBER, OPPORTUNITY,
    RESOURCES,
) = range(10)  # fmt: skip
BOARD_SPACES = 10
VIKING_STAGE = 10  # + seat
HIT = VIKING_STAGE + SEATS  # + number of the Hit in the component file
MOST_HITS = 24
TARGETS = HIT + MOST_HITS
MOST_PLACES = 4  # places of one board space

#: A place is where one allocation lies: MOST_PLACES for each target, ``target * MOST_PLACES + k``.
PLACES = TARGETS * MOST_PLACES

# Distortion effects are numbered as printed, 1 to 14; a physical card is its position in deck order.
EFFECTS = 14
MOST_CARDS = 62

# Awards.
AWARDS = ("bronze", "silver", "gold", "platinum")
NO_AWARD = -1
MOST_AWARDS = 4

# Phases.
ALLOCATION, SHIELDS, ATTACKS, FINISHED = range(4)
PHASES = ("allocation", "shields", "attacks", "over")

# Modes and difficulties.
STANDARD, SOLO, COOP = range(3)
MODES = ("standard", "solo", "coop")
DIFFICULTIES = ("poser", "moleza", "normal", "hardcore", "brutal", "metalgeddon")  # 1 to 6 dice

# Chance streams: a seat's dice, then the piles.
HIT_PILE = SEATS
DISTORTION_PILE = SEATS + 1
STREAMS = SEATS + 2

#: Rows of the fit tables: distinct requirements of one rule set (spaces, Hits, Hits with a cancelled space).
MOST_REQUIREMENTS = 128
MULTISETS = 210  # of up to six dice

#: Symbols of each face that the table of best collections counts one by one.
COVER_MOST = 10

#: Most legal actions that one decision may offer.
LEGAL_CAPACITY = 4096

# ------------------------------------------------------------------ action ids
# An action id is a packed int64; the fields, from the highest, make ascending ids group by verb and
# target.  ``dice`` is the number (0..209) of the multiset of own dice used, ``virtual`` how many of
# TNSHE's single-use faces join them, ``borrowed`` a bit for each entry of the seat's ``locked`` list
# that is used (the first of equal entries), ``detail`` what the verb needs besides.
VERBS = (
    "allocate", "reroll", "set", "buy_level", "buy_die", "buy_hit", "buy_distortion", "play", "ability", "copy",
    "raise", "claim", "shield", "attack", "victim", "end", "pass", "skip", "metallum_hit", "metallum_cancel",
)  # fmt: skip
(
    ALLOCATE, REROLL, SET_FACE, BUY_LEVEL, BUY_DIE, BUY_HIT, BUY_DISTORTION, PLAY, ABILITY, COPY,
    RAISE, CLAIM, SHIELD, ATTACK, VICTIM, END, PASS, SKIP, METALLUM_HIT, METALLUM_CANCEL,
) = range(20)  # fmt: skip

DETAIL_BITS, BORROWED_BITS, VIRTUAL_BITS, DICE_BITS, TARGET_BITS = 24, 8, 2, 8, 6
BORROWED_SHIFT = DETAIL_BITS
VIRTUAL_SHIFT = BORROWED_SHIFT + BORROWED_BITS
DICE_SHIFT = VIRTUAL_SHIFT + VIRTUAL_BITS
TARGET_SHIFT = DICE_SHIFT + DICE_BITS
VERB_SHIFT = TARGET_SHIFT + TARGET_BITS

# ------------------------------------------------------------------ state
#: One seat.  ``pool``, ``spent``, ``shielded``: dice codes (``shielded`` is part of ``pool``).
#: ``board``: own dice on the board as ``place * 32 + placer * 4 + face``, ``on_board`` of them;
#: ``locked``: borrowed dice in the pool as ``owner * 4 + face`` (ascending), ``n_locked`` of them.
#: ``hand``, ``used``: bits of physical cards.  ``hits``: bits of owned Hits.  ``abilities_used``: bit 0 A,
#: bit 1 B (and the passives with a limit).  ``copies``: band whose A, B, C is copied, NO_BAND none.
#: Fields are as narrow as their values, because a state is copied once a decision: without the compiler a
#: field must be widened (``np.int64(field)``) before it is shifted or multiplied.
SEAT = record(
    [
        ("hand", "i8"), ("used", "i8"), ("hits", "i4"),
        ("fans", "i2"), ("fame", "i2"), ("grana", "i2"), ("overdrive", "i2"),
        ("most", "i2", (4,)),  # highest level ever reached on each track (option unlock = reached)
        ("pool", "i2"), ("spent", "i2"), ("shielded", "i2"),
        ("board", "i2", (MOST_DICE,)), ("band", "i2"), ("award", "i2"),
        ("copies", "i1", (3,)), ("locked", "i1", (MOST_LOCKED,)),
        ("extra_dice", "i1"), ("on_board", "i1"), ("n_locked", "i1"), ("single_faces", "i1"), ("abilities_used", "i1"),
        ("bought_hit", "i1"), ("bought_distortion", "i1"), ("claimed", "i1"), ("skulls_wild", "i1"),
        ("attacked", "i2"),  # as wide as it takes to leave no undefined byte at the end
    ]
)  # fmt: skip

# Kinds of pending chance.
(
    NO_CHANCE,
    ROLL_TURN,
    ROLL_AGAIN,
    ROLL_EXTRA,
    ROLL_BATTLE,
    ROLL_METALLUM,
    REVEAL_HIT,
    REVEAL_DISTORTION,
    DRAW_METALLUM,
) = range(9)

#: Pending choices that somebody owes before the game goes on, first in first out: ``kind`` and ``seat``.
(
    NO_CHOICE,
    CHOOSE_COPY_A,
    CHOOSE_COPY_B,
    CHOOSE_COPY_C,
    CHOOSE_RAISE,
    CHOOSE_VICTIM,
    CHOOSE_REACTION,
    CHOOSE_METALLUM_HIT,
    CHOOSE_METALLUM_CANCEL,
) = range(9)
MOST_CHOICES = 24

#: ``dice_at``, ``busy``, ``occupied``, ``full``, ``lying`` follow from the seats' boards, ``in_play`` and ``hit_need``
#: from ``hit_row``, ``hits`` and ``cancelled``: only ``places`` writes them.  ``for_sale`` follows from ``row``.
STATE = record(
    [
        ("seat", SEAT, (SEATS,)),
        ("row", "i8"), ("pile", "i8"), ("discard", "i8"),  # bits of Distortion cards
        ("for_sale", "i8"),  # bits of the cards of the row, equal ones once
        ("occupied", "i8"), ("full", "i8"),  # bits of targets with dice on them, without a free place
        ("hit_pile", "i4"),  # bits of unseen Hits
        ("detail", "i4", (4,)),  # what a pending stage must remember
        ("in_play", "i4", (FACES + 2,)),  # bits of Hits on the table or owned, by their cancelled face, last: none
        ("lying", "i4", (TARGETS,)),  # dice on each target: bit owner * 4 + face
        ("seats", "i2"),  # in play, Metallum included
        ("game_round", "i2"), ("phase", "i2"), ("stage", "i2"), ("turn", "i2"), ("marker", "i2"),
        ("mode", "i2"), ("difficulty", "i2"), ("speed_metal", "i2"), ("hall_of_fame", "i2"), ("free_falling", "i2"),
        ("order", "i2", (SEATS,)),  # seats in the turn order of the round, or of the battle
        ("position", "i2"),  # of the seat in turn, in ``order``
        ("closed", "i2"),  # bits of closed board spaces
        ("hit_row", "i2", (3,)),  # Hits on the table from left to right, -1 none
        ("awards", "i2"),  # bits of awards on the table
        ("chance", "i2"), ("chance_seat", "i2"), ("chance_left", "i2"),  # kind, whose, dice or cards
        ("choices", "i2"), ("choice_kind", "i1", (MOST_CHOICES,)), ("choice_seat", "i1", (MOST_CHOICES,)),
        ("cancelled", "i1", (MOST_HITS,)),  # face cancelled on each owned Hit (ANY for "?"), -1 none
        ("hit_owner", "i1", (MOST_HITS,)),  # -1 none
        ("hit_need", "i1", (MOST_HITS,)),  # requirement row of each Hit in play, of its first way
        ("dice_at", "i1", (PLACES,)),  # dice that lie on each place
        ("busy", "i1", (TARGETS + 1,)),  # bits of occupied places of each target; one more leaves no undefined byte
    ]
)  # fmt: skip

# Where the stage machine goes on when nothing is asked and nothing is rolled (``STATE.stage``).  WAIT is
# the stage in which the seat in turn decides; every other one runs through ``flow.settle``.
(
    WAIT, SET_UP_CARDS, OPEN_ROUND, OPEN_TURN, ROLL_POOL, CLOSE_TURN, METALLUM_HIT_STAGE, METALLUM_CARD_STAGE,
    METALLUM_AWARD_STAGE, OPEN_BATTLE, BATTLE_ROLLS, SHIELD_STAGE, ATTACK_STAGE, NEXT_ATTACKER, BONUS_STAGE,
    RENEW_ROW, CLOSE_ROUND,
) = range(17)  # fmt: skip

#: The line-up and the variant of one game.  ``seats``, ``band`` include Metallum (seat 0) where it plays;
#: ``dice`` is Metallum's number of dice, 0 without it.
SETUP = record(
    [
        ("seats", "i4"), ("first_player", "i4"), ("band", "i4", (SEATS,)), ("mode", "i4"), ("dice", "i4"),
        ("speed_metal", "i4"), ("hall_of_fame", "i4"), ("free_falling", "i4"),
    ]
)  # fmt: skip
