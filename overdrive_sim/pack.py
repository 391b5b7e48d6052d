"""Rules as one numeric record: what the kernels read (``overdrive_sim.kernels.rules.RULES``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from overdrive_sim.hands import fill_hands
from overdrive_sim.kernels import rules as codes
from overdrive_sim.kernels.layout import (
    ANY,
    AWARDS,
    BANDS,
    FACE_LETTERS,
    MOST_REQUIREMENTS,
    SPACES,
    TRACKS,
)  # fmt: skip
from overdrive_sim.kernels.rules import NOTHING_CANCELLED, OFFER_BITS, OPTIONS, RULES
from overdrive_sim.kernels.symbols import coverage_table
from overdrive_sim.model import Ability, RulesModel
from simcore.errors import UsageError

LETTERS = FACE_LETTERS + "?"

_ABILITY = {
    "change": codes.CHANGE, "re_roll": codes.RE_ROLL, "extra_grana": codes.EXTRA_GRANA,
    "extra_fans": codes.EXTRA_FANS, "extra_overdrive": codes.EXTRA_OVERDRIVE, "fans_to_fame": codes.FANS_TO_FAME,
    "fans_give_fame": codes.FANS_GIVE_FAME, "overdrive_gives_grana": codes.OVERDRIVE_GIVES_GRANA,
    "stage": codes.STAGE, "take": codes.TAKE, "single_faces": codes.SINGLE_FACES, "clear": codes.CLEAR,
    "fans_give_any": codes.FANS_GIVE_ANY, "copies": codes.COPIES,
}  # fmt: skip

_EFFECT = {
    ("gain", "fans"): codes.GAIN_FANS, ("gain", "fame"): codes.GAIN_FAME, ("gain", "overdrive"): codes.GAIN_OVERDRIVE,
    ("clear_space", None): codes.CLEAR_SPACE, ("skulls_to_one", None): codes.SKULLS_TO_ONE,
    ("skulls_wild", None): codes.SKULLS_WILD, ("choose_faces", None): codes.CHOOSE_FACES,
    ("all_to", None): codes.ALL_TO, ("face_to", None): codes.FACE_TO, ("either_way", None): codes.EITHER_WAY,
    ("protect", None): codes.PROTECT,
}  # fmt: skip


class Requirements:
    """Distinct requirements by row, in the order in which they were first asked for."""

    def __init__(self) -> None:
        self.rows: dict[tuple[int, ...], int] = {}

    def row(self, spaces: str) -> int:
        """Row of the requirement ``spaces`` (face letters and ``?``)."""
        need = tuple(spaces.count(letter) for letter in LETTERS)
        return self.rows.setdefault(need, len(self.rows))


def levels(table: Mapping[str, int]) -> list[int]:
    """A reward or target as levels of fans, fame, grana, overdrive."""
    return [table.get(track, 0) for track in TRACKS]


def cancel(spaces: str, face: str) -> str:
    """The requirement left when one space of ``face`` is cancelled; the last die stays (A-HIT-2, A-HIT-5)."""
    return spaces.replace(face, "", 1) if len(spaces) > 1 else spaces


def pack_rules(model: RulesModel) -> np.ndarray:
    """The rules as an array of shape (1,), dtype RULES."""
    packed = np.zeros(1, RULES)
    rules, rows = packed[0], Requirements()
    for name, values in OPTIONS.items():
        rules["option"][name] = values.index(model.option(name))
    _pack_board(rules, model, rows)
    _pack_hits(rules, model, rows)
    _pack_cards(rules, model)
    _pack_bands(rules, model, rows)
    _pack_constants(rules, model)
    if len(rows.rows) > MOST_REQUIREMENTS:
        raise UsageError(f"rules: {len(rows.rows)} different requirements of dice (at most {MOST_REQUIREMENTS})")
    need = np.array(list(rows.rows), np.int64)
    rules["rows"] = len(need)
    rules["need"][: len(need)] = need
    fill_hands(rules, need, model.option("void_allocation") == "legal")
    return packed


def _pack_board(rules: np.void, model: RulesModel, rows: Requirements) -> None:
    for number, name in enumerate(SPACES):
        space = model.board[name]
        rules["space_row"][number] = rows.row(space.spaces)
        rules["space_places"][number] = space.places
        rules["space_reward"][number] = levels(space.reward)
        rules["space_cost"][number] = space.cost
        rules["space_from_players"][number] = space.from_players
    rules["offer_size"], rules["row_size"] = model.table.hits, model.table.distortions


def _pack_hits(rules: np.void, model: RulesModel, rows: Requirements) -> None:
    deck = model.deck()
    rules["hits"] = len(deck)
    rules["hit_row"] = -1
    for number, name in enumerate(deck):
        hit = model.hits[name]
        rules["hit_price"][number] = hit.price
        rules["hit_symbol"][number] = LETTERS.index(hit.symbol)
        rules["hit_ways"][number] = len(hit.all_ways())
        for way, use in enumerate(hit.all_ways()):
            rules["hit_reward"][number, way] = levels(use.reward)
            rules["hit_row"][number, way, NOTHING_CANCELLED] = rows.row(use.spaces)
        for face, letter in enumerate(LETTERS):
            if any(letter in use.spaces for use in hit.all_ways()):
                rules["hit_cancels"][number, face] = 1
                for way, use in enumerate(hit.all_ways()):
                    rules["hit_row"][number, way, face] = rows.row(cancel(use.spaces, letter))
        faces = np.flatnonzero(rules["hit_cancels"][number])
        rules["offer"][number + 1] = hit.price << OFFER_BITS | len(faces)
        rules["cancel_list"][number, : len(faces)] = faces
    rules["least_price"] = min((model.hits[name].price for name in deck), default=0)


def _pack_cards(rules: np.void, model: RulesModel) -> None:
    cards = model.cards()
    rules["cards"] = len(cards)
    for number, (effect, icon) in enumerate(cards):
        rules["card_number"][number] = effect
        rules["card_icon"][number] = LETTERS.index(icon)
        rules["card_twins"][number] = sum(1 << k for k in range(number) if cards[k] == cards[number])
    for name, card in model.distortions.items():
        effect = int(name)
        rules["effect_kind"][effect] = _EFFECT[card.effect, card.track]
        rules["effect_amount"][effect] = card.amount or 0
        rules["effect_from"][effect] = LETTERS.index(card.from_) if card.from_ else -1
        rules["effect_to"][effect] = LETTERS.index(card.to) if card.to else -1


def _pack_bands(rules: np.void, model: RulesModel, rows: Requirements) -> None:
    rules["band_symbol"] = -1
    rules["ability_from"] = rules["ability_to"] = -1
    rules["special_per"] = 1
    _check_parameters(model)
    for number, name in enumerate(BANDS):
        band = model.bands[name]
        for k, letter in enumerate(band.symbols):
            rules["band_symbol"][number, k] = LETTERS.index(letter)
        for k, ability in enumerate((band.a, band.b)):
            if ability is not None:
                _pack_ability(rules, rows, number, k, ability)
        if band.c is not None:
            rules["special_tracks"][number] = [int(track in band.c.tracks) for track in TRACKS]
            rules["special_per"][number] = band.c.per
            rules["special_most"][number] = band.c.most
            rules["special_or"][number] = int(band.c.joined == "or")
    _pack_acts(rules)
    can_stage = (rules["ability_kind"] == codes.STAGE) | (rules["ability_kind"] == codes.COPIES)
    rules["stage_bands"] = sum(1 << band for band in range(len(BANDS)) if can_stage[band].any())
    rules["unlock_level"] = (model.levels.a, model.levels.b, model.levels.c)
    rules["symbol_level"], rules["shield_level"] = model.levels.symbol, model.levels.shield


def _pack_acts(rules: np.void) -> None:
    """Which abilities are actions: about the board only in the turn (A-ABL-14), single faces by option (A-ABL-12)."""
    in_turn = [codes.CHANGE, codes.RE_ROLL, codes.FANS_TO_FAME, codes.TAKE, codes.CLEAR]
    if rules["option"]["tnshe_faces"]:
        in_turn.append(codes.SINGLE_FACES)
    for in_battle, kinds in enumerate((in_turn, [codes.CHANGE, codes.RE_ROLL, codes.FANS_TO_FAME])):
        rules["ability_acts"][in_battle] = np.isin(rules["ability_kind"], kinds) @ (1, 2)


def _check_parameters(model: RulesModel) -> None:
    """The record holds the parameters of these abilities once: bands that share one must agree."""
    first: dict[str, tuple[str, Ability]] = {}
    for name, band in model.bands.items():
        for ability in (band.a, band.b):
            if ability is not None and ability.does in ("fans_to_fame", "stage", "single_faces"):
                other, same = first.setdefault(ability.does, (name, ability))
                if same != ability:
                    raise UsageError(f"rules: {name} and {other} have {ability.does!r} with different parameters")


def _pack_ability(rules: np.void, rows: Requirements, band: int, k: int, ability: Ability) -> None:
    rules["ability_kind"][band, k] = _ABILITY[ability.does]
    if ability.from_ and ability.to:
        rules["ability_from"][band, k] = ANY if ability.from_ == "?" else LETTERS.index(ability.from_)
        rules["ability_to"][band, k] = LETTERS.index(ability.to)
    if ability.spaces and ability.reward is not None:
        rules["stage_row"] = rows.row(ability.spaces)
        rules["stage_reward"] = levels(ability.reward)
    if ability.faces is not None:
        rules["single_faces"] = ability.faces
    if ability.cost is not None and ability.gain is not None:
        rules["trade_cost"], rules["trade_gain"] = ability.cost, ability.gain


def start_grana(given: Sequence[int]) -> list[int]:
    """Grana at the start by place in the turn order; places beyond ``given`` go on by its last step (G-13)."""
    places = list(given)
    while len(places) < RULES["start_grana"].shape[0]:
        places.append(max(0, 2 * places[-1] - places[-2]))
    return places


def _pack_constants(rules: np.void, model: RulesModel) -> None:
    for number, name in enumerate(AWARDS):
        rules["award_points"][number] = model.awards[name].points
        rules["award_target"][number] = levels(model.awards[name].target)
    rules["award_least"] = rules["award_target"].min(axis=0)
    rules["price_reroll"], rules["price_set"] = model.actions.reroll, model.actions.set_face
    rules["price_level"], rules["price_die"] = model.actions.level, model.actions.die
    rules["start_grana"] = start_grana(model.start.grana)
    rules["start_dice"], rules["extra_dice"] = model.start.dice, model.start.extra_dice
    start = model.option("metallum_start")
    rules["metallum_levels"] = {"grana2": (0, 0, 2, 0), "all2": (2, 2, 2, 2), "all0": (0, 0, 0, 0)}[start]
    steps = model.overdrive_points
    rules["points_steps"] = len(steps)
    rules["points_level"][: len(steps)] = [int(level) for level in steps]
    rules["points_value"][: len(steps)] = list(steps.values())
    for face, letter in enumerate(FACE_LETTERS):
        bonus = levels(getattr(model.battle, letter))
        track = int(np.argmax(bonus))
        rules["battle_track"][face], rules["battle_levels"][face] = track, bonus[track]
    rules["battle_dice"], rules["last_round"] = model.battle.dice, model.rounds.last
    rules["battle_round"][list(model.rounds.battles)] = 1
    rules["speed_skips"][list(model.speed_metal.skips)] = 1
    rules["hit_points"], rules["least_share"] = model.scoring.hit, model.scoring.owner_least
    rules["same_least"], rules["different_least"] = model.scoring.identical, model.scoring.different
    rules["covered"] = coverage_table(model.scoring.identical, model.scoring.different)
    rules["allow_same_bands"] = model.option("allow_same_bands") == "on"
