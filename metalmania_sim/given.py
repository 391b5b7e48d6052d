"""The position that a scenario starts from: its partial state, filled up with what a fresh game has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from metalmania_sim.kernels.bonuses import note
from metalmania_sim.kernels.dice import wait_for_throw
from metalmania_sim.kernels.engine import ENGINE, clear
from metalmania_sim.kernels.layout import (
    ACTION,
    BAND,
    BASIC,
    CHOICE,
    CHOOSE_STEP4,
    COMPANIES,
    CONDITION_LETTERS,
    EQUALIZERS,
    EVENT,
    FIFTH,
    FINISHED,
    FROM_HITS,
    INSTRUMENTS,
    KEYBOARD,
    MOST_LEVEL,
    OVER,
    PAY_WAGES,
    PHASES,
    POSITIONS,
    ROLL_EVENT,
    START_ACTION,
    TOKEN_LETTERS,
    V_GUITAR,
    WAGES,
)
from metalmania_sim.kernels.turn import settle
from metalmania_sim.ruleset import load_rules
from metalmania_sim.setup import make_setup
from metalmania_sim.view import (
    ARTIST_LISTS,
    SEAT_KEYS,
    STATE_KEYS,
    read_conditions,
    read_count,
    read_list,
    read_table,
    read_tokens,
    read_word,
)
from metalmania_sim.words import (
    artist_names,
    company_names,
    read_artist,
    read_company,
    read_instrument,
    read_number,
)
from simcore.errors import UsageError

#: Steps that a ``given`` may stand in.
STEPS = PHASES[: FINISHED + 1]


def given(scenario: Mapping[str, Any]) -> tuple[np.ndarray, Any, bool]:
    """State of shape (1,), rules, and whether the game is fresh, from a scenario's tables.

    A fresh game waits for its deal.  Raises UsageError naming place, value and what is allowed.
    """
    rules = load_rules(_overrides(scenario), None, scenario.get("data_file"))
    setup = make_setup(scenario.get("variant", {}), rules)
    state = ENGINE.new_state()
    ENGINE.kernels.reset(state[0], rules.packed[0], setup[0])
    if "given" not in scenario:
        return state, rules, True
    _Filling(state, rules, read_table(scenario["given"], STATE_KEYS, "given")).fill()
    return state, rules, False


def _overrides(scenario: Mapping[str, Any]) -> dict[str, Any]:
    options = {f"options.{name}": value for name, value in scenario.get("options", {}).items()}
    return {**options, **scenario.get("data", {})}


class _Filling:
    """One partial state being filled in.  ``where``: the place of every artist that has one."""

    def __init__(self, state: np.ndarray, rules: Any, table: Mapping[str, Any]) -> None:
        self.state = state
        self.row = state[0]
        self.rules = rules
        self.table = table
        self.where: dict[int, str] = {}

    def fill(self) -> None:
        """Put everything in; what is not named is as after set-up."""
        row, table = self.row, self.table
        players = int(row.players)
        seats = read_list(table.get("seats", []), "given: seats")
        if len(seats) > players:
            raise UsageError(f"given: seats: {len(seats)} seats, but variant.players is {players}")
        row.turn = row.asked = self._seat_number("turn", 0)
        for number in range(players):
            place = f"given: seats[{number}]"
            self._seat(number, read_table(seats[number] if number < len(seats) else {}, SEAT_KEYS, place), place)
        self._artists()
        self._companies()
        self._stand(read_word(table.get("step", PHASES[EVENT]), STEPS, "step", "given: step"))

    def _seat_number(self, key: str, default: int) -> int:
        players = int(self.row.players)
        number = read_count(self.table.get(key, default), f"given: {key}")
        if number >= players:
            raise UsageError(f"given: {key} = {number}: seats are 0 to {players - 1}")
        return number

    # ---------------------------------------------------------------- seats

    def _seat(self, number: int, table: Mapping[str, Any], place: str) -> None:
        me = self.row.seat[number]
        if "money" in table:
            me.money = read_count(table["money"], f"{place}.money")
            most = int(self.rules.packed[0].most_money)
            if me.money > most:
                raise UsageError(f"{place}.money = {int(me.money)}: at most {most} is held (options.money_cap)")
        # Fame of unknown origin counts as won by hits, so that the sum over the sources is the fame.
        me.fame = me.fame_by[FROM_HITS] = read_count(table.get("fame", 0), f"{place}.fame")
        self._band(me, read_table(table.get("band", {}), POSITIONS, f"{place}.band"), f"{place}.band")
        self._conditions(me, table.get("conditions"), f"{place}.conditions")
        levels = read_table(table.get("levels", {}), EQUALIZERS, f"{place}.levels")
        for name, level in levels.items():
            if read_count(level, f"{place}.levels.{name}") > MOST_LEVEL:
                raise UsageError(f"{place}.levels.{name} = {level}: levels are 0 to {MOST_LEVEL}")
            me.level[EQUALIZERS.index(name)] = level
        active = read_tokens(table.get("tokens", TOKEN_LETTERS), f"{place}.tokens")
        for k, letter in enumerate(TOKEN_LETTERS):
            me.token[k] = letter in active
        note(self.row, self.rules.packed[0], number)
        if "company" in table:
            company = read_company(self.rules, table["company"], f"{place}.company")
            if not int(self.row.companies) >> company & 1:
                raise UsageError(f"{place}.company: {company_names(self.rules)[company]!r} is held by two seats")
            me.company = company
            self.row.companies &= ~(1 << company)

    def _band(self, me: Any, table: Mapping[str, Any], place: str) -> None:
        for name, text in table.items():
            where = f"{place}.{name}"
            position = POSITIONS.index(name)
            word, _, part = str(text).partition(":")
            artist = read_artist(self.rules, word, where)
            instrument = self._part(artist, position, part, where)
            if not int(self.rules.packed[0].plays[artist]) >> instrument & 1:
                raise UsageError(
                    f"{where}: {artist_names(self.rules)[artist]} does not play the {INSTRUMENTS[instrument]}"
                )
            if position == FIFTH:
                me.fifth = instrument
                me.members = BAND
            me.artist[position] = artist
        for position in range(int(me.members)):
            self._put(int(me.artist[position]), f"{place}.{POSITIONS[position]}")

    def _part(self, artist: int, position: int, word: str, place: str) -> int:
        """The instrument of a position; on the fifth the one that is named, or the only one played."""
        if position != FIFTH:
            if word and read_instrument(word, place) != position:
                raise UsageError(f"{place}: nobody plays the {word} there")
            return position
        if word:
            return FIFTH + read_number(word, INSTRUMENTS[FIFTH:], "instrument of the fifth position", place)
        plays = int(self.rules.packed[0].plays[artist])
        if plays >> KEYBOARD & 1 and plays >> V_GUITAR & 1:
            raise UsageError(f"{place}: name the instrument too, such as 'kay:keyboard'")
        return V_GUITAR if plays >> V_GUITAR & 1 else KEYBOARD

    def _conditions(self, me: Any, value: Any, place: str) -> None:
        if value is None:
            return
        letters = read_conditions(value, place)
        if len(letters) != me.members:
            raise UsageError(f"{place} = {value!r}: the band has {int(me.members)} artists")
        for position, letter in enumerate(letters):
            me.condition[position] = CONDITION_LETTERS.index(letter)

    # ---------------------------------------------------------------- artists and companies

    def _put(self, artist: int, place: str) -> None:
        other = self.where.setdefault(artist, place)
        if other != place:
            raise UsageError(f"{place}: {artist_names(self.rules)[artist]!r} stands at {other} too")

    def _named(self, key: str) -> list[int] | None:
        """Artists of a list of the ``given``, None where it is not named."""
        if key not in self.table:
            return None
        place = f"given: {key}"
        artists = [read_artist(self.rules, name, place) for name in read_list(self.table[key], place)]
        for number, artist in enumerate(artists):
            self._put(artist, f"{place}[{number}]")
        return artists

    def _artists(self) -> None:
        """Display, deck, discards: first what is named, then the open pool artists, the rest in the deck."""
        display, deck, discards = (self._named(key) for key in ARTIST_LISTS)
        if display is None:
            pool = range(BASIC * len(self.rules.packed[0].board), len(artist_names(self.rules)))
            free = [artist for artist in pool if artist not in self.where]
            display = free[: int(self.rules.packed[0].display_size)]
            self.where.update(dict.fromkeys(display, "given: display"))
        if deck is None:
            # The set-up's deck leaves out the artists of the box (option unused_board_artists).
            box = self._box()
            deck = [a for a in range(len(artist_names(self.rules))) if a not in self.where and a not in box]
        self.row.display = _mask(display)
        self.row.deck = _mask(deck)
        self.row.discard = _mask(discards or [])

    def _box(self) -> set[int]:
        """Artists that the set-up put nowhere."""
        row = self.row
        boards = {int(row.seat[seat].board) for seat in range(int(row.players))}
        if self.rules.packed[0].option.unused_board_artists == 0:
            return set()
        unused = [board for number, board in enumerate(self.rules.packed[0].board) if number not in boards]
        return {int(artist) for board in unused for artist in board}

    def _companies(self) -> None:
        if "companies" not in self.table:
            return
        place = "given: companies"
        named = [read_company(self.rules, name, place) for name in read_list(self.table["companies"], place)]
        for company in named:
            if not int(self.row.companies) >> company & 1 or named.count(company) > 1:
                raise UsageError(f"{place}: {company_names(self.rules)[company]!r} is named twice")
        self.row.companies = _mask(named) & ((1 << COMPANIES) - 1)

    # ---------------------------------------------------------------- where the turn stands

    def _stand(self, step: str) -> None:
        """The phase and what is asked for next; then the game goes on to its first decision or chance."""
        row = self.row
        clear(row)
        phase = PHASES.index(step)
        row.phase = phase
        if "winner" in self.table and phase != FINISHED:
            raise UsageError("given: winner: only with step = 'over'")
        if phase == EVENT:
            wait_for_throw(row, ROLL_EVENT, 2, row.turn)
        elif phase == ACTION:
            row.stage = START_ACTION
        elif phase == CHOICE:
            row.choices_left = 1
            row.stage = CHOOSE_STEP4
        elif phase == WAGES:
            row.stage = PAY_WAGES
        else:
            row.winner = self._seat_number("winner", 0)
            row.stage = OVER
        settle(row, self.rules.packed[0])


def _mask(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)
