"""Finds the occurrences of one name, in one script or several, and decides whether it can be renamed.

A parameter belongs to the innermost enclosing function that declares it, else to
the file. Because shells bind dynamically, a function that uses `x` without declaring
it may mean a caller's `x`: if the function that declares `x` can reach it by calls,
both are the same parameter. So a rename covers all that may be the same, while two
functions that each declare their own `x` stay separate.

Names that are made at run time cannot be renamed from the text; the refusal is a
sentence for the user.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax.lines import LONGEST_LINE, pieces
from zsh_ls.shell.words.expansions import Use
from zsh_ls.shell.words.vocabulary import BUILTINS, RESERVED_WORDS, SPECIAL_PARAMETERS

from .binding_commands import NameKind
from .symbols import FILE, Names, Occurrence

POSITIONAL = frozenset("@*#0123456789")
# Names of variables everywhere, and of functions in sh.
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FUNCTION = re.compile(r"[A-Za-z_.:+@-][\w.:+@-]*")
_INDIRECT = re.compile(
    r"\$\{\([^()\n]*P[^()\n]*\)|\$\{!\w+(?!\w*(?:\[[@*]\]|[@*])\})"
    r"|\b(?:typeset|declare|local)\s+-\w*n"
)
_WIDGET = re.compile(r"\bzle[ \t]+-N[ \t]+\Z")
# Commands that call functions named within their longer words.
_CALLERS_BY_TEXT = frozenset(
    {"_arguments", "_alternative", "_values", "_regex_arguments", "_sequence", "_wanted", "bindkey"}
)


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
    is_variable = wanted.kind is NameKind.VARIABLE
    # A command word may be a function or an alias.
    found = [
        BoundPlace(index, it)
        for index, names in enumerate(scripts)
        for it in names.occurrences
        if it.name == wanted.name and (it.kind is NameKind.VARIABLE) == is_variable
    ]
    if not is_variable:
        return found
    owners = _equivalent_owners(scripts, found, owner_of(scripts, place))
    return [it for it in found if owner_of(scripts, it) in owners]


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
    unowned = [
        Owner(it.script, it.occurrence.scope) for it in found if owner_of(scripts, it) == SHARED
    ]
    if len(owners) == 1 or not unowned or found[0].occurrence.name[0] in POSITIONAL:
        return {owner}
    reachable = owners & _callers(scripts, unowned) | {SHARED}
    return reachable if owner in reachable else {owner}


def _callers(scripts: Sequence[Names], scopes: Iterable[Owner]) -> set[Owner]:
    """The scopes that may be active while one of `scopes` runs, as far as the text shows calls."""
    calls: dict[str, set[Owner]] = {}
    for index, names in enumerate(scripts):
        for it in names.occurrences:
            if it.kind is NameKind.FUNCTION and it.use is Use.READ:
                calls.setdefault(it.name, set()).add(Owner(index, it.scope))
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


def refusal(scripts: Sequence[Names], places: Sequence[BoundPlace]) -> str | None:
    """Why a name, whose occurrences are all `places`, cannot be renamed; None if it can."""
    wanted = places[0].occurrence
    if any(it.occurrence.kind is NameKind.ALIAS for it in places):
        return f"`{wanted.name}` is an alias: where it takes effect is decided while the script is read."
    if wanted.kind is NameKind.VARIABLE:
        return _variable_refusal(scripts, places) or _unseen_use(scripts, places)
    if not any(it.occurrence.use is Use.DECLARED for it in places):
        return f"`{wanted.name}` is no function of this file or of one it sources."
    return _unseen_use(scripts, places)


def _variable_refusal(scripts: Sequence[Names], places: Sequence[BoundPlace]) -> str | None:
    name = places[0].occurrence.name
    if name[0] in POSITIONAL or not name[0].isidentifier():
        return f"`${name}` is a parameter of the shell itself."
    if any(name in SPECIAL_PARAMETERS[names.script.dialect] for names in scripts):
        return f"`{name}` has a meaning to the shell or to the programs it starts."
    if any(name in names.exported for names in scripts):
        return f"`{name}` is exported: the programs that read it would not find it."
    if all(it.occurrence.use is Use.READ for it in places):
        return f"`{name}` is set nowhere here: it comes from the environment or another file."
    return None


def _unseen_use(scripts: Sequence[Names], places: Sequence[BoundPlace]) -> str | None:
    """Refuse if the script makes names at run time and the name also occurs in other text."""
    name = places[0].occurrence.name
    for names in scripts:
        makes_names = names.evaluates or any(
            map(_INDIRECT.search, pieces(names.script.text, LONGEST_LINE))
        )
        if places[0].occurrence.kind is NameKind.FUNCTION and not makes_names:
            called = {names.script.source(span) for span in names.calls}
            makes_names = names.calls_unknown or bool(called & _CALLERS_BY_TEXT)
        if not makes_names:
            continue
        covered = {it.span for it in names.occurrences if it.name == name}
        for span in _mentions(names, name):
            if span not in covered:
                line = names.script.text.count("\n", 0, span.start) + 1
                return (
                    f"`{name}` also stands in text on line {line}, and this script makes names"
                    " while it runs (eval, indirection): not every use of it can be seen."
                )
    return None


def _mentions(names: Names, name: str) -> Iterator[Span]:
    """Where the name occurs as a separate word outside comments."""
    comments = {span.start: span.end for span in names.script.comments}
    pattern = re.compile(rf"#.*|(?<![\w.-]){re.escape(name)}(?![\w-])")
    at = 0
    while found := pattern.search(names.script.text, at):
        if found[0].startswith("#"):
            at = comments.get(found.start(), found.start() + 1)
        else:
            at = found.end()
            yield Span(*found.span())


def new_name_refusal(
    scripts: Sequence[Names], places: Sequence[BoundPlace], new_name: str
) -> str | None:
    """Why `new_name` cannot be the new name of `places`; None if it can."""
    is_variable = places[0].occurrence.kind is NameKind.VARIABLE
    is_portable = any(names.script.dialect is Dialect.SH for names in scripts)
    pattern = _NAME if is_variable or is_portable else _FUNCTION
    if not pattern.fullmatch(new_name) or len(new_name) > 200:
        kind = "a parameter" if is_variable else "a function"
        return f"`{new_name}` cannot be the name of {kind}."
    for names in scripts:
        dialect = names.script.dialect
        taken = SPECIAL_PARAMETERS[dialect] if is_variable else BUILTINS[dialect] | RESERVED_WORDS
        if new_name in taken:
            return f"`{new_name}` has a meaning to the shell."
        for it in names.occurrences:
            if it.name == new_name and (it.kind is NameKind.VARIABLE) == is_variable:
                line = names.script.text.count("\n", 0, it.span.start) + 1
                return f"`{new_name}` is used already, on line {line}: both would become one."
    return None


def replacement(names: Names, place: BoundPlace, new_name: str) -> str:
    """The new text of `place`. In `zle -N f` the widget keeps its name, to which keys are bound."""
    span = place.occurrence.span
    before = names.script.text[max(0, span.start - 40) : span.start]
    return f"{place.occurrence.name} {new_name}" if _WIDGET.search(before) else new_name
