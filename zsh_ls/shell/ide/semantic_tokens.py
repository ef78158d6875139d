"""Semantic tokens: what each name of a script is, such as a function, a builtin or a missing program.

A command is called missing only if that is certain: the script has an interpreter
line, every file it sources is known, it does not change PATH or make names at run
time, and it does not check for the command first (`command -v x`). Unknown names
have no token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import partial
from typing import cast

from zsh_ls.lazy import attrs, re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.span import Span
from zsh_ls.shell.symbols.binding_commands import NameKind
from zsh_ls.shell.symbols.references import POSITIONAL
from zsh_ls.shell.symbols.symbols import Names, Occurrence
from zsh_ls.shell.syntax.dialect import shebang_dialect
from zsh_ls.shell.syntax.lines import LONGEST_LINE, pieces
from zsh_ls.shell.words.expansions import Use
from zsh_ls.shell.words.vocabulary import BUILTINS, RESERVED_WORDS, SPECIAL_PARAMETERS
from zsh_ls.system.taking_down import take_down

# The tables of so many tokens go at once, in a few milliseconds.
_MANY = 50_000
_PATHS = frozenset({"PATH", "path", "FPATH", "fpath"})
_ASKS = re.compile(
    r"(?:command\s+-[vV]|whence|which|type|hash|where|\bhas|\bhave|exists)\b[^\n;&|]*"
    r"|commands\[[^\]\n]*\]"
)
# What a question has in it, and may: plain text is found forty times as fast as that pattern.
_COMMAND_ASKS = re.compile(r"command\s+-[vV]")
_MAY_ASK = ("whence", "which", "type", "where", "has", "have", "exists", "commands[")
_NAME = re.compile(r"[\w.+@-]+")
_PLAIN_COMMAND = re.compile(r"[A-Za-z0-9_][\w.+@-]*")


class Sort(StrEnum):
    """The kind of a name."""

    FUNCTION = "function"
    BUILTIN = "builtin"
    PROGRAM = "program"
    MISSING = "missing"
    ALIAS = "alias"
    VARIABLE = "variable"
    POSITIONAL = "positional"
    SPECIAL = "special"


class Token(NamedTuple):
    """A token; `is_declared` if the name is defined there."""

    span: Span
    sort: Sort
    is_declared: bool = False


# What `Token._make` does, without its check.
token_of = cast("Callable[[tuple[Span, Sort, bool]], Token]", partial(tuple.__new__, Token))


@attrs.frozen
class Around:
    """Names from outside the script: programs on PATH, and definitions in sourced files.

    `is_complete` says that there are no other programs and sourced files.
    """

    programs: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()
    aliases: frozenset[str] = frozenset()
    is_complete: bool = False


def tokens(names: Names, around: Around) -> list[Token]:
    """The tokens of a script in order; none overlap or contain a line end."""
    known = _Known(names, around)
    found = []
    # A script says the same few names again and again. No key has a member of an enumeration, whose
    # hash is Python's code: of ten thousand names that took longer than all else.
    variables: dict[str, Sort] = {}
    commands: dict[tuple[str, bool, bool], Sort | None] = {}
    variable, alias, declared, written = (
        NameKind.VARIABLE,
        NameKind.ALIAS,
        Use.DECLARED,
        Use.WRITTEN,
    )
    for it in names.occurrences:
        kind, name, span, use, scope = it
        sort: Sort | None
        if kind is variable:
            sort = variables.get(name)
            if sort is None:
                sort = variables[name] = known.variable(name)
        elif kind is alias:
            sort = Sort.ALIAS
        else:
            what = (name, use is Use.READ, span in known.calls)
            sort = (
                commands[what] if what in commands else commands.setdefault(what, known.command(it))
            )
        if sort is not None:
            is_declared = use is declared or (
                use is written and known.first.get((name, scope)) == span
            )
            found.append(token_of((span, sort, is_declared)))
    if len(found) > _MANY:
        tables: list[object] = [known.calls, known.first, variables, commands]
        del known, variables, commands
        take_down(tables)
    return found


class _Known:
    """Decides what the names of a script are."""

    def __init__(self, names: Names, around: Around) -> None:
        dialect = names.script.dialect
        self.functions = around.functions | _defined(names, NameKind.FUNCTION)
        self.aliases = around.aliases | _defined(names, NameKind.ALIAS)
        self.builtins = BUILTINS[dialect] | RESERVED_WORDS
        self.special = SPECIAL_PARAMETERS[dialect]
        self.programs = around.programs
        # The words after `command -v` and similar: the script itself checks whether they exist.
        self.may_report_missing = around.is_complete and _is_self_contained(names)
        asking = _asking(names.script.text) if self.may_report_missing else ()
        self.checked_names = frozenset(word for each in asking for word in _NAME.findall(each))
        # One by one: no other thread runs while a set is made of very many.
        self.calls: set[Span] = set()
        for call in names.calls:
            self.calls.add(call)
        self.first: dict[tuple[str, int], Span] = {}
        for it in names.definitions:
            self.first.setdefault((it.name, it.scope), it.span)

    def variable(self, name: str) -> Sort:
        """What a parameter is."""
        if name[0] in POSITIONAL:
            return Sort.POSITIONAL
        is_special = name in self.special or not name[0].isidentifier()
        return Sort.SPECIAL if is_special else Sort.VARIABLE

    def command(self, it: Occurrence) -> Sort | None:
        """Aliases come before functions, functions before builtins, builtins before programs."""
        name = it.name
        if name in self.aliases and it.use is Use.READ:
            return Sort.ALIAS
        if name in self.functions:
            return Sort.FUNCTION
        if it.span not in self.calls:
            return None
        if name in self.builtins:
            return Sort.BUILTIN
        if name in self.programs:
            return Sort.PROGRAM
        is_missing = (
            self.may_report_missing
            and name not in self.checked_names
            and _PLAIN_COMMAND.fullmatch(name)
        )
        return Sort.MISSING if is_missing else None


def _asking(text: str) -> Iterator[str]:
    """The questions of a script after commands, each to its end."""
    places = [it.span() for it in _COMMAND_ASKS.finditer(text)]
    for word in _MAY_ASK:
        at = text.find(word)
        while at >= 0:
            places.append((at, at))
            at = text.find(word, text.find("\n", at) + 1 or len(text))
    done = 0
    for at, to in sorted(places):
        if to < done:
            continue
        start, end = text.rfind("\n", 0, at) + 1, text.find("\n", to) + 1 or len(text)
        for piece in pieces(text[start:end], LONGEST_LINE):
            yield from (it[0] for it in _ASKS.finditer(piece))
        done = end


def _defined(names: Names, kind: NameKind) -> frozenset[str]:
    """The names that a script defines, of one kind; autoloaded functions are not among them."""
    return frozenset(it.name for it in names.definitions if it.kind is kind)


def _is_self_contained(names: Names) -> bool:
    """Whether the commands that exist can be known from the text and `Around` alone."""
    is_written = any(
        name in _PATHS and kind is NameKind.VARIABLE and use is not Use.READ
        for kind, name, _, use, _ in names.occurrences
    )
    changes = {"autoload", "zmodload", "hash", "enable", "unhash", "compinit"}
    text = names.script.text
    called = {text[start:end] for start, end in names.calls}
    return not (
        is_written
        or names.sources_unknown
        or names.evaluates
        or names.script.problems
        or called & changes
        or shebang_dialect(names.script.text) is None
    )
