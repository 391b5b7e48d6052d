"""Overdrive's table: the board with its dice, Hits, Distortion cards, awards, tracks, and every band's sheet."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from experiments.replay.overdrive_words import (
    FACES,
    ability_text,
    distortion_text,
    hit_text,
    levels_text,
    space_text,
    special_text,
)
from experiments.replay.scene import Card, Cards, Dice, Die, Fact, Group, Level, Panel, Places, Row, Turn
from experiments.verdict import spoken
from overdrive_sim.kernels.layout import (
    ALLOCATION,
    BANDS,
    FACE_LETTERS,
    FINISHED,
    METALLUM,
    RESOURCES,
    SPACES,
    TRACKS,
)
from overdrive_sim.view import view
from overdrive_sim.words import NONE_WORD, STAGE_WORD, UNSEEN, read_counts, row_of

#: A die of a lot: its face, and ``@seat`` where it is another's.
_LOT_DIE = re.compile(r"([HSCI])(?:@(\d+))?")

#: Levels that a track shows at least, so that its bar does not fill with the first step.
_LEAST_TRACK = 10


# ------------------------------------------------------------------ who and when
def seat_name(state: np.ndarray, rules: Any, seat: int) -> str:
    """The band's printed name."""
    return str(rules.model.bands[BANDS[int(row_of(state).seat[seat].band)]].title)


def turn(state: np.ndarray, rules: Any) -> Turn:
    """A seat's turn of the allocation phase, or a battle."""
    row = row_of(state)
    number = int(row.game_round)
    if row.phase == FINISHED:
        return Turn((number, "over"), "End of the game", f"Round {number}")
    if row.phase != ALLOCATION:
        name = "Final Battle" if number == rules.model.rounds.last else "Battle of Bands"
        return Turn((number, "battle"), f"Round {number}, {name}", f"Round {number}")
    seat = int(row.turn)
    return Turn((number, seat), f"Round {number}, {seat_name(state, rules, seat)}", f"Round {number}")


def legend(rules: Any) -> list[tuple[str, str]]:
    """The faces of the dice."""
    return list(FACES.items())


# ------------------------------------------------------------------ the table
def table(state: np.ndarray, rules: Any, viewer: int | None, names: Sequence[str]) -> list[Group]:
    """Board, Hits, cards and awards, tracks, sheets."""
    shown = view(state, rules, viewer)
    return [
        Group("Board", "small", _board(shown, rules)),
        Group("Hits", "small", _hits(shown, rules, names)),
        Group("Cards on the table", "medium", _offers(shown, rules)),
        Group("Tracks", "medium", _tracks(shown, rules, names)),
        Group("Bands", "large", [_sheet(shown, rules, seat, name) for seat, name in enumerate(names)]),
    ]


def _face(letter: str, seat: int = -1, mark: str = "") -> Die:
    return Die(letter, FACES[letter], seat, mark)


def _dice(text: str, seat: int, shielded: str = "") -> list[Die]:
    """Dice of a run of letters, ``shielded`` ones among them marked."""
    found = []
    for letter, n, marked in zip(FACE_LETTERS, read_counts(text, "dice"), read_counts(shielded, "dice"), strict=True):
        found += [_face(letter, seat)] * (n - marked) + [_face(letter, seat, "shielded")] * marked
    return found


def _lots(texts: Sequence[str]) -> list[tuple[int, list[Die]]]:
    """Who placed the dice of each place, and the dice, from texts such as ``0:CCSI@1``."""
    lots = []
    for text in texts:
        placer, _, dice = text.partition(":")
        lots.append((int(placer), [_face(face, int(owner or placer)) for face, owner in _LOT_DIE.findall(dice)]))
    return lots


def _board(shown: Mapping[str, Any], rules: Any) -> list[Panel]:
    panels = []
    for name in SPACES:
        space = rules.model.board[name]
        if name in shown["closed"]:
            panels.append(Panel(f"space:{name}", space.title, [], "closed in this game"))
            continue
        lots = _lots(shown["spaces"][name])
        rows: list[Row] = [
            Dice("Needs", [_face(letter) for letter in space.spaces]),
            Fact("Brings", space_text(name, space)),
            Places("Dice", lots, -1 if name == SPACES[RESOURCES] else space.places - len(lots)),
        ]
        panels.append(Panel(f"space:{name}", space.title, rows))
    for name, texts in shown["spaces"].items():
        if name.startswith(STAGE_WORD):
            panels.append(_stage(name, texts, shown, rules))
    return panels


def _stage(name: str, texts: Sequence[str], shown: Mapping[str, Any], rules: Any) -> Panel:
    """A stage of the Shirtless Vikings, or of the Cover Bots that copy them."""
    ability = rules.model.bands["shirtless_vikings"].b
    lots = _lots(texts)
    rows: list[Row] = [Places("Dice", lots, 1 - len(lots))]
    if ability.does == "stage":
        rows.insert(0, Fact("Needs and brings", f"{ability.spaces} for {levels_text(ability.reward)}"))
    _, _, seat = name.partition("@")
    return Panel(f"space:{name}", "Viking stage" + (f" of seat {seat}" if seat else ""), rows)


def _hits(shown: Mapping[str, Any], rules: Any, names: Sequence[str]) -> list[Panel]:
    """Hits on the table from left to right, then those in play areas by seat."""
    panels = [_hit(name, "", -1, shown, rules, "on the table") for name in shown["table"]["hits"]]
    for seat, me in enumerate(shown["seats"]):
        for text in me["hits"]:
            name, _, cancelled = text.partition(" cancel ")
            panels.append(_hit(name, cancelled, seat, shown, rules, f"owned by {names[seat]}"))
    return panels


def _hit(name: str, cancelled: str, seat: int, shown: Mapping[str, Any], rules: Any, note: str) -> Panel:
    hit = rules.model.hits[name]
    lots = _lots(shown["spaces"][f"hit:{name}"])
    rows: list[Row] = [Fact("Needs and brings", hit_text(hit))]
    if cancelled:
        rows.append(Fact("Cancelled", f"{cancelled} ({FACES[cancelled]}) cancelled"))
    rows += [
        Fact("Symbol", f"symbol {hit.symbol} ({FACES[hit.symbol]})"),
        Places("Dice", lots, 1 - len(lots)),
    ]
    note += "" if seat >= 0 else f", {hit.price} Grana"
    return Panel(f"hit:{name}", _hit_title(rules, name), rows, note, seat)


def _hit_title(rules: Any, name: str) -> str:
    """The printed title; a Hit of the user's may have none."""
    return rules.model.hits[name].title or spoken(name)


def card_of(label: str, rules: Any, badge: str = "") -> Card:
    """A Distortion card by its label ``N:ICON``; ``?`` lies face down."""
    if label == UNSEEN:
        return Card("?", "face down")
    number, _, icon = label.partition(":")
    return Card(f"No. {number}, {icon}", distortion_text(rules.model.distortions[number]), badge)


def _offers(shown: Mapping[str, Any], rules: Any) -> list[Panel]:
    on_offer, piles = shown["table"], shown["piles"]
    price = f"{len(on_offer['distortions'])} Grana"
    awards = [
        Card(one.title, f"for {levels_text(one.target).replace('+', '')}", f"{one.points} points")
        for one in map(rules.model.awards.__getitem__, on_offer["awards"])
    ]
    return [
        Panel(
            "distortions", "Distortion",
            [Cards("On the table", [card_of(label, rules, price) for label in on_offer["distortions"]], "none")],
        ),
        Panel("awards", "Awards", [Cards("On the table", awards, "none left")]),
        Panel(
            "piles", "Piles",
            [
                Fact("Hits", f"{len(piles['hits'])} face down"),
                Fact("Distortion", f"{len(piles['distortions'])} face down, {len(piles['discard'])} discarded"),
            ],
        ),
    ]  # fmt: skip


def _tracks(shown: Mapping[str, Any], rules: Any, names: Sequence[str]) -> list[Panel]:
    """A panel a track, every band's level on it."""
    levels = rules.model.levels
    notes = {
        "fans": f"at {levels.symbol} a second symbol", "fame": f"at {levels.shield} a shield",
        "overdrive": f"abilities at {levels.a}, {levels.b}, {levels.c}",
    }  # fmt: skip
    panels = []
    for track in TRACKS:
        values = [int(me[track]) for me in shown["seats"]]
        most = -(-max(*values, _LEAST_TRACK) // _LEAST_TRACK) * _LEAST_TRACK
        rows = [Level(name, value, most, seat) for seat, (name, value) in enumerate(zip(names, values, strict=True))]
        panels.append(Panel(f"track:{track}", track.capitalize(), rows, notes.get(track, "")))
    return panels


# ------------------------------------------------------------------ sheets
def _sheet(shown: Mapping[str, Any], rules: Any, seat: int, name: str) -> Panel:
    me = shown["seats"][seat]
    rows: list[Row] = [Dice("Dice in hand", _hand(me, seat), "none")]
    if me["spent"]:
        rows.append(Dice("Back, not to be used again", _dice(me["spent"], seat)))
    levels = ", ".join(f"{track.capitalize()} {me[track]}" for track in TRACKS)
    rows.append(Fact("Levels", levels))
    if me["band"] != BANDS[METALLUM]:
        rows.append(Fact("Members", f"{rules.model.start.dice} and {me['extra_dice']} extra"))
    rows += _held(me, rules)
    rows += _abilities(me, rules)
    if flags := _flags(me):
        rows.append(Fact("This round", flags))
    if "scores" in shown:
        rows.append(Fact("Points", _points(shown["scores"][seat])))
    return Panel(f"seat:{seat}", name, rows, _marks(shown, seat), seat)


def _hand(me: Mapping[str, Any], seat: int) -> list[Die]:
    """Dice of the pool, those that are borrowed, and faces that can be used once."""
    borrowed = [_face(die[0], int(die.partition("@")[2]), "borrowed") for die in me["locked"]]
    single = [_face("H", seat, "single-use")] * me["single_faces"]
    return _dice(me["pool"], seat, me["shielded"]) + borrowed + single


def _held(me: Mapping[str, Any], rules: Any) -> list[Row]:
    hits = ", ".join(_hit_title(rules, text.partition(" ")[0]) for text in me["hits"])
    award = "none" if me["award"] == NONE_WORD else rules.model.awards[me["award"]].title
    rows: list[Row] = [Fact("Hits", hits or "none"), Fact("Award", award)]
    if me["hand"]:
        rows.append(Cards("Distortion in hand", [card_of(label, rules) for label in me["hand"]]))
    if me["used"]:
        rows.append(Fact("Distortion played", ", ".join(card_of(label, rules).title for label in me["used"])))
    return rows


def _abilities(me: Mapping[str, Any], rules: Any) -> list[Row]:
    """A, B, C with whether they are open, used, or whose they copy."""
    band, levels = rules.model.bands[me["band"]], rules.model.levels
    rows: list[Row] = []
    for slot in "abc":
        copied = me["copies"].get(slot)
        ability = getattr(rules.model.bands[copied] if copied else band, slot)
        if ability is None:
            continue
        text = special_text(ability) if slot == "c" else ability_text(ability)
        at = getattr(levels, slot)
        state = "open" if me["overdrive"] >= at else f"opens at Overdrive {at}"
        if slot in me["used_abilities"]:
            state = "used"
        if copied:
            text += f" (copied from {rules.model.bands[copied].title})"
        rows.append(Fact(f"Ability {slot.upper()}, {state}", text))
    return rows


def _flags(me: Mapping[str, Any]) -> str:
    words = {
        "bought_hit": "bought a Hit", "bought_distortion": "bought a Distortion card", "claimed": "claimed an award",
        "skulls_wild": "Skulls count as any face", "attacked": "attacked",
    }  # fmt: skip
    return ", ".join(text for key, text in words.items() if me[key])


def _marks(shown: Mapping[str, Any], seat: int) -> str:
    place = shown["order"].index(seat) + 1
    marker = ", first player" if shown["marker"] == seat else ""
    rank = f", rank {shown['ranks'][seat]}" if "ranks" in shown else ""
    return f"seat {seat}, place {place} in the order{marker}{rank}"


def _points(score: Mapping[str, int]) -> str:
    parts = ", ".join(f"{key} {points}" for key, points in score.items() if key != "total" and points)
    return f"{score['total']}" + (f" ({parts})" if parts else "")


__all__ = ["card_of", "legend", "seat_name", "table", "turn"]
