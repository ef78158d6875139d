"""The commands of a script, and copies of it in which each one logs itself and can be made to fail.

A copy differs from the script as little as it can: every external command, and every builtin that
changes nothing (`echo`, `cd`, tests), is replaced by a stub of its own, `_c17`, which writes to the
log and succeeds or fails as the environment says. What the shell has to do itself (assignments,
`set`, calls of functions, `read`) stays, and in the one copy that judges it a stub that fails comes
right after: `{ read x; _c17; }`.

Commands that can decide nothing, `exit`, `return`, `break` and `continue`, are not judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise

from zsh_ls.lazy import attrs, re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import (
    Connector,
    Dialect,
    Pipeline,
    Role,
    Script,
    Segment,
    SegmentKind,
    Substitution,
    SubstitutionKind,
)
from zsh_ls.shell.syntax.parser import parse

NO_WORK = frozenset({"true", ":", "false"})
JUMPS = frozenset({"exit", "return", "break", "continue", "logout", "bye"})
PREFIXES = frozenset({"command", "builtin", "exec", "noglob", "-"})


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Builtins that change more than their status; all others are replaced by stubs.
KEPT = _words(
    "exec set setopt unsetopt emulate shopt trap export local typeset declare readonly integer"
    " float private unset eval read wait enable disable mapfile readarray vared zle functions"
    " unfunction rehash"
)
ALWAYS_ZERO = _words("set setopt unsetopt emulate shopt trap")
DECLARES = _words("export local typeset declare readonly integer float private")
STATUS_READ = re.compile(r"\$\??\{?#?(?:\?|pipestatus|PIPESTATUS|status\b)")
LOOPS = frozenset(
    {SegmentKind.WHILE, SegmentKind.UNTIL, SegmentKind.FOR, SegmentKind.SELECT, SegmentKind.REPEAT}
)
CONSTANT_WORDS = re.compile(r"[\w\s./{}'\"-]*")
DESCRIPTOR = re.compile(r"\d*-?|p")
ARM_BEGIN = re.compile(r"(?:;;&|;;|;&|;\||\bin\b|\{)\s*\(?\s*")
NAME = re.compile(r"[A-Za-z_]\w*")
# Through which calls the commands of a function are reached that runs as a trap.
IN_TRAP = ".t"
UNSET_LOOK = re.compile(r"\$\{\w+:?\?|\$[A-Za-z_]|\$\{[A-Za-z_]\w*\}")


class How(StrEnum):
    """How a command is made to fail in a copy."""

    RENAMED = "its word is replaced by a stub"
    WHOLE = "all of it is replaced by a stub"
    LOGGED = "a stub follows it in every copy, for its own status is always 0"
    KEPT = "a stub follows it"
    NATURAL = "it is replaced where it is judged, and does what it does elsewhere"
    ASSIGNMENT = "a stub ends its last substitution"
    OPENED = "a stub says whether the file that it opens is there"
    UNSET = "a stub says whether the variable that it looks at is set"


@attrs.frozen
class Place:
    """A command of a script.

    `name_at` is the range of the word to replace, `arms` the arms of `case` around it, `always` and
    `in_trap` say that it runs in such code. `repeats` is set for a loop's condition (it succeeds
    every other time), `once` where failing each time would keep a loop running for ever.
    `kind` is the construct it stands in, for the score.
    """

    number: int
    span: Span
    how: How
    segment: Segment
    name_at: Span
    kind: str
    function: str = ""
    called: str = ""
    in_trap: bool = False
    repeats: bool = False
    once: bool = False
    arms: tuple[tuple[int, int], ...] = ()
    segment_text: str = ""

    @property
    def start(self) -> int:
        """Where the command begins."""
        return self.span.start

    @property
    def stub(self) -> str:
        """The name of its stub."""
        return f"_o{self.number}" if self.repeats else f"_c{self.number}"


# Kinds of places that have a shell of their own.
SUBSHELLS = frozenset({"subshell", "substitution", "background"})


class _Around(NamedTuple):
    """What is around a command while the script is walked."""

    kinds: tuple[str, ...] = ()
    function: str = ""
    in_trap: bool = False
    repeats: bool = False
    once: bool = False
    arms: tuple[tuple[int, int], ...] = ()
    is_joined: bool = False


OUTSIDE = _Around()


class Edit(NamedTuple):
    """`text[start:end]` becomes `new`; of edits at one place the one with the lower `rank` is first."""

    start: int
    end: int
    new: str
    rank: int = 0


class Cases(NamedTuple):
    """A `case`: its subject, and where in each arm's pattern an alternative can be put."""

    subject: Span
    patterns: tuple[int | None, ...]


@attrs.define
class Copies:
    """The commands of a script and the copies made of it.

    `exits` has the function of each `exit`, None for one that ends a subshell only.
    """

    text: str
    dialect: Dialect
    places: list[Place] = attrs.field(factory=list)
    edits: list[Edit] = attrs.field(factory=list)
    cases: list[Cases] = attrs.field(factory=list)
    functions: frozenset[str] = frozenset()
    trap_words: set[str] = attrs.field(factory=set)
    exits: list[str | None] = attrs.field(factory=list)
    last_exit: int | None = None
    status_names: frozenset[str] = frozenset()

    @classmethod
    def of(cls, text: str, dialect: Dialect) -> Copies:
        """The commands of `text`."""
        copies = cls(text, dialect)
        script = parse(text, dialect)
        if any(problem.fatal for problem in script.problems):
            raise ValueError(f"no good {dialect} script: {script.problems}")
        defined = (segment for segment in script.functions if not segment.command_word)
        copies.functions = frozenset(script.source(word) for it in defined for word in it.words)
        copies.status_names = _status_names(script)
        _Walk(copies, script, 0).all()
        last = script.pipelines[-1] if script.pipelines else None
        if last is not None and last.segments[0].command_word == "exit":
            before = script.pipelines[-2].connector if len(script.pipelines) > 1 else Connector.NONE
            copies.last_exit = last.span.start if before is Connector.NONE else None
        copies.places.sort(key=lambda place: place.start)
        return copies

    def uncalled(self) -> list[str]:
        """Functions that no command and no trap of the script names."""
        named = {place.called for place in self.places if place.called != place.function}
        hooks = {name for name in self.functions if name.startswith("TRAP")}
        return sorted(self.functions - named - hooks - self.trap_words)

    def trap_functions(self) -> frozenset[str]:
        """Functions that run as traps and are called by no command."""
        named = {place.called for place in self.places if not place.in_trap}
        return frozenset(
            name
            for name in self.functions
            if name not in named and (name in self.trap_words or name.startswith("TRAP"))
        )

    def text_of(
        self, judged: Iterable[Place] = (), arms: Mapping[int, int] | None = None, call: str = ""
    ) -> str:
        """The copy in which `judged` have their stubs, `arms` of `case` are taken, `call` is called."""
        chosen = arms or {}
        edits = list(self.edits)
        for number, case in enumerate(self.cases):
            at = case.patterns[chosen.get(number, 0)]
            if at is not None:
                edits.append(Edit(*case.subject, f"_arm{number}"))
                edits.append(Edit(at, at, f"_arm{number}|"))
        for place in judged:
            if place.how is How.NATURAL:
                span = place.span
                edits = [it for it in edits if not (span.start <= it.start and it.end <= span.end)]
            edits += _judging(place)
        copy = _edited(self.text, edits)
        called = f"_site=.u {call}\n" if call else ""
        if call and self.last_exit is not None:
            copy = _edited(self.text, [it for it in edits if it.start < self.last_exit])
            copy = copy[: len(copy) - len(self.text) + self.last_exit]
        # The last command of all: logs that it was reached, and keeps the status.
        return f"{copy}\n{called}_end $? || exit\n"

    def failing(self, place: Place, command: str) -> str | None:
        """The text as it is, but for one place that fails: `command` is there instead, or right after it.

        None where that cannot be written on the same line.
        """
        if place.how is How.RENAMED:
            return _edited(self.text, [Edit(*place.name_at, command)])
        if place.how in {How.WHOLE, How.NATURAL, How.OPENED, How.UNSET}:
            return _edited(self.text, [Edit(*place.span, command)])
        if place.how is How.LOGGED:
            start, end = place.span
            return _edited(
                self.text, [Edit(start, start, "{ "), Edit(end, end, f"; {command}; }}")]
            )
        if place.how is How.KEPT:
            return _edited(self.text, _judging(place, command))
        (edit,) = _judging(place, command)
        before = self.text[place.start : edit.start].rstrip()
        if "#" in before.rpartition("\n")[2] or "<<" in before:
            return None
        joint = " " if before.endswith(("&", ";")) else "; "
        return _edited(self.text, [edit._replace(new=f"{joint}{command}")])


def _judging(place: Place, stub: str = "") -> list[Edit]:
    start, end = place.span
    stub = stub or place.stub
    if place.how is How.KEPT:
        # `p && { read x; stub; }`: the braces keep it one command wherever it stands.
        # The `read` of a loop's condition still ends the loop.
        joint = " &&" if place.kind == "condition of while" else ";"
        return [Edit(start, start, "{ ", -1), Edit(end, end, f"{joint} {stub}; }}", 2)]
    if place.how is How.NATURAL:
        return [Edit(start, end, stub)]
    if place.how is How.UNSET:
        unset = "$_unset" if "?" not in place.segment_text else "${_unset:?}"
        return [Edit(start, end, f'{{ {place.stub} || : "{unset}"; }}')]
    if place.how is How.ASSIGNMENT:
        shift = start - place.segment.span.start
        at = place.segment.substitutions[-1].span.end - 1 + shift
        return [Edit(at, at, f"\n{stub}\n", 3)]
    return []


def _edited(text: str, edits: Iterable[Edit]) -> str:
    pieces = []
    at = 0
    # At one place what begins an inner range comes after what ends the one before.
    for edit in sorted(edits, key=lambda it: (it.start, it.end, it.rank)):
        if edit.start < at:
            continue
        pieces += [text[at : edit.start], edit.new]
        at = edit.end
    return "".join(pieces) + text[at:]


def _status_names(script: Script) -> frozenset[str]:
    """Variables that hold a status: assigned from `$?` or after `||`, or from such a variable."""
    found: set[str] = set()
    pipelines = script.every_pipeline()
    after_or = {
        right.segments[0].assignments
        for group in _sibling_lists(script)
        for left, right in pairwise(group)
        if left.connector is Connector.OR and right.segments
    }
    for _ in range(3):
        for pipeline in pipelines:
            for segment in pipeline.segments:
                for assignment in segment.assignments:
                    value = script.source(assignment.value)
                    from_status = STATUS_READ.search(value) or any(
                        re.search(rf"\$\{{?{name}\b", value) for name in found
                    )
                    if from_status or (segment.assignments in after_or and value):
                        found.add(assignment.name)
                if segment.command_word in DECLARES:
                    for word in segment.words[1:]:
                        name, _, value = script.source(word).partition("=")
                        if STATUS_READ.search(value):
                            found.add(name)
    return frozenset(found)


def _sibling_lists(script: Script) -> Iterator[tuple[Pipeline, ...]]:
    waiting = [script.pipelines]
    while waiting:
        group = waiting.pop()
        yield group
        for pipeline in group:
            for segment in pipeline.segments:
                waiting += [body.pipelines for body in segment.bodies]
                waiting += [each.pipelines for each in segment.substitutions]


def _after_prefixes(words: list[str]) -> int:
    """Where the program's name stands, behind `command`, `exec` and the like."""
    at = 0
    while words[at] in PREFIXES and at + 1 < len(words) and not words[at + 1].startswith("-"):
        at += 1
    return at


class _Walk:
    """Finds the commands of a script, or of a trap's text, which begins `shift` characters later."""

    def __init__(self, copies: Copies, script: Script, shift: int) -> None:
        self.copies = copies
        self.script = script
        self.shift = shift
        self.heredocs = {heredoc.redirection: heredoc for heredoc in script.heredocs}

    def all(self, around: _Around = OUTSIDE) -> None:
        """The whole script."""
        self.list(self.script.pipelines, around)

    def edit(self, start: int, end: int, new: str, rank: int = 0) -> None:
        self.copies.edits.append(Edit(start + self.shift, end + self.shift, new, rank))

    def list(self, pipelines: tuple[Pipeline, ...], around: _Around) -> None:
        for position, pipeline in enumerate(pipelines):
            joined = pipeline.connector is not Connector.NONE or (
                position > 0 and pipelines[position - 1].connector is not Connector.NONE
            )
            kinds = around.kinds
            kinds += ("and-or list",) if joined else ()
            kinds += ("negated",) if pipeline.negated else ()
            kinds += ("background",) if pipeline.background else ()
            kinds += ("pipeline",) if len(pipeline.segments) > 1 else ()
            behind = position > 0 and pipelines[position - 1].connector is not Connector.NONE
            is_joined = behind or pipeline.negated or len(pipeline.segments) > 1
            for at, segment in enumerate(pipeline.segments):
                last = at == len(pipeline.segments) - 1
                self.segment(
                    segment,
                    around._replace(
                        kinds=kinds, repeats=around.repeats and last, is_joined=is_joined
                    ),
                )

    def segment(self, segment: Segment, around: _Around) -> None:
        self.redirections(segment)
        inside = around._replace(repeats=False, once=False)
        for substitution in segment.substitutions:
            self.substitution(substitution, inside)
        for redirection in segment.redirections:
            heredoc = self.heredocs.get(redirection.span)
            for substitution in heredoc.substitutions if heredoc else ():
                self.substitution(
                    substitution, inside._replace(kinds=(*inside.kinds, "here-document"))
                )
        if segment.kind is SegmentKind.SIMPLE:
            self.simple(segment, around)
        elif segment.kind in {SegmentKind.CONDITION, SegmentKind.ARITHMETIC}:
            self.test(segment, around)
        elif segment.kind is SegmentKind.FUNCTION:
            name = self.script.source(segment.words[0]) if not segment.command_word else ""
            function = _Around(("function",), name) if name else inside
            for body in segment.bodies:
                self.list(body.pipelines, function)
        else:
            self.compound(segment, inside)

    def substitution(self, substitution: Substitution, around: _Around) -> None:
        kind = (
            "substitution"
            if substitution.kind
            in {SubstitutionKind.COMMAND, SubstitutionKind.BACKQUOTE, SubstitutionKind.FUNCTION}
            else "process substitution"
        )
        self.list(substitution.pipelines, around._replace(kinds=(*around.kinds, kind)))

    def compound(self, segment: Segment, around: _Around) -> None:
        source = self.script.source
        if segment.kind is SegmentKind.FOR and segment.words:
            self.loop_words(segment)
        if segment.kind is SegmentKind.CASE:
            number = len(self.copies.cases)
            self.copies.cases.append(self.case(segment))
        for position, body in enumerate(segment.bodies):
            here = around._replace(kinds=(*around.kinds, segment.kind.value))
            if segment.kind is SegmentKind.CASE:
                here = here._replace(arms=(*here.arms, (number, position)))
            if body.role is Role.ALWAYS:
                here = here._replace(kinds=(*around.kinds, "always"))
            if body.role is Role.CONDITION:
                here = here._replace(kinds=(*around.kinds, f"condition of {segment.kind.value}"))
                if segment.kind is SegmentKind.WHILE:
                    text = "".join(source(each.span) for each in body.pipelines)
                    reads = re.search(r"\bread\b", text)
                    here = here._replace(
                        repeats=not (reads or (body.pipelines and body.pipelines[-1].negated)),
                        once="!" in text,
                    )
                here = here._replace(once=here.once or segment.kind is SegmentKind.UNTIL)
                self.condition(body.pipelines, here)
            else:
                self.list(body.pipelines, here)

    def condition(self, pipelines: tuple[Pipeline, ...], around: _Around) -> None:
        """A condition: its last list decides, and of that the first pipeline where `&&` joins it."""
        decides = len(pipelines) - 1
        while decides > 0 and pipelines[decides - 1].connector is Connector.AND:
            decides -= 1
        calm = around._replace(repeats=False)
        self.list(pipelines[:decides], calm)
        self.list(pipelines[decides : decides + 1], around)
        self.list(pipelines[decides + 1 :], calm)

    def loop_words(self, segment: Segment) -> None:
        """One word in place of those of `for` that only a run would know."""
        if not segment.bodies:
            return
        text = self.script.text
        begin = segment.words[-1].end
        found = re.compile(r"\s+in\b([^;\n]*)").match(text, begin)
        if found and not CONSTANT_WORDS.fullmatch(found[1]) and not segment.substitutions:
            self.edit(*found.span(1), " one")

    def case(self, segment: Segment) -> Cases:
        """Where the arms' patterns are; nothing is changed where the subject is a constant."""
        text = self.script.text
        subject = segment.words[0] if segment.words else Span(0, 0)
        if segment.substitutions or "$" not in self.script.source(subject):
            return Cases(subject, (None,) * max(len(segment.bodies), 1))
        patterns: list[int | None] = []
        at = subject.end
        for body in segment.bodies:
            if not body.pipelines:
                patterns.append(None)
                continue
            start = body.pipelines[0].span.start
            begins = [it.end() for it in ARM_BEGIN.finditer(text, at, start)]
            patterns.append(begins[-1] + self.shift if begins else None)
            at = body.pipelines[-1].span.end
        return Cases(subject.shifted(self.shift), tuple(patterns))

    def redirections(self, segment: Segment) -> None:
        """Files are read from one that is there, and written nowhere."""
        for redirection in segment.redirections:
            operator, target = redirection.operator, self.script.source(redirection.target)
            if operator.startswith("<<") or DESCRIPTOR.fullmatch(target):
                continue
            if any(
                redirection.target.start <= it.span.start < redirection.target.end
                for it in segment.substitutions
            ):
                continue
            if operator in {"<&", ">&"} and "$" in target:
                continue
            new = "$_FATES_LINE" if operator == "<" else "/dev/null"
            self.edit(*redirection.target, new)

    def place(
        self, segment: Segment, how: How, name_at: Span, around: _Around, called: str = ""
    ) -> Place:
        kinds = around.kinds or ("plain",)
        start = segment.span.start
        if segment.words and how is not How.ASSIGNMENT and segment.kind is SegmentKind.SIMPLE:
            start = segment.words[0].start
        place = Place(
            len(self.copies.places),
            Span(start, segment.span.end).shifted(self.shift),
            how,
            segment,
            name_at.shifted(self.shift),
            kinds[-1],
            around.function,
            called,
            around.in_trap,
            around.repeats,
            around.once,
            around.arms,
            self.script.source(segment.span),
        )
        self.copies.places.append(place)
        return place

    def simple(self, segment: Segment, around: _Around) -> None:
        if not segment.words:
            if segment.assignments and segment.substitutions and self.ends_with_code(segment):
                self.place(segment, How.ASSIGNMENT, segment.span, around)
            return
        words = [self.script.source(word) for word in segment.words]
        at = _after_prefixes(words)
        name, where = words[at], segment.words[at]
        if name in JUMPS:
            if name == "exit" and not (around.in_trap or segment.substitutions):
                # Logs that it was reached, and hands on the status that it may exit with.
                is_inner = not SUBSHELLS.isdisjoint(around.kinds)
                self.copies.exits.append(None if is_inner else around.function)
                leaves = self.script.source(segment.span)
                logged = f"{{ _x{len(self.copies.exits)} $? || {leaves}; {leaves}; }}"
                self.edit(*segment.span, logged)
            return
        does_nothing = name in NO_WORK and (name == "false" or not around.repeats)
        tests_status = name in {"[", "test"} and self.reads_status(words[1:])
        if name in self.copies.functions and at == 0:
            place = self.place(segment, How.KEPT, where, around, called=name)
            self.edit(where.start, where.start, f'_site="$_site.{place.number}" ', 1)
        elif (ending := self.ends_shell(segment, name, words)) is not None:
            place = self.place(segment, ending[0], ending[1], around)
            if place.how is How.OPENED:
                self.opening(place, segment, ending[1], around)
        elif does_nothing or tests_status:
            self.place(segment, How.NATURAL, where, around)
        elif name in ALWAYS_ZERO or (name in DECLARES and not segment.substitutions):
            place = self.place(segment, How.LOGGED, where, around)
            self.edit(place.start - self.shift, place.start - self.shift, "{ ", -1)
            self.edit(segment.span.end, segment.span.end, f"; {place.stub}; }}", 2)
            if name == "trap" and len(words) > 2:
                self.trap(segment.words[1], around)
        elif name in KEPT:
            self.place(segment, How.KEPT, where, around)
        else:
            self.renamed(segment, where, around)

    def opening(self, place: Place, segment: Segment, target: Span, around: _Around) -> None:
        """A file that is there, or not, as the stub before says."""
        start, end = place.span.shifted(-self.shift)
        command = self.script.source(Span(start, target.start))
        if not around.is_joined:
            self.edit(start, end, f"{place.stub} && {command}/dev/null || {command}/nowhere/at/all")
            return
        # Behind another command it has to stay one itself, with what zsh's traps print in a substitution.
        said = f"{place.stub} >/dev/null && echo /dev/null || echo /nowhere/at/all"
        self.edit(*target, f'"$({said})"', -1)

    def ends_shell(
        self, segment: Segment, name: str, words: Sequence[str]
    ) -> tuple[How, Span] | None:
        """How a look at a variable, and `exec` that opens a file, are made to fail, and where."""
        if name == ":" and UNSET_LOOK.search(" ".join(words)):
            return How.UNSET, segment.words[0]
        for redirection in segment.redirections[:1] if name == "exec" and len(words) == 1 else ():
            if not DESCRIPTOR.fullmatch(self.script.source(redirection.target)):
                return How.OPENED, redirection.target
        return None

    def renamed(self, segment: Segment, where: Span, around: _Around) -> None:
        place = self.place(segment, How.RENAMED, where, around)
        self.edit(*where, place.stub)

    def ends_with_code(self, segment: Segment) -> bool:
        """Whether the last substitution of an assignment is one in whose list a stub can be put."""
        last = segment.substitutions[-1]
        return bool(last.pipelines) and last.kind in {
            SubstitutionKind.COMMAND,
            SubstitutionKind.BACKQUOTE,
        }

    def reads_status(self, words: Iterable[str]) -> bool:
        text = " ".join(words)
        if STATUS_READ.search(text):
            return True
        return any(re.search(rf"\b{name}\b", text) for name in self.copies.status_names)

    def test(self, segment: Segment, around: _Around) -> None:
        """`[[ … ]]` or `(( … ))`: a stub whose arguments are its substitutions, which still run."""
        if self.reads_status([self.script.source(segment.span)]):
            self.place(segment, How.NATURAL, segment.span, around)
            return
        place = self.place(segment, How.WHOLE, segment.span, around)
        end = min([segment.span.end, *(it.span.start for it in segment.redirections)])
        at, new = segment.span.start, place.stub
        for substitution in segment.substitutions:
            self.edit(at, substitution.span.start, f'{new} "')
            at, new = substitution.span.end, '"'
        self.edit(at, end, f"{new} " if end < segment.span.end else new)

    def trap(self, word: Span, around: _Around) -> None:
        """The commands of a trap, where its text is in single quotes."""
        written = self.script.source(word)
        self.copies.trap_words.update(NAME.findall(written))
        if written in self.copies.functions:
            # What it runs has calls of its own.
            self.edit(*word, f"'_site={IN_TRAP} {written}'")
        if written[:1] == "'" == written[-1:] and "'" not in written[1:-1]:
            script = parse(written[1:-1], self.script.dialect)
            if script.problems:
                return
            walk = _Walk(self.copies, script, self.shift + word.start + 1)
            walk.all(_Around(("trap",), around.function, in_trap=True))
