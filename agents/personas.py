"""Playing styles: the greedy player of a game with other weights, and with a taste for some actions.

A persona is data: a line that says what such a player does, weights that differ from greedy's (the same features,
the same units), words for what it does first or never (``agents.restricted``).  Its weights are parameters like
greedy's: ``fame_climber:w_fame=3``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.metalmania.features import FEATURES as METALMANIA
from agents.overdrive.features import FEATURES as OVERDRIVE
from agents.overdrive.features import Feature
from agents.restricted import restrict
from agents.tuned import weighted
from simcore.agent import Agent, AgentKind, Parameter
from simcore.protocol import Game

_FEATURES: Mapping[str, Mapping[str, Feature]] = {"overdrive": OVERDRIVE, "metalmania": METALMANIA}


class Persona(AgentKind):
    """One style of one game."""

    def __init__(
        self, name: str, game: str, doc: str, weights: Mapping[str, float], first: str = "", without: str = "",
        idle: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        """``idle``: weights that its taste leaves nothing to decide; they are no parameters of it."""
        self.name, self.doc, self.games = name, doc, (game,)
        self.weights, self.first, self.without = weights, first, without
        self.parameters = {
            key: Parameter(weights.get(key, feature.weight), f"{feature.doc} ({feature.unit})")
            for key, feature in _FEATURES[game].items()
            if key not in idle
        }

    def build(self, text: str, game: Game, values: Mapping[str, Any]) -> Agent:
        """The persona with its weights.  Raises UsageError."""
        agent: Agent = weighted(text, game.name, values)
        if self.first or self.without:
            return restrict(agent, game, self.without, self.first)
        return agent


PERSONAS = (
    Persona(
        "fans_rush", "overdrive", "Plays for Fans: Appearance, Fans for Grana, whatever else brings them.",
        {"w_fans": 2.0, "w_fame": 0.6, "w_overdrive": 0.6, "w_hit": 1.2},
    ),
    Persona(
        "fame_climber", "overdrive", "Climbs Fame: Interviews, the shield, the marker before a battle.",
        {"w_fame": 2.0, "w_fans": 0.6, "w_overdrive": 0.6, "w_hit": 1.2, "w_shield": 1.0, "w_marker": 0.5},
    ),
    Persona(
        "overdrive_virtuoso", "overdrive", "Rehearses: Overdrive steps, then abilities A, B and C.",
        {"w_overdrive": 2.2, "w_step": 1.0, "w_special": 1.0, "w_ability_a": 0.5, "w_ability_b": 0.8, "w_hit": 1.2},
    ),
    Persona(
        "hit_collector", "overdrive", "Buys every Hit it can pay, then plays them.",
        {"w_hit_use": 1.2, "w_grana": 1.3}, first="buy_hit", idle=("w_hit", "w_hit_share"),
    ),
    Persona(
        "distortion_hoarder", "overdrive", "Buys Distortion cards for their symbols and keeps a full hand.",
        {"w_symbol": 2.2, "w_dice_card": 1.5, "w_clear_card": 1.2, "w_protect_card": 1.2, "w_gain_card": 1.2},
    ),
    Persona(
        "battle_fighter", "overdrive", "Lives for battles: dice, protection, and attacks on whoever stands above.",
        {"w_die": 1.6, "w_protect_card": 1.5, "w_shield": 1.5, "w_marker": 1.0, "w_rival": 1.0, "w_leader": 0.1},
        first="attack",
    ),
    Persona(
        "award_hunter", "overdrive", "Aims all four tracks at the awards and claims the best one.",
        {"w_award": 1.0, "w_hit": 0.4, "w_symbol": 0.3},
    ),
    Persona(
        "saboteur", "overdrive", "Takes rivals' dice by Jam Session, clears their spaces by Opportunity, attacks.",
        {"w_rival": 1.2, "w_leader": 0.15, "w_clear_card": 1.0}, first="jam_session+opportunity+attack",
    ),
    Persona(
        "performer", "metalmania", "Performs whenever it may, and hires for the stage.",
        {"v_performance": 2.5, "v_recording": 0.2, "v_advertising": 0.2}, first="perform",
    ),
    Persona(
        "studio_band", "metalmania", "Records whenever it may, and hires for the studio.",
        {"v_performance": 0.2, "v_recording": 2.5, "v_advertising": 0.2}, first="record",
    ),
    Persona(
        "advertiser", "metalmania", "Advertises whenever it may, and hires for the posters.",
        {"v_performance": 0.2, "v_recording": 0.2, "v_advertising": 2.5}, first="advertise",
    ),
    Persona(
        "star_hirer", "metalmania", "Spends what it has on better artists, turn after turn.",
        {"v_hire": 2.0, "v_money": 0.15, "v_reserve": 0.5, "v_discard": 1.6}, without="beers",
    ),
    Persona(
        "party_band", "metalmania", "Drinks: Beers for every Step 4, miracles and hangovers included.",
        {"v_trouble": 0.5, "v_inactive": 2.0}, first="beers",
    ),
    Persona(
        "miser", "metalmania", "Hoards money: Funds before hires, nothing paid for the event.",
        {"v_money": 1.0, "v_reserve": 12.0, "v_hire": 0.4}, without="shift", idle=("v_rival",),
    ),
    Persona(
        "spoiler", "metalmania", "Saves its bonuses for others' throws and strikes the leader with them.",
        {"v_attack": 0.0, "v_rival": 1.5},
    ),
)  # fmt: skip

for _one in PERSONAS:
    globals()[_one.name.upper()] = _one
