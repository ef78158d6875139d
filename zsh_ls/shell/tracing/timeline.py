"""From the events of a traced run to what each line of the script did.

zsh tells of a list when it has ended (`A`), bash of a command before it begins
(`D`) and then how the one before ended. Both are read into the same account: a
list is entered with its first event, or one inside it, and left with its own;
its time runs from the end of what ended before it. A list with several commands
in bash, and several lists on one line, are left when something outside speaks.

An event is a line of text: `kind|time|pid|depth|status|pipestatus|file:line`, the
line perhaps as that of a function's definition and one within it, `7+2`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import attrs

from zsh_ls.model.results import TracedLine
from zsh_ls.model.syntax import Dialect, Script
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.statements import Statements

ENDED, BEGINS, EXITS = "A", "D", "X"
# Numbers are bounded: Python refuses to read those of thousands of digits.
_EVENT = re.compile(
    r"([ADX])\|(\d{1,20}[.,]\d{1,20})\|(\d{1,20})\|(\d{1,9})\|(\d{1,9})\|([\d ]{0,4000})"
    r"\|(.*):(\d{1,9})(?:\+(\d{1,9}))?"
)
_DIGITS = 3


@attrs.frozen
class Event:
    """What a shell said: when (seconds), which process, how deep in functions, how the last list ended.

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
    def of(cls, text: str) -> Event | None:
        """The event of a line; None for what is none."""
        found = _EVENT.fullmatch(text)
        if found is None:
            return None
        kind, time, pid, depth, status, statuses, file, line, further = found.groups()
        return cls(
            kind,
            float(time.replace(",", ".")),
            int(pid),
            int(depth),
            int(status),
            tuple(map(int, statuses.split())) or (int(status),),
            file,
            int(line) + int(further or 0),
        )


@attrs.define
class _Open:
    """A list that was entered and not left: since when, and how it stands."""

    began: float
    ended: float
    status: int = 0
    pipestatus: tuple[int, ...] = (0,)
    has_spoken: bool = False

    def note(self, event: Event) -> None:
        """It had ended by the time of the event, and so."""
        self.ended, self.has_spoken = event.time, True
        self.status, self.pipestatus = event.status, event.pipestatus


@attrs.define
class _Process:
    """What one process is in: the lists it has entered, by depth and place, and when it last spoke.

    `running` is what bash has begun at each depth, `latest` the place that was left last.
    """

    is_first: bool
    open: dict[tuple[int, int], _Open] = attrs.field(factory=dict)
    last_time: dict[int, float] = attrs.field(factory=dict)
    running: dict[int, int] = attrs.field(factory=dict)
    latest: int | None = None


@attrs.define
class _Figures:
    """Executions of one list; times in seconds."""

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
    """The account of one traced run of `script`, known to the shell as `file`."""

    def __init__(self, script: Script, file: str) -> None:
        self._statements = Statements(script, LineIndex(script.text).starts)
        self._speaks_before = script.dialect is Dialect.BASH
        self._file = file
        self._processes: dict[int, _Process] = {}
        self._latest = 0.0
        self._figures: dict[int, _Figures] = {}
        self._of_children: dict[int, list[_Open]] = {}

    def feed(self, lines: Iterable[str]) -> None:
        """Take in more of what the shell said."""
        for line in lines:
            event = Event.of(line)
            if event is not None:
                self._take(event)

    def lines(self) -> tuple[TracedLine, ...]:
        """What each line did, in the order of the text; to be asked once, when the shell has ended."""
        # What the shell leaves ends the subshells that were part of it, and these go.
        for process in list(self._processes.values()):
            for depth, place in list(process.open):
                self._leave(process, depth, place, None)
        for place, executions in self._of_children.items():
            for entered in executions:
                self._figures.setdefault(place, _Figures()).add(entered)
        first_line = {place: self._statements.all[place].first_line for place in self._figures}
        return tuple(
            _traced_line(first_line[place], self._figures[place])
            for place in sorted(self._figures, key=first_line.__getitem__)
        )

    def _take(self, event: Event) -> None:
        place = self._statements.at(event.line - 1) if event.file == self._file else None
        process = self._processes.get(event.pid) or self._begin(event, place)
        if self._speaks_before:
            self._take_before(process, event, place)
        else:
            self._take_after(process, event, place)
        for depth in [depth for depth in process.last_time if depth > event.depth]:
            del process.last_time[depth]
        process.last_time[event.depth] = self._latest = event.time

    def _begin(self, event: Event, place: int | None) -> _Process:
        """A subshell begins about when somebody last spoke.

        bash does not tell of `( … )` before it begins; the first event inside does, and knows
        how what ran before it ended.
        """
        shell = next(iter(self._processes.values()), None)
        began = {0: self._latest or event.time}
        process = self._processes[event.pid] = _Process(shell is None, last_time=began)
        if shell and place is not None and self._is_news_to(shell, event, place):
            self._take_before(shell, event, place)
            shell.last_time[event.depth] = event.time
        return process

    def _is_news_to(self, shell: _Process, event: Event, place: int) -> bool:
        """Whether a subshell of bash speaks of a list that its shell has not told of."""
        running = shell.running.get(event.depth) if self._speaks_before else None
        return running is not None and not self._statements.is_within(place, running)

    def _take_after(self, process: _Process, event: Event, place: int | None) -> None:
        """zsh: the list has ended; at an exit, the one that ends the shell, or what ended already."""
        if event.kind == ENDED:
            self._leave_deeper(process, event)
        if place is None:
            return
        is_news = event.kind == ENDED or process.latest != place
        if is_news or self._statements.all[place].is_shared:
            self._ended(process, event, event.depth, place)

    def _take_before(self, process: _Process, event: Event, place: int | None) -> None:
        """bash: what was begun at this depth, or deeper, has ended as the event says."""
        for depth in sorted((it for it in process.running if it >= event.depth), reverse=True):
            self._ended(process, event, depth, process.running.pop(depth))
        self._leave_deeper(process, event)
        if event.file == self._file:
            self._leave_others(process, event, event.depth, place)
        if place is not None and not self._merely_defines(place):
            process.running[event.depth] = place

    def _merely_defines(self, place: int) -> bool:
        statement = self._statements.all[place]
        return statement.defines and not statement.is_shared

    def _ended(self, process: _Process, event: Event, depth: int, place: int) -> None:
        if self._merely_defines(place):
            return
        times = process.last_time
        before = (time for at, time in times.items() if at < depth)
        began = times[depth] if depth in times else max(before)
        if not self._speaks_before:
            self._leave_others(process, event, depth, place)
        around = place
        while around >= 0:
            process.open.setdefault((depth, around), _Open(began, event.time))
            around = self._statements.all[around].parent
        process.open[depth, place].note(event)
        if not self._waits(place):
            self._leave(process, depth, place, None)
        process.latest = place

    def _waits(self, place: int) -> bool:
        """Whether more events of the same execution may follow."""
        statement = self._statements.all[place]
        in_parts = statement.is_compound or statement.has_parts
        return statement.is_shared or (self._speaks_before and in_parts)

    def _leave_others(self, process: _Process, event: Event, depth: int, place: int | None) -> None:
        """What is not around the list that speaks is over."""
        for other in [key[1] for key in process.open if key[0] == depth]:
            if place is None or not self._statements.is_within(place, other):
                self._leave(process, depth, other, event)

    def _leave_deeper(self, process: _Process, event: Event) -> None:
        """Functions that have returned have left all their lists."""
        for depth, place in [key for key in process.open if key[0] > event.depth]:
            self._leave(process, depth, place, event)

    def _leave(self, process: _Process, depth: int, place: int, event: Event | None) -> None:
        """The list is over; in bash the `event` that tells of it says how it ended."""
        entered = process.open.pop((depth, place))
        if not entered.has_spoken:
            return
        if event is not None and self._speaks_before:
            entered.note(event)
        if process.is_first and len(self._processes) > 1:
            self._gather(entered)
        if self._statements.all[place].is_shared:
            self._settle_shared(process, place, entered)
        else:
            self._figures.setdefault(place, _Figures()).add(entered)

    def _gather(self, entered: _Open) -> None:
        """Subshells that spoke last within an execution of the shell were part of it, and are over."""
        for pid, process in list(self._processes.items()):
            spoke = max(process.last_time.values())
            if not process.is_first and entered.began <= spoke <= entered.ended:
                for depth, place in list(process.open):
                    self._leave(process, depth, place, None)
                del self._processes[pid]

    def _settle_shared(self, process: _Process, place: int, entered: _Open) -> None:
        """Of lists on one line, some in a subshell, the shell's own execution stands for all."""
        of_children = self._of_children.setdefault(place, [])
        if not process.is_first:
            of_children.append(entered)
            return
        of_children[:] = [it for it in of_children if it.ended < entered.began]
        self._figures.setdefault(place, _Figures()).add(entered)


def _traced_line(line: int, figures: _Figures) -> TracedLine:
    return TracedLine(
        line=line,
        count=figures.count,
        exit=figures.status,
        pipestatus=figures.pipestatus,
        total_ms=round(figures.total_s * 1000, _DIGITS),
        max_ms=round(figures.max_s * 1000, _DIGITS),
    )
