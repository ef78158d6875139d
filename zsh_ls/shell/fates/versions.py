"""Which version of a unit a script has: the same where its text and those of all that it calls are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from heapq import heapify, heappop, heappush

from zsh_ls.lazy.typing import NamedTuple

from .nodes import ScriptNodes

# Where functions call each other in more ways than these, a call is cut at the same places wherever their
# circle is entered: else each of them would run once for each order in which the others can come before it.
MOST_WAYS_ROUND = 10


class Calls(NamedTuple):
    """What the units of a script call, by their numbers.

    `loops` has the units that call each other in a circle with this one, `depths` how many units can
    be running at once in a call of this one, itself included. `ranks` has those of circles with many ways
    round: of these, a unit is followed only into units of lower rank.
    """

    versions: dict[int, bytes]
    loops: dict[int, frozenset[int]]
    depths: dict[int, int]
    ranks: dict[int, int]


def calls_in(program: ScriptNodes) -> Calls:
    """The versions of a script's units; a unit calls functions, and the traps that it sets."""
    functions, units = program.functions, program.units
    callees = {
        number: [
            *sorted(
                (functions[name].number for name in unit.calls), key=program.starts.__getitem__
            ),
            *(inner.number for inner, _ in unit.inner if not inner.names),
        ]
        for number, unit in units.items()
    }
    found: dict[int, bytes] = {}
    loops: dict[int, frozenset[int]] = {}
    depths: dict[int, int] = {}
    ranks: dict[int, int] = {}
    # Tarjan's way to the strongly connected parts of a graph, without recursion.
    indices: dict[int, int] = {}
    lowest: dict[int, int] = {}
    stack: list[int] = []
    for root in units:
        if root in indices:
            continue
        indices[root] = lowest[root] = len(indices)
        stack.append(root)
        path = [(root, iter(callees[root]))]
        while path:
            number, rest = path[-1]
            callee = next((it for it in rest if it not in found), None)
            if callee is not None:
                if callee not in indices:
                    indices[callee] = lowest[callee] = len(indices)
                    stack.append(callee)
                    path.append((callee, iter(callees[callee])))
                else:
                    lowest[number] = min(lowest[number], indices[callee])
                continue
            path.pop()
            if path:
                lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[number])
            if lowest[number] != indices[number]:
                continue
            at = stack.index(number)
            part = frozenset(stack[at:])
            del stack[at:]
            if len(part) > 1 or number in callees[number]:
                loops |= dict.fromkeys(part, part)
            order = sorted(part)
            ways_round = sum(it in part for one in part for it in callees[one]) - len(part) + 1
            if ways_round > MOST_WAYS_ROUND:
                order = _ranked(sorted(part, key=program.starts.__getitem__), callees)
                ranks |= {one: rank for rank, one in enumerate(order)}
            outside = {found[it] for one in part for it in callees[one] if it not in part}
            digest = blake2b(repr(order).encode(), digest_size=16)
            for version in sorted(outside):
                digest.update(version)
            below = {depths[it] for one in part for it in callees[one] if it not in part}
            for one in part:
                depths[one] = len(part) + max(below, default=0)
                # Each unit of a circle has a version of its own.
                found[one] = digest.digest() + one.to_bytes(8, "big")
    return Calls(found, loops, depths, ranks)


def trapping_units(program: ScriptNodes) -> frozenset[int]:
    """The units that, with all that they call, may set a trap or replace the shell, so that none runs."""
    callers: dict[int, list[int]] = {}
    for number, unit in program.units.items():
        for name in unit.calls:
            callers.setdefault(program.functions[name].number, []).append(number)
    waiting = [number for number, unit in program.units.items() if unit.changes_traps]
    found = set(waiting)
    while waiting:
        for caller in callers.get(waiting.pop(), ()):
            if caller not in found:
                found.add(caller)
                waiting.append(caller)
    return frozenset(found)


def _ranked(part: Sequence[int], callees: Mapping[int, Sequence[int]]) -> list[int]:
    """The units of a circle, so that few calls go from one to a later one.

    What calls most and is called least comes last: the way of Eades, Lin and Smyth to few edges against the
    order.
    """
    calls = {one: {it for it in callees[one] if it != one}.intersection(part) for one in part}
    callers: dict[int, set[int]] = {one: set() for one in part}
    for one, called in calls.items():
        for it in called:
            callers[it].add(one)
    positions = {one: position for position, one in enumerate(part)}

    def weight(one: int) -> tuple[int, int, int]:
        # What calls nobody else goes first, then what calls most and is called least.
        return bool(calls[one]), len(callers[one]) - len(calls[one]), positions[one]

    waiting = [(weight(one), one) for one in part]
    heapify(waiting)
    left = set(part)
    first: list[int] = []
    last: list[int] = []
    while waiting:
        before, one = heappop(waiting)
        if one not in left or before != weight(one):
            continue
        left.discard(one)
        (last if calls[one] else first).append(one)
        for it in calls[one]:
            callers[it].discard(one)
        for it in callers[one]:
            calls[it].discard(one)
        for it in calls[one] | callers[one]:
            heappush(waiting, (weight(it), it))
    return first + last[::-1]
