"""Data classes for the names of a script: functions, parameters and aliases, with spans and scopes.

Shells bind parameters dynamically: what a function does not declare belongs to its
caller, in the end to the file. `resolve` decides which occurrences are the same.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import TypeVar, cast

from zsh_ls.lazy import attrs
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.span import Span, span_of
from zsh_ls.model.syntax import Script
from zsh_ls.shell.words.expansions import Use
from zsh_ls.system.sorting import sorted_in_turns

from .binding_commands import NameKind

FILE = 0

Found = TypeVar("Found")


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


definition_of = cast(
    "Callable[[tuple[object, ...]], Definition]", partial(tuple.__new__, Definition)
)


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
    """The names of one command of a script, with its code within; spans are relative to its start."""

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
    variables: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()
    placed: _Placed | None = None
    """Where the command stood last: before an edit nothing moves."""

    def add(self, occurrence: Occurrence) -> None:
        """Add an occurrence, unless its span has one: those by a command's meaning are added first."""
        self.occurrences.setdefault(occurrence.span, occurrence)

    def put_in_order(self) -> None:
        """Put all that was found in the order of the text."""
        self.occurrences = {
            it.span: it for it in sorted_in_turns(self.occurrences.values(), _span_pair)
        }
        self.definitions = sorted_in_turns(self.definitions, _span_pair)
        self.calls = sorted_in_turns(self.calls, _pair)
        self.variables = self._defined(NameKind.VARIABLE)
        self.functions = self._defined(NameKind.FUNCTION)

    def _defined(self, kind: NameKind) -> frozenset[str]:
        return frozenset(it.name for it in self.definitions if it.kind is kind)

    def at(self, start: int, first: int) -> _Placed:
        """All with spans of the script, for a command that begins at `start`, its scopes behind `first`."""
        placed = self.placed
        if placed is None or placed.start != start or placed.first != first:
            self.placed = placed = _Placed(self, start, first)
        return placed


class _Placed:
    """The names of a command that begins at `start`; the first scope of its own is behind `first`."""

    def __init__(self, piece: NameCollector, start: int, first: int) -> None:
        self.start = start
        self.first = first
        self.scopes = [
            Scope(it.parent and it.parent + first, it.span.shifted(start), it.names)
            for it in piece.scopes[1:]
        ]
        self.occurrences = [
            occurrence_of(
                (kind, name, span_of((low + start, high + start)), use, scope and scope + first)
            )
            for kind, name, (low, high), use, scope in piece.occurrences.values()
        ]
        self.definitions = [
            definition_of(
                (
                    kind,
                    name,
                    span_of((low + start, high + start)),
                    span_of((begin + start, end + start)),
                    scope and scope + first,
                )
            )
            for kind, name, (low, high), (begin, end), scope in piece.definitions
        ]
        self.sourced = [Sourced(it.span.shifted(start), it.path) for it in piece.sourced]
        self.calls = [span_of((low + start, high + start)) for low, high in piece.calls]


def joined(
    script: Script,
    commands: Sequence[tuple[NameCollector, int]],
    pieces: Mapping[str, NameCollector],
) -> Names:
    """The names of a script, by those of its commands and where each begins.

    Without keys of associative arrays and other bare words.
    """
    scopes, owned = [Scope(FILE, Span(0, len(script.text)))], [frozenset[str]()]
    placed: list[_Placed] = []
    associative, exported, known, functions = set[str](), set[str](), set[str](), set[str]()
    for piece, start in commands:
        here = piece.at(start, len(scopes) - 1)
        placed.append(here)
        scopes += here.scopes
        owned += map(frozenset, piece.owned[1:])
        associative |= piece.associative
        exported |= piece.exported
        known |= piece.variables
        functions |= piece.functions
    occurrences: list[list[Occurrence]] = []
    for (piece, _), here in zip(commands, placed, strict=True):
        found = here.occurrences
        if piece.subjects:
            left_out = {
                span
                for span, subject in piece.subjects.items()
                if subject in associative or piece.occurrences[span].name not in known
            }
            found = [
                it
                for span, it in zip(piece.occurrences, found, strict=True)
                if span not in left_out
            ]
        occurrences.append(found)
    for piece, _ in commands:
        exported.update(name for name, command in piece.given if command not in functions)
    return Names(
        script,
        _in_order(occurrences, _span_pair),
        _in_order([each.definitions for each in placed], _span_pair),
        tuple(scopes),
        tuple(owned),
        tuple(it for each in placed for it in each.sourced),
        any(piece.sources_unknown for piece, _ in commands),
        any(piece.evaluates for piece, _ in commands),
        any(piece.calls_unknown for piece, _ in commands),
        frozenset(exported),
        _in_order([each.calls for each in placed], _pair),
        pieces,
    )


def _in_order(
    parts: Sequence[list[Found]], key: Callable[[Found], tuple[int, int]]
) -> tuple[Found, ...]:
    """What is in the parts, each of which is in order already, and so are they but for here-documents."""
    ends = [(key(part[0]), key(part[-1])) for part in parts if part]
    found = list(chain.from_iterable(parts))
    if all(before[1] < after[0] for before, after in pairwise(ends)):
        return tuple(found)
    return tuple(sorted_in_turns(found, key))


def _pair(span: Span) -> tuple[int, int]:
    """The span as a plain tuple; made by Python's code, between two of which other threads may run."""
    return span.start, span.end


def _span_pair(found: Occurrence | Definition) -> tuple[int, int]:
    """The span as a plain tuple, which is compared ten times as fast as a `Span`."""
    return found.span.start, found.span.end
