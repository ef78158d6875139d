"""Data classes for the names of a script: functions, parameters and aliases, with spans and scopes.

Shells bind parameters dynamically: what a function does not declare belongs to its
caller, in the end to the file. `resolve` decides which occurrences are the same.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from functools import partial
from typing import cast

from zsh_ls.lazy import attrs
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.span import Span, span_of
from zsh_ls.model.syntax import Script
from zsh_ls.shell.words.expansions import Use
from zsh_ls.system.sorting import sorted_in_turns

from .binding_commands import NameKind

FILE = 0


class Occurrence(NamedTuple):
    """A mention of a name, in the scope with that index."""

    kind: NameKind
    name: str
    span: Span
    use: Use
    scope: int = FILE


# What `Occurrence._make` does, without its check: a long script has ten thousand, moved at each keystroke.
occurrence_of = cast(
    "Callable[[tuple[object, ...]], Occurrence]", partial(tuple.__new__, Occurrence)
)


class Definition(NamedTuple):
    """A definition: `span` is the name, `extent` the whole definition."""

    kind: NameKind
    name: str
    span: Span
    extent: Span
    scope: int = FILE


class Sourced(NamedTuple):
    """A file that the script sources by a literal name: the word's span and its text."""

    span: Span
    path: str


class Scope(NamedTuple):
    """The file (index 0) or a function's body; `names` is empty for an anonymous function."""

    parent: int
    span: Span
    names: tuple[str, ...] = ()


@attrs.frozen
class Names:
    """All names of a script. `occurrences` and `definitions` are in the order of the text.

    `owned[i]` are the parameters that scope i declares as local. `sourced` are the
    files that are sourced by literal names, `sources_unknown` says whether there are
    others. `exported` names are visible to other programs. `calls` are literal command
    words; `calls_unknown` says whether there are others, `evaluates` whether code is
    made at run time. `pieces` caches the names of each top-level command by its text,
    for the next version of the same script.
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
        """The occurrence that contains `offset` or ends there, None if there is none."""
        at = bisect_left(self.occurrences, offset + 1, key=lambda it: it.span.start)
        for found in reversed(self.occurrences[max(at - 2, 0) : at]):
            if found.span.start <= offset <= found.span.end:
                return found
        return None


@attrs.define
class NameCollector:
    """The names collected so far, of a script or of one of its commands."""

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
        """Add an occurrence, unless its span has one: those by a command's meaning are added first."""
        self.occurrences.setdefault(occurrence.span, occurrence)

    def take(self, piece: NameCollector, start: int) -> None:
        """Add the names of a command that begins at `start`; spans in `piece` are relative to it."""
        first = len(self.scopes) - 1
        self.scopes += [
            Scope(it.parent and it.parent + first, it.span.shifted(start), it.names)
            for it in piece.scopes[1:]
        ]
        self.owned += piece.owned[1:]
        occurrences = self.occurrences
        for kind, name, (low, high), use, scope in piece.occurrences.values():
            span = span_of((low + start, high + start))
            found = (kind, name, span, use, scope and scope + first)
            occurrences[span] = occurrence_of(found)
        for it in piece.definitions:
            span, extent = it.span.shifted(start), it.extent.shifted(start)
            scope = it.scope and it.scope + first
            self.definitions.append(Definition(it.kind, it.name, span, extent, scope))
        self.subjects.update((span.shifted(start), it) for span, it in piece.subjects.items())
        self.sourced += [Sourced(it.span.shifted(start), it.path) for it in piece.sourced]
        self.calls += [span_of((low + start, high + start)) for low, high in piece.calls]
        self.given += piece.given
        self.associative |= piece.associative
        self.exported |= piece.exported
        self.sources_unknown |= piece.sources_unknown
        self.evaluates |= piece.evaluates
        self.calls_unknown |= piece.calls_unknown

    def finished(self, script: Script, pieces: Mapping[str, NameCollector]) -> Names:
        """The names as an immutable value, without keys of associative arrays and other bare words."""
        known = {it.name for it in self.definitions if it.kind is NameKind.VARIABLE}
        functions = {it.name for it in self.definitions if it.kind is NameKind.FUNCTION}
        left_out: set[Span] = set()
        for span, subject in self.subjects.items():
            it = self.occurrences.get(span)
            if it is not None and (subject in self.associative or it.name not in known):
                left_out.add(span)
        # No other thread runs while a dictionary of very many is copied.
        kept = (it for span, it in self.occurrences.items() if span not in left_out)
        self.exported.update(name for name, command in self.given if command not in functions)
        return Names(
            script,
            tuple(sorted_in_turns(kept, _span_pair)),
            tuple(sorted_in_turns(self.definitions, _span_pair)),
            tuple(self.scopes),
            tuple(frozenset(names) for names in self.owned),
            tuple(self.sourced),
            self.sources_unknown,
            self.evaluates,
            self.calls_unknown,
            frozenset(self.exported),
            tuple(sorted_in_turns(self.calls, _pair)),
            pieces,
        )


def _pair(span: Span) -> tuple[int, int]:
    """The span as a plain tuple; made by Python's code, between two of which other threads may run."""
    return span.start, span.end


def _span_pair(found: Occurrence | Definition) -> tuple[int, int]:
    """The span as a plain tuple, which is compared ten times as fast as a `Span`."""
    return found.span.start, found.span.end
