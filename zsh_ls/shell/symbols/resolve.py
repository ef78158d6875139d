"""Finds the occurrences of one function or parameter, in one script or several that share names.

A parameter belongs to the innermost enclosing function that declares it, else to
the file. Because shells bind dynamically, a function that uses `x` without declaring
it may mean a caller's `x`: if the function that declares `x` can reach it by calls,
both are the same parameter. So a rename covers all that may be the same, while two
functions that each declare their own `x` stay separate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from zsh_ls.shell.words.expansions import Use

from .binding_commands import NameKind
from .symbols import FILE, Names, Occurrence

POSITIONAL = frozenset("@*#0123456789")


class BoundPlace(NamedTuple):
    """An occurrence in one of several scripts, by the script's index."""

    script: int
    occurrence: Occurrence


class Owner(NamedTuple):
    """The scope that a parameter belongs to; FILE is shared by all scripts."""

    script: int
    scope: int


SHARED = Owner(-1, FILE)


def same(scripts: Sequence[Names], place: BoundPlace) -> list[BoundPlace]:
    """All occurrences of the function or parameter at `place`, in the order of `scripts`."""
    wanted = place.occurrence
    found = [
        BoundPlace(index, it)
        for index, names in enumerate(scripts)
        for it in names.occurrences
        if it.name == wanted.name and _may_be_same(it, wanted)
    ]
    if wanted.kind is not NameKind.VARIABLE:
        return found
    owners = _equivalent_owners(scripts, found, owner_of(scripts, place))
    return [it for it in found if owner_of(scripts, it) in owners]


def _may_be_same(one: Occurrence, other: Occurrence) -> bool:
    """Whether both are variables or neither is: a command word may be a function or an alias."""
    is_variable = one.kind is NameKind.VARIABLE
    return is_variable == (other.kind is NameKind.VARIABLE)


def owner_of(scripts: Sequence[Names], place: BoundPlace) -> Owner:
    """The scope that the parameter at `place` belongs to, lexically."""
    names, scope = scripts[place.script], place.occurrence.scope
    name = place.occurrence.name
    if name[0] in POSITIONAL:
        return Owner(place.script, scope)
    while scope != FILE:
        if name in names.owned[scope]:
            return Owner(place.script, scope)
        scope = names.scopes[scope].parent
    return SHARED


def _equivalent_owners(
    scripts: Sequence[Names], found: Sequence[BoundPlace], owner: Owner
) -> set[Owner]:
    """The owners whose parameter may be the same as that of `owner`, through calls."""
    owners = {owner_of(scripts, it) for it in found}
    unowned = [_scope_of(it) for it in found if owner_of(scripts, it) == SHARED]
    if len(owners) == 1 or not unowned or found[0].occurrence.name[0] in POSITIONAL:
        return {owner}
    reachable = owners & _callers(scripts, unowned) | {SHARED}
    return reachable if owner in reachable else {owner}


def _scope_of(place: BoundPlace) -> Owner:
    return Owner(place.script, place.occurrence.scope)


def _callers(scripts: Sequence[Names], scopes: Iterable[Owner]) -> set[Owner]:
    """The scopes that may be active while one of `scopes` runs, as far as the text shows calls."""
    calls = _calls_of(scripts)
    found: set[Owner] = set()
    waiting = list(scopes)
    while waiting:
        at = waiting.pop()
        if at not in found and at.scope != FILE:
            found.add(at)
            scope = scripts[at.script].scopes[at.scope]
            waiting += [caller for name in scope.names for caller in calls.get(name, ())]
            waiting.append(Owner(at.script, scope.parent))
    return found


def _calls_of(scripts: Sequence[Names]) -> dict[str, set[Owner]]:
    """The scopes that call each function."""
    found: dict[str, set[Owner]] = {}
    for index, names in enumerate(scripts):
        for it in names.occurrences:
            if it.kind is NameKind.FUNCTION and it.use is Use.READ:
                found.setdefault(it.name, set()).add(Owner(index, it.scope))
    return found
