"""Which version of a unit a script has: the same where its text and those of all that it calls are."""

from __future__ import annotations

from hashlib import blake2b
from typing import NamedTuple

from .nodes import ScriptNodes


class Calls(NamedTuple):
    """What the units of a script call, by their numbers.

    `loops` has the units that call each other in a circle with this one, `depths` how many units can
    be running at once in a call of this one, itself included.
    """

    versions: dict[int, bytes]
    loops: dict[int, frozenset[int]]
    depths: dict[int, int]


def calls_in(program: ScriptNodes) -> Calls:
    """The versions of a script's units; a unit calls functions, and the traps that it sets."""
    functions, units = program.functions, program.units
    callees = {
        number: [functions[name].number for name in unit.calls]
        + [inner.number for inner, _ in unit.inner if not inner.names]
        for number, unit in units.items()
    }
    found: dict[int, bytes] = {}
    loops: dict[int, frozenset[int]] = {}
    depths: dict[int, int] = {}
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
            outside = {found[it] for one in part for it in callees[one] if it not in part}
            digest = blake2b(repr(sorted(part)).encode(), digest_size=16)
            for version in sorted(outside):
                digest.update(version)
            below = {depths[it] for one in part for it in callees[one] if it not in part}
            for one in part:
                depths[one] = len(part) + max(below, default=0)
                # Each unit of a circle has a version of its own.
                found[one] = digest.digest() + one.to_bytes(8, "big")
    return Calls(found, loops, depths)
