"""Decides whether a name can be renamed without changing what the script does.

Names that are made at run time cannot be renamed from the text; the refusal is a
sentence for the user.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax.lines import pieces
from zsh_ls.shell.words.expansions import Use

from .binding_commands import NameKind
from .resolve import POSITIONAL, BoundPlace
from .special_names import BUILTINS, RESERVED_WORDS, SPECIAL_PARAMETERS
from .symbols import Names

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FUNCTION = re.compile(r"[A-Za-z_][\w.:+@-]*")
_PORTABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_INDIRECT = re.compile(
    r"\$\{\([^()\n]*P[^()\n]*\)|\$\{!\w+(?!\w*(?:\[[@*]\]|[@*])\})"
    r"|\b(?:typeset|declare|local)\s+-\w*n"
)
_WIDGET = re.compile(r"\bzle[ \t]+-N[ \t]+\Z")
# Commands that call functions named within their longer words.
_CALLERS_BY_TEXT = frozenset(
    {"_arguments", "_alternative", "_values", "_regex_arguments", "_sequence", "_wanted", "bindkey"}
)


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
        if not _makes_names_at_run_time(names, places[0].occurrence.kind):
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


def _makes_names_at_run_time(names: Names, kind: NameKind) -> bool:
    if names.evaluates or any(map(_INDIRECT.search, pieces(names.script.text))):
        return True
    called = {names.script.source(span) for span in names.calls}
    return kind is NameKind.FUNCTION and (names.calls_unknown or bool(called & _CALLERS_BY_TEXT))


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
    if not _is_valid(scripts, new_name, is_variable=is_variable):
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


def _is_valid(scripts: Sequence[Names], new_name: str, *, is_variable: bool) -> bool:
    is_portable = any(names.script.dialect is Dialect.SH for names in scripts)
    pattern = _VARIABLE if is_variable else _PORTABLE if is_portable else _FUNCTION
    return bool(pattern.fullmatch(new_name)) and len(new_name) <= 200


def replacement(names: Names, place: BoundPlace, new_name: str) -> str:
    """The new text of `place`. In `zle -N f` the widget keeps its name, to which keys are bound."""
    span = place.occurrence.span
    before = names.script.text[max(0, span.start - 40) : span.start]
    return f"{place.occurrence.name} {new_name}" if _WIDGET.search(before) else new_name
