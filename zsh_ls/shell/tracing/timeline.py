"""Computes from the events of a traced run what each line of the script did.

zsh reports a list after it has ended (`A`), bash a command before it begins (`D`),
with the status of the previous one. Both are handled alike: a list begins with its
first event, or one inside it, and ends with its own; its time runs from the end of
what ended before it. A list of several commands in bash, and several lists on one
line, end with the first event outside them.

An event is a line of text: `kind|time|pid|depth|status|pipestatus|file:line`, the
line maybe as the line of a function's definition plus one within it, `7+2`. bash's xtrace (`B`)
has `B|time|pid|depth|status|line|file|` and the command, which is not looked at.
The time is in seconds; zsh's is two numbers, of seconds and of nanoseconds.
"""

from __future__ import annotations

from collections.abc import Iterable

from zsh_ls.lazy import attrs, re
from zsh_ls.model.results import TracedLine
from zsh_ls.model.syntax import Dialect, Script
from zsh_ls.shell.status.blame import keeps_statuses
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.statements import Statements

ENDED, BEGINS, EXITS, XTRACE = "A", "D", "X", "B"
# Numbers are bounded, because int() raises for those of thousands of digits.
_EVENT = re.compile(
    r"([ADX])\|(\d{1,20}[., ]\d{1,20})\|(\d{1,20})\|(\d{1,9})\|(\d{1,9})\|([\d ]{0,4000})"
    r"\|(?:(.*):(\d{1,9})(?:\+(\d{1,9}))?|\+(\d{1,9}))"
)
_XTRACED = re.compile(r"B+\|(\d{1,20}[.,]\d{1,20})\|(\d{1,20})\|(\d{1,9})\|(\d{1,9})\|(\d{1,9})\|")
_DIGITS = 3


@attrs.frozen
class Event:
    """An event: time in seconds, process, depth of function calls, status of the last list.

    `line` counts from 1 within `file`.
    """

    kind: str
    time: float
    pid: int
    depth: int
    status: int
    pipestatus: tuple[int, ...]
    file: str
    line: int

    @classmethod
    def of(cls, text: str, file: str = "") -> Event | None:
        """The event of a line, None if it is not valid.

        One that names no file is of the script, in `file`; xtrace's of other files name none.
        """
        if text.startswith(XTRACE):
            return cls._xtraced(text, file)
        found = _EVENT.fullmatch(text)
        if found is None:
            return None
        kind, time, pid, depth, status, statuses, named, line, further, own_line = found.groups()
        return cls(
            kind,
            _seconds(time),
            int(pid),
            int(depth),
            int(status),
            tuple(map(int, statuses.split())) or (int(status),),
            file if own_line else named,
            int(own_line or line) + int(further or 0),
        )

    @classmethod
    def _xtraced(cls, text: str, file: str) -> Event | None:
        found = _XTRACED.match(text)
        if found is None:
            return None
        time, *numbers = found.groups()
        pid, depth, status, line = map(int, numbers)
        seconds = _seconds(time)
        # A doubled sign is of a trap: that which reports the exit, as scripts with their own have no xtrace.
        is_of_file = text[1] == "|" and text.startswith(f"{file}|", found.end())
        return cls(XTRACE, seconds, pid, depth, status, (status,), file if is_of_file else "", line)


def _seconds(time: str) -> float:
    """The time of an event: two numbers, the second of nanoseconds, or one with a point or comma."""
    whole, space, nanoseconds = time.partition(" ")
    return int(whole) + int(nanoseconds) / 1e9 if space else float(time.replace(",", "."))


@attrs.define
class _Open:
    """A list that has begun and not ended; times in seconds, statuses as of its last event."""

    began: float
    ended: float
    status: int = 0
    pipestatus: tuple[int, ...] = (0,)
    has_event: bool = False

    def note(self, event: Event) -> None:
        """Set the end and the statuses from an event."""
        self.ended, self.has_event = event.time, True
        self.status, self.pipestatus = event.status, event.pipestatus


@attrs.define
class _Process:
    """The state of one process: its open lists by depth and place, and its last event by depth.

    `running` is the place that bash has begun at each depth, `latest` the place that ended last.
    """

    is_first: bool
    open: dict[tuple[int, int], _Open] = attrs.field(factory=dict)
    last_time: dict[int, float] = attrs.field(factory=dict)
    running: dict[int, int] = attrs.field(factory=dict)
    latest: int | None = None


@attrs.define
class _Figures:
    """Figures of the executions of one list; times in seconds."""

    count: int = 0
    total_s: float = 0.0
    max_s: float = 0.0
    status: int = 0
    pipestatus: tuple[int, ...] = (0,)

    def add(self, entered: _Open) -> None:
        took_s = max(0.0, entered.ended - entered.began)
        self.count += 1
        self.total_s += took_s
        self.max_s = max(self.max_s, took_s)
        self.status, self.pipestatus = entered.status, entered.pipestatus


class Tracing:
    """Collects the events of one traced run of `script`, whose path in events is `file`."""

    def __init__(self, script: Script, file: str) -> None:
        self._statements = Statements(script, LineIndex(script.text).starts)
        self._reports_before = script.dialect is Dialect.BASH
        self._file = file
        self._processes: dict[int, _Process] = {}
        self._latest = 0.0
        self._figures: dict[int, _Figures] = {}
        self._of_children: dict[int, list[_Open]] = {}

    def feed(self, lines: Iterable[str]) -> None:
        """Handle more lines of events; invalid ones are ignored."""
        for line in lines:
            event = Event.of(line, self._file)
            if event is None:
                continue
            place = self._statements.at(event.line - 1) if event.file == self._file else None
            process = self._processes.get(event.pid) or self._begin(event, place)
            if self._reports_before:
                self._handle_before(process, event, place)
            else:
                self._handle_after(process, event, place)
            for depth in [depth for depth in process.last_time if depth > event.depth]:
                del process.last_time[depth]
            process.last_time[event.depth] = self._latest = event.time

    def lines(self) -> tuple[TracedLine, ...]:
        """The figures of each line, in the order of the text; to be called once, after the run."""
        # A copy, because ending a list of the shell removes the subshells within it.
        for process in list(self._processes.values()):
            for depth, place in list(process.open):
                self._leave(process, depth, place, None)
        for place, executions in self._of_children.items():
            for entered in executions:
                self._figures.setdefault(place, _Figures()).add(entered)
        first_line = {place: self._statements.all[place].first_line for place in self._figures}
        traced = []
        for place in sorted(self._figures, key=first_line.__getitem__):
            figures = self._figures[place]
            traced.append(
                TracedLine(
                    line=first_line[place],
                    count=figures.count,
                    exit=figures.status,
                    pipestatus=self._own_statuses(place, figures),
                    total_ms=round(figures.total_s * 1000, _DIGITS),
                    max_ms=round(figures.max_s * 1000, _DIGITS),
                )
            )
        return tuple(traced)

    def _own_statuses(self, place: int, figures: _Figures) -> tuple[int, ...]:
        """The statuses of the list's own segments.

        After `[[ … ]]`, `(( … ))`, `exit` and assignments zsh still has those of the pipeline before.
        """
        last, told = self._statements.all[place].last, figures.pipestatus
        may_be_earlier = len(told) > 1 and keeps_statuses(last[-1])
        fits = told[-1] == figures.status and any(len(it.segments) == len(told) for it in last)
        return told if len(told) > 1 and (fits or not may_be_earlier) else (figures.status,)

    def _begin(self, event: Event, place: int | None) -> _Process:
        """Add a process, which began at about the time of the last event of any process.

        bash has no event for `( … )` itself. The first event inside has the status of the
        command before it, so it is also handled as an event of the shell.
        """
        shell = next(iter(self._processes.values()), None)
        began = {0: self._latest or event.time}
        process = self._processes[event.pid] = _Process(shell is None, last_time=began)
        running = shell.running.get(event.depth) if shell and self._reports_before else None
        within = running is None or place is None or self._statements.is_within(place, running)
        if shell and not within:
            self._handle_before(shell, event, place)
            shell.last_time[event.depth] = event.time
        return process

    def _handle_after(self, process: _Process, event: Event, place: int | None) -> None:
        """zsh: the list has ended; an exit event may repeat a list that has been reported already."""
        if event.kind == ENDED:
            self._leave_deeper(process, event)
        if place is None:
            return
        is_new = event.kind == ENDED or process.latest != place
        if is_new or self._statements.all[place].is_shared:
            self._ended(process, event, event.depth, place)

    def _handle_before(self, process: _Process, event: Event, place: int | None) -> None:
        """bash: what runs at this depth or deeper has ended with the event's status."""
        if event.kind == XTRACE and self._goes_on(process, event, place):
            return
        for depth in sorted((it for it in process.running if it >= event.depth), reverse=True):
            self._ended(process, event, depth, process.running.pop(depth))
        self._leave_deeper(process, event)
        if event.file == self._file:
            self._leave_others(process, event, event.depth, place)
        if place is not None and not self._merely_defines(place):
            process.running[event.depth] = place

    def _goes_on(self, process: _Process, event: Event, place: int | None) -> bool:
        """Whether xtrace tells another part of what runs already: `IFS= read line` is told in two."""
        if place is None or process.running.get(event.depth) != place:
            return False
        statement = self._statements.all[place]
        return not (statement.is_compound or statement.has_parts or statement.is_shared)

    def _merely_defines(self, place: int) -> bool:
        statement = self._statements.all[place]
        return statement.defines and not statement.is_shared

    def _ended(self, process: _Process, event: Event, depth: int, place: int) -> None:
        if self._merely_defines(place):
            return
        times = process.last_time
        before = (time for at, time in times.items() if at < depth)
        began = times[depth] if depth in times else max(before)
        if not self._reports_before:
            self._leave_others(process, event, depth, place)
        enclosing = place
        while enclosing >= 0:
            process.open.setdefault((depth, enclosing), _Open(began, event.time))
            enclosing = self._statements.all[enclosing].parent
        process.open[depth, place].note(event)
        # More events of the same execution may follow of several lists on one line, and of a list of
        # several commands in bash, which reports each of them.
        statement = self._statements.all[place]
        in_parts = statement.is_compound or statement.has_parts
        if not statement.is_shared and not (self._reports_before and in_parts):
            self._leave(process, depth, place, None)
        process.latest = place

    def _leave_others(self, process: _Process, event: Event, depth: int, place: int | None) -> None:
        """End the lists at this depth that do not enclose the event's list."""
        for other in [key[1] for key in process.open if key[0] == depth]:
            if place is None or not self._statements.is_within(place, other):
                self._leave(process, depth, other, event)

    def _leave_deeper(self, process: _Process, event: Event) -> None:
        """End all lists of functions that have returned."""
        for depth, place in [key for key in process.open if key[0] > event.depth]:
            self._leave(process, depth, place, event)

    def _leave(self, process: _Process, depth: int, place: int, event: Event | None) -> None:
        """End a list; in bash the `event` that shows its end has its status."""
        entered = process.open.pop((depth, place))
        if not entered.has_event:
            return
        if event is not None and self._reports_before:
            entered.note(event)
        if process.is_first and len(self._processes) > 1:
            # The subshells whose last event is within this execution were part of it.
            for pid, other in list(self._processes.items()):
                last_event_at = max(other.last_time.values())
                if not other.is_first and entered.began <= last_event_at <= entered.ended:
                    for inner_depth, inner_place in list(other.open):
                        self._leave(other, inner_depth, inner_place, None)
                    del self._processes[pid]
        if self._statements.all[place].is_shared:
            # Of lists on one line the shell's own execution includes those of its subshells.
            of_children = self._of_children.setdefault(place, [])
            if not process.is_first:
                of_children.append(entered)
                return
            of_children[:] = [it for it in of_children if it.ended < entered.began]
        self._figures.setdefault(place, _Figures()).add(entered)
