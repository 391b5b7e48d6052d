"""The tree: nodes by action and seat, whatever chance showed on the way (open loop).

Since the dice decide which actions are legal, a node's children are matched with the legal list at every visit
and each counts how often it was *offered* (Cowling, Powley, Whitehouse: "Information Set Monte Carlo Tree
Search", 2012).  Values are vectors, one entry a seat, and each seat maximises its own (max^n: Luckhardt, Irani,
1986) or, paranoid, the others minimise that of the searching seat (Sturtevant, Korf, 2000).
"""

from __future__ import annotations

import math

from agents.mcts.work import PARANOID, node_at
from simcore.kernel import kernel
from simcore.protocol import MAX_SEATS
from simcore.streams import draw

#: What ``select`` answers besides a node: open another child; nothing to choose from.
OPEN, STOP = -1, -2

_LOWEST = -1e300
_SAME = 1e-12


@kernel
def clear_node(node, action, seat):
    """Make ``node`` a fresh one (in place)."""
    node.action = action
    node.seat = seat
    node.visits = 0
    node.offered = 0
    node.first = -1
    node.next = -1
    node.order = 0
    node.children = 0
    for k in range(MAX_SEATS):
        node.value[k] = 0.0


@kernel
def plant(work):
    """Begin a tree: node 0 alone."""
    clear_node(node_at(work.nodes, 0), -1, -1)
    work.used = 1


@kernel
def allowed_children(settings, node):
    """How many children a node may have at this visit: widen * visits^power, at least one; 0: all."""
    if settings.widen <= 0.0:
        return 1 << 30
    return max(1, int(settings.widen * (node.visits + 1.0) ** settings.power))


@kernel
def worth_of(settings, node, seat, root_seat):
    """Mean value of ``node`` to ``seat``, which chooses it."""
    if settings.opponents == PARANOID and seat != root_seat:
        return 1.0 - node.value[root_seat] / node.visits
    return node.value[seat] / node.visits


@kernel
def select(work, settings, options, n, at, seat, root_seat, rng):
    """The child of node ``at`` to visit among the ``n`` legal actions: by UCB1, or OPEN, or STOP.

    UCB1 with the times a child was offered (Auer, Cesa-Bianchi, Fischer, 2002), plus a bias for children that the
    prior opened first, which fades with visits (Chaslot et al.: "Progressive strategies for MCTS", 2008).  Equal
    children are drawn from ``rng``.
    """
    parent = node_at(work.nodes, at)
    k, known, best, chosen, ties = 0, 0, _LOWEST, STOP, 0
    child = parent.first
    while child >= 0:
        one = node_at(work.nodes, child)
        while k < n and options.action[k] < one.action:
            k += 1
        if k == n:
            break
        if options.action[k] == one.action and one.seat == seat:
            known += 1
            one.offered += 1
            if one.visits == 0:
                worth = 1e6
            else:
                worth = worth_of(settings, one, seat, root_seat)
                worth += settings.exploration * math.sqrt(math.log(one.offered) / one.visits)
                worth += settings.bias / ((1.0 + one.order) * (1.0 + one.visits))
            if worth > best + _SAME:
                best, chosen, ties = worth, child, 1
            elif worth > best - _SAME:
                ties += 1
                if draw(rng, ties) == 0:
                    chosen = child
        child = one.next
    if known < n and known < allowed_children(settings, parent) and work.used < settings.capacity:
        return OPEN
    return chosen


@kernel
def unopened(work, options, n, at, seat, out):
    """Write the legal actions of ``seat`` that node ``at`` has no child for to ``out``; returns their number."""
    k, left = 0, 0
    child = node_at(work.nodes, at).first
    while child >= 0:
        one = node_at(work.nodes, child)
        if one.seat == seat:
            while k < n and options.action[k] < one.action:
                out.action[left] = options.action[k]
                left += 1
                k += 1
            if k < n and options.action[k] == one.action:
                k += 1
        child = one.next
    while k < n:
        out.action[left] = options.action[k]
        left += 1
        k += 1
    return left


@kernel
def open_child(work, at, seat, action):
    """Give node ``at`` a child for ``action``, in its place among the siblings; returns it."""
    child = work.used
    work.used += 1
    node = node_at(work.nodes, child)
    clear_node(node, action, seat)
    parent = node_at(work.nodes, at)
    node.order = parent.children
    node.offered = 1
    parent.children += 1
    before, after = -1, parent.first
    while after >= 0 and node_at(work.nodes, after).action < action:
        before = after
        after = node_at(work.nodes, after).next
    node.next = after
    if before < 0:
        parent.first = child
    else:
        node_at(work.nodes, before).next = child
    return child


@kernel
def back_up(work):
    """Add the shares of a finished iteration to every node of its path."""
    shares = work.shares[0].share
    for k in range(work.depth + 1):
        node = node_at(work.nodes, work.path[k])
        node.visits += 1
        for seat in range(MAX_SEATS):
            node.value[seat] += shares[seat]


@kernel
def best_child(work, settings, options, n, seat, by_value, rng):
    """The root's child to play: most visits or greatest mean value, then the other, then drawn from ``rng``.

    Only actions among the ``n`` listed ones count: a kept tree may hold others.
    """
    best, second, chosen, ties, k = -1.0, -1.0, -1, 0, 0
    child = node_at(work.nodes, 0).first
    while child >= 0:
        one = node_at(work.nodes, child)
        while k < n and options.action[k] < one.action:
            k += 1
        if k == n:
            break
        if options.action[k] == one.action and one.seat == seat and one.visits > 0:
            value, visits = worth_of(settings, one, seat, seat), 1.0 * one.visits
            first, other = (value, visits) if by_value else (visits, value)
            if first > best + _SAME or (first > best - _SAME and other > second + _SAME):
                best, second, chosen, ties = first, other, child, 1
            elif first > best - _SAME and other > second - _SAME:
                ties += 1
                if draw(rng, ties) == 0:
                    chosen = child
        child = one.next
    return chosen


@kernel
def keep_subtree(work, top):
    """Make node ``top`` the root: what hangs below it moves to the front of the other array of nodes."""
    old, new = work.nodes, work.spare
    work.nodes, work.spare = new, old
    copy_node(node_at(new, 0), node_at(old, top))
    node_at(new, 0).next = -1
    used, done = 1, 0
    # Breadth first: a node that moved takes its children along, in order.
    while done < used:
        node = node_at(new, done)
        child, before = node.first, -1
        node.first = -1
        while child >= 0:
            copy_node(node_at(new, used), node_at(old, child))
            child = node_at(old, child).next
            node_at(new, used).next = -1
            if before < 0:
                node.first = used
            else:
                node_at(new, before).next = used
            before = used
            used += 1
        done += 1
    work.used = used


@kernel
def copy_node(to, source):
    """Copy all fields of a node."""
    to.action = source.action
    to.seat = source.seat
    to.visits = source.visits
    to.offered = source.offered
    to.first = source.first
    to.next = source.next
    to.order = source.order
    to.children = source.children
    for k in range(MAX_SEATS):
        to.value[k] = source.value[k]
