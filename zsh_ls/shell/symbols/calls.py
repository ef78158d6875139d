"""Which functions the functions of a script call, and where: by name, as the shell finds them at run time."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.lazy import attrs
from zsh_ls.shell.words.expansions import Use

from .binding_commands import NameKind
from .symbols import FILE, Definition, Names, Occurrence


@attrs.frozen
class Body:
    """What runs together: a function's body, or all that is outside of functions where it is None."""

    function: Definition | None


def calls(names: Names) -> Iterator[tuple[Body, Occurrence]]:
    """Each mention of a function that may be a call, in the order of the text, with the body it stands in."""
    bodies: dict[int, Body] = {}
    for it in names.occurrences:
        if it.kind is NameKind.FUNCTION and it.use is Use.READ:
            if it.scope not in bodies:
                bodies[it.scope] = Body(_function_around(names, it.scope))
            yield bodies[it.scope], it


def _function_around(names: Names, scope: int) -> Definition | None:
    """The function whose body a scope is; that of an anonymous function belongs to what is around it."""
    while scope != FILE and not names.scopes[scope].names:
        scope = names.scopes[scope].parent
    if scope == FILE:
        return None
    _, body, own_names = names.scopes[scope]
    around = (
        it
        for it in names.definitions
        if it.kind is NameKind.FUNCTION
        and it.name in own_names
        and it.extent.start <= body.start
        and body.end <= it.extent.end
    )
    return min(around, key=lambda it: it.extent.end - it.extent.start, default=None)
