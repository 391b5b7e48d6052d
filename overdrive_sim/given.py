"""From a scenario's partial ``given`` to a state: what it does not name is as in a fresh game."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from overdrive_sim.given_cards import deal_cards, deal_hits
from overdrive_sim.given_dice import count_dice, lay_dice, read_locked
from overdrive_sim.kernels.battle import order_by_fame
from overdrive_sim.kernels.engine import ENGINE
from overdrive_sim.kernels.flow import settle
from overdrive_sim.kernels.layout import (
    ALLOCATION,
    ATTACK_STAGE,
    AWARDS,
    BANDS,
    COVER_BOTS,
    FINISHED,
    METALLUM,
    NO_BAND,
    NO_CHANCE,
    OPEN_TURN,
    PHASES,
    SHIELD_STAGE,
    SHIELDS,
    SPACES,
    TRACKS,
    WAIT,
)  # fmt: skip
from overdrive_sim.kernels.rules import PROTECT, SINGLE_FACES
from overdrive_sim.kernels.setup import reset
from overdrive_sim.ruleset import Rules, load_rules
from overdrive_sim.setup import human_bands, make_setup
from overdrive_sim.view import SEAT_KEYS, STATE_KEYS
from overdrive_sim.words import ALIASES, NONE_WORD, Desk, bits, code_of, counts_of, read_counts, read_name
from simcore.errors import UsageError, unknown

#: Keys of a state that are derived, never given.
_DERIVED = ("scores", "ranks", "humans_win")
GIVEN_KEYS = tuple(key for key in STATE_KEYS if key not in _DERIVED)
#: Highest level that a state can hold.
MAX_LEVEL = 30_000
_FLAGS = ("bought_hit", "bought_distortion", "claimed", "skulls_wild", "attacked")


def from_scenario(scenario: Mapping[str, Any]) -> tuple[np.ndarray, Rules, bool]:
    """State (array of shape (1,)), rules and whether the game is fresh, from a scenario's tables.

    Raises UsageError for an unknown word, and for a state that no game can reach (too many dice, a card
    in two places).
    """
    data = dict(scenario.get("data", {}))
    options = {f"options.{name}": value for name, value in scenario.get("options", {}).items()}
    rules = load_rules({**data, **options}, scenario.get("data_file"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if "given" not in scenario:
            return _fresh(make_setup(scenario.get("variant", {}), rules), rules), rules, True
        return Given(scenario, rules).state, rules, False


def _fresh(setup: np.ndarray, rules: Rules) -> np.ndarray:
    state = ENGINE.new_state()
    reset(state[0], rules.packed[0], setup[0])
    return state


def number(table: Mapping[str, Any], key: str, place: str, *, least: int = 0, most: int, default: int = 0) -> int:
    """The whole number under ``key``.  Raises UsageError outside of ``least`` to ``most``."""
    value = table.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise UsageError(f"{place}: {key} = {value!r} (allowed: {least} to {most})")
    return value


def table_of(value: Any, place: str) -> Mapping[str, Any]:
    """``value`` if it is a table.  Raises UsageError."""
    if not isinstance(value, Mapping):
        raise UsageError(f"{place}: expected a table, found {value!r}")
    return value


def list_of(value: Any, place: str) -> list[Any]:
    """``value`` if it is a list.  Raises UsageError."""
    if not isinstance(value, list | tuple):
        raise UsageError(f"{place}: expected a list, found {value!r}")
    return list(value)


def known(table: Mapping[str, Any], keys: tuple[str, ...], place: str) -> None:
    """Raise UsageError for a key that is not among ``keys``."""
    for key in table:
        if key not in keys:
            raise unknown(place, "key", key, keys)


class Given:
    """One ``given`` being turned into ``state``, part by part."""

    def __init__(self, scenario: Mapping[str, Any], rules: Rules) -> None:
        self.rules = rules
        self.table = rules.packed[0]
        self.given = table_of(scenario["given"], "given")
        known(self.given, GIVEN_KEYS, "given")
        self.named = [table_of(s, "given.seats") for s in list_of(self.given.get("seats", []), "given.seats")]
        variant = dict(scenario.get("variant", {}))
        self.metallum_dice = "difficulty" in variant
        self.state = _fresh(make_setup({**variant, "bands": self._bands(variant)}, rules), rules)
        self.row = self.state[0]
        self.seats = int(self.row.seats)
        if len(self.named) > self.seats:
            raise UsageError(f"given.seats: {len(self.named)} seats, but {self.seats} are in play")
        self.named += [{}] * (self.seats - len(self.named))
        self._frame()
        for seat, named in enumerate(self.named):
            self._seat(seat, named, f"given.seats[{seat}]")
        self._order()
        self._awards()
        deal_hits(self.row, rules, self.given, self.named)
        deal_cards(self.row, rules, self.given, self.named)
        self._dice()
        self._start()

    # ---------------------------------------------------------------- who plays, and when

    def _bands(self, variant: Mapping[str, Any]) -> list[str] | None:
        """Bands of the humans: as named, unnamed ones the first free bands in printed order."""
        mode = variant.get("mode", "standard")
        named = self.named[1:] if mode != "standard" else self.named
        if mode != "standard" and self.named and self.named[0].get("band", "metallum") != "metallum":
            raise UsageError(f"given.seats[0]: band = {self.named[0]['band']!r}: seat 0 is metallum in {mode}")
        players = variant.get("players", len(named) or None)
        if not isinstance(players, int):
            return None
        listed = list(variant.get("bands", []))
        bands: list[Any] = [named[k].get("band") if k < len(named) else None for k in range(players)]
        bands = [band or (listed[k] if k < len(listed) else None) for k, band in enumerate(bands)]
        free = [name for name in human_bands(str(mode)) if name not in bands]
        for name in filter(None, bands):
            read_name(name, human_bands(str(mode)), "band", "given.seats")
        return [band or free.pop(0) for band in bands] + [s.get("band") for s in named[players:] if "band" in s]

    def _frame(self) -> None:
        row, given = self.row, self.given
        row.chance, row.chance_left, row.chance_seat = NO_CHANCE, 0, 0
        row.stage = WAIT
        row.game_round = number(given, "round", "given", least=1, most=int(self.table.last_round), default=1)
        phase = read_name(given.get("phase", PHASES[ALLOCATION]), PHASES, "phase", "given.phase")
        row.phase = PHASES.index(phase)
        if "closed" in given:
            names = [ALIASES.get(name, name) for name in list_of(given["closed"], "given.closed")]
            row.closed = sum(1 << SPACES.index(read_name(n, SPACES, "space", "given.closed")) for n in set(names))

    def _order(self) -> None:
        row, given, last = self.row, self.given, self.seats - 1
        order = given.get("order")
        first = int(order[0]) if isinstance(order, list) and order else int(row.marker)
        row.marker = number(given, "marker", "given", most=last, default=first)
        for k in range(self.seats):
            row.order[k] = (int(row.marker) + k) % self.seats
        if row.hall_of_fame and row.phase != ALLOCATION:
            order_by_fame(row)
        if order is not None:
            if sorted(list_of(order, "given.order"), key=str) != list(range(self.seats)):
                raise UsageError(f"given.order = {order!r}: every seat from 0 to {last} once")
            row.order[: self.seats] = order
        row.turn = number(given, "turn", "given", most=last, default=int(row.order[0]))
        row.position = list(row.order[: self.seats]).index(row.turn)

    # ---------------------------------------------------------------- seats

    def _seat(self, seat: int, named: Mapping[str, Any], place: str) -> None:
        known(named, SEAT_KEYS, place)
        me = self.row.seat[seat]
        for k, track in enumerate(TRACKS):
            me[track] = me.most[k] = number(named, track, place, most=MAX_LEVEL)
        me.extra_dice = number(named, "extra_dice", place, most=int(self.table.extra_dice))
        for dice in ("pool", "spent", "shielded"):
            me[dice] = self._dice_of(named, dice, place)
        for flag in _FLAGS:
            value = named.get(flag, False)
            if not isinstance(value, bool):
                raise UsageError(f"{place}: {flag} = {value!r} (allowed: true, false)")
            me[flag] = value
        self._abilities(me, named, place)
        locked = read_locked(named.get("locked", []), self.seats, seat, place)
        me.n_locked = len(locked)
        me.locked[: len(locked)] = locked

    def _dice_of(self, named: Mapping[str, Any], key: str, place: str) -> int:
        text = named.get(key, "")
        if not isinstance(text, str):
            raise UsageError(f"{place}: {key} = {text!r}: dice are a run of letters, as in 'CCSI'")
        counts = read_counts(text, f"{place}: {key}")
        if sum(counts) > len(self.row.seat[0].board):
            raise UsageError(f"{place}: {key} = {text!r}: more dice than a seat can have")
        return code_of(counts)

    def _abilities(self, me: Any, named: Mapping[str, Any], place: str) -> None:
        used = list_of(named.get("used_abilities", []), f"{place}: used_abilities")
        letters = [read_name(str(letter), "abc", "ability", f"{place}: used_abilities") for letter in used]
        me.abilities_used = sum(1 << "abc".index(letter) for letter in set(letters))
        copies = table_of(named.get("copies", {}), f"{place}: copies")
        known(copies, ("a", "b", "c"), f"{place}: copies")
        if copies and me.band != COVER_BOTS:
            raise UsageError(f"{place}: copies: only cover_bots copy abilities, this is {BANDS[int(me.band)]}")
        for letter, name in copies.items():
            playing = [BANDS[int(s.band)] for s in self.row.seat if s.band not in (NO_BAND, COVER_BOTS, METALLUM)]
            me.copies["abc".index(letter)] = BANDS.index(read_name(name, playing, "band", f"{place}: copies.{letter}"))
        source = int(me.copies[1]) if me.band == COVER_BOTS else int(me.band)
        has_faces = source != NO_BAND and self.table.ability_kind[source, 1] == SINGLE_FACES
        most = int(self.table.single_faces)
        me.single_faces = number(named, "single_faces", place, most=most, default=most if has_faces else 0)

    def _awards(self) -> None:
        on_table = (1 << len(AWARDS)) - 1
        for seat, named in enumerate(self.named):
            name, place = named.get("award", NONE_WORD), f"given.seats[{seat}]: award"
            if name in (NONE_WORD, ""):
                continue
            award = AWARDS.index(read_name(name, (*AWARDS, NONE_WORD), "award", place))
            if not on_table >> award & 1:
                raise UsageError(f"{place}: {name} is held by another seat")
            on_table &= ~(1 << award)
            self.row.seat[seat].award = award
        listed = table_of(self.given.get("table", {}), "given.table").get("awards")
        if listed is not None:
            names = [read_name(n, AWARDS, "award", "given.table.awards") for n in list_of(listed, "given.table.awards")]
            wanted = sum(1 << AWARDS.index(name) for name in set(names))
            if wanted & ~on_table or len(set(names)) != len(names):
                raise UsageError(f"given.table.awards = {names}: an award lies in two places")
            on_table = wanted
        self.row.awards = on_table

    # ---------------------------------------------------------------- dice, and the start

    def _dice(self) -> None:
        desk = Desk(self.state, self.rules, asked=int(self.row.turn))
        lay_dice(self.row, desk, table_of(self.given.get("spaces", {}), "given.spaces"))
        count_dice(self.row, self.table, self.metallum_dice)

    def _start(self) -> None:
        """Let the state stand where its seat decides; a turn of Metallum runs by itself."""
        row = self.row
        me = row.seat[int(row.turn)]
        if row.phase == SHIELDS:
            protections = [c for c in bits(me.used) if self._protects(c)]
            shields = sum(counts_of(me.shielded)) - len(protections)
            row.detail[0] = int(shields > 0)
        if row.phase == FINISHED or me.band != METALLUM:
            return
        if me.pool and row.phase == ALLOCATION:
            raise UsageError("given: Metallum keeps no dice in the allocation phase; its turn begins with its roll")
        row.stage = {ALLOCATION: OPEN_TURN, SHIELDS: SHIELD_STAGE}.get(int(row.phase), ATTACK_STAGE)
        settle(row, self.table)

    def _protects(self, card: int) -> bool:
        return bool(self.table.effect_kind[self.table.card_number[card]] == PROTECT)
