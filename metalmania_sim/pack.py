"""Rules as one numeric record: what the kernels read (``metalmania_sim.kernels.rules.RULES``)."""

from __future__ import annotations

import numpy as np

from metalmania_sim.kernels import rules as codes
from metalmania_sim.kernels.layout import EQUALIZERS, INSTRUMENTS, MOST_PRICE, THROWS
from metalmania_sim.kernels.rules import COLUMNS, CONSTANTS, OPTIONS, RULES
from metalmania_sim.model import Artist, Company, RulesModel

_COLUMN = {
    "degree": codes.DEGREE,
    "inspiration": codes.INSPIRATION,
    "charisma": codes.CHARISMA,
    "revelry": codes.REVELRY,
    "reputation": codes.REPUTATION,
}
_KIND = {
    "none": codes.NO_CHOICE, "victim": codes.PICK_VICTIM, "trouble": codes.PICK_TROUBLE, "hire": codes.PICK_HIRE,
    "heal": codes.PICK_HEAL, "drink": codes.PICK_DRINKER, "all_drink": codes.ALL_DRINK,
}  # fmt: skip
_NO_CAP = 2**31 - 1
_TESTED = ("inspiration", "charisma", "performance")


def pack_rules(model: RulesModel) -> np.ndarray:
    """``model`` as an array of shape (1,), dtype RULES."""
    packed = np.zeros(1, RULES)
    rules = packed[0]
    _pack_options(rules, model)
    for company, card in enumerate([None, *model.companies.values()]):
        for number, artist in enumerate(model.artists.values()):
            rules["tested"][company, number] = _tested(model, artist, card)
    order = list(model.artists)
    for number, artist in enumerate(model.artists.values()):
        rules["price"][number] = artist.reputation
        rules["plays"][number] = sum(1 << INSTRUMENTS.index(name) for name in artist.instruments)
    for instrument in range(len(INSTRUMENTS)):
        plays = [n for n, bits in enumerate(rules["plays"]) if bits >> instrument & 1]
        rules["players"][instrument] = sum(1 << n for n in plays)
    for money in range(MOST_PRICE + 1):
        rules["within"][money] = sum(1 << n for n, price in enumerate(rules["price"]) if price <= money)
    rules["board"] = [[order.index(name) for name in board] for board in model.boards]
    for text, event in model.events.items():
        n = int(text)
        rules["event_money"][n], rules["event_fame"][n] = event.money, event.fame
        rules["event_others"][n], rules["event_kind"][n] = event.others_money, _KIND[event.choice]
        rules["event_victim_money"][n], rules["event_victim_fame"][n] = event.victim_money, event.victim_fame
    return packed


def _pack_options(rules: np.ndarray, model: RulesModel) -> None:
    for option, values in OPTIONS.items():
        chosen = model.option(option)
        is_switch = set(values) == {"true", "false"}
        rules["option"][option] = (
            (codes.TRUE if chosen == "true" else codes.FALSE) if is_switch else values.index(chosen)
        )
    for constant in CONSTANTS:
        rules[constant] = model.option(constant)
    rules["bonus_throws"] = sum(1 << THROWS.index(word) for word in model.option("bonus_throws"))
    rules["most_money"] = _NO_CAP if model.option("money_cap") == "none" else int(model.option("money_cap"))
    tests = model.option("action_characteristic")
    rules["action_tests"] = [_COLUMN[getattr(tests, name)] for name in EQUALIZERS]


def _tested(model: RulesModel, artist: Artist, company: Company | None) -> np.ndarray:
    """Characteristics of an artist under a company, by column of ``tested`` (MM-R013, MM-R014, MM-A57)."""
    more = dict(company.modifiers) if company is not None and company.style == artist.style else {}
    if model.option("company_scope") == "tested":
        more = {name: value for name, value in more.items() if name in _TESTED}
    row = np.zeros(COLUMNS, np.int8)
    for instrument, degree in artist.instruments.items():
        row[INSTRUMENTS.index(instrument)] = _limited(model, degree + more.get("performance", 0))
    for name in ("inspiration", "charisma"):
        row[_COLUMN[name]] = _limited(model, getattr(artist, name) + more.get(name, 0))
    row[codes.REVELRY] = max(artist.revelry + more.get("revelry", 0), int(model.option("revelry_min")))
    row[codes.REPUTATION] = artist.reputation + more.get("reputation", 0)
    return row


def _limited(model: RulesModel, value: int) -> int:
    """A tested characteristic within 1 and ``characteristic_max``, or as it is without such a limit (MM-A57)."""
    most = model.option("characteristic_max")
    return value if most == "none" else min(max(value, 1), int(most))
