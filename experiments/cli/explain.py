"""``soundcheck explain``: what a search sees in one decision of one game."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated, Any

import typer

from experiments.cli import completion
from experiments.cli.options import (
    GameName,
    Json,
    Overrides,
    PlayedBy,
    Players,
    Quiet,
    RulesFile,
    Seed,
    Variant,
    one_for_all,
    seats_for,
)  # fmt: skip

if TYPE_CHECKING:
    from agents.heuristic import Worth
    from agents.mcts.explain import Explained
    from experiments.plan import Prepared
    from simcore.trace import Event

#: Terms of the heuristic that are printed of one option, the greatest.
MOST_TERMS = 6


def explain(
    game: GameName,
    decision: Annotated[int, typer.Option(help="Number of the decision, forced ones not counted, from 0.")] = 0,
    agent: Annotated[
        str, typer.Option(help="The tree search that is asked.", autocompletion=completion.agents)
    ] = "mcts:iterations=1024",
    played_by: PlayedBy = None,
    players: Players = None,
    seed: Seed = 1,
    number: Annotated[int, typer.Option("--game", help="Number of the game in its design.")] = 0,
    overrides: Overrides = None,
    rules_file: RulesFile = None,
    variant: Variant = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show the options of one decision with visits, values, the heuristic's and the leaf model's terms."""
    from agents.mcts.explain import explain as ask
    from experiments.cli.console import Remarks, print_json
    from experiments.explaining import decision_key, seen_by_decider
    from experiments.plan import Plan, as_text, prepare
    from simcore.ruledata import parse_overrides

    kind, texts = parse_overrides(variant or []), played_by or ["greedy"]
    seats = seats_for(players, texts, game, kind)
    prepared = prepare(
        Plan(
            game=game, players=seats, agents=one_for_all(texts, seats), seed=seed,
            overrides=as_text(parse_overrides(overrides or [])), variant=as_text(kind),
            rules_file=str(rules_file) if rules_file else "",
        )
    )  # fmt: skip
    with Remarks(quiet).compiling(prepared.game):
        prepared.compile()
        event = _find(prepared, number, decision)
        state = seen_by_decider(prepared, event)
        found = ask(agent, prepared.game, prepared.rules, state, event.legal, decision_key(seed, number, decision))
        thought = _heuristic(prepared, event, state, agent)
    if as_json:
        place = {"game": game, "seed": seed, "number": number, "decision": decision}
        print_json(place | as_data(prepared, event, state, found, thought))
    else:
        _show(prepared, event, state, found, thought, f"game {number}, seed {seed}, decision {decision}")


def _find(prepared: Prepared, number: int, decision: int) -> Event:
    """The event of that decision.  Raises UsageError where the game has fewer."""
    from simcore.errors import UsageError
    from simcore.trace import events

    if number < 0 or decision < 0:
        raise UsageError(f"game {number}, decision {decision}: both are numbered from 0")
    job, setup = prepared.one_game(number)
    seen = 0
    for event in events(prepared.game, prepared.rules, setup, job[0], prepared.agents, prepared.plan.seed):
        if event.kind == "decision" and event.options > 1:
            if seen == decision:
                return event
            seen += 1
    raise UsageError(f"decision: {decision} is too large; the game has {seen} decisions, numbered from 0")


def _heuristic(prepared: Prepared, event: Event, state: Any, agent: str) -> dict[int, Worth]:
    """What the heuristic that guides the search thinks of every option, by action; nothing where a game has none."""
    from agents.heuristic import has_heuristic, weights_of, worths
    from simcore import registry

    game = prepared.game
    if not has_heuristic(game):
        return {}
    weights = weights_of(str(registry.parameters(agent).get("prior", "")), game, prepared.plan.players)
    return {one.action: one for one in worths(game, prepared.rules, state, event.legal, weights)}


def as_data(
    prepared: Prepared, event: Event, state: Any, found: Explained, thought: dict[int, Worth]
) -> dict[str, Any]:
    """What the search saw as plain data (``--json``): options most visits first, shares and terms by seat."""
    options = [
        {
            "action": prepared.game.format_action(state[0], prepared.rules, one.action), "visits": one.visits,
            "shares": one.shares, "prior": one.order, "chosen": one.action == found.chosen,
            "played": one.action == event.number,
            "heuristic": _thought(thought.get(one.action)),
        }
        for one in found.options
    ]  # fmt: skip
    return {
        "seat": event.seat, "played_by": event.agent, "position": prepared.game.view(state[0], prepared.rules),
        "options": options, "terms": [dataclasses.asdict(term) for term in found.terms], "house": prepared.rules.house,
    }  # fmt: skip


def _thought(worth: Worth | None) -> dict[str, Any] | None:
    return None if worth is None else {"worth": worth.worth, "terms": dict(worth.terms)}


def _show(
    prepared: Prepared, event: Event, state: Any, found: Explained, thought: dict[int, Worth], where: str
) -> None:
    from experiments.cli.console import print_house

    game, rules = prepared.game, prepared.rules
    print(f"{game.title}, {where}: seat {event.seat} chooses among {event.options}")
    print(game.describe(state[0], rules))
    print("\n  visits   win %  prior   worth  action")
    shown = []
    for one in found.options:
        text = game.format_action(state[0], rules, one.action)
        marks = "  <- the search" if one.action == found.chosen else ""
        marks += f"  <- played ({event.agent})" if one.action == event.number else ""
        worth = f"{thought[one.action].worth:>+7.2f}" if one.action in thought else f"{'-':>7}"
        if one.visits:
            print(f"{one.visits:>8}  {100 * one.shares[event.seat]:>6.1f}  {one.order:>5} {worth}  {text}{marks}")
        elif marks:
            print(f"{'-':>8}  {'-':>6}  {'-':>5} {worth}  {text}{marks}")
        if one.visits or marks:
            shown.append((text, thought.get(one.action)))
    unopened = sum(not one.visits for one in found.options)
    if unopened:
        print(f"  {unopened} options were never opened")
    if thought:
        print("\nterms of the heuristic's worth")
        for text, worth_of in shown:
            terms = worth_of.terms[:MOST_TERMS] if worth_of else ()
            print(f"  {text}: " + (", ".join(f"{name} {term:+.2f}" for name, term in terms) or "none"))
    _show_leaf(found)
    print_house(rules.house)


def _show_leaf(found: Explained) -> None:
    if not found.terms:
        return
    seats = range(len(found.terms[0].numbers))
    print("\nterms of the leaf model, weight x number by seat")
    print(f"  {'feature':<20}{'weight':>8}" + "".join(f"{f'seat {seat}':>10}" for seat in seats))
    for term in found.terms:
        print(f"  {term.name:<20}{term.weight:>8.3f}" + "".join(f"{term.weight * n:>10.3f}" for n in term.numbers))
