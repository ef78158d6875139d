"""Which occurrences of a name are one function or one parameter, in one script or several that share names.

A parameter belongs to the innermost function around that declares it, else to
the file. Because shells bind dynamically, a function that uses `x` without
declaring it may mean the `x` of a caller: where the function that owns `x` can
reach it by calls, both are one. So is what is renamed always all there is to
rename; two functions that each declare an `x` of their own stay two.
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
    """The scope a parameter belongs to; FILE is shared by all scripts."""

    script: int
    scope: int


SHARED = Owner(-1, FILE)


def same(scripts: Sequence[Names], place: BoundPlace) -> list[BoundPlace]:
    """All occurrences of what stands at `place`, in the order of `scripts` and their texts."""
    wanted = place.occurrence
    found = [
        BoundPlace(index, it)
        for index, names in enumerate(scripts)
        for it in names.occurrences
        if it.name == wanted.name and _is_alike(it, wanted)
    ]
    if wanted.kind is not NameKind.VARIABLE:
        return found
    owners = _one_with(scripts, found, owner_of(scripts, place))
    return [it for it in found if owner_of(scripts, it) in owners]


def _is_alike(one: Occurrence, other: Occurrence) -> bool:
    """A command word may be a function or an alias."""
    is_variable = one.kind is NameKind.VARIABLE
    return is_variable == (other.kind is NameKind.VARIABLE)


def owner_of(scripts: Sequence[Names], place: BoundPlace) -> Owner:
    """The scope that the parameter at `place` belongs to, by where it stands."""
    names, scope = scripts[place.script], place.occurrence.scope
    name = place.occurrence.name
    if name[0] in POSITIONAL:
        return Owner(place.script, scope)
    while scope != FILE:
        if name in names.owned[scope]:
            return Owner(place.script, scope)
        scope = names.scopes[scope].parent
    return SHARED


def _one_with(scripts: Sequence[Names], found: Sequence[BoundPlace], owner: Owner) -> set[Owner]:
    """The owners whose parameter may be that of `owner`: all whose functions reach a use without one."""
    owners = {owner_of(scripts, it) for it in found}
    loose = [_scope(it) for it in found if owner_of(scripts, it) == SHARED]
    if len(owners) == 1 or not loose or found[0].occurrence.name[0] in POSITIONAL:
        return {owner}
    met = owners & _callers(scripts, loose) | {SHARED}
    return met if owner in met else {owner}


def _scope(place: BoundPlace) -> Owner:
    return Owner(place.script, place.occurrence.scope)


def _callers(scripts: Sequence[Names], scopes: Iterable[Owner]) -> set[Owner]:
    """The scopes that may be running while one of `scopes` is, as far as calls stand in the text."""
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
    """The scopes that speak of each function."""
    found: dict[str, set[Owner]] = {}
    for index, names in enumerate(scripts):
        for it in names.occurrences:
            if it.kind is NameKind.FUNCTION and it.use is Use.READ:
                found.setdefault(it.name, set()).add(Owner(index, it.scope))
    return found
