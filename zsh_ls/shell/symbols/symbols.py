"""The names of a script as values: functions, parameters, aliases, where each stands and in which scope.

Shells bind parameters dynamically: what a function declares `local` is its own,
and everything it does not declare belongs to whoever called it, in the end to
the file. Which occurrences are one parameter is the question of `bindings`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import NamedTuple

import attrs

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Script
from zsh_ls.shell.words.expansions import Use

from .binding_commands import NameKind

FILE = 0


class Occurrence(NamedTuple):
    """A name where it stands, in the scope with that index."""

    kind: NameKind
    name: str
    span: Span
    use: Use
    scope: int = FILE


class Definition(NamedTuple):
    """Where something with a name is made: `span` is the name, `extent` all that makes it."""

    kind: NameKind
    name: str
    span: Span
    extent: Span
    scope: int = FILE


class Sourced(NamedTuple):
    """A file that is read by a literal name: the word's span and its text."""

    span: Span
    path: str


class Scope(NamedTuple):
    """The file (index 0) or the body of a function; `names` is empty for an anonymous one."""

    parent: int
    span: Span
    names: tuple[str, ...] = ()


@attrs.frozen
class Names:
    """What `naming.names_of` gives. `occurrences` and `definitions` are in the order of the text.

    `owned[i]` are the parameters that scope i declares for itself. `sourced` are
    the files read by a literal name, `sources_unknown` whether there are others.
    `exported` names are seen by other programs. `calls` are command words with
    nothing to expand; `calls_unknown` says that there are others, `evaluates`
    that code is made while the script runs. `pieces` are what was found in each
    command of the file by its text, for the next version of the same script.
    """

    script: Script
    occurrences: tuple[Occurrence, ...]
    definitions: tuple[Definition, ...]
    scopes: tuple[Scope, ...]
    owned: tuple[frozenset[str], ...]
    sourced: tuple[Sourced, ...]
    sources_unknown: bool
    evaluates: bool
    calls_unknown: bool
    exported: frozenset[str]
    calls: tuple[Span, ...]
    pieces: Mapping[str, NameCollector] = attrs.field(factory=dict, eq=False, repr=False)

    def at(self, offset: int) -> Occurrence | None:
        """The occurrence that the character at `offset` belongs to, or ends at `offset`."""
        at = bisect_left(self.occurrences, offset + 1, key=lambda it: it.span.start)
        for found in reversed(self.occurrences[max(at - 2, 0) : at]):
            if found.span.start <= offset <= found.span.end:
                return found
        return None


@attrs.define
class NameCollector:
    """What was found so far, of a script or of one command of it."""

    scopes: list[Scope] = attrs.field(factory=lambda: [Scope(FILE, Span(0, 0))])
    owned: list[set[str]] = attrs.field(factory=lambda: [set()])
    occurrences: dict[Span, Occurrence] = attrs.field(factory=dict)
    subjects: dict[Span, str] = attrs.field(factory=dict)
    definitions: list[Definition] = attrs.field(factory=list)
    sourced: list[Sourced] = attrs.field(factory=list)
    sources_unknown: bool = False
    evaluates: bool = False
    calls_unknown: bool = False
    associative: set[str] = attrs.field(factory=set)
    exported: set[str] = attrs.field(factory=set)
    given: list[tuple[str, str]] = attrs.field(factory=list)
    calls: list[Span] = attrs.field(factory=list)

    def add(self, occurrence: Occurrence) -> None:
        """Note an occurrence; what a command makes of a word counts before what its text seems."""
        self.occurrences.setdefault(occurrence.span, occurrence)

    def take(self, piece: NameCollector, start: int) -> None:
        """Add what was found in a command that begins at `start`; its own spans begin at 0."""
        first = len(self.scopes) - 1
        self.scopes += [
            Scope(it.parent and it.parent + first, it.span.shifted(start), it.names)
            for it in piece.scopes[1:]
        ]
        self.owned += piece.owned[1:]
        for kind, name, (low, high), use, scope in piece.occurrences.values():
            span = Span(low + start, high + start)
            self.occurrences[span] = Occurrence(kind, name, span, use, scope and scope + first)
        for it in piece.definitions:
            span, extent = it.span.shifted(start), it.extent.shifted(start)
            scope = it.scope and it.scope + first
            self.definitions.append(Definition(it.kind, it.name, span, extent, scope))
        self.subjects.update((span.shifted(start), it) for span, it in piece.subjects.items())
        self.sourced += [Sourced(it.span.shifted(start), it.path) for it in piece.sourced]
        self.calls += [span.shifted(start) for span in piece.calls]
        self._take_facts(piece)

    def _take_facts(self, piece: NameCollector) -> None:
        self.given += piece.given
        self.associative |= piece.associative
        self.exported |= piece.exported
        self.sources_unknown |= piece.sources_unknown
        self.evaluates |= piece.evaluates
        self.calls_unknown |= piece.calls_unknown

    def finished(self, script: Script, pieces: Mapping[str, NameCollector]) -> Names:
        """The same as a value, without the keys of associative arrays and other bare words."""
        known = {it.name for it in self.definitions if it.kind is NameKind.VARIABLE}
        functions = {it.name for it in self.definitions if it.kind is NameKind.FUNCTION}
        kept = [
            it
            for it in self.occurrences.values()
            if not (subject := self.subjects.get(it.span))
            or (subject not in self.associative and it.name in known)
        ]
        self.exported.update(name for name, command in self.given if command not in functions)
        return Names(
            script,
            tuple(sorted(kept, key=_place)),
            tuple(sorted(self.definitions, key=_place)),
            tuple(self.scopes),
            tuple(frozenset(names) for names in self.owned),
            tuple(self.sourced),
            self.sources_unknown,
            self.evaluates,
            self.calls_unknown,
            frozenset(self.exported),
            tuple(sorted(self.calls, key=tuple)),
            pieces,
        )


def _place(found: Occurrence | Definition) -> tuple[int, int]:
    """Its span as a plain pair, which is compared in a tenth of the time."""
    return found.span.start, found.span.end
