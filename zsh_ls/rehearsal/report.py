"""What a rehearsal found, as values; lines count from 1."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from zsh_ls.lazy import attrs
from zsh_ls.shell.fates import FateKind


class RehearsedKind(StrEnum):
    """What happened to a command."""

    REAL = "real"
    STUB = "stub"
    FAILED = "failed"


class WriteAction(StrEnum):
    """What would happen to a file."""

    CREATE = "create"
    CHANGE = "change"
    REMOVE = "remove"


class RehearsalMark(StrEnum):
    """What is worth a second look before the script runs for real."""

    DESTROYS = "destroys"
    PUBLISHES = "publishes"
    NETWORK = "network"


class RehearsalLimit(StrEnum):
    """The limit that a rehearsal came to."""

    TIME = "time"
    OUTPUT = "output"
    PROCESSES = "processes"
    MEMORY = "memory"


@attrs.frozen
class UnknownValue:
    """A value that is not known, because a command did not run.

    name: what holds it: a variable, `$(…)`, or a file's path.
    line: of the command.
    command: the command, without secrets.
    """

    name: str
    line: int
    command: str


@attrs.frozen
class RehearsedCommand:
    """One call of a program.

    argv: its words as expanded, without secrets.
    cwd: its folder.
    kind: whether it ran (real), a stand-in was called in its place (stub), or it failed as asked.
    exit: None where the rehearsal was stopped before it ended.
    depends_on: what of its words is not known.
    gave: what it printed into a `$(…)`, at most 200 characters.
    """

    argv: tuple[str, ...]
    cwd: str
    kind: RehearsedKind
    exit: int | None
    depends_on: tuple[UnknownValue, ...] | None = None
    gave: str | None = None


@attrs.frozen
class RehearsedWrite:
    """A file that would be written.

    path: absolute, as the script sees it.
    action: what would happen to it.
    count: how many files a whole tree has.
    """

    path: str
    action: WriteAction
    count: int | None = None


@attrs.frozen
class RehearsedLine:
    """What ran on a line.

    line: its number.
    count: how often it was reached.
    commands: those of the first ten times.
    writes: the files that it would write.
    marks: what is worth a second look.
    file: another script than the one asked about.
    """

    line: int
    count: int
    commands: tuple[RehearsedCommand, ...] = ()
    writes: tuple[RehearsedWrite, ...] = ()
    marks: tuple[RehearsalMark, ...] = ()
    file: str | None = None


@attrs.frozen
class RehearsalStop:
    """The limit that ended a rehearsal.

    reason: which.
    line: the one that ran then.
    """

    reason: RehearsalLimit
    line: int


@attrs.frozen
class ProvenFate:
    """What became of the script when one command failed.

    line: where it stands.
    command: its text.
    said: what the text alone tells.
    proven: what happened.
    ran: the lines after it that ran only then.
    skipped: the lines after it that ran no more.
    exit: what the script then ended with.
    """

    line: int
    command: str
    said: FateKind
    proven: FateKind
    ran: tuple[int, ...]
    skipped: tuple[int, ...]
    exit: int | None


@attrs.frozen
class Rehearsal:
    """What a script would do; `exit` is None where a limit ended it.

    `output` is the end of what the script printed, secrets masked, for those who ask why it failed;
    `asked` are the lines that asked for input where there was none; `relying` has what lines of
    builtins alone rely on and is not known.
    """

    lines: tuple[RehearsedLine, ...]
    exit: int | None
    stopped: RehearsalStop | None = None
    fates: tuple[ProvenFate, ...] | None = None
    output: str = ""
    asked: tuple[int, ...] = ()
    relying: Mapping[int, tuple[UnknownValue, ...]] = attrs.field(factory=dict)
