"""The table that a replay shows says what the engine's state holds, in every position of whole games."""

import json

import numpy as np
import pytest

from experiments.plan import Plan, as_text, prepare
from experiments.replay import metalmania, overdrive
from experiments.replay.page import presenter_of
from experiments.replay.plain import Plain
from experiments.replay.scene import Book, Cards, Dice, Fact, Level, Places, row_data
from metalmania_sim.kernels.layout import BAND, NOBODY
from overdrive_sim.kernels.layout import FACES, METALLUM
from overdrive_sim.words import bits, counts_of
from simcore.trace import events
from tests.experiments.conftest import toy_plan


def played(prepared, number=0, every=1, bands=None):
    """States of a game, each of shape (1,), the last one among them."""
    job, setup = prepared.one_game(number, bands)
    last = []
    states = [e.state for e in events(prepared.game, prepared.rules, setup, job[0], prepared.agents, 1, last)]
    return [*states[::every], last[0]]


def plan(game, players, agents=("greedy",), **variant):
    return prepare(Plan(game=game, players=players, agents=agents, variant=as_text(variant)))


def shown(prepared, state, viewer=None):
    """Panels by key, and rows by kind and label of each."""
    show = presenter_of(prepared.game)
    names = [show.seat_name(state, prepared.rules, seat) for seat in range(prepared.seats)]
    table = show.table(state, prepared.rules, viewer, names)
    panels = [panel for group in table for panel in group.panels]
    assert len({panel.key for panel in panels}) == len(panels)
    return {panel.key: panel for panel in panels}


def rows(panel, kind):
    return {row.label: row for row in panel.rows if isinstance(row, kind)}


@pytest.mark.parametrize(
    ("bands", "variant"),
    [
        (("shirtless_vikings", "arcane_possession", "cover_bots", "tnshe"), {}),
        (("powergirls", "epic_gods", "illuminatti_you_2"), {"mode": "coop", "difficulty": "hardcore"}),
    ],
)
def test_overdrive_dice_lie_where_the_engine_has_them(bands, variant):
    prepared = plan("overdrive", len(bands), ("random",), **variant)
    for state in played(prepared, every=3, bands=[prepared.bands.index(band) for band in bands]):
        row, panels = state[0], shown(prepared, state)
        lots = [lot for panel in panels.values() for places in rows(panel, Places).values() for lot in places.lots]
        lying = [die for _, lot in lots for die in lot]
        for seat in range(prepared.seats):
            me = row.seat[seat]
            on_board = [int(entry) % FACES for entry in me.board[: int(me.on_board)]]
            assert sorted("HSCI"[face] for face in on_board) == sorted(d.sign for d in lying if d.seat == seat)
            hand = rows(panels[f"seat:{seat}"], Dice)["Dice in hand"].dice
            own = [die for die in hand if die.mark in ("", "shielded")]
            assert [sum(die.sign == face for die in own) for face in "HSCI"] == counts_of(me.pool)
            assert [sum(d.mark == "shielded" and d.sign == f for d in own) for f in "HSCI"] == counts_of(me.shielded)
            assert sum(die.mark == "borrowed" for die in hand) == int(me.n_locked)
            assert sum(die.mark == "single-use" for die in hand) == int(me.single_faces)
            for track in ("fans", "fame", "grana", "overdrive"):
                level = [one for one in panels[f"track:{track}"].rows if one.seat == seat]
                assert [one.value for one in level] == [int(me[track])]
                assert 0 <= level[0].value <= level[0].most


def test_overdrive_hits_and_cards_lie_where_the_engine_has_them():
    prepared = plan("overdrive", 4)
    names = prepared.rules.names.hits
    for state in played(prepared, every=5):
        row, panels = state[0], shown(prepared, state)
        hits = {key.removeprefix("hit:"): panel for key, panel in panels.items() if key.startswith("hit:")}
        assert {n for n, panel in hits.items() if panel.seat < 0} == {names[int(h)] for h in row.hit_row if h >= 0}
        for seat in range(4):
            me = row.seat[seat]
            assert {name for name, panel in hits.items() if panel.seat == seat} == {names[h] for h in bits(me.hits)}
            held = rows(panels[f"seat:{seat}"], Cards).get("Distortion in hand")
            assert len(held.cards if held else ()) == len(bits(me.hand))
        offered = rows(panels["distortions"], Cards)["On the table"].cards
        assert len(offered) == len(bits(row.row))
        assert len(rows(panels["awards"], Cards)["On the table"].cards) == len(bits(row.awards))
        for place in ("acoustic", "resources", "new_riff"):
            free = rows(panels[f"space:{place}"], Places)["Dice"].free
            assert free == -1 if place == "resources" else free >= 0


def test_metallums_cards_stay_face_down_until_the_end():
    prepared = plan("overdrive", 1, mode="solo", difficulty="metalgeddon")
    states = played(prepared)
    seen = 0
    for k, state in enumerate(states):
        assert state[0].seat[0].band == METALLUM
        held = rows(shown(prepared, state, viewer=1)["seat:0"], Cards).get("Distortion in hand")
        titles = [card.title for card in held.cards] if held else []
        assert len(titles) == len(bits(state[0].seat[0].hand))
        seen = max(seen, len(titles))
        assert all((title == "?") == (k < len(states) - 1) for title in titles)
    assert seen > 0


def test_metal_manias_bands_are_those_of_the_engine():
    prepared = plan("metalmania", 5)
    artists = list(prepared.rules.model.artists.values())
    inactive = 0
    for state in played(prepared, every=4):
        row, panels = state[0], shown(prepared, state)
        fame = {one.seat: one.value for one in panels["track:fame"].rows}
        for seat in range(5):
            me, panel = row.seat[seat], panels[f"seat:{seat}"]
            members = rows(panel, Cards)["Artists"].cards
            places = [p for p in range(BAND) if me.artist[p] != NOBODY]
            assert [card.title for card in members] == [artists[int(me.artist[p])].name for p in places]
            assert [card.badge[0] for card in members] == ["ATI"[int(me.condition[p])] for p in places]
            inactive += sum(card.badge.startswith("I ") for card in members)
            levels = rows(panel, Level)
            assert [levels[n].value for n in ("Performance", "Recording", "Advertising")] == me.level.tolist()
            assert [levels[n].note == "token active" for n in levels] == [bool(t) for t in me.token]
            assert fame[seat] == int(me.fame)
        display = rows(panels["display"], Cards)["To hire"].cards
        assert {card.title for card in display} == {artists[k].name for k in bits(row.display)}
        assert len(rows(panels["companies"], Cards)["On the table"].cards) == len(bits(row.companies))
    assert inactive > 0


def test_the_event_of_the_dice_is_named():
    prepared = plan("metalmania", 2)
    told = [rows(shown(prepared, state)["pending"], Fact) for state in played(prepared)]
    events_told = {one["Event"].text for one in told if "Event" in one}
    assert events_told
    for text in events_told:
        number, _, name = text.partition(": ")
        assert prepared.rules.model.events[number].name == name


@pytest.mark.parametrize(("show", "prepared"), [(overdrive, ("overdrive", 4)), (metalmania, ("metalmania", 3))])
def test_turns_go_on_in_order(show, prepared):
    prepared = plan(*prepared)
    turns = [show.turn(state, prepared.rules) for state in played(prepared)]
    keys = [turn.key for k, turn in enumerate(turns) if not k or turn.key != turns[k - 1].key]
    assert len(keys) == len(set(keys)), "no turn is left and come back to"
    assert turns[-1].title == "End of the game"


def test_any_other_game_is_shown_by_its_view():
    prepared = toy_plan()
    show = presenter_of(prepared.game)
    assert isinstance(show, Plain)
    state = played(prepared)[3]
    panels = shown(prepared, state)
    assert {"table", "seat:0", "seat:3"} <= set(panels)
    view = prepared.game.view(state[0], prepared.rules)
    assert rows(panels["table"], Fact)["Round"].text == str(view["round"])


def test_a_book_stores_equal_things_once():
    prepared = plan("overdrive", 2)
    show, book = presenter_of(prepared.game), Book()
    states = played(prepared, every=10)
    written = [book.position(show.table(state, prepared.rules, None, ["A", "B"])) for state in states]
    texts = [json.dumps(row) for row in book.rows]
    assert len(texts) == len(set(texts))
    for state, groups in zip(states, written, strict=True):
        found = [
            [book.rows[row] for panel in book.groups[group][2] for row in book.panels[panel][4]] for group in groups
        ]
        table = show.table(state, prepared.rules, None, ["A", "B"])
        assert found == [[row_data(row) for panel in group.panels for row in panel.rows] for group in table]
        assert np.asarray(groups).max() < len(book.groups)
