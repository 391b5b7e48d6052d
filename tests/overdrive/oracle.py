"""The own turn's legal actions once more, in plain Python and by the wording of the rules.

Reads only what the players see (levels, dice, cards, lists of dice on the board), knows no tables, and tries
every multiset of dice.  ``own_turn(state, rules, in_battle)`` gives a set of action ids.
"""

import itertools
from collections import Counter

from overdrive_sim.kernels import actions as ids
from overdrive_sim.kernels.dice import NUMBER
from overdrive_sim.kernels.layout import (
    ABILITY,
    ACOUSTIC,
    ALLOCATE,
    ANY,
    BANDS,
    BUY_DIE,
    BUY_DISTORTION,
    BUY_HIT,
    BUY_LEVEL,
    CHORD,
    CLAIM,
    COVER_BOTS,
    END,
    FACES,
    FAME,
    FANS,
    HIT,
    HORNS,
    IMPROVISATION,
    INFLUENCE,
    JAM_SESSION,
    MOST_PLACES,
    NEW_MEMBER,
    NEW_RIFF,
    OPPORTUNITY,
    OVERDRIVE,
    REROLL,
    SET_FACE,
    SKULL,
    UNIT,
    VIKING_STAGE,
)  # fmt: skip
from overdrive_sim.kernels.rules import NOTHING_CANCELLED, OPTIONS

TRACK_NAMES = ("fans", "fame", "grana", "overdrive")


def faces_of(code):
    return sorted(face for face in range(FACES) for _ in range(int(code) // UNIT[face] % 7))


def number(faces):
    return int(NUMBER[sum(UNIT[face] for face in faces)])


def submultisets(items):
    return {c for k in range(len(items) + 1) for c in itertools.combinations(sorted(items), k)}


def option(rules, name):
    return OPTIONS[name][int(rules.option[name])]


class Turn:
    """What the seat in turn sees."""

    def __init__(self, state, rules, in_battle):
        self.state, self.rules, self.in_battle = state, rules, in_battle
        self.seat = int(state.turn)
        self.me = state.seat[self.seat]
        self.shielded = faces_of(self.me.shielded)
        self.pool = faces_of(self.me.pool)
        bare = Counter(self.pool) - Counter(self.shielded)
        self.bare = sorted(bare.elements())
        self.grana = int(self.me.grana)
        self.locked = [divmod(int(x), 4) for x in self.me.locked[: self.me.n_locked]]
        self.dice = []  # (target, place, owner, placer, face)
        for owner in range(int(state.seats)):
            them = state.seat[owner]
            for entry in them.board[: them.on_board]:
                spot, rest = divmod(int(entry), 32)
                self.dice.append((spot // MOST_PLACES, spot % MOST_PLACES, owner, rest // 4, rest % 4))
        self.occupied = sorted({d[0] for d in self.dice})

    def room(self, seat, track):
        return option(self.rules, "track_cap") == "none" or int(self.state.seat[seat][TRACK_NAMES[track]]) < 20

    def ability(self, slot):
        """(kind, band) of an unlocked ability, (0, -1) if there is none."""
        if self.me.overdrive < self.rules.unlock_level[slot]:
            return 0, -1
        band = int(self.me.copies[slot]) if self.me.band == COVER_BOTS else int(self.me.band)
        return (int(self.rules.ability_kind[band, slot]), band) if band >= 0 else (0, -1)

    # ------------------------------------------------------------ allocations
    def need(self, row):
        return [face for face in range(FACES + 1) for _ in range(int(self.rules.need[row, face]))]

    def meets(self, need, plain, jokers):
        """Whether dice ``plain`` and own Skulls ``jokers`` that count as any face fill ``need``: tried one by one."""
        if len(plain) + len(jokers) != len(need):
            return False
        dice = [(face, False) for face in plain] + [(face, True) for face in jokers]
        return any(
            all(wild or space in (ANY, face) for (face, wild), space in zip(dice, order, strict=True))
            for order in set(itertools.permutations(need))
        )

    def mixtures(self, need):
        """(own faces, virtual faces, bits of locked) that fill a requirement."""
        kind, _ = self.ability(1)
        most = 0
        if kind == 11 and option(self.rules, "tnshe_faces") == "virtual_die":
            most = min(int(self.me.single_faces), 3)
        choices = {}
        for k in range(len(self.locked) + 1):
            for which in itertools.combinations(range(len(self.locked)), k):
                choices.setdefault(tuple(self.locked[i] for i in which), which)
        found = set()
        for own in submultisets(self.pool):
            for virtual in range(most + 1):
                for dice, which in choices.items():
                    if not own and not dice:
                        continue
                    wild = bool(self.me.skulls_wild)
                    plain = [f for f in own if not (wild and f == SKULL)] + [f for _, f in dice] + [HORNS] * virtual
                    jokers = [f for f in own if wild and f == SKULL]
                    if self.meets(need, plain, jokers):
                        found.add((own, virtual, sum(1 << i for i in which)))
        return found

    def free(self, target, places):
        taken = {place for t, place, *_ in self.dice if t == target}
        if places == 0:
            return True
        for_others = places > 1 and option(self.rules, "double_place") == "different_bands"
        if for_others and any(t == target and placer == self.seat for t, _, _, placer, _ in self.dice):
            return False
        return len(taken) < places

    def takes(self):
        if len(self.locked) >= 8:
            return set()
        found = set()
        for target, _, owner, _, face in self.dice:
            if owner == self.seat:
                continue
            if option(self.rules, "jam_die") == "stays":
                there = sum(d[2] == owner and d[4] == face for d in self.dice)
                if there <= self.locked.count((owner, face)):
                    continue
            found.add(target * 32 + owner * 4 + face)
        return found

    def effects(self, space, own):
        rest = Counter(self.pool) - Counter(own)
        if space in (IMPROVISATION, NEW_RIFF):
            goals = (HORNS, INFLUENCE) if space == IMPROVISATION else (CHORD,)
            return {1 + a * 4 + b for a in rest for b in goals if a != b}
        if space == JAM_SESSION:
            return {1 + take for take in self.takes()}
        if space == OPPORTUNITY:
            return {1 + target for target in self.occupied}
        if space == NEW_MEMBER:
            return {0} if self.me.extra_dice < self.rules.extra_dice else set()
        if space == ACOUSTIC:
            return {track for track in (FANS, FAME, OVERDRIVE) if self.room(self.seat, track)}
        return {0} if self.pays(self.rules.space_reward[space], None) else set()

    def pays(self, reward, owner):
        seats = [self.seat] + ([] if owner in (None, -1, self.seat) else [owner])
        return any(reward[track] > 0 and self.room(seat, track) for track in range(4) for seat in seats)

    def allocations(self):
        void = option(self.rules, "void_allocation") == "legal"
        for space in range(10):
            if self.state.closed >> space & 1 or not self.free(space, int(self.rules.space_places[space])):
                continue
            if self.grana < self.rules.space_cost[space]:
                continue
            for own, virtual, bits in self.mixtures(self.need(self.rules.space_row[space])):
                effects = self.effects(space, own) or ({0} if void else set())
                for detail in effects:
                    yield ids.pack(ALLOCATE, space, number(own), virtual, bits, detail)
        stage = VIKING_STAGE + self.seat
        if self.ability(1)[0] == 9 and self.free(stage, 1) and (void or self.pays(self.rules.stage_reward, None)):
            for own, virtual, bits in self.mixtures(self.need(self.rules.stage_row)):
                yield ids.pack(ALLOCATE, stage, number(own), virtual, bits, 0)
        for hit in range(int(self.rules.hits)):
            on_table = hit in self.state.hit_row
            owner = int(self.state.hit_owner[hit])
            if not (on_table or owner >= 0) or not self.free(HIT + hit, 1):
                continue
            cancelled = int(self.state.cancelled[hit])
            column = NOTHING_CANCELLED if cancelled < 0 else cancelled
            for way in range(int(self.rules.hit_ways[hit])):
                if void or self.pays(self.rules.hit_reward[hit, way], owner):
                    for own, virtual, bits in self.mixtures(self.need(self.rules.hit_row[hit, way, column])):
                        yield ids.pack(ALLOCATE, HIT + hit, number(own), virtual, bits, way)

    # ------------------------------------------------------------ dice in hand
    def throws(self):
        """(number of the dice, number of the shielded ones among them)."""
        for bare in submultisets(self.bare):
            for shielded in submultisets(self.shielded):
                if bare or shielded:
                    yield number(bare + shielded), number(shielded)

    def pairs(self, origins, goals):
        for kind, dice in ((0, self.bare), (1, self.shielded)):
            for face in set(dice):
                for goal in goals:
                    if goal != face and face in origins:
                        yield ids.pair(face, kind, goal)

    def choices(self, most):
        """Arguments of #7 and #9, the fewest pairs for every result."""
        before = tuple((face, 0) for face in self.bare) + tuple((face, 1) for face in self.shielded)
        found = {}
        for k in range(1, most + 1):
            for which in itertools.combinations(range(len(before)), min(k, len(before))):
                for goals in itertools.product(range(FACES), repeat=len(which)):
                    after = list(before)
                    for i, goal in zip(which, goals, strict=True):
                        after[i] = (goal, before[i][1])
                    found[tuple(sorted(after))] = None
        for after in found:
            pairs = []
            for kind in (0, 1):
                left, entered = Counter(f for f, s in before if s == kind), Counter(f for f, s in after if s == kind)
                gone, come = sorted((left - entered).elements()), sorted((entered - left).elements())
                pairs += [ids.pair(a, kind, b) for a, b in zip(gone, come, strict=True)]
            if 0 < len(pairs) <= most:
                yield sum((pair + 1) * ids.PAIR_BASE**i for i, pair in enumerate(sorted(pairs)))

    # ------------------------------------------------------------ cards and abilities
    def card_arguments(self, effect):
        battle = self.in_battle
        if battle and option(self.rules, "cards_in_battle") == "protect_only" and effect not in (13, 14):
            return set()
        if effect in (1, 2, 3):
            return {0} if self.room(self.seat, {1: FANS, 2: FAME, 3: OVERDRIVE}[effect]) else set()
        if effect == 4:
            return set() if battle else {t for t in self.occupied if not VIKING_STAGE <= t < HIT}
        if effect == 5:
            skulls = self.pool.count(SKULL)
            if option(self.rules, "card5") == "same_face":
                return {HORNS, CHORD, INFLUENCE} if skulls else set()
            several = itertools.combinations_with_replacement((HORNS, CHORD, INFLUENCE), skulls)
            return {number(dice) for dice in several} if skulls else set()
        if effect == 6:
            return {0} if self.pool and not self.me.skulls_wild and not battle else set()
        if effect in (7, 9):
            return set(self.choices({7: 2, 9: 3}[effect]))
        if effect == 8:
            return {0} if set(self.pool) - {CHORD} else set()
        if effect in (10, 11):
            return {0} if CHORD in self.pool else set()
        if effect == 12:
            pairs = ((HORNS, INFLUENCE), (INFLUENCE, HORNS))
            return {a * 4 + b for a, b in pairs if a in self.pool}
        if battle and option(self.rules, "protect_card") == "shield_step":
            return set(self.bare)
        return set()

    def plays(self):
        seen = set()
        for card in range(int(self.rules.cards)):
            kind = (int(self.rules.card_number[card]), int(self.rules.card_icon[card]))
            if self.me.hand >> card & 1 and kind not in seen:
                seen.add(kind)
                for argument in self.card_arguments(kind[0]):
                    yield ids.play(card, argument)

    def abilities(self):
        sheet = {
            "starssacration": ("C", ANY, CHORD), "dead_and_death": ("C", SKULL, INFLUENCE),
            "rebeldogs": ("C", SKULL, HORNS), "allienogenn": ("C", ANY, CHORD),
            "shirtless_vikings": ("C", ANY, SKULL), "arcane_possession": ("C", ANY, SKULL),
            "tnshe": ("C", SKULL, HORNS), "powergirls": ("C", SKULL, INFLUENCE),
        }  # fmt: skip
        _, band = self.ability(0)
        name = BANDS[band] if band >= 0 else ""
        if not self.me.abilities_used & 1:
            if name in sheet:
                _, origin, goal = sheet[name]
                for pair in self.pairs(range(FACES) if origin == ANY else (origin,), (goal,)):
                    yield ids.pack(ABILITY, 0, 0, 0, 0, pair)
            if name == "epic_gods":
                for dice, shielded in self.throws():
                    yield ids.pack(ABILITY, 0, dice, 0, 0, shielded)
        _, band = self.ability(1)
        name = BANDS[band] if band >= 0 else ""
        sets_faces = option(self.rules, "tnshe_faces") == "set_face" and not self.in_battle
        if name == "tnshe" and sets_faces and self.me.single_faces > 0:
            for pair in self.pairs(range(FACES), (HORNS,)):
                yield ids.pack(ABILITY, 1, 0, 0, 0, pair)
        if self.me.abilities_used & 2:
            return
        if name == "dead_and_death" and self.me.fans >= 1 and self.room(self.seat, FAME):
            yield ids.pack(ABILITY, 1, 0, 0, 0, 0)
        if name == "arcane_possession" and not self.in_battle:
            for take in self.takes():
                yield ids.pack(ABILITY, 1, 0, 0, 0, take)
        if name == "powergirls" and not self.in_battle:
            for target in self.occupied:
                yield ids.pack(ABILITY, 1, 0, 0, 0, target)

    # ------------------------------------------------------------ Grana
    def purchases(self):
        rules, me = self.rules, self.me
        if self.grana >= 10:
            for track in (FANS, FAME, OVERDRIVE):
                if self.room(self.seat, track):
                    yield ids.pack(BUY_LEVEL, 0, 0, 0, 0, track)
            if me.extra_dice < 2:
                yield ids.pack(BUY_DIE, 0, 0, 0, 0, 0)
        for hit in map(int, self.state.hit_row):
            if hit < 0 or me.bought_hit or rules.hit_price[hit] > self.grana:
                continue
            if option(rules, "buy_occupied") == "forbid" and HIT + hit in self.occupied:
                continue
            spaces = {f for way in range(int(rules.hit_ways[hit])) for f in self.need(rules.hit_row[hit, way, 5])}
            for face in spaces:
                yield ids.pack(BUY_HIT, HIT + hit, 0, 0, 0, face)
        row = [card for card in range(int(rules.cards)) if self.state.row >> card & 1]
        if row and not me.bought_distortion and len(row) <= self.grana:
            seen = set()
            for card in row:
                kind = (int(rules.card_number[card]), int(rules.card_icon[card]))
                if kind not in seen:
                    seen.add(kind)
                    yield ids.pack(BUY_DISTORTION, 0, 0, 0, 0, card)
        levels = [int(me[name]) for name in TRACK_NAMES]
        for award in range(4):
            target = rules.award_target[award]
            if self.state.awards >> award & 1 and not me.claimed and all(levels[t] >= target[t] for t in range(4)):
                yield ids.pack(CLAIM, 0, 0, 0, 0, award)

    def all(self):
        if not self.in_battle:
            yield from self.allocations()
            yield from self.purchases()
            yield ids.pack(END, 0, 0, 0, 0, 0)
        if self.grana >= 1:
            for dice, shielded in self.throws():
                yield ids.pack(REROLL, 0, dice, 0, 0, shielded)
        if self.grana >= 5:
            for pair in self.pairs(range(FACES), range(FACES)):
                yield ids.pack(SET_FACE, 0, 0, 0, 0, pair)
        yield from self.plays()
        yield from self.abilities()


def own_turn(state, rules, in_battle):
    """Ids of the legal actions of the seat in turn (in a battle without attack and pass)."""
    listed = [int(action) for action in Turn(state, rules, in_battle).all()]
    assert len(listed) == len(set(listed))
    return set(listed)
