"""What each name of a script is, for semantic tokens: a function, a builtin, a program, a missing one.

A command is called missing only where that is sure: the script says by its
first line that it runs by itself, every file it reads is known, nothing in it
changes PATH or makes names while it runs, and it does not ask for the command
first (`command -v x`). What is unknown has no token.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

import attrs

from zsh_ls.model.span import Span
from zsh_ls.shell.symbols.binding_commands import NameKind
from zsh_ls.shell.symbols.resolve import POSITIONAL
from zsh_ls.shell.symbols.special_names import BUILTINS, RESERVED_WORDS, SPECIAL_PARAMETERS
from zsh_ls.shell.symbols.symbols import Names, Occurrence
from zsh_ls.shell.syntax.dialect import shebang_dialect
from zsh_ls.shell.syntax.lines import pieces
from zsh_ls.shell.words.expansions import Use

_PATHS = frozenset({"PATH", "path", "FPATH", "fpath"})
_ASKS = re.compile(
    r"(?:command\s+-[vV]|whence|which|type|hash|where|\bhas|\bhave|exists)\b[^\n;&|]*"
    r"|commands\[[^\]\n]*\]"
)
_NAME = re.compile(r"[\w.+@-]+")
_PLAIN_COMMAND = re.compile(r"[A-Za-z0-9_][\w.+@-]*")


class Sort(StrEnum):
    """What a name is."""

    FUNCTION = "function"
    BUILTIN = "builtin"
    PROGRAM = "program"
    MISSING = "missing"
    ALIAS = "alias"
    VARIABLE = "variable"
    POSITIONAL = "positional"
    SPECIAL = "special"


class Token(NamedTuple):
    """A name of a sort where it stands; `is_declared` where it is made."""

    span: Span
    sort: Sort
    is_declared: bool = False


@attrs.frozen
class Around:
    """What is known beside the script: the programs on PATH, and the names that its files define.

    `is_complete`: nothing else can be on PATH, and every file that is read is known.
    """

    programs: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()
    aliases: frozenset[str] = frozenset()
    is_complete: bool = False


def tokens(names: Names, around: Around) -> list[Token]:
    """The tokens of a script in order; none overlap, and none holds a line end."""
    known = _Known(names, around)
    found = [(it, known.sort(it)) for it in names.occurrences]
    return [
        Token(
            it.span, sort, it.use is Use.DECLARED or (it.use is Use.WRITTEN and known.is_first(it))
        )
        for it, sort in found
        if sort is not None
    ]


class _Known:
    """What the names of a script are."""

    def __init__(self, names: Names, around: Around) -> None:
        dialect = names.script.dialect
        self.functions = around.functions | _defined(names, NameKind.FUNCTION)
        self.aliases = around.aliases | _defined(names, NameKind.ALIAS)
        self.builtins = BUILTINS[dialect] | RESERVED_WORDS
        self.special = SPECIAL_PARAMETERS[dialect]
        self.programs = around.programs
        self.asked = _asked(names.script.text)
        self.can_miss = around.is_complete and _stands_alone(names)
        self.calls = frozenset(names.calls)
        self.first: dict[tuple[str, int], Span] = {}
        for it in names.definitions:
            self.first.setdefault((it.name, it.scope), it.span)

    def sort(self, it: Occurrence) -> Sort | None:
        if it.kind is NameKind.ALIAS:
            return Sort.ALIAS
        if it.kind is NameKind.VARIABLE:
            return self.parameter(it.name)
        return self.command(it)

    def parameter(self, name: str) -> Sort:
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
        is_missing = self.can_miss and name not in self.asked and _PLAIN_COMMAND.fullmatch(name)
        return Sort.MISSING if is_missing else None

    def is_first(self, it: Occurrence) -> bool:
        return self.first.get((it.name, it.scope)) == it.span


def _defined(names: Names, kind: NameKind) -> frozenset[str]:
    """What a script defines of a kind; functions that it autoloads come from elsewhere."""
    return frozenset(it.name for it in names.definitions if it.kind is kind)


def _stands_alone(names: Names) -> bool:
    """Whether nothing but the text says which commands there are."""
    is_written = any(
        it.kind is NameKind.VARIABLE and it.use is not Use.READ and it.name in _PATHS
        for it in names.occurrences
    )
    changes = {"autoload", "zmodload", "hash", "enable", "unhash", "compinit"}
    called = {names.script.source(span) for span in names.calls}
    return not (
        is_written
        or names.sources_unknown
        or names.evaluates
        or names.script.problems
        or called & changes
        or shebang_dialect(names.script.text) is None
    )


def _asked(text: str) -> frozenset[str]:
    """The words behind `command -v` and its like: whether these are there, the script finds out itself."""
    found = (match[0] for piece in pieces(text) for match in _ASKS.finditer(piece))
    return frozenset(word for asking in found for word in _NAME.findall(asking))
