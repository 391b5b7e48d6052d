"""What there is to buy, to claim and to copy: Hits, Distortion cards, awards, abilities."""

from __future__ import annotations

from agents.overdrive.kernels.chances import SHOWS
from agents.overdrive.kernels.hand import hand_worth, number_of  # fmt: skip
from agents.overdrive.kernels.uses import EACH, reward_worth  # fmt: skip
from agents.overdrive.kernels.weights import (
    W_CLEAR_CARD,
    W_DICE_CARD,
    W_GAIN_CARD,
    W_HIT,
    W_HIT_SHARE,
    W_HIT_USE,
    W_PROTECT_CARD,
    W_SYMBOL,
)  # fmt: skip
from agents.overdrive.kernels.worth import BATTLES, LEFT, SYMBOL_WORTH, levels_worth
from overdrive_sim.kernels.dice import COUNT, SIZE
from overdrive_sim.kernels.layout import FACES, FAME, FANS, GRANA, HIT, OVERDRIVE, UNIT
from overdrive_sim.kernels.rules import (
    CHANGE,
    CLEAR_SPACE,
    EXTRA_FANS,
    EXTRA_GRANA,
    EXTRA_OVERDRIVE,
    FANS_GIVE_ANY,
    FANS_GIVE_FAME,
    FANS_TO_FAME,
    GAIN_FAME,
    GAIN_FANS,
    GAIN_OVERDRIVE,
    OVERDRIVE_GIVES_GRANA,
    PROTECT,
    RE_ROLL,
    SINGLE_FACES,
    STAGE,
    TAKE,
)  # fmt: skip
from simcore.kernel import kernel


@kernel
def holding_worth(rules, params, card):
    """Worth of having a card in hand: its gain, or what its effect will be good for while turns are left."""
    number = params.number
    effect = rules.card_number[card]
    kind, amount = rules.effect_kind[effect], rules.effect_amount[effect]
    if kind == GAIN_FANS:
        return levels_worth(params, FANS, amount)
    if kind == GAIN_FAME:
        return levels_worth(params, FAME, amount)
    if kind == GAIN_OVERDRIVE:
        return levels_worth(params, OVERDRIVE, amount)
    if kind == PROTECT:
        return number[W_PROTECT_CARD] * min(1.0, params.value[BATTLES])
    chances = params.value[LEFT] + 0.5 * params.value[BATTLES]
    if kind == CLEAR_SPACE:
        return number[W_CLEAR_CARD] * min(1.0, params.value[LEFT])
    return number[W_DICE_CARD] * min(1.0, chances)


@kernel
def card_worth(rules, params, card):
    """Worth of buying a Distortion card, its price apart: its icon and its effect (R-DST-04)."""
    gain = holding_worth(rules, params, card)
    if rules.effect_kind[rules.card_number[card]] in (GAIN_FANS, GAIN_FAME, GAIN_OVERDRIVE):
        gain *= params.number[W_GAIN_CARD]
    return params.value[SYMBOL_WORTH + rules.card_icon[card]] + gain


@kernel
def hit_worth(state, rules, params, seat, hit, cancelled, code):
    """Worth of owning ``hit`` with its space of face ``cancelled`` gone, its price apart.

    Its point and symbol; its owner's shares; and playing it oneself: now if the hand ``code`` fits, later
    by the chance that one throw shows what it needs.
    """
    me, number, value = state.seat[seat], params.number, params.value
    worth = number[W_HIT] * rules.hit_points + value[SYMBOL_WORTH + rules.hit_symbol[hit]]
    worth += number[W_HIT_SHARE] * value[LEFT]
    dice = rules.start_dice + me.extra_dice
    held = number_of(code)
    best_now, best_later = 0.0, 0.0
    for way in range(rules.hit_ways[hit]):
        reward = rules.hit_reward[hit, way]
        gain = reward_worth(params, me, reward[FANS], reward[FAME], reward[GRANA], reward[OVERDRIVE])
        need = rules.need[rules.hit_row[hit, way, cancelled]]
        size, wanted, fits = need[FACES], 0, held >= 0
        for face in range(FACES):
            size += need[face]
            wanted += need[face] * UNIT[face]
            if fits and COUNT[held, face] < need[face]:
                fits = False
        extra = gain - size * value[EACH]
        if fits and size <= SIZE[held] and not state.full >> (HIT + hit) & 1:
            best_now = max(best_now, gain + (SIZE[held] - size) * value[EACH] - hand_worth(params, held))
        if number_of(wanted) >= 0 and size <= dice:
            best_later = max(best_later, extra * SHOWS[number_of(wanted), dice])
    return worth + best_now + number[W_HIT_USE] * value[LEFT] * best_later


@kernel
def claim_worth(rules, params, me, award):
    """Worth of claiming an award: its points and wildcard against those of the one given back (R-AWD-09)."""
    gain = 1.0 * rules.award_points[award]
    if me.award >= 0:
        return gain - rules.award_points[me.award]
    return gain + params.number[W_SYMBOL]


@kernel
def ability_kind_worth(rules, band, slot):
    """How good a band's ability is to copy, by kind, in points of no unit: only the order counts."""
    if slot == 2:
        return 1.0 * rules.special_most[band] / max(1, rules.special_per[band])
    kind = rules.ability_kind[band, slot]
    if kind in (EXTRA_FANS, EXTRA_OVERDRIVE):
        return 4.0
    if kind in (FANS_GIVE_ANY, FANS_GIVE_FAME, FANS_TO_FAME):
        return 3.0
    if kind in (STAGE, TAKE, OVERDRIVE_GIVES_GRANA, EXTRA_GRANA, RE_ROLL):
        return 2.0
    if kind in (SINGLE_FACES, CHANGE):
        return 1.5
    return 1.0


@kernel
def copy_worth(rules, params, me, band, slot):
    """Worth of copying an ability of ``band``; for C the points that it would score at the present levels."""
    if slot < 2:
        return ability_kind_worth(rules, band, slot)
    tracks = rules.special_tracks[band]
    levels = (
        tracks[FANS] * me.fans + tracks[FAME] * me.fame + tracks[GRANA] * me.grana + tracks[OVERDRIVE] * me.overdrive
    )
    growth = tracks[FANS] + tracks[FAME] + tracks[OVERDRIVE] + 0.5 * tracks[GRANA]
    return min(1.0 * rules.special_most[band], (levels + growth * params.value[LEFT]) / max(1, rules.special_per[band]))
