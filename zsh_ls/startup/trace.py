"""The trace of a start, as the hooks of `tasks.starts.hooks` write it, read into events."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from zsh_ls.lazy import attrs, re

_EVENT = re.compile(r"(\x01+)([^\x01]*)")
_FIELDS = {"zsh": 6, "bash": 8}
# What the hook of each shell writes first.
_BEGINS = "\4"
# What the hook of a shielded bash does before each command.
_REARMS = "set +x"
# Start-up files that take the trace's own means for themselves.
_TAKES_OVER = {
    "zsh": re.compile(r"\btrap\b[^\n]*\bDEBUG\b|\bTRAPDEBUG\b"),
    "bash": re.compile(r"\bPS4=|\bBASH_XTRACEFD\b|\bxtrace\b|\bset [-+][a-wyzA-Z]*x|\bset -\x01?$"),
}


# What opens the line editor to ask something, before there is a prompt.
_ASKS = {
    "zsh": re.compile(r"(?:builtin )?vared\b|select\b"),
    "bash": re.compile(r"(?:builtin )?read\b(?:.* )?-[a-zA-Z]*e"),
}


@attrs.frozen
class Event:
    """A command that began at `at` (seconds since the epoch) in process `pid`.

    `line` and `name` are those of the function or file it stands in, `source` where that begins, `depth`
    how many calls and evals it is below the shell itself, in bash substitutions too; `calls` how many
    functions and files. `text` may be cut. `in_widget` zsh counts no lines: `line` tells nothing there.
    `kind` is that of the shell, `shell` how many were there before it in the same process (`exec`).
    """

    at: float
    pid: int
    line: int
    depth: int
    calls: int
    name: str
    source: str
    folder: str
    text: str
    in_widget: bool = False
    kind: str = "zsh"
    shell: int = 0

    @property
    def key(self) -> str:
        """What a hook knows the command by that is to be left out."""
        return f"{self.name} {self.source} {self.line}"


@attrs.frozen
class Trace:
    """The events of one start, in the order of time.

    `takes_over`: its files set what traces. `asks`: the last one asks something in the line editor, which is
    no prompt.
    """

    events: tuple[Event, ...]
    takes_over: bool
    asks: bool


def read_trace(written: bytes, pid: int, folder: str) -> Trace:
    """The trace of process `pid`; events of files in `folder`, the hook's own, have no source."""
    text = written.decode("utf-8", "replace")
    events = []
    begun = 0
    for found in _EVENT.finditer(text):
        if found[2] == _BEGINS:
            begun += 1
            continue
        event = _event(found[2], len(found[1]), pid, max(0, begun - 1))
        if event is not None and not (event.kind == "bash" and event.text == _REARMS):
            is_hook = event.source.startswith(folder)
            events.append(attrs.evolve(event, source="") if is_hook else event)
    takes_over = any(_TAKES_OVER[it.kind].search(it.text) for it in events if it.source)
    in_time = _in_time(events)
    question = next((it for it in _stands_in(in_time, pid) if _ASKS[it.kind].match(it.text)), None)
    if question is not None:
        in_time = tuple(it for it in in_time if it.at <= question.at)
    return Trace(in_time, takes_over, question is not None)


def _event(told: str, marks: int, pid: int, shell: int) -> Event | None:
    """The event that a hook told; bash's have the number of a line in the place where zsh's have more."""
    fields = told.split("\2", 3)
    kind = "bash" if len(fields) > 2 and fields[2].isdigit() else "zsh"
    fields = told.split("\2", _FIELDS[kind] - 1)
    event = (_of_zsh if kind == "zsh" else _of_bash)(fields, marks, pid)
    return event and attrs.evolve(event, kind=kind, shell=shell)


def _stands_in(events: Sequence[Event], pid: int) -> Iterator[Event]:
    """The last command of the shell, and those that it may stand in: the line editor's own functions do."""
    depth = sys.maxsize
    for event in reversed(events):
        if event.pid == pid and event.depth < depth and event.shell == events[-1].shell:
            depth = event.depth
            yield event


def _of_zsh(fields: list[str], _: int, pid: int) -> Event | None:
    if len(fields) != _FIELDS["zsh"] or fields[2].count("%") < 2:
        return None
    at, process, place, source, folder, text = fields
    line, depth, name = place.split("%", 2)
    try:
        return Event(
            float(at),
            int(process or pid),
            int(line.removeprefix("-")),
            int(depth),
            int(depth),
            _whole(name),
            _whole(source),
            folder,
            text.rstrip("\n "),
            in_widget=line.startswith("-"),
        )
    except ValueError:  # two processes wrote at once, or the rc file printed there
        return None


def _of_bash(fields: list[str], marks: int, pid: int) -> Event | None:
    if len(fields) != _FIELDS["bash"]:
        return None
    at, process, line, depth, name, source, folder, text = fields
    try:
        # Files and functions are counted by BASH_SOURCE, evals by the repeated first character of PS4.
        return Event(
            float(at),
            int(process or pid),
            int(line),
            int(depth) + marks,
            int(depth),
            name,
            source,
            folder,
            text.rstrip("\n"),
        )
    except ValueError:
        return None


def _whole(text: str) -> str:
    """Under KSH_ARRAYS a subscript is text, and stands behind the value."""
    return text.removesuffix("[1]")


def _in_time(events: Iterable[Event]) -> tuple[Event, ...]:
    """Each event once, by the clock: two processes may have written in another order than they read it in.

    bash leaves a `case` in its buffer, which a process made by the case's own words then writes as well.
    """
    return tuple(event for event, _ in groupby(sorted(events, key=lambda it: it.at)))
