"""What a line of a script needs of the lines above it: variables, functions, aliases, the folder (SESS-3).

Whoever runs a line alone runs it without what the script gave before. Which of that is missing is decided by
who asks (`Known`); here is found out what the line reads, which commands above give it, and what these need
in turn. Only text is looked at, and each command and each function at most once a question.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from zsh_ls.lazy import attrs, re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import (
    Connector,
    Dialect,
    Pipeline,
    Redirection,
    Segment,
    SegmentKind,
    pipelines_within,
)
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.words.expansions import Use
from zsh_ls.shell.words.vocabulary import word_set
from zsh_ls.system.sorting import sorted_in_turns

from .binding_commands import NameKind
from .collect import names_of
from .references import POSITIONAL
from .symbols import FILE, Definition, Names, Occurrence

Kind = Literal["variable", "function", "alias", "directory"]
Known = Callable[[Kind | Literal["command"], str], bool]
KnownFolder = Callable[[tuple[str, ...]], bool]

_CHANGING = frozenset({"cd", "pushd"})
_SOURCING = frozenset({".", "source"})
# Builtins that do the same in every folder, as long as no word of theirs is a pattern or a file.
_ANYWHERE = word_set(
    """echo print printf : true false export typeset declare local readonly integer float unset set setopt
    unsetopt shopt alias unalias exit return shift let read trap umask autoload zmodload emulate break
    continue (( [[ [ test { ( if for while until case select repeat eval noglob"""
)
_FILE_TEST = re.compile(r"\s-[a-hkprstuwxLOGSN]\s")
_PATTERN = re.compile(r"[*?]|\[[^\]]*\]")
_ABSOLUTE = re.compile(r"[\"']?(?:/|~)")
_VALUE = re.compile(r"=(?!=)")
_FOLDER_NAMES = frozenset({"PWD", "OLDPWD"})
_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\$`]|\\.)*\"")


class Missing(NamedTuple):
    """A name that a line reads and the text gives only above it, last on `line`, counted from 0."""

    name: str
    kind: Kind
    line: int


@attrs.frozen
class Dependencies:
    """What is missing, and the ranges of the whole commands that give it, in the text's order.

    `without_offer` are names that only the command gives which the line stands in, such as a loop's.
    """

    missing: tuple[Missing, ...] = ()
    offer: tuple[Span, ...] = ()
    without_offer: tuple[str, ...] = ()


def dependencies(
    names: Names,
    span: Span,
    known: Known,
    known_folder: KnownFolder,
    given: Mapping[Span, frozenset[str]] | None = None,
) -> Dependencies:
    """What the commands in `span` need that stands above them and is not known.

    `known` says whether a name is there already; `known_folder` whether who runs the line is where these
    `cd` and `pushd`, the words of each without its options, would lead. `given` are the functions of files
    that the text sources, by the word that names the file, with `""` where it may give others too; where
    they are given, a command that is nowhere is asked about as well, if a file may give it.
    """
    return _Question(names, span, known, known_folder, given).answer()


def folder_changes(names: Names) -> tuple[str, ...]:
    """The arguments of the `cd` and `pushd` commands at the top level of a text, as written."""
    return tuple(change.argument for change in _changes(names.script.pipelines, names))


class _Change(NamedTuple):
    argument: str
    span: Span


class _Need(NamedTuple):
    kind: Kind
    name: str


@attrs.define
class _Unit:
    """A whole command above the line, and what it gives: where that stands, and whether for certain."""

    span: Span
    gives: dict[_Need, tuple[int, bool]]


class _Question:
    """One question about one line."""

    def __init__(
        self,
        names: Names,
        span: Span,
        known: Known,
        known_folder: KnownFolder,
        given: Mapping[Span, frozenset[str]] | None = None,
    ) -> None:
        self.names = names
        self.script = names.script
        self.span = span
        self.known = known
        self.known_folder = known_folder
        self.starts = [it.span.start for it in names.occurrences]
        self.lost = sorted_in_turns(
            _lost(self.script.pipelines, self.script.dialect), _start_and_end
        )
        self.for_one_command = frozenset(_before_commands(self.script.pipelines))
        self.bodies: dict[str, list[int]] = {}
        for index, scope in enumerate(names.scopes):
            for name in scope.names:
                self.bodies.setdefault(name, []).append(index)
        self.functions = self.bodies.keys() | {
            it.name
            for it in names.occurrences
            if it.kind is NameKind.FUNCTION and it.use is Use.WRITTEN
        }
        self.functions |= frozenset().union(*(given or {}).values())
        self.by_scope: dict[int, list[Occurrence]] = {}
        for it in names.occurrences:
            self.by_scope.setdefault(it.scope, []).append(it)
        self.defined = {it.span: it for it in names.definitions if it.kind is not NameKind.FUNCTION}
        self.aliases = {it.name: it for it in names.definitions if it.kind is NameKind.ALIAS}
        self.effects: dict[str, frozenset[str]] = {}
        self.units = list(self._units_above())
        self.sourcing = sorted(set(self._units_that_source()))
        of_files = {at: it for it in given or {} if (at := self._unit_at(it)) in self.sourcing}
        for at, word in of_files.items():
            for name in (given or {})[word]:
                self.units[at].gives.setdefault(_Need("function", name), (word.start, True))
        # Those of which nobody knows all that they give.
        self.open_ended = [
            it
            for it in (self.sourcing if given is not None else ())
            if it not in of_files or "" in (given or {})[of_files[it]]
        ]
        self.givers: dict[_Need, list[int]] = {}
        for place, unit in enumerate(self.units):
            for need in unit.gives:
                self.givers.setdefault(need, []).append(place)
        self.changes = list(_changes(self.script.pipelines, names))
        self.line_starts = [0, *(it.end() for it in re.finditer(r"\r\n|\n|\r", self.script.text))]

    def answer(self) -> Dependencies:
        """What the line needs, and then what the commands need that give it."""
        missing: list[Missing] = []
        without: list[str] = []
        for need, places in self._unknown(self.span, len(self.units)):
            own = () if places else self._around(need)
            line = own[-1][0] if own else self.units[places[-1]].gives[need][0]
            missing.append(Missing(need.name, need.kind, self._line(line)))
            if own and own[-1][1] is None:
                without.append(need.name)
        if folder := self._missing_folder(self.span):
            last = folder[-1]
            missing.append(Missing(last.argument, "directory", self._line(last.span.start)))
        spans = {self._whole(span) for span in self._offered()}
        return Dependencies(
            tuple(sorted_in_turns(missing, lambda it: (it.line, it.kind, it.name))),
            tuple(sorted_in_turns(spans, _start_and_end)),
            tuple(without),
        )

    def _unknown(self, span: Span, before: int) -> Iterator[tuple[_Need, list[int]]]:
        """What a range needs, that is not known, and the commands among those `before` that give it."""
        for need in self._needs(span):
            if self.known(need.kind, need.name):
                continue
            places = [it for it in self.givers.get(need, ()) if it < before]
            if places or self._around(need):
                yield need, places
            elif need.kind != "variable" and not self.known("command", need.name):
                places = [it for it in self.open_ended if it < before]
                called = _Need("function", need.name)
                for it in places:
                    unit = self.units[it]
                    unit.gives.setdefault(called, (unit.span.start, False))
                if places:
                    yield called, places

    def _offered(self) -> Iterator[Span]:
        """The commands that give what the line needs, and what these need, each once."""
        chosen: set[int] = set()
        waiting: list[tuple[Span, int]] = [(self.span, len(self.units))]
        while waiting:
            span, before = waiting.pop()
            wanted: list[int] = []
            for need, places in self._unknown(span, before):
                wanted += self._from_the_last_certain(need, places)
                if not places and (whole := self._around(need)[-1][1]) is not None:
                    yield whole
            for change in self._missing_folder(span):
                at = self._unit_at(change.span)
                wanted += [] if at is None else [at]
            if self._lacks_what_nobody_gives(span):
                wanted += [it for it in self.sourcing if it < before]
            for place in wanted:
                if place not in chosen:
                    chosen.add(place)
                    waiting.append((self.units[place].span, place))
                    yield self.units[place].span

    def _lacks_what_nobody_gives(self, span: Span) -> bool:
        """Whether a range reads a variable that only a file could give which the text sources above it."""
        return any(
            need.kind == "variable"
            and not self.known(need.kind, need.name)
            and need not in self.givers
            and not self._around(need)
            for need in (self._needs(span) if self.sourcing else ())
        )

    def _missing_folder(self, span: Span) -> list[_Change]:
        """The changes of the folder that a range needs, where who runs it is not there already."""
        folder = self._folder_above(span)
        if folder and self._minds_folder(span) and not self._is_there(folder):
            return folder
        return []

    # What stands above

    def _units_above(self) -> Iterator[_Unit]:
        """The outermost whole commands that end before the line, also within those that it stands in."""
        pipelines: Sequence[Pipeline] = self.script.pipelines
        found = True
        while found:
            found = False
            inner: Sequence[Pipeline] = ()
            scope = self._scope_of(pipelines[0].span) if pipelines else FILE
            for first, last in _lists(pipelines):
                span = Span(first.span.start, last.span.end)
                if span.end <= self.span.start:
                    is_plain = first is last and all(
                        it.kind is SegmentKind.SIMPLE for it in first.segments
                    )
                    yield _Unit(span, self._given_by(span, scope, is_plain=is_plain))
                elif span.start <= self.span.start and span.end >= self.span.end:
                    inner = self._bodies_around(pipelines, span)
                    found = bool(inner)
            pipelines = inner

    def _units_that_source(self) -> Iterator[int]:
        """The commands above that read a file into their own shell: nobody opens it to see what it gives."""
        for pipeline in pipelines_within(self.script.pipelines):
            for segment in pipeline.segments:
                if segment.command_word not in _SOURCING or len(segment.words) < 2:
                    continue
                at = self._unit_at(segment.span)
                if at is None or self._is_lost(segment.span, self.units[at].span):
                    continue
                if self._scope_of(segment.span) == self._scope_of(self.units[at].span):
                    yield at

    def _bodies_around(self, pipelines: Sequence[Pipeline], span: Span) -> Sequence[Pipeline]:
        """The commands of the bodies of that list, where the line is within one."""
        for pipeline in pipelines:
            if not (pipeline.span.start >= span.start and pipeline.span.end <= span.end):
                continue
            for segment in pipeline.segments:
                if not (
                    segment.span.start <= self.span.start and segment.span.end >= self.span.end
                ):
                    continue
                within: list[Pipeline] = []
                for body in segment.bodies:
                    ends = [it.span.end for it in body.pipelines]
                    starts = [it.span.start for it in body.pipelines]
                    if starts and (min(starts) <= self.span.start < max(ends)):
                        return [*within, *body.pipelines]
                    if (
                        starts
                        and max(ends) <= self.span.start
                        and segment.kind is not SegmentKind.IF
                    ):
                        within.extend(body.pipelines)
        return ()

    def _given_by(self, span: Span, scope: int, *, is_plain: bool) -> dict[_Need, tuple[int, bool]]:
        """What running the command gives: where it stands, and whether it does so in any case."""
        given: dict[_Need, tuple[int, bool]] = {}
        for it in self._within(span):
            if not self._runs(it.scope, scope) or self._is_lost(it.span, span):
                continue
            if it.kind is NameKind.FUNCTION:
                if it.use is not Use.READ:
                    given[_Need("function", it.name)] = (it.span.start, True)
                    continue
                for name in self._effects_of(it.name):
                    given.setdefault(_Need("variable", name), (it.span.start, False))
            elif it.use is Use.READ or it.span.start in self.for_one_command:
                continue
            elif it.kind is NameKind.ALIAS:
                given[_Need("alias", it.name)] = (it.span.start, True)
            elif it.name[0] not in POSITIONAL:
                is_certain = is_plain and bool(_VALUE.match(self.script.text, it.span.end))
                given[_Need("variable", it.name)] = (it.span.start, is_certain)
        return given

    def _effects_of(self, function: str) -> frozenset[str]:
        """The variables that a call of a function of this text may give its caller."""
        if function not in self.effects:
            found: set[str] = set()
            seen: set[str] = set()
            waiting = [function]
            while waiting:
                name = waiting.pop()
                if name in seen:
                    continue
                seen.add(name)
                for index in self.bodies.get(name, ()):
                    own = self.names.owned[index]
                    inside = self.by_scope.get(index, ())
                    waiting += [it.name for it in inside if it.kind is NameKind.FUNCTION]
                    found.update(
                        it.name
                        for it in inside
                        if it.kind is NameKind.VARIABLE
                        and it.use is not Use.READ
                        and it.name not in own
                        and it.name[0] not in POSITIONAL
                    )
            self.effects[function] = frozenset(found)
        return self.effects[function]

    def _from_the_last_certain(self, need: _Need, places: Sequence[int]) -> Sequence[int]:
        for index in range(len(places) - 1, -1, -1):
            if self.units[places[index]].gives[need][1]:
                return places[index:]
        return places

    def _around(self, need: _Need) -> tuple[tuple[int, Span | None], ...]:
        """Where a command gives it that the line stands in; a function's whole definition can be run."""
        found: list[tuple[int, Span | None]] = []
        for it in self.names.definitions:
            if it.name != need.name or it.kind.value != need.kind:
                continue
            if it.span.start >= self.span.start:
                continue
            if it.kind is NameKind.FUNCTION:
                if it.extent.start <= self.span.start and it.extent.end >= self.span.end:
                    found.append((it.span.start, it.extent))
            elif self._stands_in_a_loop_of(it):
                found.append((it.span.start, None))
        return tuple(found)

    def _stands_in_a_loop_of(self, definition: Definition) -> bool:
        for pipeline in self._around_line:
            for segment in pipeline.segments:
                is_around = (
                    segment.span.start <= definition.span.start
                    and segment.span.start <= self.span.start
                    and segment.span.end >= self.span.end
                )
                if is_around and segment.kind is not SegmentKind.FUNCTION:
                    return True
        return False

    @property
    def _around_line(self) -> list[Pipeline]:
        return [
            it
            for it in pipelines_within(self.script.pipelines)
            if it.span.start <= self.span.start and it.span.end >= self.span.end
        ]

    # What a command needs

    def _needs(self, span: Span) -> list[_Need]:
        """What running the commands in `span` reads, their functions' bodies included, in order."""
        found: dict[_Need, None] = {}
        scope = self._scope_of(span)
        own = [it for it in self._within(span) if self._runs(it.scope, scope)]
        self._reads(own, frozenset(), found)
        seen: set[str] = set()
        waiting = [it.name for it in found if it.kind != "variable"]
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            before = set(found)
            for index in self.bodies.get(name, ())[-1:]:
                self._reads(self.by_scope.get(index, ()), self.names.owned[index], found)
            if name in self.aliases:
                found |= dict.fromkeys(self._needs_of_alias(self.aliases[name]))
            waiting += [it.name for it in found if it.kind != "variable" and it not in before]
        return list(found)

    def _needs_of_alias(self, definition: Definition) -> Iterator[_Need]:
        """What the text of an alias reads before it gives it: `alias g='f $x'`."""
        word = self.script.source(definition.extent)
        value = word[len(definition.name) + 1 :]
        quoted = _QUOTED.fullmatch(value)
        script = parse(value[1:-1] if quoted else value, self.script.dialect)
        whole = Span(0, len(script.text))
        alone = _Question(names_of(script), whole, self.known, self.known_folder)
        for need in alone._needs(whole):
            is_function = need.kind == "alias" and need.name in self.bodies
            yield need._replace(kind="function") if is_function else need

    def _reads(
        self, occurrences: Iterable[Occurrence], own: frozenset[str], found: dict[_Need, None]
    ) -> None:
        """Add what is read before it is given."""
        given: dict[str, int] = {}
        declared: set[str] = set()
        for it in occurrences:
            if it.kind is NameKind.FUNCTION:
                if it.use is not Use.READ:
                    declared.add(it.name)
                elif it.name not in declared:
                    kind: Kind = "function" if it.name in self.functions else "alias"
                    found.setdefault(_Need(kind, it.name))
            elif it.kind is NameKind.VARIABLE and it.name[0] not in POSITIONAL:
                definition = self.defined.get(it.span)
                if it.use is Use.READ or self._also_reads(it):
                    is_given = it.name in given and given[it.name] <= it.span.start
                    if not is_given and it.name not in own:
                        found.setdefault(_Need("variable", it.name))
                if it.use is not Use.READ:
                    end = it.span.end if definition is None else definition.extent.end
                    given[it.name] = min(end, given.get(it.name, end))

    def _also_reads(self, it: Occurrence) -> bool:
        """Whether a place that gives a variable takes its old value: `x+=1`, `(( x++ ))`, `export x`."""
        after = self.script.text[it.span.end : it.span.end + 2]
        if after.startswith(("+=", "++", "--", "-=", "*=", "[")):
            return True
        before = self.script.text[max(0, it.span.start - 7) : it.span.start]
        return before == "export " and not after.startswith("=")

    # The folder

    def _folder_above(self, span: Span) -> list[_Change]:
        """The changes of the folder above a place, from the last one on that leads somewhere by itself."""
        above = [it for it in self.changes if it.span.end <= span.start]
        for index in range(len(above) - 1, -1, -1):
            if _ABSOLUTE.match(above[index].argument):
                return above[index:]
        return above

    def _is_there(self, folder: Sequence[_Change]) -> bool:
        return self.known_folder(tuple(it.argument for it in folder))

    def _minds_folder(self, span: Span) -> bool:
        """Whether the commands in `span` may do something else in another folder."""
        scope = self._scope_of(span)
        for it in self._within(span):
            if it.kind is NameKind.VARIABLE and it.name in _FOLDER_NAMES:
                return True
        for pipeline in pipelines_within(self.script.pipelines):
            if pipeline.span.end <= span.start or pipeline.span.start >= span.end:
                continue
            for segment in pipeline.segments:
                if not (span.start <= segment.span.start and segment.span.end <= span.end):
                    continue
                if (
                    self._scope_of(segment.span) != scope
                    and segment.kind is not SegmentKind.FUNCTION
                ):
                    continue
                if self._segment_minds_folder(segment):
                    return True
        return False

    def _segment_minds_folder(self, segment: Segment) -> bool:
        if segment.kind is SegmentKind.FUNCTION:
            return segment.command_word != ""
        source = self.script.source
        if any(map(self._names_relative_file, segment.redirections)):
            return True
        if segment.kind is SegmentKind.CONDITION:
            return bool(_FILE_TEST.search(source(segment.span)))
        if segment.kind is not SegmentKind.SIMPLE:
            words = segment.words if segment.kind in (SegmentKind.FOR, SegmentKind.SELECT) else ()
            return bool(words) and _has_pattern(self._head(segment))
        if not segment.words:
            return any(it.is_array and _has_pattern(source(it.value)) for it in segment.assignments)
        word = segment.command_word
        if word in _CHANGING:
            argument = _argument(segment, self.names)
            return not (argument is None or _ABSOLUTE.match(argument) or argument == "~")
        if word not in _ANYWHERE:
            return True
        if word in ("test", "["):
            return bool(_FILE_TEST.search(source(segment.span)))
        return any(_has_pattern(source(it)) for it in segment.words[1:])

    def _names_relative_file(self, redirection: Redirection) -> bool:
        if "<<" in redirection.operator or redirection.operator.endswith("&"):
            return False
        target = self.script.source(redirection.target)
        return not (target.lstrip("\"'").startswith("/") or target.isdigit() or target == "-")

    def _head(self, segment: Segment) -> str:
        starts = [it.span.start for body in segment.bodies for it in body.pipelines]
        return self.script.text[segment.span.start : min(starts, default=segment.span.end)]

    # Places

    def _within(self, span: Span) -> Iterator[Occurrence]:
        at = bisect_left(self.starts, span.start)
        while at < len(self.starts) and self.starts[at] < span.end:
            yield self.names.occurrences[at]
            at += 1

    def _scope_of(self, span: Span) -> int:
        """The innermost function that a range stands in."""
        found = FILE
        for index, scope in enumerate(self.names.scopes):
            is_around = scope.span.start < span.start and scope.span.end >= span.end
            if index != FILE and is_around:
                inner = found == FILE or scope.span.start >= self.names.scopes[found].span.start
                found = index if inner else found
        return found

    def _runs(self, scope: int, around: int) -> bool:
        """Whether what stands in `scope` runs when the commands around it do: no function with a name."""
        while scope != around:
            if scope == FILE or self.names.scopes[scope].names:
                return False
            scope = self.names.scopes[scope].parent
        return True

    def _is_lost(self, place: Span, unit: Span) -> bool:
        """Whether a subshell within the unit keeps to itself what is given at a place."""
        at = bisect_left(self.lost, (unit.start, -1), key=_start_and_end)
        while at < len(self.lost) and self.lost[at].start <= place.start:
            if self.lost[at].end >= place.end and self.lost[at].end <= unit.end:
                return True
            at += 1
        return False

    def _unit_at(self, span: Span) -> int | None:
        at = bisect_left(self.units, span.start + 1, key=lambda it: it.span.start) - 1
        return at if at >= 0 and self.units[at].span.end >= span.end else None

    def _whole(self, span: Span) -> Span:
        """The range with the here-documents that belong to it."""
        ends = [
            it.span.end
            for it in self.script.heredocs
            if span.start <= it.redirection.start < span.end
        ]
        return Span(span.start, max([span.end, *ends]))

    def _line(self, offset: int) -> int:
        return bisect_left(self.line_starts, offset + 1) - 1


def _start_and_end(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _lists(pipelines: Iterable[Pipeline]) -> Iterator[tuple[Pipeline, Pipeline]]:
    """The first and the last pipeline of each list that `&&` and `||` join."""
    first: Pipeline | None = None
    last: Pipeline | None = None
    for pipeline in pipelines:
        first, last = first or pipeline, pipeline
        if pipeline.connector is Connector.NONE:
            yield first, last
            first = None
    if first is not None and last is not None:
        yield first, last


def _lost(pipelines: Sequence[Pipeline], dialect: Dialect) -> Iterator[Span]:
    """The ranges that run in a process of their own."""
    for pipeline in pipelines_within(tuple(pipelines)):
        if pipeline.background or pipeline.coproc:
            yield pipeline.span
        kept = 1 if dialect is Dialect.ZSH else 0
        if len(pipeline.segments) > 1:
            yield from (it.span for it in pipeline.segments[: len(pipeline.segments) - kept])
        for segment in pipeline.segments:
            if segment.kind is SegmentKind.SUBSHELL:
                yield segment.span
            yield from (it.span for it in segment.substitutions)


def _before_commands(pipelines: Sequence[Pipeline]) -> Iterator[int]:
    """Where assignments stand that are for one command alone: `x=1 make`."""
    for pipeline in pipelines_within(tuple(pipelines)):
        for segment in pipeline.segments:
            if segment.words:
                yield from (it.span.start for it in segment.assignments)


def _changes(pipelines: Sequence[Pipeline], names: Names) -> Iterator[_Change]:
    for pipeline in pipelines:
        if len(pipeline.segments) != 1 or pipeline.background:
            continue
        segment = pipeline.segments[0]
        if segment.kind is SegmentKind.SIMPLE and segment.command_word in _CHANGING:
            argument = _argument(segment, names)
            if argument is not None:
                yield _Change(argument, pipeline.span)


def _argument(segment: Segment, names: Names) -> str | None:
    """The folder that a `cd` names, as written; `~` where it names none, None for `cd -`."""
    words = [names.script.source(it) for it in segment.words[1:]]
    while words and words[0].startswith("-") and len(words[0]) > 1:
        words.pop(0)
    if not words:
        return "~"
    return None if words[0] == "-" or words[0].startswith("+") else words[0]


def _has_pattern(text: str) -> bool:
    return bool(_PATTERN.search(_QUOTED.sub("", text)))
