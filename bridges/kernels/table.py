"""Many games at one table, each standing at a decision that somebody outside makes, word by word.

One kernel, made once a game, takes a word for each game, plays every game on to the next word that is asked for
(chance, forced moves and compiled agents included), and writes down who is asked, what may be said and what is
seen.  The loop's own ``advance`` plays: dice, streams and agents are those of every other run.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from bridges.kernels.pointers import caller
from simcore.kernel import function_type, kernel, record, record_type
from simcore.loop import ASKS, JOB, MAX_AGENTS, OVER, UNFINISHED, slot_dtype
from simcore.protocol import MAX_SEATS, Engine

#: Addresses of compiled functions (see ``pointers``).
DOOR = record(
    [
        ("start", "i8", (2,)),
        ("advance", "i8", (2,)),
        ("returns", "i8", (2,)),
        ("outcome", "i8", (2,)),
        ("agent", "i8", (MAX_AGENTS, 2)),
    ]
)

#: What is asked of a call: ``auto``: a finished game is followed by block + ``stride`` at once; ``masks``,
#: ``seen``, ``vectors``, ``scores``: whether these are written; ``limit``: decisions after which a game is given up;
#: ``seats``: at the table, ``shaping``: reward for a point of lead (with ``scores``).
WISH = record(
    [
        ("auto", "i8"), ("stride", "i8"), ("masks", "i8"), ("seen", "i8"), ("vectors", "i8"), ("scores", "i8"),
        ("limit", "i8"), ("master", "i8"), ("seats", "i8"), ("shaping", "f8"),
    ]
)  # fmt: skip

#: Most levels of words.
MOST_LEVELS = 8

#: A word that nobody said: the game goes on from where it stands.
NOTHING = -1

# What the last call says of a game (REPORT.status).
WAITS, ENDED, GIVEN_UP, NOT_LEGAL, FAILED = range(5)

#: What a call reports of a game.  ``status``: as above (with ``auto`` of the game that ended; the next one then
#: waits already); ``seat``: who is asked; ``level``: of the word that is asked for; ``steps``: decisions of the game;
#: ``reward``: of the seat that spoke (its win share where the game ended, and what was shaped); ``ended`` and
#: ``given_up``: whether the status is that.  Small, so that thousands of games fit into the processor's cache.
REPORT = record(
    [
        ("status", "i8"), ("seat", "i8"), ("level", "i8"), ("steps", "i8"), ("reward", "f8"), ("ended", "?"),
        ("given_up", "?"),
    ]
)  # fmt: skip

#: What only some calls write.  ``share``: win shares of the game that ended; ``score``: scores of the game in which
#: the word was said; ``now``: scores where it stands now (with ``auto`` another game).
FINAL = record([("share", "f8", (MAX_SEATS,)), ("score", "f8", (MAX_SEATS,)), ("now", "f8", (MAX_SEATS,))])


def spelling_dtype(capacity: int) -> np.dtype:
    """What of a decision was said: ``n`` actions are left, ``word`` is the next one of each, ``said`` those before."""
    return record([("n", "i8"), ("level", "i8"), ("said", "i4", (MOST_LEVELS,)), ("word", "i4", (capacity,))])


def make_spelling(word: Any, levels: int, label: str) -> tuple[Any, Any]:
    """(ask, say): the kernels that ask for the next word of a decision and take it."""

    @kernel(label=label)
    def ask(slot, spelling, rules, level):
        """Ask for the first word from ``level`` on that tells the actions left apart; 0 when there is none."""
        options, seat = slot.options[0], slot.seat
        while level < levels:
            first = word(slot.state[0], rules, options.action[0], seat, level)
            spelling.word[0] = first
            differ = 0
            for i in range(1, spelling.n):
                one = word(slot.state[0], rules, options.action[i], seat, level)
                spelling.word[i] = one
                differ += one != first
            if differ > 0:
                spelling.level = level
                return 1
            level += 1
        return 0

    @kernel(label=label)
    def say(slot, spelling, rules, said):
        """Keep the actions that begin so: 1 when one is left (it is the answer), 0 when a word is still needed.

        -1 for a word that is not possible here, -2 when words do not tell two actions apart.
        """
        options = slot.options[0]
        kept, last = 0, 0
        for i in range(spelling.n):  # without a branch: nobody can foresee which word is said
            same = spelling.word[i] == said
            kept += int(same)
            last = i if same else last
        if kept == 0:
            return -1
        spelling.said[spelling.level] = said + 1
        if kept == 1:
            slot.answer = options.action[last]
            spelling.n = 1
            return 1
        kept = 0
        for i in range(spelling.n):
            if spelling.word[i] == said:
                options.action[kept] = options.action[i]
                kept += 1
        spelling.n = kept
        return 0 if ask(slot, spelling, rules, spelling.level + 1) else -2

    return ask, say


def make_turn(engine: Engine, word: Any, levels: int, label: str) -> Any:
    """The kernel that takes a word and plays one game on to the next."""
    ask, say = make_spelling(word, levels, label)
    advance_at, choose_at = caller(advance_signature(engine)), caller(engine.signatures["choose"])

    @kernel(label=label)
    def turn(door, minds, job, slot, spelling, rules, said, limit):
        """Take the word ``said`` (NOTHING: none is owed) and go on to the next; returns the game's status."""
        if said != NOTHING:
            taken = say(slot, spelling, rules, said)
            if taken == -1:
                return NOT_LEGAL
            if taken == -2:
                return FAILED
            if taken == 0:
                return WAITS
        advance = advance_at(door.advance[0], door.advance[1])
        agents = (
            choose_at(door.agent[0, 0], door.agent[0, 1]), choose_at(door.agent[1, 0], door.agent[1, 1]),
            choose_at(door.agent[2, 0], door.agent[2, 1]), choose_at(door.agent[3, 0], door.agent[3, 1]),
            choose_at(door.agent[4, 0], door.agent[4, 1]), choose_at(door.agent[5, 0], door.agent[5, 1]),
            choose_at(door.agent[6, 0], door.agent[6, 1]), choose_at(door.agent[7, 0], door.agent[7, 1]),
        )  # fmt: skip
        status = advance(agents, minds, job, slot, rules, limit, 0)
        if status == ASKS:
            spelling.n = slot.waiting
            for level in range(MOST_LEVELS):
                spelling.said[level] = 0
            return WAITS if ask(slot, spelling, rules, 0) else FAILED
        if status == OVER:
            return ENDED
        return GIVEN_UP if status == UNFINISHED else FAILED

    return turn


def make_look(see: Any, levels: int, label: str) -> tuple[Any, Any]:
    """(look, mark): kernels that write what a seat sees, and the words that may be said."""

    @kernel(label=label)
    def look(slot, spelling, rules, viewer, is_asked, low, high, scale, rows, vectors, i, scaled):
        """Write row ``i`` of ``rows`` for ``viewer``, cut to [low, high], and (``scaled``) of ``vectors`` in [0, 1]."""
        width = rows.shape[1]
        for k in range(width):
            rows[i, k] = 0
        used = see(slot.state[0], rules, viewer, rows, i)
        if is_asked:
            for level in range(levels):
                rows[i, used + level] = spelling.said[level]
        for k in range(width):
            rows[i, k] = min(max(rows[i, k], low[k]), high[k])
        if scaled:
            for k in range(width):
                vectors[i, k] = np.float32(np.int32(rows[i, k]) - np.int32(low[k])) * scale[k]
        return used

    @kernel(label=label)
    def mark(spelling, masks, i, may):
        """Write ``may`` to row ``i`` of ``masks`` for every word that may be said.

        Few of a thousand words are: to take back the last ones costs a tenth of clearing the row.
        """
        for n in range(spelling.n):
            masks[i, spelling.word[n]] = may

    return look, mark


def advance_signature(engine: Engine) -> Any:
    """Signature of the loop's ``advance``."""
    agents = types.UniTuple(function_type(engine.signatures["choose"]), MAX_AGENTS)
    mind = types.Array(record_type(engine.mind), 1, "C")
    number = types.int64
    return number(
        agents, mind, record_type(JOB), record_type(slot_dtype(engine)), record_type(engine.rules), number, number
    )


def start_signature(engine: Engine) -> Any:
    """Signature of the loop's ``start``."""
    return types.void(
        types.int64,
        record_type(JOB),
        record_type(slot_dtype(engine)),
        record_type(engine.rules),
        record_type(engine.setup),
    )


def make_gain(label: str) -> Any:
    """The kernel that says how much a seat's lead grew."""

    @kernel(label=label)
    def gain(before, after, seats, seat):
        """Growth of the score of ``seat`` less the mean of the others' (0 where it is alone)."""
        if seats == 1:
            return 0.0
        others = 0.0
        for other in range(seats):
            if other != seat:
                others += after[other] - before[other]
        return after[seat] - before[seat] - others / (seats - 1)

    return gain


def make_play_on(engine: Engine, word: Any, see: Any, score: Any, levels: int, label: str) -> tuple[Any, Any]:
    """(play_on, view): the kernel for all games, and the one that shows games to seats."""
    turn = make_turn(engine, word, levels, label)
    look, mark = make_look(see, levels, label)
    gain = make_gain(label)
    start_at = caller(start_signature(engine))
    returns_at, outcome_at = caller(engine.signatures["returns"]), caller(engine.signatures["outcome"])

    @kernel(label=label)
    def count(door, slot, rules, scores, results):
        """Write the scores as they are now to ``scores``."""
        outcome_at(door.outcome[0], door.outcome[1])(slot.state[0], rules, results[0])
        for seat in range(MAX_SEATS):
            scores[seat] = score(results[0], seat)

    @kernel(label=label)
    def settle(door, wish, slot, rules, report, final, shares, results):
        """Add to the reward of a word that was said, write scores, and the win shares where it ended the game."""
        if wish.scores:
            count(door, slot, rules, final.score, results)
            report.reward += wish.shaping * gain(final.now, final.score, wish.seats, report.seat)
            for seat in range(MAX_SEATS):
                final.now[seat] = final.score[seat]
        if report.ended or report.given_up:
            returns_at(door.returns[0], door.returns[1])(slot.state[0], rules, shares[0])
            for seat in range(MAX_SEATS):
                final.share[seat] = shares[0].share[seat]
            report.reward += final.share[report.seat]

    @kernel(label=label)
    def play_on(
        doors,
        wishes,
        minds,
        jobs,
        slots,
        spellings,
        setups,
        rules,
        shares,
        results,
        low,
        high,
        scale,
        words,
        reports,
        finals,
        masks,
        rows,
        vectors,
    ):
        """Take ``words[i]`` for every game i and play it on (see the module); all arrays but the inputs are written.

        ``words``: int64, NOTHING where no word is owed; games with status ENDED or worse are left alone unless
        ``auto`` opens the next one.  Rows of ``masks`` are 1 where the last call said so, 0 elsewhere.  Returns the
        number of games with a fault.
        """
        door, wish, table = doors[0], wishes[0], rules[0]
        faults = 0
        for i in range(len(words)):
            slot, spelling, job, report, final = slots[i], spellings[i], jobs[i], reports[i], finals[i]
            if wish.masks:
                mark(spelling, masks, i, 0)
            status = turn(door, minds, job, slot, spelling, table, words[i], wish.limit)
            report.status = status
            report.steps = slot.counts[0].steps
            if status in (NOT_LEGAL, FAILED):
                faults += 1
                if wish.masks:
                    mark(spelling, masks, i, 1)
                continue
            report.reward, report.ended, report.given_up = 0.0, status == ENDED, status == GIVEN_UP
            if wish.scores or status != WAITS:
                settle(door, wish, slot, table, report, final, shares, results)
            if status != WAITS:
                spelling.n = 0
                if wish.auto:
                    job.block += wish.stride
                    start_at(door.start[0], door.start[1])(wish.master, job, slot, table, setups[job.setup])
                    if turn(door, minds, job, slot, spelling, table, NOTHING, wish.limit) != WAITS:
                        report.status = FAILED
                        faults += 1
                        continue
                    if wish.scores:
                        count(door, slot, table, final.now, results)
            report.seat = slot.seat
            report.level = spelling.level
            if wish.masks:
                mark(spelling, masks, i, 1)
            if wish.seen:
                look(slot, spelling, table, slot.seat, 1, low, high, scale, rows, vectors, i, wish.vectors)
        return faults

    @kernel(label=label)
    def view(slots, spellings, rules, games, viewers, low, high, scale, rows, vectors):
        """Write what ``viewers[j]`` sees of game ``games[j]`` to row j; returns how many numbers that is."""
        used = 0
        for j in range(len(games)):
            slot, spelling = slots[games[j]], spellings[games[j]]
            asked = 1 if slot.seat == viewers[j] else 0
            used = look(slot, spelling, rules[0], viewers[j], asked, low, high, scale, rows, vectors, j, 1)
        return used

    return play_on, view
