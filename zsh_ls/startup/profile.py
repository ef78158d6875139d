"""Whose time it is: the events of one traced start, given to the lines of its files.

A command's own time goes from its event to the next one of the shell itself, or of a process that the shell
waits for. The text of an `eval`, and functions that it defines, have no lines of their own: theirs is the
line of the `eval`. The time before the first and after the last command is the shell's own. So own times add
up to the whole.
"""

from __future__ import annotations

import posixpath
from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set

from zsh_ls.lazy import attrs, re
from zsh_ls.lazy.typing import NamedTuple

from .programs import programs_of
from .sources import SourceFile, Sources, is_passing
from .trace import Event

_EVAL = re.compile(r"(?:builtin |command )?eval\b")
# Without EVAL_LINENO zsh counts no lines in what an eval reads: a command has the line behind its statement.
_UNCOUNTED = re.compile(
    r"(?:^|&&|\|\||[;{(])\s*(?:builtin )?emulate\s+(?:-\w+\s+)*(?:sh|ksh|csh)\s(?:.*\s)?-\w*c\s"
)
_WITH_ARGUMENTS = re.compile(
    r"""(?:builtin |command )?(?:source|\\?\.)\s+(?:'[^']*'|"[^"]*"|[^\s'";&|])+\s+[^\s;&|<>]"""
)
_DEFINITION = re.compile(r"(?:function )?([^\s(){}]+(?: [^\s(){}]+)*) \(\) \{")
_DEFINES_IN_TEXT = re.compile(r"(?:^|[\s;'\"{])(?:function\s+)?([\w:.+-]+)\s*\(\)")
_FIRST_WORD = re.compile(r"[^\s=]*=?")
# Of bash's commands those that end at once, told when their words are expanded; but before that a `case`.
_AT_ONCE = re.compile(
    r"\w+(?:\[[^\]]*\])?\+?=|case\b(?!.*(?:[$<>]\(|`))|"
    r"(?::|true|false|\[\[?|\(\(|test|let|for|local|declare|typeset|export|readonly|"
    r"unset|set|shopt|alias|unalias|shift|return|break|continue|echo|printf|complete|type)(?:\s|$)"
)
_SUBSTITUTES_IN_CASE = re.compile(r"case\b.*(?:[$<>]\(|`)")
_OF_FILE = re.compile(r"(?:for|select|case)\s")
# A text that is this long has been cut: it may have had more lines.
_CUT_CHARACTERS = 155
_CUT_LINES = 60
# No program is started in less.
LEAST_PROGRAM_S = 0.0004
# What takes less may be seen at none of the looks at what the shell starts.
_SEEN_S = 0.003


class Place(NamedTuple):
    """A line of a file, from 1; line 0 for the shell itself, whose file is `(zsh)` or `(bash)`."""

    file: str
    line: int


class _Frame(NamedTuple):
    depth: int
    place: Place
    event: Event
    # The command at the same depth that this one is a part of: a list, or what is in its parentheses.
    outer: _Frame | None = None


class _Moment(NamedTuple):
    at: float
    place: Place
    callers: tuple[Place, ...]
    event: Event
    # The command had begun before, and was only waited for again.
    is_resumed: bool = False


class _Standing(NamedTuple):
    """A command that is waited for, and the calls it stands in, itself the last."""

    moment: _Moment
    stack: tuple[_Frame, ...]


@attrs.frozen
class Row:
    """The time of one line, in seconds; `count` is how often it ran, of how many `commands` in all.

    `all_commands` are those with what it called, as `total_s` is the time of these.
    `order` tells which line ran before which; `keys` are what a hook knows its commands by. `may_start` are
    commands, those of its evals included, that may have started programs: zsh tells a list `a && b` before it
    runs, so of its commands those that once took long enough. `kind` is that of the shell that ran it last.
    """

    place: Place
    own_s: float
    total_s: float
    count: int
    commands: int
    all_commands: int
    order: int
    texts: tuple[str, ...]
    keys: frozenset[str]
    may_start: tuple[str, ...]
    kind: str


@attrs.frozen
class FileRow:
    """The time of one file, in seconds, with all it called in `total_s`; `count` is how often it was read.

    `count_with_arguments` how often so as a function is called, with arguments.
    `read_by` are the lines that read it, in their order, each with the seconds from there to the file's
    first command. `kind` is that of the shell that read it last.
    """

    file: str
    own_s: float
    total_s: float
    count: int
    count_with_arguments: int
    commands: int
    all_commands: int
    read_by: Mapping[Place, float]
    kind: str


@attrs.frozen
class Beside:
    """A job that nobody waits for, and for how long it ran before the first prompt, at most up to it."""

    place: Place
    seconds: float


@attrs.frozen
class Profile:
    """Where the time of one start went, the dearest first.

    `kinds` are those of the shells that ran in it: where one gave its place to another, more than one.
    `total_s` from the start to the prompt, `commands` how many were traced. `last` is the command at which
    the shell stood at the end, and for how many seconds. `spans` are the stretches of time with the stack of
    lines, outermost first. `begins` tells of the functions and files that zsh names from which line on it
    counts theirs. `shims` are the places that were seen to start a version manager's shim.
    """

    kinds: tuple[str, ...]
    total_s: float
    commands: int
    rows: tuple[Row, ...]
    files: tuple[FileRow, ...]
    beside: tuple[Beside, ...]
    functions: frozenset[str]
    last: tuple[Place, str, float] | None
    spans: tuple[tuple[float, tuple[Place, ...]], ...]
    begins: Mapping[str, Place]
    shims: Set[Place] = frozenset()

    @property
    def kind(self) -> str:
        """The kind of the shell that was started."""
        return self.kinds[0]


class Seen(NamedTuple):
    """A process of the shell, first seen at `at`, and by which names its program may be called.

    At `after`, the moment of the look before, it was not there yet. `is_shim` where it looks for the program.
    """

    at: float
    after: float
    pid: int
    names: frozenset[str]
    is_shim: bool = False


@attrs.frozen
class Timing:
    """When a start began, when the last command's time ends, when the prompt came; seconds since the epoch.

    `alive` maps processes that lived at the prompt to when they had begun. `has_read` tells when a file of
    zsh's own that it began to read at a moment had been read, after its last command at another: then it is
    the shell's own time until a hook's command begins, as it reads its history. `started` are the processes
    that the shell was seen to start, in their order.
    """

    began_at: float
    shell_at: float
    prompt_at: float
    alive: Mapping[int, float] = attrs.field(factory=dict)
    has_read: Callable[[str, float, float], float | None] = lambda *_: None
    started: tuple[Seen, ...] = ()


def profile_of(
    kind: str, events: Sequence[Event], timing: Timing, sources: Sources, pid: int
) -> Profile:
    """The profile of one traced start of shell `pid`."""
    return _Reader(kind, events, timing, sources, pid).profile()


def shell_row(kind: str) -> Place:
    """The row of the shell itself."""
    return Place(f"({kind})", 0)


class _Reader:
    """One pass over the events, with the stack of calls."""

    def __init__(
        self, kind: str, events: Sequence[Event], timing: Timing, sources: Sources, pid: int
    ) -> None:
        self._kind, self._sources, self._timing, self._pid = kind, sources, timing, pid
        self._events = [it for it in events if it.at <= timing.prompt_at]
        if (read_at := _last_read(self._events, timing, pid)) is not None:
            insort(
                self._events, _of_shell(read_at, pid, self._events[-1].shell), key=lambda it: it.at
            )
        self._kinds = [kind]
        self._number = 0
        # The calls in which the shell stands itself: the line with the `exec` that made it.
        self._became: tuple[Place, ...] = ()
        self._kind_at: dict[str, str] = {}
        self._shell = shell_row(kind)
        self._words_of = _words_of([it for it in self._events if it.kind == "bash"])
        self._evaluated: dict[str, Place] = {}
        self._defined_in: dict[tuple[str, str], str] = {}
        self._paths: dict[str, str] = {}
        self._texts: dict[Place, Counter[str]] = defaultdict(Counter)
        self._keys: dict[Place, set[str]] = defaultdict(set)
        self._may_start: dict[Place, dict[str, None]] = defaultdict(dict)
        self._commands: Counter[Place] = Counter()
        self._reads: Counter[str] = Counter()
        self._reads_with_arguments: Counter[str] = Counter()
        self._read_by: dict[str, dict[Place, float]] = defaultdict(dict)
        self._first_at = {it.pid: it.at for it in reversed(self._events)}
        self._beside: dict[int, Place] = {}
        self._jobs: dict[Place, float] = {}
        self._begins: dict[str, Place] = {}
        # The `emulate sh -c` whose text is being run; functions by where zsh says that they begin.
        self._emulates: Event | None = None
        self._defined_at: dict[tuple[str, str], int] = {}
        self._moments: list[_Moment] = []
        self._started = sorted(timing.started)
        self._functions = frozenset(it.name for it in self._events)
        self._programs_of: dict[str, frozenset[str]] = {}
        # The calls in which the command stands that was read last, itself the last of them.
        self._stack: list[_Frame] = []
        self._waited_for: set[int] = set()
        # Of processes that have more to tell, where they stand; of a pipeline's parts, the pipeline.
        self._running: dict[int, _Standing] = {}
        self._pipelines: dict[int, _Standing] = {}

    def profile(self) -> Profile:
        timing = self._timing
        self._read()
        self._go_on_in_list(timing.shell_at)
        moments = self._moments
        own: Counter[Place] = Counter()
        total: Counter[Place] = Counter()
        file_own: Counter[str] = Counter()
        file_total: Counter[str] = Counter()
        commands: Counter[Place] = Counter()
        file_commands: Counter[str] = Counter()
        spans: list[tuple[float, tuple[Place, ...]]] = []

        def add(seconds: float, callers: tuple[Place, ...], count: int = 1) -> None:
            own[callers[-1]] += seconds  # type: ignore[assignment]
            file_own[callers[-1].file] += seconds  # type: ignore[assignment]
            for place in dict.fromkeys(callers):
                total[place] += seconds  # type: ignore[assignment]
                commands[place] += count
            for file in dict.fromkeys(it.file for it in callers):
                file_total[file] += seconds  # type: ignore[assignment]
                file_commands[file] += count
            spans.append((seconds, callers))

        first = moments[0].at if moments else timing.prompt_at
        add(first - timing.began_at, (shell_row(self._kinds[0]),))
        if moments:
            shell_at = min(max(timing.shell_at, moments[-1].at), timing.prompt_at)
            ends = [*(it.at for it in moments[1:]), shell_at]
            for moment, end in zip(moments, ends, strict=True):
                add(end - moment.at, moment.callers, 0 if moment.is_resumed else 1)
                text = moment.event.text
                is_told = moment.event.kind == "bash" and text in self._texts[moment.place]
                if is_told or end - moment.at >= LEAST_PROGRAM_S:
                    self._may_start[moment.place][text] = None
            add(timing.prompt_at - shell_at, (*self._became, self._shell))
        order = {place: number for number, place in enumerate(self._commands)}
        rows = tuple(
            Row(
                place,
                own[place],
                total[place],
                max(self._texts[place].values(), default=1) if place.line else 1,
                self._commands[place],
                commands[place],
                order.get(place, 0),
                tuple(self._texts[place]),
                frozenset(self._keys[place]),
                tuple(self._may_start[place]),
                self._kind_at.get(place.file, self._kind),
            )
            for place in sorted(total, key=lambda it: (-own[it], it))
        )
        by_file = Counter[str]()
        for place, count in self._commands.items():
            by_file[place.file] += count
        files = tuple(
            FileRow(
                file,
                file_own[file],
                file_total[file],
                max(1, self._reads[file]),
                self._reads_with_arguments[file],
                by_file[file],
                file_commands[file],
                self._read_by.get(file, {}),
                self._kind_at.get(file, self._kind),
            )
            for file in sorted(file_total, key=lambda it: (-file_own[it], it))
        )
        return Profile(
            tuple(self._kinds),
            timing.prompt_at - timing.began_at,
            len(self._events),
            rows,
            files,
            tuple(Beside(place, seconds) for place, seconds in self._jobs.items()),
            self._functions,
            self._last(moments),
            tuple(spans),
            self._begins,
            self._shims(moments),
        )

    def _shims(self, moments: Sequence[_Moment]) -> set[Place]:
        """Where the shell stood when it was first seen to run one."""
        seen = [it.at for it in self._started if it.is_shim]
        found = (bisect_left(moments, at, key=lambda it: it.at) - 1 for at in seen)
        return {moments[number].place for number in found if number >= 0}

    def _last(self, moments: Sequence[_Moment]) -> tuple[Place, str, float] | None:
        if not moments:
            return None
        last = moments[-1]
        return last.place, last.event.text, self._timing.prompt_at - last.at

    def _read(self) -> None:
        """Give each command its moment, its place and the calls it stands in, in the order of time."""
        interleaved = self._interleaved()
        last_of = {it.pid: it for it in self._events}
        for event in self._events:
            if event.pid == self._pid and event.shell > self._number:
                self._go_on_in(event.kind, event.shell)
            if event.pid in self._beside:
                self._note_job(event)
            elif self._begins_job(event, interleaved):
                self._beside[event.pid] = self._job_place(event, self._stack)
                self._note_job(event)
            else:
                self._go_on_in_list(event.at)
                self._take(event)
                if event.pid != self._pid:
                    self._go_on_with(event, is_last=event is last_of[event.pid])

    def _go_on_in(self, kind: str, number: int) -> None:
        """Another shell has taken the place of the one before; it knows nothing of what that defined."""
        self._kinds.append(kind)
        self._kind, self._number, self._shell = kind, number, shell_row(kind)
        self._sources = self._sources.of_kind(kind)
        self._became = tuple(dict.fromkeys(self._moments[-1].callers)) if self._moments else ()
        self._emulates = None
        self._stack = []
        for known in (self._evaluated, self._defined_in, self._defined_at, self._running):
            known.clear()

    def _begins_job(self, event: Event, interleaved: Set[int]) -> bool:
        """Whether this is the first command of a process that nobody waits for."""
        if event.pid == self._pid or event.pid in self._waited_for:
            return False
        is_part = self._is_part_of_pipeline(event, self._stack)
        is_waited_for = is_part or self._is_waited_for(event, self._stack)
        if event.pid in interleaved or self._is_fed(event, self._stack) or not is_waited_for:
            return True
        self._waited_for.add(event.pid)
        if is_part:
            self._pipelines[event.pid] = _Standing(self._moments[-1], tuple(self._stack))
        return False

    def _take(self, event: Event) -> None:
        """A command of the shell itself, or of a process that it waits for."""
        self._note_emulation(event)
        below = self._below(event, self._stack)
        self._note_read(event, self._stack, below)
        place = self._place(event, below)
        # All stands in the shell itself: its own row is the time that is nobody else's.
        callers = tuple(it for frame in below if (it := frame.place) != self._shell)
        self._kind_at[place.file] = self._kind
        moment = _Moment(event.at, place, (*self._became, *callers, place), event)
        if self._is_made_since_last(event):
            self._moments.append(moment._replace(at=self._moments[-1].at, is_resumed=True))
        self._moments.append(moment)
        self._commands[place] += 1
        if not below or below[-1].place != place:
            # The line itself, not the text of an eval on it.
            if not (event.in_widget or self._is_uncounted(event) or event in self._words_of):
                self._keys[place].add(event.key)
            self._texts[place][event.text] += 1
        self._stack = [*below, _Frame(event.depth, place, event, self._part_of(event))]
        if event.pid == self._pid:
            self._running.clear()
            self._note_started_job(event, place)

    def _part_of(self, event: Event) -> _Frame | None:
        """The command at the same depth that is under way and has this one in it, as its text tells."""
        standing = next((it for it in self._stack if it.depth == event.depth), None)
        while standing is not None and (
            standing.event.text == event.text or event.text not in standing.event.text
        ):
            standing = standing.outer
        return standing

    def _go_on_in_list(self, until: float) -> None:
        """Give what runs behind a call in a list (`a && b`) to the list: zsh tells nothing when `a` returns.

        Seen are programs, and which of them the last command started its text tells, as that of the list.
        """
        if self._kind != "zsh" or not self._moments or until - self._moments[-1].at < _SEEN_S:
            return
        used = Counter[str]()
        at = bisect_left(self._started, (self._moments[-1].at,))
        for process in self._started[at:]:
            if process.at >= until:
                break
            if process.pid not in self._first_at and self._give_to_list(process, used):
                used.clear()
            used.update(process.names)

    def _give_to_list(self, process: Seen, used: Mapping[str, int]) -> bool:
        """To the innermost call behind which its list starts that process, unless the last command does.

        That has started those of `used`; whether it was given.
        """
        last = self._moments[-1]
        own = self._programs(last.event)
        if own and last.event.pid in self._pipelines:
            # The shell has started the other parts of the pipeline with this one, and waits.
            return False
        if any(_times(name, last.event.text) > used[name] for name in own & process.names):
            return False
        for depth in range(len(self._stack) - 1, -1, -1):
            frame = self._stack[depth]
            standing = frame.outer if depth == len(self._stack) - 1 else frame
            while standing is not None:
                there = self._programs(standing.event)
                if there & process.names or (there and not own):
                    break
                standing = standing.outer
            if standing is not None:
                break
        else:
            return False
        self._stack = [*self._stack[:depth], standing]
        callers = tuple(it for up in self._stack if (it := up.place) != self._shell)
        # What starts no program has ended at once.
        has_run = own or last.is_resumed
        at = max(last.at, process.after) if has_run else last.at
        event = standing.event
        self._moments.append(
            _Moment(at, standing.place, (*self._became, *callers), event, is_resumed=True)
        )
        return True

    def _programs(self, event: Event) -> frozenset[str]:
        """The programs that a command starts, as far as its text tells."""
        if event.text not in self._programs_of:
            found = programs_of((event.text,), self._kind, self._functions)
            self._programs_of[event.text] = frozenset(found)
        return self._programs_of[event.text]

    def _is_made_since_last(self, event: Event) -> bool:
        """Whether the time since the last command is what making this process took.

        bash tells a command once its words are expanded, so nothing is told when it makes a process for them.
        """
        is_first = self._kind == "bash" and event.at == self._first_at[event.pid]
        return bool(is_first and self._moments and _AT_ONCE.match(self._moments[-1].event.text))

    def _go_on_with(self, event: Event, *, is_last: bool) -> None:
        """What is waited for behind a command of another process: after its last one, another that runs."""
        if not is_last:
            self._running[event.pid] = _Standing(self._moments[-1], tuple(self._stack))
            return
        self._running.pop(event.pid, None)
        below = self._stack[:-1]
        beside = [
            it
            for it in self._running.values()
            if it.stack[-1] not in below and not self._is_expanded_by(event, it)
        ]
        waits_for = beside[-1] if beside else self._pipelines.get(event.pid)
        if waits_for is not None:
            # This process may have ended at once: the time is another's that is known to run.
            self._moments.append(waits_for.moment._replace(at=event.at, is_resumed=True))
            self._stack = list(waits_for.stack)

    def _is_expanded_by(self, event: Event, other: _Standing) -> bool:
        """Whether another process of bash waits for this one: it expands words of a command not told yet."""
        return self._kind == "bash" and other.moment.event.depth < event.depth

    def _is_part_of_pipeline(self, event: Event, stack: Sequence[_Frame]) -> bool:
        """Whether this first command of a process is of a function that is a part of the pipeline told last.

        zsh tells a pipeline as one command; what a function does in it stands one call below.
        """
        if self._kind != "zsh" or not stack or event.depth != stack[-1].depth + 1:
            return False
        top = stack[-1]
        is_named = re.search(rf"(?<![\w.-]){re.escape(event.name)}(?![\w.-])", top.event.text)
        return is_named is not None and "|" in top.event.text and not self._starts_job(top.place)

    def _is_fed(self, event: Event, stack: Sequence[_Frame]) -> bool:
        """Whether this first command of a process stands in `>(…)`: it waits for what writes there."""
        place = self._place(event, self._below(event, stack))
        file = self._sources.of(place.file)
        return file is not None and file.feeds(place.line, event.text.partition(" ")[0])

    def _starts_job(self, place: Place) -> bool:
        """Whether a command on this line is sent into the background, as far as its text can be read."""
        file = self._sources.of(place.file)
        return file is not None and file.is_beside(place.line)

    def _job_place(self, event: Event, stack: Sequence[_Frame]) -> Place:
        """The line of a job whose first command this is: the one that started it, where that can be told."""
        below = self._below(event, stack)
        if below and self._starts_job(below[-1].place):
            return below[-1].place
        return self._place(event, stack)

    def _interleaved(self) -> set[int]:
        """Processes with commands on both sides of one of the shell's own run beside it."""
        mine = [it.at for it in self._events if it.pid == self._pid]
        first: dict[int, Event] = {}
        last: dict[int, Event] = {}
        found: set[int] = set()
        for event in self._events:
            first.setdefault(event.pid, event)
            last[event.pid] = event
        for pid, event in first.items():
            if pid != self._pid and bisect_left(mine, event.at) != bisect_left(mine, last[pid].at):
                found.add(pid)
        return found

    def _below(self, event: Event, stack: Sequence[_Frame]) -> list[_Frame]:
        """The calls that the command stands in.

        bash tells a command after its words are expanded: the one that is told before the commands of a
        substitution is not the one that the substitution stands in.
        """
        below = [it for it in stack if it.depth < event.depth]
        if self._kind == "bash" and event.pid != self._pid:
            while below and below[-1].event.pid != event.pid:
                top = below[-1].event
                if top.calls != event.calls:
                    break
                if _EVAL.match(top.text) and self._is_evaluated_by(top, event):
                    break
                below.pop()
        return below

    def _is_evaluated_by(self, evaluates: Event, event: Event) -> bool:
        """Whether a substitution stands in what an `eval` reads, not in the command behind that."""
        outer = self._words_of.get(event)
        return outer.depth > evaluates.depth if outer else not self._stands_in_file(event)

    def _stands_in_file(self, event: Event) -> bool:
        """Whether the line that bash names has the first word of the command."""
        file = self._sources.of(self._path(event.source, event.folder))
        first = event.text.split(maxsplit=1)[:1]
        return bool(file and first and first[0] in file.line_text(event.line))

    def _is_waited_for(self, event: Event, stack: Sequence[_Frame]) -> bool:
        """Whether the shell stands at the command that made this process, when its first command begins.

        zsh tells a command before its words are expanded, so that it can be seen; of bash the text of the
        file has to tell.
        """
        if not event.source:
            return True
        place = self._place(event, self._below(event, stack))
        if self._kind == "bash":
            return not self._starts_job(place)
        stands = next((it for it in stack if it.depth == event.depth), None)
        if stands is None or stands.place.file != place.file:
            return False
        if self._starts_job(stands.place):
            return False
        text = stands.event.text
        lines = _CUT_LINES if len(text) > _CUT_CHARACTERS else text.count("\n")
        return stands.place.line <= place.line <= stands.place.line + lines

    def _note_job(self, event: Event) -> None:
        place = self._beside[event.pid]
        began = self._first_at[event.pid]
        end = self._timing.prompt_at if event.pid in self._timing.alive else event.at
        self._jobs[place] = max(self._jobs.get(place, 0.0), end - began)

    def _note_started_job(self, event: Event, place: Place) -> None:
        """A program that is started with `&` writes no event of its own."""
        if place.line and self._starts_job(place):
            lives = any(-0.02 <= began - event.at < 0.1 for began in self._timing.alive.values())
            seconds = self._timing.prompt_at - event.at if lives else 0.0
            self._jobs[place] = max(self._jobs.get(place, 0.0), seconds)

    def _note_read(self, event: Event, stack: Sequence[_Frame], below: Sequence[_Frame]) -> None:
        """Count the first command of a file each time that is read."""
        is_file = (
            event.name == event.source.rpartition(":")[0]
            if self._kind == "zsh"
            else event.name in ("", "source") and bool(event.source)
        )
        if not is_file or event.pid != self._pid:
            return
        same = any(
            it.event.calls == event.calls and it.event.source == event.source for it in stack
        )
        if not same:
            source = event.source.rpartition(":")[0] if self._kind == "zsh" else event.source
            self._paths[source] = posixpath.normpath(posixpath.join(event.folder, source))
            path = self._uncompiled(self._paths[source])
            self._reads[path] += 1
            self._reads_with_arguments[path] += bool(
                below and _WITH_ARGUMENTS.match(below[-1].event.text)
            )
            if below and below[-1].place != self._shell:
                seconds = event.at - below[-1].event.at
                readers, reader = self._read_by[path], below[-1].place
                readers[reader] = readers.get(reader, 0.0) + seconds

    def _path(self, source: str, folder: str) -> str:
        """The absolute path of a file that a shell names as it was told."""
        if source.startswith("/"):
            return posixpath.normpath(source)
        if source not in self._paths:
            self._paths[source] = posixpath.normpath(posixpath.join(folder, source))
        return self._paths[source]

    def _uncompiled(self, path: str) -> str:
        """The file that a compiled one was made from: zsh names FILE.zwc, or DIGEST.zwc/FUNCTION."""
        folder, is_digest, function = path.partition(".zwc/")
        if is_digest and self._sources.of(f"{folder}/{function}"):
            return f"{folder}/{function}"
        return path.removesuffix(".zwc")

    def _place(self, event: Event, below: Sequence[_Frame]) -> Place:
        """The line that the command belongs to; `below` are the calls it stands in."""
        up = below[-1] if below else None
        if self._kind == "zsh":
            return self._zsh_place(event, up)
        return self._bash_place(event, up, below)

    def _zsh_place(self, event: Event, up: _Frame | None) -> Place:
        source, _, offset = event.source.rpartition(":")
        defined_in = self._defined_in.get((event.name, offset))
        if not offset.isdigit() or not (source or defined_in):
            # `builtin autoload -X`, our own file, a prompt.
            return up.place if up else self._shell
        path = defined_in or self._path(source, event.folder)
        is_file = event.name == source
        if event.name == "(eval)" or source == "(eval)" or (is_file and is_passing(path)):
            fallback = self._shell if is_passing(path) else Place(path, int(offset))
            place = up.place if up and up.depth == event.depth - 1 else fallback
            self._evaluated.update(dict.fromkeys(_defined_by(event.text), place))
            return place
        if event.name in self._evaluated and not is_file:
            return self._evaluated[event.name]
        begins = self._defined_at.get((event.name, offset), int(offset))
        place = Place(self._uncompiled(path), begins + event.line)
        self._begins[event.name] = Place(place.file, begins)
        is_uncounted = self._is_uncounted(event)
        file = self._sources.of(place.file) if event.in_widget or is_uncounted else None
        if file:
            behind = self._behind(event, place.file)
            if is_file and is_uncounted:
                place = Place(place.file, file.line_before(event.text, place.line, behind))
                for name in _defined_by(event.text):
                    self._defined_at[name, str(event.line)] = place.line
            else:
                place = Place(place.file, file.line_of(event.text, begins, behind))
        for name in _defined_by(event.text):
            self._evaluated.pop(name, None)
            # Of a function that a running one defines, zsh names the file that is being read just then.
            self._defined_in[name, str(place.line)] = place.file
        return place

    def _is_uncounted(self, event: Event) -> bool:
        """Whether zsh counts no lines there: in a file or a function that `emulate sh -c` has called."""
        return self._emulates is not None and event.depth > self._emulates.depth

    def _note_emulation(self, event: Event) -> None:
        last = self._emulates
        if self._kind != "zsh" or (last and event.depth > last.depth):
            return
        if _UNCOUNTED.search(event.text):
            self._emulates = event
        elif last and (event.depth, event.key) != (last.depth, last.key):
            self._emulates = None

    def _behind(self, event: Event, file: str) -> int:
        """The line of the command before this one in the same call, 0 for the first one."""
        same = [it for it in self._stack if it.depth == event.depth and it.event.name == event.name]
        return same[-1].place.line if same and same[-1].place.file == file else 0

    def _bash_place(self, event: Event, up: _Frame | None, below: Sequence[_Frame]) -> Place:
        # A substitution stands where the command does whose words it is a part of.
        stands = self._words_of.get(event, event).depth
        caller = next((it for it in reversed(below) if it.depth < stands), None)
        if caller and _EVAL.match(caller.event.text) and stands == caller.depth + 1:
            return caller.place
        if event.name in self._evaluated:
            return self._evaluated[event.name]
        if event.source in ("", "main", "environment") or is_passing(event.source):
            return up.place if up else self._shell
        path = self._path(event.source, event.folder)
        file = self._sources.of(path)
        place = Place(path, self._bash_line(event, file, below) if file else event.line)
        if _EVAL.match(event.text):
            self._evaluated.update(dict.fromkeys(_DEFINES_IN_TEXT.findall(event.text), place))
        return place

    def _bash_line(self, event: Event, file: SourceFile, below: Sequence[_Frame]) -> int:
        """The first line of the command, or of the one over several lines whose words it is a part of.

        Within a substitution bash counts on from the last line of the command that it stands in.
        """
        in_file = any(it.event.source and it.event.name in ("", "source") for it in below)
        # After the start-up files an interactive bash counts a function's lines from its own first.
        is_counted_anew = event.name not in ("", "source", "main") and not in_file
        before = (file.defines_at(event.name) or 1) - 1 if is_counted_anew else 0
        outer = self._words_of.get(event)
        # What a `<(…)` does may be told when its own command has been: another is told next.
        if outer is not None and (is_counted_anew or event.line >= outer.line):
            line = _counted_from(before, outer)
            first = file.first_line(line, _begins_with(outer.text))
            if is_counted_anew or first != line:
                return first
        return file.first_line(_counted_from(before, event), _begins_with(event.text))


def _last_read(events: Sequence[Event], timing: Timing, pid: int) -> float | None:
    """When zsh had read the last of its start-up files, where that was seen before a hook began."""
    hook_at, last_at = timing.prompt_at, timing.began_at
    own = [it for it in events if it.pid == pid and it.shell == events[-1].shell]
    for event in reversed(own):
        last_at = max(last_at, event.at)
        # Files and hooks that zsh itself calls are one call deep.
        if event.depth == 1:
            if event.name == event.source.rpartition(":")[0]:
                began_at = next(it.at for it in own if it.name == event.name)
                at = timing.has_read(event.name, began_at, last_at)
                return at if at is not None and at < hook_at else None
            hook_at, last_at = event.at, timing.began_at
    return None


def _of_shell(at: float, pid: int, shell: int) -> Event:
    """What zsh does by itself, in none of its files."""
    return Event(at, pid, 0, 0, 0, "", "", "", "", shell=shell)


def _counted_from(before: int, event: Event) -> int:
    """The line of a command in its file, of whose function's lines the first is the one behind `before`.

    For compound commands bash counts those of the file, wherever they stand.
    """
    return event.line if _OF_FILE.match(event.text) else before + event.line


def _words_of(events: Sequence[Event]) -> dict[Event, Event]:
    """Of commands in substitutions of bash, the one whose words they are.

    It is told after them, but a `case` before.
    """
    found: dict[Event, Event] = {}
    later: dict[int, Event] = {}
    for event in reversed(events):
        outer = later.get(event.depth - 1)
        if outer and outer.pid != event.pid and outer.calls == event.calls:
            found[event] = found.get(outer, outer)
        later = {depth: it for depth, it in later.items() if depth < event.depth}
        later[event.depth] = event
    cases: dict[int, Event] = {}
    for event in events:
        outer = cases.get(event.depth - 1)
        if outer and outer.pid != event.pid and outer.calls == event.calls:
            found[event] = found.get(outer, outer)
        if (outer := cases.get(event.depth)) and outer.pid == event.pid:
            del cases[event.depth]
        if _SUBSTITUTES_IN_CASE.match(event.text):
            cases[event.depth] = event
    return found


def _times(name: str, text: str) -> int:
    """How often a program is named in a command."""
    return len(re.findall(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])", text))


def _begins_with(text: str) -> str:
    """The first word of a command as bash traces it, of an assignment the name with its `=`."""
    found = _FIRST_WORD.match(text)
    return found[0] if found else ""


def _defined_by(text: str) -> list[str]:
    """The functions that a command defines, as zsh prints it."""
    if text.startswith("() {"):
        return ["(anon)"]
    defined = _DEFINITION.match(text)
    return defined[1].split() if defined else []


def own_ms(rows: Iterable[Row]) -> float:
    """The own time of some rows, in milliseconds."""
    return sum(it.own_s for it in rows) * 1000
