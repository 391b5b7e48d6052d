"""A state as plain data, with exactly the keys of the scenario format."""

from __future__ import annotations

from typing import Any

import numpy as np

from overdrive_sim.kernels.engine import ENGINE
from overdrive_sim.kernels.layout import (
    AWARDS,
    BANDS,
    BOARD_SPACES,
    COVER_BOTS,
    FACE_LETTERS,
    FACES,
    FINISHED,
    HIT,
    METALLUM,
    MOST_PLACES,
    NO_AWARD,
    NO_BAND,
    PHASES,
    RESOURCES,
    SPACES,
    STANDARD,
    VIKING_STAGE,
)  # fmt: skip
from overdrive_sim.words import NONE_WORD, UNSEEN, Desk, bits, counts_of, dice_text

STATE_KEYS = (
    "round", "phase", "marker", "turn", "table", "piles", "spaces", "order", "closed", "seats", "scores", "ranks",
    "humans_win",
)  # fmt: skip
TABLE_KEYS = ("hits", "distortions", "awards")
PILE_KEYS = ("hits", "distortions", "discard")
SEAT_KEYS = (
    "band", "fans", "fame", "grana", "overdrive", "extra_dice", "pool", "locked", "spent", "shielded", "hand", "used",
    "hits", "award", "used_abilities", "copies", "single_faces", "bought_hit", "bought_distortion", "claimed",
    "skulls_wild", "attacked",
)  # fmt: skip
SCORE_KEYS = ("total", "fans", "fame", "overdrive", "special", "hits", "award", "symbols")
#: Keys of a result's seat, in the order of SCORE_KEYS.
_SCORE_FIELDS = (
    "total", "fans_points", "fame_points", "overdrive_points", "special_points", "hit_points", "award_points",
    "symbol_points",
)  # fmt: skip


def view(state: Any, rules: Any, viewer: int | None = None) -> dict[str, Any]:
    """The state as plain data (numbers, texts, lists, tables) with the scenario format's keys.

    ``viewer``: a seat that cannot see Metallum's hand before the end; its cards then show as "?" and lie,
    as far as the viewer knows, among the unseen ones of the pile.  None sees everything.
    """
    desk = Desk(state, rules)
    row = desk.row
    over = bool(row.phase == FINISHED)
    hidden = 0 if viewer is None or over else _hidden(desk, viewer)
    seats = int(row.seats)
    shown: dict[str, Any] = {
        "round": int(row.game_round),
        "phase": PHASES[int(row.phase)],
        "marker": int(row.marker),
        "turn": desk.asked,
        "order": [int(seat) for seat in row.order[:seats]],
        "closed": sorted(SPACES[space] for space in range(BOARD_SPACES) if int(row.closed) >> space & 1),
        "table": {
            "hits": [desk.hit_names[int(hit)] for hit in row.hit_row if hit >= 0],
            "distortions": cards(desk, row.row),
            "awards": [name for k, name in enumerate(AWARDS) if int(row.awards) >> k & 1],
        },
        "piles": {
            "hits": [desk.hit_names[hit] for hit in bits(row.hit_pile)],
            "distortions": cards(desk, int(row.pile) | hidden),
            "discard": cards(desk, row.discard),
        },
        "spaces": spaces(desk),
        "seats": [_seat(desk, seat, hidden) for seat in range(seats)],
    }
    return {**shown, **_outcome(desk)} if over else shown


def _hidden(desk: Desk, viewer: int) -> int:
    """Bits of the cards that ``viewer`` cannot see: Metallum's hand (R-SOL-10)."""
    hands = [int(s.hand) for k, s in enumerate(desk.row.seat) if s.band == METALLUM and k != viewer]
    return sum(hands)


def cards(desk: Desk, among: Any) -> list[str]:
    """Cards of a set (bits) as ``N:ICON``, in deck order."""
    return [desk.card_label(card) for card in bits(among)]


def spaces(desk: Desk) -> dict[str, list[str]]:
    """Dice on every open space and every Hit in play: a text for each place, for each die on Resources."""
    row = desk.row
    held: dict[int, list[tuple[int, int, int, int]]] = {}
    for owner in range(int(row.seats)):
        me = row.seat[owner]
        for entry in map(int, me.board[: int(me.on_board)]):
            spot, placer, face = entry // 32, entry // 4 % 8, entry % 4
            held.setdefault(spot // MOST_PLACES, []).append((spot % MOST_PLACES, placer, owner, face))
    return {desk.target_key(target): _placed(target, held.get(target, [])) for target in _targets(desk)}


def _targets(desk: Desk) -> list[int]:
    """Targets that exist in this position: open spaces, stages, Hits on the table and in play areas."""
    row = desk.row
    found = [space for space in range(BOARD_SPACES) if not int(row.closed) >> space & 1]
    found += [VIKING_STAGE + seat for seat in desk.stages()]
    hits = {int(hit) for hit in row.hit_row if hit >= 0}
    for seat in range(int(row.seats)):
        hits.update(bits(row.seat[seat].hits))
    return found + [HIT + hit for hit in sorted(hits)]


def _placed(target: int, dice: list[tuple[int, int, int, int]]) -> list[str]:
    """Texts such as ``0:CCSI@1`` of what lies on one target."""
    if target == RESOURCES:
        return [
            lot_text(placer, [(owner, face)]) for _, placer, owner, face in sorted(dice, key=lambda d: (d[1], d[2:]))
        ]
    lots: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for place, placer, owner, face in sorted(dice):
        lots.setdefault((place, placer), []).append((owner, face))
    return [lot_text(placer, lot) for (_, placer), lot in lots.items()]


def lot_text(placer: int, dice: list[tuple[int, int]]) -> str:
    """One place: who placed the dice, its own faces, then those of others with their owners."""
    own = "".join(FACE_LETTERS[face] for owner, face in sorted(dice, key=lambda d: d[1]) if owner == placer)
    lent = sorted((face, owner) for owner, face in dice if owner != placer)
    return f"{placer}:{own}" + "".join(f"{FACE_LETTERS[face]}@{owner}" for face, owner in lent)


def _seat(desk: Desk, seat: int, hidden: int) -> dict[str, Any]:
    me = desk.row.seat[seat]
    unseen = [UNSEEN] * len(bits(int(me.hand) & hidden))
    shown: dict[str, Any] = {
        "band": BANDS[int(me.band)],
        **{track: int(me[track]) for track in ("fans", "fame", "grana", "overdrive", "extra_dice")},
        **{dice: dice_text(counts_of(me[dice])) for dice in ("pool", "spent", "shielded")},
        "locked": [f"{FACE_LETTERS[int(e) % FACES]}@{int(e) // FACES}" for e in me.locked[: int(me.n_locked)]],
        "hand": cards(desk, int(me.hand) & ~hidden) + unseen,
        "used": cards(desk, me.used),
        "hits": [desk.owned_text(hit) for hit in bits(me.hits)],
        "award": AWARDS[int(me.award)] if me.award != NO_AWARD else NONE_WORD,
        "used_abilities": ["abc"[k] for k in bits(me.abilities_used)],
        "copies": {},
        "single_faces": int(me.single_faces),
        **{flag: bool(me[flag]) for flag in ("bought_hit", "bought_distortion", "claimed", "skulls_wild", "attacked")},
    }
    if me.band == COVER_BOTS:
        shown["copies"] = {"abc"[k]: BANDS[int(b)] for k, b in enumerate(me.copies) if b != NO_BAND}
    return {key: shown[key] for key in SEAT_KEYS}


def _outcome(desk: Desk) -> dict[str, Any]:
    """Scores, ranks and, where Metallum plays, whether the humans win."""
    out = np.zeros(1, ENGINE.result)
    ENGINE.kernels.outcome(desk.row, desk.table, out[0])
    seats = out[0].seat[: int(desk.row.seats)]
    shown: dict[str, Any] = {
        "scores": [
            {key: int(seat[field]) for key, field in zip(SCORE_KEYS, _SCORE_FIELDS, strict=True)} for seat in seats
        ],
        "ranks": [int(seat.rank) for seat in seats],
    }
    if desk.row.mode != STANDARD:
        shown["humans_win"] = bool(out[0].humans_win == 1)
    return shown
